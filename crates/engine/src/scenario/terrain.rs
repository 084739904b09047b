//! Terrain in a scenario file.

use std::collections::BTreeMap;

use regimental::battle::Id;
use regimental::battle::terrain::{Cover, Ground, Kind, Piece, Veil};
use rulebook::{Fault, Reader};
use serde::{Deserialize, Serialize};
use table::{Feature, INCH, Mils, Outline, Point};

use super::keys;
use super::values::Values;

/// How a piece of terrain looks on the map; no rule asks for it.
#[derive(Debug, Clone, Default)]
pub struct Look {
    /// Its name, and its middle.
    pub name: Option<(String, Point)>,
    /// What grows there.
    pub trees: Trees,
}

/// What grows in a wood.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Trees {
    /// Oak, hickory and the like.
    #[default]
    Broadleaf,
    /// Pines and firs.
    Pine,
    /// Palms.
    Palm,
    /// Fruit trees in rows.
    Orchard,
}

/// Reads the pieces of terrain, and how they look on the map.
pub(super) fn read(
    tables: &[Reader<'_, '_>],
    stand: Mils,
    faults: &mut Vec<Fault>,
) -> (Vec<Piece>, BTreeMap<Id, Look>) {
    let mut pieces = Vec::new();
    let mut looks = BTreeMap::new();
    for reader in tables {
        let v = Values::of(reader, &keys::TERRAIN);
        let before = faults.len();
        v.coherent(faults);
        let id = v.id("id", faults);
        let kind: Option<Kind> = v.word("kind", faults);
        let points = v.points("points", faults);
        let width = v.length("width", faults);
        let piece = id.zip(kind).zip(points).and_then(|((id, kind), points)| {
            let outline = outline(kind, points.clone(), width, stand);
            let one_place = points.iter().all(|p| Some(p) == points.first());
            let accepted = reader.file().accepted;
            let sound = |shape: &Feature| accepted || !one_place && !shape.is_flat();
            match Feature::new(outline).filter(sound) {
                Some(shape) if !accepted && shape.crosses_itself() => {
                    let message = "its edges cross or touch each other: name its corners in turn, \
                                   round it";
                    v.fault("points", message, faults);
                    None
                }
                Some(shape) => Some((kind.usual(id, shape), points)),
                None => {
                    let (least, line) =
                        if kind.is_line() { (2, "") } else { (3, " or in one line") };
                    v.fault(
                        "points",
                        format!("at least {least} points, not all in one place{line}"),
                        faults,
                    );
                    None
                }
            }
        });
        let Some((mut piece, points)) = piece else { continue };
        rate(&v, &mut piece, faults);
        looks.insert(piece.id, look(&v, middle(&points), faults));
        if let Some(crest) = v.points("crest", faults) {
            match Feature::new(Outline::Line(crest, 0)) {
                Some(shape) => {
                    let mut line = Kind::Crest.usual(piece.id, shape);
                    line.level = piece.level;
                    pieces.push(line);
                }
                None => v.fault("crest", "a crest has at least two points", faults),
            }
        }
        if pieces.iter().any(|p: &Piece| p.id == piece.id && p.kind != Kind::Crest) {
            v.fault("id", format!("two pieces of terrain are called {}", piece.id), faults);
        }
        if faults.len() == before {
            pieces.push(piece);
        }
    }
    (pieces, looks)
}

fn outline(kind: Kind, points: Vec<Point>, width: Option<Mils>, stand: Mils) -> Outline {
    match (kind, kind.is_line()) {
        (Kind::Road, _) => Outline::Line(points, width.unwrap_or(stand) / 2),
        (Kind::Stream, _) => Outline::Line(points, width.unwrap_or(INCH) / 2),
        (_, true) => Outline::Line(points, 0),
        // A ford or bridge may be drawn as a line across the water.
        (Kind::Ford | Kind::Bridge, _) if points.len() == 2 => {
            Outline::Line(points, width.unwrap_or(2 * stand) / 2)
        }
        _ => Outline::Area(points),
    }
}

fn rate(v: &Values<'_, '_, '_>, piece: &mut Piece, faults: &mut Vec<Fault>) {
    if let Some(ground) = v.word::<Ground>("ground", faults) {
        piece.ground = ground;
    }
    if let Some(cover) = v.word::<Cover>("cover", faults) {
        piece.cover = cover;
    }
    if let Some(veil) = v.word::<Veil>("sight", faults) {
        let line = matches!(piece.shape.outline(), Outline::Line(..));
        if line && matches!(veil, Veil::Light | Veil::Dense) {
            v.scruple("sight", "a line has no depth to see into: `clear` or `block`", faults);
        }
        piece.veil = veil;
    }
    if let Some(level) = v.small("level", faults) {
        piece.level = level;
    }
    piece.strong = v.flag("strong", piece.strong, faults);
    piece.favorable = v.flag("favorable", piece.favorable, faults);
    piece.obstacle = v.flag("obstacle", piece.obstacle, faults);
    piece.impassable = v.flag("impassable", piece.impassable, faults);
    piece.good = v.flag("good", piece.good, faults);
    if let Some(capacity) = v.small("capacity", faults) {
        piece.capacity = capacity;
    }
}

fn look(v: &Values<'_, '_, '_>, middle: Point, faults: &mut Vec<Fault>) -> Look {
    let trees: Option<Trees> = v.word("trees", faults);
    let name = v.text("name", faults).map(|text| (text, middle));
    Look { name, trees: trees.unwrap_or_default() }
}

fn middle(points: &[Point]) -> Point {
    let bounds = table::Bounds::around(points);
    Point {
        x: i32::midpoint(bounds.low.x, bounds.high.x),
        y: i32::midpoint(bounds.low.y, bounds.high.y),
    }
}
