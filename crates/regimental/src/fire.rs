//! Fire combat: musketry and cannonade.

use dice::Distribution;
use rulebook::request::{Name, between, die};
use rulebook::{
    Book, Bounds, Check, Cite, Code, Conditions, Counted, Flaw, Ladder, Modifier, ModifierTable,
    Refusal, RuleId, request,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{Rules, ten_sided};

/// What fire comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fate {
    /// Stopped short.
    Checked,
    /// On to the combat.
    Home,
}

/// The experience of the target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
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

const CLASSES: [(&str, Class); 4] = [
    ("elite", Class::Elite),
    ("veteran", Class::Veteran),
    ("trained", Class::Trained),
    ("raw", Class::Raw),
];

/// The rows that Telling Fire is printed in, by what becomes of a charge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TellingRow {
    ChargeChecked,
    ColdSteel,
    ChargeHome,
}

const TELLING: [(&str, TellingRow); 3] = [
    ("telling-charge-checked", TellingRow::ChargeChecked),
    ("telling-cold-steel", TellingRow::ColdSteel),
    ("telling-charge-home", TellingRow::ChargeHome),
];

#[derive(Debug, Clone)]
struct Column {
    effects: Ladder<FireEffect>,
    telling: Vec<(Bounds, RuleId, TellingRow)>,
}

impl Column {
    fn read(book: &Book, class: &str) -> Result<Option<Self>, Flaw> {
        if book.clause(&format!("fire.result.withering.{class}")).is_none() {
            return Ok(None); // this sheet has no such column
        }
        let row = |name: &str| -> Result<Option<(String, Bounds, RuleId)>, Flaw> {
            let id = format!("fire.result.{name}.{class}");
            let rule = book.rule(&id)?;
            let Some(clause) = book.clause(&id) else {
                return Ok(None);
            };
            if clause.figures.contains_key("none") && book.flag(&id, "none")? {
                return Ok(None);
            }
            Ok(Some((id.clone(), Bounds::from_figures(&clause.figures), rule)))
        };
        let mut rows = Vec::new();
        for (name, effect) in FireEffect::ALL {
            rows.extend(row(name)?.map(|(id, bounds, rule)| (id, bounds, rule, effect)));
        }
        let whole = rows.iter().find(|(.., e)| *e == FireEffect::Telling).cloned();
        let effects = Ladder::build(&format!("the fire table for {class} targets"), rows)?;
        let mut telling = Vec::new();
        if book.clause(&format!("fire.result.telling-charge-home.{class}")).is_some() {
            for (name, kind) in TELLING {
                telling.extend(row(name)?.map(|(id, bounds, rule)| (id, bounds, rule, kind)));
            }
            Self::check_telling(class, whole.as_ref().map(|(id, b, ..)| (id, *b)), &telling)?;
        }
        let telling = telling.into_iter().map(|(_, b, rule, kind)| (b, rule, kind)).collect();
        Ok(Some(Self { effects, telling }))
    }

    /// The three charge rows together must be Telling Fire, no more, no less.
    fn check_telling(
        class: &str,
        whole: Option<(&String, Bounds)>,
        rows: &[(String, Bounds, RuleId, TellingRow)],
    ) -> Result<(), Flaw> {
        let Some((id, Bounds { min: Some(low), max: Some(high) })) = whole else {
            return Ok(());
        };
        let mut clauses: Vec<String> = rows.iter().map(|(id, ..)| id.clone()).collect();
        clauses.push(id.clone());
        for total in low - 5..=high + 5 {
            let covering = rows.iter().filter(|(_, b, ..)| b.holds(total)).count();
            if covering != usize::from((low..=high).contains(&total)) {
                let message = format!(
                    "the charge rows of Telling Fire on {class} targets and Telling Fire itself differ at {total}"
                );
                return Err(Flaw { clauses, message });
            }
        }
        Ok(())
    }
}

/// The scale that turns fire points into a modifier.
#[derive(Debug, Clone)]
struct PointsScale {
    steps: Vec<(f64, i32, RuleId)>,     // from, modifier; the lowest first
    beyond: Option<(f64, i32, RuleId)>, // every so many points over the last step
}

impl PointsScale {
    fn read(book: &Book) -> Result<Self, Flaw> {
        let mut rows = Vec::new();
        let mut beyond = None;
        for (rule, clause) in book.clauses() {
            let id = &clause.id;
            if !id.starts_with("fire.points-modifier.") {
                continue;
            }
            if clause.figures.contains_key("step_points") {
                let every = book.number(id, "step_points")?;
                if every <= 0.0 {
                    return Err(Flaw::of(id, "`step_points` must be more than 0"));
                }
                beyond = Some((every, book.int(id, "step_modifier")?, rule));
                continue;
            }
            let has = |key: &str| clause.figures.contains_key(key);
            let from = if has("min_points") { book.number(id, "min_points")? } else { 0.0 };
            let to = if has("below_points") {
                Some(book.number(id, "below_points")?)
            } else if has("max_points") {
                Some(book.number(id, "max_points")? + 1.0)
            } else {
                None
            };
            rows.push((id.clone(), from, to, book.int(id, "modifier")?, rule));
        }
        rows.sort_by(|a, b| a.1.total_cmp(&b.1));
        let mut reached = Some(0.0);
        for (id, from, to, ..) in &rows {
            if reached.is_none_or(|r: f64| (r - from).abs() > f64::EPSILON) {
                let at = reached.unwrap_or(*from);
                return Err(Flaw::of(
                    id,
                    format!("the fire point scale has a hole or an overlap at {at}"),
                ));
            }
            reached = *to;
        }
        if rows.is_empty() || reached.is_some() {
            return Err(Flaw::of("fire.points-modifier.1", "the fire point scale has no open end"));
        }
        Ok(Self {
            steps: rows.into_iter().map(|(_, from, _, m, rule)| (from, m, rule)).collect(),
            beyond,
        })
    }

    /// The modifiers of a number of points: the highest step not above it,
    /// and where the scale goes on, the step for points beyond it.
    fn read_off(&self, points: f64) -> [Option<Modifier>; 2] {
        let step = self.steps.iter().rev().find(|(from, ..)| points >= *from);
        let (from, value, rule) = *step.unwrap_or(&self.steps[0]);
        let last = self.steps.last().is_some_and(|(.., r)| *r == rule);
        let more = self.beyond.filter(|_| last).and_then(|(every, each, rule)| {
            #[allow(clippy::cast_possible_truncation)] // points are bounded
            let times = ((points - from) / every).floor() as i32;
            (times > 0).then_some(Modifier { rule, value: times * each })
        });
        [Some(Modifier { rule, value }), more]
    }
}

/// What each effect does, from its clauses.
#[derive(Debug, Clone)]
struct Effects {
    withering_troops: (u32, bool, RuleId),
    withering_wrecked: (u32, RuleId),
    withering_silenced: RuleId,
    additional: Additional,
    telling_troops: (u32, bool, RuleId),
    telling_damaged: (u32, RuleId),
    telling_silenced: (u32, RuleId),
    galling_disordered: (bool, RuleId),
    galling_already: (u32, RuleId),
    galling_silenced: (u32, RuleId),
    lively_troops: (bool, RuleId),
    lively_guns: (u32, RuleId),
    lively_musketry: RuleId,
    desultory: RuleId,
    low_on_ammo: (i32, RuleId),
    fallen_leader: (i32, RuleId),
    fallen_leader_within: (f64, RuleId),
    massed: (f64, u32, RuleId),
    /// None on a sheet where fire never stops a charge.
    charges: Option<Charges>,
}

/// How fire decides a charge, on the sheets where it can.
#[derive(Debug, Clone)]
struct Charges {
    withering: RuleId,
    telling: [RuleId; 3],
    home: [RuleId; 3], // galling, lively, desultory
    checked_retreat: (f64, RuleId),
    recall: RuleId,
    goes_home: RuleId,
}

/// Further stands lost on a high Withering total.
#[derive(Debug, Clone)]
enum Additional {
    From { total: i32, stands: u32, rule: RuleId },
    PerPoint { over: i32, stands: u32, rule: RuleId },
}

impl Effects {
    fn read(book: &Book) -> Result<Self, Flaw> {
        let id = |tail: &str| format!("fire.effect.{tail}");
        let troops = |tail: &str| -> Result<(u32, bool, RuleId), Flaw> {
            let id = id(tail);
            Ok((book.count(&id, "stands")?, book.flag(&id, "disordered")?, book.rule(&id)?))
        };
        let count = |tail: &str, figure: &str| -> Result<(u32, RuleId), Flaw> {
            let id = id(tail);
            Ok((book.count(&id, figure)?, book.rule(&id)?))
        };
        let disorder = |tail: &str| -> Result<(bool, RuleId), Flaw> {
            let id = id(tail);
            Ok((book.flag(&id, "disordered")?, book.rule(&id)?))
        };
        let extra = id("withering.additional-loss");
        let rule = book.rule(&extra)?;
        let additional = if book.clause(&extra).is_some_and(|c| c.figures.contains_key("min")) {
            Additional::From {
                total: book.int(&extra, "min")?,
                stands: book.count(&extra, "stands")?,
                rule,
            }
        } else {
            let stands = book.count(&extra, "stands_per_point")?;
            Additional::PerPoint { over: book.int(&extra, "over")?, stands, rule }
        };
        let trigger = |tail: &str| -> Result<(i32, RuleId), Flaw> {
            let id = format!("fire.additional.{tail}");
            let face = book.int(&id, "base_die")?;
            if !(1..=10).contains(&face) {
                return Err(Flaw::of(&id, format!("no die shows {face}")));
            }
            Ok((face, book.rule(&id)?))
        };
        let distance = |id: &str| -> Result<(f64, RuleId), Flaw> {
            Ok((book.number(id, "distance")?, book.rule(id)?))
        };
        let massed = "fire.additional.massed-target";
        let charges = if book.clause(&id("withering.charge-checked")).is_some()
            || book.clause(&id("telling.charge-checked")).is_some()
        {
            let rule = |tail: &str| book.rule(&id(tail));
            Some(Charges {
                withering: rule("withering.charge-checked")?,
                telling: [
                    rule("telling.charge-checked")?,
                    rule("telling.cold-steel")?,
                    rule("telling.charge-home")?,
                ],
                home: [
                    rule("galling.charge-home")?,
                    rule("lively.charge-home")?,
                    rule("desultory.charge-home")?,
                ],
                checked_retreat: distance("fire.additional.charge-checked.retreat")?,
                recall: book.rule("fire.additional.charge-checked.cavalry-recall")?,
                goes_home: book.rule("fire.additional.charge-home")?,
            })
        } else {
            None
        };
        Ok(Self {
            withering_troops: troops("withering.troops")?,
            withering_wrecked: count("withering.gun-wrecked", "gun_stands_wrecked")?,
            withering_silenced: book.rule(&id("withering.guns-silenced"))?,
            additional,
            telling_troops: troops("telling.troops")?,
            telling_damaged: count("telling.gun-damaged", "gun_stands_damaged")?,
            telling_silenced: count("telling.gun-silenced", "gun_stands_silenced")?,
            galling_disordered: disorder("galling.troops-disordered")?,
            galling_already: count("galling.troops-already-disordered", "stands")?,
            galling_silenced: count("galling.gun-silenced", "gun_stands_silenced")?,
            lively_troops: disorder("lively.cannonade-troops")?,
            lively_guns: count("lively.cannonade-guns", "gun_stands_silenced")?,
            lively_musketry: book.rule(&id("lively.musketry"))?,
            desultory: book.rule(&id("desultory.none"))?,
            low_on_ammo: trigger("low-on-ammo.trigger")?,
            fallen_leader: trigger("fallen-leader.trigger")?,
            fallen_leader_within: distance("fire.additional.fallen-leader.who")?,
            massed: {
                let (within, rule) = distance(massed)?;
                (within, book.count(massed, "rows_lower")?, rule)
            },
            charges,
        })
    }
}

/// The fire table.
#[derive(Debug, Clone)]
pub(crate) struct Table {
    pub(crate) modifiers: ModifierTable,
    points: PointsScale,
    columns: [Option<Column>; 4],
    effects: Effects,
    /// Whether the two unnamed Telling rows decide only the charge.
    telling_charge_only: bool,
}

impl Table {
    pub(crate) fn read(book: &Book) -> Result<Self, Flaw> {
        ten_sided(book, "fire.die")?;
        book.rule("fire.modifier.group-once")?;
        let mut columns = [const { None }; 4];
        for (slot, (class, _)) in columns.iter_mut().zip(CLASSES) {
            *slot = Column::read(book, class)?;
        }
        Ok(Self {
            modifiers: ModifierTable::read(book, "fire.modifier.", "modifier")?,
            points: PointsScale::read(book)?,
            columns,
            effects: Effects::read(book)?,
            telling_charge_only: book.setting("telling-fire-rows") == "charge-only",
        })
    }

    fn column(&self, class: Class) -> Result<&Column, Refusal> {
        self.columns[class as usize].as_ref().ok_or_else(|| {
            let known: Vec<&str> = CLASSES
                .iter()
                .zip(&self.columns)
                .filter(|(_, column)| column.is_some())
                .map(|((name, _), _)| *name)
                .collect();
            let message =
                format!("this sheet has no such class of target; it has {}", known.join(", "));
            Refusal::new(Code::BadValue, message)
        })
    }
}

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
}

impl Target {
    /// The same target after earlier fire has disordered it.
    pub(crate) fn shaken(mut self, disordered: bool) -> Self {
        self.disordered |= disordered;
        self
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
    let column = table.column(request.target.class)?;
    let (counted, sum) = table.modifiers.count(table.modifiers.conditions(&request.conditions)?)?;
    let points = table.points.read_off(request.points);
    let by_points: i32 = points.iter().flatten().map(|m| m.value).sum();
    Ok(Assessment {
        table,
        column,
        kind: request.kind,
        target: request.target,
        gun_stands: u32::try_from(gun_stands).unwrap_or(0),
        points,
        counted,
        sum: sum + by_points,
        die: request.die,
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
        match effect {
            FireEffect::Withering => {
                let (wrecked, rule) = effects.withering_wrecked;
                cited.cite(rule);
                cited.cite(effects.withering_silenced);
                out.guns_wrecked = most(wrecked + self.additional(total, cited));
                out.guns_silenced = self.gun_stands - out.guns_wrecked;
            }
            FireEffect::Telling => {
                let (damaged, rule) = effects.telling_damaged;
                cited.cite(rule);
                let (silenced, rule) = effects.telling_silenced;
                cited.cite(rule);
                out.guns_damaged = most(damaged);
                out.guns_silenced = most(silenced);
            }
            FireEffect::Galling => {
                let (silenced, rule) = effects.galling_silenced;
                cited.cite(rule);
                out.guns_silenced = most(silenced);
            }
            FireEffect::Lively if self.kind == Kind::Cannonade => {
                let (silenced, rule) = effects.lively_guns;
                cited.cite(rule);
                out.guns_silenced = most(silenced);
            }
            FireEffect::Lively => cited.cite(effects.lively_musketry),
            FireEffect::Desultory => cited.cite(effects.desultory),
        }
    }

    /// What a unit massed behind the target suffers: some rows lower.
    fn massed(&self, effect: FireEffect) -> Option<FireEffect> {
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
