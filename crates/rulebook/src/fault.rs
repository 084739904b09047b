//! What is wrong with a file, and where.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// A file that was read, kept so that faults can show the line.
#[derive(Debug, PartialEq, Eq)]
pub struct SourceFile {
    /// The name to show: a path, or the id of a built-in book.
    pub name: String,
    /// The text.
    pub text: String,
    /// Whether it was accepted before, as the scenario of a game under way: what has become a fault
    /// since is none in it.
    pub accepted: bool,
}

impl SourceFile {
    /// A file with a name and its text.
    #[must_use]
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Arc<Self> {
        Arc::new(Self { name: name.into(), text: text.into(), accepted: false })
    }

    /// The same for a text that was accepted before.
    #[must_use]
    pub fn accepted(name: impl Into<String>, text: impl Into<String>) -> Arc<Self> {
        Arc::new(Self { name: name.into(), text: text.into(), accepted: true })
    }

    /// Line and column, both from 1, of a byte offset.
    #[must_use]
    pub fn line_column(&self, offset: usize) -> (usize, usize) {
        let mut end = offset.min(self.text.len());
        while !self.text.is_char_boundary(end) {
            end -= 1;
        }
        let before = &self.text[..end];
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().map_or(0, |l| l.chars().count()) + 1;
        (line, column)
    }
}

/// A mistake in a file: what, where, and what to do about it.
#[derive(Debug, Clone)]
pub struct Fault {
    /// What is wrong.
    pub message: String,
    /// What would be right, where that can be said.
    pub help: Option<String>,
    /// The file.
    pub file: Arc<SourceFile>,
    /// The bytes of the file that are wrong.
    pub span: Range<usize>,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (line, column) = self.file.line_column(self.span.start);
        write!(f, "{}:{line}:{column}: {}", self.file.name, self.message)?;
        if let Some(help) = &self.help {
            write!(f, " ({help})")?;
        }
        Ok(())
    }
}

/// Every mistake found in a file; never empty.
#[derive(Debug, Clone, thiserror::Error)]
pub struct Faults(pub Vec<Fault>);

/// Nobody reads more at once, and a file of nothing else would take long to tell.
const MOST_TOLD: usize = 100;

impl Faults {
    /// Those that are told, and how many more there are.
    #[must_use]
    pub fn told(&self) -> (&[Fault], usize) {
        let told = self.0.len().min(MOST_TOLD);
        (&self.0[..told], self.0.len() - told)
    }
}

impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (told, more) = self.told();
        for (i, fault) in told.iter().enumerate() {
            if i > 0 {
                f.write_str("\n")?;
            }
            write!(f, "{fault}")?;
        }
        if more > 0 {
            write!(f, "\nand {more} more")?;
        }
        Ok(())
    }
}

/// What a family finds wrong with a book when it reads its tables: a missing
/// figure, a hole, an overlap. [`Book::locate`](crate::Book::locate) turns it
/// into a [`Fault`] with a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Flaw {
    /// The clauses concerned, the guilty one first.
    pub clauses: Vec<String>,
    /// What is wrong.
    pub message: String,
}

impl Flaw {
    /// A flaw of one clause.
    #[must_use]
    pub fn of(clause: impl Into<String>, message: impl Into<String>) -> Self {
        Self { clauses: vec![clause.into()], message: message.into() }
    }
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.clauses.join(", "), self.message)
    }
}

impl std::error::Error for Flaw {}
