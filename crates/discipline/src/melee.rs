//! A field melee: two pools of kill dice against each other.

use dice::Distribution;
use rulebook::request::{Name, between, pool_hits};
use rulebook::{
    Amount, Book, Check, Cite, Code, Conditions, Counted, Figure, Flaw, ModifierTable, Refusal,
    RuleId, request,
};
use serde::{Deserialize, Serialize};

use crate::{MOST_CASTINGS, Rules, musketry, ten_sided};

/// What a side is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// Charging or counter-charging.
    Charging,
    /// Holding.
    Holding,
    /// Locked in melee from an earlier turn.
    Engaged,
}

/// The melee tables.
#[derive(Debug, Clone)]
pub(crate) struct Table {
    pub(crate) modifiers: ModifierTable,
    both_charging: (i32, RuleId),
    charging_v_holding: (i32, RuleId),
    holding_v_charging: (i32, RuleId),
    engaged: (i32, RuleId),
    blade_per_die: (i64, RuleId),
    blade_hits: (i32, RuleId),
    blade_with_modifiers: bool,
    firing: (i64, i32, RuleId), // per so many firers, so many dice
    value: RuleId,
    loser: RuleId,
    mmg: RuleId,
    least: u32,
    grades: (i64, i64),
    enemy_holds: Conditions,
    must_hold: [RuleId; 2],
    /// Taken from grade and firers, whether listed or not.
    from_fields: Conditions,
}

impl Table {
    pub(crate) fn read(book: &Book) -> Result<Self, Flaw> {
        ten_sided(book, "melee.procedure.step-d-value")?;
        let columns = "melee.status-columns";
        book.rule(columns)?;
        let known =
            book.clause(columns).and_then(|c| c.figures.get("columns")).and_then(Figure::list);
        let known: Vec<&str> = known.unwrap_or_default().iter().filter_map(Figure::text).collect();
        if known != ["both-charging", "charging-v-holding", "holding-v-charging", "engaged"] {
            return Err(Flaw::of(columns, "`columns` are the four statuses of the chart"));
        }
        let formula = "melee.value-formula";
        if book.text(formula, "formula")? != "castings + mmg + modifiers" {
            return Err(Flaw::of(formula, "the formula is castings + mmg + modifiers"));
        }
        let column = |name: &str| -> Result<(i32, RuleId), Flaw> {
            let id = format!("melee.to-hit.{name}");
            Ok((book.int(&id, "hit_up_to")?, book.rule(&id)?))
        };
        let blade = "melee.blade-armed.dice";
        let per_die = i64::from(book.count(blade, "castings_per_die")?);
        let firing = "melee.dice-modifier.holding-and-firing";
        let firers = i64::from(book.count(firing, "firers")?);
        if per_die == 0 || firers == 0 {
            return Err(Flaw {
                clauses: vec![blade.into(), firing.into()],
                message: "a die for no castings".into(),
            });
        }
        let on_one = "melee.blade-armed.hits-on-1";
        let mmg = "melee.dice-modifier.mmg";
        if book.text(mmg, "dice")? != "mmg" {
            return Err(Flaw::of(mmg, "`dice` is the grade: mmg"));
        }
        book.rule("melee.no-to-hit-modifiers")?;
        book.rule("melee.all-castings-fight")?;
        let modifiers =
            ModifierTable::read_where(book, "melee.dice-modifier.", "dice", |id| id != firing)?;
        Ok(Self {
            both_charging: column("both-charging")?,
            charging_v_holding: column("charging-v-holding")?,
            holding_v_charging: column("holding-v-charging")?,
            engaged: column("engaged")?,
            blade_per_die: (per_die, book.rule(blade)?),
            blade_hits: (book.int(on_one, "hit_up_to")?, book.rule(on_one)?),
            blade_with_modifiers: book.setting("fd-blade-dice") != "castings-only",
            firing: (firers, book.int(firing, "dice_per_firers")?, book.rule(firing)?),
            value: book.rule(formula)?,
            loser: book.rule("melee.procedure.step-e-loser")?,
            mmg: book.rule(mmg)?,
            least: u32::from(book.setting("fd-melee-minimum") != "none"),
            grades: musketry::grades(book)?,
            enemy_holds: modifiers.named("enemy-protective-position"),
            must_hold: [
                book.rule("terrain.protective-cover.must-hold")?,
                book.rule("terrain.protective-cover.not-engaged")?,
            ],
            from_fields: modifiers.named("mmg"),
            modifiers,
        })
    }

    fn column(&self, own: Status, other: Status) -> Result<(i32, RuleId), Refusal> {
        match (own, other) {
            (Status::Charging, Status::Charging) => Ok(self.both_charging),
            (Status::Charging, Status::Holding) => Ok(self.charging_v_holding),
            (Status::Holding, Status::Charging) => Ok(self.holding_v_charging),
            (Status::Engaged, Status::Engaged) => Ok(self.engaged),
            (Status::Holding, Status::Holding) => Err(Refusal::new(
                Code::Contradiction,
                "two sides that hold do not meet: one has to charge",
            )),
            _ => Err(Refusal::new(
                Code::Contradiction,
                "a melee that goes on has both sides engaged, and a new one neither",
            )),
        }
    }
}

/// One side of a melee.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SideRequest<'a> {
    castings: i64,
    grade: i64,
    status: Status,
    #[serde(default)]
    blade: bool,
    #[serde(default, borrow)]
    conditions: Vec<Name<'a>>,
    #[serde(default)]
    firers: i64,
    #[serde(default)]
    dice: Option<Vec<i64>>,
}

request! {
    /// A melee.
    pub struct Request<'a> {
        #[serde(borrow)] sides: Vec<SideRequest<'a>>,
    }
}

/// One side, assessed.
#[derive(Debug, Clone)]
pub(crate) struct Side {
    pub(crate) castings: i64,
    grade: i32,
    blade: bool,
    firers: i64,
    volley: i32,
    to_hit: (i32, RuleId),
    /// How many clauses say that cover that was claimed does not count.
    lost_cover: usize,
    counted: Conditions,
    sum: i32,
    dice: u32,
    given: Option<Vec<i64>>,
}

/// A melee before its dice.
#[derive(Debug, Clone)]
pub struct Assessment<'r> {
    table: &'r Table,
    pub(crate) sides: [Side; 2],
}

const SIDE: [&str; 2] = ["0", "1"];

/// Settles which clauses count.
///
/// # Errors
/// A refusal of what was said.
pub fn assess<'r>(rules: &'r Rules, request: &Request<'_>) -> Result<Assessment<'r>, Refusal> {
    let table = &rules.melee;
    let [a, b] = &request.sides[..] else {
        let message = format!("sides has {} entries: a melee has two sides", request.sides.len());
        return Err(Refusal::new(Code::BadValue, message));
    };
    let mut melee = Assessment { table, sides: [side(table, a, b)?, side(table, b, a)?] };
    melee.count_dice();
    Ok(melee)
}

fn side(table: &Table, own: &SideRequest<'_>, other: &SideRequest<'_>) -> Result<Side, Refusal> {
    let castings = between("castings", own.castings, 1, MOST_CASTINGS)?;
    let grade = between("grade", own.grade, table.grades.0, table.grades.1)?;
    let firers = between("firers", own.firers, 0, MOST_CASTINGS)?;
    let column = table.column(own.status, other.status)?;
    let hold = table.modifiers.conditions(&own.conditions)?.without(table.from_fields);
    // Protective cover helps only a defender who holds.
    let lost_cover = match other.status {
        _ if !hold.meets(table.enemy_holds) => 0,
        Status::Holding => 0,
        Status::Charging => 1,
        Status::Engaged => 2,
    };
    let hold = if lost_cover > 0 { hold.without(table.enemy_holds) } else { hold };
    let (counted, sum) = table.modifiers.count(hold)?;
    let fires = own.status == Status::Holding && other.status == Status::Charging;
    Ok(Side {
        castings,
        grade: i32::try_from(grade).unwrap_or(0),
        blade: own.blade,
        firers: if fires { firers } else { 0 },
        volley: 0,
        to_hit: if own.blade { table.blade_hits } else { column },
        lost_cover,
        counted,
        sum,
        dice: 0,
        given: own.dice.clone(),
    })
}

impl Assessment<'_> {
    /// Counts the dice of both sides anew, after castings were lost.
    pub(crate) fn count_dice(&mut self) {
        for side in &mut self.sides {
            let (per, each, _) = self.table.firing;
            side.volley =
                i32::try_from(side.firers.min(side.castings.max(0)) / per).unwrap_or(0) * each;
            let base = if side.blade {
                (side.castings / self.table.blade_per_die.0).max(1)
            } else {
                side.castings
            };
            let mut dice = i32::try_from(base).unwrap_or(0);
            if !side.blade || self.table.blade_with_modifiers {
                dice += side.grade + side.sum + side.volley;
            }
            side.dice = u32::try_from(dice).unwrap_or(0).max(self.table.least);
        }
    }
}

/// What a melee came to.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub struct Outcome {
    /// Dice of each side.
    pub dice: [u32; 2],
    /// The highest number that hits, for each side.
    pub to_hit: [i32; 2],
    /// Hits that each side inflicted.
    pub hits: [u32; 2],
    /// The side that took more hits than it inflicted.
    pub loser: Option<usize>,
}

impl Check for Assessment<'_> {
    type Roll = [u32; 2];
    type Outcome = Outcome;

    fn given(&self) -> Result<[u32; 2], Refusal> {
        let of = |i: usize| -> Result<u32, Refusal> {
            let side = &self.sides[i];
            pool_hits(side.given.as_deref(), side.dice, side.to_hit.0)
                .map_err(|r| Refusal::new(r.code, format!("side {i}: {}", r.message)))
        };
        Ok([of(0)?, of(1)?])
    }

    fn rolls(&self) -> Distribution<[u32; 2]> {
        let of = |side: &Side| dice::pool(side.dice, u32::try_from(side.to_hit.0).unwrap_or(0));
        of(&self.sides[0]).beside(&of(&self.sides[1]), |a, b| [*a, *b])
    }

    fn resolve<C: Cite>(&self, hits: [u32; 2], cited: &mut C) -> Outcome {
        for side in &self.sides {
            cited.cite(if side.blade { self.table.blade_per_die.1 } else { self.table.value });
            cited.cite(side.to_hit.1);
            for rule in &self.table.must_hold[..side.lost_cover] {
                cited.cite(*rule);
            }
        }
        cited.cite(self.table.loser);
        let loser = match hits[0].cmp(&hits[1]) {
            std::cmp::Ordering::Less => Some(0),
            std::cmp::Ordering::Greater => Some(1),
            std::cmp::Ordering::Equal => None,
        };
        let [a, b] = &self.sides;
        Outcome { dice: [a.dice, b.dice], to_hit: [a.to_hit.0, b.to_hit.0], hits, loser }
    }

    fn modifiers(&self) -> Vec<Counted> {
        let mut all = Vec::new();
        for (i, side) in self.sides.iter().enumerate() {
            if side.blade && !self.table.blade_with_modifiers {
                continue;
            }
            let line =
                |rule, value| Counted { rule, value: Amount::from(value), side: Some(SIDE[i]) };
            all.push(line(self.table.mmg, side.grade));
            all.extend(self.table.modifiers.lines(side.counted).map(|m| Counted::of(SIDE[i], m)));
            if side.volley != 0 {
                all.push(line(self.table.firing.2, side.volley));
            }
        }
        all
    }
}
