//! The morale check, and the second die of those who fail it.

use dice::Distribution;
use rulebook::request::{Name, between, die};
use rulebook::{
    Book, Check, Cite, Code, Conditions, Counted, Flaw, ModifierTable, Refusal, RuleId, request,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{MOST_CASTINGS, Rules, musketry, ten_sided};

/// A row of the morale loss chart.
#[derive(Debug, Clone, Copy)]
struct Row {
    flee: u32,
    attrition: u32,
    rule: RuleId,
}

/// The morale tables.
#[derive(Debug, Clone)]
pub(crate) struct Table {
    pub(crate) modifiers: ModifierTable,
    grades: (i64, i64),
    passes_from: (i32, RuleId),
    total: RuleId,
    roll: RuleId,
    second: RuleId,
    chart: [Row; 9],
    surrender: (i64, i64, RuleId), // castings from and to
    surrender_within: f64,
    otherwise: (u8, RuleId),
    no_fire: ([i32; 2], RuleId),
    no_charge: ([i32; 2], RuleId),
    leave_guns: ([i32; 2], RuleId),
    more_hits: Conditions,
}

impl Table {
    pub(crate) fn read(book: &Book) -> Result<Self, Flaw> {
        let roll = "morale.check.roll";
        let second = "morale.check.second-roll";
        ten_sided(book, roll)?;
        ten_sided(book, second)?;
        if book.text(roll, "fail")? != "roll > total" {
            return Err(Flaw::of(roll, "a roll above the total fails"));
        }
        let zero = "morale.check.zero-is-ten";
        if book.int(zero, "zero_face")? != 10 {
            return Err(Flaw::of(zero, "the 0 face is 10 on every roll"));
        }
        let total = "morale.check.total";
        if book.text(total, "formula")? != "castings + grade + modifiers" {
            return Err(Flaw::of(total, "the total is castings + grade + modifiers"));
        }
        let automatic = "morale.check.automatic-pass";
        let surrender = "morale.loss.chart-0-surrender";
        let otherwise = "morale.loss.chart-0-otherwise";
        for id in [surrender, otherwise] {
            if book.int(id, "roll")? != 0 {
                return Err(Flaw::of(id, "this is the 0 face"));
            }
        }
        let [few, many] = book.ints(surrender, "castings")?[..] else {
            return Err(Flaw::of(surrender, "`castings` is from and to"));
        };
        if few < 1 || many < few {
            return Err(Flaw::of(surrender, "`castings` is from and to, at least 1"));
        }
        let faces = |id: &str| -> Result<([i32; 2], RuleId), Flaw> {
            let roll = <[i32; 2]>::try_from(book.ints(id, "roll")?);
            let roll = roll.ok().filter(|[from, to]| *from >= 1 && from <= to && *to <= 10);
            Ok((roll.ok_or_else(|| Flaw::of(id, "`roll` is from and to"))?, book.rule(id)?))
        };
        let reads_as =
            u8::try_from(book.int(otherwise, "reads_as")?).ok().filter(|n| (1..=9).contains(n));
        let reads_as =
            reads_as.ok_or_else(|| Flaw::of(otherwise, "`reads_as` is a face from 1 to 9"))?;
        let modifiers = ModifierTable::read(book, "morale.modifier.", "modifier")?;
        Ok(Self {
            grades: musketry::grades(book)?,
            passes_from: (book.int(automatic, "total_min")?, book.rule(automatic)?),
            total: book.rule(total)?,
            roll: book.rule(roll)?,
            second: book.rule(second)?,
            chart: chart(book)?,
            surrender: (few.into(), many.into(), book.rule(surrender)?),
            surrender_within: book.number(surrender, "enemy_distance")?,
            otherwise: (reads_as, book.rule(otherwise)?),
            no_fire: faces("morale.loss.halted-artillery-no-fire")?,
            no_charge: faces("morale.loss.halted-no-charge")?,
            leave_guns: faces("morale.loss.crews-leave-guns")?,
            more_hits: modifiers.named("melee-inflicted-more"),
            modifiers,
        })
    }
}

/// The loss chart for the faces 1 to 9.
fn chart(book: &Book) -> Result<[Row; 9], Flaw> {
    let mut rows: [Option<Row>; 9] = [None; 9];
    let mut last = "";
    for id in ["morale.loss.chart-1-3", "morale.loss.chart-4-6", "morale.loss.chart-7-9"] {
        let [from, to] = book.ints(id, "roll")?[..] else {
            return Err(Flaw::of(id, "`roll` is from and to"));
        };
        let row = Row {
            flee: book.count(id, "flee")?,
            attrition: book.count(id, "attrition")?,
            rule: book.rule(id)?,
        };
        for face in from..=to {
            let slot = usize::try_from(face - 1).ok().and_then(|i| rows.get_mut(i));
            match slot {
                Some(slot) if slot.is_none() => *slot = Some(row),
                _ => {
                    return Err(Flaw::of(id, format!("the loss chart overlaps or ends at {face}")));
                }
            }
        }
        last = id;
    }
    let mut whole = Vec::with_capacity(9);
    for (face, row) in (1..).zip(rows) {
        whole.push(
            row.ok_or_else(|| Flaw::of(last, format!("the loss chart has no row for {face}")))?,
        );
    }
    <[Row; 9]>::try_from(whole).map_err(|_| Flaw::of(last, "nine faces"))
}

/// Who checks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Arm {
    /// Foot.
    #[default]
    Foot,
    /// Mounted troops.
    Mounted,
    /// Artillery.
    Artillery,
}

request! {
    /// A morale check. Its arm adds no modifier: it says which clauses bear on a failure, and may be
    /// left out.
    pub struct Request<'a> {
        castings: i64,
        grade: i64,
        #[serde(default)] arm: Arm,
        #[serde(default, borrow)] conditions: Vec<Name<'a>>,
        #[serde(default)] enemy_within_100: bool,
        #[serde(default)] die: Option<i64>,
        #[serde(default)] loss_die: Option<i64>,
    }
}

/// A morale check before its dice.
#[derive(Debug, Clone)]
pub struct Assessment<'r> {
    table: &'r Table,
    pub(crate) castings: i64,
    grade: i32,
    arm: Arm,
    hold: Conditions,
    counted: Conditions,
    sum: i32,
    enemy_near: bool,
    die: Option<i64>,
    loss_die: Option<i64>,
}

/// Settles which clauses count.
///
/// # Errors
/// A refusal of what was said.
pub fn assess<'r>(rules: &'r Rules, request: &Request<'_>) -> Result<Assessment<'r>, Refusal> {
    let table = &rules.morale;
    let castings = between("castings", request.castings, 1, MOST_CASTINGS)?;
    let grade = between("grade", request.grade, table.grades.0, table.grades.1)?;
    let hold = table.modifiers.conditions(&request.conditions)?;
    let (counted, sum) = table.modifiers.count(hold)?;
    Ok(Assessment {
        table,
        castings,
        grade: i32::try_from(grade).unwrap_or(0),
        arm: request.arm,
        hold,
        counted,
        sum,
        enemy_near: request.enemy_within_100,
        die: request.die,
        loss_die: request.loss_die,
    })
}

impl Assessment<'_> {
    /// The same check after a melee: with the castings left, and the bonus of
    /// those who inflicted more hits than they took.
    pub(crate) fn after(&self, castings: i64, inflicted_more: bool) -> Result<Self, Refusal> {
        let mut next = self.clone();
        next.castings = castings;
        if inflicted_more {
            next.hold = next.hold.with(self.table.more_hits);
        }
        (next.counted, next.sum) = self.table.modifiers.count(next.hold)?;
        Ok(next)
    }

    fn total(&self) -> i32 {
        i32::try_from(self.castings).unwrap_or(0) + self.grade + self.sum
    }

    fn automatic(&self) -> bool {
        self.total() >= self.table.passes_from.0
    }

    fn fails(&self, die: u8) -> bool {
        !self.automatic() && i32::from(die) > self.total()
    }

    /// The row of the loss chart, or none for a surrender.
    fn loss(&self, die: u8) -> Option<(Row, Option<RuleId>)> {
        let (few, many, _) = self.table.surrender;
        let face = match die {
            10 if self.enemy_near && (few..=many).contains(&self.castings) => return None,
            10 => self.table.otherwise.0,
            n => n,
        };
        let row = self.table.chart[usize::from(face.clamp(1, 9)) - 1];
        Some((row, (die == 10).then_some(self.table.otherwise.1)))
    }
}

/// What a morale check comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Effect {
    /// Steady.
    Pass,
    /// Halts in place.
    Halt,
    /// Flees.
    Flee,
    /// Flees and loses a casting.
    FleeAndLoseOne,
    /// Surrenders.
    Surrender,
}

/// What a morale check came to.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub struct Outcome {
    /// Castings, grade and modifiers.
    pub total: i32,
    /// Whether the stand passed.
    pub passed: bool,
    /// The effect.
    pub effect: Effect,
}

/// The die of the check, and the second of those who fail: 0 if there is none.
pub type Roll = [u8; 2];

impl Check for Assessment<'_> {
    type Roll = Roll;
    type Outcome = Outcome;

    fn given(&self) -> Result<Roll, Refusal> {
        let first = match self.die {
            None if self.automatic() => return Ok([0, 0]),
            given => die(given)?,
        };
        if !self.fails(first) {
            return Ok([first, 0]);
        }
        if self.loss_die.is_none() {
            let message = "the check fails: the field loss_die is missing, the second die, 1 to 10";
            return Err(Refusal::new(Code::MissingField, message));
        }
        Ok([first, die(self.loss_die)?])
    }

    fn rolls(&self) -> Distribution<Roll> {
        if self.automatic() {
            return Distribution::certain([0, 0]);
        }
        dice::die().then(|first| {
            if self.fails(*first) {
                dice::die().map(|second| [*first, *second])
            } else {
                Distribution::certain([*first, 0])
            }
        })
    }

    fn resolve<C: Cite>(&self, [first, second]: Roll, cited: &mut C) -> Outcome {
        let total = self.total();
        cited.cite(self.table.total);
        if !self.fails(first) {
            cited.cite(if self.automatic() { self.table.passes_from.1 } else { self.table.roll });
            return Outcome { total, passed: true, effect: Effect::Pass };
        }
        cited.cite(self.table.roll);
        cited.cite(self.table.second);
        let effect = match self.loss(second) {
            None => {
                cited.cite(self.table.surrender.2);
                Effect::Surrender
            }
            Some((row, instead)) => {
                if let Some(rule) = instead {
                    cited.cite(rule);
                }
                cited.cite(row.rule);
                let artillery = self.arm == Arm::Artillery;
                for (holds, (faces, rule)) in [
                    (true, self.table.no_charge),
                    (artillery, self.table.no_fire),
                    (artillery, self.table.leave_guns),
                ] {
                    if holds && (faces[0]..=faces[1]).contains(&i32::from(second)) {
                        cited.cite(rule);
                    }
                }
                match (row.flee, row.attrition) {
                    (0, 0) => Effect::Halt,
                    (_, 0) => Effect::Flee,
                    _ => Effect::FleeAndLoseOne,
                }
            }
        };
        Outcome { total, passed: false, effect }
    }

    fn modifiers(&self) -> Vec<Counted> {
        self.table.modifiers.lines(self.counted).map(Counted::plain).collect()
    }

    fn details(&self, [first, second]: Roll) -> Vec<(&'static str, Value)> {
        if !self.fails(first) {
            return Vec::new();
        }
        match self.loss(second) {
            None => vec![("enemy_within", json!(self.table.surrender_within))],
            Some((row, instead)) => {
                let read_as = if instead.is_some() { self.table.otherwise.0 } else { second };
                vec![
                    ("flee_yards", json!(row.flee)),
                    ("castings_lost", json!(row.attrition)),
                    ("read_as", json!(read_as)),
                ]
            }
        }
    }
}
