import { expect, test } from 'vitest';
import type { Ghost } from '../api';
import { differs } from './drop';

const ghost = (x: number, y: number, facing: number, stopped: boolean): Ghost => ({
  feet: [],
  track: [
    { x: 0, y: 0, facing: 0 },
    { x, y, facing },
  ],
  cost: 0,
  limit: 12,
  ground: 'open',
  steps: [],
  order: { do: 'maneuver' },
  stopped: stopped ? { rule: 'r', fact: 'f', instead: null } : null,
  remark: null,
});

test('a ghost that is shorter, elsewhere or not turned is not what was asked', () => {
  const aim = { x: 0, y: 8, facing: 0 };
  expect(differs(ghost(0, 8, 0, false), aim)).toBe(false);
  expect(differs(ghost(0, 7.8, 0, true), aim)).toBe(false);
  expect(differs(ghost(0, 7, 0, true), aim)).toBe(true);
  expect(differs(ghost(1, 8, 0, true), aim)).toBe(true);
  expect(differs(ghost(0, 8, 350, true), aim)).toBe(true);
  expect(differs(ghost(0, 8, 358, true), aim)).toBe(false);
});
