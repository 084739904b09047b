//! Why a command did not work, and how it is shown.

use std::io;

use engine::{Fault, Faults, Missing, Refusal};
use miette::{GraphicalReportHandler, LabeledSpan, Severity, SourceOffset, SourceSpan};

/// Why a command did not work.
#[derive(Debug)]
pub(crate) enum Failure {
    /// A plain no, in a sentence.
    Said(String),
    /// A file with faults.
    Faults(Faults),
    /// Nobody reads our output any more: end quietly.
    Pipe,
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        Self::Said(refusal.message)
    }
}

impl From<Missing> for Failure {
    fn from(missing: Missing) -> Self {
        match missing {
            Missing::Unknown(refusal) => refusal.into(),
            Missing::Faults(faults) => Self::Faults(faults),
        }
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::Pipe,
            _ => Self::Said(error.to_string()),
        }
    }
}

impl Failure {
    /// Shows the failure on standard error and gives the exit code.
    pub(crate) fn report(&self) -> u8 {
        match self {
            Self::Pipe => 0,
            Self::Said(sentence) => {
                anstream::eprintln!("linstock: {sentence}");
                2
            }
            Self::Faults(faults) => {
                let (told, more) = faults.told();
                for fault in told {
                    anstream::eprint!("{}", excerpt(fault, Severity::Error));
                }
                if more > 0 {
                    anstream::eprintln!("linstock: and {more} more");
                }
                2
            }
        }
    }
}

/// Shows on standard error what is no fault, but may not be meant.
pub(crate) fn doubt(doubt: &Fault) {
    anstream::eprint!("{}", excerpt(doubt, Severity::Warning));
}

/// A fault with the lines of the file it is in.
fn excerpt(fault: &Fault, severity: Severity) -> String {
    let mut text = String::new();
    let report = Labelled(fault, severity);
    if GraphicalReportHandler::new().render_report(&mut text, &report).is_err() {
        text = format!("{fault}\n");
    }
    text
}

#[derive(Debug)]
struct Labelled<'a>(&'a Fault, Severity);

impl std::fmt::Display for Labelled<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (line, column) = self.0.file.line_column(self.0.span.start);
        write!(f, "{}:{line}:{column}: {}", self.0.file.name, self.0.message)
    }
}

impl std::error::Error for Labelled<'_> {}

impl miette::Diagnostic for Labelled<'_> {
    fn severity(&self) -> Option<Severity> {
        Some(self.1)
    }

    fn help<'b>(&'b self) -> Option<Box<dyn std::fmt::Display + 'b>> {
        self.0.help.as_ref().map(|h| Box::new(h) as Box<dyn std::fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn miette::SourceCode> {
        Some(&self.0.file.text)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let span = SourceSpan::new(SourceOffset::from(self.0.span.start), self.0.span.len());
        Some(Box::new(std::iter::once(LabeledSpan::new_with_span(Some("here".into()), span))))
    }
}
