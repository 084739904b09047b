//! The Regimental Fire and Fury family: one set of procedures, three books.
//!
//! One procedure, one file. Each reads its tables from the book once, at
//! load ([`Rules::read`]), and has a request, an assessment and a resolution.
//! What differs between the books is in their data.

pub mod battle;
pub mod chain;
pub mod charge;
pub mod effectiveness;
pub mod fallen_leader;
pub mod fire;
pub mod fire_points;
pub mod maneuver;
pub mod rates;
pub mod scale;

pub use chain::{Chain, Link};
pub use charge::{Arm, ChargeEffect, Outcome as ChargeOutcome};
pub use fire::{FireEffect, Outcome as FireOutcome};

use rulebook::request::{parse, unknown};
use rulebook::{Asker, Book, Code, Flaw, ModifierTable, Refusal};

/// The checks of this family, in the order of a turn.
pub const CHECKS: &[&str] = &[
    "maneuver",
    "fire-points",
    "fire",
    "charge",
    "fallen-leader",
    "effectiveness",
    "movement-rate",
    "scale",
];

/// The tables of one book, read and found whole.
#[derive(Debug, Clone)]
pub struct Rules {
    pub(crate) maneuver: maneuver::Table,
    pub(crate) weapons: fire_points::Weapons,
    pub(crate) fire: fire::Table,
    pub(crate) charge: charge::Table,
    pub(crate) fallen_leader: fallen_leader::Table,
    pub(crate) effectiveness: effectiveness::Table,
    pub(crate) rates: rates::Rates,
    pub(crate) scale: scale::Scale,
    pub(crate) measures: battle::Measures,
    /// How far a mounted leader goes, and one on foot.
    pub(crate) leader_rows: [rates::Row; 2],
}

impl Rules {
    /// Reads the tables of a book.
    ///
    /// # Errors
    /// A [`Flaw`] that names the clause of a missing figure, a hole or an
    /// overlap.
    pub fn read(book: &Book) -> Result<Self, Flaw> {
        let rates = rates::Rates::read(book)?;
        let row = |name: &str| {
            let missing = || Flaw::of(format!("movement.{name}.open"), "leaders need a rate");
            rates.row(name).ok_or_else(missing)
        };
        Ok(Self {
            leader_rows: [row("leader.mounted")?, row("leader.dismounted")?],
            measures: battle::Measures::read(book)?,
            maneuver: maneuver::Table::read(book)?,
            weapons: fire_points::Weapons::read(book)?,
            fire: fire::Table::read(book)?,
            charge: charge::Table::read(book)?,
            fallen_leader: fallen_leader::Table::read(book)?,
            effectiveness: effectiveness::Table::read(book)?,
            rates,
            scale: scale::Scale::read(book)?,
        })
    }

    /// Reads and assesses a request, and hands the check to the asker.
    ///
    /// # Errors
    /// A refusal, of the request or by the asker.
    pub fn ask(&self, check: &str, json: &str, asker: &mut impl Asker) -> Result<(), Refusal> {
        match check {
            "maneuver" => asker.take(&maneuver::assess(self, &parse(json)?)?),
            "fire-points" => asker.take(&fire_points::assess(self, &parse(json)?)?),
            "fire" => asker.take(&fire::assess(self, &parse(json)?)?),
            "charge" => asker.take(&charge::assess(self, &parse(json)?)?),
            "fallen-leader" => asker.take(&fallen_leader::assess(self, &parse(json)?)?),
            "effectiveness" => asker.take(&effectiveness::assess(self, &parse(json)?)?),
            "movement-rate" => asker.take(&rates::assess(self, &parse(json)?)?),
            "scale" => asker.take(&scale::assess(self, &parse(json)?)?),
            other => Err(unknown(Code::UnknownCheck, "check", other, CHECKS)),
        }
    }

    /// The width of an infantry stand: roads are as wide.
    #[must_use]
    pub fn stand_width(&self) -> table::Mils {
        self.measures.stand(table::INCH, table::INCH).width
    }

    /// The least and the widest gap of a formation that has gaps.
    #[must_use]
    pub fn gaps(&self, formation: battle::Formation) -> Option<(table::Mils, table::Mils)> {
        formation.nature().gaps.map(|gaps| gaps(&self.measures))
    }

    /// What the book calls a gun of so many pounds, or of such a bore.
    #[must_use]
    pub fn gun_called(&self, pounder: Option<i64>, bore: Option<table::Mils>) -> Option<String> {
        let fits = |(pounders, inches, _): &&battle::GunType| {
            pounder.is_some_and(|p| pounders.iter().any(|n| i64::from(*n) == p))
                || bore.is_some_and(|b| inches.is_some_and(|i| table::mils(i) == b))
        };
        self.measures.gun_types.iter().find(fits).map(|t| t.2.clone())
    }

    /// The table of conditions a check takes, if it takes any.
    #[must_use]
    pub fn conditions(&self, check: &str) -> Option<&ModifierTable> {
        match check {
            "maneuver" => Some(&self.maneuver.modifiers),
            "fire" => Some(&self.fire.modifiers),
            "charge" => Some(&self.charge.modifiers),
            _ => None,
        }
    }
}

/// Reads a clause that says which die is rolled: only ten-sided dice are.
fn ten_sided(book: &Book, clause: &str) -> Result<(), Flaw> {
    match book.int(clause, "sides")? {
        10 => Ok(()),
        n => Err(Flaw::of(clause, format!("{n} sides: every die of these rules has ten"))),
    }
}
