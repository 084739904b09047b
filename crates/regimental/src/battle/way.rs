//! Some stands on their way: whom they come near, and whom they pass over.

use table::{Footprint, Mils};

use super::state::Unit;
use super::terrain::Piece;

/// Some stands on their way from one place to another.
#[derive(Clone, Copy)]
pub(crate) struct Way<'w> {
    pub(crate) from: &'w [Footprint],
    to: &'w [Footprint],
    bounds: table::Bounds,
}

impl<'w> Way<'w> {
    pub(crate) fn new(from: &'w [Footprint], to: &'w [Footprint]) -> Self {
        let all = from.iter().chain(to).map(Footprint::bounds).reduce(table::Bounds::and);
        Self { from, to, bounds: all.unwrap_or(table::Bounds::around(&[])) }
    }

    /// The way the first of them faced at the beginning.
    pub(crate) fn facing(&self) -> table::Facing {
        self.from.first().map_or(table::Facing::NORTH, |f| f.pose.facing)
    }

    /// Standing still.
    pub(crate) fn at(feet: &'w [Footprint]) -> Self {
        let all = feet.iter().map(Footprint::bounds).reduce(table::Bounds::and);
        Self { from: feet, to: feet, bounds: all.unwrap_or(table::Bounds::around(&[])) }
    }

    /// Whether it could come within a distance of a unit at all.
    pub(crate) fn reaches(&self, unit: &Unit, within: Mils) -> bool {
        self.bounds.grown(within).meets(&unit.bounds)
    }

    /// Whether it could lead over some ground at all.
    pub(crate) fn meets(&self, ground: &table::Bounds) -> bool {
        self.bounds.meets(ground)
    }

    /// Whether it could lead into a piece of terrain at all.
    pub(crate) fn enters(&self, piece: &Piece) -> bool {
        self.bounds.meets(&piece.shape.bounds())
    }

    /// Whether its end lies on a unit.
    pub(crate) fn lies_on(&self, unit: &Unit) -> bool {
        let over = |b: &Footprint| self.to.iter().any(|a| a.overlaps(b));
        self.reaches(unit, 0) && unit.feet.iter().any(over)
    }

    /// Whether it leads over a unit.
    pub(crate) fn sweeps(&self, unit: &Unit) -> bool {
        self.reaches(unit, 0) && unit.feet.iter().any(|f| self.sweeps_foot(f))
    }

    /// Whether it leads over a stand.
    pub(crate) fn sweeps_foot(&self, foot: &Footprint) -> bool {
        self.from.iter().zip(self.to).any(|(a, b)| {
            let by = b.pose.at - a.pose.at;
            a.sweeps_over(by, foot) || b.overlaps(foot)
        })
    }
}
