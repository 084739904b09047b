//! The closed enum of families.

use dice::Distribution;
use rulebook::request::explain;
use rulebook::{Asker, Book, Code, Flaw, ModifierTable, Refusal};
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

/// The typed tables of a book, by its family.
#[derive(Debug, Clone)]
pub enum Rules {
    /// Regimental Fire and Fury.
    Regimental(Box<regimental::Rules>),
    /// Rise and Fight Again.
    Rise(Box<rise::Rules>),
    /// Fire and Discipline.
    Discipline(Box<discipline::Rules>),
}

impl Rules {
    /// Reads the tables of a book.
    ///
    /// # Errors
    /// A [`Flaw`] that names the clause at fault.
    pub fn read(book: &Book) -> Result<Self, Flaw> {
        match book.family.as_str() {
            "regimental" => Ok(Self::Regimental(Box::new(regimental::Rules::read(book)?))),
            "rise" => Ok(Self::Rise(Box::new(rise::Rules::read(book)?))),
            "discipline" => Ok(Self::Discipline(Box::new(discipline::Rules::read(book)?))),
            other => Err(Flaw { clauses: vec![], message: format!("no family {other}") }),
        }
    }

    /// The checks of the family.
    #[must_use]
    pub fn checks(&self) -> &'static [&'static str] {
        match self {
            Self::Regimental(_) => regimental::CHECKS,
            Self::Rise(_) => rise::CHECKS,
            Self::Discipline(_) => discipline::CHECKS,
        }
    }

    /// The tables of conditions that a check takes.
    #[must_use]
    pub fn conditions(&self, check: &str) -> Vec<&ModifierTable> {
        match self {
            Self::Regimental(rules) => rules.conditions(check).into_iter().collect(),
            Self::Rise(rules) => rules.conditions(check),
            Self::Discipline(rules) => rules.conditions(check),
        }
    }

    /// Reads and assesses a request, and hands the check to the asker.
    ///
    /// # Errors
    /// A refusal, of the request or by the asker.
    pub fn ask(&self, check: &str, json: &str, asker: &mut impl Asker) -> Result<(), Refusal> {
        match self {
            Self::Regimental(rules) => rules.ask(check, json, asker),
            Self::Rise(rules) => rules.ask(check, json, asker),
            Self::Discipline(rules) => rules.ask(check, json, asker),
        }
    }

    /// The odds of a chain of checks; each outcome is the list of what its
    /// steps came to, as JSON.
    ///
    /// # Errors
    /// A refusal of a step, or of a chain the family does not know.
    pub fn chain(
        &self,
        steps: &[(&str, &str)],
        until_decided: bool,
    ) -> Result<Distribution<String>, Refusal> {
        match self {
            Self::Regimental(rules) => as_json(&rules.chain(steps)?.odds(until_decided)?),
            Self::Rise(rules) => as_json(&rules.chain(steps)?.odds()),
            Self::Discipline(rules) => as_json(&rules.chain(steps)?.odds()?),
        }
    }
}

fn as_json<L: serde::Serialize>(
    odds: &Distribution<Vec<L>>,
) -> Result<Distribution<String>, Refusal>
where
    Vec<L>: std::hash::Hash + Eq,
{
    let mut failed = None;
    let json = odds.map(|links| {
        serde_json::to_string(links).unwrap_or_else(|error| {
            failed = Some(explain(&error));
            String::new()
        })
    });
    failed.map_or(Ok(json), Err)
}

/// The check and the text of each step of a chain.
pub(crate) fn steps<'a>(chain: &'a [&'a RawValue]) -> Result<Vec<(String, &'a str)>, Refusal> {
    #[derive(serde::Deserialize)]
    struct Step {
        check: String,
        book: Option<IgnoredAny>,
        until_decided: Option<IgnoredAny>,
    }
    chain
        .iter()
        .map(|raw| {
            let step: Step = serde_json::from_str(raw.get()).map_err(|e| explain(&e))?;
            if step.book.is_some() || step.until_decided.is_some() {
                let message = "book and until_decided stand beside the chain, not in its steps";
                return Err(Refusal::new(Code::UnknownField, message));
            }
            Ok((step.check, raw.get()))
        })
        .collect()
}
