//! The families together: the five books, and one way to ask any of them.
//!
//! [`Library`] holds the books built into the program and the house rules
//! read over them. [`Library::resolve`] and [`Library::odds`] are the JSON
//! contract: one line in, one line out.

mod answer;
pub mod anytime;
pub mod auto;
mod complete;
mod difference;
mod family;
pub mod game;
mod hidden;
pub mod ledger;
mod library;
mod lines;
pub mod map;
pub mod mutation;
pub mod phrase;
mod questions;
pub mod restated;
pub mod save;
pub mod scenario;
mod text_map;
pub mod view;
pub mod words;
pub mod worked;

pub use answer::{Detail, write_odds, write_resolved};
pub use complete::complete;
pub use difference::{ClauseDifference, Difference, Shift, difference};
pub use family::Rules;
pub use hidden::is_hidden;
pub use library::{BOOKS, HouseFile, Library, Loaded, Missing, Shelf};
pub use rulebook::{Book, Fault, Faults, Refusal, SourceFile, nearest};
pub use scenario::{SCENARIOS, Scenario};
