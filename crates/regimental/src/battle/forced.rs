//! Results of a maneuver check that must be carried out: falling back, panic, rout.

use journal::Recorder;

use super::Battle;
use super::card::Carriage;
use super::event::{Event, Mark, Pending, Why};
use super::formation::Formation;
use super::id::Id;
use super::state::{Gone, GunStand, Unit};
use super::terrain::Kind;
use crate::maneuver::{Effect, Order};

/// What a result does to guns.
pub(super) struct GunsFate {
    /// They are lost, by this clause.
    pub(super) lost: Option<&'static str>,
    /// They are silenced, by this one.
    pub(super) silenced: Option<&'static str>,
    /// They do not fire this turn.
    shaken: bool,
    /// They limber up and retreat.
    pub(super) goes: bool,
}

impl Battle {
    /// The forced results of the group, to be carried out after the charges.
    pub(crate) fn queue_forced(turn: &mut Recorder<'_, Self>) {
        let ids: Vec<Id> = turn
            .units
            .iter()
            .filter(|u| u.present() && u.did.forced.is_some())
            .map(Unit::id)
            .collect();
        for unit in ids {
            turn.emit(Event::Queued { pending: Pending::Forced { unit } });
        }
    }

    /// Carries out a result that leaves no choice.
    pub(crate) fn forced(turn: &mut Recorder<'_, Self>, id: Id) {
        let Some(unit) = turn.unit(id).filter(|u| u.present()) else { return };
        let Some(effect) = unit.did.forced else { return };
        let broken = unit.order == Order::Broken;
        if unit.is_guns() {
            return Self::forced_guns(turn, id, effect);
        }
        let leaves = turn.must_leave(unit).is_some();
        match effect {
            Effect::Panic | Effect::Rout => {
                let row: &[&str] = match (effect, unit.order) {
                    (Effect::Rout, _) => {
                        &["maneuver.disordered.rout.retreat-broken", "maneuver.disordered.rout"]
                    }
                    (_, Order::Good) => &["maneuver.good-order.panic.troops"],
                    _ => &[
                        "maneuver.disordered.panic.retreat-broken",
                        "maneuver.good-order.panic.troops",
                    ],
                };
                let rules = vec![turn.measures().clauses.cite(row)];
                if let Some(order) = turn.rules.maneuver.order_after(unit.order, effect) {
                    turn.emit(Event::Ordered { unit: id, order, rules });
                }
                turn.emit(Event::Marked { unit: id, mark: Mark::FellBack, on: true });
                Self::retreat_fully(turn, id, &[]);
            }
            _ => {
                let left = turn.rules.maneuver.order_after(unit.order, effect);
                if broken {
                    Self::reform(turn, id, true);
                }
                if leaves {
                    Self::withdraw(turn, id, &[]);
                    if matches!(effect, Effect::FallBack | Effect::Wavering) {
                        turn.emit(Event::Marked { unit: id, mark: Mark::FellBack, on: true });
                    }
                }
                let order = match effect {
                    Effect::FallBack if leaves => {
                        left.map(|order| (order, "maneuver.good-order.fall-back.troops"))
                    }
                    Effect::FallBack => None,
                    Effect::Wavering => Some((
                        left.unwrap_or(Order::Good),
                        "maneuver.disordered.wavering.remain-disordered",
                    )),
                    Effect::Shaken => Some((Order::Good, "maneuver.disordered.shaken.good-order")),
                    _ => Some((Order::Good, "maneuver.disordered.rally.good-order")),
                };
                if let Some((order, rule)) =
                    order.filter(|_| turn.unit(id).is_some_and(Unit::present))
                {
                    let rules = vec![turn.measures().clauses.cite(&[rule])];
                    turn.emit(Event::Ordered { unit: id, order, rules });
                }
            }
        }
        if turn.unit(id).is_some_and(Unit::present) {
            turn.emit(Event::Ready { unit: id, pace: None });
        }
    }

    /// Back out of close range of those it fought, and of every other enemy.
    pub(crate) fn withdraw(turn: &mut Recorder<'_, Self>, id: Id, from: &[Id]) {
        // Who is far enough from all of them stays: a support, say, that nobody has in close range.
        if turn.unit(id).is_none_or(|unit| turn.is_far_enough(unit, from)) {
            return;
        }
        Self::flee(turn, id, Why::Withdraw, |battle, unit| battle.withdrawal(unit, from));
    }

    fn forced_guns(turn: &mut Recorder<'_, Self>, id: Id, effect: Effect) {
        let Some(unit) = turn.unit(id) else { return };
        let GunsFate { lost, silenced, shaken, goes } = turn.fate_of_guns(unit, effect);
        if let Some(rule) = lost {
            Self::remove(turn, id, Gone::Captured, &[rule]);
            return;
        }
        if let Some(rule) = silenced {
            Self::silence_all(turn, id, rule);
        }
        if shaken {
            turn.emit(Event::Marked { unit: id, mark: Mark::FellBack, on: true });
        }
        if goes {
            Self::retreat_fully(turn, id, &[]);
        }
        if turn.unit(id).is_some_and(Unit::present) {
            turn.emit(Event::Ready { unit: id, pace: None });
            if goes {
                turn.emit(Event::Marked { unit: id, mark: Mark::GunsReady, on: false });
            }
        }
    }

    /// What a fall back or a panic does to guns.
    pub(super) fn fate_of_guns(&self, unit: &Unit, effect: Effect) -> GunsFate {
        let threat = self.in_close_range(unit);
        let fortified =
            threat.is_some_and(|e| self.covered_by_work(unit, e)) || self.in_a_work(unit);
        let driven = threat.is_some() && !fortified;
        let siege = self.measures().clauses.has("maneuver.good-order.panic.siege-guns-lost");
        let fixed = unit.card.carriage == Carriage::Fixed;
        let heavy =
            unit.card.carriage == Carriage::Heavy && unit.formation() == Formation::Unlimbered;
        let panic = effect == Effect::Panic;
        let lost =
            if panic { fixed || heavy && (siege || driven) } else { driven && (fixed || heavy) };
        let rule = match (panic, fixed, siege) {
            (true, true, _) => "maneuver.good-order.panic.fixed-guns-lost",
            (false, true, _) => "maneuver.good-order.fall-back.fixed-guns-lost",
            (true, false, true) => "maneuver.good-order.panic.siege-guns-lost",
            (false, false, true) => "maneuver.good-order.fall-back.siege-guns-lost",
            (true, false, false) => "maneuver.good-order.panic.heavy-carriage-lost",
            (false, false, false) => "maneuver.good-order.fall-back.heavy-carriage-lost",
        };
        let goes = if panic { !(heavy && fortified) } else { driven };
        let shaken = goes || panic;
        let row = if panic {
            "maneuver.good-order.panic.guns"
        } else {
            "maneuver.good-order.fall-back.guns"
        };
        GunsFate {
            lost: lost.then_some(rule),
            silenced: (shaken && self.rules.maneuver.silences(effect)).then_some(row),
            shaken,
            goes,
        }
    }

    /// The enemy out of whose close range troops have to go where a result sends them back: nobody
    /// for a square, or for who stands behind a work.
    pub(super) fn must_leave(&self, unit: &Unit) -> Option<&Unit> {
        let enemy = self.in_close_range(unit)?;
        (!unit.formation().is_square() && !self.covered_by_work(unit, enemy)).then_some(enemy)
    }

    /// Whether a unit stands in a work at all, whichever way the enemy is.
    fn in_a_work(&self, unit: &Unit) -> bool {
        let reach = self.measures().scaled(table::INCH);
        unit.share(|f| {
            self.field
                .pieces
                .iter()
                .any(|p| p.kind == Kind::Works && p.shape.distance_to(f.pose.at) <= reach)
        }) >= 0.5
    }

    /// Every gun of a unit is silenced.
    pub(crate) fn silence_all(turn: &mut Recorder<'_, Self>, id: Id, rule: &str) {
        Self::silence(turn, id, true, rule);
    }

    /// Every gun of a unit is silenced, or rallies.
    pub(super) fn silence(turn: &mut Recorder<'_, Self>, id: Id, silenced: bool, rule: &str) {
        let Some(unit) = turn.unit(id) else { return };
        let guns = (0_u8..).zip(unit.guns.iter().copied());
        let guns: Vec<(u8, GunStand)> = guns.filter(|(_, g)| g.silenced != silenced).collect();
        let rule = turn.measures().clauses.cite(&[rule]);
        for (stand, state) in guns {
            turn.emit(Event::Gun {
                unit: id,
                stand,
                state: GunStand { silenced, ..state },
                wrecked: false,
                rule: rule.clone(),
            });
        }
    }
}
