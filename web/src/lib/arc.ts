import type { Piece } from '../api';

// The wedge a unit fires into, out to a range.
export function wedge(u: Piece, r: number, height: number): string {
  const t = (u.front.facing * Math.PI) / 180;
  const across = u.feet.map(
    (f) => (f.x - u.front.x) * Math.cos(t) - (f.y - u.front.y) * Math.sin(t),
  );
  const half = Math.max(...across) + u.width / 2;
  const place = (right: number, ahead: number): string => {
    const x = u.front.x + right * Math.cos(t) + ahead * Math.sin(t);
    const y = u.front.y - right * Math.sin(t) + ahead * Math.cos(t);
    return `${x.toFixed(2)} ${(height - y).toFixed(2)}`;
  };
  const d = r * Math.SQRT1_2;
  return `M${place(-half, 0)}L${place(-half - d, d)}A${r} ${r} 0 0 1 ${place(-half, r)}L${place(half, r)}A${r} ${r} 0 0 1 ${place(half + d, d)}L${place(half, 0)}Z`;
}
