//! Terrain as shapes: areas, and lines with a width.

use geo::{BoundingRect, ConvexHull, Intersects, LineString, MultiPoint, Polygon, Validation};

use crate::measure::{Mils, Point, Pose, TOUCH, greater, lesser, nearest};
use crate::stand::{Bounds, Footprint};

/// The shape of a piece of terrain.
#[derive(Debug, Clone, PartialEq)]
pub enum Outline {
    /// A closed area, corner by corner.
    Area(Vec<Point>),
    /// A line with so much ground to either side of it.
    Line(Vec<Point>, Mils),
}

/// A piece of terrain.
#[derive(Debug, Clone, PartialEq)]
pub struct Feature {
    outline: Outline,
    bounds: Bounds,
    line: LineString<f64>,
    /// Whether its points go round to the left.
    leftward: bool,
}

/// How much of a straight line lies in an area, and how much of it runs along the area's edge, with
/// the area on its left or on its right.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Stretch {
    /// Inside.
    pub inside: Mils,
    /// Along an edge: left and right.
    pub along: [Mils; 2],
}

fn coord(p: Point) -> geo::Coord<f64> {
    geo::Coord { x: f64::from(p.x), y: f64::from(p.y) }
}

/// The hull of the ground that stands cover on their way.
#[derive(Debug, Clone)]
pub struct Swept {
    corners: [Point; 8],
    bounds: Bounds,
    /// The directions square to its edges, and how far it reaches in each of them from its first
    /// corner.
    sides: [Span; 8],
    count: usize,
}

/// How far a shape reaches in a direction.
#[derive(Debug, Clone, Copy, Default)]
struct Span {
    direction: (f64, f64),
    low: f64,
    high: f64,
}

/// A few corners, seen from one of them.
type Seen = [(f64, f64); 8];

/// The directions square to the edges of the hull of some points, found by going round it.
fn square_to_hull(mut points: [Point; 8]) -> ([(f64, f64); 8], usize) {
    points.sort_unstable_by_key(|p| (p.x, p.y));
    let left_turn = |a: Point, b: Point, c: Point| {
        let wide = |p: Point| (i64::from(p.x), i64::from(p.y));
        let ((x1, y1), (x2, y2)) = (wide(b - a), wide(c - b));
        x1 * y2 - y1 * x2 > 0
    };
    let (mut found, mut count) = ([(0.0, 0.0); 8], 0);
    let mut half = |points: &mut dyn Iterator<Item = Point>| {
        let (mut chain, mut long) = ([Point::default(); 8], 0);
        for p in points {
            while long > 1 && !left_turn(chain[long - 2], chain[long - 1], p) {
                long -= 1;
            }
            chain[long] = p;
            long += 1;
        }
        for pair in chain[..long].windows(2) {
            let edge = pair[1] - pair[0];
            if let Some(place) = found.get_mut(count) {
                *place = (f64::from(edge.y), -f64::from(edge.x));
                count += 1;
            }
        }
    };
    half(&mut points.iter().copied());
    half(&mut points.iter().rev().copied());
    (found, count)
}

impl Swept {
    /// The ground between two places of a stand; reduced so that touching is not entering.
    #[must_use]
    pub fn between(from: &Footprint, to: &Footprint) -> Self {
        let (a, b) = (shrunk(from), shrunk(to));
        let corners = [a[0], a[1], a[2], a[3], b[0], b[1], b[2], b[3]];
        let (directions, count) = if from.pose.facing == to.pose.facing {
            // Its own two, and the one square to its way.
            let (sin, cos) = from.axis();
            let by = to.pose.at - from.pose.at;
            let aslant = (f64::from(by.y), -f64::from(by.x));
            let none = (0.0, 0.0);
            ([(sin, cos), (cos, -sin), aslant, none, none, none, none, none], 3)
        } else {
            square_to_hull(corners)
        };
        let seen: Seen = corners.map(|c| exactly(c - corners[0]));
        let mut sides = [Span::default(); 8];
        for (side, direction) in sides.iter_mut().zip(&directions[..count]) {
            let (low, high) = spread(&seen, *direction);
            *side = Span { direction: *direction, low, high };
        }
        Self { corners, bounds: Bounds::around(&corners), sides, count }
    }

    /// The hull itself; made only where a quick look does not decide.
    fn polygon(&self) -> Polygon<f64> {
        let points: MultiPoint<f64> = self.corners.iter().map(|p| geo::Point(coord(*p))).collect();
        points.convex_hull()
    }

    /// Whether a straight line meets it: they are apart if they are in one of the directions
    /// square to an edge of either.
    #[inline]
    fn meets_line(&self, a: Point, b: Point) -> bool {
        self.bounds.meets(&Bounds::around(&[a, b])) && self.meets_line_near(a, b)
    }

    fn meets_line_near(&self, a: Point, b: Point) -> bool {
        let (from, to) = (exactly(a - self.corners[0]), exactly(b - self.corners[0]));
        let apart = |side: &Span| {
            let (a, b) = (along(from, side.direction), along(to, side.direction));
            side.high < lesser(a, b) || side.low > greater(a, b)
        };
        if self.sides[..self.count].iter().any(apart) {
            return false;
        }
        let own = (f64::from(b.y - a.y), -f64::from(b.x - a.x));
        let (low, high) = spread(&self.corners.map(|c| exactly(c - a)), own);
        low <= 0.0 && high >= 0.0
    }
}

/// How far a vector goes in a direction.
#[inline]
fn along(v: (f64, f64), direction: (f64, f64)) -> f64 {
    v.0 * direction.0 + v.1 * direction.1
}

/// How far some corners reach in a direction.
#[inline]
fn spread(corners: &Seen, direction: (f64, f64)) -> (f64, f64) {
    corners.iter().fold((f64::MAX, f64::MIN), |(low, high), corner| {
        let at = along(*corner, direction);
        (lesser(low, at), greater(high, at))
    })
}

fn shrunk(f: &Footprint) -> [Point; 4] {
    let [a, b, c, d] = f.corners;
    let (inward, along) = (f.offset(TOUCH, -TOUCH), f.offset(TOUCH, TOUCH));
    [a + inward, b - along, c - inward, d + along]
}

impl Feature {
    /// A piece of terrain; `None` if an area has fewer than three corners or a line fewer than two.
    #[must_use]
    pub fn new(outline: Outline) -> Option<Self> {
        let (points, least, width) = match &outline {
            Outline::Area(points) => (points, 3, 0),
            Outline::Line(points, width) => (points, 2, *width),
        };
        if points.len() < least {
            return None;
        }
        let bounds = Bounds::around(points).grown(width);
        let line: LineString<f64> = points.iter().map(|p| coord(*p)).collect();
        let twice =
            |a: Point, b: Point| i64::from(a.x) * i64::from(b.y) - i64::from(a.y) * i64::from(b.x);
        let pairs = points.iter().zip(points.iter().cycle().skip(1));
        let leftward = pairs.map(|(a, b)| twice(*a, *b)).sum::<i64>() > 0;
        (Polygon::new(line.clone(), vec![]).bounding_rect().is_some()).then_some(Self {
            outline,
            bounds,
            line,
            leftward,
        })
    }

    /// Whether the edges of an area cross or touch each other: what is inside of it is a guess then.
    #[must_use]
    pub fn crosses_itself(&self) -> bool {
        matches!(self.outline, Outline::Area(_))
            && !Polygon::new(self.line.clone(), vec![]).is_valid()
    }

    /// Whether an area holds no ground: all its corners are in one line.
    #[must_use]
    pub fn is_flat(&self) -> bool {
        let mut corners = self.points().iter();
        let first = corners.next().copied().unwrap_or_default();
        let other = self.points().iter().copied().find(|p| *p != first).unwrap_or(first);
        matches!(self.outline, Outline::Area(_))
            && corners.all(|p| side(other - first, *p - first) == 0)
    }

    /// Its shape.
    #[must_use]
    pub fn outline(&self) -> &Outline {
        &self.outline
    }

    /// The rectangle around it.
    #[must_use]
    pub fn bounds(&self) -> Bounds {
        self.bounds
    }

    /// The points of its outline or line.
    #[must_use]
    pub fn points(&self) -> &[Point] {
        match &self.outline {
            Outline::Area(points) | Outline::Line(points, _) => points,
        }
    }

    /// Whether a point lies in it.
    #[must_use]
    pub fn holds(&self, p: Point) -> bool {
        self.bounds.holds(p)
            && match &self.outline {
                Outline::Area(points) => inside(points, exactly(p)),
                Outline::Line(points, width) => distance_to_line(points, p) <= *width,
            }
    }

    /// Whether a stand reaches into it.
    #[must_use]
    pub fn under(&self, stand: &Footprint) -> bool {
        self.bounds.meets(&stand.bounds()) && self.entered(&Swept::between(stand, stand))
    }

    /// Whether a way leads into it, or for a line without width, across it.
    #[must_use]
    pub fn entered(&self, way: &Swept) -> bool {
        if !self.bounds.meets(&way.bounds) {
            return false;
        }
        match &self.outline {
            Outline::Area(points) => {
                // Where it crosses no edge a way is wholly inside or wholly outside.
                let ends = points.iter().skip(1).chain(points.first());
                points.iter().zip(ends).any(|(a, b)| way.meets_line(*a, *b))
                    || inside(points, exactly(way.corners[0]))
            }
            Outline::Line(points, 0) => points.windows(2).any(|w| way.meets_line(w[0], w[1])),
            Outline::Line(points, width) => {
                let near = |w: &[Point]| Bounds::around(w).grown(*width).meets(&way.bounds);
                if !points.windows(2).any(near) {
                    return false;
                }
                let hull = way.polygon();
                self.line.intersects(&hull)
                    || hull.exterior().coords().any(|c| {
                        let p = Point { x: nearest(c.x), y: nearest(c.y) };
                        distance_to_line(points, p) < *width
                    })
                    || points.iter().any(|p| {
                        let ring: Vec<Point> = hull
                            .exterior()
                            .coords()
                            .map(|c| Point { x: nearest(c.x), y: nearest(c.y) })
                            .collect();
                        distance_to_line(&ring, *p) < *width
                    })
            }
        }
    }

    /// The nearest distance from a point to it; 0 inside.
    #[must_use]
    pub fn distance_to(&self, p: Point) -> Mils {
        match &self.outline {
            Outline::Area(_) if self.holds(p) => 0,
            Outline::Area(points) => {
                let mut ring = points.clone();
                ring.extend(points.first());
                distance_to_line(&ring, p)
            }
            Outline::Line(points, width) => (distance_to_line(points, p) - width).max(0),
        }
    }

    /// Whether a front is within a distance of a piece of its line, or of its edge, that runs more
    /// along the front than across it.
    #[must_use]
    pub fn runs_along(&self, front: Pose, within: Mils) -> bool {
        let closed = matches!(self.outline, Outline::Area(_));
        let points = self.points();
        let ends = points.iter().skip(1).chain(points.first().filter(|_| closed));
        points.iter().zip(ends).any(|(a, b)| {
            let (across, ahead) = front.facing.across_and_ahead(*b - *a);
            a != b && across.abs() >= ahead.abs() && distance_to_line(&[*a, *b], front.at) <= within
        })
    }

    /// The nearest distance from a stand to it; 0 if the stand reaches into it.
    #[must_use]
    pub fn gap(&self, stand: &Footprint) -> Mils {
        if self.under(stand) {
            return 0;
        }
        let width = if let Outline::Line(_, width) = &self.outline { *width } else { 0 };
        let own = stand.corners.iter().map(|c| self.distance_to(*c));
        let its = self.points().iter().map(|p| (stand.distance_to(*p) - width).max(0));
        own.chain(its).min().unwrap_or(Mils::MAX)
    }

    /// How much of the straight line between two points lies inside an area.
    #[must_use]
    pub fn length_inside(&self, from: Point, to: Point) -> Mils {
        self.stretch(from, to).inside
    }

    /// The same, with how much of it runs along the edge.
    #[must_use]
    pub fn stretch(&self, from: Point, to: Point) -> Stretch {
        let mut stretch = Stretch::default();
        let Outline::Area(points) = &self.outline else {
            return stretch;
        };
        if !self.bounds.meets(&Bounds::around(&[from, to])) {
            return stretch;
        }
        if let Some(inside) = clean_stretch(points, from, to) {
            return Stretch { inside, ..stretch };
        }
        let d = to - from;
        let mut cuts = Cuts::default();
        let ends = points.iter().skip(1).chain(points.first());
        for (a, b) in points.iter().copied().zip(ends.copied()) {
            if side(d, a - from) == 0 && side(d, b - from) == 0 {
                let (long, ahead) = overlap(d, a - from, b - from);
                stretch.along[usize::from(self.leftward != ahead)] += long;
            }
            if let Some(cut) = crossing(from, to, a, b) {
                cuts.add(cut);
            }
        }
        cuts.add(0.0);
        cuts.add(1.0);
        let (mut within, start) = (0.0, exactly(from));
        for pair in cuts.sorted().windows(2) {
            let t = f64::midpoint(pair[0], pair[1]);
            let middle = (start.0 + f64::from(d.x) * t, start.1 + f64::from(d.y) * t);
            if pair[1] - pair[0] > 1e-9 && inside(points, middle) {
                within += (pair[1] - pair[0]) * d.length();
            }
        }
        stretch.inside = nearest(within);
        stretch
    }

    /// Whether the straight line between two points crosses its line, or the edge of its area.
    #[must_use]
    pub fn crossed_by(&self, from: Point, to: Point) -> bool {
        if !self.bounds.meets(&Bounds::around(&[from, to])) {
            return false;
        }
        let points = self.points();
        let closed = usize::from(matches!(self.outline, Outline::Area(_)));
        (0..points.len() - 1 + closed)
            .any(|i| crossing(from, to, points[i], points[(i + 1) % points.len()]).is_some())
    }
}

/// Where a line crosses the edges of an area: a few places, kept without asking for memory.
#[derive(Default)]
struct Cuts {
    few: [f64; 8],
    count: usize,
    more: Vec<f64>,
}

impl Cuts {
    fn add(&mut self, cut: f64) {
        match self.few.get_mut(self.count) {
            Some(place) => *place = cut,
            None => self.more.push(cut),
        }
        self.count += 1;
    }

    fn sorted(&mut self) -> &[f64] {
        if self.count > self.few.len() {
            self.more.extend(self.few);
            self.more.sort_by(f64::total_cmp);
            return &self.more;
        }
        // A handful, put in order one by one.
        let few = &mut self.few[..self.count];
        for i in 1..few.len() {
            for k in (1..=i).rev() {
                if few[k - 1] <= few[k] {
                    break;
                }
                few.swap(k - 1, k);
            }
        }
        few
    }
}

/// On which side of a line from the same point another point lies: the left is positive.
#[inline]
fn side(line: Point, p: Point) -> i64 {
    i64::from(line.x) * i64::from(p.y) - i64::from(line.y) * i64::from(p.x)
}

/// How much of a straight line lies inside an area, if it ends on no edge, and passes no corner
/// before it or behind it: then every edge it crosses leads in or out, and nothing else need be asked.
fn clean_stretch(points: &[Point], from: Point, to: Point) -> Option<Mils> {
    let d = to - from;
    let mut cuts = Cuts::default();
    cuts.add(0.0);
    // Whether it begins inside: on as many edges as lie ahead of there, however far.
    let mut within = false;
    let mut a = points.last().copied()? - from;
    let mut side_of_a = side(d, a);
    for b in points.iter().map(|p| *p - from) {
        let side_of_b = side(d, b);
        if side_of_b == 0 {
            return None;
        }
        // Only an edge whose ends lie on either side of the line is crossed.
        if (side_of_a < 0) != (side_of_b < 0) {
            let edge = b - a;
            let (way, whole) = (side(a, edge), side(d, edge));
            if way == 0 || way == whole {
                return None;
            }
            if (way < 0) == (whole < 0) {
                within = !within;
                if way.abs() < whole.abs() {
                    #[allow(clippy::cast_precision_loss)] // far below 2^53
                    cuts.add(way as f64 / whole as f64);
                }
            }
        }
        (a, side_of_a) = (b, side_of_b);
    }
    cuts.add(1.0);
    let mut long = 0.0;
    for pair in cuts.sorted().windows(2) {
        if within {
            long += (pair[1] - pair[0]) * d.length();
        }
        within = !within;
    }
    Some(nearest(long))
}

/// Whether a place lies within an area; on its edge is not within. Exact for whole mils: no product
/// of lengths on a table is too large for it.
fn inside(points: &[Point], (x, y): (f64, f64)) -> bool {
    let Some(mut a) = points.last().copied().map(exactly) else { return false };
    let mut odd = false;
    for b in points.iter().copied().map(exactly) {
        // Only an edge that reaches the height of the place matters.
        if lesser(a.1, b.1) <= y && y <= greater(a.1, b.1) {
            let cross = (b.0 - a.0) * (y - a.1) - (b.1 - a.1) * (x - a.0);
            if cross == 0.0 && lesser(a.0, b.0) <= x && x <= greater(a.0, b.0) {
                return false;
            }
            // An edge that goes up past it has it on its left, one that goes down on its right.
            if (a.1 > y) != (b.1 > y) && (cross > 0.0) == (b.1 > a.1) {
                odd = !odd;
            }
        }
        a = b;
    }
    odd
}

/// A place in whole mils.
fn exactly(p: Point) -> (f64, f64) {
    (f64::from(p.x), f64::from(p.y))
}

/// How long a line and a piece of it, both from the same point, lie on each other, and whether the
/// piece goes the line's way.
fn overlap(line: Point, a: Point, b: Point) -> (Mils, bool) {
    let whole = line.length();
    if whole <= 0.0 {
        return (0, true);
    }
    let along = |p: Point| {
        (f64::from(p.x) * f64::from(line.x) + f64::from(p.y) * f64::from(line.y)) / whole
    };
    let (a, b) = (along(a), along(b));
    let (from, to) = (a.min(b).max(0.0), a.max(b).min(whole));
    (nearest((to - from).max(0.0)), b > a)
}

/// Where on the way from one point to another a segment is crossed, from 0 to 1.
fn crossing(from: Point, to: Point, a: Point, b: Point) -> Option<f64> {
    let wide = |p: Point| (i64::from(p.x), i64::from(p.y));
    let cross = |p: (i64, i64), q: (i64, i64)| p.0 * q.1 - p.1 * q.0;
    let (d, e, f) = (wide(to - from), wide(b - a), wide(a - from));
    let whole = cross(d, e);
    if whole == 0 {
        return None;
    }
    #[allow(clippy::cast_precision_loss)] // far below 2^53
    let (t, u) = (cross(f, e) as f64 / whole as f64, cross(f, d) as f64 / whole as f64);
    ((0.0..=1.0).contains(&t) && (0.0..=1.0).contains(&u)).then_some(t)
}

/// The distance from a point to a line of several pieces.
#[must_use]
pub fn distance_to_line(line: &[Point], p: Point) -> Mils {
    let to_piece = |a: Point, b: Point| -> f64 {
        let (d, e) = (b - a, p - a);
        let (dx, dy, ex, ey) = (f64::from(d.x), f64::from(d.y), f64::from(e.x), f64::from(e.y));
        let long = dx * dx + dy * dy;
        let t = if long == 0.0 { 0.0 } else { ((ex * dx + ey * dy) / long).clamp(0.0, 1.0) };
        let (x, y) = (ex - dx * t, ey - dy * t);
        x * x + y * y
    };
    let least = line.windows(2).map(|w| to_piece(w[0], w[1])).fold(f64::MAX, lesser);
    nearest(lesser(least.sqrt(), 2e9))
}
