//! Saved games: text, one line a command, each line sealed to the one before.
//!
//! The first line is the header, the second the text of the scenario. So a
//! save needs no other file, and since events carry dice and positions it
//! loads after the engine or the book has changed. docs/saves.md has the format.

use std::fmt;
use std::sync::Arc;

use dice::stream::{Seeded, commitment};
use journal::{Journal, Record};
use regimental::battle::{Battle, Command, Event, Side};
use serde::{Deserialize, Serialize};

use crate::{HouseFile, Library, Loaded, Scenario};

/// The version of the format this program writes; it reads all up to this one.
pub const FORMAT: u32 = 1;

/// The first line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// Always `save`.
    pub linstock: String,
    /// The version of the format.
    pub format: u32,
    /// The version of the engine that wrote it.
    pub engine: String,
    /// The book.
    pub book: String,
    /// Its hash.
    pub book_hash: String,
    /// The scenario.
    pub scenario: String,
    /// The hash of its text.
    pub scenario_hash: String,
    /// The hash of the seed of the dice, if they were seeded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commitment: Option<String>,
}

#[derive(Serialize, Deserialize)]
struct ScenarioLine {
    scenario_text: String,
    /// House rules the book has, the last first: a save needs no other file.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    house_rules: Vec<HouseFile>,
}

#[derive(Serialize, Deserialize)]
struct SeedLine {
    seed: String,
}

#[derive(Serialize, Deserialize)]
struct RecordLine {
    n: usize,
    by: String,
    #[serde(rename = "do")]
    order: Command,
    dice: Vec<u8>,
    events: Vec<Event>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

/// A game read from a save.
pub struct Saved {
    /// The header.
    pub header: Header,
    /// The scenario it is played on.
    pub scenario: Scenario,
    /// What has happened.
    pub journal: Journal<Battle>,
    /// The seed, if it has been shown.
    pub seed: Option<String>,
    /// What should be known: a last line cut off, a book changed since.
    pub remarks: Vec<String>,
}

/// Why a save is refused: the line and what is wrong with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadSave {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong, and what to do.
    pub message: String,
}

impl fmt::Display for BadSave {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for BadSave {}

/// Writes the lines of a save one after another.
pub struct Writer {
    sum: String,
    n: usize,
}

const SEAL: usize = 16;

fn seal(before: &str, body: &str) -> String {
    let mut hasher = blake3::Hasher::new();
    hasher.update(before.as_bytes());
    hasher.update(body.as_bytes());
    hasher.finalize().to_hex()[..SEAL].to_owned()
}

impl Writer {
    /// A writer, and the two lines a save begins with.
    #[must_use]
    pub fn begin(scenario: &Scenario, seed: Option<&str>) -> (Self, String) {
        let header = Header {
            linstock: "save".into(),
            format: FORMAT,
            engine: env!("CARGO_PKG_VERSION").into(),
            book: scenario.book.book.id.clone(),
            book_hash: scenario.book.book.hash(),
            scenario: scenario.id.clone(),
            scenario_hash: scenario.hash.clone(),
            commitment: seed.map(commitment),
        };
        let mut writer = Self { sum: String::new(), n: 0 };
        let mut text = writer.line(&header);
        text.push_str(&writer.line(&ScenarioLine {
            scenario_text: scenario.text.clone(),
            house_rules: scenario.book.house.clone(),
        }));
        (writer, text)
    }

    fn line(&mut self, body: &impl Serialize) -> String {
        let body = serde_json::to_string(body).unwrap_or_default();
        let body = body.strip_suffix('}').unwrap_or(&body);
        self.sum = seal(&self.sum, body);
        format!("{body},\"sum\":\"{}\"}}\n", self.sum)
    }

    /// The line of a record.
    pub fn record(&mut self, scenario: &Scenario, record: &Record<Side, Command, Event>) -> String {
        self.n += 1;
        self.line(&RecordLine {
            n: self.n,
            by: scenario.side(record.by).id.clone(),
            order: record.command.clone(),
            dice: record.dice.clone(),
            events: record.events.clone(),
            reason: record.reason.clone(),
        })
    }

    /// The line that shows the seed, when the game is over.
    pub fn seed(&mut self, seed: &str) -> String {
        self.line(&SeedLine { seed: seed.to_owned() })
    }
}

/// A whole game as text.
#[must_use]
pub fn write(
    scenario: &Scenario,
    journal: &Journal<Battle>,
    seed: Option<&str>,
    show: bool,
) -> String {
    let (mut writer, mut text) = Writer::begin(scenario, seed);
    for record in journal.records() {
        text.push_str(&writer.record(scenario, record));
    }
    if let Some(seed) = seed.filter(|_| show) {
        text.push_str(&writer.seed(seed));
    }
    text
}

fn bad(line: usize, message: impl Into<String>) -> BadSave {
    BadSave { line, message: message.into() }
}

/// A line without its seal, if the seal fits.
fn open(text: &str, sum: &mut String, line: usize) -> Result<String, BadSave> {
    let foreign = || bad(line, "this line is not one of a Linstock save, or it was cut or changed");
    let (body, given) = text.rsplit_once(",\"sum\":\"").ok_or_else(foreign)?;
    let given = given.strip_suffix("\"}").ok_or_else(foreign)?;
    let right = seal(sum, body);
    if given != right {
        return Err(bad(
            line,
            "the seal of this line does not fit: it, or one before it, was changed",
        ));
    }
    *sum = right;
    Ok(format!("{body}}}"))
}

/// Reads a save as it lies on a disk: a file cut off in the middle of a letter has lost that letter
/// with its last line.
///
/// # Errors
/// The line at fault, and what to do.
pub fn read_bytes(library: &Library, bytes: &[u8]) -> Result<Saved, BadSave> {
    match std::str::from_utf8(bytes) {
        Ok(text) => read(library, text),
        Err(torn) => {
            let text = String::from_utf8_lossy(&bytes[..torn.valid_up_to()]);
            if torn.error_len().is_none() {
                return read(library, &text);
            }
            let message = "is no text: this is no save, or not all of one".into();
            Err(BadSave { line: 1 + text.matches('\n').count(), message })
        }
    }
}

/// The text of the scenario a save begins with, as it is written there: nothing of it is checked.
///
/// # Errors
/// There is none.
pub fn scenario_text(text: &str) -> Result<String, BadSave> {
    let second = text.split('\n').nth(1).unwrap_or_default();
    let line = serde_json::from_str::<ScenarioLine>(second);
    line.map(|l| l.scenario_text).map_err(|e| bad(2, format!("not the text of the scenario: {e}")))
}

/// Reads a saved game.
///
/// # Errors
/// The line at fault.
pub fn read(library: &Library, text: &str) -> Result<Saved, BadSave> {
    let mut remarks = Vec::new();
    let mut sum = String::new();
    let mut lines: Vec<&str> = text.split('\n').collect();
    let whole = lines.last() == Some(&"");
    if whole {
        lines.pop();
    }
    if lines.is_empty() {
        return Err(bad(1, "the file is empty"));
    }
    let mut opened = Vec::with_capacity(lines.len());
    for (i, line) in lines.iter().enumerate() {
        match open(line, &mut sum, i + 1) {
            Ok(body) => opened.push(body),
            // Only the last line can be cut off; what was before it is whole.
            Err(_) if !whole && i + 1 == lines.len() && i >= 2 => {
                remarks.push(format!("line {} is cut off and left out", i + 1));
            }
            Err(error) => return Err(error),
        }
    }
    let header: Header = parse(&opened, 0, "the header of a save")?;
    if header.linstock != "save" {
        return Err(bad(1, "this is not a Linstock save"));
    }
    if header.format > FORMAT {
        return Err(bad(
            1,
            format!(
                "written by a newer version (format {}): this one reads up to {FORMAT}",
                header.format
            ),
        ));
    }
    let line: ScenarioLine = parse(&opened, 1, "the text of the scenario")?;
    let name = format!("{} in the save", header.scenario);
    let file = rulebook::SourceFile::accepted(&name, &*line.scenario_text);
    let book = |name: &str| {
        let found = library.get(name).map_err(|no| no.message);
        let as_played = |l: &Arc<Loaded>| l.book.hash() == header.book_hash;
        if line.house_rules.is_empty() || found.as_ref().is_ok_and(as_played) {
            return found;
        }
        // House rules that are gone, or have changed, are those of the save.
        library.with_house_rules(&line.house_rules)
    };
    let scenario = Scenario::read_with(&file, book).map_err(|f| bad(2, f.to_string()))?;
    if scenario.book.book.hash() != header.book_hash {
        remarks.push(format!(
            "the book {} has changed since this was played; what happened stands",
            header.book
        ));
    }
    let mut records = Vec::new();
    let mut seed = None;
    for at in 2..opened.len() {
        if let Ok(line) = serde_json::from_str::<SeedLine>(&opened[at]) {
            let fits = header.commitment.as_deref() == Some(commitment(&line.seed).as_str());
            if !fits {
                return Err(bad(at + 1, "this seed is not the one the header is committed to"));
            }
            seed = Some(line.seed);
            continue;
        }
        let line: RecordLine = parse(&opened, at, "a command with its events")?;
        let by = scenario
            .side_named(&line.by)
            .ok_or_else(|| bad(at + 1, format!("no side `{}`", line.by)))?;
        if line.n != records.len() + 1 {
            return Err(bad(
                at + 1,
                format!("command {} where {} is next", line.n, records.len() + 1),
            ));
        }
        records.push(Record {
            by,
            command: line.order,
            dice: line.dice,
            events: line.events,
            reason: line.reason,
        });
    }
    let journal = Journal::replay(scenario.battle.clone(), records);
    Ok(Saved { header, scenario, journal, seed, remarks })
}

fn parse<T: serde::de::DeserializeOwned>(
    opened: &[String],
    at: usize,
    what: &str,
) -> Result<T, BadSave> {
    let Some(body) = opened.get(at) else {
        return Err(bad(at + 1, format!("{what} is missing")));
    };
    serde_json::from_str(body).map_err(|e| bad(at + 1, format!("not {what}: {e}")))
}

/// What checking the dice of a save against its seed found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// Every die is the seed's.
    Fair {
        /// How many dice.
        dice: usize,
    },
    /// A die is not.
    Wrong {
        /// The command.
        record: usize,
        /// The die the seed gives.
        seeded: u8,
        /// The die of the save.
        saved: u8,
    },
    /// The seed is not the one committed to.
    OtherSeed,
    /// The save has no commitment: its dice were entered by hand.
    ByHand,
}

/// Checks every die of a save against a seed.
#[must_use]
pub fn verify(saved: &Saved, seed: &str) -> Verdict {
    let Some(committed) = &saved.header.commitment else { return Verdict::ByHand };
    if *committed != commitment(seed) {
        return Verdict::OtherSeed;
    }
    let mut stream = Seeded::new(seed);
    let mut dice = 0;
    for (i, record) in saved.journal.records().iter().enumerate() {
        for die in &record.dice {
            let seeded = stream.throw(10);
            if seeded != *die {
                return Verdict::Wrong { record: i + 1, seeded, saved: *die };
            }
            dice += 1;
        }
    }
    Verdict::Fair { dice }
}
