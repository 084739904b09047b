//! The odds of an order before its dice are thrown.

use rulebook::Check;
use serde::Serialize;

use super::Battle;
use super::card::Side;
use super::command::Command;
use super::consequence;
use super::event::{Line, Phase};
use super::firing::{Firer, Volley};
use super::id::Id;
use super::melee::Combat;
use super::refusal::No;
use super::state::{GunStand, Unit};
use crate::maneuver::Order;

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
    /// Effects, the best first, with their chances in a hundred and what they would do.
    pub odds: Vec<(String, u32, String)>,
    /// The fire points of a volley.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub points: Option<f64>,
    /// Who gives them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub firers: Vec<Part>,
    /// What may happen besides, with its chance in a hundred.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub besides: Vec<(&'static str, f64)>,
}

/// One unit's part in a volley.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Part {
    /// Who.
    pub unit: Id,
    /// How many of its stands bear.
    pub stands: usize,
    /// The nearest and the farthest range, in inches.
    pub range: [f64; 2],
    /// What they give.
    pub points: f64,
    /// Why that is less than all they could.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub halved: Vec<&'static str>,
}

fn name(effect: &impl Serialize) -> String {
    serde_json::to_value(effect)
        .ok()
        .and_then(|v| v.as_str().map(str::to_owned))
        .unwrap_or_default()
}

/// Effects as they come face by face, each with its chances and what it does in how many of them.
#[derive(Default)]
struct Faces(Vec<(String, Vec<(String, u32)>)>);

impl Faces {
    fn add(&mut self, effect: &impl Serialize, does: String, percent: u32) {
        let effect = name(effect);
        let at = self.0.iter().position(|o| o.0 == effect).unwrap_or_else(|| {
            self.0.push((effect, vec![]));
            self.0.len() - 1
        });
        let cases = &mut self.0[at].1;
        match cases.iter_mut().find(|c| c.0 == does) {
            Some(case) => case.1 += percent,
            None => cases.push((does, percent)),
        }
    }

    fn odds(self) -> Vec<(String, u32, String)> {
        let one = |(effect, cases): (String, Vec<(String, u32)>)| {
            let percent = cases.iter().map(|c| c.1).sum();
            (effect, percent, consequence::together(&cases))
        };
        self.0.into_iter().map(one).collect()
    }
}

impl Battle {
    /// The rolls an order would lead to, with their exact odds.
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
            Command::Charge { unit, target, cold_steel, disordered, wheel } => {
                let order = (*target, *cold_steel, *disordered, *wheel);
                let there = self.charged(by, *unit, self.check_charge(by, *unit, order)?);
                there.charge_rolls(by, *unit)
            }
            _ => vec![],
        })
    }

    /// The rolls a charge that has moved leads to: the fire on its way, its own volley, the combat,
    /// each as if the others did nothing; and with the combat what all of them come to together.
    fn charge_rolls(&self, by: Side, charger: Id) -> Vec<Preview> {
        let mut there = self.clone();
        there.phase = Phase::DefensiveFire;
        let firers = there.firers_at(by, charger);
        let volley = there.check_fire(by.other(), &firers, charger, false).ok();
        let fire = volley.and_then(|v| there.fire_odds(&v));
        there.phase = Phase::OffensiveFire;
        let target = there.unit(charger).and_then(|u| u.did.charge.as_ref()).map(|c| c.target);
        let own = target.and_then(|t| there.check_fire(by, &[charger], t, false).ok());
        let own = own.and_then(|v| there.fire_odds(&v));
        there.phase = Phase::Combat;
        let charging = there.unit(charger).filter(|u| there.fights(u));
        let combat = charging.map(|u| there.combat_of(u)).filter(|c| !c.defenders.is_empty());
        let mut home = combat.and_then(|c| there.combat_odds(&c));
        if let (Some(home), true) = (&mut home, fire.is_some() || own.is_some()) {
            home.besides = self.charge_odds(by, charger).map_or(vec![], |odds| odds.told());
        }
        fire.into_iter().chain(own).chain(home).collect()
    }

    fn check_odds(&self, unit: Id) -> Option<Preview> {
        let checking = self.unit(unit)?;
        let check = self.assess_maneuver(checking).ok()?;
        let mut faces = Faces::default();
        for die in (1..=10).rev() {
            let out = check.resolve(die, &mut ());
            faces.add(&out.effect, self.of_check(checking, &out), 10);
        }
        Some(Preview {
            of: Rolled::Check,
            who: vec![unit],
            tally: self.tally(check.modifiers()),
            against: vec![],
            odds: faces.odds(),
            points: None,
            firers: vec![],
            besides: vec![],
        })
    }

    fn fire_odds(&self, volley: &Volley) -> Option<Preview> {
        let check = self.assess_volley(volley).ok()?;
        let outs = || (1..=10).rev().map(|die| check.resolve(die, &mut ()));
        let mut faces = Faces::default();
        let target = self.unit(volley.target)?;
        // What the shot does to those behind the target is said with what it does to him.
        let massed: Vec<&Unit> = self.all(&self.massed(volley)).collect();
        for out in outs() {
            let effect = out.effect;
            let mut does = vec![consequence::of_volley(target, out)];
            for unit in &massed {
                let lesser = check.massed(effect);
                let out = lesser.and_then(|e| self.massed_outcome(unit.id(), e, volley.kind));
                let hit = out.map(|out| consequence::of_volley(unit, out));
                does.extend(hit.map(|hit| format!("{} behind it: {hit}", unit.id())));
            }
            faces.add(&effect, does.join("; "), 10);
        }
        let tenths = |n: usize| 10.0 * f64::from(u32::try_from(n).unwrap_or(0));
        let runs_low = volley.firers.iter().any(|f| self.can_run_low(f));
        let leader = self.endangered(target.side(), &volley.feet, target.id()).is_some();
        let besides = [
            ("low-on-ammo", tenths(outs().filter(|o| o.low_on_ammo && runs_low).count())),
            ("leader-check", tenths(outs().filter(|o| o.leader_check && leader).count())),
        ];
        Some(Preview {
            of: Rolled::Fire(volley.target),
            who: volley.firers.iter().map(|f| f.unit).collect(),
            tally: self.tally(check.modifiers()),
            against: vec![],
            odds: faces.odds(),
            points: Some(volley.points),
            firers: volley.firers.iter().filter_map(|f| self.part_of(f)).collect(),
            besides: besides.into_iter().filter(|b| b.1 > 0.0).collect(),
        })
    }

    fn part_of(&self, firer: &Firer) -> Option<Part> {
        let unit = self.unit(firer.unit)?;
        let ranges = || firer.stands.iter().map(|(_, range)| *range);
        let guns = |is: fn(&GunStand) -> bool| unit.guns.iter().any(is);
        let halved = [
            (unit.order == Order::Disordered, "disordered"),
            (unit.low || guns(|g| g.low), "low on ammunition"),
            (guns(|g| g.damaged), "damaged"),
        ];
        Some(Part {
            unit: firer.unit,
            stands: firer.stands.len(),
            range: [ranges().min(), ranges().max()].map(|r| table::inches(r.unwrap_or(0))),
            points: firer.points,
            halved: halved.into_iter().filter(|h| h.0).map(|h| h.1).collect(),
        })
    }

    fn combat_odds(&self, combat: &Combat) -> Option<Preview> {
        let check = self.assess_combat(combat, false).ok()?;
        let pairs = (1..=10).flat_map(|a| (1..=10).map(move |d| [a, d]));
        let mut outs: Vec<_> = pairs.map(|dice| (check.resolve(dice, &mut ()), dice)).collect();
        outs.sort_by_key(|(out, _)| std::cmp::Reverse(out.difference));
        let mut faces = Faces::default();
        for (out, dice) in outs {
            faces.add(&out.effect, self.of_combat(combat, &check, dice), 1);
        }
        let (own, other): (Vec<_>, Vec<_>) =
            check.modifiers().into_iter().partition(|c| c.side == Some("attacker"));
        Some(Preview {
            of: Rolled::Combat(combat.defenders.clone()),
            who: combat.attackers.clone(),
            tally: self.tally(own),
            against: self.tally(other),
            odds: faces.odds(),
            points: None,
            firers: vec![],
            besides: vec![],
        })
    }
}
