// Lines and areas as a hand draws them, and what lies in them. All in inches of the sheet.
import { chance, type Chance } from './chance';
import type { Point } from './sheet';

export interface Bounds {
  x: number;
  y: number;
  w: number;
  h: number;
}

export function bounds(points: Point[]): Bounds {
  const xs = points.map((p) => p.x);
  const ys = points.map((p) => p.y);
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { x, y, w: Math.max(...xs) - x, h: Math.max(...ys) - y };
}

export function inside(p: Point, area: Point[]): boolean {
  let within = false;
  for (let i = 0, j = area.length - 1; i < area.length; j = i++) {
    const [a, b] = [area[i], area[j]];
    if (!a || !b || a.y > p.y === b.y > p.y) continue;
    if (p.x < ((b.x - a.x) * (p.y - a.y)) / (b.y - a.y) + a.x) within = !within;
  }
  return within;
}

function toSegment(p: Point, a: Point, b: Point): number {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const long = dx * dx + dy * dy;
  const t = long && Math.max(0, Math.min(1, ((p.x - a.x) * dx + (p.y - a.y) * dy) / long));
  return Math.hypot(p.x - a.x - t * dx, p.y - a.y - t * dy);
}

// How far a place is from a line, or from the edge of an area.
export function farFrom(p: Point, line: Point[], closed = false): number {
  let least = Infinity;
  for (let i = closed ? 0 : 1; i < line.length; i++) {
    const [a, b] = [line.at(i - 1), line[i]];
    if (a && b) least = Math.min(least, toSegment(p, a, b));
  }
  return least;
}

export interface Step extends Point {
  // The way across the line there, of length 1: outward of an area named clockwise on the sheet.
  nx: number;
  ny: number;
  // How far along the line.
  at: number;
}

// Places along a line so far apart, with the way across.
export function along(line: Point[], apart: number, closed = false): Step[] {
  const ring = closed ? [...line, ...line.slice(0, 1)] : line;
  const steps: Step[] = [];
  let passed = 0;
  let next = 0;
  for (let i = 1; i < ring.length; i++) {
    const [a, b] = [ring[i - 1], ring[i]];
    if (!a || !b) continue;
    const long = Math.hypot(b.x - a.x, b.y - a.y);
    for (; next <= passed + long && long > 0; next += apart) {
      const t = (next - passed) / long;
      const [ux, uy] = [(b.x - a.x) / long, (b.y - a.y) / long];
      steps.push({ x: a.x + t * (b.x - a.x), y: a.y + t * (b.y - a.y), nx: uy, ny: -ux, at: next });
    }
    passed += long;
  }
  return steps;
}

// Whether the corners of an area go round clockwise as one sees it on the sheet.
export function clockwise(area: Point[]): boolean {
  const twice = area.reduce((sum, a, i) => {
    const b = area[(i + 1) % area.length] ?? a;
    return sum + a.x * b.y - b.x * a.y;
  }, 0);
  return twice > 0;
}

// A number that wanders smoothly about nought, between -1 and 1.
function wander(seed: string, over: number): (at: number) => number {
  const dice = chance(seed);
  const knots = Array.from({ length: 256 }, () => dice() * 2 - 1);
  return (at) => {
    const t = at / over;
    const i = Math.floor(t);
    const f = t - i;
    const s = f * f * (3 - 2 * f);
    const [a = 0, b = 0] = [knots[i & 255], knots[(i + 1) & 255]];
    return a + (b - a) * s;
  };
}

// Cuts corners, but by no more than `most` inches.
function rounded(line: Point[], closed: boolean, most: number): Point[] {
  const n = line.length;
  const toward = (a: Point, b: Point): Point => {
    const long = Math.hypot(b.x - a.x, b.y - a.y) || 1;
    const t = Math.min(0.4, most / long);
    return { x: a.x + t * (b.x - a.x), y: a.y + t * (b.y - a.y) };
  };
  return line.flatMap((p, i) => {
    const [before, after] = [line[(i + n - 1) % n], line[(i + 1) % n]];
    if (!before || !after || (!closed && (i === 0 || i === n - 1))) return [p];
    const [a, b] = [toward(p, before), toward(p, after)];
    const middle = { x: (a.x + 2 * p.x + b.x) / 4, y: (a.y + 2 * p.y + b.y) / 4 };
    return [a, middle, b];
  });
}

export interface Hand {
  // How far the hand strays and how far it cuts a corner, in inches; how much it shakes, from 0 to 1.
  stray: number;
  shake: number;
  corner: number;
}

// The line as a hand draws it: near its points, and never ruled.
export function byHand(line: Point[], closed: boolean, seed: string, hand: Hand): Point[] {
  const soft = hand.corner > 0 ? rounded(line, closed, hand.corner) : line;
  const [slow, quick] = [wander(`${seed}~`, 2.6), wander(`${seed}*`, 0.8)];
  const steps = along(soft, 0.45, closed);
  const last = soft.at(-1);
  const drawn = steps.map((s, i) => {
    // A line begins and ends where it should.
    const end = !closed && (i === 0 || i === steps.length - 1);
    const off = end ? 0 : hand.stray * (slow(s.at) + hand.shake * quick(s.at));
    return { x: s.x + s.nx * off, y: s.y + s.ny * off };
  });
  return !closed && last ? [...drawn, last] : drawn;
}

// Areas that end at the edge of the table go on beyond it, so that no sliver of paper is left.
export function pastEdges(area: Point[], width: number, height: number): Point[] {
  const past = (v: number, most: number): number =>
    v <= 0.01 ? v - 1.5 : v >= most - 0.01 ? v + 1.5 : v;
  return area.map((p) => ({ x: past(p.x, width), y: past(p.y, height) }));
}

export interface Spot extends Point {
  // From 0 to 1, for size and kind.
  luck: number;
}

// Places strewn over an area about so far apart, from the far ones to the near.
export function strewn(area: Point[], apart: number, seed: string): Spot[] {
  const dice: Chance = chance(seed);
  const box = bounds(area);
  const spots: Spot[] = [];
  const rows = Math.ceil(box.h / (apart * 0.86));
  const columns = Math.ceil(box.w / apart);
  for (let r = 0; r <= rows; r++)
    for (let c = 0; c <= columns; c++) {
      const [jx, jy, luck] = [dice(), dice(), dice()];
      const spot = {
        x: box.x + (c + (r % 2) / 2 + (jx - 0.5) * 0.72) * apart,
        y: box.y + (r + (jy - 0.5) * 0.72) * apart * 0.86,
        luck,
      };
      if (inside(spot, area)) spots.push(spot);
    }
  return spots.sort((a, b) => a.y - b.y);
}

// Places in rows, as trees are planted.
export function inRows(area: Point[], apart: number, seed: string): Spot[] {
  const dice = chance(seed);
  const box = bounds(area);
  const spots: Spot[] = [];
  for (let y = box.y + apart / 2; y < box.y + box.h; y += apart)
    for (let x = box.x + apart / 2; x < box.x + box.w; x += apart) {
      const spot = { x: x + (dice() - 0.5) * 0.12, y: y + (dice() - 0.5) * 0.12, luck: dice() };
      if (inside(spot, area)) spots.push(spot);
    }
  return spots;
}
