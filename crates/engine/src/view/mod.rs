//! What a player sees: plain data in his words. A client draws it and sends orders back; it needs
//! to know no rules.
//!
//! [`Board`] never changes in a game. [`View`] is the table as it stands. [`Offer`]s are what
//! may be ordered now and why not the rest. [`LogLine`]s tell what has happened.

mod board;
mod charge;
mod ghost;
mod log;
mod memory;
mod now;
mod offers;
mod rolls;
mod terms;

pub use board::{Balance, Board, Brigade, CoatView, Land, ScenarioCard, SideCard, board, card};
pub use charge::{ChargeView, charge_view};
pub use ghost::{Ghost, ghost, reach};
pub use log::{Entry, LogLine, log};
pub use memory::Memory;
pub use now::{
    Choice, Ending, GunView, KeyView, LeaderView, Piece, Scored, Stand, View, WeaponView,
    has_to_do, prompt, view,
};
pub use offers::{Offer, Refusal, choice_offers, may_move, offers, step_offers};
pub use rolls::{Chances, Outcome, Roll, TallyLine, rolls};
pub use terms::Term;

use crate::Scenario;

impl View {
    /// The table of a scenario before its first order.
    #[must_use]
    pub fn opening(scenario: &Scenario) -> Self {
        now::at(scenario, &scenario.battle, 0, &mut Memory::default())
    }
}

/// Words for a short name written with hyphens.
pub(crate) fn plain(word: &str) -> String {
    word.replace('-', " ")
}

/// A name with a capital at its beginning.
pub(crate) fn sentence_case(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// The name of something serde writes as a string.
pub(crate) fn word(value: &impl serde::Serialize) -> String {
    let value = serde_json::to_value(value).unwrap_or_default();
    value.as_str().unwrap_or_default().to_owned()
}
