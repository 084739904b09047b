//! Skirmish fire: a die for each stand, and a chart of its own.

use dice::Distribution;
use rulebook::request::pool;
use rulebook::{Book, Check, Cite, Code, Figure, Flaw, Refusal, RuleId, request};
use serde::{Deserialize, Serialize};

use crate::{Rules, faces, musketry, ten_sided};

/// What skirmishers are armed with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Class {
    /// Muskets.
    Musket,
    /// Rifles.
    Rifle,
    /// Both.
    Combined,
}

#[derive(Debug, Clone)]
struct Row {
    hits: u32,
    halt: bool,
    retreat: u32,
    casualties: u32,
    rule: RuleId,
}

/// The skirmish chart.
#[derive(Debug, Clone)]
pub(crate) struct Table {
    dice_per_stand: (u32, RuleId),
    rifle_dice: u32,
    combined: (bool, RuleId),
    hit_on: (Vec<u8>, RuleId),
    rows: Vec<Row>, // for 1, 2, … hits; the last for more
}

impl Table {
    pub(crate) fn read(book: &Book, musketry: &musketry::Table) -> Result<Self, Flaw> {
        let each = "skirmish.one-die-per-stand";
        ten_sided(book, each)?;
        let classes = "skirmish.classes";
        book.rule(classes)?;
        let known =
            book.clause(classes).and_then(|c| c.figures.get("classes")).and_then(Figure::list);
        let known: Vec<&str> = known.unwrap_or_default().iter().filter_map(Figure::text).collect();
        if known != ["musket", "rifle", "combined"] {
            return Err(Flaw::of(classes, "`classes` are musket, rifle and combined"));
        }
        let combined = "skirmish.combined-stands";
        let on_zero = "skirmish.hit-on-zero";
        let three = book.setting("fd-skirmish-rifle-plus") == "three-dice";
        let bonus = musketry.rifle_dice();
        let mut rows = Vec::new();
        for (number, id) in (1..).zip([
            "skirmish.result-1",
            "skirmish.result-2",
            "skirmish.result-3",
            "skirmish.result-4",
        ]) {
            let figure = if number == 4 { "hits_min" } else { "hits" };
            if book.count(id, figure)? != number {
                return Err(Flaw::of(id, format!("this is the row for {number} hits")));
            }
            rows.push(Row {
                hits: number,
                halt: book.flag(id, "halt")?,
                retreat: book.count(id, "retreat")?,
                casualties: book.count(id, "casualties")?,
                rule: book.rule(id)?,
            });
        }
        Ok(Self {
            dice_per_stand: (book.count(each, "dice_per_stand")?, book.rule(each)?),
            rifle_dice: if three { u32::try_from(bonus).unwrap_or(0) } else { 0 },
            combined: (book.flag(combined, "rifle_bonus")?, book.rule(combined)?),
            hit_on: (faces(book, on_zero, "hit_on")?, book.rule(on_zero)?),
            rows,
        })
    }

    fn dice(&self, class: Class) -> u32 {
        let bonus = match class {
            Class::Musket => false,
            Class::Rifle => true,
            Class::Combined => self.combined.0,
        };
        self.dice_per_stand.0 + if bonus { self.rifle_dice } else { 0 }
    }
}

request! {
    /// Skirmish fire of several stands at one target.
    pub struct Request<'a> {
        stands: Vec<Class>,
        #[serde(default)] dice: Option<Vec<i64>>,
    }
}

/// Skirmish fire before its dice.
#[derive(Debug)]
pub struct Assessment<'r> {
    table: &'r Table,
    combined: bool,
    dice: u32,
    given: Option<Vec<i64>>,
}

const MOST_STANDS: usize = 60;

/// Counts the dice.
///
/// # Errors
/// A refusal of more stands than a table could hold.
pub fn assess<'r>(rules: &'r Rules, request: &Request<'_>) -> Result<Assessment<'r>, Refusal> {
    let table = &rules.skirmish;
    if request.stands.len() > MOST_STANDS {
        let message =
            format!("{} stands: at most {MOST_STANDS} at one target", request.stands.len());
        return Err(Refusal::new(Code::TooLarge, message));
    }
    Ok(Assessment {
        table,
        combined: request.stands.contains(&Class::Combined),
        dice: request.stands.iter().map(|c| table.dice(*c)).sum(),
        given: request.dice.clone(),
    })
}

/// What skirmish fire came to.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub struct Outcome {
    /// Hits.
    pub hits: u32,
    /// Whether the target halts.
    pub halt: bool,
    /// Yards that it retreats.
    pub retreat: u32,
    /// Castings it loses.
    pub casualties: u32,
}

impl Check for Assessment<'_> {
    type Roll = u32;
    type Outcome = Outcome;

    fn given(&self) -> Result<u32, Refusal> {
        let dice = pool(self.given.as_deref(), self.dice)?;
        Ok(dice.iter().map(|d| u32::from(self.table.hit_on.0.contains(d))).sum())
    }

    fn rolls(&self) -> Distribution<u32> {
        let faces = self.table.hit_on.0.len();
        dice::pool(self.dice, u32::try_from(faces).unwrap_or(0))
    }

    fn resolve<C: Cite>(&self, hits: u32, cited: &mut C) -> Outcome {
        cited.cite(self.table.dice_per_stand.1);
        cited.cite(self.table.hit_on.1);
        if self.combined {
            cited.cite(self.table.combined.1);
        }
        let row = self.table.rows.iter().rev().find(|r| hits >= r.hits);
        match row {
            Some(row) => {
                cited.cite(row.rule);
                Outcome { hits, halt: row.halt, retreat: row.retreat, casualties: row.casualties }
            }
            None => Outcome { hits, halt: false, retreat: 0, casualties: 0 },
        }
    }
}
