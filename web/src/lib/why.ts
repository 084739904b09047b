import type { LeaderView, Piece } from '../api';
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

// Why a leader who was dragged stays where he is.
export function whyNotRide(game: GameOnScreen, leader: LeaderView): string {
  if (!game.mine || leader.side !== game.view?.awaiting)
    return `${leader.name} is not yours to move now.`;
  if (game.view.phase !== 'leader-moves')
    return `Leaders ride when all units have moved; now it is ${game.view.phase_words}.`;
  return `${leader.name} has ridden, or is with a unit and goes with it.`;
}
