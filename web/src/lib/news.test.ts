// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Entry, LogLine, Update, View } from '../api';
import { News, pace } from './news.svelte';

const line = (kind: string, target: string | null = null): LogLine => ({
  kind,
  text: kind,
  tally: [],
  against: [],
  rules: [],
  says: [],
  units: ['a'],
  target,
});
const entry = (n: number, lines: LogLine[], dice: number[] = []): Entry => ({
  n,
  by: 'them',
  dice,
  lines,
  reason: null,
});
const update = (rev: number, one: Entry): Update =>
  ({ rev, from: rev - 1, entries: [one], view: { units: [] } as unknown as View }) as Update;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('at leisure a charge is looked at for a second and a half at least, and nothing for no time', () => {
  const charge = entry(1, [line('move', 'b')]);
  expect(pace(charge, false, 2)).toBeGreaterThanOrEqual(1500);
  expect(pace(entry(1, [line('move')]), true, 2)).toBe(900);
  expect(pace(entry(1, [line('step')]), false, 2)).toBe(0);
  expect(pace(entry(1, [line('move')]), false, 2)).toBe(0);
  expect(pace(entry(1, [line('roll')], [7]), true, 2)).toBeGreaterThan(1500);
});

test('what the other side does waits until one has read what one rolled', async () => {
  const taken: number[] = [];
  let unread = true;
  const news = new News(
    (u) => {
      taken.push(u.rev);
      return null;
    },
    () => unread,
  );
  news.hear(update(1, entry(1, [line('roll')], [5])));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(taken).toEqual([]);
  unread = false;
  news.goOn();
  await vi.advanceTimersByTimeAsync(10);
  expect(taken).toEqual([1]);
  // What one rolls oneself meanwhile holds the rest again.
  unread = true;
  news.hear(update(2, entry(2, [line('roll')], [5])));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(taken).toEqual([1]);
  // Whoever acts has read it.
  news.read();
  expect(taken).toEqual([1, 2]);
  await vi.advanceTimersByTimeAsync(10);
  unread = false;
  news.hear(update(3, entry(3, [line('roll')], [5])));
  await vi.advanceTimersByTimeAsync(10);
  expect(taken).toEqual([1, 2, 3]);
});

test('what did nothing that can be seen is passed over', async () => {
  const news = new News(() => null);
  const told: (number | undefined)[] = [];
  for (let n = 1; n <= 5; n++) news.hear(update(n, entry(n, [line('step')])));
  news.hear(update(6, entry(6, [line('roll')], [3])));
  await vi.advanceTimersByTimeAsync(1);
  told.push(news.now?.n);
  expect(told).toEqual([6]);
});
