//! A game as its journal has it, brought back into memory.

use std::sync::Mutex;

use dice::stream::{Source, commitment};
use engine::game::Game;
use engine::{Library, Scenario, view};
use journal::Journal;
use regimental::battle::{Battle, Command};
use tokio::sync::{Mutex as Gate, watch};

use super::{Act, Line, Live, State};
use crate::changes::Shown;
use crate::concert::{self, Passed};
use crate::error::Problem;
use crate::seats::Role;
use crate::storage::{GameRow, JournalRow};

impl Live {
    /// A game as its journal has it.
    pub(super) fn restored(library: &Library, game: GameRow) -> Result<Self, Problem> {
        let broken = |why: String| {
            tracing::error!(game = %game.id, why, "a game that cannot be read");
            Problem::Broken
        };
        let scenario = Scenario::read_accepted(library, &game.scenario, &game.scenario_text)
            .map_err(|faults| broken(faults.to_string()))?;
        let (records, lengths) = replayed(&game.journal).map_err(&broken)?;
        let dice = if game.committed {
            Source::resumed(&game.seed, records.iter().map(|r| r.dice.len()).sum())
        } else {
            // The dice of the past came from elsewhere. A seed is never thrown twice: each length
            // of the journal begins its own stream.
            Source::seeded(&format!("{} {}", game.seed, records.len()))
        };
        let board = view::board(&scenario);
        let journal = Journal::<Battle>::replay(scenario.battle.clone(), records);
        let passed =
            Passed::of_journal(journal.now(), game.journal.iter().map(|r| r.entry.as_str()));
        let rev = lengths.len() as u64 - 1;
        let mut generals = [None, None];
        for (side, level) in &game.generals {
            if let Role::Side(side) = Role::of_word(side) {
                generals[side.index()] = Some(level.clone());
            }
        }
        let sent = |row: &JournalRow| match serde_json::from_str::<Line>(&row.entry) {
            Ok(record) => Act::Order(record.command).words(),
            Err(_) if concert::is_pass(&row.entry) => Act::Order(Command::Done).words(),
            Err(_) => row.entry.clone(),
        };
        let keyed = game.journal.iter().filter_map(|r| Some((r.key.clone()?, (r.rev, sent(r)))));
        let keys = keyed.collect();
        Ok(Self {
            id: game.id,
            board,
            commitment: game.committed.then(|| commitment(&game.seed)),
            seed: game.seed,
            generals,
            tempers: scenario.sides.each_ref().map(|s| s.temper.clone()),
            state: Gate::new(State {
                game: Game { scenario, journal, dice },
                rev,
                lengths,
                keys,
                seats: game.seats,
                passed,
                looks: view::Memory::default(),
                shown: Shown::default(),
                written: None,
            }),
            changed: watch::channel(rev).0,
            minds: Mutex::default(),
            thinking: std::sync::atomic::AtomicBool::new(false),
        })
    }
}

/// The records that are left of a journal, and how many there were after each of its lines.
fn replayed(journal: &[JournalRow]) -> Result<(Vec<Line>, Vec<usize>), String> {
    let mut records: Vec<Line> = Vec::new();
    let mut undone: Vec<Line> = Vec::new();
    let mut lengths = vec![0];
    for row in journal {
        match row.entry.as_str() {
            "undo" => undone.extend(records.pop()),
            "redo" => records.extend(undone.pop()),
            entry if concert::is_pass(entry) => {}
            entry => {
                let record =
                    serde_json::from_str(entry).map_err(|e| format!("line {}: {e}", row.rev))?;
                records.push(record);
                undone.clear();
            }
        }
        lengths.push(records.len());
    }
    Ok((records, lengths))
}
