import { afterEach, expect, test, vi } from 'vitest';
import { newKey } from './key';

afterEach(() => vi.unstubAllGlobals());

test('a key is made where the page came over plain HTTP', () => {
  const random = crypto.getRandomValues.bind(crypto);
  vi.stubGlobal('crypto', { getRandomValues: random });
  const keys = new Set(Array.from({ length: 100 }, newKey));
  expect(keys.size).toBe(100);
  for (const key of keys) expect(key).toMatch(/^[0-9a-f]{32}$/);
});
