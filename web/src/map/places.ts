// Names of places on the map. Their letters have one size on the screen; they keep clear of troops
// and marks, of the edges and of each other, and are left out where there is no room for them.
import { disc, Room, type Box } from './clear';
import { wide } from './letters';
import { along, bounds, inside, type Step } from './shapes';
import type { Point } from './sheet';
import type { Feature, Survey } from './survey';

// The height of their letters in pixels, and how far these are set apart, in heights.
export const LETTERS = 13;
export const SPACED = 0.06;

export interface Placed {
  id: string;
  text: string;
  x: number;
  y: number;
  // Degrees it is turned by, to run along a road or a stream.
  angle: number;
  // Whether it is water.
  water: boolean;
}

// A name that is to be placed: its text, and its size in inches.
interface Name {
  text: string;
  w: number;
  h: number;
}

interface Try {
  x: number;
  y: number;
  angle: number;
}

// The boxes a name covers: a slanting one is covered piece by piece.
export function covered(name: Name, at: Try): Box[] {
  const t = (at.angle * Math.PI) / 180;
  if (Math.abs(at.angle) < 1)
    return [{ x: at.x - name.w / 2, y: at.y - name.h / 2, w: name.w, h: name.h }];
  const pieces = Math.max(2, Math.ceil(name.w / name.h));
  const half = name.w / pieces / 2;
  const [c, s] = [Math.abs(Math.cos(t)), Math.abs(Math.sin(t))];
  const [w, h] = [2 * half * c + name.h * s, 2 * half * s + name.h * c];
  return Array.from({ length: pieces }, (_, i) => {
    const far = (i + 0.5) * 2 * half - name.w / 2;
    return { x: at.x + far * Math.cos(t) - w / 2, y: at.y + far * Math.sin(t) - h / 2, w, h };
  });
}

// In an area: its middle, then ever farther from it, first where the whole name lies within. In one
// that is taller than wide it may run upward.
function inArea(f: Feature, name: Name): Try[] {
  const box = bounds(f.exact);
  const middle = { x: box.x + box.w / 2, y: box.y + box.h / 2 };
  const tries: { at: Try; cost: number }[] = [];
  const steps = 10;
  for (let i = 0; i <= steps; i++)
    for (let j = 0; j <= steps; j++) {
      const p = { x: box.x + (i / steps) * box.w, y: box.y + (j / steps) * box.h };
      if (!inside(p, f.exact)) continue;
      const far = Math.hypot(p.x - middle.x, p.y - middle.y);
      for (const angle of box.h > 1.3 * box.w ? [0, -90] : [0]) {
        const ends = [-0.5, 0.5].map((e) =>
          angle ? { x: p.x, y: p.y + e * name.w } : { x: p.x + e * name.w, y: p.y },
        );
        const out = ends.filter((e) => !inside(e, f.exact)).length;
        tries.push({ at: { ...p, angle }, cost: far + 4 * out + (angle ? 1 : 0) });
      }
    }
  return tries.sort((a, b) => a.cost - b.cost).map((t) => t.at);
}

// Beside a house: above it, below it, to the right and to the left.
function beside(f: Feature, name: Name): Try[] {
  const box = bounds(f.exact);
  const [cx, cy] = [box.x + box.w / 2, box.y + box.h / 2];
  const [up, off] = [box.h / 2 + 0.62 * name.h, box.w / 2 + name.w / 2 + 0.3 * name.h];
  return [
    { x: cx, y: cy - up },
    { x: cx, y: cy + up },
    { x: cx + off, y: cy },
    { x: cx - off, y: cy },
  ].map((p) => ({ ...p, angle: 0 }));
}

// Along a line, on one side or the other, upright enough to be read.
function onLine(f: Feature, name: Name): Try[] {
  const steps = along(f.drawn, 0.6);
  const room = Math.max(0.3, f.land.kind === 'road' ? 0.3 * f.land.width : f.land.width / 2);
  const off = room + 0.62 * name.h;
  const share = [0.5, 0.36, 0.64, 0.24, 0.76, 0.14, 0.86];
  const way = (from: Step, to: Step): number => {
    const angle = (Math.atan2(to.y - from.y, to.x - from.x) * 180) / Math.PI;
    return angle > 90 ? angle - 180 : angle <= -90 ? angle + 180 : angle;
  };
  const found = share.flatMap((part, n) => {
    const i = Math.round(part * (steps.length - 1));
    const reach = Math.round(name.w / 1.2);
    const [at, from, to] = [
      steps[i],
      steps[Math.max(0, i - reach)],
      steps[Math.min(steps.length - 1, i + reach)],
    ];
    if (!at || !from || !to) return [];
    const angle = way(from, to);
    const t = (angle * Math.PI) / 180;
    // Where the line bends, the name stands clear of the bend.
    const bend = Math.abs(-(at.x - from.x) * Math.sin(t) + (at.y - from.y) * Math.cos(t));
    return [-1, 1].map((side) => ({
      x: at.x - side * Math.sin(t) * (off + bend),
      y: at.y + side * Math.cos(t) * (off + bend),
      angle,
      cost: bend + 0.4 * n,
    }));
  });
  // Best where the line is straight, and about its middle.
  return found.sort((a, b) => a.cost - b.cost);
}

const WATER = ['water', 'stream', 'marsh', 'swamp', 'ford'];
const SMALL = ['building', 'village', 'ford', 'bridge'];

function tries(f: Feature, name: Name): Try[] {
  if (SMALL.includes(f.land.kind)) return beside(f, name);
  if (f.land.line) return onLine(f, name);
  // Beside a wide area a name would seem to belong to what is there.
  const box = bounds(f.exact);
  const small = Math.max(box.w, box.h) < 1.5 * name.w;
  return small ? [...inArea(f, name), ...beside(f, name)] : inArea(f, name);
}

// The names for which there is room, at so many pixels to an inch.
export function places(s: Survey, taken: Box[], k: number): Placed[] {
  const placed: Placed[] = [];
  const houses = s.features.filter((f) => f.land.kind === 'building').map((f) => bounds(f.exact));
  const kept = new Room([...taken, ...houses]);
  // Names keep off roads and water too, if they can.
  const lines = new Room(
    s.features
      .filter((f) => ['road', 'stream'].includes(f.land.kind))
      .flatMap((f) => along(f.drawn, 0.8).map((p) => disc(p, 0.3))),
  );
  const within = (b: Box): boolean =>
    b.x >= 0.15 && b.y >= 0.15 && b.x + b.w <= s.width - 0.15 && b.y + b.h <= s.height - 0.15;
  // Houses and fords first: their names have the fewest places to go.
  const rank = (f: Feature): number => (SMALL.includes(f.land.kind) ? 0 : f.land.line ? 1 : 2);
  const byRoom = s.features.filter((f) => f.land.name).sort((a, b) => rank(a) - rank(b));
  const said = new Map<string, Point[]>();
  for (const f of byRoom) {
    const text = f.land.name ?? '';
    const high = LETTERS / k;
    const name = { text, w: (wide(text) + SPACED * text.length) * high, h: 1.3 * high };
    const clear = (at: Try, of: Room): boolean =>
      covered(name, at).every((b) => within(b) && of.free(b));
    const all = tries(f, name);
    const spot =
      all.find((at) => clear(at, kept) && clear(at, lines)) ?? all.find((at) => clear(at, kept));
    // Two pieces of one name side by side are named once.
    const twins = said.get(text) ?? [];
    if (!spot || twins.some((p) => Math.hypot(p.x - spot.x, p.y - spot.y) < 1.5 * name.w)) continue;
    said.set(text, [...twins, spot]);
    for (const box of covered(name, spot)) kept.take(box);
    placed.push({ ...spot, id: f.land.id, text, water: WATER.includes(f.land.kind) });
  }
  return placed;
}
