// What an order did that can be drawn: who fired at or charged whom, and what it cost.
import type { Entry, View } from '../api';

export interface Action {
  kind: 'fire' | 'charge';
  from: string[];
  target: string;
}

export interface Drawn {
  actions: Action[];
  // Stands each unit lost.
  lost: Record<string, number>;
}

export function drawn(before: View | null, after: View, entries: Entry[]): Drawn {
  const actions = entries
    .flatMap((e) => e.lines)
    .filter((l) => (l.kind === 'roll' || l.kind === 'move') && l.target !== null)
    .map((l): Action => {
      const target = l.target ?? '';
      // A move with a target is a charge that is declared or goes home.
      const kind = l.kind === 'move' || l.against.length > 0 ? 'charge' : 'fire';
      return { kind, from: l.units.filter((u) => u !== target), target };
    });
  const was = new Map((before?.units ?? []).map((u) => [u.id, u.stands]));
  const lost: Record<string, number> = {};
  for (const u of after.units) {
    const less = (was.get(u.id) ?? u.stands) - u.stands;
    if (less > 0) lost[u.id] = less;
  }
  return { actions, lost };
}
