//! Seats: who may look, and who may order which side.

use regimental::battle::Side;

use crate::error::Problem;

/// What a token opens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// Both sides, at one screen.
    Both,
    /// One side.
    Side(Side),
    /// Looking on.
    Watch,
}

impl Role {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Both => "both",
            Self::Side(Side::One) => "one",
            Self::Side(Side::Two) => "two",
            Self::Watch => "watch",
        }
    }

    pub(crate) fn of_word(word: &str) -> Self {
        match word {
            "both" => Self::Both,
            "one" => Self::Side(Side::One),
            "two" => Self::Side(Side::Two),
            _ => Self::Watch,
        }
    }

    /// Whether it may order a side.
    pub(crate) fn commands(self, side: Side) -> bool {
        self == Self::Both || self == Self::Side(side)
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
