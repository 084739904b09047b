//! What an order would come to, face by face of the dice: for whoever weighs it before giving it.
//!
//! Nothing here has tables of its own. A charge is declared and moved on a copy of the battle,
//! and the fire and the combat it leads to are assessed there as they will be on the table.

use dice::stream::Source;
use rulebook::Check;

use super::Battle;
use super::card::Side;
use super::command::{Command, Decision};
use super::event::{Event, Phase};
use super::id::Id;
use super::melee::Combat;
use super::refusal::No;
use super::state::{Charge, Unit};
use crate::{charge, fire};

/// What a charge would come to if nothing else happened before it: a quick look for whoever weighs
/// many of them. Of the fire only the disorder is carried into the combat here; what is told to a
/// player is counted in full (`charge_odds.rs`).
#[derive(Debug, Clone)]
pub struct ForeseenCharge {
    /// The fire it would take on its way, for each face of the die; empty if nobody can fire.
    pub fire: Vec<fire::Outcome>,
    /// Who would fight whom.
    pub combat: Combat,
    /// The combat for each pair of faces, as if the fire had done nothing; empty if the charge
    /// does not come home.
    pub outcomes: Vec<charge::Outcome>,
    /// The same if the fire had disordered the chargers.
    pub shaken: Vec<charge::Outcome>,
}

impl Battle {
    /// What a volley would come to, for each face of the die.
    ///
    /// # Errors
    /// The refusal it would get.
    pub fn foresee_fire(
        &self,
        side: Side,
        units: &[Id],
        target: Id,
    ) -> Result<Vec<fire::Outcome>, No> {
        let volley = self.check_fire(side, units, target, false)?;
        let Ok(check) = self.assess_volley(&volley) else { return Ok(vec![]) };
        Ok((1..=10).map(|die| check.resolve(die, &mut ())).collect())
    }

    /// The combat of a charger that has met somebody, for each pair of faces.
    #[must_use]
    pub fn foresee_combat(&self, charger: Id) -> Option<(Combat, Vec<charge::Outcome>)> {
        let combat = self.combat_of(self.unit(charger).filter(|u| self.fights(u))?);
        if combat.defenders.is_empty() {
            return None;
        }
        let check = self.assess_combat(&combat, false).ok()?;
        let pairs = (1..=10).flat_map(|a| (1..=10).map(move |d| [a, d]));
        let outcomes = pairs.map(|dice| check.resolve(dice, &mut ())).collect();
        Some((combat, outcomes))
    }

    /// What a charge would come to: the fire against it and the combat; nothing if it may not be
    /// declared.
    #[must_use]
    pub fn foresee_charge(&self, side: Side, declared: &Command) -> Option<ForeseenCharge> {
        let Command::Charge { unit, target, cold_steel, disordered, wheel } = declared else {
            return None;
        };
        let order = (*target, *cold_steel, *disordered, *wheel);
        let charge = self.allows_charge(side, *unit, order)?;
        Some(self.charged(side, *unit, charge).foreseen(side, *unit))
    }

    /// A copy of the battle in which a charge has been declared, answered and moved.
    pub(super) fn charged(&self, side: Side, charger: Id, charge: Charge) -> Self {
        let mut there = self.clone();
        journal::Battle::apply(&mut there, &Event::Declared { unit: charger, charge });
        // A charge on its way throws dice only for leaders it rides over: they decide nothing.
        let mut dice = Source::seeded("foresight");
        if journal::carry_out(&mut there, &mut dice, &Command::Done).is_ok() {
            there.answered(side, &mut dice);
        }
        there
    }

    /// Everybody who could fire at a charger of a side.
    pub(super) fn firers_at(&self, side: Side, charger: Id) -> Vec<Id> {
        let aims = |u: &&Unit| {
            u.present()
                && u.side() != side
                && self.unit(charger).is_some_and(|c| u.near(c, u.reach()))
                && self.targets(u).iter().any(|t| t.0 == charger)
        };
        self.units.iter().filter(aims).map(Unit::id).collect()
    }

    /// The charged answer as well as they can: a square against horse, horse against horse.
    fn answered(&mut self, side: Side, dice: &mut Source) {
        for _ in 0..16 {
            let Some(pending) = self.pending.front().cloned() else { return };
            if self.owed(&pending) != Some(side.other()) {
                return;
            }
            let choices = self.choices(&pending);
            let best = choices
                .iter()
                .find(|c| matches!(c, Decision::HastySquare))
                .or_else(|| choices.iter().find(|c| matches!(c, Decision::Countercharge)));
            let decision = best.copied().unwrap_or(Decision::Stand);
            let command = Command::Decide { unit: pending.unit(), decision };
            if journal::carry_out(self, dice, &command).is_err() {
                return;
            }
        }
    }

    /// The fire and the combat a charger that has moved would go through.
    pub(super) fn foreseen(mut self, side: Side, charger: Id) -> ForeseenCharge {
        self.phase = Phase::DefensiveFire;
        let firers = self.firers_at(side, charger);
        let fire = self.foresee_fire(side.other(), &firers, charger).unwrap_or_default();
        let fought = self.foresee_combat(charger);
        let Some((combat, outcomes)) = fought else {
            let combat = Combat { attackers: vec![charger], defenders: vec![] };
            return ForeseenCharge { fire, combat, outcomes: vec![], shaken: vec![] };
        };
        let shaken = if fire.iter().any(|f| f.disordered) {
            for unit in self.units.iter_mut().filter(|u| combat.attackers.contains(&u.card.id)) {
                unit.order = crate::maneuver::Order::Disordered;
            }
            self.foresee_combat(charger).map(|f| f.1).unwrap_or_default()
        } else {
            vec![]
        };
        ForeseenCharge { fire, combat, outcomes, shaken }
    }
}
