//! Command: which leader has a unit in hand, and leaders' own doings.

use table::{Bounds, Footprint, INCH, Mils, Point, Pose, Size};

use super::Battle;
use super::card::{Rating, Side};
use super::drill_places::{Station, station};
use super::event::{Event, Phase};
use super::id::Id;
use super::refusal::No;
use super::sight::Look;
use super::state::{Leader, LeaderState, Unit};
use super::terrain::{Ground, Kind, Piece};
use super::way::Way;
use crate::rates::{RoadRate, Row};
use journal::Recorder;

/// Who commands a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Commanded {
    /// The leader.
    pub leader: Id,
    /// How good he is.
    pub rating: Rating,
    /// Whether he only stands in.
    pub provisional: bool,
}

impl Battle {
    /// The leader who has a unit in command, if any (ruling.leader-hierarchy and the next ones).
    #[must_use]
    pub fn commanded(&self, unit: &Unit) -> Option<Commanded> {
        if !self.has(unit) {
            return self.find_leader(unit);
        }
        let ground = || {
            // A line of march brings orders from any distance.
            let far = if unit.formation().snakes() { table::FARTHEST } else { 0 };
            unit.bounds.grown(self.measures().radius + 2 * INCH + far)
        };
        self.memo.commands.or(unit.id(), ground, || self.find_leader(unit))
    }

    fn find_leader(&self, unit: &Unit) -> Option<Commanded> {
        let own = unit.card.leader?;
        // No chain of command is longer: a scenario with a circle in it is refused.
        let superior = |id: &Id| self.leader(*id).and_then(|l| l.card.superior);
        let chain = || std::iter::successors(Some(own), superior).take(8);
        let own_fallen = self.leader(own).is_none_or(|l| !l.present());
        for (rank, id) in chain().enumerate() {
            if let Some(leader) = self.leader(id).filter(|l| self.reaches_unit(l, unit)) {
                // The superior of a fallen leader commands provisionally; so does a stand-in.
                let provisional =
                    leader.stand_in || (rank > 0 && own_fallen) || self.militia_provisional(unit);
                return Some(Commanded { leader: id, rating: leader.rating, provisional });
            }
        }
        let other = self
            .leaders
            .iter()
            .filter(|l| l.card.side == unit.side() && chain().all(|id| id != l.card.id));
        // Of several his owner takes the best, and of equals the nearest.
        let other = other
            .filter(|l| self.reaches_unit(l, unit))
            .min_by_key(|l| (l.rating, self.leader_at(l).distance(unit.middle), l.card.id))?;
        Some(Commanded { leader: other.card.id, rating: other.rating, provisional: true })
    }

    fn militia_provisional(&self, unit: &Unit) -> bool {
        self.terms.militia_provisional && unit.card.is(super::card::Trait::Militia)
    }

    /// Whether a leader's radius reaches a unit.
    fn reaches_unit(&self, leader: &Leader, unit: &Unit) -> bool {
        if !leader.present() {
            return false;
        }
        if leader.attached == Some(unit.id()) {
            return true;
        }
        if let Some(first) = leader.attached.and_then(|a| self.unit(a))
            && self.in_line_of_march(first, unit)
        {
            return true;
        }
        let m = self.measures();
        let from = self.leader_at(leader);
        let half = m.scaled(INCH / 2);
        // Far beyond it, whichever part of the unit is nearest.
        if from.distance(unit.middle) - unit.radius - half > m.radius + INCH {
            return false;
        }
        let mut radius = m.radius;
        if self.terms.twilight.contains(&self.turn) {
            radius = radius.min(m.radius_twilight);
        }
        if self.terms.fog.contains(&self.turn) {
            radius = radius.min(m.radius_fog);
        }
        if leader.attached.is_some() {
            radius = radius.min(m.radius_attached);
        }
        if leader.state == LeaderState::Dismounted {
            radius = radius.min(m.radius_dismounted);
        }
        // Any stand of it, from the edge of his own.
        let near = |f: &&Footprint| (f.distance_to(from) - half).max(0) <= radius;
        unit.feet.iter().filter(near).any(|f| self.sees_to_command(from, f, unit, radius))
    }

    /// Whether a leader sees a stand he could command, within the radius that woods leave him.
    fn sees_to_command(&self, from: Point, stand: &Footprint, unit: &Unit, radius: Mils) -> bool {
        let (m, to) = (self.measures(), stand.centre());
        let half = m.scaled(INCH / 2);
        let sight = self.field.sight(from, to, m);
        if sight.blocked {
            return false;
        }
        // Woods that shorten the radius block a leader's view only past that; others as they block
        // anybody's, measured from the edge of his stand.
        let shortens = sight.dense || sight.light && m.any_woods_reduce;
        let radius = match shortens {
            true if sight.jungle => radius.min(m.radius_jungle),
            true => radius.min(m.radius_woods),
            false => radius,
        };
        let edge = from.on_the_way(to, half.min(from.distance(to)));
        let look = Look::Leader(unit.side());
        (stand.distance_to(from) - half).max(0) <= radius
            && (shortens || self.clear(edge, to, [None, Some(unit)], look))
    }

    /// Where a leader is: with his unit, if he is with one.
    #[must_use]
    pub fn leader_at(&self, leader: &Leader) -> Point {
        let with = leader.attached.and_then(|a| self.unit(a)).filter(|u| u.present());
        with.map_or(leader.at, |u| u.place.pose.at)
    }

    /// An unbroken line of march from one unit to another (ruling.contiguous-line-of-march).
    fn in_line_of_march(&self, first: &Unit, last: &Unit) -> bool {
        let marches = |u: &Unit| u.present() && u.formation().snakes();
        if !marches(first) || !marches(last) {
            return false;
        }
        let inch = self.measures().scaled(INCH);
        // He rides with the unit at its head: nobody marches before it.
        let leads = |u: &Unit| {
            let (tail, head) = (u.feet.last().copied(), first.feet.first().copied());
            tail.zip(head).is_none_or(|(t, h)| t.distance(&h) > inch)
        };
        let before = |u: &&Unit| marches(u) && u.side() == first.side() && u.id() != first.id();
        if !self.units.iter().filter(before).all(leads) {
            return false;
        }
        let mut chain = vec![first];
        let mut at = 0;
        while at < chain.len() {
            let ahead = chain[at];
            let tail = ahead.feet.last().copied();
            for unit in self.units.iter().filter(|u| marches(u) && u.side() == first.side()) {
                let head = unit.feet.first().copied();
                let follows = tail
                    .zip(head)
                    .is_some_and(|(t, h): (Footprint, Footprint)| t.distance(&h) <= inch);
                if follows && !chain.iter().any(|c| c.id() == unit.id()) {
                    chain.push(unit);
                }
            }
            at += 1;
        }
        chain.iter().any(|c| c.id() == last.id())
    }

    pub(crate) fn own_leader(&self, side: Side, id: Id) -> Result<&Leader, No> {
        match self.leader(id) {
            Some(leader) if leader.card.side == side => Ok(leader),
            Some(_) => {
                Err(self.no(&["ruling.leader-hierarchy"], format!("{id} is a leader of the enemy")))
            }
            None => Err(self.no(&["ruling.leader-hierarchy"], format!("there is no leader {id}"))),
        }
    }

    pub(crate) fn check_attach(&self, side: Side, leader: Id, unit: Id) -> Result<(), No> {
        let rules = ["sequence.maneuver.1-leaders", "ruling.attached-leader"];
        self.in_phase(side, &[Phase::Leaders], "sequence.maneuver.1-leaders")?;
        let l = self.own_leader(side, leader)?;
        let u = self.own_unit(side, unit)?;
        if !l.present() {
            return Err(self.no(&rules, format!("{leader} is not on the table")));
        }
        if l.attached.is_some() {
            return Err(
                self.no(&rules, format!("{leader} is with a unit already: detach him first"))
            );
        }
        let commands = |l: &Leader| u.card.leader == Some(l.card.id) || self.above(u, l.card.id);
        if !commands(l) {
            return Err(self
                .no(&["ruling.attached-leader"], format!("{unit} is not of {leader}'s command")));
        }
        let reach = self.measures().scaled(INCH / 2) + table::TOUCH;
        if !u.feet.iter().any(|f| f.distance_to(l.at) <= reach) {
            return Err(self.no(&rules, format!("{leader} does not touch {unit}")));
        }
        Ok(())
    }

    fn above(&self, unit: &Unit, leader: Id) -> bool {
        let mut next = unit.card.leader;
        for _ in 0..8 {
            match next.and_then(|id| self.leader(id)) {
                Some(l) if l.card.superior == Some(leader) => return true,
                Some(l) => next = l.card.superior,
                None => return false,
            }
        }
        false
    }

    pub(crate) fn check_detach(&self, side: Side, leader: Id) -> Result<(), No> {
        self.in_phase(side, &[Phase::Leaders], "sequence.maneuver.1-leaders")?;
        let l = self.own_leader(side, leader)?;
        if !l.present() || l.attached.is_none() {
            return Err(self.no(&["ruling.attached-leader"], format!("{leader} is with no unit")));
        }
        Ok(())
    }

    pub(crate) fn check_replace(&self, side: Side, leader: Id, unit: Id) -> Result<(), No> {
        self.in_phase(side, &[Phase::Leaders], "sequence.maneuver.1-leaders")?;
        let l = self.own_leader(side, leader)?;
        let u = self.own_unit(side, unit)?;
        if !matches!(l.state, LeaderState::Fallen | LeaderState::Returning) {
            return Err(self
                .no(&["ruling.leader-replacement"], format!("{leader} needs no replacement now")));
        }
        if u.card.leader != Some(leader) && !self.above(u, leader) {
            return Err(self.no(
                &["ruling.leader-replacement"],
                format!("{unit} is not of {leader}'s command"),
            ));
        }
        Ok(())
    }

    pub(crate) fn replace(turn: &mut Recorder<'_, Self>, leader: Id, unit: Id) {
        let Some(l) = turn.leader(leader) else { return };
        let fallen = l.state == LeaderState::Fallen;
        let rating = if fallen { l.card.replacement } else { l.rating };
        turn.emit(Event::LeaderReturned { leader, unit, rating, stand_in: false });
    }

    pub(crate) fn check_move_leader(&self, side: Side, leader: Id, to: Point) -> Result<(), No> {
        let rules = ["sequence.maneuver.2d-detached-leaders", "ruling.detached-leader-move"];
        self.in_phase(side, &[Phase::LeaderMoves], rules[0])?;
        let l = self.own_leader(side, leader)?;
        if !l.present() || l.attached.is_some() || l.moved {
            return Err(
                self.no(&rules, format!("{leader} is with a unit, off the table, or has moved"))
            );
        }
        let foot = disc(to, self.measures().scaled(INCH));
        if !self.field.holds(&foot) {
            return Err(self.no(&["ruling.table-edge"], "a leader stays on the table"));
        }
        if !self.rides_straight(l, to) && !self.leader_by_road(l, to) && !self.leader_round(l, to) {
            let (ground, barred) = self.leader_ground(l.at, to);
            if let Some(enemy) = self.enemy_ridden_through(l, (l.at, to)) {
                return Err(self.no(
                    &["ruling.detached-leader-move"],
                    format!("{leader} would ride through {enemy}; he passes through friends only"),
                ));
            }
            if barred {
                return Err(self.no(&["ruling.ground-classes"], "impassable ground is in the way"));
            }
            let limit = self.leader_row(l).full[ground as usize];
            return Err(self
                .no(
                    &rules,
                    format!(
                        "{leader} would ride {} inches over {} ground; he may go {}",
                        table::inches(l.at.distance(to)),
                        super::moves::ground_name(ground),
                        table::inches(limit)
                    ),
                )
                .instead(format!(
                    "go at most {} inches, or farther by a road",
                    table::inches(limit)
                )));
        }
        let enemy = self.units.iter().find(|u| {
            u.present()
                && u.side() != side
                && u.feet.iter().any(|f| f.distance_to(to) < self.measures().short)
        });
        if let Some(enemy) = enemy {
            return Err(self.no(
                &["ruling.enemy-proximity"],
                format!("{leader} would come within reach of {}", enemy.id()),
            ));
        }
        Ok(())
    }

    /// Whether a leader gets to a place as the crow flies.
    fn rides_straight(&self, leader: &Leader, to: Point) -> bool {
        let (way, rates) = (leader.at.distance(to), self.leader_row(leader).full);
        // Too far over open ground is too far over any.
        if way > rates[Ground::Open as usize] {
            return false;
        }
        let (ground, barred) = self.leader_ground(leader.at, to);
        way <= rates[ground as usize]
            && !barred
            && self.enemy_ridden_through(leader, (leader.at, to)).is_none()
    }

    /// Whether a leader gets to a place round a pond, a swamp or an enemy: by a corner of it, or
    /// along one of its sides. The slowest ground sets the rate of the whole ride.
    fn leader_round(&self, leader: &Leader, to: Point) -> bool {
        let row = self.leader_row(leader);
        let most = row.full[Ground::Open as usize];
        if leader.at.distance(to) > most {
            return false;
        }
        let ride = Bounds::around(&[leader.at, to]).grown(INCH);
        let pieces = self.field.on_the_way(ride).into_iter().map(|p| p.shape.bounds());
        let enemies = self.units.iter().filter(|u| u.present() && u.side() != leader.card.side);
        // Of an enemy he keeps as far as he must where he ends.
        let short = self.measures().short;
        let met = enemies.filter(|u| u.bounds.meets(&ride)).map(|u| u.bounds.grown(short));
        let rounds = pieces.chain(met).flat_map(|b| {
            // Half an inch for his stand, and a little to spare.
            let Bounds { low, high } = b.grown(self.measures().scaled(INCH / 2) + 2 * table::TOUCH);
            let corners = [low, Point { x: low.x, y: high.y }, high, Point { x: high.x, y: low.y }];
            (0..4).flat_map(move |i| {
                let (here, next, last) = (corners[i], corners[(i + 1) % 4], corners[(i + 3) % 4]);
                [vec![here], vec![here, next], vec![here, last]]
            })
        });
        let goes = |corners: &Vec<Point>| {
            let ways = [&[leader.at], corners.as_slice(), &[to]].concat();
            let way: Mils = ways.windows(2).map(|leg| leg[0].distance(leg[1])).sum();
            let mut ground = Ground::Open;
            for leg in ways.windows(2).filter(|_| way <= most) {
                let (under, barred) = self.leader_ground(leg[0], leg[1]);
                ground = ground.max(under);
                let free = !barred && self.field.on_table(leg[0]);
                if !free || self.enemy_ridden_through(leader, (leg[0], leg[1])).is_some() {
                    return false;
                }
            }
            way <= row.full[ground as usize]
        };
        rounds.into_iter().any(|corners| goes(&corners))
    }

    /// An enemy who stands across a leader's straight ride.
    fn enemy_ridden_through(&self, leader: &Leader, (from, to): (Point, Point)) -> Option<Id> {
        let width = self.measures().scaled(INCH);
        let (from, end) = ([disc(from, width)], [disc(to, width)]);
        let way = Way::new(&from, &end);
        let enemies = self.units.iter().filter(|u| u.present() && u.side() != leader.card.side);
        enemies.filter(|u| way.sweeps(u)).map(Unit::id).next()
    }

    /// Whether a leader gets to a place by a road: straight to it, along its middle as over open
    /// ground and on a good one by the bonus of the book, and straight on from it. The slowest
    /// ground sets the rate of the whole ride.
    fn leader_by_road(&self, leader: &Leader, to: Point) -> bool {
        let half = self.measures().scaled(INCH / 2);
        let row = self.leader_row(leader);
        let most = row.full[Ground::Open as usize].max(half);
        let near = |p: &&Piece| {
            let off = |at: Point| p.shape.bounds().is_beyond(most, at);
            p.kind == Kind::Road && !off(leader.at) && !off(to)
        };
        let mut roads = self.field.pieces.iter().filter(near);
        roads.any(|road| {
            let points = road.shape.points();
            let (on, off) = (station(points, leader.at), station(points, to));
            let beside = |p: Point, s: &Station| {
                // Who touches it is on it.
                if road.shape.distance_to(p) <= half { 0 } else { s.at.distance(p) }
            };
            let along = (on.before - off.before).abs();
            let good = if road.good { row.road } else { RoadRate::None };
            // What is too far over open ground is too far.
            let least = beside(leader.at, &on) + beside(to, &off);
            if !good.covers(least, along, row.full[Ground::Open as usize]) {
                return false;
            }
            let (mut aside, mut ground) = (0, Ground::Open);
            for (end, on_it) in [(leader.at, &on), (to, &off)] {
                let way = beside(end, on_it);
                let (here, barred) = self.leader_ground(end, on_it.at);
                if barred {
                    return false;
                }
                if way > 0 {
                    (aside, ground) = (aside + way, ground.max(here));
                }
            }
            let rate = row.full[ground as usize];
            good.covers(aside, along, rate)
        })
    }

    fn leader_row(&self, leader: &Leader) -> Row {
        match leader.state {
            LeaderState::Dismounted => self.rules.leader_rows[1],
            _ => self.rules.leader_rows[0],
        }
    }

    /// The ground of a straight ride, and whether something on it cannot be passed.
    fn leader_ground(&self, from: Point, to: Point) -> (Ground, bool) {
        let width = self.measures().scaled(INCH);
        let over = self.field.crossed(&[disc(from, width)], &[disc(to, width)], None);
        let barred = over.closed.is_some_and(|c| self.field.piece(c).is_some_and(|p| p.impassable));
        (over.ground, barred)
    }

    pub(crate) fn leader_limit(&self, leader: &Leader, to: Point) -> (Mils, Ground) {
        let (ground, _) = self.leader_ground(leader.at, to);
        (self.leader_row(leader).full[ground as usize], ground)
    }

    /// A leader alone whom an enemy unit meets, or goes over on its way from where it stood,
    /// rides to friends, or is taken (ruling.leader-alone).
    pub(crate) fn leaders_ridden_over(turn: &mut Recorder<'_, Self>, by: Id, before: &[Footprint]) {
        let width = turn.measures().scaled(INCH);
        let moved = turn.unit(by).filter(|u| u.present());
        let way = moved.filter(|u| before.len() == u.feet.len());
        let way = way.map(|u| (Way::new(before, &u.feet), u.side()));
        let caught: Vec<Id> = turn
            .leaders
            .iter()
            .filter(|l| l.present() && l.attached.is_none())
            .filter(|l| {
                let ground = Bounds::around(&[l.at]).grown(width / 2 + table::TOUCH);
                let over = || {
                    way.as_ref().is_some_and(|(way, side)| {
                        *side != l.card.side
                            && way.meets(&ground)
                            && way.sweeps_foot(&disc(l.at, width))
                    })
                };
                let met = |u: &Unit| {
                    u.bounds.meets(&ground)
                        && u.present()
                        && u.side() != l.card.side
                        && u.feet.iter().any(|f| f.touches(&disc(l.at, width)))
                };
                turn.units.iter().any(met) || over()
            })
            .map(|l| l.card.id)
            .collect();
        for id in caught {
            let Some(l) = turn.leader(id) else { continue };
            let friends = turn.units.iter().filter(|u| u.present() && u.side() == l.card.side);
            let off = |u: &Unit| u.feet.iter().map(|f| f.distance_to(l.at)).min().unwrap_or(0);
            let nearest = friends.min_by_key(|u| (off(u), u.id()));
            let refuge = nearest.filter(|u| {
                let (limit, _) = turn.leader_limit(l, u.middle);
                off(u) <= limit
            });
            match refuge.map(|u| u.middle) {
                Some(to) => turn.emit(Event::LeaderMoved { leader: id, to, attached: None }),
                None => turn.emit(Event::LeaderRemoved { leader: id }),
            }
        }
    }
}

/// A leader's stand, as the square around his disc.
pub(crate) fn disc(at: Point, width: Mils) -> Footprint {
    let pose = Pose::new(Point { x: at.x, y: at.y + width / 2 }, table::Facing::NORTH);
    Footprint::of(pose, Size { width, depth: width })
}
