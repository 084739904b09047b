// Troops painted on a small map, which nobody plays on: their stands in their coats.
import type { Board, View } from '../api';
import { fine, type Brush } from './brush';
import { heading, toSheet, type Sheet } from './sheet';

export function troops(b: Brush, board: Board, view: View): void {
  const { ctx } = b;
  const sheet: Sheet = { width: board.width, height: board.height, turned: false };
  const coats = new Map(board.coats.map((c) => [c.of, c]));
  const side = new Map(board.scenario.sides.map((s) => [s.id, s.color]));
  for (const unit of view.units.filter((u) => u.place === 'table'))
    for (const foot of unit.feet) {
      const at = toSheet(sheet, foot);
      const [w, d] = [unit.width, unit.depth];
      ctx.save();
      ctx.translate(at.x, at.y);
      ctx.rotate((heading(sheet, foot.facing) * Math.PI) / 180);
      ctx.fillStyle = coats.get(unit.id)?.color ?? side.get(unit.side) ?? '#555';
      ctx.fillRect(-w / 2, 0, w, d);
      ctx.strokeStyle = side.get(unit.side) ?? '#20160f';
      ctx.lineWidth = fine(b, 0.07, 0.4);
      ctx.strokeRect(-w / 2, 0, w, d);
      ctx.fillStyle = '#fff8e6';
      ctx.fillRect(-w / 2, 0, w, fine(b, 0.16, 1));
      ctx.restore();
    }
}
