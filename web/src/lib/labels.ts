// Names on the map: as much of each as there is room for.
import type { KeyView, LeaderView, Piece } from '../api';

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

// What is on the map that names keep off.
export interface Drawn {
  units: Piece[];
  leaders: LeaderView[];
  keys: KeyView[];
  chosen: string | null;
  height: number;
  // Pixels an inch.
  k: number;
}

const inset = (b: Box): Box => ({ x: b.x + 0.35, y: b.y + 0.35, w: b.w - 0.7, h: b.h - 0.7 });

const disc = (x: number, y: number, r: number): Box => ({ x: x - r, y: y - r, w: 2 * r, h: 2 * r });

// What is written at each unit, and at which leaders there is room for a name. What is chosen comes
// first; nothing is written over a leader, a star or other troops.
export function labels(on: Drawn): { units: Record<string, string>; leaders: Set<string> } {
  const { chosen, height, k } = on;
  const size = Math.min(15, Math.max(11, 0.95 * k)) / k;
  const first = <T extends { id: string }>(all: T[]): T[] =>
    [...all].sort((a, b) => Number(b.id === chosen) - Number(a.id === chosen));
  const boxes = new Map(on.units.map((u) => [u.id, around(u, height)]));
  // Names may touch the frame of others, not their stands.
  const stands = new Map([...boxes].map(([id, b]) => [id, inset(b)]));
  const placed: Box[] = [
    ...on.leaders.map((l) => disc(l.at[0], height - l.at[1], 0.55)),
    ...on.keys.map((key) => disc(key.at[0], height - key.at[1], 0.8)),
  ];
  const units: Record<string, string> = {};
  for (const unit of first(on.units)) {
    const box = boxes.get(unit.id) ?? around(unit, height);
    const y = above(unit) ? box.y - 0.1 - size : box.y + box.h + 0.05;
    const others = [...stands].filter(([id]) => id !== unit.id).map(([, b]) => b);
    for (const text of shorter(unit.name)) {
      // Letters of a serif face are about half as wide as they are high; the strength is added.
      const w = (text.length + 3) * size * 0.47;
      const label = { x: box.x + box.w / 2 - w / 2, y, w, h: size };
      const free = ![...placed, ...others].some((p) => meets(p, label));
      if (text !== '' && unit.id !== chosen && !free) continue;
      placed.push(label);
      units[unit.id] = text;
      break;
    }
  }
  const leaders = new Set<string>();
  for (const leader of first(on.leaders)) {
    const name = leader.name.split(' ').pop() ?? '';
    const high = Math.min(14, Math.max(10.5, 0.9 * k)) / k;
    const label = {
      x: leader.at[0] + 0.8,
      y: height - leader.at[1] + 0.28 - high,
      w: name.length * high * 0.47,
      h: high,
    };
    const free = ![...placed, ...stands.values()].some((p) => meets(p, label));
    if (leader.id !== chosen && !free) continue;
    placed.push(label);
    leaders.add(leader.id);
  }
  return { units, leaders };
}
