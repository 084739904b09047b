//! The way round: where water or another thing nobody enters lies between a unit and its place,
//! it goes by the bridge, in column.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use regimental::battle::Battle;
use regimental::battle::terrain::{Ground, Kind};
use table::{INCH, Mils, Point};

/// The side of a cell of the search: half the width of the narrowest bridge.
const CELL: Mils = INCH / 2;

/// A search for a way over a table.
struct Search<'b> {
    battle: &'b Battle,
    wide: i32,
    high: i32,
}

/// Whether nothing closed lies on the straight way between two places.
pub(crate) fn open(battle: &Battle, from: Point, to: Point) -> bool {
    let closed = battle.field().pieces.iter().filter(|p| p.impassable);
    let mut crossed = closed.filter(|p| p.shape.crossed_by(from, to) || p.shape.holds(to));
    if crossed.next().is_none() {
        return true;
    }
    // Every place is fit to walk on; near the start on land it need only be dry. Over the water it
    // must be well on the bridge from the first step: the tail of a column comes the same way.
    let wet = |at: Point| battle.field().pieces.iter().any(|p| p.impassable && p.shape.holds(at));
    let long = from.distance(to);
    let steps = (long / (INCH / 4)).max(1);
    (0..=steps).all(|i| {
        // Widened, for ways of many inches.
        let way = Mils::try_from(i64::from(long) * i64::from(i) / i64::from(steps)).unwrap_or(long);
        let at = from.on_the_way(to, way);
        if way < 2 * INCH && !wet(at) { dry(battle, at) } else { fit(battle, at) }
    })
}

/// Whether it carries troops over water.
pub(crate) fn carries(kind: Kind) -> bool {
    matches!(kind, Kind::Bridge | Kind::Ford)
}

/// Whether a place is on a bridge or in a ford.
pub(crate) fn on_bridge(battle: &Battle, at: Point) -> bool {
    battle.field().pieces.iter().any(|p| carries(p.kind) && p.shape.holds(at))
}

/// Whether a place can be stood on at all.
fn dry(battle: &Battle, at: Point) -> bool {
    let field = battle.field();
    let closed = field.pieces.iter().any(|p| p.impassable && p.shape.holds(at));
    field.on_table(at) && (!closed || on_bridge(battle, at))
}

/// Whether a column can pass a place: with room to turn on land, so that it comes to a bridge
/// straight; on the bridge with its middle, a little off the edge.
fn fit(battle: &Battle, at: Point) -> bool {
    let room = if on_bridge(battle, at) { INCH / 4 } else { 3 * INCH };
    let near = [(0, 0), (room, 0), (-room, 0), (0, room), (0, -room)];
    near.iter().all(|(x, y)| {
        let p = at + Point { x: *x, y: *y };
        dry(battle, p) || !battle.field().on_table(p)
    })
}

/// Where to go next on the shortest way to a place: the farthest point of it that is reached
/// straight. Nothing if there is no way at all.
pub(crate) fn next(battle: &Battle, from: Point, to: Point) -> Option<Point> {
    let field = battle.field();
    let search = Search { battle, wide: field.width / CELL + 1, high: field.height / CELL + 1 };
    let way = search.way(from, to)?;
    way.into_iter().rev().find(|p| open(battle, from, *p)).filter(|p| p.distance(from) > INCH)
}

impl Search<'_> {
    fn cell(&self, p: Point) -> (i32, i32) {
        let near = |v: Mils, most: i32| ((v + CELL / 2) / CELL).clamp(0, most - 1);
        (near(p.x, self.wide), near(p.y, self.high))
    }

    fn place(c: (i32, i32)) -> Point {
        Point { x: c.0 * CELL, y: c.1 * CELL }
    }

    fn index(&self, c: (i32, i32)) -> usize {
        usize::try_from(c.1 * self.wide + c.0).unwrap_or(0)
    }

    /// Steps cost by the ground they lead over.
    fn cost(&self, at: Point) -> i32 {
        // The middle of a bridge: at its edge a column that turns a little is in the water.
        if on_bridge(self.battle, at) {
            let around = [(1, 0), (-1, 0), (0, 1), (0, -1)];
            let off = |(x, y): &(i32, i32)| {
                !on_bridge(self.battle, at + Point { x: x * INCH / 2, y: y * INCH / 2 })
            };
            let edges = around.iter().filter(|side| off(side)).count();
            return 1 + 2 * i32::try_from(edges).unwrap_or(0);
        }
        let slowest = self.battle.field().pieces.iter().filter(|p| p.shape.holds(at));
        match slowest.map(|p| p.ground).max() {
            Some(Ground::Rough) => 3,
            Some(Ground::Broken) => 2,
            _ => 1,
        }
    }

    /// The cheapest way from cell to cell (A*), the start left out.
    fn way(&self, from: Point, to: Point) -> Option<Vec<Point>> {
        let (start, goal) = (self.cell(from), self.cell(to));
        let size = usize::try_from(self.wide * self.high).unwrap_or(0);
        let mut best = vec![i32::MAX; size];
        let mut came: Vec<Option<(i32, i32)>> = vec![None; size];
        let mut open = BinaryHeap::new();
        let rest = |c: (i32, i32)| 10 * (c.0 - goal.0).abs().max((c.1 - goal.1).abs());
        best[self.index(start)] = 0;
        open.push(Reverse((rest(start), start)));
        while let Some(Reverse((_, at))) = open.pop() {
            if at == goal {
                let mut way = vec![to];
                let mut back = came[self.index(at)];
                while let Some(c) = back.filter(|c| *c != start) {
                    way.push(Self::place(c));
                    back = came[self.index(c)];
                }
                way.reverse();
                return Some(way);
            }
            let so_far = best[self.index(at)];
            for (dx, dy) in [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1)] {
                let c = (at.0 + dx, at.1 + dy);
                if c.0 < 0 || c.1 < 0 || c.0 >= self.wide || c.1 >= self.high {
                    continue;
                }
                let place = Self::place(c);
                let beside = (c.0 - start.0).abs() <= 4 && (c.1 - start.1).abs() <= 4;
                let passes = if beside { dry(self.battle, place) } else { fit(self.battle, place) };
                if c != goal && !passes {
                    continue;
                }
                let step = if dx != 0 && dy != 0 { 14 } else { 10 };
                let cost = so_far + step * self.cost(place);
                let i = self.index(c);
                if cost < best[i] {
                    best[i] = cost;
                    came[i] = Some(at);
                    open.push(Reverse((cost + rest(c), c)));
                }
            }
        }
        None
    }
}
