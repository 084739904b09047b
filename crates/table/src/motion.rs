//! Motion as a player makes it with a ruler: wheels on a corner, and columns that follow their head.

use serde::{Deserialize, Serialize};

use crate::measure::{Facing, Mils, Point, Pose, arc, nearest};

/// A front corner.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Corner {
    /// The left.
    Left,
    /// The right.
    Right,
}

impl Corner {
    /// The corner a turn goes round: right turns round the right one.
    #[must_use]
    pub fn of_turn(hundredths: i32) -> Self {
        if hundredths < 0 { Self::Left } else { Self::Right }
    }

    fn sign(self) -> i32 {
        match self {
            Self::Left => -1,
            Self::Right => 1,
        }
    }
}

/// A front wheeled on one of its corners: the new pose, and the way of the other corner.
#[must_use]
pub fn wheel(front: Pose, width: Mils, on: Corner, hundredths: i32) -> (Pose, Mils) {
    let half = width / 2 * on.sign();
    let pivot = front.place(half, 0);
    let facing = front.facing.turned(hundredths);
    (Pose::new(pivot + facing.offset(-half, 0), facing), arc(width, hundredths))
}

/// How to get from one pose to another with one wheel: ahead, wheel, ahead.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WheelPlan {
    /// Inches ahead before the wheel.
    pub before: Mils,
    /// The corner wheeled on.
    pub on: Corner,
    /// The turn, right positive.
    pub turn: i32,
    /// Inches ahead after it.
    pub after: Mils,
}

/// The plan from one pose to another, if going ahead and wheeling forward once can do it. Both
/// ways ahead come out as they must be, also negative: the caller judges them.
#[must_use]
pub fn wheel_between(from: Pose, to: Pose, width: Mils) -> Option<WheelPlan> {
    let turn = from.facing.turn_to(to.facing);
    if turn == 0 {
        return None;
    }
    let on = Corner::of_turn(turn);
    let (wheeled, _) = wheel(from, width, on, turn);
    // a * u + b * v = rest, with u and v the two facings.
    let rest = to.at - wheeled.at;
    let (r, a) = from.facing.components(rest);
    let second = Facing::default().turned(turn);
    let (sin, cos) = second.sin_cos();
    if sin.abs() < 1e-6 {
        return None;
    }
    let after = r / sin;
    let before = a - after * cos;
    Some(WheelPlan { before: nearest(before), on, turn, after: nearest(after) })
}

/// The path of a column: where its head has been, and its stands behind on it.
#[derive(Debug, Clone)]
pub struct Trail {
    /// From the head backward.
    points: Vec<Point>,
}

impl Trail {
    /// The trail of a column whose stands have these fronts and this depth.
    #[must_use]
    pub fn of(fronts: &[Pose], depth: Mils) -> Self {
        let mut points: Vec<Point> = fronts.iter().map(|p| p.at).collect();
        if let Some(last) = fronts.last() {
            points.push(last.place(0, -depth));
        }
        Self { points }
    }

    /// The head goes on to a point.
    pub fn head_to(&mut self, point: Point) {
        if self.points.first() != Some(&point) {
            self.points.insert(0, point);
        }
    }

    /// The poses of so many stands of a depth along the trail, the first at its head.
    #[must_use]
    pub fn stands(&self, count: usize, depth: Mils, head: Facing) -> Vec<Pose> {
        let mut poses: Vec<Pose> = Vec::with_capacity(count);
        for i in 0..count {
            let front = self.back(depth * i32::try_from(i).unwrap_or(0), head);
            let rear = self.back(depth * (i32::try_from(i).unwrap_or(0) + 1), head);
            let before = poses.last().map_or(head, |p| p.facing);
            poses.push(Pose::new(front, rear.toward(front).unwrap_or(before)));
        }
        poses
    }

    /// The point so far behind the head; straight on where the trail ends.
    fn back(&self, mut way: Mils, head: Facing) -> Point {
        for pair in self.points.windows(2) {
            let piece = pair[0].distance(pair[1]);
            if way <= piece {
                return pair[0].on_the_way(pair[1], way);
            }
            way -= piece;
        }
        let n = self.points.len();
        let last = self.points.last().copied().unwrap_or_default();
        let back = match n {
            0 | 1 => head.back(),
            _ => self.points[n - 2].toward(last).unwrap_or(head.back()),
        };
        last + back.offset(0, way)
    }
}
