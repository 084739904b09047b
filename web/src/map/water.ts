// Water, wet ground and the ways over it.
import { chance } from './chance';
import { fine, stroke, strokes, wash, within, type Brush } from './brush';
import { along, bounds } from './shapes';
import type { Point } from './sheet';
import type { Feature } from './survey';

const BLUE = '#b4ccca';
const SHORE = '#587f88';

// Along a shore engravers draw line after line, ever fainter.
export function lake(b: Brush, f: Feature): void {
  wash(b, f.drawn, BLUE);
  within(b, f.drawn, () => {
    for (const [width, alpha] of [
      [2.6, 0.1],
      [1.7, 0.13],
      [0.9, 0.17],
    ] as const)
      stroke(b, f.drawn, { color: SHORE, width, alpha, closed: true });
    for (const [inset, alpha] of [
      [0.5, 0.5],
      [1.1, 0.35],
      [1.8, 0.2],
    ] as const)
      stroke(b, inward(f.drawn, inset), {
        color: SHORE,
        width: fine(b, 0.04, 0.5),
        alpha,
        closed: true,
      });
  });
  stroke(b, f.drawn, { color: SHORE, width: fine(b, 0.11, 0.9), closed: true });
}

function inward(area: Point[], by: number): Point[] {
  return along(area, 0.6, true).map((s) => ({ x: s.x - s.nx * by, y: s.y - s.ny * by }));
}

export function stream(b: Brush, f: Feature): void {
  const wide = Math.max(0.36, f.land.width);
  stroke(b, f.drawn, { color: SHORE, width: wide + fine(b, 0.14, 1.4) });
  stroke(b, f.drawn, { color: BLUE, width: wide });
  const dice = chance(f.land.id);
  const ripples = along(f.drawn, 0.9)
    .filter(() => dice() < 0.7)
    .map((s): [Point, Point] => {
      const off = (dice() - 0.5) * wide * 0.6;
      const [x, y] = [s.x + s.nx * off, s.y + s.ny * off];
      return [
        { x, y },
        { x: x - s.ny * 0.4, y: y + s.nx * 0.4 },
      ];
    });
  strokes(b, ripples, { color: SHORE, width: fine(b, 0.04, 0.5), alpha: 0.55 });
}

// Tufts of reed over short lines of water.
export function marsh(b: Brush, f: Feature): void {
  const swamp = f.land.kind === 'swamp';
  wash(b, f.drawn, swamp ? '#b9c4a2' : '#c9d2b4', 0.75);
  const water: [Point, Point][] = [];
  const reeds: [Point, Point][] = [];
  for (const spot of f.spots) {
    const half = 0.28 + 0.3 * spot.luck;
    water.push([
      { x: spot.x - half, y: spot.y },
      { x: spot.x + half, y: spot.y },
    ]);
    water.push([
      { x: spot.x - half * 0.4, y: spot.y + 0.17 },
      { x: spot.x + half * 0.8, y: spot.y + 0.17 },
    ]);
    if (spot.luck < 0.3) continue;
    for (const lean of [-0.2, -0.08, 0.05, 0.17])
      reeds.push([
        { x: spot.x + lean * 0.35, y: spot.y - 0.03 },
        { x: spot.x + lean, y: spot.y - 0.36 - 0.22 * spot.luck + Math.abs(lean) * 0.5 },
      ]);
  }
  within(b, f.drawn, () => {
    strokes(b, water, { color: '#5f8d97', width: fine(b, 0.05, 0.6), alpha: 0.85 });
    strokes(b, reeds, { color: '#66763e', width: fine(b, 0.05, 0.6), alpha: 0.9 });
  });
  stroke(b, f.drawn, {
    color: '#66854f',
    width: fine(b, 0.05, 0.6),
    alpha: 0.6,
    dash: [0.5, 0.35],
    closed: true,
  });
}

// Shallow water with stones in it.
export function ford(b: Brush, f: Feature): void {
  const area = f.land.line ? [] : f.drawn;
  const pen = { color: '#ded3ab', alpha: 0.75 };
  if (f.land.line) stroke(b, f.drawn, { ...pen, width: Math.max(0.8, f.land.width), cap: 'butt' });
  else wash(b, area, pen.color, pen.alpha);
  const dice = chance(f.land.id);
  const box = bounds(f.drawn);
  const half = f.land.line ? f.land.width / 2 : 0;
  const stones: Point[] = f.land.line
    ? along(f.drawn, 0.22).map((s) => {
        const off = (dice() - 0.5) * 2 * half;
        return { x: s.x + s.nx * off, y: s.y + s.ny * off };
      })
    : Array.from({ length: Math.min(160, Math.ceil(box.w * box.h * 1.6)) }, () => ({
        x: box.x + dice() * box.w,
        y: box.y + dice() * box.h,
      }));
  const draw = (): void => {
    b.ctx.fillStyle = '#8b7b54';
    b.ctx.globalAlpha = 0.7;
    for (const p of stones) {
      b.ctx.beginPath();
      b.ctx.arc(p.x, p.y, fine(b, 0.05 + 0.05 * dice(), 0.5), 0, 7);
      b.ctx.fill();
    }
    b.ctx.globalAlpha = 1;
  };
  if (f.land.line) draw();
  else within(b, area, draw);
}
