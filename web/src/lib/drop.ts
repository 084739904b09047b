// What a unit that was dragged somewhere is meant to do there.
import type { Ghost } from '../api';
import type { Aim, GameOnScreen } from './game.svelte';
import { sentence } from './offers';

// The unit under the pointer, but for the one that is held.
export function unitUnder(at: { clientX: number; clientY: number }, held: string): string | null {
  const all = document.elementsFromPoint(at.clientX, at.clientY);
  const ids = all.map((e) => e.closest('.unit')?.getAttribute('data-unit'));
  return ids.find((id) => id && id !== held) ?? null;
}

// Dropped onto an enemy a unit charges it or fires at it: the odds open. Returns whether it may; if
// not, it has been said why, where there is a reason.
export async function droppedOn(game: GameOnScreen, unit: string, on: string): Promise<boolean> {
  const find = (id: string) => game.view?.units.find((u) => u.id === id);
  const [own, other] = [find(unit), find(on)];
  if (!own || !other || own.side === other.side || !game.mine) return false;
  if (game.selected !== unit) await game.select(unit);
  const aimed = (await game.ready()).filter((o) => o.target === on);
  const may = aimed.find((o) => !o.no);
  if (may) {
    game.dropAim();
    await game.choose(may);
    return true;
  }
  const no = aimed.find((o) => o.no)?.no;
  if (no) game.says = { text: sentence(no), rule: no.rule, bad: true };
  return false;
}

// How far off a move may end, and how much turned, and still be what was asked for.
const INCHES = 0.5;
const DEGREES = 5;

// Whether a ghost stands elsewhere than where it was asked to, or is turned otherwise.
export function differs(ghost: Ghost, aim: Aim): boolean {
  const end = ghost.track.at(-1);
  if (!ghost.stopped || !end) return false;
  const turned = Math.abs(((end.facing - aim.facing + 540) % 360) - 180);
  return Math.hypot(end.x - aim.x, end.y - aim.y) > INCHES || turned > DEGREES;
}
