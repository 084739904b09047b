//! Going back: out of close range, a few inches, a full retreat. How far, which way, past whom.

use std::cell::RefCell;

use table::{Facing, Footprint, INCH, Mils, Point, TOUCH};

use super::Battle;
use super::card::Side;
use super::course::{Course, faced};
use super::drill::Sergeant;
use super::drill_places::middle_of;
use super::event::Pending;
use super::flight::{Back, Enough, FARTHEST, Flight, PIECE, last};
use super::formation::Formation;
use super::gap::gap_under;
use super::id::Id;
use super::state::{Placement, Unit, Whereabouts};
use super::way::Way;
use crate::maneuver::Order;

/// How far a way may bend to a side, in tens of degrees, the least first.
const BENDS: [i32; 8] = [1, 2, 3, 4, 5, 6, 7, 8];

/// A way that bends to a right angle leads off by no more than this from the way home, in hundredths
/// of a degree.
const HOMEWARD: i32 = 4500;

/// How long a way may lead aside before it goes straight back, in halves of the distance troops
/// keep from enemies.
const LEGS: [Mils; 7] = [1, 2, 3, 5, 7, 10, 14];

impl Battle {
    fn middle_of_unit(&self, unit: &Unit) -> Point {
        let building = unit.place.garrison.and_then(|g| self.field.piece(g));
        building.map_or(unit.middle, middle_of)
    }

    /// The middle of a unit that turns to flee: where it is now, or so far forward or back that the
    /// deeper formation is not laid over a house or a pond behind or before it, or over the edge.
    fn starting_point(
        &self,
        unit: &Unit,
        formation: Formation,
        (to, straight): (Facing, Facing),
    ) -> Point {
        let sergeant = Sergeant::new(self, unit);
        let from = self.middle_of_unit(unit);
        let mut left = self.field.lined_by(&unit.feet);
        left.extend(unit.place.garrison);
        let fits = |at: &Point| {
            let feet = unit.feet_at(&sergeant.around(*at, formation, faced(formation, to)));
            feet.iter().all(|f| self.field.holds(f)) && self.field.shut(&feet, &left).is_none()
        };
        let back = |n: Mils| from + straight.back().offset(0, n * INCH / 4);
        (0..=12).flat_map(|n| [n, -n]).map(back).find(fits).unwrap_or(from)
    }

    /// The unit in a formation with its middle where it is now, facing some way.
    pub(crate) fn turned(&self, unit: &Unit, formation: Formation, facing: Facing) -> Placement {
        Sergeant::new(self, unit).around(self.middle_of_unit(unit), formation, facing)
    }

    /// Whether nobody else stands on some ground.
    pub(crate) fn free(&self, unit: &Unit, feet: &[Footprint]) -> bool {
        self.overlapped(unit, feet, None).is_none()
    }

    /// The direction straight away from some enemies: from the nearest point of theirs to the
    /// nearest of one's own. In contact there is no such line: square to the edge they share.
    pub(crate) fn away_from(&self, unit: &Unit, enemies: &[Id]) -> Option<Facing> {
        let theirs = enemies.iter().filter_map(|e| self.unit(*e)).filter(|e| e.present());
        let enemy = theirs.min_by_key(|e| (e.distance(unit), e.id()))?;
        let pairs = enemy.feet.iter().flat_map(|b| unit.feet.iter().map(move |a| (a, b)));
        let (a, b) = pairs.min_by_key(|(a, b)| a.distance(b))?;
        let (own, other) = a.nearest_points(b);
        if own.distance(other) > 3 * TOUCH {
            return other.toward(own);
        }
        // Who has charged home goes back as he came, whichever edges meet.
        let front = unit.place.pose.facing;
        let charged = |c: &super::state::Charge| c.home && c.target == enemy.id();
        if unit.did.charge.as_ref().is_some_and(charged) {
            return Some(front.back());
        }
        Some(a.pushed_by(b))
    }

    /// The nearest enemy on the table.
    pub(crate) fn nearest_enemy(&self, unit: &Unit) -> Option<&Unit> {
        self.units
            .iter()
            .filter(|e| e.present() && e.side() != unit.side())
            .min_by_key(|e| (e.distance(unit), e.id()))
    }

    /// The way home: square to the side's own edge.
    pub(crate) fn homeward(&self, side: Side) -> Facing {
        self.terms.home[side.index()]
    }

    /// Out of close range, keeping formation and facing the enemy. The least bend that is clear.
    pub(crate) fn withdrawal(&self, unit: &Unit, enemy: Id) -> Flight {
        let away = self.away_from(unit, &[enemy]).unwrap_or(self.homeward(unit.side()));
        let threats: Vec<&Unit> = self.threats(unit).collect();
        let leaving = self.without_the_leaving(unit);
        let short = self.measures().short;
        let foe = |e: &&Unit| e.present() && e.side() != unit.side() && e.order != Order::Broken;
        let enemies: Vec<&Unit> = self.units.iter().filter(foe).collect();
        let there = RefCell::new(unit.clone());
        there.borrow_mut().place.garrison = None;
        let enough = |feet: &[Footprint]| {
            let way = Way::at(feet);
            let apart = enemies
                .iter()
                .all(|e| !way.reaches(e, short) || gap_under(&e.feet, feet, short).is_none());
            // Well beyond his close range nobody needs to be asked whether he sees it.
            let near = |e: &&Unit| {
                let close = self.close_range_of(e) + INCH;
                way.reaches(e, close) && gap_under(&e.feet, feet, close + 1).is_some()
            };
            if !apart || !threats.iter().any(near) {
                return apart;
            }
            let mut there = there.borrow_mut();
            there.stand_on(feet);
            leaving.as_ref().unwrap_or(self).close_to(&there).next().is_none()
        };
        let enough: Option<Enough<'_>> = Some(&enough);
        let back = Back { limit: [FARTHEST; 3], enough, from: &[], straight: away };
        // However its way bends, it shows the enemy its front.
        let start = self.turned_to(unit, away, &[enemy]);
        self.until_enough(unit, &start, back)
    }

    /// The battle without those of a unit's side who are about to go back as well: they hide it
    /// from nobody. Nothing if there are none.
    fn without_the_leaving(&self, unit: &Unit) -> Option<Self> {
        let goes = |u: &Unit| {
            let back = |p: &Pending| matches!(p, Pending::GoBack { unit, .. } if *unit == u.id());
            u.id() != unit.id() && u.side() == unit.side() && self.pending.iter().any(back)
        };
        if !self.units.iter().any(goes) {
            return None;
        }
        let ids: Vec<Id> = self.units.iter().filter(|u| goes(u)).map(Unit::id).collect();
        let mut without = self.clone();
        let gone = without.units.iter_mut().filter(|u| ids.contains(&u.card.id));
        gone.for_each(|u| u.whereabouts = Whereabouts::Reserve);
        Some(without)
    }

    /// A unit that has turned its front to whom it goes back from; as it stands, if turning would
    /// bring it up against another.
    fn turned_to(&self, unit: &Unit, away: Facing, from: &[Id]) -> Placement {
        let formation = self.formed(unit);
        let turned = self.turned(unit, formation, faced(formation, away));
        let (feet, short) = (unit.feet_at(&turned), self.measures().short);
        let met = self.units.iter().any(|e| {
            let other = e.present() && e.side() != unit.side() && e.order != Order::Broken;
            other
                && !from.contains(&e.id())
                && gap_under(&feet, &e.feet, short).is_some_and(|off| off < e.distance(unit))
        });
        if met && formation == unit.formation() { unit.place.clone() } else { turned }
    }

    /// Straight back until it is enough, or bending least.
    fn until_enough(&self, unit: &Unit, start: &Placement, back: Back<'_>) -> Flight {
        let flight = self.least_bend(unit.side(), back.straight, |to, floor| {
            self.flight(unit, &Course::straight(unit, start, to), back, floor)
        });
        self.wanting(unit, start, back, flight)
    }

    /// A way that is blocked, with what it had to go if nothing were in its way.
    fn wanting(
        &self,
        unit: &Unit,
        start: &Placement,
        back: Back<'_>,
        mut flight: Flight,
    ) -> Flight {
        if flight.blocked {
            let course = Course::straight(unit, start, back.straight);
            let sergeant = Sergeant::new(self, unit);
            let enough = |way: Mils| back.is_enough(&course.feet_at(&sergeant, way));
            let ways = (1..=FARTHEST / PIECE).map(|n| n * PIECE);
            let reached = ways.into_iter().find(|way| enough(*way)).unwrap_or(FARTHEST);
            flight.wanted = last((reached - PIECE, reached), |way| !enough(way)) + 1;
        }
        flight
    }

    /// The first of several directions, bending least, whose way is not blocked; the one that
    /// leads farthest straight back otherwise. Of two that bend alike the one toward home first;
    /// square off, as from between two enemies, it goes only homeward.
    pub(crate) fn least_bend(
        &self,
        side: Side,
        straight: Facing,
        fly: impl Fn(Facing, Option<Mils>) -> Flight,
    ) -> Flight {
        let home = self.homeward(side);
        let nearer = if straight.turn_to(home) < 0 { -1000 } else { 1000 };
        let bends = BENDS.iter().flat_map(|bend| [bend * nearer, -bend * nearer]);
        let square = straight.turned(9 * nearer);
        let square = Some(square).filter(|to| to.turn_to(home).abs() <= HOMEWARD);
        let ways = bends.map(|bend| straight.turned(bend)).chain(square);
        farthest(fly(straight, None), ways, &fly)
    }

    /// The same by ways with a corner, where one straight back is blocked: off to a side until what
    /// is in the way is passed, then straight back.
    fn way_round(
        &self,
        unit: &Unit,
        (direct, formation): (Flight, Formation),
        straight: Facing,
        back: Back<'_>,
    ) -> Flight {
        let sergeant = Sergeant::new(self, unit);
        let scale = self.measures().short / 2;
        let bends = BENDS.iter().chain(&[9]).flat_map(|bend| [*bend, -bend]);
        let legs = bends.flat_map(|bend| LEGS.iter().map(move |leg| (bend, leg)));
        farthest(direct, legs, |(bend, leg), floor| {
            let aside = straight.turned(bend * 1000);
            let from = self.starting_point(unit, formation, (aside, straight));
            let course = Course::round(&sergeant, from, formation, (aside, leg * scale), straight);
            self.flight(unit, &course, back, floor)
        })
    }

    /// The formation a unit withdraws in: its own, or outside a building a line.
    pub(super) fn formed(&self, unit: &Unit) -> Formation {
        match unit.formation() {
            _ if unit.order == Order::Broken && unit.formation() != Formation::Line => {
                Formation::Broken
            }
            Formation::Garrison | Formation::Broken
                if unit.card.only_open_order() || unit.place.on_foot =>
            {
                Formation::OpenOrder
            }
            Formation::Garrison | Formation::Broken => Formation::Line,
            f => f,
        }
    }

    /// A full retreat toward the own edge that at first leads away from the nearest enemy.
    pub(crate) fn full_retreat(&self, unit: &Unit, formation: Formation, from: &[Id]) -> Flight {
        let home = self.homeward(unit.side());
        let away = match self.nearest_enemy(unit) {
            Some(enemy) => self.away_from(unit, &[enemy.id()]),
            None => None,
        };
        // Bend from the way home no more than is needed to lead away from the enemy.
        let behind = away.filter(|a| a.turn_to(home).abs() > 9000);
        let turn = behind.map_or(0, |a| 9000 * a.turn_to(home).signum());
        let straight = behind.map_or(home, |a| a.turned(turn));
        let row = unit.card.row(formation, unit.place.on_foot);
        let back = Back { limit: row.full, enough: None, from, straight };
        let by_road = self.road_home(unit, formation, (straight, away), row);
        if let Some(flight) = by_road.map(|course| self.flight(unit, &course, back, None))
            && !flight.blocked
        {
            return flight;
        }
        if let Some(away) = behind {
            let asides = [straight, away.turned(-turn)];
            if let Some(flight) = self.then_home(unit, formation, (asides, home), back) {
                return flight;
            }
        }
        let from = self.starting_point(unit, formation, (straight, straight));
        let start = Sergeant::new(self, unit).around(from, formation, faced(formation, straight));
        // Its way is measured from where it stood.
        let on = straight.across_and_ahead(from - self.middle_of_unit(unit)).1;
        let rest = Back { limit: back.limit.map(|rate| rate - on), ..back };
        let direct = self.flight(unit, &Course::straight(unit, &start, straight), rest, None);
        self.way_round(unit, (direct, formation), straight, back)
    }

    /// Past an enemy who stands toward home: off to either side of him as short a way as will do,
    /// then home.
    fn then_home(
        &self,
        unit: &Unit,
        formation: Formation,
        (asides, home): ([Facing; 2], Facing),
        back: Back<'_>,
    ) -> Option<Flight> {
        let sergeant = Sergeant::new(self, unit);
        let step = self.measures().short / 4;
        let most = back.limit[0] / step.max(1);
        let from = asides.map(|aside| self.starting_point(unit, formation, (aside, aside)));
        let ways = (1..most).flat_map(|leg| [0, 1].map(|side| (leg, side)));
        let mut flights = ways.map(|(leg, side)| {
            let first = (asides[side], leg * step);
            let course = Course::round(&sergeant, from[side], formation, first, home);
            // Blocked ways are not compared here: none of them need be measured to the last.
            self.flight(unit, &course, back, Some(Mils::MAX))
        });
        // Round him, not away from home altogether.
        let here = unit.place.pose.at;
        let nearer = |flight: &Flight| home.across_and_ahead(flight.place.pose.at - here).1 > 0;
        flights.find(|flight| !flight.blocked && (flight.off || nearer(flight)))
    }

    /// The same as far as there is room: it does not leave the table.
    fn on_the_table(&self, unit: &Unit, course: &Course, back: Back<'_>) -> Flight {
        let flight = self.flight(unit, course, back, None);
        if !flight.off {
            return flight;
        }
        let room = Back { limit: [flight.way; 3], ..back };
        Flight { off: false, blocked: false, ..self.flight(unit, course, room, None) }
    }

    /// Straight back from the enemies fought until the nearest is a short way off.
    pub(crate) fn short_retreat(&self, unit: &Unit, from: &[Id], short: Mils) -> Flight {
        let front = unit.place.pose.facing;
        let away = self.away_from(unit, from).unwrap_or(front.back());
        // Straight back, facing the enemy: it keeps its front if that is toward him.
        let faces = front.turn_to(away.back()).abs() <= 4500 && unit.place.garrison.is_none();
        let away = if faces { front.back() } else { away };
        let enough = |feet: &[Footprint]| {
            from.iter()
                .filter_map(|e| self.unit(*e))
                .filter(|e| e.present())
                .all(|e| gap_under(feet, &e.feet, short).is_none())
        };
        let enough: Option<Enough<'_>> = Some(&enough);
        let back = Back { limit: [FARTHEST; 3], enough, from, straight: away };
        let start = match faces {
            true => unit.place.clone(),
            false => self.turned_to(unit, away, from),
        };
        let flight = self.on_the_table(unit, &Course::straight(unit, &start, away), back);
        // Struck on a flank it does not slide along its own line, or into what stands beside it:
        // it goes back over the ground behind it, if that is nearer.
        let rear = front.back();
        let beside = !flight.passed.is_empty() || flight.blocked;
        if beside && !faces && rear != away && unit.place.garrison.is_none() {
            let behind = Back { straight: rear, ..back };
            let course = Course::straight(unit, &unit.place, rear);
            let other = self.on_the_table(unit, &course, behind);
            if !other.blocked && (flight.blocked || other.way < flight.way) {
                return other;
            }
        }
        self.wanting(unit, &start, back, flight)
    }
}

/// The first way that is not blocked; otherwise one on which it gets half of its way rather than
/// none, and of these the one that leads farthest straight back, the first of equals.
fn farthest<C: Copy>(
    first: Flight,
    others: impl Iterator<Item = C>,
    fly: impl Fn(C, Option<Mils>) -> Flight,
) -> Flight {
    let mut best = first;
    for course in others {
        if !best.blocked {
            break;
        }
        let flight = fly(course, Some(best.gained));
        let better = match (best.cut_off(), flight.cut_off()) {
            (true, false) => true,
            (false, true) => false,
            _ => flight.gained > best.gained,
        };
        if !flight.blocked {
            best = flight;
        } else if better {
            // It may not have been measured to the last.
            best = fly(course, None);
        }
    }
    best
}
