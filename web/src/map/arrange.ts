// Where everything that is not troops finds room on the map: leaders, stars and letters.
import type { KeyView, LeaderView, Piece } from '../api';
import { footprint, keySize, labels, leaderSize, type Lettered } from '../lib/labels';
import { clearSpot, disc, Room, type Box } from './clear';
import { toSheet, type Point, type Sheet } from './sheet';

export interface Shown {
  units: Piece[];
  leaders: LeaderView[];
  keys: KeyView[];
  sheet: Sheet;
  chosen: string | null;
  // Pixels to an inch.
  k: number;
  // Whether names are written.
  lettered: boolean;
}

export interface Arranged {
  leaders: Record<string, Point>;
  keys: { key: KeyView; at: Point; star: Point }[];
  names: Lettered;
}

// Leaders and stars stand beside troops, never on them; letters keep clear of both.
export function arrange(on: Shown): Arranged {
  const { sheet, k, units } = on;
  const limits = { x: -0.6, y: -0.6, w: sheet.width + 1.2, h: sheet.height + 1.2 };
  const boxes: Box[] = units.flatMap((u) => u.feet.map((f) => footprint(u, f, sheet)));
  const taken = new Room(boxes);
  const mark = (at: Point, size: number): void => {
    boxes.push(disc(at, size));
    taken.take(disc(at, size));
  };
  const leaders: Record<string, Point> = {};
  for (const l of on.leaders) {
    const at = toSheet(sheet, { x: l.at[0], y: l.at[1] });
    const unit = l.with ? units.find((u) => u.id === l.with) : undefined;
    const back = (unit?.front.facing ?? 0) + (sheet.turned ? 0 : 180);
    const spot = clearSpot(at, leaderSize(k), taken, limits, back);
    leaders[l.id] = spot;
    mark(spot, leaderSize(k));
  }
  const keys = on.keys.map((key) => {
    const at = toSheet(sheet, { x: key.at[0], y: key.at[1] });
    const star = clearSpot(at, keySize(k), taken, limits);
    mark(star, keySize(k));
    return { key, at, star };
  });
  const names: Lettered = on.lettered
    ? labels({ ...on, marks: leaders, keys: keys.map((one) => one.star) })
    : { units: {}, leaders: new Set(), boxes };
  return { leaders, keys, names };
}
