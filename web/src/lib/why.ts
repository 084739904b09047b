import type { Piece } from '../api';
import type { GameOnScreen } from './game.svelte';

// Why a unit that was dragged stays where it is.
export function whyNot(game: GameOnScreen, unit: Piece): string {
  if (!game.mine || unit.side !== game.view?.awaiting)
    return `${unit.name} is not yours to move now.`;
  if (game.view.phase === 'leaders' || game.view.phase === 'checks')
    return unit.may
      ? `${unit.name} must pass a maneuver check before it moves: choose it, then Check.`
      : `${unit.name} has checked; units move when the checks are over.`;
  if (game.view.phase === 'charges' && game.view.units.some((u) => u.charging))
    return `Charges are declared: others move when you press “No more charges”.`;
  if (game.view.phase === 'charges' || game.view.phase === 'maneuvers')
    return `${unit.name} has nothing more to do in this turn.`;
  return `Units move in the maneuver step; now it is ${game.view.phase_words}.`;
}
