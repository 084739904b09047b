//! The ground that every rulebook family stands on.
//!
//! A rule is a [`Clause`]: an id, our words for it, its figures and where it
//! is printed. A [`Book`] is a list of clauses with its [`Ruling`]s. House
//! rules are a [`patch`](Book::patched) over a book. From a book a family
//! reads, once, typed tables ([`Ladder`], [`ModifierTable`]); a figure that is
//! missing or a table with a hole is a [`Flaw`] that names its clause.
//!
//! Nothing here knows a check, a unit or a die.

mod book;
mod check;
mod clause;
mod fault;
mod figure;
mod ladder;
mod modifiers;
mod names;
mod patch;
mod read;
pub mod reading;
mod refusal;
pub mod request;
mod ruling;

pub use book::{Book, RuleId};
pub use check::{Amount, Asker, Check, Cite, Counted, Lookup, Reached};
pub use clause::{Clause, Overlay};
pub use fault::{Fault, Faults, Flaw, SourceFile};
pub use figure::Figure;
pub use ladder::{Bounds, Ladder};
pub use modifiers::{Conditions, Modifier, ModifierTable};
pub use names::{Shorthand, nearest, shorthand};
pub use read::{Reader, figure as read_figure, parse as parse_toml};
pub use refusal::{Code, Refusal};
pub use ruling::{Ruling, Setting};
