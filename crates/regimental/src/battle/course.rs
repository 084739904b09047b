//! The way a retreat takes: straight, round something, or by a road that leads home.

use std::cell::OnceCell;

use table::{Bounds, Facing, Footprint, Mils, Point, Pose};

use super::Battle;
use super::drill::Sergeant;
use super::drill_places::along;
use super::formation::Formation;
use super::state::{Placement, Unit, shifted};
use super::terrain::Kind;
use crate::rates::{RoadRate, Row};

/// A way back from where it begins. What comes after its legs goes straight on.
pub(crate) struct Course {
    start: Placement,
    feet: Vec<Footprint>,
    to: Facing,
    legs: Option<Legs>,
}

/// A broken line to follow: a road, from the place on it where one stands, or a way round.
struct Legs {
    points: Vec<Point>,
    long: Mils,
    /// What following it gives, if it is a road.
    road: Option<RoadRate>,
    /// The unit on each leg and beyond, laid out with its middle where the way begins: the rest of
    /// the leg is the same, moved.
    laid: Vec<OnceCell<Laid>>,
}

/// A unit in its formation, with the ground its stands cover.
type Laid = (Placement, Vec<Footprint>);

/// Broken troops and limbered guns take a road that leads off by no more than this from their
/// shortest way home, in hundredths of a degree.
const LEADS_HOME: i32 = 4500;

impl Course {
    pub(crate) fn straight(unit: &Unit, start: &Placement, to: Facing) -> Self {
        Self { start: start.clone(), feet: unit.feet_at(start), to, legs: None }
    }

    /// One leg, then straight on: round what stands in the way.
    pub(crate) fn round(
        sergeant: &Sergeant<'_>,
        from: Point,
        formation: Formation,
        (first, long): (Facing, Mils),
        to: Facing,
    ) -> Self {
        let start = sergeant.around(from, formation, faced(formation, first));
        let points = vec![from, from + first.offset(0, long)];
        let feet = sergeant.unit.feet_at(&start);
        Self { start, feet, to, legs: Some(Legs::new(points, long, None)) }
    }

    /// The ground its stands can touch between two points of the way.
    pub(crate) fn ground(&self, (from, to): (Mils, Mils)) -> Bounds {
        let here = self.feet.iter().map(Footprint::bounds).reduce(Bounds::and);
        let here = here.unwrap_or(Bounds::around(&[self.start.pose.at]));
        match &self.legs {
            None => here.shifted(self.to.offset(0, from)).and(here.shifted(self.to.offset(0, to))),
            Some(legs) => {
                // However it turns on its way, no stand is farther from its middle than the unit
                // is long.
                let long = here.low.distance(here.high);
                let corners = legs.points.iter().copied();
                let ends = [from, to].map(|way| legs.at(way, self.to).at);
                Bounds::around(&corners.chain(ends).collect::<Vec<_>>()).grown(long)
            }
        }
    }

    /// Whether so much of the way leads past the corner of a way round.
    pub(crate) fn past_corner(&self, way: Mils) -> bool {
        self.legs.as_ref().is_some_and(|l| l.road.is_none() && way > l.long)
    }

    /// The places at which so much of the way bends.
    pub(crate) fn corners(&self, sergeant: &Sergeant<'_>, way: Mils) -> Vec<Pose> {
        let Some(legs) = &self.legs else { return vec![] };
        let mut before = 0;
        let ends = legs.points.windows(2).map(|p| p[0].distance(p[1]));
        let ends = ends.map(|long| {
            before += long;
            before
        });
        ends.take_while(|end| *end < way).map(|end| self.place(sergeant, end).pose).collect()
    }

    /// How much nearer so much of the way leads in a direction.
    pub(crate) fn gained(&self, way: Mils, direction: Facing) -> Mils {
        let by = match &self.legs {
            None => self.to.offset(0, way),
            Some(legs) => legs.at(way, self.to).at - legs.begin(),
        };
        Pose::new(Point::default(), direction).sees(by).1
    }

    /// Where its stands are at its beginning.
    pub(crate) fn feet(&self) -> &[Footprint] {
        &self.feet
    }

    /// The formation it is gone in.
    pub(crate) fn formation(&self) -> Formation {
        self.start.formation
    }

    /// A road is open ground, whatever it runs through.
    pub(crate) fn on_road(&self, way: Mils) -> bool {
        self.legs.as_ref().is_some_and(|l| l.road.is_some() && way <= l.long)
    }

    /// Where a unit is after so much of the way.
    pub(crate) fn place(&self, sergeant: &Sergeant<'_>, way: Mils) -> Placement {
        let Some(legs) = &self.legs else {
            return self.start.shifted(self.to.offset(0, way));
        };
        let here = legs.at(way, self.to);
        self.laid(sergeant, legs, &here).0.shifted(here.at - legs.begin())
    }

    /// The unit as it goes on a leg, at the beginning of the way.
    fn laid<'l>(&self, sergeant: &Sergeant<'_>, legs: &'l Legs, here: &Here) -> &'l Laid {
        let lay = || {
            let facing = faced(self.start.formation, here.heading);
            let place = sergeant.around(legs.begin(), self.start.formation, facing);
            let feet = sergeant.unit.feet_at(&place);
            (place, feet)
        };
        legs.laid[here.leg].get_or_init(lay)
    }

    /// The ground its stands cover after so much of the way.
    pub(crate) fn feet_at(&self, sergeant: &Sergeant<'_>, way: Mils) -> Vec<Footprint> {
        match &self.legs {
            None => shifted(&self.feet, self.to.offset(0, way)),
            Some(legs) => {
                let here = legs.at(way, self.to);
                shifted(&self.laid(sergeant, legs, &here).1, here.at - legs.begin())
            }
        }
    }

    /// Whether so much of the way is within a rate.
    pub(crate) fn within(&self, way: Mils, rate: Mils) -> bool {
        let road = self.legs.as_ref().and_then(|l| Some((l.long, l.road?)));
        let Some((long, road)) = road else { return way <= rate };
        let along = way.min(long);
        road.covers(way - along, along, rate)
    }
}

/// A place on a broken line.
struct Here {
    at: Point,
    /// Where the way leads there.
    heading: Facing,
    /// The leg it is on; the one after the last is beyond.
    leg: usize,
}

impl Legs {
    fn new(points: Vec<Point>, long: Mils, road: Option<RoadRate>) -> Self {
        let laid = points.iter().map(|_| OnceCell::new()).collect();
        Self { points, long, road, laid }
    }

    fn begin(&self) -> Point {
        self.points.first().copied().unwrap_or_default()
    }

    /// The place after some way.
    fn at(&self, way: Mils, beyond: Facing) -> Here {
        let mut left = way;
        for (leg, pair) in self.points.windows(2).enumerate() {
            let long = pair[0].distance(pair[1]);
            if left <= long && long > 0 {
                let heading = pair[0].toward(pair[1]).unwrap_or(beyond);
                return Here { at: pair[0].on_the_way(pair[1], left), heading, leg };
            }
            left -= long;
        }
        let end = self.points.last().copied().unwrap_or_default();
        let leg = self.points.len().saturating_sub(1);
        Here { at: end + beyond.offset(0, left), heading: beyond, leg }
    }
}

/// Broken troops show their backs, all others the enemy their front.
pub(crate) fn faced(formation: Formation, to: Facing) -> Facing {
    if formation == Formation::Broken { to } else { to.back() }
}

impl Sergeant<'_> {
    /// The unit in a formation around a middle, facing some way.
    pub(crate) fn around(&self, middle: Point, formation: Formation, facing: Facing) -> Placement {
        let probe = self.laid(Pose::new(Point::default(), Facing::NORTH), formation);
        let depth =
            probe.stands.iter().map(|s| -s.at.y).max().unwrap_or(0) + self.unit.size().depth;
        // The ranks of open order stand beside each other: their middle is not that of the front.
        let across = probe.stands.iter().map(|s| s.at.x);
        let (left, right) = across.fold((0, 0), |(low, high), x| (low.min(x), high.max(x)));
        let front = middle + facing.offset(-i32::midpoint(left, right), depth / 2);
        self.laid(Pose::new(front, facing), formation)
    }
}

impl Battle {
    /// The road a unit flees by, if it touches one that leads about the way it has to go.
    pub(crate) fn road_home(
        &self,
        unit: &Unit,
        formation: Formation,
        (straight, away): (Facing, Option<Facing>),
        row: Row,
    ) -> Option<Course> {
        if !formation.nature().roads || unit.place.garrison.is_some() {
            return None;
        }
        let roads = self.field.pieces.iter().filter(|p| p.kind == Kind::Road);
        let roads = roads.filter(|p| p.touched_by(&unit.feet));
        let ways = roads.flat_map(|road| {
            let mut points = road.shape.points().to_vec();
            let there = along(&points, unit.middle);
            points.reverse();
            let rate = if road.good { row.road } else { RoadRate::None };
            [(there, rate), (along(&points, unit.middle), rate)]
        });
        let ways = ways.filter_map(|(points, rate)| {
            let long = points.windows(2).map(|p| p[0].distance(p[1])).sum();
            let road = Legs::new(points, long, Some(rate));
            let heading = road.at(1, straight).heading;
            let off = straight.turn_to(heading).abs();
            let leads = off <= LEADS_HOME && away.is_none_or(|a| a.turn_to(heading).abs() <= 9000);
            (leads && long > 0).then_some((off, road, heading))
        });
        let (_, road, heading) = ways.min_by_key(|(off, road, _)| (*off, -road.long))?;
        let start = Sergeant::new(self, unit).around(
            road.points.first().copied()?,
            formation,
            faced(formation, heading),
        );
        let feet = unit.feet_at(&start);
        Some(Course { start, feet, to: straight, legs: Some(road) })
    }
}
