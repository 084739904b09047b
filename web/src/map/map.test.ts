// How the map is drawn: the same every time, and nothing on top of anything else.
import { describe, expect, it } from 'vitest';
import type { Board, KeyView, Land, LeaderView, Piece } from '../api';
import { footprint, keySize, leaderSize } from '../lib/labels';
import { arrange } from './arrange';
import { chance } from './chance';
import { clearSpot, disc, meets, Room, type Box } from './clear';
import { covered, LETTERS, places, SPACED } from './places';
import { wide } from './letters';
import { byHand, farFrom, inside, strewn } from './shapes';
import { heading, toSheet, toTable, type Sheet } from './sheet';
import { survey, turned } from './survey';

const square = [
  { x: 10, y: 10 },
  { x: 30, y: 10 },
  { x: 30, y: 30 },
  { x: 10, y: 30 },
];

function land(
  id: string,
  kind: string,
  points: [number, number][],
  more: Partial<Land> = {},
): Land {
  const line = ['road', 'stream', 'fence'].includes(kind);
  const name = id;
  return {
    id,
    kind,
    points,
    line,
    name,
    width: line ? 1 : 0,
    level: 0,
    good: true,
    trees: 'pine',
    ...more,
  };
}

const board = (pieces: Land[]): Board =>
  ({ width: 60, height: 40, land: pieces, coats: [] }) as unknown as Board;

const wood = land('wood', 'woods', [
  [5, 5],
  [25, 5],
  [25, 25],
  [5, 25],
]);
const road = land('high road', 'road', [
  [0, 15],
  [60, 15],
]);

describe('chance', () => {
  it('is the same for the same name, and another for another', () => {
    const row = (seed: string): number[] => Array.from({ length: 8 }, chance(seed));
    expect(row('wood')).toEqual(row('wood'));
    expect(row('wood')).not.toEqual(row('woods'));
    expect(row('wood').every((n) => n >= 0 && n < 1)).toBe(true);
  });
});

describe('what a hand draws', () => {
  it('stays near the line the rules have', () => {
    const drawn = byHand(square, true, 'field', { stray: 0.2, shake: 0.5, corner: 1 });
    expect(drawn.length).toBeGreaterThan(square.length * 10);
    for (const p of drawn) expect(farFrom(p, square, true)).toBeLessThan(0.6);
    // And is not ruled: somewhere it strays.
    expect(Math.max(...drawn.map((p) => farFrom(p, square, true)))).toBeGreaterThan(0.05);
  });

  it('begins and ends where the line does', () => {
    const line = square.slice(0, 3);
    const drawn = byHand(line, false, 'road', { stray: 0.2, shake: 0.5, corner: 1 });
    expect(drawn[0]).toEqual(line[0]);
    expect(drawn.at(-1)).toEqual(line.at(-1));
  });
});

describe('a wood', () => {
  it('has the same trees each time, all within it, the far ones first', () => {
    const trees = strewn(square, 1.2, 'wood');
    expect(trees).toEqual(strewn(square, 1.2, 'wood'));
    expect(trees.length).toBeGreaterThan(150);
    expect(trees.every((t) => inside(t, square))).toBe(true);
    expect(trees.map((t) => t.y)).toEqual(trees.map((t) => t.y).sort((a, b) => a - b));
  });

  it('is denser where it is dense, and leaves roads free', () => {
    const count = (kind: string): number =>
      survey(board([{ ...wood, kind }])).features[0]?.spots.length ?? 0;
    expect(count('dense-woods')).toBeGreaterThan(1.5 * count('woods'));
    const s = survey(board([wood, road]));
    const trees = s.features.find((f) => f.land.id === 'wood')?.spots ?? [];
    const way = s.features.find((f) => f.land.id === 'high road')?.drawn ?? [];
    expect(trees.length).toBeGreaterThan(50);
    for (const t of trees) expect(farFrom(t, way)).toBeGreaterThan(0.6);
  });
});

describe('the turned table', () => {
  const sheet: Sheet = { width: 60, height: 40, turned: true };

  it('has its north below, and every place where it was', () => {
    expect(toSheet({ ...sheet, turned: false }, { x: 1, y: 2 })).toEqual({ x: 1, y: 38 });
    expect(toSheet(sheet, { x: 1, y: 2 })).toEqual({ x: 59, y: 2 });
    for (const at of [sheet, { ...sheet, turned: false }])
      expect(toTable(at, toSheet(at, { x: 7, y: 9 }))).toEqual({ x: 7, y: 9 });
    expect(heading(sheet, 0)).toBe(180);
    expect(heading(sheet, 270)).toBe(90);
  });

  it('has the same trees, turned', () => {
    const plain = survey(board([wood]));
    const round = turned(plain, sheet);
    const places = (s: typeof plain): string[] =>
      (s.features[0]?.spots ?? []).map((p) => `${p.x.toFixed(6)} ${p.y.toFixed(6)}`).sort();
    expect(places(turned(round, sheet))).toEqual(places(plain));
    expect(places(round)).not.toEqual(places(plain));
  });
});

const unit = (id: string, x: number, y: number, facing = 0, stands = 6): Piece =>
  ({
    id,
    name: `The regiment of ${id}`,
    side: 'one',
    stands,
    width: 1,
    depth: 0.75,
    front: { x, y, facing },
    feet: Array.from({ length: stands }, (_, i) => {
      const t = (facing * Math.PI) / 180;
      const off = i - (stands - 1) / 2;
      return { x: x + off * Math.cos(t), y: y - off * Math.sin(t), facing };
    }),
    order: 'good',
    freshness: 'fresh',
    marks: [],
  }) as unknown as Piece;
const leader = (id: string, x: number, y: number, by: string | null): LeaderView =>
  ({ id, name: `Col ${id}`, at: [x, y], with: by, present: true }) as unknown as LeaderView;
const key = (id: string, x: number, y: number): KeyView =>
  ({ id, name: id, at: [x, y], value: 3, holder: null }) as unknown as KeyView;

// A brigade in two lines, some of it turned, with its leaders and stars among it.
const units = [
  ...[8, 16, 24, 32].map((x, i) => unit(`a${i}`, x, 14, [0, 0, 30, 180][i])),
  ...[8, 16, 24, 32].map((x, i) => unit(`b${i}`, x, 17, [0, 90, 0, 0][i])),
];
const shown = (k: number, way = false): Parameters<typeof arrange>[0] => ({
  units,
  leaders: [leader('Rawdon', 8, 14, 'a0'), leader('Greene', 24, 15.5, null)],
  keys: [key('mill', 16, 13.8), key('bridge', 50, 30)],
  sheet: { width: 60, height: 40, turned: way },
  chosen: null,
  k,
  lettered: true,
});

describe('marks on the map', () => {
  it.each([
    [4, false],
    [14, false],
    [14, true],
    [40, true],
  ])('do not cover troops or each other at %d pixels to an inch, turned %s', (k, way) => {
    const on = shown(k, way);
    const { leaders, keys } = arrange(on);
    const stands = units.flatMap((u) => u.feet.map((f) => footprint(u, f, on.sheet)));
    const marks = [
      ...Object.values(leaders).map((p) => disc(p, leaderSize(k))),
      ...keys.map((one) => disc(one.star, keySize(k))),
    ];
    expect(marks).toHaveLength(4);
    marks.forEach((m, i) => {
      expect(stands.some((s) => meets(s, m))).toBe(false);
      expect(marks.slice(0, i).some((o) => meets(o, m))).toBe(false);
    });
    // What has room stays where it is.
    expect(keys[1]?.star).toEqual(keys[1]?.at);
  });

  it('stay in their place where there is no room at all', () => {
    const all: Box = { x: -50, y: -50, w: 200, h: 200 };
    const at = { x: 5, y: 5 };
    expect(clearSpot(at, 1, new Room([all]), all)).toEqual(at);
  });
});

describe('names of places', () => {
  const named = survey(
    board([
      wood,
      road,
      land('old mill', 'building', [
        [40, 20],
        [42, 20],
        [42, 22],
        [40, 22],
      ]),
      land('edge of the world', 'marsh', [
        [54, 0],
        [60, 0],
        [60, 40],
        [54, 40],
      ]),
      land('brook', 'stream', [
        [30, 0],
        [34, 20],
        [30, 40],
      ]),
    ]),
  );
  const boxOf = (text: string, at: { x: number; y: number; angle: number }, k: number): Box[] =>
    covered({ text, w: ((wide(text) + SPACED * text.length) * LETTERS) / k, h: LETTERS / k }, at);

  it.each([8, 14, 30])('keep clear of troops, edges and each other at %d pixels', (k) => {
    const taken = arrange(shown(k)).names.boxes;
    const found = places(named, taken, k);
    expect(found.length).toBeGreaterThanOrEqual(k < 10 ? 3 : 5);
    const boxes = found.map((p) => boxOf(p.text, p, k));
    boxes.flat().forEach((b) => {
      expect(taken.some((t) => meets(t, b))).toBe(false);
      expect(b.x >= 0 && b.y >= 0 && b.x + b.w <= 60 && b.y + b.h <= 40).toBe(true);
    });
    boxes.forEach((mine, i) => {
      const others = boxes.filter((_, j) => j !== i).flat();
      expect(mine.some((b) => others.some((o) => meets(o, b)))).toBe(false);
    });
  });

  it('run along what flows, and can be read', () => {
    const brook = places(named, [], 14).find((p) => p.id === 'brook');
    expect(Math.abs(brook?.angle ?? 0)).toBeGreaterThan(60);
    expect(Math.abs(brook?.angle ?? 99)).toBeLessThanOrEqual(90);
  });

  it('are left out where there is no room', () => {
    expect(places(named, [{ x: -1, y: -1, w: 70, h: 50 }], 14)).toEqual([]);
  });
});

describe('names of units', () => {
  it('keep clear of other troops, and show the strength in any case', () => {
    const on = shown(12);
    const { names } = arrange(on);
    for (const u of units) {
      const label = names.units[u.id];
      expect(label).toBeDefined();
      if (label?.on) expect(label.text).toBe('');
    }
    expect(units.some((u) => names.units[u.id]?.text)).toBe(true);
  });
});
