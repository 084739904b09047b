//! The odds of an order before its dice are thrown.

use rulebook::Check;
use serde::Serialize;

use super::Battle;
use super::card::Side;
use super::command::Command;
use super::event::{Line, Phase};
use super::firing::Volley;
use super::id::Id;
use super::melee::Combat;
use super::refusal::No;

/// What a roll is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rolled {
    /// A maneuver check.
    Check,
    /// Fire at a unit.
    Fire(Id),
    /// A charge combat against some units.
    Combat(Vec<Id>),
}

/// A roll before it is made: who, the modifiers, and what each effect's chance is.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Preview {
    /// What it is about.
    pub of: Rolled,
    /// Who rolls.
    pub who: Vec<Id>,
    /// The modifiers; of the attacker in a combat.
    pub tally: Vec<Line>,
    /// Those of the defender.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub against: Vec<Line>,
    /// Effects, the best first, with their chances in a hundred.
    pub odds: Vec<(String, u32)>,
    /// The fire points of a volley.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub points: Option<f64>,
    /// What may happen besides, with its chance in a hundred.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub besides: Vec<(&'static str, u32)>,
}

fn name(effect: &impl Serialize) -> String {
    serde_json::to_value(effect)
        .ok()
        .and_then(|v| v.as_str().map(str::to_owned))
        .unwrap_or_default()
}

/// The effects of all faces, those of the highest first.
fn by_face<E: Serialize>(effect: impl Fn(u8) -> E) -> Vec<(String, u32)> {
    let mut odds: Vec<(String, u32)> = Vec::new();
    for die in (1..=10).rev() {
        let effect = name(&effect(die));
        match odds.iter_mut().find(|o| o.0 == effect) {
            Some(o) => o.1 += 10,
            None => odds.push((effect, 10)),
        }
    }
    odds
}

impl Battle {
    /// The rolls an order would lead to, with their exact odds. A charge leads to the fire on its
    /// way and to the combat, each as if nothing else happened before it.
    ///
    /// # Errors
    /// The refusal the order would get.
    pub fn preview(&self, by: Side, command: &Command) -> Result<Vec<Preview>, No> {
        journal::Battle::check(self, by, command)?;
        Ok(match command {
            Command::Check { units } => units.iter().filter_map(|u| self.check_odds(*u)).collect(),
            Command::Fire { units, target, passing, .. } => {
                let volley = self.check_fire(by, units, *target, *passing)?;
                self.fire_odds(&volley).into_iter().collect()
            }
            Command::Fight { unit } => {
                let combat = self.check_fight(by, *unit)?;
                self.combat_odds(&combat).into_iter().collect()
            }
            Command::Charge { unit, .. } => {
                let mut there = self.charged(by, command)?;
                there.phase = Phase::DefensiveFire;
                let firers = there.firers_at(by, *unit);
                let volley = there.check_fire(by.other(), &firers, *unit, false).ok();
                let fire = volley.and_then(|v| there.fire_odds(&v));
                let charger = there.unit(*unit).filter(|u| there.fights(u));
                let combat = charger.map(|u| there.combat_of(u));
                let combat = combat.filter(|c| !c.defenders.is_empty());
                fire.into_iter().chain(combat.and_then(|c| there.combat_odds(&c))).collect()
            }
            _ => vec![],
        })
    }

    fn check_odds(&self, unit: Id) -> Option<Preview> {
        let check = self.assess_maneuver(self.unit(unit)?).ok()?;
        Some(Preview {
            of: Rolled::Check,
            who: vec![unit],
            tally: self.tally(check.modifiers()),
            against: vec![],
            odds: by_face(|die| check.resolve(die, &mut ()).effect),
            points: None,
            besides: vec![],
        })
    }

    fn fire_odds(&self, volley: &Volley) -> Option<Preview> {
        let check = self.assess_volley(volley).ok()?;
        let outs = || (1..=10).map(|die| check.resolve(die, &mut ()));
        let tenths = |n: usize| u32::try_from(10 * n).unwrap_or(0);
        let besides = [
            ("low-on-ammo", tenths(outs().filter(|o| o.low_on_ammo).count())),
            ("leader-check", tenths(outs().filter(|o| o.leader_check).count())),
        ];
        Some(Preview {
            of: Rolled::Fire(volley.target),
            who: volley.firers.iter().map(|f| f.unit).collect(),
            tally: self.tally(check.modifiers()),
            against: vec![],
            odds: by_face(|die| check.resolve(die, &mut ()).effect),
            points: Some(volley.points),
            besides: besides.into_iter().filter(|b| b.1 > 0).collect(),
        })
    }

    fn combat_odds(&self, combat: &Combat) -> Option<Preview> {
        let check = self.assess_combat(combat, false).ok()?;
        let mut odds: Vec<(i32, String, u32)> = Vec::new();
        for (a, d) in (1..=10).flat_map(|a| (1..=10).map(move |d| (a, d))) {
            let out = check.resolve([a, d], &mut ());
            let effect = name(&out.effect);
            match odds.iter_mut().find(|o| o.1 == effect) {
                Some(o) => {
                    o.2 += 1;
                    o.0 = o.0.max(out.difference);
                }
                None => odds.push((out.difference, effect, 1)),
            }
        }
        odds.sort_by_key(|o| std::cmp::Reverse(o.0));
        let (own, other): (Vec<_>, Vec<_>) =
            check.modifiers().into_iter().partition(|c| c.side == Some("attacker"));
        Some(Preview {
            of: Rolled::Combat(combat.defenders.clone()),
            who: combat.attackers.clone(),
            tally: self.tally(own),
            against: self.tally(other),
            odds: odds.into_iter().map(|o| (o.1, o.2)).collect(),
            points: None,
            besides: vec![],
        })
    }
}
