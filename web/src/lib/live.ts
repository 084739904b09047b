// Live updates: server-sent events read with fetch, so that the token travels in a header. After
// a lost connection it says what it saw last and gets the rest.
import type { Update } from '../api';

export interface Live {
  stop(): void;
}

export function follow(
  game: string,
  token: string,
  seen: () => number,
  got: (update: Update) => void,
  connected: (yes: boolean) => void,
): Live {
  const abort = new AbortController();
  let wait = 250;

  async function once(): Promise<void> {
    const response = await fetch(`/api/games/${game}/live`, {
      headers: { authorization: `Bearer ${token}`, 'last-event-id': String(seen()) },
      signal: abort.signal,
      cache: 'no-store',
    });
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
    while (!abort.signal.aborted) {
      await once().catch(() => undefined);
      if (abort.signal.aborted) return;
      connected(false);
      await new Promise((r) => setTimeout(r, wait));
      wait = Math.min(wait * 2, 5000);
    }
  }
  void forever();
  return { stop: () => abort.abort() };
}
