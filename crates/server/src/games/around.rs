//! What stands around a battle, whatever battle it is: whether it was given up or agreed to be a
//! draw, whether a draw is offered, and where it is fought again.

use regimental::battle::Side;

use super::Entry;

/// How a game ended that was not fought to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Settled {
    /// A side gave it up.
    Conceded(Side),
    /// Both agreed.
    Drawn,
}

/// What stands around a battle.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Around {
    pub(crate) settled: Option<Settled>,
    /// The side that has offered a draw. Its offer lapses when the other plays on.
    pub(crate) draw_offered: Option<Side>,
    /// The id of the game with the sides changed.
    pub(crate) rematch: Option<String>,
}

impl Around {
    /// What all lines of a journal came to.
    pub(crate) fn of_journal<'a>(entries: impl Iterator<Item = &'a Entry>) -> Self {
        let mut around = Self::default();
        for entry in entries {
            around.note(entry);
        }
        around
    }

    /// A line was written.
    pub(crate) fn note(&mut self, entry: &Entry) {
        match entry {
            Entry::Record(record) => {
                self.draw_offered = self.draw_offered.filter(|by| *by == record.by);
            }
            Entry::Conceded(by) => self.settled = Some(Settled::Conceded(*by)),
            Entry::DrawOffered(by) => self.draw_offered = Some(*by),
            Entry::DrawAnswered { agreed, .. } => {
                self.draw_offered = None;
                if *agreed {
                    self.settled = Some(Settled::Drawn);
                }
            }
            Entry::Rematch(game) => self.rematch = Some(game.clone()),
            Entry::Undo | Entry::Redo | Entry::Passed { .. } => {}
        }
    }
}
