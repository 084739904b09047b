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

// What is written at a unit: on its back, or before it where there is no room behind. In its own
// units of letters' height, `wide` is the whole line with the strength and the badges.
export interface Label {
  text: string;
  up: boolean;
  wide: number;
  // How far it is shifted along the unit, in inches.
  aside: number;
}

export interface Badge {
  t: string;
  c: string;
  w: string;
}

export function badges(unit: Piece): Badge[] {
  const has = (mark: string): boolean => unit.marks.includes(mark);
  return [
    unit.order === 'disordered' ? { t: 'D', c: '#f2c230', w: 'disordered' } : null,
    unit.order === 'broken' ? { t: 'B', c: '#e0564a', w: 'broken' } : null,
    unit.freshness === 'worn' ? { t: 'W', c: '#d7c49a', w: 'worn' } : null,
    unit.freshness === 'spent' ? { t: 'S', c: '#a98a52', w: 'spent' } : null,
    has('low on ammunition') ? { t: 'A', c: '#9fc3d6', w: 'low on ammunition' } : null,
    has('silenced') ? { t: '×', c: '#b9b9b9', w: 'silenced' } : null,
  ].filter((m) => m !== null);
}

const SHORT: [RegExp, string][] = [
  [/\bRegiment\b/gi, 'Regt'],
  [/\bBattalion(s?)\b/gi, 'Bn$1'],
  [/\bBrigade\b/gi, 'Bde'],
  [/\bInfantry\b/gi, 'inf.'],
  [/\bCavalry\b/gi, 'cav.'],
  [/\bDragoons\b/gi, 'drag.'],
  [/\bGrenadiers\b/gi, 'gren.'],
  [/\bMilitia\b/gi, 'mil.'],
  [/\bArtillery\b/gi, 'art.'],
  [/\bBattery\b/gi, 'bty'],
  [/\bSquadron(s?)\b/gi, 'sqn$1'],
  [/\bDivision(s?)\b/gi, 'div$1'],
  [/\bColumn\b/gi, 'col.'],
  [/\bProvisional\b/gi, 'prov.'],
  [/\bBatteries\b/gi, 'btys'],
  [/\bFirst\b/gi, '1st'],
  [/\bSecond\b/gi, '2nd'],
  [/\bThird\b/gi, '3rd'],
  [/\bFourth\b/gi, '4th'],
  [/\bFifth\b/gi, '5th'],
  [/ and another\b/gi, ''],
];

const plain = (name: string): string => name.replace(/\s*\(.*?\)/g, '');
const brief = (name: string): string =>
  SHORT.reduce((text, [long, short]) => text.replace(long, short), plain(name).replaceAll(',', ''));

// A name, then shorter ones, then none: the strength is always shown. A part of a name must tell
// the unit from all others.
export function shorter(name: string, all: string[]): string[] {
  const others = all.filter((other) => other !== name);
  const alone = (part: string): boolean =>
    !others.some((other) => {
      const theirs = new Set([...brief(other).split(' '), ...plain(other).split(/,? /)]);
      return part.split(' ').every((word) => theirs.has(word));
    });
  const bare = plain(name).replace(/,.*/, '');
  const words = brief(name).split(' ');
  const pairs = words
    .slice(1)
    .flatMap((word, i) => [`${words[i]} ${word}`, `${words[0]} ${word}`])
    .filter((part) => alone(part));
  // The number of a regiment says who it is only where the rest of its name is no name.
  const numbered = /^\d+\w* (Foot|Regt|Regiment|Bn)$/.test(brief(name));
  const ones = words.filter(
    (word) =>
      /[A-Z0-9]/.test(word) && word.length > 1 && alone(word) && (numbered || !/^\d/.test(word)),
  );
  const cut = (word: string): string =>
    /^\d/.test(word) || word.length < 6 ? word : `${word.slice(0, 4)}.`;
  const clipped = words.slice(0, 2).map(cut).join(' ');
  const others_clipped = others.map((other) =>
    brief(other).split(' ').slice(0, 2).map(cut).join(' '),
  );
  const less = [bare, brief(name)].filter((part) => alone(part));
  const last = others_clipped.includes(clipped) ? [] : [clipped];
  return [
    ...new Set([plain(name), ...less, ...pairs.slice(0, 2), ...ones.slice(0, 1), ...last, '']),
  ];
}

const meets = (a: Box, b: Box): boolean =>
  a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;

// Where a name goes: above the unit or below, in its middle or to a side.
interface Side {
  up: boolean;
  to: number;
}

// What is on the map that names keep off.
export interface Drawn {
  units: Piece[];
  leaders: LeaderView[];
  keys: KeyView[];
  chosen: string | null;
  width: number;
  height: number;
  // Pixels an inch.
  k: number;
}

const inset = (b: Box): Box => ({ x: b.x + 0.35, y: b.y + 0.35, w: b.w - 0.7, h: b.h - 0.7 });

const disc = (x: number, y: number, r: number): Box => ({ x: x - r, y: y - r, w: 2 * r, h: 2 * r });

// What is written at each unit, and at which leaders there is room for a name. What is chosen comes
// first; nothing is written over a leader, a star or other troops.
export function labels(on: Drawn): { units: Record<string, Label>; leaders: Set<string> } {
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
  const all = on.units.map((u) => u.name);
  const units: Record<string, Label> = {};
  const taken = new Map<string, Box>();
  const fits = (unit: Piece, text: string, { up, to }: Side, force = false): boolean => {
    const box = boxes.get(unit.id) ?? around(unit, height);
    // Letters of a serif face are about half as wide as they are high; the strength is added.
    const wide = (text.length + 3) * 0.47 + badges(unit).length * 1.15;
    const w = wide * size;
    const y = up ? box.y - 0.1 - size : box.y + box.h + 0.05;
    // To a side it begins or ends with the unit.
    const aside = (to * (w - box.w)) / 2;
    const label = { x: box.x + box.w / 2 - w / 2 + aside, y, w, h: size };
    const others = (of: Map<string, Box>): Box[] =>
      [...of].filter(([id]) => id !== unit.id).map(([, b]) => b);
    const free = ![...placed, ...others(stands), ...others(taken)].some((p) => meets(p, label));
    const inside = label.x > -1 && label.x + label.w < on.width + 1;
    if (!(free && inside) && text !== '' && !force) return false;
    taken.set(unit.id, label);
    units[unit.id] = { text, up, wide, aside };
    return true;
  };
  const sides = (unit: Piece): Side[] =>
    [above(unit), !above(unit)].flatMap((up) => [0, 1, -1].map((to) => ({ up, to })));
  // First everybody gets a name that tells him from others, then whoever has room his whole one.
  for (const unit of first(on.units)) {
    const [whole = '', ...less] = shorter(unit.name, all);
    // Of the chosen one some name is always shown.
    const known = unit.id === chosen;
    const tries = known ? [whole, ...less.filter(Boolean)] : less.length === 1 ? [whole, ''] : less;
    const done = tries.some((text) => sides(unit).some((side) => fits(unit, text, side)));
    if (!done) fits(unit, tries.at(-1) ?? '', { up: above(unit), to: 0 }, true);
  }
  for (const unit of first(on.units)) {
    const now = units[unit.id];
    if (!now || now.text === '') continue;
    const there = sides(unit).filter((side) => side.up === now.up);
    shorter(unit.name, all).some(
      (text) => text === now.text || there.some((side) => fits(unit, text, side)),
    );
  }
  placed.push(...taken.values());
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
