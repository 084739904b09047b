//! Whom to fire at, and together or apart: by the exact chances of each volley.

use regimental::battle::{Command, Id, Unit};
use regimental::fire::{Fate, Outcome};

use super::charge::{fire_harm, percent};
use crate::Order;
use crate::seat::Seat;

/// What stopping a charge is worth beside the harm done.
const CHECKED: f64 = 0.5;

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
        let mut best: Option<(f64, Order)> = None;
        for (enemy, firers) in aims {
            let Some((worth, order)) = self.volley(enemy, &firers) else { continue };
            if best.as_ref().is_none_or(|b| worth > b.0) {
                best = Some((worth, order));
            }
        }
        best.map(|b| b.1)
    }

    /// Fire at one enemy: all together, or one after the other if that promises more.
    fn volley(&self, enemy: &Unit, firers: &[Id]) -> Option<(f64, Order)> {
        let (together, all) = self.worth(enemy, firers)?;
        let mut units = firers.to_vec();
        let (mut best, mut odds) = (together, all);
        if firers.len() > 1 {
            let alone: Vec<(f64, Vec<Outcome>, Id)> = firers
                .iter()
                .filter_map(|f| self.worth(enemy, &[*f]).map(|(w, o)| (w, o, *f)))
                .collect();
            let apart: f64 = alone.iter().map(|a| a.0).sum();
            let first = alone.into_iter().max_by(|a, b| a.0.total_cmp(&b.0));
            if let Some((worth, outcomes, unit)) = first.filter(|_| apart > together) {
                (best, odds, units) = (worth, outcomes, vec![unit]);
            }
        }
        let hurt = odds.iter().filter(|o| o.disordered || o.stands_lost > 0 || o.guns_wrecked > 0);
        #[allow(clippy::cast_precision_loss)] // ten
        let chance = percent(hurt.count() as f64 / odds.len().max(1) as f64);
        let together = if units.len() > 1 { "together " } else { "" };
        let reason = format!("Fire {together}on {}: {chance}% to shake them.", enemy.card.name);
        let command = Command::Fire { units, target: enemy.id(), passing: false, mark: None };
        Some((best, Order::new(command, reason)))
    }

    fn worth(&self, enemy: &Unit, firers: &[Id]) -> Option<(f64, Vec<Outcome>)> {
        let outcomes = self.battle.foresee_fire(self.side, firers, enemy.id()).ok()?;
        let sum: f64 = outcomes
            .iter()
            .map(|o| {
                let checked = if o.charge == Some(Fate::Checked) { CHECKED } else { 0.0 };
                checked + fire_harm(enemy, o)
            })
            .sum();
        #[allow(clippy::cast_precision_loss)] // ten
        let n = outcomes.len().max(1) as f64;
        Some((sum / n, outcomes))
    }
}
