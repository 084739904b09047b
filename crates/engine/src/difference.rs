//! Two books compared: the clauses that differ, and the odds that move.

use std::collections::BTreeMap;

use rulebook::{Clause, Figure};
use serde_json::Value;

use crate::Loaded;
use crate::answer::Counting;
use crate::questions::questions;

/// A clause that two books do not have in common.
#[derive(Debug)]
pub enum ClauseDifference {
    /// Only the first book has it.
    OnlyFirst(String),
    /// Only the second book has it.
    OnlySecond(String),
    /// Both have it with other figures: name, first, second.
    Figures(String, Vec<(String, Option<Figure>, Option<Figure>)>),
}

/// The chance of one result in both books.
#[derive(Debug)]
pub struct Shift {
    /// The situation in words.
    pub question: String,
    /// The check.
    pub check: String,
    /// The result in words.
    pub result: String,
    /// Its chance in the first book.
    pub first: f64,
    /// Its chance in the second book.
    pub second: f64,
}

/// What two books do not have in common.
#[derive(Debug, Default)]
pub struct Difference {
    /// Clauses.
    pub clauses: Vec<ClauseDifference>,
    /// Settings of rulings: name, first, second.
    pub settings: Vec<(String, String, String)>,
    /// Odds of the standing questions.
    pub shifts: Vec<Shift>,
    /// Whether the two have checks in common at all.
    pub comparable: bool,
}

/// Compares two books.
#[must_use]
pub fn difference(first: &Loaded, second: &Loaded) -> Difference {
    let mut difference =
        Difference { comparable: first.book.family == second.book.family, ..Difference::default() };
    let mut moved: Vec<&str> = Vec::new();
    for (_, clause) in first.book.clauses() {
        match second.book.clause(&clause.id) {
            None => {
                difference.clauses.push(ClauseDifference::OnlyFirst(clause.id.clone()));
                moved.push(&clause.id);
            }
            Some(other) => {
                let figures = figures(clause, other);
                if !figures.is_empty() {
                    difference.clauses.push(ClauseDifference::Figures(clause.id.clone(), figures));
                    moved.push(&clause.id);
                }
            }
        }
    }
    for (_, clause) in second.book.clauses() {
        if first.book.clause(&clause.id).is_none() {
            difference.clauses.push(ClauseDifference::OnlySecond(clause.id.clone()));
            moved.push(&clause.id);
        }
    }
    for (name, value) in first.book.settings() {
        let other = second.book.setting(name);
        if difference.comparable && other != value {
            difference.settings.push((name.clone(), value.clone(), other.to_owned()));
        }
    }
    if difference.comparable {
        difference.shifts = shifts(first, second, &moved);
    }
    difference
}

fn figures(a: &Clause, b: &Clause) -> Vec<(String, Option<Figure>, Option<Figure>)> {
    let keys: std::collections::BTreeSet<&String> =
        a.figures.keys().chain(b.figures.keys()).collect();
    keys.into_iter()
        .filter(|key| a.figures.get(*key) != b.figures.get(*key))
        .map(|key| (key.clone(), a.figures.get(key).cloned(), b.figures.get(key).cloned()))
        .collect()
}

fn shifts(first: &Loaded, second: &Loaded, moved: &[&str]) -> Vec<Shift> {
    let mut all = Vec::new();
    let mut asked: Vec<Vec<&str>> = moved.iter().map(|id| vec![*id]).collect();
    for id in moved {
        // How it combines has changed: it takes two conditions to show.
        for book in [&first.book, &second.book] {
            let yields_to = book.clause(id).and_then(|c| c.figures.get("yields_to"));
            for other in yields_to.and_then(Figure::list).unwrap_or_default() {
                asked.extend(other.text().map(|other| vec![*id, other]));
            }
        }
    }
    for question in questions(&first.book, &asked) {
        let check = question.request["check"].as_str().unwrap_or("").to_owned();
        let (Some(a), Some(b)) =
            (results(first, &check, &question.request), results(second, &check, &question.request))
        else {
            continue; // one of the two does not know this situation
        };
        let names: std::collections::BTreeSet<&String> = a.keys().chain(b.keys()).collect();
        for name in names {
            let (x, y) = (a.get(name).copied().unwrap_or(0.0), b.get(name).copied().unwrap_or(0.0));
            if (x - y).abs() > 1e-12 {
                all.push(Shift {
                    question: question.words.clone(),
                    check: check.clone(),
                    result: name.clone(),
                    first: x,
                    second: y,
                });
            }
        }
    }
    all
}

/// The chance of each result, as it reads without its totals.
fn results(loaded: &Loaded, check: &str, request: &Value) -> Option<BTreeMap<String, f64>> {
    let mut out = Vec::new();
    let mut asker = Counting { book: &loaded.book, until_decided: false, out: &mut out };
    loaded.rules.ask(check, &request.to_string(), &mut asker).ok()?;
    let answer: Value = serde_json::from_slice(&out).ok()?;
    let mut chances = BTreeMap::new();
    for outcome in answer["outcomes"].as_array()? {
        let name = reading(&outcome["result"]);
        *chances.entry(name).or_insert(0.0) += outcome["probability"].as_f64()?;
    }
    Some(chances)
}

/// A result in a few words: what it does, not how it was reached.
fn reading(result: &Value) -> String {
    let mut parts: Vec<String> = Vec::new();
    for (key, value) in result.as_object().into_iter().flatten() {
        match (key.as_str(), value) {
            (
                // How it was reached, and what a 10 does whatever the effect.
                "total" | "totals" | "difference" | "modifiers" | "required" | "dice" | "to_hit"
                | "low_on_ammo" | "leader_check",
                _,
            ) => {}
            (_, Value::Bool(false) | Value::Null) => {}
            (_, Value::Number(n)) if n.as_f64() == Some(0.0) && key != "hits" => {}
            (key, Value::Bool(true)) => parts.push(key.replace('_', " ")),
            (_, Value::String(text)) => parts.push(text.replace('-', " ")),
            (key, Value::Object(inner)) => {
                let inside: Vec<String> = inner
                    .iter()
                    .filter(|(_, v)| !matches!(v, Value::Bool(false) | Value::Null) && **v != 0)
                    .map(|(k, v)| match v {
                        Value::String(text) => text.clone(),
                        Value::Bool(_) => k.replace('_', " "),
                        other => format!("{} {other}", k.replace('_', " ")),
                    })
                    .collect();
                parts.push(format!("{key} {}", inside.join(" ")));
            }
            (key, other) => parts.push(format!("{} {other}", key.replace('_', " "))),
        }
    }
    parts.join(", ")
}
