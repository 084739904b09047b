//! Charge combat: two dice against each other.

mod result;
mod struggle;
mod table;

pub use result::{ChargeEffect, Move, Outcome, SideOutcome, State};
pub(crate) use table::Table;

use dice::Distribution;
use rulebook::request::{Name, between, die};
use rulebook::{Check, Cite, Code, Conditions, Counted, ModifierTable, Reached, Refusal, request};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::Rules;
pub(crate) use result::Facts;

/// Who fights.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Arm {
    /// Infantry.
    Infantry,
    /// Mounted cavalry.
    Cavalry,
    /// Unlimbered guns on light carriages; in the Triple Alliance book field
    /// and horse guns.
    GunsLight,
    /// Unlimbered guns on heavy carriages; in the Triple Alliance book siege
    /// guns.
    GunsHeavy,
    /// Limbered guns.
    GunsLimbered,
    /// Guns without a limber.
    GunsFixed,
}

impl Arm {
    /// Whether it is artillery.
    #[must_use]
    pub fn is_guns(self) -> bool {
        !matches!(self, Self::Infantry | Self::Cavalry)
    }
}

/// The ground that a charge crosses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ground {
    /// Open ground.
    Open,
    /// Broken ground.
    Broken,
    /// Rough ground.
    Rough,
}

/// One side of a charge.
///
/// `ground` is what the charge crosses and `square` that the side stands in
/// one; neither has a modifier of its own that would tell.
/// `stands`, `worn_at` and `spent_at` are for combats that go on: with the
/// stands of both sides known, losses change the odds of numbers, and with
/// the thresholds also the freshness of the troops.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SideRequest<'a> {
    arm: Arm,
    #[serde(default)]
    disordered: bool,
    #[serde(default, borrow)]
    conditions: Vec<Name<'a>>,
    #[serde(default)]
    die: Option<i64>,
    #[serde(default)]
    ground: Option<Ground>,
    #[serde(default)]
    square: bool,
    #[serde(default)]
    stands: Option<i64>,
    #[serde(default)]
    worn_at: Option<i64>,
    #[serde(default)]
    spent_at: Option<i64>,
}

request! {
    /// A charge combat.
    pub struct Request<'a> {
        #[serde(borrow)] attacker: SideRequest<'a>,
        #[serde(borrow)] defender: SideRequest<'a>,
    }
}

/// One side, assessed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Side {
    pub(crate) arm: Arm,
    pub(crate) disordered: bool,
    pub(crate) ground: Option<Ground>,
    pub(crate) square: bool,
    pub(crate) stands: Option<i64>,
    worn_at: Option<i64>,
    spent_at: Option<i64>,
    pub(crate) hold: Conditions,
    counted: Conditions,
    sum: i32,
    die: Option<i64>,
}

impl Side {
    fn count(&mut self, modifiers: &ModifierTable) -> Result<(), Refusal> {
        (self.counted, self.sum) = modifiers.count(self.hold)?;
        Ok(())
    }

    /// Takes stands away and lets the troops become worn or spent.
    pub(crate) fn lose(&mut self, stands: i64, table: &Table) {
        self.stands = self.stands.map(|s| (s - stands).max(0));
        self.freshen(table);
    }

    /// With stands and a threshold known, fresh, worn and spent follow.
    fn freshen(&mut self, table: &Table) {
        let Some((stands, spent_at)) = self.stands.zip(self.spent_at) else {
            return;
        };
        let state = if stands <= spent_at {
            table.named.spent
        } else if self.worn_at.is_some_and(|worn| stands <= worn) {
            table.named.worn
        } else {
            table.named.fresh
        };
        self.hold = self.hold.without(table.named.freshness()).with(state);
    }

    /// Disorders troops and silences guns, with the modifier that follows.
    pub(crate) fn shake(&mut self, table: &Table) {
        self.disordered = true;
        let shaken = if self.arm.is_guns() {
            table.named.silenced_gun
        } else {
            table.named.disordered_troops
        };
        self.hold = self.hold.with(shaken);
    }

    pub(crate) fn destroyed(&self) -> bool {
        self.stands == Some(0)
    }
}

/// A charge combat before its dice.
#[derive(Debug, Clone)]
pub struct Assessment<'r> {
    pub(crate) table: &'r Table,
    pub(crate) attacker: Side,
    pub(crate) defender: Side,
    pub(crate) facts: Facts,
}

const MOST_STANDS: i64 = 1000;

/// A struggle is counted stand by stand; no combat has more.
const MOST_STANDS_IN_A_STRUGGLE: i64 = 60;

/// Settles which clauses count.
///
/// # Errors
/// A refusal of what was said.
pub fn assess<'r>(rules: &'r Rules, request: &Request<'_>) -> Result<Assessment<'r>, Refusal> {
    let table = &rules.charge;
    let side = |name: &str, given: &SideRequest<'_>| -> Result<Side, Refusal> {
        for (field, n) in
            [("stands", given.stands), ("worn_at", given.worn_at), ("spent_at", given.spent_at)]
        {
            if let Some(n) = n {
                between(&format!("{name}.{field}"), n, i64::from(field == "stands"), MOST_STANDS)?;
            }
        }
        if (given.worn_at.is_some() && given.spent_at.is_none())
            || (given.spent_at.is_some() && given.stands.is_none())
            || given.worn_at.zip(given.spent_at).is_some_and(|(worn, spent)| worn <= spent)
        {
            let message = format!(
                "{name}: give stands, spent_at and, above it, worn_at; or stands alone; or none of them"
            );
            return Err(Refusal::new(Code::Contradiction, message));
        }
        Ok(Side {
            arm: given.arm,
            disordered: given.disordered,
            ground: given.ground,
            square: given.square,
            stands: given.stands,
            worn_at: given.worn_at,
            spent_at: given.spent_at,
            hold: table.modifiers.conditions(&given.conditions)?,
            counted: Conditions::default(),
            sum: 0,
            die: given.die,
        })
    };
    if request.attacker.arm.is_guns() {
        return Err(Refusal::new(
            Code::NotAllowed,
            "guns never charge: the attacker is infantry or cavalry",
        ));
    }
    let mut charge = Assessment {
        table,
        attacker: side("attacker", &request.attacker)?,
        defender: side("defender", &request.defender)?,
        facts: Facts::default(),
    };
    let said = [charge.attacker.hold, charge.defender.hold];
    charge.attacker.freshen(table);
    charge.defender.freshen(table);
    charge.compare_numbers();
    for (side, said) in [&charge.attacker, &charge.defender].into_iter().zip(said) {
        // What was said may not contradict what follows from the stands.
        table.modifiers.count(said.with(side.hold))?;
        if !said.without(side.hold).is_empty() {
            let message =
                "outnumbered, fresh, worn and spent follow from the stands: leave them out";
            return Err(Refusal::new(Code::Contradiction, message));
        }
    }
    charge.facts = Facts::find(&charge);
    charge.recount()?;
    Ok(charge)
}

/// What of one unit decides what the result of its side means for it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Part {
    pub(crate) arm: Arm,
    /// Disordered already, or silenced.
    pub(crate) disordered: bool,
    /// Its own charge crossed broken or rough ground.
    pub(crate) bad_ground: bool,
    /// It is charged behind works, or in a square; it charges one who is.
    pub(crate) fortified: bool,
    pub(crate) square: bool,
}

/// One side of a combat on the table.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fighter {
    pub(crate) arm: Arm,
    pub(crate) disordered: bool,
    pub(crate) square: bool,
    pub(crate) hold: Conditions,
}

impl Fighter {
    /// Nobody: the other side has it all its own way.
    pub(crate) fn none() -> Self {
        let hold = Conditions::default();
        Self { arm: Arm::Infantry, disordered: false, square: false, hold }
    }

    fn side(self) -> Side {
        Side {
            arm: self.arm,
            disordered: self.disordered,
            ground: None,
            square: self.square,
            stands: None,
            worn_at: None,
            spent_at: None,
            hold: self.hold,
            counted: Conditions::default(),
            sum: 0,
            die: None,
        }
    }
}

/// A combat whose conditions are known.
///
/// # Errors
/// A refusal of conditions that contradict each other.
pub(crate) fn prepare(
    rules: &Rules,
    attacker: Fighter,
    defender: Fighter,
    facts: Facts,
) -> Result<Assessment<'_>, Refusal> {
    let (attacker, defender) = (attacker.side(), defender.side());
    let mut charge = Assessment { table: &rules.charge, attacker, defender, facts };
    charge.recount()?;
    Ok(charge)
}

impl Assessment<'_> {
    /// The same combat as one of several attackers sees it: the totals are those of the side.
    pub(crate) fn for_attacker(&self, one: Part) -> Self {
        let mut other = self.clone();
        (other.attacker.arm, other.attacker.disordered) = (one.arm, one.disordered);
        other.facts.bad_ground = one.bad_ground;
        other.facts.fortified |= one.fortified;
        other.facts.square |= one.square;
        other
    }

    /// The same combat as one of several defenders sees it.
    pub(crate) fn for_defender(&self, one: Part) -> Self {
        let mut other = self.clone();
        (other.defender.arm, other.defender.disordered) = (one.arm, one.disordered);
        other.defender.hold = other.defender.hold.without(self.table.named.silenced_gun);
        (other.facts.fortified, other.facts.square) = (one.fortified, one.square);
        other
    }

    /// Whether attached leaders of the attackers, and of the defenders, check, whichever unit of
    /// their side they are with.
    pub(crate) fn leaders_check(&self, dice: [u8; 2]) -> [bool; 2] {
        let mut other = self.clone();
        let attached = self.table.named.leader_attached;
        other.attacker.hold = other.attacker.hold.with(attached);
        other.defender.hold = other.defender.hold.with(attached);
        let out = other.resolve(dice, &mut ());
        [out.attacker.leader_check, out.defender.leader_check]
    }

    /// The inches of a short retreat, if the outcome has one.
    pub(crate) fn inches(&self, out: &Outcome) -> Option<f64> {
        self.table.retreat_short(out.effect, out)
    }

    /// Gun stands damaged beside their losses.
    pub(crate) fn guns_damaged(&self, effect: ChargeEffect) -> i32 {
        self.table.guns_damaged(&self.defender, effect)
    }

    pub(crate) fn with_cold_steel(&self) -> bool {
        self.attacker.hold.meets(self.table.modifiers.named("cold-steel"))
    }

    /// Counts the modifiers of both sides anew.
    pub(crate) fn recount(&mut self) -> Result<(), Refusal> {
        self.attacker.count(&self.table.modifiers)?;
        self.defender.count(&self.table.modifiers)
    }

    /// With the stands of both sides known, the odds of numbers follow.
    pub(crate) fn compare_numbers(&mut self) {
        let Some((a, d)) = self.attacker.stands.zip(self.defender.stands) else {
            return;
        };
        let numbers = self.table.numbers();
        self.attacker.hold = self.attacker.hold.without(numbers).with(self.table.outnumbered(a, d));
        self.defender.hold = self.defender.hold.without(numbers).with(self.table.outnumbered(d, a));
    }
}

impl Check for Assessment<'_> {
    type Roll = [u8; 2];
    type Outcome = Outcome;

    fn given(&self) -> Result<[u8; 2], Refusal> {
        let of = |name: &str, side: &Side| {
            die(side.die).map_err(|r| Refusal::new(r.code, format!("{name}: {}", r.message)))
        };
        Ok([of("attacker", &self.attacker)?, of("defender", &self.defender)?])
    }

    fn rolls(&self) -> Distribution<[u8; 2]> {
        dice::opposed()
    }

    fn resolve<C: Cite>(&self, [attacker, defender]: [u8; 2], cited: &mut C) -> Outcome {
        let totals =
            [i32::from(attacker) + self.attacker.sum, i32::from(defender) + self.defender.sum];
        result::read(self, totals, cited)
    }

    fn modifiers(&self) -> Vec<Counted> {
        let of = |name, side: &Side| -> Vec<Counted> {
            self.table.modifiers.lines(side.counted).map(|m| Counted::of(name, m)).collect()
        };
        let mut all = of("attacker", &self.attacker);
        all.extend(of("defender", &self.defender));
        all
    }

    fn details(&self, roll: [u8; 2]) -> Vec<(&'static str, Value)> {
        let out = self.resolve(roll, &mut ());
        let mut details = Vec::new();
        if let Some(inches) = self.table.retreat_short(out.effect, &out) {
            details.push(("retreat_inches", json!(inches)));
        }
        if let Some(fraction) = self.table.breakthrough_fraction(&out) {
            details.push(("breakthrough_fraction_of_move", json!(fraction)));
        }
        let damaged = self.table.guns_damaged(&self.defender, out.effect);
        if damaged > 0 {
            details.push(("guns_damaged", json!(damaged)));
        }
        details
    }

    fn until_decided(&self) -> Result<Distribution<Reached<Outcome>>, Refusal> {
        let stands = [self.attacker.stands, self.defender.stands];
        if stands[0].is_some() != stands[1].is_some() {
            let message = "give stands on both sides or on neither: a struggle wears both down";
            return Err(Refusal::new(Code::MissingField, message));
        }
        for stands in stands.into_iter().flatten() {
            between("stands, until decided,", stands, 1, MOST_STANDS_IN_A_STRUGGLE)?;
        }
        Ok(struggle::until_decided(self))
    }
}
