//! Stands as rectangles: overlap, contact, distance and the way they sweep.

use serde::{Deserialize, Serialize};

use crate::measure::{
    Facing, Mils, Point, Pose, TOUCH, as_inches, greater, lesser, nearest, offset,
};

/// The size of a stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Size {
    /// From flank to flank.
    #[serde(with = "as_inches")]
    pub width: Mils,
    /// From front to rear.
    #[serde(with = "as_inches")]
    pub depth: Mils,
}

/// The ground a stand covers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Footprint {
    /// Where its front is.
    pub pose: Pose,
    /// Front left, front right, rear right, rear left.
    pub corners: [Point; 4],
    /// The rectangle around it.
    bounds: Bounds,
    /// Sine and cosine of its facing.
    axis: (f64, f64),
    /// How far the front right corner is from the rear left, across and ahead.
    far: (f64, f64),
    /// Where its edges are, seen from its front: left, right, front, rear. Each is taken from
    /// both of its corners, so that a mirrored stand measures the same.
    edges: [f64; 4],
}

impl Footprint {
    /// The footprint of a stand with its front at a pose.
    #[must_use]
    pub fn of(pose: Pose, size: Size) -> Self {
        let (left, right) = (-size.width / 2, size.width - size.width / 2);
        let axis = pose.facing.sin_cos();
        let (sin, cos) = axis;
        let place = |right: Mils, ahead: Mils| pose.at + offset(axis, right, ahead);
        let corners =
            [place(left, 0), place(right, 0), place(right, -size.depth), place(left, -size.depth)];
        let components = |v: Point| {
            let (x, y) = (f64::from(v.x), f64::from(v.y));
            (x * cos - y * sin, x * sin + y * cos)
        };
        let far = components(corners[1] - corners[3]);
        let seen = corners.map(|c| components(c - pose.at));
        let edges = [
            f64::midpoint(seen[0].0, seen[3].0),
            f64::midpoint(seen[1].0, seen[2].0),
            f64::midpoint(seen[0].1, seen[1].1),
            f64::midpoint(seen[2].1, seen[3].1),
        ];
        Self { pose, corners, bounds: Bounds::around(&corners), axis, far, edges }
    }

    /// The footprints of stands of one size. Of those that face the same way only the first is
    /// reckoned: the others are the same, moved.
    #[must_use]
    pub fn of_all(poses: &[Pose], size: Size) -> Vec<Self> {
        let mut last: Option<Self> = None;
        let stand = |pose: &Pose| {
            let same = last.filter(|l| l.pose.facing == pose.facing);
            let foot = same
                .map_or_else(|| Self::of(*pose, size), |like| like.shifted(pose.at - like.pose.at));
            last = Some(foot);
            foot
        };
        poses.iter().map(stand).collect()
    }

    /// The same stand, moved without turning.
    #[must_use]
    #[inline]
    pub fn shifted(&self, by: Point) -> Self {
        let mut moved = *self;
        moved.pose.at = moved.pose.at + by;
        moved.corners = moved.corners.map(|c| c + by);
        moved.bounds = self.bounds.shifted(by);
        moved
    }

    /// The offset of a place so far to its right and so far ahead.
    #[inline]
    pub(crate) fn offset(&self, right: Mils, ahead: Mils) -> Point {
        offset(self.axis, right, ahead)
    }

    /// Sine and cosine of its facing.
    #[inline]
    pub(crate) fn axis(&self) -> (f64, f64) {
        self.axis
    }

    /// How far a vector goes to its right and ahead of it.
    #[inline]
    fn components(&self, v: Point) -> (f64, f64) {
        let (sin, cos) = self.axis;
        let (x, y) = (f64::from(v.x), f64::from(v.y));
        (x * cos - y * sin, x * sin + y * cos)
    }

    /// Its middle, rounded as seen from its front: the same place however the table lies.
    #[must_use]
    #[inline]
    pub fn centre(&self) -> Point {
        let at = self.pose.at;
        let sum = self.corners.iter().fold(Point::default(), |s, c| s + (*c - at));
        at + Point { x: nearest(f64::from(sum.x) / 4.0), y: nearest(f64::from(sum.y) / 4.0) }
    }

    /// The smallest and largest coordinates.
    #[must_use]
    #[inline]
    pub fn bounds(&self) -> Bounds {
        self.bounds
    }

    /// Whether two stands reach into each other. Touching is not overlapping.
    #[must_use]
    #[inline]
    pub fn overlaps(&self, other: &Self) -> bool {
        self.sweeps_over(Point::default(), other)
    }

    /// Whether the stand, moved by a vector, passes over another.
    #[must_use]
    #[inline]
    pub fn sweeps_over(&self, by: Point, other: &Self) -> bool {
        let to = self.bounds.shifted(by);
        if !self.bounds.and(to).meets(&other.bounds) {
            return false;
        }
        let origin = self.corners[0];
        let along = |axis: (f64, f64), p: Point| {
            let d = p - origin;
            f64::from(d.x) * axis.0 + f64::from(d.y) * axis.1
        };
        let apart = |axis: (f64, f64)| {
            let span = |corners: &[Point; 4]| {
                let at = corners.map(|c| along(axis, c));
                (at.into_iter().fold(f64::MAX, lesser), at.into_iter().fold(f64::MIN, greater))
            };
            let (mut low, mut high) = span(&self.corners);
            let way = along(axis, origin + by);
            if way < 0.0 {
                low += way
            } else {
                high += way
            }
            let (other_low, other_high) = span(&other.corners);
            lesser(high, other_high) - greater(low, other_low) <= f64::from(TOUCH)
        };
        let axes = |f: &Self| {
            let (sin, cos) = f.axis;
            [(sin, cos), (cos, -sin)]
        };
        let length = by.length();
        let sideways =
            (length > 0.0).then(|| (f64::from(by.y) / length, -f64::from(by.x) / length));
        !axes(self).into_iter().chain(axes(other)).chain(sideways).any(apart)
    }

    /// How far the stand can go in a direction until it reaches into another; `None` if it never
    /// does.
    #[must_use]
    pub fn way_until(&self, direction: Facing, other: &Self) -> Option<f64> {
        let origin = self.corners[0];
        let along = |axis: (f64, f64), p: Point| {
            let d = p - origin;
            f64::from(d.x) * axis.0 + f64::from(d.y) * axis.1
        };
        let span = |axis: (f64, f64), corners: &[Point; 4]| {
            corners
                .iter()
                .map(|c| along(axis, *c))
                .fold((f64::MAX, f64::MIN), |(low, high), at| (lesser(low, at), greater(high, at)))
        };
        let (sin, cos) = direction.sin_cos();
        // Passing wide of it, by the circles around both.
        let d = other.pose.at - self.pose.at;
        let across = f64::from(d.x) * cos - f64::from(d.y) * sin;
        let around = |f: &Self| f.far.0 / 2.0 + f.far.1 + 2.0;
        if across.abs() > around(self) + around(other) {
            return None;
        }
        let touch = f64::from(TOUCH);
        let (mut from, mut until) = (0.0_f64, f64::MAX);
        for stand in [self, other] {
            let (s, c) = stand.axis;
            for axis in [(s, c), (c, -s)] {
                let (low, high) = span(axis, &self.corners);
                let (other_low, other_high) = span(axis, &other.corners);
                // They overlap in this direction between these two ways.
                let (near, far) = (other_low - high + touch, other_high - low - touch);
                let speed = axis.0 * sin + axis.1 * cos;
                if speed.abs() < 1e-9 {
                    if near >= 0.0 || far <= 0.0 {
                        return None;
                    }
                } else {
                    let (a, b) = (near / speed, far / speed);
                    from = greater(from, lesser(a, b));
                    until = lesser(until, greater(a, b));
                }
            }
        }
        (from < until).then_some(from)
    }

    /// Whether they touch, or overlap.
    #[must_use]
    pub fn touches(&self, other: &Self) -> bool {
        self.is_within(TOUCH, other)
    }

    /// Whether they are within a distance, or on its limit.
    #[must_use]
    #[inline]
    pub fn is_within(&self, distance: Mils, other: &Self) -> bool {
        // A mil more: the corners are rounded.
        self.bounds.grown(distance + 1).meets(&other.bounds) && self.distance(other) <= distance
    }

    /// The nearest distance between two stands; 0 if they overlap.
    #[must_use]
    #[inline]
    pub fn distance(&self, other: &Self) -> Mils {
        if self.bounds.meets(&other.bounds) && self.overlaps(other) {
            return 0;
        }
        let from = |a: &Self, b: &Self| {
            a.corners.iter().map(|c| b.distance_squared(*c)).fold(f64::MAX, lesser)
        };
        nearest(lesser(from(self, other), from(other, self)).sqrt())
    }

    /// The nearest point of the stand to a point.
    #[must_use]
    pub fn nearest_to(&self, point: Point) -> Point {
        let (right, ahead) = self.components(point - self.corners[3]);
        let far = self.far;
        let (r, a) = (right.clamp(0.0, far.0.max(0.0)), ahead.clamp(0.0, far.1.max(0.0)));
        self.corners[3] + self.pose.facing.offset(nearest(r), nearest(a))
    }

    /// The points at which two stands are nearest to each other: on this one, on the other. Of
    /// several equally near the middle one, so that parallel fronts are parted squarely.
    #[must_use]
    pub fn nearest_points(&self, other: &Self) -> (Point, Point) {
        let mut pairs: Vec<(Mils, Point, Point)> = Vec::with_capacity(8);
        for corner in self.corners {
            let there = other.nearest_to(corner);
            pairs.push((corner.distance(there), corner, there));
        }
        for corner in other.corners {
            let here = self.nearest_to(corner);
            pairs.push((corner.distance(here), here, corner));
        }
        let least = pairs.iter().map(|p| p.0).min().unwrap_or(0);
        pairs.retain(|p| p.0 <= least + 1);
        // The mean is taken from this stand, so that it does not depend on where the table begins.
        let n = f64::from(i32::try_from(pairs.len().max(1)).unwrap_or(1));
        let origin = self.pose.at;
        let middle = |of: fn(&(Mils, Point, Point)) -> Point| {
            let sum = pairs.iter().map(|p| of(p) - origin).fold(Point::default(), |a, b| a + b);
            origin + Point { x: nearest(f64::from(sum.x) / n), y: nearest(f64::from(sum.y) / n) }
        };
        (middle(|p| p.1), middle(|p| p.2))
    }

    /// The way a stand in contact pushes this one: square to the edge they share, from it to this.
    /// Where two edges meet at a corner, the other's front or rear goes before its flanks, and its
    /// edges before one's own.
    #[must_use]
    pub fn pushed_by(&self, other: &Self) -> Facing {
        let apart = |to: Facing| {
            let from = Pose::new(other.pose.at, to);
            let ahead = |c: &Point| from.sees(*c).1;
            let near = self.corners.iter().map(ahead).min().unwrap_or(0);
            near - other.corners.iter().map(ahead).max().unwrap_or(0)
        };
        let edges = |of: Facing| [0, 18000, 9000, -9000].map(|turn| of.turned(turn));
        let all = edges(other.pose.facing).into_iter().chain(edges(self.pose.facing));
        // What a touch could make of it is no difference.
        let clearer = |a: (Mils, Facing), b: (Mils, Facing)| if b.0 > a.0 + TOUCH { b } else { a };
        let best = all.map(|to| (apart(to), to)).reduce(clearer);
        best.map_or(other.pose.facing, |(_, to)| to)
    }

    /// The distance from a point to the nearest part of the stand.
    #[must_use]
    #[inline]
    pub fn distance_to(&self, point: Point) -> Mils {
        nearest(self.distance_squared(point).sqrt())
    }

    #[inline]
    fn distance_squared(&self, point: Point) -> f64 {
        let (r, a) = self.outside(point);
        r * r + a * a
    }

    /// How far a point is past the nearer flank, and past the front or rear; 0 inside.
    #[inline]
    fn outside(&self, point: Point) -> (f64, f64) {
        let (across, ahead) = self.components(point - self.pose.at);
        let [left, right, front, rear] = self.edges;
        let past_flank = greater(left - across, across - right);
        let past_end = greater(ahead - front, rear - ahead);
        (greater(past_flank, 0.0), greater(past_end, 0.0))
    }

    /// Whether a point lies inside, or on the edge.
    #[must_use]
    #[inline]
    pub fn holds(&self, point: Point) -> bool {
        self.distance_squared(point) < 1.0
    }

    /// Whether the straight line between two points passes through it.
    #[must_use]
    #[inline]
    pub fn blocks(&self, from: Point, to: Point) -> bool {
        self.cut(from, to).is_some()
    }

    /// Whether it lies on the left of a straight line between two points that runs along one of its
    /// edges; nothing if the line does not. Two stands side by side leave no gap to see through.
    #[must_use]
    pub fn skirted(&self, from: Point, to: Point) -> Option<bool> {
        let (a, b) =
            (self.components(from - self.corners[3]), self.components(to - self.corners[3]));
        let (along, across) = ([(a.0, b.0), (a.1, b.1)], [self.far.0, self.far.1]);
        let touch = f64::from(TOUCH);
        let runs = |k: usize| {
            // The part of the line beside the stand, and where it is there, square to it.
            let ((from, to), end) = (along[1 - k], across[1 - k]);
            let way = to - from;
            if way.abs() < touch {
                return false;
            }
            let (t0, t1) = ((0.0 - from) / way, (end - from) / way);
            let (enter, leave) = (greater(lesser(t0, t1), 0.0), lesser(greater(t0, t1), 1.0));
            let at = |t: f64| along[k].0 + (along[k].1 - along[k].0) * t;
            let on =
                |edge: f64| (at(enter) - edge).abs() <= touch && (at(leave) - edge).abs() <= touch;
            (leave - enter) * way.abs() > touch && (on(0.0) || on(across[k]))
        };
        let (d, e) = (to - from, self.centre() - from);
        let left = i64::from(d.x) * i64::from(e.y) - i64::from(d.y) * i64::from(e.x) > 0;
        (runs(0) || runs(1)).then_some(left)
    }

    /// Where the straight line from a point within it to another leaves it.
    #[must_use]
    pub fn way_out(&self, from: Point, to: Point) -> Point {
        let Some((_, leave)) = self.cut(from, to) else { return from };
        let d = to - from;
        from + Point { x: nearest(f64::from(d.x) * leave), y: nearest(f64::from(d.y) * leave) }
    }

    /// The shares of a straight line at which it enters and leaves.
    #[inline]
    fn cut(&self, from: Point, to: Point) -> Option<(f64, f64)> {
        // The line against the rectangle, in the rectangle's own directions.
        let (a, b) =
            (self.components(from - self.corners[3]), self.components(to - self.corners[3]));
        let far = self.far;
        let (mut enter, mut leave) = (0.0_f64, 1.0_f64);
        for (from, to, end) in [(a.0, b.0, far.0), (a.1, b.1, far.1)] {
            let way = to - from;
            if way.abs() < 1e-9 {
                if from <= 0.0 || from >= end {
                    return None;
                }
                continue;
            }
            let (t0, t1) = ((0.0 - from) / way, (end - from) / way);
            enter = greater(enter, lesser(t0, t1));
            leave = lesser(leave, greater(t0, t1));
        }
        (enter < leave).then_some((enter, leave))
    }

    /// Whether any part of the stand lies in the wedge ahead of a front: between two lines
    /// going outward at 45 degrees from its corners. Lying on its edge is not enough.
    #[must_use]
    pub fn in_arc_of(&self, front: Pose, width: Mils) -> bool {
        self.within_arc(&Wedge::of(front, width))
    }

    /// The same for a wedge that is asked about many stands.
    #[must_use]
    pub fn within_arc(&self, wedge: &Wedge) -> bool {
        let seen = self.corners.map(|c| wedge.sees(c));
        // How deep a place lies in the wedge: ahead of the front, and inside both lines.
        let depths = |(r, a): (f64, f64)| [a, wedge.half + a - r, wedge.half + a + r];
        let touch = f64::from(TOUCH) / 2.0;
        let inside = |p: (f64, f64)| depths(p).iter().all(|d| *d > touch);
        if seen.iter().any(|p| inside(*p)) {
            return true;
        }
        // All corners outside one line: none of it is in.
        if (0..3).any(|k| seen.iter().all(|p| depths(*p)[k] <= touch)) {
            return false;
        }
        // Otherwise the part within all three lines, if there is any.
        let mut shape = Shape { corners: [(0.0, 0.0); 8], count: 4 };
        shape.corners[..4].copy_from_slice(&seen);
        for k in 0..3 {
            shape = shape.clipped(|p| depths(p)[k] - touch);
        }
        shape.count >= 3
    }
}

/// The ground ahead of a front that its fire covers.
#[derive(Debug, Clone, Copy)]
pub struct Wedge {
    at: Point,
    axis: (f64, f64),
    half: f64,
}

impl Wedge {
    /// The wedge ahead of a front of some width.
    #[must_use]
    pub fn of(front: Pose, width: Mils) -> Self {
        Self { at: front.at, axis: front.facing.sin_cos(), half: f64::from(width) / 2.0 }
    }

    /// How far a place is to its right and ahead of it.
    #[inline]
    fn sees(&self, place: Point) -> (f64, f64) {
        let ((sin, cos), d) = (self.axis, place - self.at);
        let (x, y) = (f64::from(d.x), f64::from(d.y));
        (x * cos - y * sin, x * sin + y * cos)
    }

    /// Whether nothing within a circle can lie in it: a quick look.
    #[must_use]
    #[inline]
    pub fn misses(&self, middle: Point, radius: Mils) -> bool {
        let (r, a) = self.sees(middle);
        // The lines go outward at 45 degrees, so a circle reaches the root of two past its middle.
        let radius = f64::from(radius);
        a + radius < 0.0 || r.abs() - self.half - a > 1.415 * radius
    }
}

/// A convex shape of a few corners.
#[derive(Clone, Copy)]
struct Shape {
    corners: [(f64, f64); 8],
    count: usize,
}

impl Shape {
    /// What of it lies where a depth is not negative.
    fn clipped(&self, depth: impl Fn((f64, f64)) -> f64) -> Self {
        let mut kept = Self { corners: [(0.0, 0.0); 8], count: 0 };
        let mut keep = |p| {
            if kept.count < 8 {
                kept.corners[kept.count] = p;
                kept.count += 1;
            }
        };
        for i in 0..self.count {
            let (from, to) = (self.corners[i], self.corners[(i + 1) % self.count]);
            let (d0, d1) = (depth(from), depth(to));
            if d0 >= 0.0 {
                keep(from);
            }
            if (d0 < 0.0) != (d1 < 0.0) {
                let t = d0 / (d0 - d1);
                keep((from.0 + (to.0 - from.0) * t, from.1 + (to.1 - from.1) * t));
            }
        }
        kept
    }
}

/// A rectangle along the table's edges, for looking quickly.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// The smallest coordinates.
    pub low: Point,
    /// The largest.
    pub high: Point,
}

impl Bounds {
    /// Around some points.
    #[must_use]
    #[inline]
    pub fn around(points: &[Point]) -> Self {
        let first = points.first().copied().unwrap_or_default();
        points.iter().fold(Self { low: first, high: first }, |b, p| Self {
            low: Point { x: b.low.x.min(p.x), y: b.low.y.min(p.y) },
            high: Point { x: b.high.x.max(p.x), y: b.high.y.max(p.y) },
        })
    }

    /// Around both.
    #[must_use]
    #[inline]
    pub fn and(self, other: Self) -> Self {
        Self {
            low: Point { x: self.low.x.min(other.low.x), y: self.low.y.min(other.low.y) },
            high: Point { x: self.high.x.max(other.high.x), y: self.high.y.max(other.high.y) },
        }
    }

    /// Wider by so much on every side.
    #[must_use]
    #[inline]
    pub fn grown(self, by: Mils) -> Self {
        let by = Point { x: by, y: by };
        Self { low: self.low - by, high: self.high + by }
    }

    /// Whether two have anything in common.
    #[must_use]
    #[inline]
    pub fn meets(&self, other: &Self) -> bool {
        self.low.x <= other.high.x
            && other.low.x <= self.high.x
            && self.low.y <= other.high.y
            && other.low.y <= self.high.y
    }

    /// Moved.
    #[must_use]
    #[inline]
    pub fn shifted(self, by: Point) -> Self {
        Self { low: self.low + by, high: self.high + by }
    }

    /// Its middle.
    #[must_use]
    #[inline]
    pub fn middle(&self) -> Point {
        Point {
            x: i32::midpoint(self.low.x, self.high.x),
            y: i32::midpoint(self.low.y, self.high.y),
        }
    }

    /// Whether a point is farther off than some distance.
    #[must_use]
    #[inline]
    pub fn is_beyond(&self, distance: Mils, p: Point) -> bool {
        let off = |low: Mils, at: Mils, high: Mils| i64::from((low - at).max(at - high).max(0));
        let (x, y) = (off(self.low.x, p.x, self.high.x), off(self.low.y, p.y, self.high.y));
        // A mil more, for what is rounded.
        let distance = i64::from(distance) + 1;
        x * x + y * y > distance * distance
    }

    /// Whether a point is inside.
    #[must_use]
    #[inline]
    pub fn holds(&self, p: Point) -> bool {
        self.low.x <= p.x && p.x <= self.high.x && self.low.y <= p.y && p.y <= self.high.y
    }
}
