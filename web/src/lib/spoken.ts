// What is said aloud of a move that is being made by keys.
import type { Ghost } from '../api';
import type { Aim } from './game.svelte';
import { sentence } from './offers';

export function spoken(
  ghost: Ghost | null,
  rider: { name: string } | null,
  aim: Aim | null,
): string {
  if (rider && aim)
    return `${rider.name} would ride to ${aim.x.toFixed(1)}, ${aim.y.toFixed(1)}. Enter sends him.`;
  if (!ghost) return '';
  const steps = ghost.steps.join(', ') || 'it stays where it is';
  const far = `${ghost.cost.toFixed(1)} of ${ghost.limit.toFixed(1)} inches over ${ghost.ground || 'open'} ground`;
  const stop = ghost.stopped ? ` As far as it gets. ${sentence(ghost.stopped)}` : '';
  return `${steps}: ${far}.${stop}${ghost.remark ? ` ${ghost.remark}` : ''}`;
}
