// Names on the map: as much of each as there is room for.
import type { LeaderView, Piece, Stand } from '../api';
import { disc, Room, type Box } from '../map/clear';
import { wide } from '../map/letters';
import { heading, toSheet, type Point, type Sheet } from '../map/sheet';

// The rectangle around a stand, in inches of the sheet.
export function footprint(unit: Piece, foot: Stand, sheet: Sheet): Box {
  const at = toSheet(sheet, foot);
  const t = (heading(sheet, foot.facing) * Math.PI) / 180;
  const [c, s, w, d] = [Math.cos(t), Math.sin(t), unit.width / 2, unit.depth];
  const corners = [
    [-w, 0],
    [w, 0],
    [w, d],
    [-w, d],
  ].map(([r = 0, back = 0]) => ({ x: at.x + r * c - back * s, y: at.y + r * s + back * c }));
  const xs = corners.map((p) => p.x);
  const ys = corners.map((p) => p.y);
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { x, y, w: Math.max(...xs) - x, h: Math.max(...ys) - y };
}

// The rectangle around a unit's stands, with a little room.
export function around(unit: Piece, sheet: Sheet): Box {
  const all = unit.feet.map((f) => footprint(unit, f, sheet));
  const [x, y] = [Math.min(...all.map((b) => b.x)) - 0.35, Math.min(...all.map((b) => b.y)) - 0.35];
  const w = Math.max(...all.map((b) => b.x + b.w)) + 0.35 - x;
  return { x, y, w, h: Math.max(...all.map((b) => b.y + b.h)) + 0.35 - y };
}

// The label stands behind the unit, so that the way it faces stays free.
export const above = (unit: Piece, sheet: Sheet): boolean => {
  const way = heading(sheet, unit.front.facing);
  return way > 91 && way < 269;
};

// What is written at a unit: on its back, or before it where there is no room behind. In its own
// units of letters' height, `wide` is the whole line with the strength and the badges.
export interface Label {
  text: string;
  up: boolean;
  wide: number;
  // How far it is shifted along the unit, in inches.
  aside: number;
  // Whether it stands on the unit's own stands, for want of room: then it is its strength alone.
  on: boolean;
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
// Remembered: the names of a battle are few, and asked for at every step.
const briefs: Record<string, string> = {};
const brief = (name: string): string =>
  (briefs[name] ??= SHORT.reduce(
    (text, [long, short]) => text.replace(long, short),
    plain(name).replaceAll(',', ''),
  ));

// A name, then shorter ones, then none: the strength is always shown. A part of a name must tell
// the unit from all others. The names of a battle do not change: they are shortened once.
export function shorter(name: string, all: string[]): string[] {
  const company = all.join('|');
  if (company !== known.company) known = { company, short: {} };
  return (known.short[name] ??= shortened(name, all));
}
let known: { company: string; short: Record<string, string[]> } = { company: '', short: {} };

function shortened(name: string, all: string[]): string[] {
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

// Where a name goes: above the unit or below, in its middle or to a side.
interface Side {
  up: boolean;
  to: number;
}

// What is on the map that names keep off.
export interface Drawn {
  units: Piece[];
  leaders: LeaderView[];
  // Where marks are drawn: leaders by their short names, and key positions.
  marks: Record<string, Point>;
  keys: Point[];
  sheet: Sheet;
  chosen: string | null;
  // Pixels an inch.
  k: number;
}

export interface Lettered {
  units: Record<string, Label>;
  leaders: Set<string>;
  // All that is written, and where.
  boxes: Box[];
}

const inset = (b: Box): Box => ({ x: b.x + 0.35, y: b.y + 0.35, w: b.w - 0.7, h: b.h - 0.7 });

// The height of letters in pixels: of units and of leaders, smaller where the whole table is small.
export const UNIT_LETTERS = { least: 10.5, inches: 0.9, most: 13.5 };
export const LEADER_LETTERS = { least: 10, inches: 0.85, most: 13 };
const high = (of: typeof UNIT_LETTERS, k: number): number =>
  Math.min(of.most, Math.max(of.least, of.inches * k)) / k;

// Marks are no smaller than that many pixels, from their middle to their edge.
export const leaderSize = (k: number): number => Math.max(0.62, 6.5 / k);
export const keySize = (k: number): number => Math.max(1, 9.5 / k);

// How wide the line at a unit is, in heights of its letters: its name, its strength, its badges.
const lineWide = (unit: Piece, text: string): number =>
  wide(`${text}  `) + 1.12 * wide(String(unit.stands)) + badges(unit).length * 1.15;

// What is written at each unit, and at which leaders there is room for a name. What is chosen comes
// first; nothing is written over a leader, a star or other troops.
export function labels(on: Drawn): Lettered {
  const { chosen, sheet, k } = on;
  const size = high(UNIT_LETTERS, k);
  const first = <T extends { id: string }>(all: T[]): T[] =>
    [...all].sort((a, b) => Number(b.id === chosen) - Number(a.id === chosen));
  const boxes = new Map(on.units.map((u) => [u.id, around(u, sheet)]));
  // Names may touch the frame of others, not their stands.
  const stands = new Map([...boxes].map(([id, b]) => [id, inset(b)]));
  const marks: Box[] = [
    ...Object.values(on.marks).map((p) => disc(p, leaderSize(k))),
    ...on.keys.map((p) => disc(p, keySize(k))),
  ];
  const all = on.units.map((u) => u.name);
  const units: Record<string, Label> = {};
  const taken = new Map<string, Box>();
  const room = new Room(marks);
  for (const [id, box] of stands) room.take(box, id);
  const fits = (unit: Piece, text: string, { up, to }: Side, force = false): boolean => {
    const box = boxes.get(unit.id) ?? around(unit, sheet);
    const long = lineWide(unit, text);
    const w = long * size;
    const y = up ? box.y - 0.1 - size : box.y + box.h + 0.05;
    // To a side it begins or ends with the unit.
    const aside = (to * (w - box.w)) / 2;
    // Letters reach a little below the line they stand on.
    const label = { x: box.x + box.w / 2 - w / 2 + aside, y: y + 0.1 * size, w, h: 1.1 * size };
    const free = (): boolean => room.free(label, unit.id);
    const inside =
      label.x > -1 &&
      label.x + label.w < sheet.width + 1 &&
      label.y > -1 &&
      label.y + label.h < sheet.height + 1;
    if (!(inside && free()) && !force) return false;
    taken.set(unit.id, label);
    units[unit.id] = { text, up, wide: long, aside, on: false };
    return true;
  };
  const sides = (unit: Piece): Side[] =>
    [above(unit, sheet), !above(unit, sheet)].flatMap((up) => [0, 1, -1].map((to) => ({ up, to })));
  const settle = (unit: Piece): void => {
    const label = taken.get(unit.id);
    if (label) room.take(label, unit.id);
  };
  // First everybody gets a name that tells him from others, then whoever has room his whole one.
  for (const unit of first(on.units)) {
    const [whole = '', ...less] = shorter(unit.name, all);
    // Of the chosen one some name is always shown.
    const known = unit.id === chosen;
    const tries = known ? [whole, ...less.filter(Boolean)] : less.length === 1 ? [whole, ''] : less;
    const done = tries.some((text) => sides(unit).some((side) => fits(unit, text, side)));
    if (!done && known) fits(unit, whole, { up: above(unit, sheet), to: 0 }, true);
    else if (!done)
      units[unit.id] = { text: '', up: false, wide: lineWide(unit, ''), aside: 0, on: true };
    settle(unit);
  }
  for (const unit of first(on.units)) {
    const now = units[unit.id];
    if (!now || now.text === '') continue;
    const there = sides(unit).filter((side) => side.up === now.up);
    shorter(unit.name, all).some(
      (text) => text === now.text || there.some((side) => fits(unit, text, side)),
    );
    settle(unit);
  }
  const { leaders, boxes: theirs } = named(on, room);
  return { units, leaders, boxes: [...marks, ...taken.values(), ...theirs, ...stands.values()] };
}

// The leaders at whom there is room for a name, and where it is written.
function named(on: Drawn, room: Room): { leaders: Set<string>; boxes: Box[] } {
  const leaders = new Set<string>();
  const boxes: Box[] = [];
  const tall = high(LEADER_LETTERS, on.k);
  const sorted = [...on.leaders].sort(
    (a, b) => Number(b.id === on.chosen) - Number(a.id === on.chosen),
  );
  for (const leader of sorted) {
    const at = on.marks[leader.id] ?? toSheet(on.sheet, { x: leader.at[0], y: leader.at[1] });
    const x = at.x + leaderSize(on.k) * 1.35;
    const label = { x, y: at.y - 0.72 * tall, w: wide(surname(leader)) * tall, h: tall };
    const inside = label.x + label.w < on.sheet.width + 1;
    if (leader.id !== on.chosen && !(inside && room.free(label))) continue;
    room.take(label);
    boxes.push(label);
    leaders.add(leader.id);
  }
  return { leaders, boxes };
}

export const surname = (leader: LeaderView): string => leader.name.split(' ').pop() ?? '';
