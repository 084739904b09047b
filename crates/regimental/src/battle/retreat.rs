//! Going back: out of close range, a few inches, a full retreat. How far, which way, past whom.

use std::cell::RefCell;

use table::{Facing, Footprint, INCH, Mils, Point, TOUCH};

use super::Battle;
use super::card::Side;
use super::course::{Course, faced};
use super::drill::Sergeant;
use super::drill_places::middle_of;
use super::event::Pending;
use super::flight::{Back, Enough, FARTHEST, Flight, Friends, PIECE, last};
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

/// The directions in which a way from several enemies is looked for are so far apart, in hundredths of
/// a degree.
const SWEEP: i32 = 500;

/// An enemy is ahead of a front that is turned from him by no more than this.
const AHEAD: i32 = 4500;

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

    /// Those a unit goes back from, with the direction straight away from each and how far it has
    /// still to go from him.
    pub(super) fn foes(&self, unit: &Unit, from: impl IntoIterator<Item = (Id, Mils)>) -> Vec<Foe> {
        let foe = |(id, wanted): (Id, Mils)| {
            let enemy = self.unit(id).filter(|e| e.present())?;
            let away = self.away_from(unit, &[id])?;
            Some(Foe { away, short_of: (wanted - enemy.distance(unit)).max(0) })
        };
        let mut foes: Vec<Foe> = from.into_iter().filter_map(foe).collect();
        // From whom it has farthest to go first: of equal ways the one straight away from him is taken.
        foes.sort_by_key(|foe| std::cmp::Reverse(foe.short_of));
        foes
    }

    /// The direction in which the least way leads far enough from all of some enemies; nothing if they
    /// are all around.
    pub(super) fn straight_away(&self, unit: &Unit, foes: &[Foe]) -> Option<Facing> {
        let far =
            |to: &Facing| foes.iter().map(|foe| foe.way(*to)).try_fold(0, |a, b| Some(a.max(b?)));
        let ways = self.all_round(unit, foes).filter_map(|to| Some((far(&to)?, to)));
        ways.min_by_key(|(way, _)| *way).map(|(_, to)| to)
    }

    /// The direction between enemies who are all around: as little toward any of them as can be.
    pub(super) fn between(&self, unit: &Unit, foes: &[Foe]) -> Option<Facing> {
        let toward = |to: &Facing| foes.iter().map(|foe| -foe.off(*to)).max();
        self.all_round(unit, foes).min_by_key(toward)
    }

    /// Directions all around, the one straight away from the first of some enemies first, and of two
    /// the one nearer to home.
    fn all_round(&self, unit: &Unit, foes: &[Foe]) -> impl Iterator<Item = Facing> {
        let home = self.homeward(unit.side());
        let first = foes.first().map(|foe| foe.away);
        let nearer = if first.is_some_and(|f| f.turn_to(home) < 0) { -1 } else { 1 };
        let turns = (1..=36).flat_map(move |n| [n * SWEEP * nearer, -n * SWEEP * nearer]);
        let around = std::iter::once(0).chain(turns);
        let around = around.filter_map(move |turn| Some(first?.turned(turn)));
        // And those between two of them, which may lie between two of these.
        let pairs = foes.iter().enumerate();
        let pairs = pairs.flat_map(|(i, a)| foes[i + 1..].iter().map(move |b| (a.away, b.away)));
        let between = pairs.map(|(a, b)| a.turned(a.turn_to(b) / 2));
        around.chain(foes.iter().map(|foe| foe.away)).chain(between)
    }

    /// Whom troops that go back out of close range have to leave behind: those they fought, and all
    /// who have them in close range.
    fn left_behind(&self, unit: &Unit, from: &[Id], leaving: Option<&Self>) -> Vec<Foe> {
        // Its limit is still close range.
        let near = |e: &Unit| (e.id(), self.close_range_of(e) + 1);
        let fought = from.iter().filter_map(|id| self.unit(*id)).map(near);
        let close = leaving.unwrap_or(self).close_to(unit);
        let close = close.filter(|e| !from.contains(&e.id())).map(near);
        self.foes(unit, fought.chain(close).collect::<Vec<_>>())
    }

    /// Whether a unit is out of close range of all it would have to leave behind.
    pub(super) fn is_far_enough(&self, unit: &Unit, from: &[Id]) -> bool {
        let foes = self.left_behind(unit, from, None);
        unit.place.garrison.is_none() && foes.iter().all(|foe| foe.short_of == 0)
    }

    /// Out of close range of all, keeping formation and facing them: the least way straight away from
    /// all of them, bending least; a way longer than close range and the distance troops keep only
    /// where there is no shorter one.
    pub(crate) fn withdrawal(&self, unit: &Unit, from: &[Id]) -> Flight {
        let leaving = self.without_the_leaving(unit);
        let foes = self.left_behind(unit, from, leaving.as_ref());
        let home = self.homeward(unit.side());
        let apart = self.straight_away(unit, &foes);
        let straight = apart.or_else(|| self.between(unit, &foes)).unwrap_or(home);
        let threats: Vec<&Unit> = self.threats(unit).collect();
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
        let usual = self.measures().close_range.max(self.measures().close_range_guns) + short;
        let back = Back { limit: [usual; 3], enough, friends: Friends::Pass, from: &[], straight };
        // However its way bends, it shows the enemies its front.
        let (start, front) = self.showing_its_front(unit, &foes, apart);
        let fly = |to: Facing, back: Back<'_>, floor: Option<Mils>| {
            self.flight(unit, &Course::straight(unit, &start, to), back, floor)
        };
        let shown = |flight: Flight| self.turned_at_its_end(unit, flight, front, back);
        let near = self.bends(unit.side(), straight).map(|to| fly(to, back, None));
        if let Some(near) = { near }.find(Flight::arrives) {
            return shown(near);
        }
        // Farther than that, but never toward anybody it goes back from.
        let far = Back { limit: [FARTHEST; 3], ..back };
        let leads_off = |to: &Facing| foes.iter().all(|foe| foe.away.turn_to(*to).abs() <= 9000);
        let ways = self.bends(unit.side(), straight).filter(leads_off);
        let flights = ways.map(|to| fly(to, far, None)).filter(Flight::arrives);
        if let Some(least) = flights.min_by_key(|flight| (flight.off, flight.way)) {
            return shown(least);
        }
        let stopped = self.least_bend(unit.side(), straight, |to, floor| fly(to, back, floor));
        shown(self.wanting(unit, &start, back, stopped))
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

    /// A unit that shows its front to those it goes back from: as it stands if it does already, or if
    /// they are all around it; otherwise turned to between them. Where it cannot turn it goes as it
    /// stands, and the front it is to show at the end of its way is given with it.
    fn showing_its_front(
        &self,
        unit: &Unit,
        foes: &[Foe],
        straight: Option<Facing>,
    ) -> (Placement, Option<Facing>) {
        let formation = self.formed(unit);
        let front = unit.place.pose.facing;
        let keeps = formation == unit.formation();
        let shows = |foe: &Foe| front.turn_to(foe.away.back()).abs() <= AHEAD;
        let to = match straight {
            Some(straight) if !(keeps && foes.iter().all(shows)) => {
                let toward = straight.back();
                let off = foes.iter().map(|foe| toward.turn_to(foe.away.back()));
                let (left, right) =
                    off.fold((0, 0), |(low, high), off| (low.min(off), high.max(off)));
                toward.turned(i32::midpoint(left, right))
            }
            _ if keeps => return (unit.place.clone(), None),
            _ => front,
        };
        let turned = self.turned(unit, formation, to);
        let feet = unit.feet_at(&turned);
        let fits = feet.iter().all(|f| self.field.holds(f))
            && self.field.shut(&feet, &self.field.lined_by(&unit.feet)).is_none()
            && !self.turns_up_against(unit, &feet);
        if fits || !keeps { (turned, None) } else { (unit.place.clone(), Some(to)) }
    }

    /// A unit that could not turn where it stood turns where it ends, if it can there and is far
    /// enough off all the same.
    fn turned_at_its_end(
        &self,
        unit: &Unit,
        flight: Flight,
        front: Option<Facing>,
        back: Back<'_>,
    ) -> Flight {
        let Some(front) = front.filter(|_| flight.arrives() && !flight.off) else { return flight };
        let mut there = unit.clone();
        there.stand_at(flight.place.clone());
        let place = Sergeant::new(self, unit).around(there.middle, unit.formation(), front);
        let feet = unit.feet_at(&place);
        let fits = feet.iter().all(|f| self.field.holds(f))
            && self.field.shut(&feet, &[]).is_none()
            && self.free(unit, &feet)
            && !self.turns_up_against(&there, &feet)
            && back.is_enough(&feet);
        if fits { Flight { place, ..flight } } else { flight }
    }

    /// Whether on some ground a unit would lie on an enemy, or be nearer to him than it is and than
    /// troops may be.
    fn turns_up_against(&self, unit: &Unit, feet: &[Footprint]) -> bool {
        let short = self.measures().short;
        let way = Way::at(feet);
        let nearer = |e: &Unit| {
            let off = gap_under(feet, &e.feet, short);
            way.lies_on(e) || off.is_some_and(|off| off < e.distance(unit))
        };
        let other = |e: &&Unit| e.present() && e.side() != unit.side() && e.order != Order::Broken;
        self.units.iter().filter(other).any(nearer)
    }

    /// A way that is blocked, with what it had to go if nothing were in its way.
    fn wanting(
        &self,
        unit: &Unit,
        start: &Placement,
        back: Back<'_>,
        mut flight: Flight,
    ) -> Flight {
        if !flight.arrives() {
            let course = Course::straight(unit, start, back.straight);
            let sergeant = Sergeant::new(self, unit);
            let enough = |way: Mils| back.is_enough(&course.feet_at(&sergeant, way));
            let ways = (1..=FARTHEST / PIECE).map(|n| n * PIECE);
            let reached = ways.into_iter().find(|way| enough(*way)).unwrap_or(FARTHEST);
            let wanted = last((reached - PIECE, reached), |way| !enough(way)) + 1;
            // Who has gone as far as anybody has to is not cut off.
            flight.wanted = wanted.min(back.limit[0]);
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
        farthest(fly(straight, None), self.bends(side, straight).skip(1), &fly)
    }

    /// The directions in which somebody may go back, the straight one first.
    fn bends(&self, side: Side, straight: Facing) -> impl Iterator<Item = Facing> + use<> {
        let home = self.homeward(side);
        let nearer = if straight.turn_to(home) < 0 { -1000 } else { 1000 };
        let bends = BENDS.into_iter().flat_map(move |bend| [bend * nearer, -bend * nearer]);
        let square = straight.turned(9 * nearer);
        let square = Some(square).filter(|to| to.turn_to(home).abs() <= HOMEWARD);
        let turned = bends.map(move |bend| straight.turned(bend));
        std::iter::once(straight).chain(turned).chain(square)
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
        let friends = Friends::MakeRoom;
        let back = Back { limit: row.full, enough: None, friends, from, straight };
        let by_road = self.road_home(unit, formation, (straight, away), row);
        if let Some(flight) = by_road.map(|course| self.flight(unit, &course, back, None))
            && flight.succeeds()
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
        flights.find(|flight| flight.succeeds() && (flight.off || nearer(flight)))
    }

    /// The same as far as there is room: it does not leave the table.
    fn on_the_table(&self, unit: &Unit, course: &Course, back: Back<'_>) -> Flight {
        let flight = self.flight(unit, course, back, None);
        if !flight.off {
            return flight;
        }
        let room = Back { limit: [flight.way; 3], ..back };
        let flight = self.flight(unit, course, room, None);
        // As far as there is room is far enough, out of contact.
        Flight { off: false, blocked: flight.in_contact, edge: true, ..flight }
    }

    /// Straight back from the enemies fought until the nearest is a short way off. A support makes room
    /// as it stands: it turns to nobody.
    pub(crate) fn short_retreat(
        &self,
        unit: &Unit,
        from: &[Id],
        (short, support): (Mils, bool),
    ) -> Flight {
        let front = unit.place.pose.facing;
        let foes = self.foes(unit, from.iter().map(|id| (*id, short)));
        let away = self.straight_away(unit, &foes).or_else(|| self.between(unit, &foes));
        let away = away.unwrap_or(front.back());
        // Straight back, facing the enemy: it keeps its front if that is toward him.
        let faces = front.turn_to(away.back()).abs() <= AHEAD && unit.place.garrison.is_none();
        let away = if faces { front.back() } else { away };
        let enough = |feet: &[Footprint]| {
            from.iter()
                .filter_map(|e| self.unit(*e))
                .filter(|e| e.present())
                .all(|e| gap_under(feet, &e.feet, short).is_none())
        };
        let enough: Option<Enough<'_>> = Some(&enough);
        // Aslant the way is longer than the distance it leads to; out of a house it is as long as it is.
        let housed = unit.place.garrison.is_some();
        let most = if housed { FARTHEST } else { 2 * short };
        let back =
            Back { limit: [most; 3], enough, friends: Friends::MakeRoom, from, straight: away };
        let (start, turns) = match faces || support {
            true => (unit.place.clone(), None),
            false => self.showing_its_front(unit, &foes, Some(away)),
        };
        let fly = |start: &Placement, to: Facing| {
            let back = Back { straight: to, ..back };
            self.on_the_table(unit, &Course::straight(unit, start, to), back)
        };
        let shown = |flight: Flight| self.turned_at_its_end(unit, flight, turns, back);
        let flight = fly(&start, away);
        // Struck on a flank it does not slide along its own line, or into what stands beside it:
        // it goes back over the ground behind it, if that is nearer.
        let rear = front.back();
        let beside = !flight.passed.is_empty() || !flight.room.is_empty() || !flight.arrives();
        if beside && !faces && rear != away && !housed && !support {
            let other = fly(&unit.place, rear);
            let nearer = !flight.arrives() || !flight.room.is_empty() || other.way < flight.way;
            if other.arrives() && nearer {
                return other;
            }
        }
        let flight = self.wanting(unit, &start, back, flight);
        let at_the_edge = flight.edge && !flight.in_contact;
        if flight.arrives() || housed || at_the_edge || 2 * flight.way >= flight.wanted {
            return shown(flight);
        }
        // Where that leads not even half of the way, aslant, as near to straight as leads there.
        let mut aslant = self.bends(unit.side(), away).skip(1).map(|to| fly(&start, to));
        shown(aslant.find(Flight::arrives).unwrap_or(flight))
    }
}

/// An enemy somebody goes back from.
pub(super) struct Foe {
    /// Straight away from him.
    away: Facing,
    /// How much of the distance to him is wanting.
    short_of: Mils,
}

/// Directions are compared over a way of this length.
const LONG: Mils = 10 * INCH;

impl Foe {
    /// How far a long way in some direction leads off from him.
    fn off(&self, to: Facing) -> Mils {
        self.away.across_and_ahead(to.offset(0, LONG)).1
    }

    /// How far a way in some direction is until he is far enough off; nothing if it never gets there,
    /// or hardly.
    fn way(&self, to: Facing) -> Option<Mils> {
        let off = self.off(to);
        let way = i64::from(self.short_of) * i64::from(LONG) / i64::from(off.max(1));
        // At a right angle or more nobody gets away from him.
        (off > LONG / 10 || self.short_of == 0 && off >= 0)
            .then(|| Mils::try_from(way).unwrap_or(Mils::MAX))
    }
}

/// The first way that leads to its end; otherwise one on which it gets half of its way rather than
/// none, and of these the one that leads farthest straight back, the first of equals.
fn farthest<C: Copy>(
    first: Flight,
    others: impl Iterator<Item = C>,
    fly: impl Fn(C, Option<Mils>) -> Flight,
) -> Flight {
    let mut best = first;
    for course in others {
        if best.succeeds() {
            break;
        }
        let flight = fly(course, Some(best.gained));
        let better = match (best.cut_off(), flight.cut_off()) {
            (true, false) => true,
            (false, true) => false,
            _ => flight.gained > best.gained,
        };
        if flight.succeeds() {
            best = flight;
        } else if better {
            // It may not have been measured to the last.
            best = fly(course, None);
        }
    }
    best
}
