//! Proof that the cases notice: every figure of every tested clause is
//! changed in memory, and some case that cites the clause has to fail.

use std::sync::Arc;

use rulebook::{Book, Figure};

use crate::ledger::{Case, Ledger, Standing, cases};
use crate::restated::contradictions;
use crate::worked::{self, Example};
use crate::{Loaded, Rules};

/// A change that no cited case noticed.
#[derive(Debug)]
pub struct Unnoticed {
    /// The clause.
    pub clause: String,
    /// The figure, and where in it.
    pub figure: String,
    /// What it was changed to.
    pub to: String,
}

/// What changing every figure of a book showed.
#[derive(Debug, Default)]
pub struct Report {
    /// Changes made.
    pub changes: usize,
    /// Changes that a cited case noticed by a wrong answer.
    pub noticed: usize,
    /// Limits of a table that were moved together with the row beside them,
    /// so that the table stayed whole, and that a cited case noticed.
    pub moved: usize,
    /// Changes that broke a table beyond mending, so that the book was refused
    /// at load.
    pub refused: usize,
    /// Changes that nobody noticed.
    pub unnoticed: Vec<Unnoticed>,
}

/// Changes every figure of every tested clause, one at a time, and drops
/// every tested clause, one at a time.
///
/// # Errors
/// A sentence, if the ledger or the cases are not readable.
pub fn mutate(loaded: &Loaded) -> Result<Report, String> {
    let book = &loaded.book;
    let ledger = Ledger::of(book)?;
    let cases = cases(&book.id)?;
    let examples: Vec<Example> =
        worked::examples()?.into_iter().filter(|e| e.books.contains(&book.id)).collect();
    let tests = Tests { cases: &cases, examples: &examples };
    let mut report = Report::default();
    for (id, standing) in &ledger.clauses {
        if *standing != Standing::Tested {
            continue;
        }
        // Nobody misses a clause that only restates another.
        let read = cases.iter().any(|c| c.cites.contains(id));
        if let Some(without) = book.without(id).filter(|_| read) {
            let change =
                Unnoticed { clause: id.clone(), figure: "the clause".into(), to: "nothing".into() };
            report.count(tests, without, change, None);
        }
        let Some(clause) = book.clause(id) else {
            continue;
        };
        for (key, figure) in &clause.figures {
            if ledger.waits(id, key) {
                continue;
            }
            for (path, to) in changes(figure) {
                let mut whole = vec![key.as_str()];
                whole.extend(path.iter().map(String::as_str));
                let change =
                    Unnoticed { clause: id.clone(), figure: whole.join("/"), to: to.to_string() };
                let limit = Limit::of(id, figure, &whole, &to);
                if let Some(changed) = book.with_figure(id, &whole, to) {
                    report.count(tests, changed, change, limit);
                }
            }
        }
    }
    Ok(report)
}

/// The tests of a book that are data.
#[derive(Clone, Copy)]
struct Tests<'t> {
    cases: &'t [Case],
    examples: &'t [Example],
}

impl Report {
    fn count(&mut self, tests: Tests<'_>, book: Book, change: Unnoticed, limit: Option<Limit>) {
        self.changes += 1;
        let mut touched = vec![change.clause.clone()];
        let (rules, book) = match Rules::read(&book) {
            Ok(rules) => (rules, book),
            Err(_) => match limit.and_then(|limit| limit.mend(book, &mut touched)) {
                Some((book, rules)) => (rules, book),
                None => {
                    self.refused += 1;
                    return;
                }
            },
        };
        let loaded = Arc::new(Loaded { book, rules, house: vec![] });
        let contradicted = !contradictions(&loaded.book).is_empty();
        let cites = |cites: &[String]| cites.iter().any(|id| touched.contains(id));
        let mut cases = tests.cases.iter().filter(|c| cites(&c.cites));
        let mut examples = tests.examples.iter().filter(|e| cites(&e.cites));
        if !contradicted
            && cases.all(|case| case.run(&loaded).is_ok())
            && examples.all(|example| example.run(&loaded).is_ok())
        {
            self.unnoticed.push(change);
        } else if touched.len() > 1 {
            self.moved += 1;
        } else {
            self.noticed += 1;
        }
    }
}

/// A limit that was moved: between two rows of a table it stands in both, so
/// moving it in one alone leaves a hole or an overlap.
struct Limit {
    clause: String,
    /// The names before the last, for limits inside a column.
    column: Vec<String>,
    /// The figure of the row beside it that has the same limit, what it was
    /// and what it has to be.
    mates: Vec<(&'static str, Figure, Figure)>,
}

impl Limit {
    fn of(clause: &str, figure: &Figure, path: &[&str], to: &Figure) -> Option<Self> {
        let (last, column) = path.split_last()?;
        let mut old = figure;
        for key in &path[1..] {
            old = old.table()?.get(*key)?;
        }
        let mate = |name, step: i64| {
            let moved = |f: &Figure| match f {
                Figure::Int(n) => Some(Figure::Int(n + step)),
                Figure::Real(x) if step == 0 => Some(Figure::Real(*x)),
                _ => None,
            };
            Some((name, moved(old)?, moved(to)?))
        };
        let mates: Vec<_> = match *last {
            "min" => [mate("max", -1)].into_iter().flatten().collect(),
            "max" => [mate("min", 1)].into_iter().flatten().collect(),
            "over" => [mate("to", 0)].into_iter().flatten().collect(),
            "to" => [mate("over", 0), mate("distance", 0)].into_iter().flatten().collect(),
            "distance" => [mate("to", 0)].into_iter().flatten().collect(),
            "min_points" => {
                [mate("below_points", 0), mate("max_points", -1)].into_iter().flatten().collect()
            }
            "below_points" => [mate("min_points", 0)].into_iter().flatten().collect(),
            "max_points" => [mate("min_points", 1)].into_iter().flatten().collect(),
            _ => return None,
        };
        let column = column.iter().map(|k| (*k).to_owned()).collect();
        Some(Self { clause: clause.to_owned(), column, mates })
    }

    /// Moves the limit in the rows beside it too, as the refusals name them,
    /// until the book can be read. A case that cites one of the rows touched
    /// may notice.
    fn mend(&self, mut book: Book, touched: &mut Vec<String>) -> Option<(Book, Rules)> {
        for _ in 0..4 {
            let flaw = match Rules::read(&book) {
                Ok(rules) => return Some((book, rules)),
                Err(flaw) => flaw,
            };
            let (id, changed) = flaw
                .clauses
                .iter()
                .filter(|id| **id != self.clause)
                .flat_map(|id| self.mates.iter().map(move |mate| (id, mate)))
                .find_map(|(id, (name, old, new))| {
                    let mut path: Vec<&str> = self.column.iter().map(String::as_str).collect();
                    path.push(name);
                    let clause = book.clause(id)?;
                    let mut at = clause.figures.get(path[0])?;
                    for key in &path[1..] {
                        at = at.table()?.get(*key)?;
                    }
                    if at != old {
                        return None;
                    }
                    Some((id, book.with_figure(id, &path, new.clone())?))
                })?;
            touched.push(id.clone());
            book = changed;
        }
        None
    }
}

/// The changes worth making to a figure, each with its place in it.
fn changes(figure: &Figure) -> Vec<(Vec<String>, Figure)> {
    let here = |to: Figure| (Vec::new(), to);
    match figure {
        Figure::Int(n) => vec![here(Figure::Int(n + 1)), here(Figure::Int(n - 1))],
        Figure::Real(x) => vec![here(Figure::Real(x + 0.5)), here(Figure::Real(x / 2.0))],
        Figure::Bool(b) => vec![here(Figure::Bool(!b))],
        Figure::Text(text) => vec![here(Figure::Text(format!("{text}-changed")))],
        Figure::List(items) => inside(items.iter().enumerate().map(|(i, f)| (i.to_string(), f))),
        Figure::Table(entries) => inside(entries.iter().map(|(k, f)| (k.clone(), f))),
    }
}

fn inside<'f>(parts: impl Iterator<Item = (String, &'f Figure)>) -> Vec<(Vec<String>, Figure)> {
    let mut all = Vec::new();
    for (key, figure) in parts {
        for (mut path, to) in changes(figure) {
            path.insert(0, key.clone());
            all.push((path, to));
        }
    }
    all
}
