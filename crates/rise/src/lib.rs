//! Rise and Fight Again: the American War of Independence by Fatigue Scores.
//!
//! Everything a unit does is measured against one number, its current
//! Fatigue Score. One procedure, one file.

pub mod chain;
pub mod close_combat;
pub mod fire;
pub mod hits;
pub mod range;
pub mod rates;

use rulebook::request::{parse, unknown};
use rulebook::{Asker, Book, Code, Flaw, ModifierTable, Refusal};

/// The checks of this book.
pub const CHECKS: &[&str] = &["fire", "close-combat", "range", "movement-rate", "formation-change"];

/// The tables of the book, read and found whole.
#[derive(Debug, Clone)]
pub struct Rules {
    pub(crate) hits: hits::Table,
    pub(crate) fire: fire::Table,
    pub(crate) close_combat: close_combat::Table,
    pub(crate) ranges: range::Ranges,
    pub(crate) rates: rates::Rates,
}

impl Rules {
    /// Reads the tables of a book.
    ///
    /// # Errors
    /// A [`Flaw`] that names the clause of a missing figure, a hole or an
    /// overlap.
    pub fn read(book: &Book) -> Result<Self, Flaw> {
        Ok(Self {
            hits: hits::Table::read(book)?,
            fire: fire::Table::read(book)?,
            close_combat: close_combat::Table::read(book)?,
            ranges: range::Ranges::read(book)?,
            rates: rates::Rates::read(book)?,
        })
    }

    /// Reads and assesses a request, and hands the check to the asker.
    ///
    /// # Errors
    /// A refusal, of the request or by the asker.
    pub fn ask(&self, check: &str, json: &str, asker: &mut impl Asker) -> Result<(), Refusal> {
        match check {
            "fire" => asker.take(&fire::assess(self, &parse(json)?)?),
            "close-combat" => asker.take(&close_combat::assess(self, &parse(json)?)?),
            "range" => asker.take(&range::assess(self, &parse(json)?)?),
            "movement-rate" => asker.take(&rates::assess(self, &parse(json)?)?),
            "formation-change" => asker.take(&rates::assess_change(self, &parse(json)?)?),
            other => Err(unknown(Code::UnknownCheck, "check", other, CHECKS)),
        }
    }

    /// The tables of conditions a check takes, if it takes any.
    #[must_use]
    pub fn conditions(&self, check: &str) -> Vec<&ModifierTable> {
        match check {
            "fire" => vec![&self.fire.general, &self.fire.artillery],
            "close-combat" => vec![&self.close_combat.modifiers],
            _ => Vec::new(),
        }
    }
}

/// No unit of the game comes near such a Fatigue Score.
const MOST_SCORE: i64 = 100;
