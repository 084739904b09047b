//! Ranges: which band of a weapon a distance falls in.

use std::collections::BTreeMap;

use rulebook::request::{Name, between, distance, unknown};
use rulebook::{Book, Code, Flaw, Lookup, Refusal, RuleId, request};
use serde::Serialize;

use crate::Rules;

#[derive(Debug, Clone)]
struct Weapon {
    pounders: Option<(i64, i64)>,
    canister: Option<f64>,
    short: Option<f64>,
    maximum: f64,
    minimum: f64,
    rules: Vec<RuleId>,
}

#[derive(Debug, Clone)]
pub(crate) struct Ranges {
    weapons: BTreeMap<String, Weapon>,
}

impl Ranges {
    pub(crate) fn read(book: &Book) -> Result<Self, Flaw> {
        let mut weapons = BTreeMap::new();
        for (rule, clause) in book.clauses() {
            let id = &clause.id;
            let Some(name) = id.strip_prefix("weapons.").or(id.strip_prefix("artillery-ranges."))
            else {
                continue;
            };
            let figure = |key: &str| -> Result<Option<f64>, Flaw> {
                clause.figures.contains_key(key).then(|| book.number(id, key)).transpose()
            };
            if name == "field-mortars-no-canister-or-short" {
                continue; // read with the mortars
            }
            let none = "artillery-ranges.field-mortars-no-canister-or-short";
            let mut rules = vec![rule];
            let (mut canister, mut short) = (figure("canister")?, figure("short")?);
            if name == "field-mortars" {
                rules.push(book.rule(none)?);
                canister = Some(book.number(none, "canister")?);
                short = Some(book.number(none, "short")?);
                if (canister, short) != (Some(0.0), Some(0.0)) {
                    return Err(Flaw::of(none, "mortars have neither canister nor short range: 0"));
                }
            }
            let closed = clause.figures.contains_key("close_combat_only")
                && book.flag(id, "close_combat_only")?;
            let pounders = match book.clause(id).is_some_and(|c| c.figures.contains_key("pounder"))
            {
                false => None,
                true => match book.ints(id, "pounder")?[..] {
                    [low, high] if low <= high => Some((i64::from(low), i64::from(high))),
                    _ => return Err(Flaw::of(id, "`pounder` is from and to")),
                },
            };
            let maximum = figure("maximum")?
                .ok_or_else(|| Flaw::of(id, "the figure `maximum` is missing"))?;
            if [canister, short].into_iter().flatten().any(|r| r < 0.0) {
                return Err(Flaw::of(id, "a range may not be negative"));
            }
            if closed != (maximum <= 0.0) {
                return Err(Flaw::of(
                    id,
                    "a weapon for close combat only has no range, and no other",
                ));
            }
            if short.is_some_and(|s| s > maximum)
                || canister.is_some_and(|c| c > short.unwrap_or(maximum))
            {
                return Err(Flaw::of(
                    id,
                    "canister, short and maximum range do not follow each other",
                ));
            }
            let minimum = figure("minimum")?.unwrap_or(0.0);
            weapons.insert(
                name.to_owned(),
                Weapon { minimum, pounders, canister, short, maximum, rules },
            );
        }
        Ok(Self { weapons })
    }
}

/// Where a distance lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Band {
    /// Canister range.
    Canister,
    /// Short range.
    Short,
    /// Over short range.
    OverShort,
    /// Beyond the maximum effective range.
    OutOfRange,
}

request! {
    /// Which band a distance falls in.
    pub struct Request<'a> {
        #[serde(default, borrow)] weapon: Option<Name<'a>>,
        #[serde(default)] pounder: Option<i64>,
        range: f64,
    }
}

/// Where the distance lies.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub struct Outcome {
    /// The band.
    pub band: Band,
}

impl Weapon {
    /// A distance equal to a limit is within it.
    fn band(&self, range: f64) -> Band {
        let within = |limit: Option<f64>| limit.is_some_and(|l| l > 0.0 && range <= l);
        if range < self.minimum {
            Band::OutOfRange
        } else if within(self.canister) {
            Band::Canister
        } else if within(self.short) {
            Band::Short
        } else if within(Some(self.maximum)) {
            Band::OverShort
        } else {
            Band::OutOfRange
        }
    }
}

/// Finds the weapon.
///
/// # Errors
/// A refusal of what was said.
pub fn assess(rules: &Rules, request: &Request<'_>) -> Result<Lookup<Outcome>, Refusal> {
    distance(request.range, "inches")?;
    let weapons = &rules.ranges.weapons;
    let weapon = match (&request.weapon, request.pounder) {
        (Some(name), None) => weapons.get(name.as_ref()).ok_or_else(|| {
            let known: Vec<&str> = weapons.keys().map(String::as_str).collect();
            unknown(Code::BadValue, "weapon", name.as_ref(), &known)
        })?,
        (None, Some(pounder)) => {
            between("pounder", pounder, 1, 1000)?;
            let holds =
                |w: &&Weapon| w.pounders.is_some_and(|(low, high)| (low..=high).contains(&pounder));
            weapons.values().find(holds).ok_or_else(|| {
                let message = format!("the sheet has no {pounder} pounder");
                Refusal::new(Code::BadValue, message)
            })?
        }
        _ => {
            return Err(Refusal::new(Code::MissingField, "give weapon or pounder, one of them"));
        }
    };
    let band = weapon.band(request.range);
    Ok(Lookup { outcome: Outcome { band }, rules: weapon.rules.clone() })
}
