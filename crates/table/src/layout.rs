//! How stands are set around a front: ranks, files and hollow squares.

use crate::measure::{Facing, Mils, Pose, offset};
use crate::stand::Size;

/// Where a stand is, seen from the middle of the unit's front.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slot {
    /// To the right.
    pub right: Mils,
    /// To the rear.
    pub back: Mils,
    /// Turned to the right, in hundredths of a degree.
    pub turn: i32,
}

/// The poses of all stands when the unit's front is at a pose.
#[must_use]
pub fn laid_out(front: Pose, slots: &[Slot]) -> Vec<Pose> {
    let axis = front.facing.sin_cos();
    let pose = |slot: &Slot| {
        let at = front.at + offset(axis, slot.right, -slot.back);
        Pose::new(at, front.facing.turned(slot.turn))
    };
    slots.iter().map(pose).collect()
}

/// Ranks of at most so many stands, each centred behind the front, with gaps between the
/// stands. The front ranks are filled first.
#[must_use]
pub fn ranks(stands: usize, wide: usize, size: Size, gap: Mils) -> Vec<Slot> {
    let wide = wide.max(1);
    let step = size.width + gap;
    (0..stands)
        .map(|i| {
            let (rank, file) = (i / wide, i % wide);
            let in_rank = wide.min(stands - rank * wide);
            let right = (2 * whole(file) - (whole(in_rank) - 1)) * step / 2;
            Slot { right, back: whole(rank) * size.depth, turn: 0 }
        })
        .collect()
}

/// One stand behind the other.
#[must_use]
pub fn file(stands: usize, size: Size) -> Vec<Slot> {
    ranks(stands, 1, size, 0)
}

/// A box that faces outward on all four sides. From the thirteenth on, stands go into a
/// second rank inside. The front of the unit is the middle of its front side.
#[must_use]
pub fn hollow_square(stands: usize, size: Size) -> Vec<Slot> {
    let outer = stands.min(12);
    // The sides take turns: front, rear, right, left.
    let on_side = |side: usize, n: usize| n / 4 + usize::from(side < n % 4);
    let longest = on_side(0, outer).max(1);
    // Room for the longest side and the depth of the sides that meet it, in both ranks.
    let inner = on_side(0, stands - outer);
    let first = whole(longest) * size.width / 2 + size.depth;
    let second = whole(inner) * size.width / 2 + 2 * size.depth;
    let half = if inner > 0 { first.max(second) } else { first };
    let mut slots = Vec::with_capacity(stands);
    for (rank, count) in [(0, outer), (1, stands - outer)] {
        for (side, turn) in [(0, 0), (1, 18_000), (2, 9000), (3, 27_000)] {
            let n = on_side(side, count);
            for i in 0..n {
                let along = (2 * whole(i) - (whole(n) - 1)) * size.width / 2;
                let out = half - rank * size.depth;
                // A place `along` and `out` of a side, turned about the middle of the box.
                let p = Facing::hundredths(turn).offset(along, out);
                slots.push(Slot { right: p.x, back: half - p.y, turn });
            }
        }
    }
    slots
}

fn whole(n: usize) -> i32 {
    i32::try_from(n).unwrap_or(i32::MAX)
}
