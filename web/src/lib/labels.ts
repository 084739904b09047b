// Names on the map: as much of each as there is room for.
import type { Piece } from '../api';

export interface Box {
  x: number;
  y: number;
  w: number;
  h: number;
}

// The rectangle around a unit's stands, in inches of the drawing.
export function around(unit: Piece, height: number): Box {
  const corners = unit.feet.flatMap((f) => {
    const t = (f.facing * Math.PI) / 180;
    const [c, s, w, d] = [Math.cos(t), Math.sin(t), unit.width / 2, unit.depth];
    return [
      [-w, 0],
      [w, 0],
      [w, d],
      [-w, d],
    ].map(([r = 0, back = 0]) => [f.x + r * c - back * s, height - f.y + r * s + back * c]);
  });
  const xs = corners.map(([x = 0]) => x);
  const ys = corners.map(([, y = 0]) => y);
  const [x, y] = [Math.min(...xs) - 0.35, Math.min(...ys) - 0.35];
  return { x, y, w: Math.max(...xs) + 0.35 - x, h: Math.max(...ys) + 0.35 - y };
}

// The label stands behind the unit, so that the way it faces stays free.
export const above = (unit: Piece): boolean => unit.front.facing > 91 && unit.front.facing < 269;

// A name, then shorter ones, then none: the strength is always shown.
function shorter(name: string): string[] {
  const bare = name.replace(/\s*\(.*\)/, '').replace(/,.*/, '');
  return [...new Set([name, bare, bare.split(' ')[0] ?? bare, ''])];
}

const meets = (a: Box, b: Box): boolean =>
  a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;

// What is written at each unit, at so many pixels an inch; the chosen unit comes first.
export function labels(
  units: Piece[],
  chosen: string | null,
  height: number,
  k: number,
): Record<string, string> {
  const size = Math.min(15, Math.max(11, 0.95 * k)) / k;
  const placed: Box[] = [];
  const said: Record<string, string> = {};
  const order = [...units].sort((a, b) => Number(b.id === chosen) - Number(a.id === chosen));
  for (const unit of order) {
    const box = around(unit, height);
    const y = above(unit) ? box.y - 0.1 - size : box.y + box.h + 0.05;
    for (const text of shorter(unit.name)) {
      // Letters of a serif face are about half as wide as they are high; the strength is added.
      const w = (text.length + 3) * size * 0.47;
      const label = { x: box.x + box.w / 2 - w / 2, y, w, h: size };
      if (text !== '' && unit.id !== chosen && placed.some((p) => meets(p, label))) continue;
      placed.push(label);
      said[unit.id] = text;
      break;
    }
  }
  return said;
}
