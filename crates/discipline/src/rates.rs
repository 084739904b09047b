//! Movement rates in yards, and in inches on the table.

use std::collections::BTreeMap;

use rulebook::request::{Name, unknown};
use rulebook::{Book, Code, Flaw, Lookup, Refusal, RuleId, request};
use serde::Serialize;

use crate::Rules;

/// A cell of the movement table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
pub struct Rate {
    /// Yards.
    pub yards: u32,
    /// Inches on the table.
    pub inches: u32,
}

#[derive(Debug, Clone)]
pub(crate) struct Rates {
    cells: BTreeMap<String, (Rate, RuleId)>,
}

impl Rates {
    pub(crate) fn read(book: &Book) -> Result<Self, Flaw> {
        book.rule("movement.rate.artillery.no-charge")?;
        let mut cells = BTreeMap::new();
        for (rule, clause) in book.clauses() {
            let Some(name) = clause.id.strip_prefix("movement.rate.") else {
                continue;
            };
            if clause.figures.is_empty() {
                continue; // says that there is no such rate
            }
            let rate = Rate {
                yards: book.count(&clause.id, "yards")?,
                inches: book.count(&clause.id, "inches")?,
            };
            cells.insert(name.to_owned(), (rate, rule));
        }
        Ok(Self { cells })
    }
}

request! {
    /// How far troops may go.
    pub struct Request<'a> {
        #[serde(borrow)] troops: Name<'a>,
        #[serde(borrow)] pace: Name<'a>,
    }
}

/// Finds the cell.
///
/// # Errors
/// A refusal of what was said.
pub fn assess(rules: &Rules, request: &Request<'_>) -> Result<Lookup<Rate>, Refusal> {
    let name = format!("{}.{}", request.troops.as_ref(), request.pace.as_ref());
    let Some((rate, rule)) = rules.rates.cells.get(&name) else {
        let known: Vec<&str> = rules.rates.cells.keys().map(String::as_str).collect();
        return Err(unknown(Code::BadValue, "rate", &name, &known));
    };
    Ok(Lookup { outcome: *rate, rules: vec![*rule] })
}
