// The games this browser has a seat in. The tokens stay here; nobody else can find them.
export interface MyGame {
  game: string;
  token: string;
  title: string;
  role: string;
  when: number;
  invite?: string | null;
  watch?: string;
  /** The seats of brigades, for whoever made the game. */
  brigades?: { leader: string; side: string; token: string }[];
  /** How it stood when it was last seen. */
  status?: string;
}

const KEY = 'linstock.games';

export function mine(): MyGame[] {
  try {
    const all = JSON.parse(localStorage.getItem(KEY) ?? '[]') as MyGame[];
    return all.sort((a, b) => b.when - a.when);
  } catch {
    return [];
  }
}

export function remember(game: MyGame): void {
  const rest = mine().filter((g) => g.game !== game.game || g.token !== game.token);
  const before = mine().find((g) => g.game === game.game && g.token === game.token);
  localStorage.setItem(KEY, JSON.stringify([{ ...before, ...game }, ...rest].slice(0, 60)));
}

export function forget(game: string): void {
  localStorage.setItem(KEY, JSON.stringify(mine().filter((g) => g.game !== game)));
}

export function tokenOf(game: string): string | undefined {
  return mine().find((g) => g.game === game)?.token;
}

export function seatOf(game: string): MyGame | undefined {
  return mine().find((g) => g.game === game);
}
