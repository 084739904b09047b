//! A charge combat fought out, and what both sides do afterward.

use journal::Recorder;
use rulebook::Check;
use table::{Facing, Footprint, INCH, Mils, Pose, TOUCH};

use super::Battle;
use super::charge_way::{ChargeWay, Wheeled};
use super::course::Course;
use super::event::{Event, Mark, Pending, Why};
use super::flight::{Back, Friends};
use super::gap::{gap, gap_under};
use super::id::Id;
use super::measures::Clause;
use super::melee::Combat;
use super::moves::half;
use super::shares::{Share, cited_by};
use super::sight::Look;
use super::state::{Charge, Gone, Unit};
use super::terrain::Cover;
use crate::charge::{ChargeEffect, Move, State};
use crate::maneuver::Order;

/// Who goes back after a combat, how, how far, and from whom.
pub(super) struct GoingBack<'c> {
    pub(super) unit: Id,
    pub(super) how: Move,
    pub(super) inches: Mils,
    pub(super) from: &'c [Id],
}

/// A breakthrough wheels as far as it needs to.
const HALF_CIRCLE: i32 = 18_000;

impl Battle {
    /// Fights a combat out, ties included.
    pub(crate) fn fight(turn: &mut Recorder<'_, Self>, combat: &Combat) {
        let mut again = false;
        loop {
            let dice = [turn.throw(10), turn.throw(10)];
            let Ok(check) = turn.assess_combat(combat, again) else { return };
            let mut cited = Vec::new();
            let out = check.resolve(dice, &mut cited);
            let sides = check.modifiers();
            let of = |side: &str| {
                sides
                    .iter()
                    .filter(|c| {
                        c.side == Some(if side == "attacker" { "attacker" } else { "defender" })
                    })
                    .cloned()
                    .collect()
            };
            let (attacker, defender) = (turn.tally(of("attacker")), turn.tally(of("defender")));
            let applied: Vec<Clause> =
                cited.iter().map(|r| turn.measures().clauses.name(*r)).collect();
            let each = turn.shares(combat, &check, dice);
            // Before losses: a leader whose unit is wiped out checks too.
            let [attacking, defending] = check.leaders_check(dice);
            let beaten = [(attacking, &combat.attackers), (defending, &combat.defenders)];
            let beaten = beaten.into_iter().filter(|(checks, _)| *checks).flat_map(|(_, of)| of);
            let leaders: Vec<Id> = beaten
                .flat_map(|id| turn.leaders.iter().filter(|l| l.attached == Some(*id)))
                .filter(|l| l.present())
                .map(|l| l.card.id)
                .collect();
            turn.emit(Event::Fought {
                attackers: combat.attackers.clone(),
                defenders: combat.defenders.clone(),
                dice,
                attacker,
                defender,
                difference: out.difference,
                effect: out.effect,
                rules: cited_by(&applied, &each),
            });
            Self::share_losses(
                turn,
                &combat.attackers,
                &combat.defenders,
                (out.attacker.stands_lost, &applied),
            );
            Self::share_losses(
                turn,
                &combat.defenders,
                &combat.attackers,
                (out.defender.stands_lost, &applied),
            );
            Self::losses_of_the_disordered(turn, combat, &each, &applied);
            let hit = each.iter().find(|s| {
                s.damaged > 0 && turn.unit(s.unit).is_some_and(|u| u.present() && u.is_guns())
            });
            if let Some(guns) = hit.map(|s| s.unit) {
                Self::damage(turn, guns, "charge.hard-pressed.defender.gun-damaged");
            }
            Self::shake(turn, &each);
            let left = |turn: &Recorder<'_, Self>, side: &[Id]| turn.all(side).count() > 0;
            let undecided = out.effect == ChargeEffect::DesperateStruggle;
            if undecided && left(turn, &combat.attackers) && left(turn, &combat.defenders) {
                again = true;
                continue;
            }
            Self::aftermath(turn, combat, &each);
            Self::leaders_of_the_beaten(turn, combat, &leaders);
            return;
        }
    }

    /// The stand that only the disordered lose, where their side as a whole does not count as
    /// disordered.
    fn losses_of_the_disordered(
        turn: &mut Recorder<'_, Self>,
        combat: &Combat,
        each: &[Share],
        applied: &[Clause],
    ) {
        for side in [&combat.attackers, &combat.defenders] {
            if let Some((unit, stands, rule)) = turn.lost_by_the_disordered(side, each, applied) {
                Self::lose(turn, unit, stands, &[&rule, "ruling.charge-losses"]);
            }
        }
    }

    /// Takes the losses of a side.
    pub(super) fn share_losses(
        turn: &mut Recorder<'_, Self>,
        own: &[Id],
        other: &[Id],
        (lost, applied): (i32, &[Clause]),
    ) {
        let attacks = turn.all(own).any(|u| u.side() == turn.mover);
        let who = if attacks { "attacker" } else { "defender" };
        let cites = |r: &&Clause| {
            let side = r.contains(who) || r.contains(".both.");
            side && (r.contains("loss") || r.contains("outflanked"))
        };
        let rule = applied.iter().find(cites).map_or("ruling.charge-losses", |r| r);
        for (id, stands) in turn.losses_of((own, other), lost, applied) {
            if turn.unit(id).is_some_and(Unit::is_guns) {
                for _ in 0..stands {
                    Self::wreck(turn, id, rule);
                }
            } else {
                Self::lose(turn, id, stands, &[rule, "ruling.charge-losses"]);
            }
        }
    }

    pub(super) fn shake(turn: &mut Recorder<'_, Self>, each: &[Share]) {
        for Share { unit: id, outcome: out, rules: applied, .. } in each {
            let Some(unit) = turn.unit(*id).filter(|u| u.present()) else { continue };
            let guns = unit.is_guns();
            let order = match out.state {
                State::Disordered if !guns && unit.order == Order::Good => Some(Order::Disordered),
                State::Broken if !guns => Some(Order::Broken),
                _ => None,
            };
            if let Some(order) = order {
                let rules = applied.clone();
                turn.emit(Event::Ordered { unit: *id, order, rules });
            }
            match out.state {
                State::Eliminated if guns && out.moves == Move::Hold => {
                    // The line that loses such guns, before one that only silences them.
                    let lost = |r: &&Clause| r.contains("guns") && !r.contains("silenced");
                    let guns = applied.iter().find(lost);
                    let rule = guns.map_or("ruling.charge-losses", |r| r);
                    Self::remove(turn, *id, Gone::Captured, &[rule, "ruling.charge-losses"]);
                }
                State::Silenced | State::Disordered | State::Broken if guns => {
                    let said = applied.iter().find(|r| r.contains("silenced"));
                    Self::silence_all(turn, *id, said.map_or("ruling.gun-states", |r| r))
                }
                _ => {}
            }
        }
    }

    /// Who goes where afterward; the beaten first.
    pub(super) fn aftermath(turn: &mut Recorder<'_, Self>, combat: &Combat, each: &[Share]) {
        let ground = turn
            .all(&combat.defenders)
            .next()
            .or_else(|| combat.defenders.first().and_then(|d| turn.unit(*d)))
            .map_or(Pose::default(), |u| u.place.pose);
        let met = turn.all(&combat.attackers).next().map_or(ground, |u| u.place.pose);
        // Who fights on every side has no front to carry: the winner stands there already.
        let all_round = |d: &Unit| d.formation().nature().all_round;
        let ground = if turn.all(&combat.defenders).any(all_round) { met } else { ground };
        let behind_works =
            |d: &Unit| turn.cover_against(d, &d.feet, met.at, &|_| false) == Cover::Fortified;
        let stay = combat
            .defenders
            .iter()
            .filter_map(|d| turn.unit(*d))
            .any(|d| d.is_guns() || d.place.garrison.is_some() || behind_works(d));
        for id in combat.attackers.iter().chain(&combat.defenders) {
            if turn.unit(*id).is_some_and(Unit::present) {
                turn.emit(Event::Marked { unit: *id, mark: Mark::Fought, on: true });
            }
        }
        // Where both go back, from works or a square, the beaten make room first.
        let attacks = |s: &&Share| combat.attackers.contains(&s.unit);
        let each = each.iter().filter(|s| !attacks(s)).chain(each.iter().filter(attacks));
        let mut winners = Vec::new();
        // Who stands behind two of the beaten goes back with the first of them, once.
        let mut sent: Vec<Id> = Vec::new();
        for Share { unit: id, outcome: out, inches, supports, .. } in each {
            let attacks = combat.attackers.contains(id);
            let from = if attacks { combat.defenders.clone() } else { combat.attackers.clone() };
            let gone = turn.unit(*id).is_none_or(|u| !u.present());
            match out.moves {
                how @ (Move::RetreatShort | Move::RetreatBeyondCloseRange | Move::FullRetreat) => {
                    let back = GoingBack { unit: *id, how, inches: *inches, from: &from };
                    let behind = supports.iter().filter(|s| !sent.contains(s));
                    let behind: Vec<Id> = behind.copied().collect();
                    Self::queue_retreat(turn, &back, &behind, (out.may_recall, false));
                    sent.extend(behind);
                }
                _ if gone => {}
                Move::Carry => {
                    winners.push(Pending::GoOn { unit: *id, ground, recall: out.may_recall, stay })
                }
                Move::Breakthrough => winners.push(Pending::Breakthrough { unit: *id, ground }),
                Move::Hold if out.may_recall && !attacks => {
                    winners.push(Pending::GoOn { unit: *id, ground: met, recall: true, stay: true })
                }
                Move::Hold => {}
            }
        }
        // With both sides gone nobody holds the position; with the beaten gone the winner goes on.
        for pending in winners {
            turn.emit(Event::Queued { pending });
        }
    }

    /// Those who were with the beaten check; one whose unit is gone does not stay among enemies.
    fn leaders_of_the_beaten(turn: &mut Recorder<'_, Self>, combat: &Combat, leaders: &[Id]) {
        for leader in leaders {
            if turn.leader(*leader).is_some_and(|l| l.present()) {
                Self::fallen_leader(turn, *leader);
            }
        }
        for id in combat.attackers.iter().chain(&combat.defenders) {
            Self::leaders_ridden_over(turn, *id, &[]);
        }
    }

    /// A retreat with those who share it as supports, without losses: they were behind it when it
    /// was fought, whatever it lost. On a short retreat they make room first, keeping their distance;
    /// who stands behind those who are gone shares their retreat all the same.
    pub(super) fn queue_retreat(
        turn: &mut Recorder<'_, Self>,
        back: &GoingBack<'_>,
        supports: &[Id],
        (recall, checked): (bool, bool),
    ) {
        let off = |u: &Unit| turn.all(back.from).map(|e| e.distance(u)).min().unwrap_or(0);
        let lead = turn.unit(back.unit).filter(|u| u.present());
        let goes = (back.inches - lead.map_or(0, off)).max(0);
        let short = back.how == Move::RetreatShort;
        let supports = turn.all(supports).filter(|s| s.order != Order::Broken);
        let supports = supports.map(|s| (s.id(), if short { off(s) + goes } else { back.inches }));
        let mut going: Vec<(Id, Mils, bool)> = supports.map(|(id, far)| (id, far, false)).collect();
        let own = lead.map(|u| (u.id(), back.inches, recall));
        let at = if short { going.len() } else { 0 };
        going.splice(at..at, own);
        for (unit, inches, recall) in going {
            let support = unit != back.unit;
            let checked = checked && !support;
            let (how, from) = (back.how, back.from.to_vec());
            let pending = Pending::GoBack { unit, how, inches, from, recall, checked, support };
            turn.emit(Event::Queued { pending });
        }
    }

    /// Carries out a retreat after a combat or a checked charge.
    pub(crate) fn go_back(
        turn: &mut Recorder<'_, Self>,
        id: Id,
        how: Move,
        (inches, support): (Mils, bool),
        from: &[Id],
    ) {
        match how {
            Move::RetreatShort => {
                Self::flee(turn, id, Why::Back, |battle, unit| {
                    battle.short_retreat(unit, from, (inches, support))
                });
            }
            Move::RetreatBeyondCloseRange => Self::withdraw(turn, id, from),
            _ => Self::retreat_fully(turn, id, from),
        }
    }

    /// The enemies a unit has just fought that are still on the table: whom it charged, and who
    /// charged it.
    pub(crate) fn fought_by(&self, id: Id) -> Vec<Id> {
        let target = |u: &Unit| u.did.charge.as_ref().map(|c| c.target);
        let own = self.unit(id).and_then(target);
        let met = |e: &&Unit| Some(e.id()) == own || target(e) == Some(id);
        self.units
            .iter()
            .filter(|e| e.present() && e.did.fought)
            .filter(met)
            .map(Unit::id)
            .collect()
    }

    /// Recalls cavalry. Not if it could not get clear of the enemy: then nothing has happened.
    pub(crate) fn recall(
        turn: &mut Recorder<'_, Self>,
        id: Id,
        from: &[Id],
        way: Mils,
        facing: Facing,
    ) -> bool {
        let Some(unit) = turn.unit(id).filter(|u| u.present()) else { return false };
        // With those it fought gone, back the way it came.
        let short = turn.measures().short;
        let foes = turn.foes(unit, from.iter().map(|id| (*id, short)));
        let away = turn.straight_away(unit, &foes).or_else(|| turn.between(unit, &foes));
        let away = away.unwrap_or(unit.place.pose.facing.back());
        let row = unit.card.row(unit.formation(), unit.place.on_foot);
        let limit = row.full.map(|r| r.min(way));
        let back = Back { limit, enough: None, friends: Friends::Stay, from, straight: away };
        let start = turn.turned(unit, unit.formation(), facing);
        let mut flight = turn.least_bend(unit.side(), away, |to, floor| {
            turn.flight(unit, &Course::straight(unit, &start, to), back, floor)
        });
        if flight.off {
            // Nobody leaves the table of his own will: it stops at the edge.
            let back = Back { limit: [flight.way; 3], ..back };
            let to = start.pose.at.toward(flight.place.pose.at).unwrap_or(away);
            flight = turn.flight(unit, &Course::straight(unit, &start, to), back, None);
            flight.off = false;
        }
        let feet = unit.feet_at(&flight.place);
        let near = |e: &Unit| {
            let held = e.order != Order::Broken && e.place.garrison.is_none();
            held && gap_under(&feet, &e.feet, short - TOUCH).is_some()
        };
        if flight.way < short.min(way) || turn.all(from).any(near) {
            return false;
        }
        Self::take_flight(turn, id, flight, Why::Recall);
        true
    }

    /// The winner goes on to where the front of the beaten was.
    pub(crate) fn carry(turn: &mut Recorder<'_, Self>, id: Id, ground: Pose) {
        let Some(unit) = turn.unit(id).filter(|u| u.present()) else { return };
        let wanted = unit.place.pose.sees(ground.at).1.max(0);
        let row = unit.card.row(unit.formation(), unit.place.on_foot);
        let way = wanted.min(half(row.full[0], turn.measures().half)).min(turn.move_left(unit));
        // It does not come within 2 inches of anybody it does not charge (ruling.enemy-proximity).
        let keep = turn.measures().short;
        let facing = unit.place.pose.facing;
        let mut best = None;
        let mut at = 0;
        let start = unit.feet.clone();
        while at <= way {
            let by = facing.offset(0, at);
            let feet: Vec<Footprint> = start.iter().map(|f| f.shifted(by)).collect();
            let over = turn.field.crossed(&start, &feet, None);
            let clear = turn.free(unit, &feet)
                && feet.iter().all(|f| turn.field.holds(f))
                && over.closed.is_none()
                && over.obstacle.is_none()
                && !turn.units.iter().any(|e| {
                    let near = e.present() && e.side() != unit.side() && e.near(unit, keep + at);
                    let to = if near { gap(&feet, &e.feet) } else { keep };
                    to < keep && to < gap(&start, &e.feet)
                });
            if clear {
                best = Some(at);
            } else if best.is_some() {
                break;
            }
            at = if at < way { (at + INCH / 8).min(way) } else { way + 1 };
        }
        if let Some(way) = best.filter(|w| *w > 0) {
            let place = unit.place.shifted(facing.offset(0, way));
            let track = vec![unit.place.pose, place.pose];
            turn.emit(Event::Placed { unit: id, why: Why::Carry, place, track, ground: None });
            Self::leaders_ridden_over(turn, id, &start);
        }
    }

    /// What a charge, a countercharge or a breakthrough has left of its move; all of it for who did
    /// not move.
    fn move_left(&self, unit: &Unit) -> Mils {
        let row = unit.card.row(unit.formation(), unit.place.on_foot);
        let left = |rate: Mils, moved: Mils| (rate - moved).max(0);
        if let Some((moved, ground)) = unit.did.countercharged {
            return left(row.full[ground as usize], moved);
        }
        let Some(charge) = &unit.did.charge else { return row.full[0] };
        let rate = match unit.did.checked.and_then(|effect| self.pace_after(effect)) {
            _ if charge.second => self.breakthrough_rate(unit),
            Some(pace) => self.charge_rate(unit, pace, charge.disordered),
            None => row.full,
        };
        left(rate[charge.ground as usize], charge.moved)
    }

    /// On against the nearest enemy in sight, half a move; without one in reach, the position.
    pub(crate) fn break_through(turn: &mut Recorder<'_, Self>, id: Id, ground: Pose) {
        let Some(unit) = turn.unit(id).filter(|u| u.present() && u.order != Order::Broken) else {
            return;
        };
        match turn.second_charge(unit) {
            Some((hit, way)) => {
                let target = turn.unit(hit);
                let behind = target.is_some_and(|t| {
                    turn.behind_front(unit, t) && !t.formation().nature().all_round
                });
                let charge = Charge {
                    target: hit,
                    cold_steel: false,
                    disordered: false,
                    wheel: 0,
                    from_behind: behind,
                    moved: way.ahead,
                    ground: way.ground,
                    home: true,
                    second: true,
                };
                let track = vec![unit.place.pose, way.place.pose];
                let before = unit.feet.clone();
                turn.emit(Event::Placed {
                    unit: id,
                    why: Why::Breakthrough,
                    place: way.place,
                    track,
                    ground: Some(way.ground),
                });
                turn.emit(Event::ChargeMoved { unit: id, charge });
                turn.emit(Event::Marked { unit: id, mark: Mark::Fought, on: false });
                turn.emit(Event::Marked { unit: hit, mark: Mark::Fought, on: false });
                Self::leaders_ridden_over(turn, id, &before);
            }
            None => Self::carry(turn, id, ground),
        }
    }

    /// How far a breakthrough goes on each kind of ground.
    fn breakthrough_rate(&self, unit: &Unit) -> [Mils; 3] {
        let row = unit.card.row(unit.formation(), unit.place.on_foot);
        let share = self.rules.charge.breakthrough_share();
        row.full.map(|r| half(r, share))
    }

    /// The way of a breakthrough to the nearest enemy in sight, if it gets there.
    fn second_charge(&self, unit: &Unit) -> Option<(Id, ChargeWay)> {
        let rate = self.breakthrough_rate(unit);
        let far = rate.into_iter().max().unwrap_or(0);
        let foe = |e: &&Unit| e.present() && e.side() != unit.side() && e.sheltering.is_none();
        let enemies = || self.units.iter().filter(foe);
        // With nobody in reach at all nobody needs to be looked for.
        if !enemies().any(|e| self.in_reach(unit, e, far)) {
            return None;
        }
        let mut enemies: Vec<_> = enemies().map(|e| (e.distance(unit), e.id(), e)).collect();
        enemies.sort_unstable_by_key(|(off, id, _)| (*off, *id));
        let (_, _, enemy) = enemies.into_iter().find(|(.., e)| self.sees_unit(unit, e))?;
        // Wheeling as needed, at the cost of a wheel; where there is no room to wheel, straight on
        // until it brushes somebody.
        let way = self.seek_way(unit, enemy.id(), rate, HALF_CIRCLE).ok().map(|found| found.1);
        let way = way.or_else(|| self.brushing(unit, rate))?;
        way.hit.map(|hit| (hit, way))
    }

    /// How far a breakthrough that reaches nobody may go on, straight ahead.
    pub(crate) fn free_run(&self, unit: &Unit) -> Mils {
        if unit.order == Order::Broken || self.second_charge(unit).is_some() {
            return 0;
        }
        let rate = self.breakthrough_rate(unit);
        let way = self.straight_charge(&Wheeled::at_once(unit, unit.place.clone()), rate);
        let end = self.stop_short(unit, &way);
        self.until_near(unit, unit.place.pose.sees(end.pose.at).1.max(0))
    }

    /// A breakthrough that reaches nobody goes on as far as its owner likes.
    pub(crate) fn run_free(turn: &mut Recorder<'_, Self>, id: Id, inches: Mils) {
        let Some(unit) = turn.unit(id).filter(|u| u.present()) else { return };
        let place = unit.place.shifted(unit.place.pose.facing.offset(0, inches));
        let place = turn.somewhere_free(unit, place);
        let before = unit.feet.clone();
        let track = vec![unit.place.pose, place.pose];
        let why = Why::Breakthrough;
        turn.emit(Event::Placed { unit: id, why, place, track, ground: None });
        Self::leaders_ridden_over(turn, id, &before);
    }

    pub(super) fn sees_unit(&self, unit: &Unit, other: &Unit) -> bool {
        self.sees(unit, other, Look::Level)
    }

    /// Whether a charger sees whom he charges: where rulings let him, past his own open order.
    pub(super) fn sees_to_charge(&self, unit: &Unit, other: &Unit) -> bool {
        let through = self.measures().settings.charge_through_open_order;
        self.sees(unit, other, if through { Look::Charger(unit.side()) } else { Look::Level })
    }

    fn sees(&self, unit: &Unit, other: &Unit, look: Look) -> bool {
        let ends = [Some(unit), Some(other)];
        let sees = |a: &Footprint, b: &Footprint| self.clear(a.centre(), b.centre(), ends, look);
        unit.feet.iter().any(|a| other.feet.iter().any(|b| sees(a, b)))
    }
}
