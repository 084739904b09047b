import { expect, test } from 'vitest';
import type { Outcome, Roll } from '../api';
import { plainly, round } from './charge';

const outcome = (name: string, percent: number, tone: string): Outcome => ({
  name,
  percent,
  tone,
  does: 'something',
  says: [],
});
const roll = (who: string[], odds: Outcome[], chances: Roll['chances']): Roll => ({
  who,
  title: '',
  tally: [],
  against: [],
  odds,
  besides: [],
  headline: null,
  chances,
});

test('a chance is never rounded to none or all', () => {
  expect([0, 0.4, 33.4, 99.6, 100].map(round)).toEqual(['0', 'under 1', '33', 'over 99', '100']);
});

test('a charge is said in plain lines: the fire, the likeliest win and defeat, the struggle', () => {
  const fight = roll(
    ['33rd'],
    [
      outcome('Militia: swept', 10, 'good'),
      {
        ...outcome('Militia: driven back', 30, 'good'),
        does: '20% attacker: may take the ground; defender: 1 stand lost / 10% defender: 2 stands lost',
      },
      outcome('33rd: recoil', 60, 'bad'),
    ],
    { wins: 36, struggles: 12, loses: 42, stopped: 10 },
  );
  const fire = roll(['va'], [], null);
  const lines = plainly([fire, fight], '33rd', 'Militia', (r) => r === fire);
  expect(lines).toEqual([
    'It is fired at as it comes: 10% that this stops it.',
    'If it wins, most likely: Militia driven back (33rd may take the ground; Militia 1 stand lost).',
    'If it loses, most likely: 33rd thrown back (something).',
    '12% that neither gives way at once, and both lose by it.',
  ]);
  expect(plainly([fight], '33rd', 'Militia', () => true)[0]).toBe(
    'Nobody can fire at it as it comes.',
  );
});
