//! Where games are kept: a small trait, so that another database can take the place of this one.

pub mod sqlite;

use std::fmt;
use std::future::Future;
use std::path::Path;
use std::pin::Pin;

/// What is known of a write that failed, or of a reading.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Known {
    /// Nothing was written, and nothing will be found after a restart.
    NotKept,
    /// Nothing was written, because there is no room for it.
    NoRoom,
    /// The disk failed while it was written: only a look at the journal will tell.
    Unsure,
}

/// What went wrong below.
#[derive(Debug, Clone)]
pub struct Failed {
    /// What is known of the write.
    pub known: Known,
    /// What the database says: for the log, not for players.
    pub why: String,
}

impl Failed {
    /// Nothing was written.
    pub fn not_kept(why: impl fmt::Display) -> Self {
        Self { known: Known::NotKept, why: why.to_string() }
    }
}

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.why)
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
    /// Whose it is: a hash of the address it was made from.
    pub maker: String,
    /// Who may do what.
    pub seats: Vec<SeatRow>,
    /// Sides a computer general plays, with its level.
    pub generals: Vec<(String, String)>,
    /// What has happened already: a save, or the beginning of another game.
    pub journal: Vec<JournalRow>,
}

impl GameRow {
    /// About how much room it takes on disk.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let lines: u64 = self.journal.iter().map(JournalRow::bytes).sum();
        self.scenario_text.len() as u64 + lines + 1024
    }
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
    /// Whether it made the game, and may delete it.
    pub maker: bool,
}

/// A line of the journal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JournalRow {
    /// Its number in the game, from 1.
    pub rev: u64,
    /// The sender's own name for it, so that a repeat is recognised.
    pub key: Option<String>,
    /// A record as JSON, or a word of the game's shell such as `undo`.
    pub entry: String,
    /// What it is sealed with; none in journals from before there were seals.
    pub seal: Option<String>,
}

impl JournalRow {
    /// About how much room it takes on disk.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.entry.len() as u64 + 64
    }
}

/// A game in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// Its id.
    pub id: String,
    /// The title of its scenario.
    pub title: String,
    /// When it was made, in seconds since 1970.
    pub made: i64,
    /// When something last happened in it.
    pub last: i64,
    /// How many lines its journal has.
    pub lines: u64,
    /// About how much room its scenario and journal take.
    pub bytes: u64,
    /// Its players' names.
    pub players: Vec<String>,
}

/// What somebody has made here.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Held {
    /// How many games.
    pub games: u64,
    /// How much room they take.
    pub bytes: u64,
}

/// Storage of games. What returns without an error is on disk, and another connection sees it.
pub trait Storage: Send + Sync + 'static {
    /// Adds a game with all it begins with.
    fn add(&self, game: GameRow) -> Soon<'_, ()>;
    /// Adds a line to the journal of a game.
    fn append<'a>(&'a self, game: &'a str, row: JournalRow) -> Soon<'a, ()>;
    /// A game with its whole journal; nothing if there is none of this id.
    fn game<'a>(&'a self, id: &'a str) -> Soon<'a, Option<GameRow>>;
    /// Gives a seat a name.
    fn rename<'a>(&'a self, game: &'a str, token_hash: &'a str, name: &'a str) -> Soon<'a, ()>;
    /// Deletes a game and all that belongs to it. It is no error if there is none.
    fn delete<'a>(&'a self, game: &'a str) -> Soon<'a, ()>;
    /// How many games there are.
    fn count(&self) -> Soon<'_, u64>;
    /// What somebody has made here.
    fn held<'a>(&'a self, maker: &'a str) -> Soon<'a, Held>;
    /// Games in the order of their ids, after one of them.
    fn list<'a>(&'a self, after: &'a str, most: u32) -> Soon<'a, Vec<Listed>>;
    /// Games made before a time in which nothing has ever happened, the oldest first.
    fn never_played(&self, before: i64, most: u32) -> Soon<'_, Vec<String>>;
    /// The games in which a general plays, the latest first.
    fn with_generals(&self, most: u32) -> Soon<'_, Vec<String>>;
    /// What makers' addresses are hashed with.
    fn salt(&self) -> Soon<'_, String>;
    /// Writes something and reads it back over another connection.
    fn probe(&self) -> Soon<'_, ()>;
    /// After a disk has failed: returns when what can be read is safely kept. At once otherwise.
    fn settle(&self) -> Soon<'_, ()>;
    /// A copy of everything that is whole, though the storage is in use.
    fn backup<'a>(&'a self, file: &'a Path) -> Soon<'a, ()>;
    /// Closes, when everything is written.
    fn close(&self) -> Soon<'_, ()>;
}
