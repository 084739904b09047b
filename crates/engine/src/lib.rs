//! The families together: the five books, and one way to ask any of them.
//!
//! [`Library`] holds the books built into the program and the house rules
//! read over them. [`Library::resolve`] and [`Library::odds`] are the JSON
//! contract: one line in, one line out.

mod answer;
mod family;
mod library;
mod lines;

pub use answer::{Detail, write_odds, write_resolved};
pub use family::Rules;
pub use library::{BOOKS, Library, Loaded, Shelf};
pub use rulebook::{Book, Fault, Faults, Refusal, SourceFile};
