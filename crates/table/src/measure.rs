//! Lengths, points, facings and poses: the one law of position.
//!
//! A length is a whole number of thousandths of an inch, a facing a whole
//! number of hundredths of a degree. Whatever trigonometry computes is rounded
//! to that grid at once, relative to the pose it started from, so that a table
//! moved, mirrored or turned by a right angle gives the same numbers.

use std::ops::{Add, Neg, Sub};
use std::sync::LazyLock;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Thousandths of an inch.
pub type Mils = i32;

/// One inch.
pub const INCH: Mils = 1000;

/// Stands nearer than this touch; stands that reach into each other by no more do not overlap.
pub const TOUCH: Mils = 10;

/// No table is wider.
pub const FARTHEST: Mils = 1000 * INCH;

/// Inches as mils, to the nearest.
#[must_use]
pub fn mils(inches: f64) -> Mils {
    #[allow(clippy::cast_possible_truncation)] // clamped
    let mils = (inches * 1000.0).round().clamp(-2e9, 2e9) as i32;
    mils
}

/// Mils as inches.
#[must_use]
pub fn inches(mils: Mils) -> f64 {
    f64::from(mils) / 1000.0
}

/// Rounds half away from zero, so that mirrored lengths stay mirrored.
#[allow(clippy::cast_possible_truncation)] // tables are small
#[inline]
pub(crate) fn nearest(length: f64) -> Mils {
    (length + 0.5_f64.copysign(length)) as i32
}

/// The lesser of two numbers: `f64::min` also minds what is no number, and costs five times as much.
#[inline]
pub(crate) fn lesser(a: f64, b: f64) -> f64 {
    if b < a { b } else { a }
}

/// The greater of two numbers.
#[inline]
pub(crate) fn greater(a: f64, b: f64) -> f64 {
    if b > a { b } else { a }
}

/// A length written in inches.
pub mod as_inches {
    use super::{FARTHEST, Mils, inches, mils};
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    /// Writes mils as inches.
    ///
    /// # Errors
    /// Those of the serializer.
    pub fn serialize<S: Serializer>(length: &Mils, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_f64(inches(*length))
    }

    /// Reads inches as mils.
    ///
    /// # Errors
    /// If it is no number, or off any table.
    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Mils, D::Error> {
        let given = f64::deserialize(from)?;
        if given.is_nan() || given.abs() > inches(FARTHEST) {
            return Err(D::Error::custom(format!("{given:e} inches: no table is that large")));
        }
        Ok(mils(given))
    }
}

/// A place on the table: inches from the left edge and from the near edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Point {
    /// To the right.
    pub x: Mils,
    /// Away from the near edge.
    pub y: Mils,
}

impl Point {
    /// A point at some inches.
    #[must_use]
    pub fn at(x: f64, y: f64) -> Self {
        Self { x: mils(x), y: mils(y) }
    }

    /// The distance to another point, to the nearest mil.
    #[must_use]
    #[inline]
    pub fn distance(self, other: Self) -> Mils {
        nearest((other - self).length())
    }

    /// Whether another point is within a distance, to the nearest mil, or on its limit.
    #[must_use]
    #[inline]
    pub fn is_within(self, distance: Mils, other: Self) -> bool {
        let (d, most) = (other - self, i64::from(distance));
        let off = i64::from(d.x) * i64::from(d.x) + i64::from(d.y) * i64::from(d.y);
        // Half a mil more is rounded down: (most + 1/2)² is most² + most + 1/4.
        distance >= 0 && off <= most * most + most
    }

    /// The distance to the farthest of some points.
    #[must_use]
    pub fn farthest(self, points: impl IntoIterator<Item = Self>) -> Mils {
        let off = |p: Self| {
            let d = p - self;
            i64::from(d.x) * i64::from(d.x) + i64::from(d.y) * i64::from(d.y)
        };
        #[allow(clippy::cast_precision_loss)] // far below 2^53
        let most = points.into_iter().map(off).max().unwrap_or(0) as f64;
        nearest(most.sqrt())
    }

    #[inline]
    pub(crate) fn length(self) -> f64 {
        let (x, y) = (f64::from(self.x), f64::from(self.y));
        (x * x + y * y).sqrt()
    }

    /// The facing from here to another point; none if it is here.
    #[must_use]
    pub fn toward(self, other: Self) -> Option<Facing> {
        let d = other - self;
        (d != Self::default()).then(|| Facing::of_vector(d))
    }

    /// The point some way along the line to another.
    #[must_use]
    pub fn on_the_way(self, other: Self, way: Mils) -> Self {
        let whole = (other - self).length();
        if whole == 0.0 {
            return self;
        }
        let share = f64::from(way) / whole;
        let d = other - self;
        self + Self { x: nearest(f64::from(d.x) * share), y: nearest(f64::from(d.y) * share) }
    }
}

impl Add for Point {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        Self { x: self.x + other.x, y: self.y + other.y }
    }
}

impl Sub for Point {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        Self { x: self.x - other.x, y: self.y - other.y }
    }
}

impl Neg for Point {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Self { x: -self.x, y: -self.y }
    }
}

impl Serialize for Point {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        [inches(self.x), inches(self.y)].serialize(to)
    }
}

impl<'de> Deserialize<'de> for Point {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Pair(#[serde(with = "as_inches")] Mils, #[serde(with = "as_inches")] Mils);
        let Pair(x, y) = Pair::deserialize(from)?;
        Ok(Self { x, y })
    }
}

/// A compass direction: clockwise from the far edge, in hundredths of a degree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Facing(i32);

const CIRCLE: i32 = 36_000;

/// Sine and cosine of the first half of a right angle; the rest is mirrored from it exactly.
static OCTANT: LazyLock<Vec<(f64, f64)>> = LazyLock::new(|| {
    let radians = |h: i32| f64::from(h) * std::f64::consts::PI / 18_000.0;
    (0..=4500).map(|h| (libm::sin(radians(h)), libm::cos(radians(h)))).collect()
});

impl Facing {
    /// Toward the far edge.
    pub const NORTH: Self = Self(0);
    /// Toward the right edge.
    pub const EAST: Self = Self(9000);
    /// Toward the near edge.
    pub const SOUTH: Self = Self(18_000);
    /// Toward the left edge.
    pub const WEST: Self = Self(27_000);

    /// A facing of some hundredths of a degree.
    #[must_use]
    pub fn hundredths(hundredths: i32) -> Self {
        Self(hundredths.rem_euclid(CIRCLE))
    }

    /// A facing in degrees, to the nearest hundredth.
    #[must_use]
    pub fn degrees(degrees: f64) -> Self {
        Self::hundredths(turn(degrees))
    }

    /// In degrees, from 0 to under 360.
    #[must_use]
    pub fn in_degrees(self) -> f64 {
        f64::from(self.0) / 100.0
    }

    /// Turned to the right by hundredths of a degree.
    #[must_use]
    pub fn turned(self, hundredths: i32) -> Self {
        Self::hundredths(self.0 + hundredths)
    }

    /// The other way.
    #[must_use]
    pub fn back(self) -> Self {
        self.turned(CIRCLE / 2)
    }

    /// How far to turn to face another way: right is positive, at most half a circle.
    #[must_use]
    pub fn turn_to(self, other: Self) -> i32 {
        let turn = (other.0 - self.0).rem_euclid(CIRCLE);
        if turn > CIRCLE / 2 { turn - CIRCLE } else { turn }
    }

    fn of_vector(d: Point) -> Self {
        let (x, y) = (f64::from(d.x).abs(), f64::from(d.y).abs());
        let (small, large) = if x < y { (x, y) } else { (y, x) };
        let from_axis = nearest(libm::atan(small / large) * 18_000.0 / std::f64::consts::PI);
        let in_quadrant = if x < y { from_axis } else { 9000 - from_axis };
        Self::hundredths(match (d.x >= 0, d.y >= 0) {
            (true, true) => in_quadrant,
            (true, false) => 18_000 - in_quadrant,
            (false, false) => 18_000 + in_quadrant,
            (false, true) => -in_quadrant,
        })
    }

    /// Sine and cosine.
    #[inline]
    pub(crate) fn sin_cos(self) -> (f64, f64) {
        let quadrant = self.0 / 9000;
        let rest = self.0 % 9000;
        let at = |h: i32| OCTANT[usize::try_from(h).unwrap_or(0)];
        let (sin, cos) = if rest <= 4500 {
            at(rest)
        } else {
            let (s, c) = at(9000 - rest);
            (c, s)
        };
        match quadrant {
            0 => (sin, cos),
            1 => (cos, -sin),
            2 => (-sin, -cos),
            _ => (-cos, sin),
        }
    }

    /// The offset of a place so far to the right and so far ahead.
    #[must_use]
    pub fn offset(self, right: Mils, ahead: Mils) -> Point {
        offset(self.sin_cos(), right, ahead)
    }

    /// How far a vector goes to the right and ahead.
    #[must_use]
    pub fn across_and_ahead(self, vector: Point) -> (Mils, Mils) {
        let (r, a) = self.components(vector);
        (nearest(r), nearest(a))
    }

    #[inline]
    pub(crate) fn components(self, vector: Point) -> (f64, f64) {
        let (sin, cos) = self.sin_cos();
        let (x, y) = (f64::from(vector.x), f64::from(vector.y));
        (x * cos - y * sin, x * sin + y * cos)
    }
}

/// A place so far to the right of a direction, given by its sine and cosine, and so far ahead.
#[inline]
pub(crate) fn offset((sin, cos): (f64, f64), right: Mils, ahead: Mils) -> Point {
    let (r, a) = (f64::from(right), f64::from(ahead));
    Point { x: nearest(r * cos + a * sin), y: nearest(a * cos - r * sin) }
}

/// Degrees as hundredths.
#[must_use]
pub fn turn(degrees: f64) -> i32 {
    nearest((degrees * 100.0).clamp(-1e8, 1e8))
}

/// The length of an arc, to the nearest mil.
#[must_use]
pub fn arc(radius: Mils, hundredths: i32) -> Mils {
    nearest(f64::from(radius) * f64::from(hundredths.abs()) * std::f64::consts::PI / 18_000.0)
}

impl Serialize for Facing {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_f64(self.in_degrees())
    }
}

impl<'de> Deserialize<'de> for Facing {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let degrees = f64::deserialize(from)?;
        if !degrees.is_finite() || degrees.abs() > 100_000.0 {
            return Err(serde::de::Error::custom(format!("{degrees} is no facing: 0 to 360")));
        }
        Ok(Self::degrees(degrees))
    }
}

/// Where the middle of a front edge is, and which way it faces.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
pub struct Pose {
    /// The middle of the front edge.
    pub at: Point,
    /// The way it faces.
    pub facing: Facing,
}

impl Pose {
    /// A pose.
    #[must_use]
    pub fn new(at: Point, facing: Facing) -> Self {
        Self { at, facing }
    }

    /// The place so far to the right of the front and so far ahead of it.
    #[must_use]
    pub fn place(self, right: Mils, ahead: Mils) -> Point {
        self.at + self.facing.offset(right, ahead)
    }

    /// The same facing, so far to the right and ahead.
    #[must_use]
    pub fn shifted(self, right: Mils, ahead: Mils) -> Self {
        Self { at: self.place(right, ahead), facing: self.facing }
    }

    /// How far some places reach: to the left and right of the front, behind and ahead of it.
    #[must_use]
    pub fn extent(self, places: impl IntoIterator<Item = Point>) -> [(Mils, Mils); 2] {
        let (sin, cos) = self.facing.sin_cos();
        let seen = |place: Point| {
            let d = place - self.at;
            let (x, y) = (f64::from(d.x), f64::from(d.y));
            [nearest(x * cos - y * sin), nearest(x * sin + y * cos)]
        };
        let mut seen = places.into_iter().map(seen);
        let Some(first) = seen.next() else { return [(0, 0); 2] };
        seen.fold(first.map(|at| (at, at)), |[across, along], [x, y]| {
            [(across.0.min(x), across.1.max(x)), (along.0.min(y), along.1.max(y))]
        })
    }

    /// How far a place is to the right of the front and ahead of it.
    #[must_use]
    pub fn sees(self, place: Point) -> (Mils, Mils) {
        self.facing.across_and_ahead(place - self.at)
    }
}
