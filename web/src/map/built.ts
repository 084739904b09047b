// What people have made: roads, fields, walls, works and houses.
import { chance } from './chance';
import { fine, INK, shifted, stroke, strokes, wash, within, type Brush } from './brush';
import { along, bounds } from './shapes';
import type { Point } from './sheet';
import type { Feature } from './survey';

const EARTH = '#8a6a3d';

export function road(b: Brush, f: Feature): void {
  const wide = Math.max(0.42, 0.55 * f.land.width);
  const edge = fine(b, 0.08, 0.8);
  if (f.land.good) {
    stroke(b, f.drawn, { color: EARTH, width: wide + 2 * edge, alpha: 0.85 });
    stroke(b, f.drawn, { color: '#f1e3b9', width: wide });
    return;
  }
  // Of a poor road one edge is broken.
  stroke(b, f.drawn, { color: '#e9d9ac', width: wide, alpha: 0.75 });
  const edges = along(f.drawn, 0.3);
  const beside = (by: number): Point[] =>
    edges.map((s) => ({ x: s.x + s.nx * by, y: s.y + s.ny * by }));
  stroke(b, beside(wide / 2), {
    color: EARTH,
    width: edge,
    alpha: 0.85,
    dash: [0.7, 0.4],
    cap: 'butt',
  });
  stroke(b, beside(-wide / 2), { color: EARTH, width: edge, alpha: 0.85 });
}

export function bridge(b: Brush, f: Feature): void {
  const wide = Math.max(0.9, f.land.line ? f.land.width : 1);
  if (!f.land.line) {
    wash(b, f.drawn, '#b08d5b');
    stroke(b, f.drawn, { color: INK, width: fine(b, 0.14, 1), closed: true });
    return;
  }
  stroke(b, f.drawn, { color: INK, width: wide, cap: 'butt' });
  stroke(b, f.drawn, { color: '#c6a673', width: wide - fine(b, 0.24, 2), cap: 'butt' });
  const planks = along(f.drawn, 0.3).map((s): [Point, Point] => [
    { x: s.x + s.nx * wide * 0.4, y: s.y + s.ny * wide * 0.4 },
    { x: s.x - s.nx * wide * 0.4, y: s.y - s.ny * wide * 0.4 },
  ]);
  strokes(b, planks, { color: '#7d5c33', width: fine(b, 0.04, 0.5), cap: 'butt' });
}

// The way of the longest side of a field, along which it is ploughed.
function furrowsRun(area: Point[]): number {
  let [longest, way] = [0, 0];
  area.forEach((a, i) => {
    const c = area[(i + 1) % area.length] ?? a;
    const long = Math.hypot(c.x - a.x, c.y - a.y);
    if (long > longest) [longest, way] = [long, Math.atan2(c.y - a.y, c.x - a.x)];
  });
  return way;
}

export function field(b: Brush, f: Feature): void {
  const { ctx } = b;
  const crops = f.land.kind === 'crops';
  const dice = chance(f.land.id);
  const box = bounds(f.exact);
  const far = Math.hypot(box.w, box.h) / 2 + 1;
  wash(b, f.drawn, crops ? '#dcc777' : '#e2cf9b', 0.85);
  within(b, f.drawn, () => {
    ctx.translate(box.x + box.w / 2, box.y + box.h / 2);
    ctx.rotate(furrowsRun(f.exact));
    const furrows: [Point, Point][] = [];
    for (let y = -far, strip = 0; y < far; strip++) {
      const deep = 2 + 1.6 * dice();
      ctx.globalAlpha = 0.55;
      ctx.fillStyle = ['#d9c083', '#e8d8a6', '#d5c48e', '#cfc78d'][Math.floor(dice() * 4)] ?? '';
      ctx.fillRect(-far, y, 2 * far, deep);
      for (let row = y + 0.2; row < y + deep - 0.1; row += 0.42)
        for (let x = -far - 3 * dice(); x < far; x += crops ? 0.5 : 2.2 + 2 * dice()) {
          const [up, down] = [(dice() - 0.5) * 0.08, (dice() - 0.5) * 0.08];
          const to = crops ? x + 0.12 : x + 1.9 + 0.3 * dice();
          furrows.push([
            { x, y: row + up },
            { x: to, y: row + (crops ? -0.2 : down) },
          ]);
        }
      y += deep;
    }
    const color = crops ? '#8d8434' : '#a8884c';
    strokes(b, furrows, { color, width: fine(b, 0.05, 0.5), alpha: crops ? 0.8 : 0.6 });
  });
  stroke(b, f.drawn, { color: '#9a7d44', width: fine(b, 0.07, 0.7), alpha: 0.8, closed: true });
}

export function wall(b: Brush, f: Feature): void {
  stroke(b, shifted(f.drawn, 0.07, 0.1), { color: '#3a2d18', width: 0.34, alpha: 0.3 });
  stroke(b, f.drawn, { color: '#5f594c', width: fine(b, 0.36, 2.4) });
  const dice = chance(f.land.id);
  b.ctx.fillStyle = '#b5ad9c';
  for (const s of along(f.drawn, 0.3)) {
    b.ctx.beginPath();
    b.ctx.ellipse(s.x, s.y, 0.13 + 0.02 * dice(), 0.1, Math.atan2(s.nx, -s.ny), 0, 7);
    b.ctx.fill();
  }
}

// Split rails laid in a zigzag, as they fenced in the South.
export function fence(b: Brush, f: Feature): void {
  const zigzag = along(f.drawn, 0.42).map((s, i) => {
    const off = i % 2 ? 0.15 : -0.15;
    return { x: s.x + s.nx * off, y: s.y + s.ny * off };
  });
  stroke(b, shifted(zigzag, 0.06, 0.09), { color: '#3a2d18', width: fine(b, 0.1), alpha: 0.3 });
  stroke(b, zigzag, { color: '#6d4a27', width: fine(b, 0.12, 1) });
}

export function hedge(b: Brush, f: Feature): void {
  const dice = chance(f.land.id);
  const clumps = along(f.drawn, 0.34).map((s) => ({
    x: s.x + (dice() - 0.5) * 0.12,
    y: s.y + (dice() - 0.5) * 0.12,
    r: 0.22 + 0.08 * dice(),
  }));
  for (const [grow, dx, color] of [
    [0.06, 0.08, 'rgb(70 58 25 / 0.35)'],
    [0.05, 0, '#4b5f33'],
    [0, 0, '#7f9a55'],
    [-0.11, -0.05, '#a9bd78'],
  ] as const) {
    b.ctx.fillStyle = color;
    b.ctx.beginPath();
    for (const c of clumps) {
      b.ctx.moveTo(c.x + dx + c.r + grow, c.y + dx);
      b.ctx.arc(c.x + dx, c.y + dx, c.r + grow, 0, 7);
    }
    b.ctx.fill();
  }
}

// A bank of earth with a ditch before it, hatched.
export function works(b: Brush, f: Feature): void {
  stroke(b, f.drawn, { color: '#6b4f27', width: fine(b, 0.62, 3), cap: 'butt' });
  stroke(b, f.drawn, { color: '#c9a468', width: fine(b, 0.4, 1.6), cap: 'butt' });
  const teeth = along(f.drawn, 0.26).flatMap((s): [Point, Point][] =>
    [1, -1].map((side) => [
      { x: s.x + s.nx * 0.3 * side, y: s.y + s.ny * 0.3 * side },
      { x: s.x + s.nx * 0.58 * side, y: s.y + s.ny * 0.58 * side },
    ]),
  );
  strokes(b, teeth, { color: '#6b4f27', width: fine(b, 0.06, 0.6) });
}

export function abatis(b: Brush, f: Feature): void {
  const dice = chance(f.land.id);
  const boughs = along(f.drawn, 0.3).flatMap((s): [Point, Point][] => {
    const lean = (dice() - 0.5) * 0.7;
    return [-1, 1].map((side) => [
      { x: s.x - s.nx * 0.1, y: s.y - s.ny * 0.1 },
      {
        x: s.x + s.nx * 0.5 - s.ny * (0.3 * side + lean * 0.4),
        y: s.y + s.ny * 0.5 + s.nx * (0.3 * side + lean * 0.4),
      },
    ]);
  });
  stroke(b, f.drawn, { color: '#5e4a2c', width: fine(b, 0.14, 1) });
  strokes(b, boughs, { color: '#5e4a2c', width: fine(b, 0.07, 0.7) });
}

// A house from above: its roof lit on one side of the ridge, its shadow on the ground.
function roof(b: Brush, corners: Point[], color: [string, string]): void {
  wash(b, shifted(corners, 0.16, 0.2), '#3a2d18', 0.35);
  const n = corners.length;
  const [p0, p1, p2, p3] = corners;
  if (n !== 4 || !p0 || !p1 || !p2 || !p3) {
    wash(b, corners, color[0]);
    stroke(b, corners, { color: '#38201a', width: fine(b, 0.09, 0.9), closed: true });
    return;
  }
  const mid = (p: Point, q: Point): Point => ({ x: (p.x + q.x) / 2, y: (p.y + q.y) / 2 });
  const wide = Math.hypot(p1.x - p0.x, p1.y - p0.y) >= Math.hypot(p2.x - p1.x, p2.y - p1.y);
  // The ridge runs along the longer side.
  const [r, s] = wide ? [mid(p0, p3), mid(p1, p2)] : [mid(p0, p1), mid(p3, p2)];
  const halves = wide
    ? [
        [p0, p1, s, r],
        [r, s, p2, p3],
      ]
    : [
        [p0, r, s, p3],
        [r, p1, p2, s],
      ];
  const sun = (area: Point[]): number => area.reduce((sum, p) => sum + p.x + p.y, 0);
  const [bright, dull] =
    sun(halves[0] ?? []) <= sun(halves[1] ?? []) ? halves : [halves[1] ?? [], halves[0] ?? []];
  wash(b, bright ?? [], color[0]);
  wash(b, dull ?? [], color[1]);
  stroke(b, [r, s], { color: '#38201a', width: fine(b, 0.06, 0.6) });
  stroke(b, corners, { color: '#38201a', width: fine(b, 0.09, 0.9), closed: true });
}

const ROOFS: [string, string][] = [
  ['#b0644f', '#85402f'],
  ['#a98a63', '#7d6142'],
  ['#a85a46', '#7b3a2b'],
];

export function house(b: Brush, f: Feature): void {
  const dice = chance(f.land.id);
  roof(b, f.exact, ROOFS[Math.floor(dice() * 2.99)] ?? ['#b0644f', '#85402f']);
}

// Houses and their gardens.
export function village(b: Brush, f: Feature): void {
  wash(b, f.drawn, '#dcc79a', 0.8);
  stroke(b, f.drawn, { color: EARTH, width: fine(b, 0.08, 0.8), closed: true });
  const dice = chance(f.land.id);
  within(b, f.drawn, () => {
    for (const spot of f.spots) {
      const [w, h] = [0.42 + 0.2 * dice(), 0.3 + 0.14 * dice()];
      const t = (dice() - 0.5) * 0.5 + (spot.luck < 0.4 ? Math.PI / 2 : 0);
      const [c, s] = [Math.cos(t), Math.sin(t)];
      const corner = (x: number, y: number): Point => ({
        x: spot.x + x * w * c - y * h * s,
        y: spot.y + x * w * s + y * h * c,
      });
      const corners = [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)];
      roof(b, corners, ROOFS[Math.floor(dice() * 2.99)] ?? ['#b0644f', '#85402f']);
    }
  });
}
