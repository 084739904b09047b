//! The ledger: which clauses a test holds fast, which wait for the part of
//! the program that will use them, and which no test can reach.
//!
//! The tests of the checks are data: `rulebooks/cases/BOOK.jsonl` has a case
//! on each line, a request with the answer that the printed sheet gives, and
//! the clauses it would notice a change of. `rulebooks/ledger.toml` says why
//! the other clauses have none.

use std::collections::{BTreeMap, BTreeSet};

use rulebook::Book;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::answer::{Counting, Detail, Resolving};
use crate::restated::restated;
use crate::{BOOKS, Loaded, worked};

/// A request and what the printed sheet answers.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// The clauses whose change this case would notice.
    pub cites: Vec<String>,
    /// The request, without its book.
    pub ask: Map<String, Value>,
    /// What the answer must hold.
    pub expect: Map<String, Value>,
    /// Whether the question is one of odds; `expect` then has the `chance`
    /// of results that hold what `of` says.
    #[serde(default)]
    pub odds: bool,
}

macro_rules! cases_text {
    ($name:literal) => {
        include_str!(concat!("../../../rulebooks/cases/", $name, ".jsonl"))
    };
}

/// The cases of a book.
///
/// # Errors
/// A sentence that names the line that is not a case.
pub fn cases(book: &str) -> Result<Vec<Case>, String> {
    let text = match book {
        "rff-awi-25mm" => cases_text!("rff-awi-25mm"),
        "rff-awi-15mm" => cases_text!("rff-awi-15mm"),
        "rff-triple-alliance" => cases_text!("rff-triple-alliance"),
        "rise-and-fight-again" => cases_text!("rise-and-fight-again"),
        "fire-and-discipline" => cases_text!("fire-and-discipline"),
        other => return Err(format!("no cases for {other}; known: {}", BOOKS.join(", "))),
    };
    (1..)
        .zip(text.lines())
        .map(|(number, line)| {
            serde_json::from_str(line).map_err(|e| format!("{book}.jsonl:{number}: {e}"))
        })
        .collect()
}

impl Case {
    /// Asks the book and compares.
    ///
    /// # Errors
    /// A sentence: what was expected and what came.
    pub fn run(&self, loaded: &Loaded) -> Result<(), String> {
        if self.odds {
            return self.run_odds(loaded);
        }
        let mut out = Vec::new();
        let check = self.ask.get("check").and_then(Value::as_str).unwrap_or("");
        let request = Value::Object(self.ask.clone()).to_string();
        let wanted = self.expect.get("error").and_then(Value::as_str);
        let detail =
            if self.ask.contains_key("detail") { Detail::Clauses } else { Detail::Contract };
        let mut asker = Resolving { book: &loaded.book, detail, out: &mut out };
        if let Err(refusal) = loaded.rules.ask(check, &request, &mut asker) {
            let code = serde_json::to_value(refusal.code).unwrap_or(Value::Null);
            return match wanted {
                Some(wanted) if code == wanted => Ok(()),
                _ => Err(format!("{request}: refused: {}", refusal.message)),
            };
        }
        let answer: Value = serde_json::from_slice(&out).map_err(|e| e.to_string())?;
        if let Some(wanted) = wanted {
            return Err(format!("{request}: answered {answer} where {wanted} was expected"));
        }
        for (key, wanted) in &self.expect {
            let holds = match (key.as_str(), &answer[key]) {
                ("not_rules", _) => {
                    let applied = answer["rules"].as_array().map(Vec::as_slice).unwrap_or_default();
                    let unwanted = wanted.as_array().map(Vec::as_slice).unwrap_or_default();
                    unwanted.iter().all(|one| !applied.contains(one))
                }
                ("rules" | "modifiers", Value::Array(all)) => {
                    let wanted = wanted.as_array().map(Vec::as_slice).unwrap_or_default();
                    wanted.iter().all(|one| all.iter().any(|given| fits(one, given)))
                }
                (_, given) => fits(wanted, given),
            };
            if !holds {
                return Err(format!(
                    "{request}: {key} is {} where {wanted} was expected",
                    answer[key]
                ));
            }
        }
        Ok(())
    }
}

impl Case {
    fn run_odds(&self, loaded: &Loaded) -> Result<(), String> {
        let mut out = Vec::new();
        let check = self.ask.get("check").and_then(Value::as_str).unwrap_or("");
        let request = Value::Object(self.ask.clone()).to_string();
        let until_decided = self.ask.get("until_decided") == Some(&Value::Bool(true));
        let mut asker = Counting { book: &loaded.book, until_decided, out: &mut out };
        loaded.rules.ask(check, &request, &mut asker).map_err(|refusal| refusal.message)?;
        let answer: Value = serde_json::from_slice(&out).map_err(|e| e.to_string())?;
        let of = self.expect.get("of").unwrap_or(&Value::Null);
        let outcomes = answer["outcomes"].as_array().map(Vec::as_slice).unwrap_or_default();
        let chance: f64 = outcomes
            .iter()
            .filter(|o| fits(of, &o["result"]))
            .filter_map(|o| o["probability"].as_f64())
            .sum();
        let wanted = self.expect.get("chance").and_then(Value::as_f64).unwrap_or(-1.0);
        if (chance - wanted).abs() > 1e-9 {
            return Err(format!(
                "{request}: a chance of {chance} where {wanted} was expected of {of}"
            ));
        }
        Ok(())
    }
}

/// Whether an answer holds what was wanted: objects key by key, numbers by
/// their value.
fn fits(wanted: &Value, given: &Value) -> bool {
    match (wanted, given) {
        (Value::Object(a), Value::Object(b)) => {
            a.iter().all(|(k, v)| b.get(k).is_some_and(|g| fits(v, g)))
        }
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(x, y)| fits(x, y))
        }
        (Value::Number(a), Value::Number(b)) => a.as_f64() == b.as_f64(),
        (a, b) => a == b,
    }
}

/// How a clause stands in the ledger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Standing {
    /// A case would notice its change.
    Tested,
    /// It waits for the part that will use it.
    Waiting(String),
    /// No test can reach it, for this reason.
    Untestable(String),
    /// It stands nowhere: a hole in the ledger.
    Missing,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    books: Vec<String>,
    clauses: Vec<String>,
    #[serde(default)]
    figures: Vec<String>,
    #[serde(default)]
    waits_for: Option<String>,
    #[serde(default)]
    because: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Reasons {
    #[serde(default)]
    waiting: Vec<Entry>,
    #[serde(default)]
    untestable: Vec<Entry>,
    /// Single figures of tested clauses that wait.
    #[serde(default)]
    figure: Vec<Entry>,
}

/// The ledger of one book.
#[derive(Debug)]
pub struct Ledger {
    /// Every clause with its standing, in the book's order.
    pub clauses: Vec<(String, Standing)>,
    waiting_figures: Vec<(String, Vec<String>)>,
}

impl Ledger {
    /// Works out where every clause of a book stands.
    ///
    /// # Errors
    /// A sentence about a case or an entry that is not readable.
    pub fn of(book: &Book) -> Result<Self, String> {
        let reasons: Reasons = rulebook_toml(include_str!("../../../rulebooks/ledger.toml"))?;
        let mut cited: BTreeSet<String> =
            cases(&book.id)?.into_iter().flat_map(|c| c.cites).collect();
        for example in worked::examples()?.into_iter().filter(|e| e.books.contains(&book.id)) {
            let clauses = example.cites.into_iter().filter(|id| !id.starts_with("ruling."));
            cited.extend(clauses.filter(|id| book.clause(id).is_some()));
        }
        cited.extend(restated().filter(|id| book.clause(id).is_some()).map(str::to_owned));
        if let Some(stray) = cited.iter().find(|id| book.clause(id).is_none()) {
            return Err(format!(
                "a case of {} cites {stray}, and there is no such clause",
                book.id
            ));
        }
        let here = |e: &&Entry| e.books.iter().any(|pattern| matches(pattern, &book.id));
        let find = |entries: &[Entry], id: &str| {
            let entry =
                entries.iter().filter(here).find(|e| e.clauses.iter().any(|p| matches(p, id)));
            entry.map(|e| e.waits_for.clone().or(e.because.clone()).unwrap_or_default())
        };
        let clauses = book
            .clauses()
            .map(|(_, clause)| {
                let id = clause.id.as_str();
                let standing = if cited.contains(id) {
                    Standing::Tested
                } else if let Some(family) = find(&reasons.waiting, id) {
                    Standing::Waiting(family)
                } else if let Some(reason) = find(&reasons.untestable, id) {
                    Standing::Untestable(reason)
                } else {
                    Standing::Missing
                };
                (clause.id.clone(), standing)
            })
            .collect();
        let waiting_figures = reasons
            .figure
            .iter()
            .filter(here)
            .flat_map(|e| e.clauses.iter().map(|c| (c.clone(), e.figures.clone())))
            .collect();
        Ok(Self { clauses, waiting_figures })
    }

    /// Whether a figure of a tested clause still waits for its use.
    #[must_use]
    pub fn waits(&self, clause: &str, figure: &str) -> bool {
        self.waiting_figures.iter().any(|(pattern, figures)| {
            matches(pattern, clause) && figures.iter().any(|f| f == figure)
        })
    }

    /// How many clauses are tested, wait, and cannot be tested.
    #[must_use]
    pub fn counts(&self) -> BTreeMap<&'static str, usize> {
        let mut counts = BTreeMap::new();
        for (_, standing) in &self.clauses {
            let key = match standing {
                Standing::Tested => "tested",
                Standing::Waiting(_) => "waiting",
                Standing::Untestable(_) => "untestable",
                Standing::Missing => "missing",
            };
            *counts.entry(key).or_insert(0) += 1;
        }
        counts
    }
}

/// Whether a name fits a pattern; a `*` stands for anything.
fn matches(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == name,
        Some((head, tail)) => {
            let Some(rest) = name.strip_prefix(head) else {
                return false;
            };
            tail.is_empty()
                || (0..=rest.len()).any(|at| rest.get(at..).is_some_and(|r| matches(tail, r)))
        }
    }
}

fn rulebook_toml<T: serde::de::DeserializeOwned>(text: &str) -> Result<T, String> {
    toml::from_str(text).map_err(|e| format!("ledger.toml: {e}"))
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn a_star_stands_for_anything() {
        assert!(matches("fire.*", "fire.die"));
        assert!(matches("rff-*", "rff-awi-25mm"));
        assert!(matches("movement.*.road", "movement.infantry.line.road"));
        assert!(matches("charge.*.defender.*", "charge.swept.defender.losses"));
        assert!(!matches("charge.*.defender", "charge.swept.defender.losses"));
        assert!(!matches("fire.die", "fire.died"));
    }
}
