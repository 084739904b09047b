// Hills with the light on them, and hollows: washes and hachures, the strokes of which run downhill.
import { chance } from './chance';
import { fine, shifted, stroke, strokes, wash, within, type Brush } from './brush';
import { along, type Step } from './shapes';
import type { Point } from './sheet';
import type { Feature } from './survey';

// Towards the light, which falls from the upper left.
const LIGHT = { x: -0.6, y: -0.8 };
const lit = (s: Step): number => s.nx * LIGHT.x + s.ny * LIGHT.y;

const GROUND = '#7b5a2c';

// The side away from the light lies in shade, the other is bright.
function shade(b: Brush, area: Point[], deep: number): void {
  const { ctx } = b;
  within(b, area, () => {
    for (const [step, alpha] of [
      [0.35, 0.09],
      [0.75, 0.08],
      [1.3, 0.06],
      [2, 0.05],
    ] as const) {
      const off = step * deep;
      for (const [sign, color] of [
        [1, '#fff6d6'],
        [-1, '#5a3f1a'],
      ] as const) {
        ctx.globalAlpha = sign > 0 ? alpha * 2 : alpha * 1.35;
        ctx.fillStyle = color;
        ctx.beginPath();
        const ring = (points: Point[]): void => {
          points.forEach((p, i) => (i ? ctx.lineTo(p.x, p.y) : ctx.moveTo(p.x, p.y)));
          ctx.closePath();
        };
        ring(area);
        ring(shifted(area, -LIGHT.x * sign * off, -LIGHT.y * sign * off));
        ctx.fill('evenodd');
      }
    }
    ctx.globalAlpha = 1;
  });
}

interface Slope {
  long: number;
  apart: number;
  // Rows of hachures, one behind the other.
  rows: number;
}

function hachures(b: Brush, f: Feature, slope: Slope, inward: 1 | -1): void {
  const dice = chance(`${f.land.id}#`);
  const faint: [Point, Point][] = [];
  const dark: [Point, Point][] = [];
  for (let row = 0; row < slope.rows; row++) {
    const from = row * slope.long * 0.85;
    for (const s of along(f.drawn, slope.apart, true)) {
      const side = lit(s) * inward;
      const long = slope.long * (0.55 + 0.45 * dice()) * (side < 0 ? 1.15 : 0.8);
      const start = from + 0.1 * dice();
      const lean = (dice() - 0.5) * 0.12;
      // Uphill is away from the edge of a hill.
      const p = { x: s.x - s.nx * start, y: s.y - s.ny * start };
      const q = {
        x: s.x - (s.nx + lean * s.ny) * (start + long),
        y: s.y - (s.ny - lean * s.nx) * (start + long),
      };
      if (dice() < 0.07) continue;
      (side < -0.15 ? dark : faint).push([p, q]);
    }
  }
  strokes(b, faint, { color: GROUND, width: fine(b, 0.045, 0.5), alpha: 0.5 });
  strokes(b, dark, { color: '#5d421d', width: fine(b, 0.07, 0.7), alpha: 0.66 });
}

export function hill(b: Brush, f: Feature): void {
  const steep = f.land.kind === 'steep-hill';
  wash(b, f.drawn, '#d9bd84', 0.32 + 0.08 * f.land.level);
  shade(b, f.drawn, steep ? 1.25 : 1);
  const slope = steep ? { long: 1.15, apart: 0.27, rows: 2 } : { long: 1.25, apart: 0.36, rows: 1 };
  within(b, f.drawn, () => hachures(b, f, slope, 1));
  stroke(b, f.drawn, { color: GROUND, width: fine(b, 0.05, 0.5), alpha: 0.35, closed: true });
}

export function ravine(b: Brush, f: Feature): void {
  wash(b, f.drawn, '#a98d5a', 0.5);
  within(b, f.drawn, () => hachures(b, f, { long: 0.8, apart: 0.3, rows: 1 }, -1));
  stroke(b, f.drawn, { color: GROUND, width: fine(b, 0.07), alpha: 0.8, closed: true });
}

export function crest(b: Brush, f: Feature): void {
  stroke(b, f.drawn, {
    color: GROUND,
    width: fine(b, 0.09, 0.8),
    alpha: 0.7,
    dash: [0.55, 0.4],
    cap: 'butt',
  });
}

export function rocks(b: Brush, f: Feature): void {
  const { ctx } = b;
  wash(b, f.drawn, '#cfc3a4', 0.7);
  for (const spot of f.spots) {
    const r = 0.16 + 0.24 * spot.luck;
    const dice = chance(`${f.land.id}${spot.x}`);
    const rim = Array.from({ length: 6 }, (_, i) => {
      const t = (i / 6) * 2 * Math.PI;
      const far = r * (0.75 + 0.4 * dice());
      return { x: spot.x + Math.cos(t) * far * 1.2, y: spot.y + Math.sin(t) * far * 0.75 };
    });
    wash(b, shifted(rim, 0.1, 0.1), '#4a3a22', 0.25);
    wash(b, rim, '#b9ad92');
    wash(
      b,
      rim.map((p) => ({
        x: spot.x + (p.x - spot.x) * 0.6 - 0.05,
        y: spot.y + (p.y - spot.y) * 0.6 - 0.05,
      })),
      '#d8cfb8',
    );
    ctx.lineWidth = fine(b, 0.04, 0.5);
    stroke(b, rim, { color: '#5e5440', width: fine(b, 0.04, 0.5), closed: true });
  }
}
