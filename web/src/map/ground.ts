// The ground painted as a map of the period, on a canvas, once for each size it is shown at.
import { chance } from './chance';
import { abatis, bridge, fence, field, hedge, house, road, village, wall, works } from './built';
import { fine, INK, stroke, strokes, wash, type Brush } from './brush';
import { meets, type Box } from './clear';
import { bounds } from './shapes';
import { crest, hill, ravine, rocks } from './relief';
import type { Point } from './sheet';
import { ford, lake, marsh, stream } from './water';
import { trees } from './trees';
import type { Feature, Survey } from './survey';

const PAPER = '#ecdfbd';
// By candlelight the paper is dimmed; what is written on it stays as it is.
const CANDLE = '#b8ab94';

// Outside the table, in inches.
export const EDGE = 1.2;

function floor(b: Brush, f: Feature): void {
  const color = { jungle: '#a3b57c', 'dense-woods': '#b3bd88', brush: '#d5d3a0' }[f.land.kind];
  wash(b, f.drawn, color ?? '#c6cb98', 0.62);
  stroke(b, f.drawn, {
    color: '#6d7d48',
    width: fine(b, 0.06, 0.6),
    alpha: 0.55,
    dash: [0.32, 0.26],
    closed: true,
  });
}

const DRAWN: Record<string, (b: Brush, f: Feature) => void> = {
  hill,
  'steep-hill': hill,
  ravine,
  crest,
  rocky: rocks,
  field,
  crops: field,
  marsh,
  swamp: marsh,
  woods: floor,
  'dense-woods': floor,
  jungle: floor,
  brush: floor,
  water: lake,
  stream,
  ford,
  road,
  bridge,
  wall,
  fence,
  hedge,
  works,
  abatis,
  building: house,
  village,
};

// Paper is never even. Its stains are soft: a small picture of them is stretched over the sheet.
function paper(b: Brush, s: Survey): void {
  b.ctx.fillStyle = PAPER;
  b.ctx.fillRect(0, 0, s.width, s.height);
  const small = document.createElement('canvas');
  small.width = Math.ceil(s.width);
  small.height = Math.ceil(s.height);
  const ctx = small.getContext('2d');
  if (!ctx) return;
  const dice = chance('paper');
  for (let i = 0; i < 46; i++) {
    const [x, y, r] = [dice() * s.width, dice() * s.height, 4 + 12 * dice()];
    const stain = ctx.createRadialGradient(x, y, 0, x, y, r);
    const tone = dice() < 0.5 ? '255 248 222' : '176 146 84';
    stain.addColorStop(0, `rgb(${tone} / 0.055)`);
    stain.addColorStop(1, `rgb(${tone} / 0)`);
    ctx.fillStyle = stain;
    ctx.fillRect(x - r, y - r, 2 * r, 2 * r);
  }
  b.ctx.drawImage(small, 0, 0, s.width, s.height);
}

function grass(b: Brush, s: Survey): void {
  const blades = s.tufts.flatMap((p): [Point, Point][] =>
    [-0.13, 0, 0.12].map((lean) => [
      { x: p.x + lean * 0.4, y: p.y },
      { x: p.x + lean * 1.4, y: p.y - 0.2 - 0.16 * p.luck + Math.abs(lean) * 0.6 },
    ]),
  );
  strokes(b, blades, { color: '#9a9455', width: fine(b, 0.045, 0.5), alpha: 0.6 });
}

// The frame of a map, black and white by feet of the table.
function frame(b: Brush, s: Survey): void {
  const { ctx } = b;
  const [band, gap] = [0.3, 0.18];
  const box = (by: number, width: number): void => {
    ctx.lineWidth = fine(b, width, 0.8);
    ctx.strokeRect(-by, -by, s.width + 2 * by, s.height + 2 * by);
  };
  ctx.fillStyle = '#f2e8cc';
  ctx.fillRect(-EDGE, -EDGE, s.width + 2 * EDGE, EDGE);
  ctx.fillRect(-EDGE, s.height, s.width + 2 * EDGE, EDGE);
  ctx.fillRect(-EDGE, -EDGE, EDGE, s.height + 2 * EDGE);
  ctx.fillRect(s.width, -EDGE, EDGE, s.height + 2 * EDGE);
  ctx.fillStyle = INK;
  for (let at = 0; at < s.width; at += 12)
    for (const y of [-gap - band, s.height + gap])
      ctx.fillRect(at, y, Math.min(6, s.width - at), band);
  for (let at = 0; at < s.height; at += 12)
    for (const x of [-gap - band, s.width + gap])
      ctx.fillRect(x, at, band, Math.min(6, s.height - at));
  ctx.strokeStyle = INK;
  box(0, 0.06);
  box(gap, 0.05);
  box(gap + band, 0.05);
  box(0.9, 0.12);
}

// A rectangle of the sheet.
export type Part = Box;

const grown = (box: Box, by: number): Box => ({
  x: box.x - by,
  y: box.y - by,
  w: box.w + 2 * by,
  h: box.h + 2 * by,
});

// Paints a part of the sheet, so many pixels to an inch, into the whole of a canvas.
export function paint(canvas: HTMLCanvasElement, s: Survey, part: Part, look: Look): void {
  canvas.width = Math.max(1, Math.round(part.w * look.k));
  canvas.height = Math.max(1, Math.round(part.h * look.k));
  const ctx = canvas.getContext('2d', { alpha: false });
  if (!ctx) return;
  ctx.scale(look.k, look.k);
  ctx.translate(-part.x, -part.y);
  const b = { ctx, k: look.k };
  ctx.save();
  ctx.beginPath();
  ctx.rect(0, 0, s.width, s.height);
  ctx.clip();
  paper(b, s);
  grass(b, s);
  const near = s.features.filter((f) => meets(grown(bounds(f.drawn), 2), part));
  for (const f of near) DRAWN[f.land.kind]?.(b, f);
  trees(b, near, part);
  ctx.restore();
  frame(b, s);
  if (!look.dark) return;
  ctx.globalCompositeOperation = 'multiply';
  ctx.fillStyle = CANDLE;
  ctx.fillRect(part.x, part.y, part.w, part.h);
  ctx.globalCompositeOperation = 'source-over';
}

export interface Look {
  // Pixels of the picture to an inch.
  k: number;
  dark: boolean;
}
