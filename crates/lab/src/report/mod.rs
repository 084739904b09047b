//! The report of a run: a page with pictures, figures as JSON, rows as CSV, and a few lines for
//! the terminal.

mod csv;
mod heat;
mod luck;
mod page;
mod plots;
mod words;

pub use csv::Rows;
pub use luck::luck;
pub use page::page;
pub use words::{terminal, verdict};

use engine::Scenario;
use serde::Serialize;

use crate::tally::{Summary, Tally};
use crate::what_if::Effect;

/// Everything a report is made of.
pub struct Report<'r> {
    /// What was fought.
    pub scenario: &'r Scenario,
    /// Who commanded each side, as written.
    pub players: [String; 2],
    /// The seed.
    pub seed: &'r str,
    /// The sums.
    pub tally: &'r Tally,
    /// The figures.
    pub summary: Summary,
    /// What changes would do.
    pub effects: Vec<Effect>,
    /// The command that gives the same report.
    pub command: String,
}

#[derive(Serialize)]
struct AsJson<'r> {
    linstock: &'static str,
    version: &'static str,
    scenario: &'r str,
    title: &'r str,
    book: &'r str,
    players: &'r [String; 2],
    seed: &'r str,
    command: &'r str,
    #[serde(flatten)]
    summary: &'r Summary,
    what_if: &'r [Effect],
}

impl Report<'_> {
    /// The figures as JSON.
    #[must_use]
    pub fn json(&self) -> String {
        let whole = AsJson {
            linstock: "report",
            version: env!("CARGO_PKG_VERSION"),
            scenario: &self.scenario.id,
            title: &self.scenario.title,
            book: &self.scenario.book.book.id,
            players: &self.players,
            seed: self.seed,
            command: &self.command,
            summary: &self.summary,
            what_if: &self.effects,
        };
        serde_json::to_string_pretty(&whole).unwrap_or_default() + "\n"
    }
}
