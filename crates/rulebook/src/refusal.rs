//! A request that is answered with a no.

use std::fmt;

use serde::Serialize;

/// The kind of a refusal, stable for programs to test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Code {
    /// Not a JSON object.
    BadJson,
    /// No such book.
    UnknownBook,
    /// A book file with faults.
    BadBook,
    /// No such check in the book.
    UnknownCheck,
    /// No such condition in the check.
    UnknownCondition,
    /// No such field in the check.
    UnknownField,
    /// A field that the check needs is not there.
    MissingField,
    /// A field with a value the check does not know.
    BadValue,
    /// A die that shows no number of its faces.
    DieOutOfRange,
    /// Conditions or fields that cannot hold together.
    Contradiction,
    /// Not as many dice as the rules ask for.
    WrongNumberOfDice,
    /// A number past what a table could ever hold.
    TooLarge,
    /// The rules do not allow it.
    NotAllowed,
}

/// A no, with its reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Refusal {
    /// The kind.
    pub code: Code,
    /// What is wrong and what would be right.
    pub message: String,
}

impl Refusal {
    /// A refusal of a kind with its reason.
    #[must_use]
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Refusal {}
