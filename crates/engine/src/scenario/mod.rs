//! Scenarios: a text file becomes a battle, or a list of all its faults.

mod doubts;
mod force;
mod keys;
mod read;
mod schema;
mod terrain;
mod uniform;
mod units;
mod values;

use std::collections::BTreeMap;
use std::sync::Arc;

use regimental::battle::{Battle, Id, Side};
use rulebook::{Fault, Faults, SourceFile};

use crate::{Library, Loaded};

pub use schema::schema;
pub use terrain::{Look, Trees};
pub use uniform::Coat;

/// A scenario ready to play.
#[derive(Debug, Clone)]
pub struct Scenario {
    /// Its short name.
    pub id: String,
    /// Its title.
    pub title: String,
    /// When it was fought.
    pub date: String,
    /// What it is about.
    pub blurb: String,
    /// Where its facts come from.
    pub sources: Vec<String>,
    /// Remarks for the players.
    pub notes: Vec<String>,
    /// The book.
    pub book: Arc<Loaded>,
    /// The sides.
    pub sides: [SideWords; 2],
    /// How terrain looks on the map, where something is said of it.
    pub looks: BTreeMap<Id, Look>,
    /// What units and leaders wear, where something is said of it.
    pub coats: BTreeMap<Id, Coat>,
    /// The battle before its first command.
    pub battle: Battle,
    /// A hash of its text.
    pub hash: String,
    /// Its text.
    pub text: String,
}

/// A side as the scenario names it.
#[derive(Debug, Clone)]
pub struct SideWords {
    /// Its short name.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its colour on the map.
    pub color: String,
    /// How a computer general is disposed who commands it: one of [`TEMPERS`].
    pub temper: String,
}

/// The tempers a scenario may give a side's general.
pub const TEMPERS: [&str; 4] = ["steady", "cautious", "bold", "holds-ground"];

macro_rules! built_in {
    ($($id:literal),* $(,)?) => {
        /// The scenarios built in, with their text.
        pub const SCENARIOS: &[(&str, &str)] = &[
            $(($id, include_str!(concat!("../../../../scenarios/", $id, ".toml")))),*
        ];
    };
}

built_in!(
    "training-25mm",
    "training-15mm",
    "training-triple-alliance",
    "field-day-25mm",
    "field-day-15mm",
    "field-day-triple-alliance",
    "cowpens",
    "guilford-courthouse",
    "hobkirks-hill",
    "yatay",
    "tuyuti",
);

/// A hash of a text, in hex.
#[must_use]
pub fn hash(text: &str) -> String {
    blake3::hash(text.as_bytes()).to_hex()[..16].to_owned()
}

impl Scenario {
    /// Reads a scenario.
    ///
    /// # Errors
    /// All its faults, each with its place.
    pub fn read(library: &Library, name: &str, text: &str) -> Result<Self, Faults> {
        let file = SourceFile::new(name, text);
        Self::read_with(&file, |book| library.get_beside(name, book).map_err(|no| no.message))
    }

    /// Reads the scenario of a game under way, which was accepted when it began.
    ///
    /// # Errors
    /// All its faults, each with its place.
    pub fn read_accepted(library: &Library, name: &str, text: &str) -> Result<Self, Faults> {
        let file = SourceFile::accepted(name, text);
        Self::read_with(&file, |book| library.get(book).map_err(|no| no.message))
    }

    /// Reads a scenario whose book comes from somewhere else than a library.
    ///
    /// # Errors
    /// All its faults, each with its place.
    pub fn read_with(
        file: &Arc<SourceFile>,
        book: impl Fn(&str) -> Result<Arc<Loaded>, String>,
    ) -> Result<Self, Faults> {
        read::scenario(&book, file).map(|(scenario, _)| scenario)
    }

    /// Reads a scenario, with what is no fault of it but may not be meant.
    ///
    /// # Errors
    /// All its faults, each with its place.
    pub fn check(library: &Library, name: &str, text: &str) -> Result<(Self, Vec<Fault>), Faults> {
        let file = SourceFile::new(name, text);
        let book = |book: &str| library.get_beside(name, book).map_err(|no| no.message);
        read::scenario(&book, &file)
    }

    /// The scenario built in under a name.
    #[must_use]
    pub fn built_in(library: &Library, id: &str) -> Option<Result<Self, Faults>> {
        let (_, text) = SCENARIOS.iter().find(|(name, _)| *name == id)?;
        Some(Self::read(library, &format!("{id}.toml"), text))
    }

    /// Its title, with its date if it has one.
    #[must_use]
    pub fn headline(&self) -> String {
        match self.date.as_str() {
            "" => self.title.clone(),
            date => format!("{} ({date})", self.title),
        }
    }

    /// The words of a side.
    #[must_use]
    pub fn side(&self, side: Side) -> &SideWords {
        &self.sides[side.index()]
    }

    /// What a unit or a leader wears: of whom nothing is said, the colour of his side.
    #[must_use]
    pub fn coat(&self, of: Id) -> Coat {
        self.coats.get(&of).cloned().unwrap_or_else(Coat::of_the_side)
    }

    /// The side a player names: by its short name, or `one` and `two`.
    #[must_use]
    pub fn side_named(&self, name: &str) -> Option<Side> {
        match name {
            "one" => Some(Side::One),
            "two" => Some(Side::Two),
            _ => Side::BOTH.into_iter().find(|s| self.side(*s).id == name),
        }
    }

    /// How many units each side has, reinforcements included.
    #[must_use]
    pub fn strength(&self) -> [usize; 2] {
        Side::BOTH.map(|s| {
            self.battle.units().iter().filter(|u| u.side() == s && u.card.parent.is_none()).count()
        })
    }
}

pub(crate) fn fault(
    file: &Arc<SourceFile>,
    span: std::ops::Range<usize>,
    message: String,
    help: Option<String>,
) -> Fault {
    Fault { message, help, file: Arc::clone(file), span }
}
