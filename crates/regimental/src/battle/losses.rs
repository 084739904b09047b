//! Losses: stands, guns, leaders.

use journal::Recorder;
use rulebook::Check;
use table::{Facing, Footprint, INCH, Mils, Point, TOUCH};

use super::Battle;
use super::card::Side;
use super::drill_places::closed_up;
use super::event::{Event, Why};
use super::gap::gap;
use super::id::Id;
use super::melee::CONTACT;
use super::state::{Gone, GunStand, LeaderState, Placement, Unit, shifted};
use crate::FireEffect;
use crate::fallen_leader;
use crate::fire::Outcome;
use crate::maneuver::Order;

impl Battle {
    /// A unit loses stands, closes up, and is destroyed with the last. Guns lose gun stands.
    pub(crate) fn lose(turn: &mut Recorder<'_, Self>, id: Id, stands: u8, rule: &[&str]) {
        let Some(unit) = turn.unit(id).filter(|u| u.present()) else { return };
        let stands = stands.min(unit.stands);
        if stands == 0 {
            return;
        }
        let left = unit.stands - stands;
        let cited = turn.measures().clauses.cite(rule);
        turn.emit(Event::Lost { unit: id, stands, left, rule: cited });
        if left == 0 {
            Self::remove(turn, id, Gone::Destroyed, &["ruling.stand-removal"]);
        } else {
            Self::close_up(turn, id);
        }
    }

    /// The stands left take up their formation again.
    pub(crate) fn close_up(turn: &mut Recorder<'_, Self>, id: Id) {
        let Some(unit) = turn.unit(id).filter(|u| u.present()) else { return };
        let place = closed_up(turn, unit);
        let place = turn.in_contact_still(unit, place);
        let place = turn.somewhere_free(unit, place);
        if place != unit.place {
            turn.emit(Event::Placed {
                unit: id,
                why: Why::CloseUp,
                place,
                track: vec![],
                ground: None,
            });
            Self::follow_up(turn, id);
        }
    }

    /// Who has charged a line that drew together steps up to it: a charge that has come home stays in
    /// contact (ruling.stand-removal).
    fn follow_up(turn: &mut Recorder<'_, Self>, id: Id) {
        let home = |e: &&Unit| {
            let on_it = |c: &super::state::Charge| c.home && c.target == id;
            e.present() && !e.did.fought && e.did.charge.as_ref().is_some_and(on_it)
        };
        let chargers: Vec<Id> = turn.units.iter().filter(home).map(Unit::id).collect();
        // One after another: where the first has gone the next cannot.
        for unit in chargers {
            if let Some(place) = turn.stepped_up(unit, id) {
                let (why, track) = (Why::CloseUp, vec![]);
                turn.emit(Event::Placed { unit, why, place, track, ground: None });
            }
        }
    }

    /// Where a charger that is no longer in contact touches his target again, ahead or to a side, if
    /// there is room: the nearest such place.
    fn stepped_up(&self, charger: Id, target: Id) -> Option<Placement> {
        let (charger, target) = (self.unit(charger)?, self.unit(target)?);
        if charger.within(target, CONTACT) {
            return None;
        }
        let front = charger.place.pose.facing;
        let most = 2 * charger.size().width;
        let sides = [9000, -9000].map(|turn| front.turned(turn));
        let sidle = sides.into_iter().filter_map(|to| up_to(&charger.feet, target, to, most));
        let sidle = sidle.map(|(to, way)| (way, charger.place.shifted(to.offset(0, way))));
        // Straight ahead, or from half a stand or more to a side.
        let step = charger.size().width / 2;
        let ahead = [0, 1, -1, 2, -2, 3, -3, 4, -4].into_iter().filter_map(|n| {
            let aside = sides[0].offset(0, n * step);
            let feet = shifted(&charger.feet, aside);
            let (to, way) = up_to(&feet, target, front, most)?;
            Some(((n * step).abs() + way, charger.place.shifted(aside + to.offset(0, way))))
        });
        let places = ahead.chain(sidle);
        let free = |place: &Placement| {
            let feet = charger.feet_at(place);
            self.free(charger, &feet)
                && feet.iter().all(|f| self.field.holds(f))
                && self.field.shut(&feet, &[]).is_none()
        };
        places.filter(|(_, p)| free(p)).min_by_key(|(way, _)| *way).map(|(_, place)| place)
    }

    /// Who closes up in a charge does so toward those he has met: a charge that came home does not
    /// miss its combat for a stand lost on a wing.
    fn in_contact_still(&self, unit: &Unit, place: Placement) -> Placement {
        let charges = |a: &Unit, b: &Unit| {
            let on_it = |c: &super::state::Charge| c.home && c.target == b.id();
            !a.did.fought && a.did.charge.as_ref().is_some_and(on_it)
        };
        let met = self.units.iter().filter(|e| {
            e.present()
                && e.side() != unit.side()
                && (charges(unit, e) || charges(e, unit))
                && e.within(unit, CONTACT)
        });
        let met: Vec<&Unit> = met.collect();
        let touched = |place: &Placement| {
            let feet = unit.feet_at(place);
            met.iter().filter(|e| gap(&feet, &e.feet) <= CONTACT).count()
        };
        if met.is_empty() || touched(&place) == met.len() {
            return place;
        }
        // By half stands to either side, or up to one of them.
        let step = unit.size().width / 2;
        let front = place.pose.facing;
        let aside = [0, 1, -1, 2, -2, 3, -3, 4, -4].map(|n| (front.turned(9000), n * step));
        let feet = unit.feet_at(&place);
        let sides = [9000, -9000, 18_000, 0].map(|turn| front.turned(turn));
        let near = met.iter().flat_map(|e| {
            sides.into_iter().filter_map(|to| up_to(&feet, e, to, 4 * step)).collect::<Vec<_>>()
        });
        let free = |p: &Placement| self.overlapped(unit, &unit.feet_at(p), None).is_none();
        let ways = aside.into_iter().chain(near).map(|(to, way)| place.shifted(to.offset(0, way)));
        let ways: Vec<Placement> = ways.filter(free).collect();
        let best = ways.into_iter().rev().max_by_key(touched);
        best.unwrap_or(place)
    }

    /// The place itself if nobody stands there and it is on the table; otherwise the nearest
    /// place around that is free.
    pub(crate) fn somewhere_free(&self, unit: &Unit, place: Placement) -> Placement {
        let feet = unit.feet_at(&place);
        let fits = |by: Point| {
            let there: Vec<Footprint> = feet.iter().map(|f| f.shifted(by)).collect();
            there.iter().all(|f| self.field.holds(f))
                && self.overlapped(unit, &there, place.garrison).is_none()
                && self.field.shut(&there, place.garrison.as_slice()).is_none()
        };
        if fits(Point::default()) {
            return place;
        }
        let back = place.pose.facing.back();
        for ring in 1..160 {
            for turn in [0, 4500, -4500, 9000, -9000, 13_500, -13_500, 18_000] {
                let to: Facing = back.turned(turn);
                let by = to.offset(0, ring * INCH / 4);
                if fits(by) {
                    return place.shifted(by);
                }
            }
        }
        place
    }

    /// What fire does to its target.
    pub(crate) fn suffer(
        turn: &mut Recorder<'_, Self>,
        id: Id,
        out: &Outcome,
        rules: &[super::measures::Clause],
    ) {
        let Some(unit) = turn.unit(id).filter(|u| u.present()) else { return };
        if unit.is_guns() {
            Self::suffer_guns(turn, id, out);
            return;
        }
        if out.disordered && unit.order == Order::Good {
            turn.emit(Event::Ordered { unit: id, order: Order::Disordered, rules: rules.to_vec() });
        }
        let lost = u8::try_from(out.stands_lost).unwrap_or(u8::MAX);
        // The line that costs troops stands, before one that stops their charge.
        let said = |what: &str| rules.iter().find(|r| r.starts_with("fire.") && r.contains(what));
        let rule = said("troops").or_else(|| said("massed-target"));
        let rule = rule.map_or("fire.effect.telling.troops", |r| r);
        Self::lose(turn, id, lost, &[rule, "ruling.massed-target"]);
    }

    fn suffer_guns(turn: &mut Recorder<'_, Self>, id: Id, out: &Outcome) {
        // What is done to guns that are all silenced, and damaged twice, the ruling says.
        let (wrecked, damaged, silenced) = match out.effect {
            FireEffect::Withering => (
                "fire.effect.withering.gun-wrecked",
                "ruling.gun-states",
                "fire.effect.withering.guns-silenced",
            ),
            FireEffect::Telling => (
                "ruling.gun-states",
                "fire.effect.telling.gun-damaged",
                "fire.effect.telling.gun-silenced",
            ),
            FireEffect::Lively => {
                ("ruling.gun-states", "ruling.gun-states", "fire.effect.lively.cannonade-guns")
            }
            _ => ("ruling.gun-states", "ruling.gun-states", "fire.effect.galling.gun-silenced"),
        };
        for _ in 0..out.guns_wrecked {
            Self::wreck(turn, id, wrecked);
        }
        // Triple Alliance: one stand suffers both (ruling.telling-fire-guns).
        let same = turn.rules.fire.one_stand_suffers();
        if same && out.guns_damaged == 1 && out.guns_silenced == 1 {
            Self::silence_and_damage(turn, id, damaged);
            return;
        }
        let mut hit = None;
        for again in 0..out.guns_damaged {
            hit = Self::damage(turn, id, if again > 0 { "ruling.gun-states" } else { damaged });
        }
        for _ in 0..out.guns_silenced {
            let Some(unit) = turn.unit(id).filter(|u| u.present()) else { return };
            let sound = |i: usize| unit.guns.get(i).is_some_and(|g| !g.silenced);
            let other = (0..unit.guns.len()).find(|i| sound(*i) && Some(*i) != hit);
            let Some(stand) = other.or(hit.filter(|i| sound(*i))) else { continue };
            let state = GunStand { silenced: true, ..unit.guns[stand] };
            Self::gun(turn, id, stand, state, silenced);
        }
    }

    fn gun(turn: &mut Recorder<'_, Self>, unit: Id, stand: usize, state: GunStand, rule: &str) {
        let rule = turn.measures().clauses.cite(&[rule]);
        let stand = u8::try_from(stand).unwrap_or(u8::MAX);
        turn.emit(Event::Gun { unit, stand, state, wrecked: false, rule });
    }

    /// One stand is silenced and damaged, a sound one if there is any; if all are damaged already
    /// one is wrecked.
    fn silence_and_damage(turn: &mut Recorder<'_, Self>, id: Id, rule: &str) {
        let Some(unit) = turn.unit(id).filter(|u| u.present()) else { return };
        let undamaged = (0..unit.guns.len()).filter(|i| !unit.guns[*i].damaged);
        match undamaged.min_by_key(|i| unit.guns[*i].silenced) {
            Some(stand) => {
                let state = GunStand { silenced: true, damaged: true, ..unit.guns[stand] };
                Self::gun(turn, id, stand, state, rule);
            }
            None => Self::wreck(turn, id, rule),
        }
    }

    /// Damages a gun stand; one damaged already is wrecked.
    pub(crate) fn damage(turn: &mut Recorder<'_, Self>, id: Id, rule: &str) -> Option<usize> {
        let unit = turn.unit(id).filter(|u| u.present())?;
        match unit.guns.iter().position(|g| !g.damaged) {
            Some(stand) => {
                let state = GunStand { damaged: true, ..unit.guns[stand] };
                Self::gun(turn, id, stand, state, rule);
                Some(stand)
            }
            None => {
                Self::wreck(turn, id, rule);
                None
            }
        }
    }

    /// Wrecks a gun stand, the worst off first.
    pub(crate) fn wreck(turn: &mut Recorder<'_, Self>, id: Id, rule: &str) {
        let Some(unit) = turn.unit(id).filter(|u| u.present()) else { return };
        let worst = (0..unit.guns.len()).max_by_key(|i| {
            let g = unit.guns[*i];
            (u8::from(g.damaged) + u8::from(g.silenced) + u8::from(g.low), std::cmp::Reverse(*i))
        });
        let Some(stand) = worst else { return };
        let state = unit.guns[stand];
        let left = unit.stands - 1;
        let rule = turn.measures().clauses.cite(&[rule]);
        let at = u8::try_from(stand).unwrap_or(u8::MAX);
        turn.emit(Event::Gun { unit: id, stand: at, state, wrecked: true, rule });
        if left == 0 {
            Self::remove(turn, id, Gone::Destroyed, &["ruling.gun-states"]);
        } else {
            Self::close_up(turn, id);
        }
    }

    /// The leader nearest to a unit hit on a 10 checks (ruling.fallen-leader-check).
    pub(crate) fn leader_near(
        turn: &mut Recorder<'_, Self>,
        side: Side,
        feet: &[Footprint],
        unit: Id,
    ) {
        if let Some(leader) = turn.endangered(side, feet, unit) {
            Self::fallen_leader(turn, leader);
        }
    }

    /// The leader who checks if a unit is hit on a 10, if one is near.
    pub(crate) fn endangered(&self, side: Side, feet: &[Footprint], unit: Id) -> Option<Id> {
        let within = self.measures().fallen_leader;
        let edge = self.measures().scaled(INCH / 2);
        let near =
            self.leaders.iter().filter(|l| l.present() && l.card.side == side).filter_map(|l| {
                let at = self.leader_at(l);
                let far = feet.iter().map(|f| (f.distance_to(at) - edge).max(0)).min()?;
                let with = l.attached == Some(unit);
                let far = if with { 0 } else { far };
                (far <= within).then_some((
                    far,
                    !with,
                    l.attached.is_none(),
                    l.card.superior.is_some(),
                    l.card.id,
                ))
            });
        near.min().map(|(.., leader)| leader)
    }

    /// A leader checks whether he has fallen.
    pub(crate) fn fallen_leader(turn: &mut Recorder<'_, Self>, leader: Id) {
        let die = turn.throw(10);
        let mut cited = Vec::new();
        let outcome = fallen_leader::prepare(&turn.rules).resolve(die, &mut cited);
        let now = turn.leader(leader).map_or(LeaderState::Mounted, |l| l.state);
        let state = match outcome.effect {
            fallen_leader::Effect::Removed => LeaderState::Fallen,
            fallen_leader::Effect::OutOneTurn => LeaderState::Absent,
            fallen_leader::Effect::DismountedOneTurn => LeaderState::Dismounted,
            fallen_leader::Effect::None => now,
        };
        let rule = cited.first().map(|r| turn.measures().clauses.name(*r));
        let rule = rule.unwrap_or_else(|| turn.measures().clauses.cite(&["fallen-leader.die"]));
        turn.emit(Event::LeaderHit { leader, die, state, rule });
    }
}

/// How far some stands have to go in a direction to touch an enemy, if that is no farther than a limit.
fn up_to(feet: &[Footprint], enemy: &Unit, to: Facing, most: Mils) -> Option<(Facing, Mils)> {
    let pairs = feet.iter().flat_map(|a| enemy.feet.iter().map(move |b| (a, b)));
    let ways = pairs.filter_map(|(a, b)| a.way_until(to, b));
    #[allow(clippy::cast_possible_truncation)] // no farther than the table is wide
    let least = ways.reduce(f64::min)? as Mils;
    Some((to, least - TOUCH)).filter(|(_, way)| *way <= most)
}
