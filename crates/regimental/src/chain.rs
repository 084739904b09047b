//! Fire and then the charge it was aimed at: one step's result sets the
//! conditions of the next.

use dice::Distribution;
use rulebook::request::{Request, countable, parse};
use rulebook::{Check, Code, Refusal};
use serde::{Deserialize, Serialize};

use crate::Rules;
use crate::charge::{self, Outcome as ChargeOutcome, Side};
use crate::fire::{self, Charging, Fate, Outcome as FireOutcome};

/// What one step of a chain came to; `None` if it was not reached.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
#[serde(untagged)]
pub enum Link {
    /// A volley.
    Fire(FireOutcome),
    /// The charge.
    Charge(ChargeOutcome),
    /// Not reached.
    None,
}

/// Whom a volley of the chain hits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum At {
    #[default]
    Attacker,
    Defender,
}

#[derive(Debug, Deserialize)]
struct Aim {
    #[serde(default)]
    at: At,
}

impl Request for Aim {
    type Of<'x> = Self;
}

/// Volleys, then the charge.
#[derive(Debug)]
pub struct Chain<'r> {
    volleys: Vec<(At, fire::Assessment<'r>)>,
    charge: charge::Assessment<'r>,
}

impl Rules {
    /// Reads a chain: any number of `fire` steps and then a `charge`. A volley
    /// is aimed at the attacker of the charge unless its `at` says
    /// `defender`; a volley at a charging attacker may check the charge.
    ///
    /// # Errors
    /// A refusal of a step, or of a chain of another shape.
    pub fn chain<'r>(&'r self, steps: &[(&str, &str)]) -> Result<Chain<'r>, Refusal> {
        let shape = || {
            let message = "a chain in this book is one or more fire steps and then a charge";
            Refusal::new(Code::NotAllowed, message)
        };
        let (last, volleys) = steps.split_last().ok_or_else(shape)?;
        if last.0 != "charge"
            || volleys.is_empty()
            || volleys.iter().any(|(check, _)| *check != "fire")
        {
            return Err(shape());
        }
        let charge = charge::assess(self, &parse(last.1)?)?;
        let mut assessed = Vec::new();
        for (_, json) in volleys {
            let at = parse::<Aim>(json)?.at;
            let mut volley = fire::assess(self, &parse(json)?)?;
            let side = match at {
                At::Attacker => &charge.attacker,
                At::Defender => &charge.defender,
            };
            if volley.target.is_guns() != side.arm.is_guns() {
                let message = "the target of a volley and the side it hits are not of one arm";
                return Err(Refusal::new(Code::Contradiction, message));
            }
            // Whoever is fired at before his own charge is charging.
            if at == At::Attacker && volley.target.charging == Charging::No {
                volley.target.charging =
                    if charge.with_cold_steel() { Charging::ColdSteel } else { Charging::Yes };
            }
            assessed.push((at, volley));
        }
        let each = assessed.iter().map(|(_, volley)| volley.odds().len());
        countable(each.chain([charge.odds().len()]))?;
        Ok(Chain { volleys: assessed, charge })
    }
}

impl<'r> Chain<'r> {
    /// The distribution of the whole chain: the outcome of each step, with
    /// the charge as its first roll, or fought out if `until_decided`.
    ///
    /// # Errors
    /// A refusal if the charge cannot be fought out.
    pub fn odds(&self, until_decided: bool) -> Result<Distribution<Vec<Link>>, Refusal> {
        if until_decided {
            let each = self.volleys.iter().map(|(_, volley)| volley.odds().len());
            countable(each.chain([self.charge.until_decided()?.len()]))?;
        }
        Ok(self.step(0, Vec::new(), self.charge.clone(), until_decided))
    }

    fn step(
        &self,
        at: usize,
        done: Vec<Link>,
        charge: charge::Assessment<'r>,
        until_decided: bool,
    ) -> Distribution<Vec<Link>> {
        let with = |link: Link| {
            let mut links = done.clone();
            links.push(link);
            links
        };
        let Some((aim, volley)) = self.volleys.get(at) else {
            // Whether it can be decided was asked before the first volley.
            let decided = if until_decided { charge.until_decided().ok() } else { None };
            return match decided {
                Some(decided) => decided.map(|(out, _)| with(Link::Charge(*out))),
                None => charge.odds().map(|out| with(Link::Charge(*out))),
            };
        };
        let mut volley = volley.clone();
        let hit = match aim {
            At::Attacker => &charge.attacker,
            At::Defender => &charge.defender,
        };
        volley.shake(hit.disordered);
        volley.odds().then(|out| {
            let links = with(Link::Fire(out.clone()));
            let mut charge = charge.clone();
            let side = match aim {
                At::Attacker => &mut charge.attacker,
                At::Defender => &mut charge.defender,
            };
            suffer(side, out, charge.table);
            let stopped = *aim == At::Attacker && out.charge == Some(Fate::Checked);
            let wrecked = volley.target.is_guns() && out.guns_wrecked >= volley.gun_stands();
            if stopped || wrecked || charge.attacker.destroyed() || charge.defender.destroyed() {
                let rest = self.volleys.len() - at;
                let mut links = links;
                links.extend(std::iter::repeat_n(Link::None, rest));
                return Distribution::certain(links);
            }
            charge.compare_numbers();
            // Losses and disorder only replace conditions of their own sets.
            let _ = charge.recount();
            self.step(at + 1, links, charge, until_decided)
        })
    }
}

fn suffer(side: &mut Side, out: &FireOutcome, table: &charge::Table) {
    if side.arm.is_guns() {
        side.lose(out.guns_wrecked.into(), table);
        if out.guns_silenced > 0 {
            side.shake(table);
        }
    } else {
        side.lose(out.stands_lost.into(), table);
        if out.disordered {
            side.shake(table);
        }
    }
}
