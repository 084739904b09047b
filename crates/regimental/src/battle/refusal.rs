//! A no, with the clause, the fact, and what would be legal.

use std::fmt;

use serde::Serialize;

use super::measures::Clause;

/// Why an order is refused.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct No {
    /// The clause or ruling that forbids it.
    pub rule: Clause,
    /// The fact that breaks it.
    pub fact: String,
    /// The nearest legal order, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instead: Option<String>,
}

impl No {
    /// The same with what would be legal.
    #[must_use]
    pub fn instead(mut self, words: impl Into<String>) -> Self {
        self.instead = Some(words.into());
        self
    }
}

impl fmt::Display for No {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} [{}]", self.fact, self.rule)?;
        if let Some(instead) = &self.instead {
            write!(f, "; {instead}")?;
        }
        Ok(())
    }
}
