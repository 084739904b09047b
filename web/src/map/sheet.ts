// The sheet a table is drawn on: inches from its upper left corner, y downward. The player in the
// north sees it turned by half a circle.
export interface Point {
  x: number;
  y: number;
}

export interface Sheet {
  width: number;
  height: number;
  turned: boolean;
}

// A place on the table, which is measured from its left and near edges, on the sheet.
export const toSheet = (s: Sheet, p: Point): Point =>
  s.turned ? { x: s.width - p.x, y: p.y } : { x: p.x, y: s.height - p.y };

// A place on the sheet on the table: the way back is the same.
export const toTable = toSheet;

// The way somebody faces on the sheet, in degrees clockwise from its upper edge.
export const heading = (s: Sheet, facing: number): number =>
  s.turned ? (facing + 180) % 360 : facing;
