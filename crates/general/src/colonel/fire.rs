//! Whom to fire at, and together or apart: by the exact chances of each volley.

use regimental::battle::{Command, Id, Unit};
use regimental::fire::{Fate, Outcome};

use super::charge::{fire_harm, percent};
use crate::Order;
use crate::seat::Seat;

/// What stopping a charge is worth beside the harm done.
const CHECKED: f64 = 0.5;

/// Fire by some units on one enemy.
struct Aim {
    worth: f64,
    /// What each throw of the dice does.
    odds: Vec<Outcome>,
}

impl Seat<'_> {
    /// The volley that does most harm; the others follow.
    pub(crate) fn fire(&self) -> Option<Order> {
        let mut aims: Vec<(&Unit, Vec<Id>)> = Vec::new();
        for unit in self.own() {
            for (target, _) in self.battle.targets(unit) {
                match aims.iter_mut().find(|a| a.0.id() == target) {
                    Some(aim) => aim.1.push(unit.id()),
                    None => {
                        let Some(enemy) = self.battle.unit(target) else { continue };
                        aims.push((enemy, vec![unit.id()]));
                    }
                }
            }
        }
        let mut best: Option<(Aim, &Unit, Vec<Id>)> = None;
        for (enemy, firers) in aims {
            let Some(aim) = self.aim(enemy, &firers) else { continue };
            if best.as_ref().is_none_or(|b| aim.worth > b.0.worth) {
                best = Some((aim, enemy, firers));
            }
        }
        let (together, enemy, firers) = best?;
        Some(self.volley(together, enemy, firers))
    }

    /// Fire at one enemy: all together, or one after the other if that promises more.
    fn volley(&self, together: Aim, enemy: &Unit, firers: Vec<Id>) -> Order {
        let (mut odds, mut units) = (together.odds, firers);
        if units.len() > 1 {
            let alone: Vec<(Aim, Id)> =
                units.iter().filter_map(|f| Some((self.aim(enemy, &[*f])?, *f))).collect();
            let apart: f64 = alone.iter().map(|a| a.0.worth).sum();
            let first = alone.into_iter().max_by(|a, b| a.0.worth.total_cmp(&b.0.worth));
            if let Some((aim, unit)) = first.filter(|_| apart > together.worth) {
                (odds, units) = (aim.odds, vec![unit]);
            }
        }
        let guns = |o: &Outcome| o.guns_wrecked + o.guns_damaged + o.guns_silenced > 0;
        let hurt = odds.iter().filter(|o| o.disordered || o.stands_lost > 0 || guns(o));
        #[allow(clippy::cast_precision_loss)] // ten
        let chance = percent(hurt.count() as f64 / odds.len().max(1) as f64);
        let together = if units.len() > 1 { "together " } else { "" };
        let reason = format!("Fire {together}on {}: {chance}% to shake them.", enemy.card.name);
        let command = Command::Fire { units, target: enemy.id(), passing: false, mark: None };
        Order::new(command, reason)
    }

    fn aim(&self, enemy: &Unit, firers: &[Id]) -> Option<Aim> {
        let odds = self.battle.foresee_fire(self.side, firers, enemy.id()).ok()?;
        let sum: f64 = odds
            .iter()
            .map(|o| {
                let checked = if o.charge == Some(Fate::Checked) { CHECKED } else { 0.0 };
                checked + fire_harm(enemy, o)
            })
            .sum();
        #[allow(clippy::cast_precision_loss)] // ten
        let n = odds.len().max(1) as f64;
        Some(Aim { worth: sum / n, odds })
    }
}
