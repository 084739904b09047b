// The ground of a board, surveyed once: every piece as a hand draws it, and what grows there.
import type { Board, Land } from '../api';
import type { Point, Sheet } from './sheet';
import {
  byHand,
  clockwise,
  farFrom,
  inRows,
  inside,
  pastEdges,
  strewn,
  type Hand,
  type Spot,
} from './shapes';

export interface Feature {
  land: Land;
  // Its points as the rules have them, and as they are drawn. Areas go round clockwise.
  exact: Point[];
  drawn: Point[];
  // What stands in it: trees, reeds, stones, the houses of a village.
  spots: Spot[];
}

export interface Survey {
  width: number;
  height: number;
  features: Feature[];
  // Tufts of grass where nothing else is.
  tufts: Spot[];
}

const LAYERS = [
  ['hill', 'steep-hill'],
  ['field', 'crops', 'marsh', 'swamp', 'ravine'],
  ['woods', 'dense-woods', 'jungle', 'brush', 'rocky'],
  ['water', 'stream'],
  ['ford'],
  ['road'],
  ['bridge'],
];
const layer = (kind: string): number => {
  const at = LAYERS.findIndex((kinds) => kinds.includes(kind));
  return at < 0 ? LAYERS.length : at;
};

const WOODED = ['woods', 'dense-woods', 'jungle'];
export const wooded = (kind: string): boolean => WOODED.includes(kind);

const HARD: Hand = { stray: 0.05, shake: 0.4, corner: 0 };
const FIRM: Hand = { stray: 0.07, shake: 0.4, corner: 0.12 };
const SOFT: Hand = { stray: 0.2, shake: 0.6, corner: 1.4 };
const BEND: Hand = { stray: 0.13, shake: 0.12, corner: 2.2 };

function hand(land: Land): Hand {
  if (['road', 'stream', 'crest'].includes(land.kind)) return BEND;
  if (['building', 'bridge'].includes(land.kind)) return { stray: 0, shake: 0, corner: 0 };
  if (['field', 'crops', 'village', 'ford'].includes(land.kind)) return FIRM;
  return land.line ? HARD : SOFT;
}

// Trees stand so far apart, in inches.
const APART: Record<string, number> = {
  broadleaf: 1.42,
  pine: 1.25,
  palm: 1.6,
  orchard: 1.15,
};

function grown(land: Land, area: Point[]): Spot[] {
  const seed = `${land.id}/${land.kind}`;
  switch (land.kind) {
    case 'woods':
      return land.trees === 'orchard'
        ? inRows(area, APART['orchard'] ?? 1, seed)
        : strewn(area, APART[land.trees] ?? 1.2, seed);
    case 'dense-woods':
      return strewn(area, 0.74 * (APART[land.trees] ?? 1.2), seed);
    case 'jungle':
      return strewn(area, 0.8, seed);
    case 'brush':
      return strewn(area, 0.95, seed);
    case 'marsh':
      return strewn(area, 1.25, seed);
    case 'swamp':
      return strewn(area, 1.1, seed);
    case 'rocky':
      return strewn(area, 1.3, seed);
    case 'village':
      return strewn(area, 1.5, seed);
    default:
      return [];
  }
}

// Where nothing grows: so far from what is built, from roads and from water.
function cleared(p: Point, others: Feature[], tall: boolean): boolean {
  return others.every((f) => {
    const { kind, line, width } = f.land;
    if (line) {
      const half = kind === 'road' ? 0.3 * width : width / 2;
      const room = ['road', 'stream', 'ford', 'bridge'].includes(kind) ? half : 0;
      return kind === 'crest' || farFrom(p, f.drawn) > room + (tall ? 0.42 : 0.2);
    }
    const kept = ['building', 'village', 'ford', 'bridge', 'water', 'field', 'crops'];
    if (!kept.includes(kind)) return true;
    return !inside(p, f.exact) && farFrom(p, f.exact, true) > (tall ? 0.35 : 0.1);
  });
}

export function survey(board: Board): Survey {
  const { width, height } = board;
  const features = board.land.map((land): Feature => {
    const exact = land.points.map(([x, y]) => ({ x, y: height - y }));
    if (!land.line && !clockwise(exact)) exact.reverse();
    const shape = land.line ? exact : pastEdges(exact, width, height);
    const drawn = byHand(shape, !land.line, land.id + land.kind, hand(land));
    return { land, exact, drawn, spots: grown(land, exact) };
  });
  features.sort((a, b) => layer(a.land.kind) - layer(b.land.kind) || a.land.level - b.land.level);
  for (const f of features) {
    const others = features.filter((o) => o !== f && o.land.id !== f.land.id);
    f.spots = f.spots.filter((p) => cleared(p, others, wooded(f.land.kind)));
  }
  const sheet = [
    { x: 0, y: 0 },
    { x: width, y: 0 },
    { x: width, y: height },
    { x: 0, y: height },
  ];
  const bare = (p: Spot): boolean =>
    p.luck < 0.55 &&
    cleared(p, features, false) &&
    features.every((f) => f.land.line || f.land.kind === 'hill' || !inside(p, f.exact));
  return { width, height, features, tufts: strewn(sheet, 2.3, 'tufts').filter(bare) };
}

// The same ground for the player in the north. The light still falls from the upper left.
export function turned(s: Survey, sheet: Sheet): Survey {
  if (!sheet.turned) return s;
  const point = <T extends Point>(p: T): T => ({ ...p, x: s.width - p.x, y: s.height - p.y });
  const spots = (all: Spot[]): Spot[] => all.map(point).sort((a, b) => a.y - b.y);
  return {
    ...s,
    features: s.features.map((f) => ({
      ...f,
      exact: f.exact.map(point),
      drawn: f.drawn.map(point),
      spots: spots(f.spots),
    })),
    tufts: spots(s.tufts),
  };
}
