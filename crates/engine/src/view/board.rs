//! What never changes in a game: the table, the sides, the book.

use serde::Serialize;
use table::inches;

use crate::{Scenario, map};

/// A scenario in a list to choose from.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct ScenarioCard {
    /// Its short name.
    pub id: String,
    /// Its title.
    pub title: String,
    /// When it was fought.
    pub date: String,
    /// What it is about.
    pub blurb: String,
    /// The short name of its book.
    pub book: String,
    /// The title of its book.
    pub book_title: String,
    /// How many turns it lasts.
    pub turns: u8,
    /// Units of each side.
    pub units: [usize; 2],
    /// The sides.
    pub sides: [SideCard; 2],
    /// About how long it takes, in minutes.
    pub minutes: u32,
    /// Whether it is for learning.
    pub training: bool,
}

/// A side.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct SideCard {
    /// Its short name.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its colour.
    pub color: String,
}

/// The table and what is printed beside it.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct Board {
    /// The scenario.
    pub scenario: ScenarioCard,
    /// The width of the table in inches.
    pub width: f64,
    /// Its height.
    pub height: f64,
    /// The ground as the inside of an SVG picture, an inch to a unit, y downward.
    pub ground: String,
    /// Remarks for the players.
    pub notes: Vec<String>,
    /// Where the facts come from.
    pub sources: Vec<String>,
    /// The command radius of a leader, at most.
    pub radius: f64,
}

/// A scenario in a list.
#[must_use]
pub fn card(scenario: &Scenario) -> ScenarioCard {
    let units = scenario.strength();
    let turns = scenario.battle.terms().turns;
    let all = u32::try_from(units[0] + units[1]).unwrap_or(u32::MAX);
    ScenarioCard {
        id: scenario.id.clone(),
        title: scenario.title.clone(),
        date: scenario.date.clone(),
        blurb: scenario.blurb.clone(),
        book: scenario.book.book.id.clone(),
        book_title: scenario.book.book.title.clone(),
        turns,
        units,
        sides: scenario.sides.each_ref().map(|s| SideCard {
            id: s.id.clone(),
            name: s.name.clone(),
            color: s.color.clone(),
        }),
        // Some ten seconds an order, one order a unit and turn, rounded to five minutes.
        minutes: (all * u32::from(turns) / 30).max(1) * 5,
        training: scenario.id.starts_with("training"),
    }
}

/// The board of a scenario.
#[must_use]
pub fn board(scenario: &Scenario) -> Board {
    let field = scenario.battle.field();
    Board {
        scenario: card(scenario),
        width: inches(field.width),
        height: inches(field.height),
        ground: map::ground(scenario),
        notes: scenario.notes.clone(),
        sources: scenario.sources.clone(),
        radius: inches(scenario.battle.measures().radius),
    }
}
