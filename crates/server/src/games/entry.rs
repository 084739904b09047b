//! A line of a game's journal: an order of the battle, or something that befell the game around it.
//! The second kind serves whatever battle is played.

use regimental::battle::{Id, Side};

use super::{Act, Line};
use crate::seats::Role;

/// A line of the journal.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Entry {
    /// An order, with what came of it.
    Record(Box<Line>),
    /// The last order was taken back.
    Undo,
    /// What was taken back was done again.
    Redo,
    /// A brigade finished a step before others of its side.
    Passed { leader: Id, step: String },
    /// A side gave the battle up.
    Conceded(Side),
    /// A side offered a draw.
    DrawOffered(Side),
    /// A side agreed to a draw, or would not have it.
    DrawAnswered { by: Side, agreed: bool },
    /// The same battle again, with the sides changed: the id of that game.
    Rematch(String),
}

/// A side as it is kept.
fn side(word: &str) -> Option<Side> {
    Side::BOTH.into_iter().find(|s| Role::Side(*s).word() == word)
}

impl Entry {
    /// As it is kept.
    pub(crate) fn written(&self) -> Result<String, serde_json::Error> {
        let word = |s: &Side| Role::Side(*s).word();
        Ok(match self {
            Self::Record(record) => serde_json::to_string(record)?,
            Self::Undo => "undo".into(),
            Self::Redo => "redo".into(),
            Self::Passed { leader, step } => format!("passed {leader} {step}"),
            Self::Conceded(by) => format!("conceded {}", word(by)),
            Self::DrawOffered(by) => format!("draw-offered {}", word(by)),
            Self::DrawAnswered { by, agreed: true } => format!("draw-agreed {}", word(by)),
            Self::DrawAnswered { by, agreed: false } => format!("draw-declined {}", word(by)),
            Self::Rematch(game) => format!("rematch {game}"),
        })
    }

    /// A line as it was kept.
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        if text.starts_with('{') {
            return serde_json::from_str(text).map(Self::Record).map_err(|e| e.to_string());
        }
        let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
        let read = match word {
            "undo" => Some(Self::Undo),
            "redo" => Some(Self::Redo),
            "passed" => rest.split_once(' ').and_then(|(leader, step)| {
                Some(Self::Passed { leader: Id::new(leader)?, step: step.to_owned() })
            }),
            "conceded" => side(rest).map(Self::Conceded),
            "draw-offered" => side(rest).map(Self::DrawOffered),
            "draw-agreed" => side(rest).map(|by| Self::DrawAnswered { by, agreed: true }),
            "draw-declined" => side(rest).map(|by| Self::DrawAnswered { by, agreed: false }),
            "rematch" => Some(Self::Rematch(rest.to_owned())),
            _ => None,
        };
        read.ok_or_else(|| "a line that this version does not know".to_owned())
    }

    /// Whether it is an order of the battle.
    pub(crate) fn is_order(&self) -> bool {
        matches!(self, Self::Record(_))
    }

    /// What somebody asked for who caused it, so that a repeat is recognised.
    pub(crate) fn asked(self) -> Option<Act> {
        match self {
            Self::Record(record) => Some(Act::Order(record.command)),
            Self::Passed { .. } => Some(Act::Order(regimental::battle::Command::Done)),
            Self::Undo => Some(Act::Undo),
            Self::Redo => Some(Act::Redo),
            Self::Conceded(by) => Some(Act::Concede(by)),
            Self::DrawOffered(by) => Some(Act::OfferDraw(by)),
            Self::DrawAnswered { by, agreed } => Some(Act::AnswerDraw { by, agreed }),
            Self::Rematch(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::{Entry, Side};

    #[test]
    fn every_line_is_read_as_it_was_written() {
        let leader = super::Id::new("howard").unwrap();
        for entry in [
            Entry::Undo,
            Entry::Redo,
            Entry::Passed { leader, step: "2 0 Movement".into() },
            Entry::Conceded(Side::Two),
            Entry::DrawOffered(Side::One),
            Entry::DrawAnswered { by: Side::Two, agreed: true },
            Entry::DrawAnswered { by: Side::Two, agreed: false },
            Entry::Rematch("0a1b".into()),
        ] {
            let written = entry.written().unwrap();
            assert_eq!(Entry::read(&written).unwrap(), entry, "{written}");
        }
    }

    #[test]
    fn what_is_not_known_is_not_guessed() {
        for text in ["", "conceded three", "passed", "undone", "{\"by\":1}", "draw-agreed"] {
            assert!(Entry::read(text).is_err(), "{text}");
        }
    }
}
