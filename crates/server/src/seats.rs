//! Seats: who may look, and who may order which side.

use regimental::battle::{Battle, Command, Id, Side};

use crate::error::Problem;

/// What a token opens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// Both sides, at one screen.
    Both,
    /// One side.
    Side(Side),
    /// The brigade of a leader of one side.
    Brigade(Side, Id),
    /// Looking on.
    Watch,
}

impl Role {
    /// As it is kept.
    pub(crate) fn word(self) -> String {
        let side = |s: Side| if s == Side::One { "one" } else { "two" };
        match self {
            Self::Both => "both".into(),
            Self::Side(s) => side(s).into(),
            Self::Brigade(s, leader) => format!("{}/{leader}", side(s)),
            Self::Watch => "watch".into(),
        }
    }

    pub(crate) fn of_word(word: &str) -> Self {
        let side = |w: &str| if w == "one" { Side::One } else { Side::Two };
        match word.split_once('/') {
            Some((s, leader)) => {
                Id::new(leader).map_or(Self::Watch, |leader| Self::Brigade(side(s), leader))
            }
            None if word == "both" => Self::Both,
            None if word == "one" || word == "two" => Self::Side(side(word)),
            None => Self::Watch,
        }
    }

    /// Whether it acts for a side, or for a part of it.
    pub(crate) fn commands(self, side: Side) -> bool {
        matches!(self, Self::Both)
            || matches!(self, Self::Side(s) | Self::Brigade(s, _) if s == side)
    }

    /// Whether a unit or a leader is under its command.
    pub(crate) fn leads(self, battle: &Battle, id: Id) -> bool {
        let Self::Brigade(_, leader) = self else { return true };
        id == leader
            || battle.unit(id).is_some_and(|u| {
                let parent = u.card.parent.and_then(|p| battle.unit(p)).unwrap_or(u);
                u.card.leader == Some(leader) || parent.card.leader == Some(leader)
            })
    }

    /// Whether it may give an order of its side: a brigade only for its own units and leader.
    pub(crate) fn may_give(self, battle: &Battle, order: &Command) -> bool {
        let led = |id: Id| self.leads(battle, id);
        match order {
            Command::Attach { leader, .. }
            | Command::Detach { leader }
            | Command::Replace { leader, .. }
            | Command::MoveLeader { leader, .. } => led(*leader),
            Command::Check { units } | Command::Fire { units, .. } => units.iter().all(|u| led(*u)),
            Command::Enter { unit, .. }
            | Command::Charge { unit, .. }
            | Command::Maneuver { unit, .. }
            | Command::Go { unit, .. }
            | Command::SendOff { unit, .. }
            | Command::Rejoin { unit }
            | Command::Fight { unit }
            | Command::Decide { unit, .. } => led(*unit),
            Command::Done => true,
        }
    }
}

/// Letters nobody can guess: so many random bytes, in hex.
pub(crate) fn secret(bytes: usize) -> Result<String, Problem> {
    let mut random = vec![0; bytes];
    getrandom::fill(&mut random).map_err(|e| {
        tracing::error!(error = %e, "no random numbers");
        Problem::Broken
    })?;
    Ok(random.iter().map(|b| format!("{b:02x}")).collect())
}

/// What is kept of a token. It has 256 random bits, so that one round of a hash is enough.
pub(crate) fn hashed(token: &str) -> String {
    blake3::hash(token.as_bytes()).to_hex().to_string()
}
