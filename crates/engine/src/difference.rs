//! Two books compared: the clauses that differ, and the odds that move.

use std::collections::{BTreeMap, BTreeSet};

use rulebook::{Clause, Figure};
use serde_json::Value;

use crate::answer::Counting;
use crate::questions::{Question, questions};
use crate::{Loaded, ledger};

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

impl ClauseDifference {
    /// The clause.
    #[must_use]
    pub fn id(&self) -> &str {
        match self {
            Self::OnlyFirst(id) | Self::OnlySecond(id) | Self::Figures(id, _) => id,
        }
    }
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

impl Difference {
    /// The clauses that differ.
    fn moved(&self) -> Vec<&str> {
        self.clauses.iter().map(ClauseDifference::id).collect()
    }
}

/// Compares two books.
#[must_use]
pub fn difference(first: &Loaded, second: &Loaded) -> Difference {
    let mut difference =
        Difference { comparable: first.book.family == second.book.family, ..Difference::default() };
    for (_, clause) in first.book.clauses() {
        match second.book.clause(&clause.id) {
            None => {
                difference.clauses.push(ClauseDifference::OnlyFirst(clause.id.clone()));
            }
            Some(other) => {
                let figures = figures(clause, other);
                if !figures.is_empty() {
                    difference.clauses.push(ClauseDifference::Figures(clause.id.clone(), figures));
                }
            }
        }
    }
    for (_, clause) in second.book.clauses() {
        if first.book.clause(&clause.id).is_none() {
            difference.clauses.push(ClauseDifference::OnlySecond(clause.id.clone()));
        }
    }
    for (name, value) in first.book.settings() {
        let other = second.book.setting(name);
        if difference.comparable && other != value {
            difference.settings.push((name.clone(), value.clone(), other.to_owned()));
        }
    }
    if difference.comparable {
        difference.shifts = shifts(first, second, &difference);
    }
    difference
}

fn figures(a: &Clause, b: &Clause) -> Vec<(String, Option<Figure>, Option<Figure>)> {
    let keys: BTreeSet<&String> = a.figures.keys().chain(b.figures.keys()).collect();
    keys.into_iter()
        .filter(|key| a.figures.get(*key) != b.figures.get(*key))
        .map(|key| (key.clone(), a.figures.get(key).cloned(), b.figures.get(key).cloned()))
        .collect()
}

/// The odds that move. Of the standing questions all that do; of a clause or a setting that none of
/// them shows, what the cases of the book ask about it: the situation that moves most.
fn shifts(first: &Loaded, second: &Loaded, difference: &Difference) -> Vec<Shift> {
    let moved = difference.moved();
    let mut asked: Vec<Vec<&str>> = moved.iter().map(|id| vec![*id]).collect();
    for id in &moved {
        // How it combines has changed: it takes two conditions to show.
        for book in [&first.book, &second.book] {
            let yields_to = book.clause(id).and_then(|c| c.figures.get("yields_to"));
            for other in yields_to.and_then(Figure::list).unwrap_or_default() {
                asked.extend(other.text().map(|other| vec![*id, other]));
            }
        }
    }
    let mut all: Vec<Moved> = Vec::new();
    let mut seen = BTreeSet::new();
    let standing = [&first.book, &second.book].map(|book| questions(book, &asked));
    for question in standing.into_iter().flatten() {
        if seen.insert(question.request.to_string()) {
            all.extend(Moved::by(first, second, &question));
        }
    }
    let shown = |all: &[Moved], id: &str| all.iter().any(|m| m.names(id));
    let unshown: Vec<&str> = moved.into_iter().filter(|id| !shown(&all, id)).collect();
    let silent = !difference.settings.is_empty() && all.is_empty();
    if !unshown.is_empty() || silent {
        let of = if silent { None } else { Some(unshown.as_slice()) };
        for found in told_by_cases(first, second, of) {
            // Of several that move alike the first says it.
            if !all.iter().any(|m| m.alike(&found)) {
                all.push(found);
            }
        }
    }
    // The checks together, in the order in which they came up.
    let mut checks: Vec<String> = Vec::new();
    for one in &all {
        if !checks.contains(&one.check) {
            checks.push(one.check.clone());
        }
    }
    all.sort_by_key(|m| checks.iter().position(|c| *c == m.check));
    all.into_iter().flat_map(Moved::shifts).collect()
}

/// A question whose answers differ.
struct Moved {
    question: String,
    check: String,
    request: Value,
    /// Each result with its two chances, where they are not the same.
    results: Vec<(String, f64, f64)>,
}

impl Moved {
    /// What the two books say to a question, if it is not the same.
    fn by(first: &Loaded, second: &Loaded, question: &Question) -> Option<Self> {
        let check = question.request["check"].as_str().unwrap_or("").to_owned();
        // One of the two may not know this situation.
        let a = results(first, &check, &question.request)?;
        let b = results(second, &check, &question.request)?;
        let names: BTreeSet<&String> = a.keys().chain(b.keys()).collect();
        let chance = |of: &BTreeMap<String, f64>, name| of.get(name).copied().unwrap_or(0.0);
        let both = names.into_iter().map(|n| (n.clone(), chance(&a, n), chance(&b, n)));
        let results: Vec<_> = both.filter(|(_, x, y)| (x - y).abs() > 1e-12).collect();
        let (question, request) = (question.words.clone(), question.request.clone());
        (!results.is_empty()).then_some(Self { question, check, request, results })
    }

    /// How much of all chance lies elsewhere.
    fn size(&self) -> f64 {
        self.results.iter().map(|(_, x, y)| (x - y).abs()).sum()
    }

    /// Whether the question is about a condition.
    fn names(&self, id: &str) -> bool {
        self.request.to_string().contains(&format!("\"{id}\""))
    }

    fn alike(&self, other: &Self) -> bool {
        self.check == other.check && self.results == other.results
    }

    fn shifts(self) -> impl Iterator<Item = Shift> {
        let Self { question, check, results, .. } = self;
        results.into_iter().map(move |(result, first, second)| Shift {
            question: question.clone(),
            check: check.clone(),
            result,
            first,
            second,
        })
    }
}

/// More than a reader looks through, where a setting moves many.
const MOST_OF_A_SETTING: usize = 6;
/// What a setting is about no case says: of so many, from all over the book, it is seen.
const MOST_CASES: usize = 250;
/// Clauses of two printed books that no question shows are many: of so many a case is looked for.
const MOST_CLAUSES: usize = 60;

/// Of the cases of the book the one that moves most for each clause; without clauses those that
/// move most of all.
fn told_by_cases(first: &Loaded, second: &Loaded, of: Option<&[&str]>) -> Vec<Moved> {
    let wanted = of.map(|ids| &ids[..ids.len().min(MOST_CLAUSES)]);
    let mut asked = BTreeSet::new();
    let mut moved: Vec<(Vec<String>, Moved)> = Vec::new();
    let cases = ledger::cases(&first.book.id).unwrap_or_default();
    let every = if of.is_some() { 1 } else { cases.len() / MOST_CASES + 1 };
    for case in cases.into_iter().step_by(every) {
        let cites = |id: &&&str| case.cites.iter().any(|c| c == **id);
        let about = wanted.is_none_or(|ids| ids.iter().any(|id| cites(&id)));
        let question = Question::of_case(&case.ask);
        if about && asked.insert(question.request.to_string()) {
            let found = Moved::by(first, second, &question);
            moved.extend(found.map(|found| (case.cites, found)));
        }
    }
    // The largest first, and of equals the one that takes fewest words.
    let words = |m: &Moved| m.question.len();
    moved.sort_by(|(_, a), (_, b)| {
        b.size().total_cmp(&a.size()).then_with(|| words(a).cmp(&words(b)))
    });
    let mut chosen: Vec<Moved> = Vec::new();
    let mut left: Option<Vec<&str>> = wanted.map(<[&str]>::to_vec);
    for (cites, found) in moved {
        let fits = match &mut left {
            None => chosen.len() < MOST_OF_A_SETTING && !chosen.iter().any(|c| c.alike(&found)),
            Some(ids) => {
                let before = ids.len();
                ids.retain(|id| !cites.iter().any(|c| c == id));
                ids.len() < before
            }
        };
        if fits {
            chosen.push(found);
        }
    }
    chosen
}

/// The chance of each result, as it reads without its totals.
fn results(loaded: &Loaded, check: &str, request: &Value) -> Option<BTreeMap<String, f64>> {
    let mut request = request.clone();
    keep_known(loaded, &mut request);
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

/// What a book has no modifier for adds nothing there.
fn keep_known(loaded: &Loaded, request: &mut Value) {
    match request {
        Value::Object(fields) => {
            for (key, value) in fields.iter_mut() {
                if let (true, Value::Array(ids)) = (key == "conditions", &mut *value) {
                    ids.retain(|id| id.as_str().is_none_or(|id| loaded.book.clause(id).is_some()));
                } else {
                    keep_known(loaded, value);
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| keep_known(loaded, item)),
        _ => {}
    }
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
