// Live updates: server-sent events read with fetch, so that the token travels in a header. After
// a lost connection it says what it saw last and gets the rest.
import type { Update } from '../api';

export interface Live {
  stop(): void;
}

// The game is not there, or this link does not open it: asking again does not help.
const REFUSED = [401, 403, 404, 410];

export function follow(
  game: string,
  token: string,
  seen: () => number,
  got: (update: Update) => void,
  connected: (yes: boolean) => void,
  gone: () => void,
): Live {
  let stopped = false;
  let current = new AbortController();
  let wait = 250;
  let wake: () => void = () => undefined;
  // A browser that knows it is offline says so before any connection breaks.
  const offline = (): void => current.abort();
  const online = (): void => wake();
  addEventListener('offline', offline);
  addEventListener('online', online);

  async function once(): Promise<void> {
    current = new AbortController();
    const response = await fetch(`/api/games/${game}/live?brief=true`, {
      headers: { authorization: `Bearer ${token}`, 'last-event-id': String(seen()) },
      signal: current.signal,
      cache: 'no-store',
    });
    if (REFUSED.includes(response.status)) {
      stopped = true;
      gone();
    }
    if (!response.ok || !response.body) throw new Error(String(response.status));
    connected(true);
    wait = 250;
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      text += value;
      let end: number;
      while ((end = text.indexOf('\n\n')) >= 0) {
        const data = text
          .slice(0, end)
          .split('\n')
          .filter((line) => line.startsWith('data:'))
          .map((line) => line.slice(5).trimStart())
          .join('\n');
        text = text.slice(end + 2);
        if (data) got(JSON.parse(data) as Update);
      }
    }
  }

  async function forever(): Promise<void> {
    while (!stopped) {
      await once().catch(() => undefined);
      if (stopped) return;
      connected(false);
      await new Promise<void>((r) => {
        wake = r;
        setTimeout(r, wait);
      });
      wait = Math.min(wait * 2, 5000);
    }
  }
  void forever();
  return {
    stop: () => {
      stopped = true;
      current.abort();
      removeEventListener('offline', offline);
      removeEventListener('online', online);
    },
  };
}
