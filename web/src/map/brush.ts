// The strokes everything on the ground is drawn with. Lengths are inches of the sheet.
import type { Point } from './sheet';

export interface Brush {
  ctx: CanvasRenderingContext2D;
  // Pixels of the picture to an inch.
  k: number;
}

export const INK = '#4a3a22';

// A line that can be seen at any size.
export const fine = (b: Brush, inches: number, pixels = 0.7): number =>
  Math.max(inches, pixels / b.k);

export function trace(ctx: CanvasRenderingContext2D, points: Point[], closed: boolean): void {
  ctx.beginPath();
  points.forEach((p, i) => (i ? ctx.lineTo(p.x, p.y) : ctx.moveTo(p.x, p.y)));
  if (closed) ctx.closePath();
}

export function wash(b: Brush, area: Point[], color: string, alpha = 1): void {
  b.ctx.globalAlpha = alpha;
  b.ctx.fillStyle = color;
  trace(b.ctx, area, true);
  b.ctx.fill();
  b.ctx.globalAlpha = 1;
}

export interface Pen {
  color: string;
  width: number;
  alpha?: number;
  dash?: number[];
  closed?: boolean;
  cap?: CanvasLineCap;
}

export function stroke(b: Brush, line: Point[], pen: Pen): void {
  const { ctx } = b;
  ctx.save();
  ctx.globalAlpha = pen.alpha ?? 1;
  ctx.strokeStyle = pen.color;
  ctx.lineWidth = pen.width;
  ctx.lineJoin = 'round';
  ctx.lineCap = pen.cap ?? 'round';
  ctx.setLineDash(pen.dash ?? []);
  trace(ctx, line, pen.closed ?? false);
  ctx.stroke();
  ctx.restore();
}

// Many short strokes at once, all with one pen.
export function strokes(b: Brush, lines: [Point, Point][], pen: Pen): void {
  const { ctx } = b;
  ctx.save();
  ctx.globalAlpha = pen.alpha ?? 1;
  ctx.strokeStyle = pen.color;
  ctx.lineWidth = pen.width;
  ctx.lineCap = pen.cap ?? 'round';
  ctx.beginPath();
  for (const [p, q] of lines) {
    ctx.moveTo(p.x, p.y);
    ctx.lineTo(q.x, q.y);
  }
  ctx.stroke();
  ctx.restore();
}

// What is drawn stays within an area.
export function within(b: Brush, area: Point[], draw: () => void): void {
  b.ctx.save();
  trace(b.ctx, area, true);
  b.ctx.clip();
  draw();
  b.ctx.restore();
}

export const shifted = (points: Point[], dx: number, dy: number): Point[] =>
  points.map((p) => ({ x: p.x + dx, y: p.y + dy }));
