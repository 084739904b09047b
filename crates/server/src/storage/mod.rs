//! Where games are kept: a small trait, so that another database can take the place of this one.

pub mod sqlite;

use std::fmt;
use std::future::Future;
use std::pin::Pin;

/// What went wrong below.
#[derive(Debug)]
pub struct Failed(pub String);

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A result that is not there yet.
pub type Soon<'a, T> = Pin<Box<dyn Future<Output = Result<T, Failed>> + Send + 'a>>;

/// A game as it is kept: what it began with, and its journal.
#[derive(Debug, Clone)]
pub struct GameRow {
    /// Its id.
    pub id: String,
    /// The short name of its scenario.
    pub scenario: String,
    /// Its title.
    pub title: String,
    /// The text of the scenario.
    pub scenario_text: String,
    /// The seed of its dice.
    pub seed: String,
    /// Whether all its dice come from the seed.
    pub committed: bool,
    /// Who may do what.
    pub seats: Vec<SeatRow>,
    /// Sides a computer general plays, with its level.
    pub generals: Vec<(String, String)>,
    /// What has happened already: a save, or the beginning of another game.
    pub journal: Vec<JournalRow>,
}

/// A seat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeatRow {
    /// The hash of its token.
    pub token_hash: String,
    /// `both`, a side, or `watch`.
    pub role: String,
    /// The player's name; empty until he gives one.
    pub name: String,
}

/// A line of the journal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JournalRow {
    /// Its number in the game, from 1.
    pub rev: u64,
    /// The sender's own name for it, so that a repeat is recognised.
    pub key: Option<String>,
    /// A record as JSON, or `undo`, or `redo`.
    pub entry: String,
}

/// Storage of games. What returns without an error is on disk.
pub trait Storage: Send + Sync + 'static {
    /// Adds a game with all it begins with.
    fn add(&self, game: GameRow) -> Soon<'_, ()>;
    /// Adds a line to the journal of a game.
    fn append<'a>(&'a self, game: &'a str, row: JournalRow) -> Soon<'a, ()>;
    /// A game with its whole journal; nothing if there is none of this id.
    fn game<'a>(&'a self, id: &'a str) -> Soon<'a, Option<GameRow>>;
    /// Gives a seat a name.
    fn rename<'a>(&'a self, game: &'a str, token_hash: &'a str, name: &'a str) -> Soon<'a, ()>;
    /// How many games there are.
    fn count(&self) -> Soon<'_, u64>;
    /// The games in which a general plays, the latest first.
    fn with_generals(&self, most: u32) -> Soon<'_, Vec<String>>;
    /// Closes, when everything is written.
    fn close(&self) -> Soon<'_, ()>;
}
