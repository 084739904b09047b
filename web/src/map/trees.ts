// Trees as period maps have them: little ones in elevation, lit from the upper left.
import { chance, type Chance } from './chance';
import { fine, INK, type Brush } from './brush';
import { disc, meets, type Box } from './clear';
import type { Spot } from './shapes';
import { wooded, type Feature } from './survey';

type Ctx = CanvasRenderingContext2D;

interface Leaves {
  dark: string;
  base: string;
  light: string;
}

const LEAVES: Leaves[] = [
  { dark: '#6b7a4b', base: '#a1b17b', light: '#c3cd9c' },
  { dark: '#62754a', base: '#95aa73', light: '#b8c793' },
  { dark: '#777c4b', base: '#aeb37b', light: '#cfd0a0' },
];
const NEEDLES: Leaves = { dark: '#50664f', base: '#86a07c', light: '#adbf9a' };
const FRONDS: Leaves = { dark: '#46602f', base: '#7c9a4d', light: '#a9bd70' };

function shadow(ctx: Ctx, wide: number): void {
  ctx.fillStyle = 'rgb(70 58 25 / 0.26)';
  ctx.beginPath();
  ctx.ellipse(wide * 0.55, 0.02, wide, wide * 0.34, 0, 0, 7);
  ctx.fill();
}

function discs(ctx: Ctx, all: { x: number; y: number; r: number }[], color: string): void {
  ctx.fillStyle = color;
  ctx.beginPath();
  for (const d of all) {
    ctx.moveTo(d.x + d.r, d.y);
    ctx.arc(d.x, d.y, d.r, 0, 7);
  }
  ctx.fill();
}

function broadleaf(ctx: Ctx, dice: Chance, size: number, line: number): void {
  const leaves = LEAVES[Math.floor(dice() * LEAVES.length)] ?? (LEAVES[0] as Leaves);
  shadow(ctx, 0.42 * size);
  ctx.strokeStyle = INK;
  ctx.lineWidth = Math.max(0.09 * size, line);
  ctx.beginPath();
  ctx.moveTo(0, 0);
  ctx.lineTo(0, -0.3 * size);
  ctx.stroke();
  const crown = Array.from({ length: 7 }, (_, i) => {
    const t = (i / 6) * 2 * Math.PI + dice();
    const far = i === 0 ? 0 : 0.23 + 0.06 * dice();
    return {
      x: Math.cos(t) * far * size * 1.15,
      y: (-0.56 + Math.sin(t) * far) * size,
      r: (0.17 + 0.07 * dice()) * size,
    };
  });
  discs(
    ctx,
    crown.map((d) => ({ ...d, r: d.r + line })),
    leaves.dark,
  );
  discs(ctx, crown, leaves.base);
  discs(
    ctx,
    crown.map((d) => ({ x: d.x - 0.07 * size, y: d.y - 0.08 * size, r: d.r * 0.56 })),
    leaves.light,
  );
}

function pine(ctx: Ctx, dice: Chance, size: number, line: number): void {
  shadow(ctx, 0.34 * size);
  const tall = size * (1.1 + 0.25 * dice());
  const wide = size * (0.3 + 0.06 * dice());
  const tier = (foot: number, top: number, half: number, to: number): void => {
    ctx.beginPath();
    ctx.moveTo(0, -top);
    ctx.lineTo(half, -foot);
    ctx.lineTo(half * 0.35, -foot - 0.04 * size);
    ctx.lineTo(0, -foot + 0.03 * size);
    ctx.lineTo(-half * 0.4 * to, -foot - 0.03 * size);
    ctx.lineTo(-half * to, -foot);
    ctx.closePath();
  };
  ctx.strokeStyle = INK;
  ctx.lineWidth = Math.max(0.08 * size, line);
  ctx.beginPath();
  ctx.moveTo(0, 0);
  ctx.lineTo(0, -0.3 * tall);
  ctx.stroke();
  for (const [foot, top, half] of [
    [0.16, 0.62, 1],
    [0.4, 0.83, 0.76],
    [0.62, 1, 0.52],
  ] as const) {
    tier(foot * tall, top * tall, half * wide, 1);
    ctx.fillStyle = NEEDLES.base;
    ctx.fill();
    ctx.lineWidth = line;
    ctx.strokeStyle = NEEDLES.dark;
    ctx.stroke();
    ctx.beginPath();
    ctx.moveTo(0, -top * tall + line);
    ctx.lineTo(0, -foot * tall);
    ctx.lineTo(-half * wide * 0.85, -foot * tall - line);
    ctx.closePath();
    ctx.fillStyle = NEEDLES.light;
    ctx.globalAlpha = 0.75;
    ctx.fill();
    ctx.globalAlpha = 1;
  }
}

function palm(ctx: Ctx, dice: Chance, size: number, line: number): void {
  shadow(ctx, 0.32 * size);
  const lean = (dice() - 0.5) * 0.3 * size;
  const top = -size * (1 + 0.2 * dice());
  ctx.strokeStyle = '#6b5532';
  ctx.lineWidth = Math.max(0.075 * size, line);
  ctx.beginPath();
  ctx.moveTo(0, 0);
  ctx.quadraticCurveTo(lean * 0.2, top * 0.6, lean, top);
  ctx.stroke();
  const frond = (t: number, color: string, width: number): void => {
    ctx.strokeStyle = color;
    ctx.lineWidth = Math.max(width * size, line);
    const [dx, dy] = [Math.cos(t) * 0.42 * size, Math.sin(t) * 0.26 * size];
    ctx.beginPath();
    ctx.moveTo(lean, top);
    ctx.quadraticCurveTo(
      lean + dx * 0.6,
      top + dy - 0.14 * size,
      lean + dx,
      top + dy + 0.12 * size,
    );
    ctx.stroke();
  };
  for (let i = 0; i < 8; i++) frond((i / 8) * 2 * Math.PI + dice() * 0.4, FRONDS.dark, 0.11);
  for (let i = 0; i < 6; i++) frond((i / 6) * 2 * Math.PI + dice() * 0.5 + 3.4, FRONDS.base, 0.07);
  frond(3.6, FRONDS.light, 0.06);
  frond(4.4, FRONDS.light, 0.06);
}

function bush(ctx: Ctx, dice: Chance, size: number, line: number): void {
  const leaves = LEAVES[Math.floor(dice() * LEAVES.length)] ?? (LEAVES[0] as Leaves);
  shadow(ctx, 0.3 * size);
  const crown = [-0.2, 0, 0.2].map((x) => ({
    x: x * size,
    y: -(0.12 + 0.1 * dice()) * size,
    r: (0.14 + 0.06 * dice()) * size,
  }));
  discs(
    ctx,
    crown.map((d) => ({ ...d, r: d.r + line })),
    leaves.dark,
  );
  discs(ctx, crown, leaves.base);
  discs(
    ctx,
    crown.map((d) => ({ x: d.x - 0.04 * size, y: d.y - 0.05 * size, r: d.r * 0.5 })),
    leaves.light,
  );
}

type Plant = (ctx: Ctx, dice: Chance, size: number, line: number) => void;

const PLANTS: Record<string, { plant: Plant; size: number }> = {
  broadleaf: { plant: broadleaf, size: 1.3 },
  pine: { plant: pine, size: 1.3 },
  palm: { plant: palm, size: 1.35 },
  orchard: { plant: broadleaf, size: 1 },
  jungle: { plant: broadleaf, size: 1.15 },
  undergrowth: { plant: bush, size: 1.1 },
  bush: { plant: bush, size: 1.15 },
};
const VARIETIES = 7;

// Each kind of plant is drawn a few times; the wood is made of copies.
function nursery(b: Brush): (kind: string, luck: number) => HTMLCanvasElement | null {
  const grown = new Map<string, HTMLCanvasElement | null>();
  return (kind, luck) => {
    const n = Math.floor(luck * VARIETIES);
    const key = `${kind}${n}`;
    const known = grown.get(key);
    if (known !== undefined) return known;
    const { plant, size } = PLANTS[kind] ?? { plant: bush, size: 1 };
    const dice = chance(key);
    const canvas = document.createElement('canvas');
    const px = Math.ceil(3 * b.k);
    canvas.width = canvas.height = px;
    const ctx = canvas.getContext('2d');
    if (ctx) {
      ctx.scale(b.k, b.k);
      ctx.translate(1.5, 2.4);
      ctx.lineCap = ctx.lineJoin = 'round';
      plant(ctx, dice, size * (0.82 + 0.36 * dice()), fine(b, 0.045, 0.5));
    }
    grown.set(key, ctx && canvas);
    return grown.get(key) ?? null;
  };
}

function kindAt(f: Feature, luck: number): string {
  if (f.land.kind === 'brush' || f.land.kind === 'swamp') return 'bush';
  if (f.land.kind !== 'jungle') return f.land.trees;
  return luck < 0.3 ? 'undergrowth' : luck < 0.72 ? 'jungle' : 'palm';
}

// All that grows, the farther first.
export function trees(b: Brush, features: Feature[], part: Box): void {
  const sprite = nursery(b);
  const all: { spot: Spot; kind: string }[] = [];
  for (const f of features) {
    const sparse = f.land.kind === 'swamp' ? 0.22 : 1;
    if (!wooded(f.land.kind) && f.land.kind !== 'brush' && f.land.kind !== 'swamp') continue;
    for (const spot of f.spots)
      if (spot.luck <= sparse && meets(part, disc(spot, 2)))
        all.push({ spot, kind: kindAt(f, spot.luck) });
  }
  all.sort((p, q) => p.spot.y - q.spot.y);
  for (const { spot, kind } of all) {
    const picture = sprite(kind, (spot.luck * 7.31) % 1);
    if (picture)
      b.ctx.drawImage(picture, spot.x - 1.5, spot.y - 2, picture.width / b.k, picture.height / b.k);
  }
}
