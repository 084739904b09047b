// Room on the map: marks that may stand beside their place do, where troops are on it.
import type { Point } from './sheet';

export interface Box {
  x: number;
  y: number;
  w: number;
  h: number;
}

export const meets = (a: Box, b: Box): boolean =>
  a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;

export const disc = (p: Point, r: number): Box => ({ x: p.x - r, y: p.y - r, w: 2 * r, h: 2 * r });

// What is taken on a sheet, by squares of it, so that only what is near is looked at.
export class Room {
  private squares: Record<number, { box: Box; of: string }[]> = {};

  constructor(taken: Box[] = []) {
    for (const box of taken) this.take(box);
  }

  private *over(box: Box): Generator<number> {
    const at = (v: number): number => Math.min(200, Math.max(0, Math.floor(v / SQUARE) + 20));
    for (let y = at(box.y); y <= at(box.y + box.h); y++)
      for (let x = at(box.x); x <= at(box.x + box.w); x++) yield 1000 * y + x;
  }

  // Somebody's: his own letters may lie over it.
  take(box: Box, of = ''): void {
    for (const square of this.over(box)) (this.squares[square] ??= []).push({ box, of });
  }

  free(box: Box, of = '-'): boolean {
    for (const square of this.over(box))
      if (this.squares[square]?.some((t) => t.of !== of && meets(t.box, box))) return false;
    return true;
  }
}

const SQUARE = 3;

// The nearest place where a disc is clear of all boxes and within the limits: the place itself if it
// is, else round it, first the way that is preferred (degrees clockwise from the upper edge). The
// place itself where there is none for some inches around.
export function clearSpot(at: Point, r: number, taken: Room, limits: Box, first = 180): Point {
  const free = (p: Point): boolean => {
    const d = disc(p, r);
    const within =
      d.x >= limits.x &&
      d.y >= limits.y &&
      d.x + d.w <= limits.x + limits.w &&
      d.y + d.h <= limits.y + limits.h;
    return within && taken.free(d);
  };
  if (free(at)) return at;
  for (let far = 0.6; far <= FAR; far += 0.4)
    for (let i = 0; i < WAYS; i++) {
      // To the one side and to the other, ever farther from the way preferred.
      const off = (Math.ceil(i / 2) * (i % 2 ? 1 : -1) * 360) / WAYS;
      const t = ((first + off) * Math.PI) / 180;
      const p = { x: at.x + Math.sin(t) * far, y: at.y - Math.cos(t) * far };
      if (free(p)) return p;
    }
  return at;
}

const WAYS = 16;
// No mark goes farther from its place than this, in inches.
const FAR = 7;
