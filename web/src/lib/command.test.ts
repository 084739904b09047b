import { expect, test } from 'vitest';
import type { Piece } from '../api';
import { commanderOf } from './command';

const unit = (commander: string | null): Piece => ({ id: '7th', commander }) as Piece;
const brigades = [
  { leader: 'tarleton', units: ['legion'] },
  { leader: 'newmarsh', units: ['7th'] },
];

test('the circle is that of who commands a unit now, not that of its brigade', () => {
  expect(commanderOf(unit('tarleton'), brigades)).toBe('tarleton');
  expect(commanderOf(unit(null), brigades)).toBe('newmarsh');
  expect(commanderOf(null, brigades)).toBeUndefined();
});
