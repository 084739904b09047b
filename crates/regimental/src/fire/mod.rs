//! Fire combat: musketry and cannonade.

use dice::Distribution;
use rulebook::request::{Name, between, die};
use rulebook::{Check, Cite, Code, Conditions, Counted, Modifier, Refusal, RuleId, request};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::Rules;

mod table;

pub(crate) use table::Table;
use table::{Additional, Column, TellingRow};

/// What fire comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FireEffect {
    /// Two stands and disorder.
    Withering,
    /// A stand and disorder.
    Telling,
    /// Disorder, or a stand of the disordered.
    Galling,
    /// Disorder, from guns only.
    Lively,
    /// Nothing.
    Desultory,
}

impl FireEffect {
    const ALL: [(&'static str, Self); 5] = [
        ("withering", Self::Withering),
        ("telling", Self::Telling),
        ("galling", Self::Galling),
        ("lively", Self::Lively),
        ("desultory", Self::Desultory),
    ];
}

/// What fire makes of a charge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fate {
    /// Stopped short.
    Checked,
    /// On to the combat.
    Home,
}

/// The experience of the target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Class {
    /// Elite.
    Elite,
    /// Veteran.
    Veteran,
    /// Trained.
    Trained,
    /// Raw.
    Raw,
}

/// The classes by name, the best first.
pub const CLASSES: [(&str, Class); 4] = [
    ("elite", Class::Elite),
    ("veteran", Class::Veteran),
    ("trained", Class::Trained),
    ("raw", Class::Raw),
];

/// Small arms or guns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Small arms only.
    Musketry,
    /// Any gun or amusette took part.
    Cannonade,
}

/// What is fired at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TargetArm {
    /// Infantry or cavalry.
    #[serde(alias = "infantry", alias = "cavalry")]
    Troops,
    /// Artillery.
    #[serde(
        alias = "guns-light",
        alias = "guns-heavy",
        alias = "guns-limbered",
        alias = "guns-fixed"
    )]
    Guns,
}

/// Whether the target is charging.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Charging {
    /// It is not.
    #[default]
    No,
    /// It is.
    Yes,
    /// It is, with cold steel.
    ColdSteel,
}

/// The target of fire.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Target {
    arm: TargetArm,
    class: Class,
    #[serde(default)]
    disordered: bool,
    #[serde(default)]
    pub(crate) charging: Charging,
    #[serde(default)]
    gun_stands: Option<i64>,
    /// Gun stands that are silenced already.
    #[serde(default)]
    silenced: i64,
}

impl Target {
    /// A target on the table, with its gun stands and how many of them are silenced.
    pub(crate) fn of(
        arm: TargetArm,
        class: Class,
        disordered: bool,
        charging: Charging,
        (guns, silenced): (usize, usize),
    ) -> Self {
        let count = |n: usize| i64::try_from(n).unwrap_or(i64::MAX);
        let (gun_stands, silenced) = (Some(count(guns)), count(silenced));
        Self { arm, class, disordered, charging, gun_stands, silenced }
    }

    pub(crate) fn is_guns(&self) -> bool {
        self.arm == TargetArm::Guns
    }
}

request! {
    /// Fire at one target.
    pub struct Request<'a> {
        kind: Kind,
        points: f64,
        target: Target,
        #[serde(default, borrow)] conditions: Vec<Name<'a>>,
        #[serde(default)] die: Option<i64>,
    }
}

/// Fire before its die.
#[derive(Debug, Clone)]
pub struct Assessment<'r> {
    table: &'r Table,
    column: &'r Column,
    kind: Kind,
    pub(crate) target: Target,
    gun_stands: u32,
    all_silenced: bool,
    points: [Option<Modifier>; 2],
    counted: Conditions,
    sum: i32,
    die: Option<i64>,
}

const MOST_POINTS: f64 = 10_000.0;
const MOST_GUN_STANDS: i64 = 1000;

/// Settles which clauses count.
///
/// # Errors
/// A refusal of what was said.
pub fn assess<'r>(rules: &'r Rules, request: &Request<'_>) -> Result<Assessment<'r>, Refusal> {
    let table = &rules.fire;
    if request.points <= 0.0 {
        let message = format!("{} fire points: only a total above zero may fire", request.points);
        return Err(Refusal::new(Code::NotAllowed, message));
    }
    if request.points > MOST_POINTS {
        let message = format!("points is {}: at most {MOST_POINTS}", request.points);
        return Err(Refusal::new(Code::TooLarge, message));
    }
    let gun_stands =
        between("gun_stands", request.target.gun_stands.unwrap_or(1), 0, MOST_GUN_STANDS)?;
    if request.target.arm == TargetArm::Guns && gun_stands == 0 {
        return Err(Refusal::new(
            Code::BadValue,
            "gun_stands is 0: guns as a target have at least one",
        ));
    }
    let silenced = between("silenced", request.target.silenced, 0, gun_stands)?;
    let target = Target { gun_stands: Some(gun_stands), silenced, ..request.target };
    let hold = table.modifiers.conditions(&request.conditions)?;
    let assessment = prepare(rules, request.kind, request.points, target, hold)?;
    Ok(Assessment { die: request.die, ..assessment })
}

/// Fire whose points and conditions are known.
///
/// # Errors
/// A refusal of conditions that contradict each other.
pub(crate) fn prepare(
    rules: &Rules,
    kind: Kind,
    points: f64,
    target: Target,
    hold: Conditions,
) -> Result<Assessment<'_>, Refusal> {
    let table = &rules.fire;
    let column = table.column(target.class)?;
    let (counted, sum) = table.modifiers.count(hold)?;
    let points = table.points.read_off(points);
    let by_points: i32 = points.iter().flatten().map(|m| m.value).sum();
    let gun_stands = target.gun_stands.unwrap_or(1);
    Ok(Assessment {
        table,
        column,
        kind,
        target,
        gun_stands: u32::try_from(gun_stands).unwrap_or(0),
        all_silenced: target.silenced > 0 && target.silenced == gun_stands,
        points,
        counted,
        sum: sum + by_points,
        die: None,
    })
}

/// What fire came to.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub struct Outcome {
    /// Die and modifiers.
    pub total: i32,
    /// The effect.
    pub effect: FireEffect,
    /// What becomes of the target's charge.
    pub charge: Option<Fate>,
    /// Troop stands lost.
    pub stands_lost: u32,
    /// Whether the fire disorders the target.
    pub disordered: bool,
    /// Gun stands wrecked.
    pub guns_wrecked: u32,
    /// Gun stands damaged.
    pub guns_damaged: u32,
    /// Gun stands silenced.
    pub guns_silenced: u32,
    /// Whether the firer is low on ammunition now.
    pub low_on_ammo: bool,
    /// Whether a leader near the target has to check.
    pub leader_check: bool,
}

impl Assessment<'_> {
    /// The same fire at a target that earlier fire has disordered or silenced.
    pub(crate) fn shake(&mut self, shaken: bool) {
        self.target.disordered |= shaken;
        self.all_silenced |= shaken && self.target.is_guns();
    }

    pub(crate) fn gun_stands(&self) -> u32 {
        self.gun_stands
    }

    fn telling_row(&self, total: i32) -> Option<(RuleId, TellingRow)> {
        self.column.telling.iter().find(|(b, ..)| b.holds(total.into())).map(|(_, r, k)| (*r, *k))
    }

    fn fate(&self, effect: FireEffect, total: i32, cited: &mut impl Cite) -> Option<Fate> {
        if self.target.charging == Charging::No {
            return None;
        }
        let Some(charges) = &self.table.effects.charges else {
            return Some(Fate::Home); // ruling.triple-alliance-charge-home
        };
        let (rule, fate) = match effect {
            FireEffect::Withering => (charges.withering, Fate::Checked),
            FireEffect::Telling => match self.telling_row(total) {
                Some((row, TellingRow::ChargeChecked)) => {
                    cited.cite(row);
                    (charges.telling[0], Fate::Checked)
                }
                Some((row, TellingRow::ColdSteel)) => {
                    cited.cite(row);
                    let steel = self.target.charging == Charging::ColdSteel;
                    (charges.telling[1], if steel { Fate::Home } else { Fate::Checked })
                }
                Some((row, TellingRow::ChargeHome)) => {
                    cited.cite(row);
                    (charges.telling[2], Fate::Home)
                }
                None => (charges.telling[2], Fate::Home),
            },
            FireEffect::Galling => (charges.home[0], Fate::Home),
            FireEffect::Lively => (charges.home[1], Fate::Home),
            FireEffect::Desultory => (charges.home[2], Fate::Home),
        };
        cited.cite(rule);
        match fate {
            Fate::Checked => {
                cited.cite(charges.checked_retreat.1);
                cited.cite(charges.recall);
            }
            Fate::Home => cited.cite(charges.goes_home),
        }
        Some(fate)
    }

    fn additional(&self, total: i32, cited: &mut impl Cite) -> u32 {
        let (stands, rule) = match self.table.effects.additional {
            Additional::From { total: from, stands, rule } => {
                (if total >= from { stands } else { 0 }, rule)
            }
            Additional::PerPoint { over, stands, rule } => {
                (stands * u32::try_from(total - over).unwrap_or(0), rule)
            }
        };
        if stands > 0 {
            cited.cite(rule);
        }
        stands
    }

    fn on_troops(&self, effect: FireEffect, total: i32, out: &mut Outcome, cited: &mut impl Cite) {
        let effects = &self.table.effects;
        match effect {
            FireEffect::Withering => {
                let (stands, disordered, rule) = effects.withering_troops;
                cited.cite(rule);
                out.stands_lost = stands + self.additional(total, cited);
                out.disordered = disordered;
            }
            FireEffect::Telling => {
                let (stands, disordered, rule) = effects.telling_troops;
                cited.cite(rule);
                out.stands_lost = stands;
                out.disordered = disordered;
            }
            FireEffect::Galling if self.target.disordered => {
                let (stands, rule) = effects.galling_already;
                cited.cite(rule);
                out.stands_lost = stands;
            }
            FireEffect::Galling => {
                let (disordered, rule) = effects.galling_disordered;
                cited.cite(rule);
                out.disordered = disordered;
            }
            FireEffect::Lively if self.kind == Kind::Cannonade => {
                let (disordered, rule) = effects.lively_troops;
                cited.cite(rule);
                out.disordered = disordered;
            }
            FireEffect::Lively => cited.cite(effects.lively_musketry),
            FireEffect::Desultory => cited.cite(effects.desultory),
        }
    }

    fn on_guns(&self, effect: FireEffect, total: i32, out: &mut Outcome, cited: &mut impl Cite) {
        let effects = &self.table.effects;
        let most = |stands: u32| stands.min(self.gun_stands);
        let (damaged, silenced) = match effect {
            FireEffect::Withering => {
                let (wrecked, rule) = effects.withering_wrecked;
                cited.cite(rule);
                cited.cite(effects.withering_silenced);
                out.guns_wrecked = most(wrecked + self.additional(total, cited));
                out.guns_silenced = self.gun_stands - out.guns_wrecked;
                return;
            }
            FireEffect::Telling => {
                let (damaged, rule) = effects.telling_damaged;
                cited.cite(rule);
                let (silenced, rule) = effects.telling_silenced;
                cited.cite(rule);
                (damaged, silenced)
            }
            FireEffect::Galling => {
                cited.cite(effects.galling_silenced.1);
                (0, effects.galling_silenced.0)
            }
            FireEffect::Lively if self.kind == Kind::Cannonade => {
                cited.cite(effects.lively_guns.1);
                (0, effects.lively_guns.0)
            }
            FireEffect::Lively => {
                cited.cite(effects.lively_musketry);
                (0, 0)
            }
            FireEffect::Desultory => {
                cited.cite(effects.desultory);
                (0, 0)
            }
        };
        // Guns that are all silenced are damaged in place of it (ruling.gun-states).
        if self.all_silenced && !self.table.silenced_are_damaged {
            out.guns_damaged = most(damaged);
        } else if self.all_silenced && effects.telling_same && damaged > 0 {
            out.guns_damaged = most(damaged.max(silenced));
        } else if self.all_silenced {
            // And a stand that is damaged twice is wrecked.
            let again = (damaged + silenced).saturating_sub(self.gun_stands);
            out.guns_wrecked = most(again);
            out.guns_damaged = most(damaged + silenced) - out.guns_wrecked;
        } else {
            out.guns_damaged = most(damaged);
            out.guns_silenced = most(silenced);
        }
    }

    /// What an effect does to the target, without a die: for units massed behind another.
    pub(crate) fn effect_alone(&self, effect: FireEffect) -> Outcome {
        let mut out = Outcome {
            total: 0,
            effect,
            charge: None,
            stands_lost: 0,
            disordered: false,
            guns_wrecked: 0,
            guns_damaged: 0,
            guns_silenced: 0,
            low_on_ammo: false,
            leader_check: false,
        };
        match self.target.arm {
            TargetArm::Troops => self.on_troops(effect, 0, &mut out, &mut ()),
            TargetArm::Guns => self.on_guns(effect, 0, &mut out, &mut ()),
        }
        out
    }

    /// What a unit massed behind the target suffers: some rows lower.
    pub(crate) fn massed(&self, effect: FireEffect) -> Option<FireEffect> {
        let at = FireEffect::ALL.iter().position(|(_, e)| *e == effect)?;
        let lower = at + self.table.effects.massed.1 as usize;
        FireEffect::ALL.get(lower).map(|(_, e)| *e).filter(|e| *e != FireEffect::Desultory)
    }
}

impl Check for Assessment<'_> {
    type Roll = u8;
    type Outcome = Outcome;

    fn given(&self) -> Result<u8, Refusal> {
        die(self.die)
    }

    fn rolls(&self) -> Distribution<u8> {
        dice::die()
    }

    fn resolve<C: Cite>(&self, roll: u8, cited: &mut C) -> Outcome {
        let effects = &self.table.effects;
        let total = i32::from(roll) + self.sum;
        let (rule, effect) = self.column.effects.read(total.into());
        cited.cite(rule);
        let mut out = Outcome {
            total,
            effect,
            charge: self.fate(effect, total, cited),
            stands_lost: 0,
            disordered: false,
            guns_wrecked: 0,
            guns_damaged: 0,
            guns_silenced: 0,
            low_on_ammo: i32::from(roll) == effects.low_on_ammo.0,
            leader_check: i32::from(roll) == effects.fallen_leader.0,
        };
        let named = !matches!(
            self.telling_row(total),
            Some((_, TellingRow::ColdSteel | TellingRow::ChargeHome))
        );
        if effect != FireEffect::Telling || named || !self.table.telling_charge_only {
            match self.target.arm {
                TargetArm::Troops => self.on_troops(effect, total, &mut out, cited),
                TargetArm::Guns => self.on_guns(effect, total, &mut out, cited),
            }
        }
        if out.low_on_ammo {
            cited.cite(effects.low_on_ammo.1);
        }
        if out.leader_check {
            cited.cite(effects.fallen_leader.1);
            cited.cite(effects.fallen_leader_within.1);
        }
        out
    }

    fn modifiers(&self) -> Vec<Counted> {
        let points = self.points.iter().flatten().copied();
        points.chain(self.table.modifiers.lines(self.counted)).map(Counted::plain).collect()
    }

    fn details(&self, roll: u8) -> Vec<(&'static str, Value)> {
        let effects = &self.table.effects;
        let out = self.resolve(roll, &mut ());
        let mut details = vec![
            ("massed_effect", json!(self.massed(out.effect))),
            ("massed_within", json!(effects.massed.0)),
        ];
        if out.leader_check {
            details.push(("leader_within", json!(effects.fallen_leader_within.0)));
        }
        if out.charge == Some(Fate::Checked)
            && let Some(charges) = &effects.charges
        {
            details.push(("checked_to", json!(charges.checked_retreat.0)));
        }
        details
    }
}
