// Whose circle a unit that moves should not leave.
import type { Brigade, Piece } from '../api';

// Who commands it now, whoever's brigade it belongs to; out of command, its own leader, to whom it
// should come back.
export function commanderOf(unit: Piece | null, brigades: Brigade[]): string | undefined {
  if (!unit) return undefined;
  return unit.commander ?? brigades.find((b) => b.units.includes(unit.id))?.leader;
}
