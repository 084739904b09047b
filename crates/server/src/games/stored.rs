//! A game as its journal has it, brought back into memory.

use dice::stream::{Source, commitment};
use engine::game::Game;
use engine::{Library, Scenario, view};
use journal::Journal;
use regimental::battle::Battle;

use super::around::Around;
use super::{Entry, Line, State, seal};
use crate::changes::Shown;
use crate::concert::Passed;
use crate::error::Problem;
use crate::seats::Role;
use crate::storage::{GameRow, JournalRow};

impl State {
    /// A game as its journal has it.
    pub(super) fn restored(library: &Library, game: GameRow) -> Result<Self, Problem> {
        let broken = |why: String| {
            tracing::error!(game = %game.id, why, "a game that cannot be read");
            Problem::Broken
        };
        let seal = seal::checked(&game).map_err(|line| {
            tracing::error!(game = %game.id, line, "a journal that is not as it was written");
            Problem::Damaged { line }
        })?;
        let scenario = Scenario::read_accepted(library, &game.scenario, &game.scenario_text)
            .map_err(|faults| broken(faults.to_string()))?;
        let entries = entries(&game.journal).map_err(&broken)?;
        let Replayed { records, undone, lengths } = replayed(&entries);
        let dice = if game.committed {
            Source::resumed(&game.seed, records.iter().map(|r| r.dice.len()).sum())
        } else {
            // The dice of the past came from elsewhere. A seed is never thrown twice: each length
            // of the journal begins its own stream.
            Source::seeded(&format!("{} {}", game.seed, records.len()))
        };
        let board = view::board(&scenario);
        let journal =
            Journal::<Battle>::replay(scenario.battle.clone(), records).with_undone(undone);
        let passed = Passed::of_journal(journal.now(), &entries);
        let around = Around::of_journal(entries.iter());
        let mut generals = [None, None];
        for (side, level) in &game.generals {
            if let Role::Side(side) = Role::of_word(side) {
                generals[side.index()] = Some(level.clone());
            }
        }
        let beside = entries.iter().filter(|e| !e.is_order()).count() as u64;
        let keyed = game
            .journal
            .iter()
            .zip(entries)
            .filter_map(|(row, entry)| Some((row.key.clone()?, (row.rev, entry.asked()?))));
        let keys = keyed.collect();
        Ok(Self {
            board,
            commitment: game.committed.then(|| commitment(&game.seed)),
            seed: game.seed,
            generals,
            tempers: scenario.sides.each_ref().map(|s| s.temper.clone()),
            game: Game { scenario, journal, dice },
            rev: game.journal.len() as u64,
            lengths,
            keys,
            seats: game.seats,
            passed,
            around,
            seal,
            beside,
            written_bytes: game.journal.iter().map(|r| r.entry.len()).sum(),
            maker: game.maker,
            room_for: 0,
            stale: false,
            looks: view::Memory::default(),
            shown: Shown::default(),
            told: None,
            luck: None,
        })
    }
}

fn entries(journal: &[JournalRow]) -> Result<Vec<Entry>, String> {
    let read =
        |row: &JournalRow| Entry::read(&row.entry).map_err(|e| format!("line {}: {e}", row.rev));
    journal.iter().map(read).collect()
}

/// What lines come to.
pub(super) struct Replayed {
    /// The records that are left.
    pub(super) records: Vec<Line>,
    /// Those that were taken back and may be done again, the next last.
    undone: Vec<Line>,
    /// How many there were after each line.
    lengths: Vec<usize>,
}

pub(super) fn replayed(entries: &[Entry]) -> Replayed {
    let mut all = Replayed { records: vec![], undone: vec![], lengths: vec![0] };
    for entry in entries {
        match entry {
            Entry::Undo => all.undone.extend(all.records.pop()),
            Entry::Redo => all.records.extend(all.undone.pop()),
            Entry::Record(record) => {
                all.records.push(Line::clone(record));
                all.undone.clear();
            }
            _ => {}
        }
        all.lengths.push(all.records.len());
    }
    all
}
