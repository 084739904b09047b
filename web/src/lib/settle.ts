// The ends a game may come to that are no part of the battle, and what follows: entries of the game,
// whatever is fought in it.
import type { Done, Rematch } from '../api';
import type { GameOnScreen } from './game.svelte';
import { newKey } from './key';
import { forget } from './mine';

async function settle(
  game: GameOnScreen,
  path: string,
  what: Record<string, string>,
): Promise<void> {
  try {
    game.news.read();
    const body = { ...what, after: game.rev, key: newKey() };
    game.take((await game.ask<Done>(path, body)).update);
  } catch (e) {
    game.tell(e);
  }
}

export function concede(game: GameOnScreen, side: string): Promise<void> {
  return settle(game, '/concede', { side });
}

export function draw(
  game: GameOnScreen,
  side: string,
  say: 'offer' | 'agree' | 'decline',
): Promise<void> {
  return settle(game, '/draw', { side, say });
}

// The id of the game in which the battle is fought again with the sides changed.
export async function rematch(game: GameOnScreen): Promise<string | null> {
  try {
    return game.rematch ?? (await game.ask<Rematch>('/rematch', {})).game;
  } catch (e) {
    game.tell(e);
    return null;
  }
}

// Deletes the game: for whoever made it.
export async function discard(game: GameOnScreen): Promise<void> {
  game.close();
  await game.ask('', undefined, 'DELETE');
  forget(game.id);
}
