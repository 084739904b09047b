// Several units straight ahead, one after another.
import type { Piece, Way } from '../api';
import type { Actor, GameOnScreen } from './game.svelte';

// Those in front go first, so that they make room.
export async function advance(game: GameOnScreen, movers: Actor[], inches: number): Promise<void> {
  const units = movers
    .map((m) => game.view?.units.find((u) => u.id === m.id))
    .filter((u) => u !== undefined);
  const [first] = units;
  if (!first || !(inches > 0)) return;
  const ahead = (u: Piece): number => {
    const t = (first.front.facing * Math.PI) / 180;
    return u.front.x * Math.sin(t) + u.front.y * Math.cos(t);
  };
  const short: string[] = [];
  for (const u of units.sort((a, b) => ahead(b) - ahead(a))) {
    const t = (u.front.facing * Math.PI) / 180;
    const to = {
      x: u.front.x + inches * Math.sin(t),
      y: u.front.y + inches * Math.cos(t),
      facing: u.front.facing,
    };
    try {
      const way = await game.ask<Way>('/plan', { unit: u.id, to });
      if (way.ghost.stopped) short.push(u.name);
      if (way.ghost.order) await game.give(way.ghost.order);
    } catch (e) {
      game.tell(e);
      return;
    }
  }
  if (short.length > 0)
    game.says = { text: `Not all the way: ${short.join(', ')}.`, rule: null, bad: false };
}
