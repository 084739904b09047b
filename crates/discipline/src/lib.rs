//! Fire and Discipline: Europe 1750-1830, a casting for ten men.
//!
//! One procedure, one file. Distances are in yards.

pub mod artillery;
pub mod chain;
pub mod commander;
pub mod hit_location;
pub mod melee;
pub mod morale;
pub mod musketry;
pub mod rates;
pub mod scale;
pub mod skirmish;

use rulebook::request::{parse, unknown};
use rulebook::{Asker, Book, Code, Flaw, ModifierTable, Refusal};

/// The checks of this book.
pub const CHECKS: &[&str] = &[
    "artillery",
    "hit-location",
    "musketry",
    "skirmish",
    "melee",
    "morale",
    "commander",
    "movement-rate",
    "scale",
];

/// The tables of the book, read and found whole.
#[derive(Debug, Clone)]
pub struct Rules {
    pub(crate) artillery: artillery::Table,
    pub(crate) hit_location: hit_location::Table,
    pub(crate) musketry: musketry::Table,
    pub(crate) skirmish: skirmish::Table,
    pub(crate) melee: melee::Table,
    pub(crate) morale: morale::Table,
    pub(crate) commander: commander::Table,
    pub(crate) rates: rates::Rates,
    pub(crate) scale: scale::Scale,
}

impl Rules {
    /// Reads the tables of a book.
    ///
    /// # Errors
    /// A [`Flaw`] that names the clause of a missing figure, a hole or an
    /// overlap.
    pub fn read(book: &Book) -> Result<Self, Flaw> {
        let musketry = musketry::Table::read(book)?;
        Ok(Self {
            artillery: artillery::Table::read(book)?,
            hit_location: hit_location::Table::read(book)?,
            skirmish: skirmish::Table::read(book, &musketry)?,
            musketry,
            melee: melee::Table::read(book)?,
            morale: morale::Table::read(book)?,
            commander: commander::Table::read(book)?,
            rates: rates::Rates::read(book)?,
            scale: scale::Scale::read(book)?,
        })
    }

    /// Reads and assesses a request, and hands the check to the asker.
    ///
    /// # Errors
    /// A refusal, of the request or by the asker.
    pub fn ask(&self, check: &str, json: &str, asker: &mut impl Asker) -> Result<(), Refusal> {
        match check {
            "artillery" => asker.take(&artillery::assess(self, &parse(json)?)?),
            "hit-location" => asker.take(&hit_location::assess(self, &parse(json)?)?),
            "musketry" => asker.take(&musketry::assess(self, &parse(json)?)?),
            "skirmish" => asker.take(&skirmish::assess(self, &parse(json)?)?),
            "melee" => asker.take(&melee::assess(self, &parse(json)?)?),
            "morale" => asker.take(&morale::assess(self, &parse(json)?)?),
            "commander" => asker.take(&commander::assess(self, &parse(json)?)?),
            "movement-rate" => asker.take(&rates::assess(self, &parse(json)?)?),
            "scale" => asker.take(&scale::assess(self, &parse(json)?)?),
            other => Err(unknown(Code::UnknownCheck, "check", other, CHECKS)),
        }
    }

    /// The tables of conditions a check takes, if it takes any.
    #[must_use]
    pub fn conditions(&self, check: &str) -> Vec<&ModifierTable> {
        match check {
            "artillery" => vec![&self.artillery.near],
            "musketry" => vec![&self.musketry.dice, &self.musketry.to_hit],
            "melee" => vec![&self.melee.modifiers],
            "morale" => vec![&self.morale.modifiers],
            _ => Vec::new(),
        }
    }
}

/// Reads a clause that says which die is rolled: only ten-sided dice are.
fn ten_sided(book: &Book, clause: &str) -> Result<(), Flaw> {
    match book.int(clause, "die")? {
        10 => Ok(()),
        n => Err(Flaw::of(clause, format!("a die of {n}: every die of these rules has ten sides"))),
    }
}

/// The faces a clause names; its 0 is the ten.
fn faces(book: &Book, clause: &str, figure: &str) -> Result<Vec<u8>, Flaw> {
    let face = |n: i32| match n {
        0 => Ok(10),
        1..=9 => Ok(u8::try_from(n).unwrap_or(10)),
        _ => Err(Flaw::of(clause, format!("no die shows {n}"))),
    };
    book.ints(clause, figure)?.into_iter().map(face).collect()
}

/// More castings than any stand, troop or garrison could have.
const MOST_CASTINGS: i64 = 200;
