//! Proof that the cases notice: every figure of every tested clause is
//! changed in memory, and some case that cites the clause has to fail.

use rulebook::{Book, Figure};

use crate::ledger::{Case, Ledger, Standing, cases};
use crate::restated::contradictions;
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
    /// Changes that broke a table, so that the book was refused at load.
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
    let mut report = Report::default();
    for (id, standing) in &ledger.clauses {
        if *standing != Standing::Tested {
            continue;
        }
        let citing: Vec<&Case> = cases.iter().filter(|c| c.cites.contains(id)).collect();
        // Nobody misses a clause that only restates another.
        let read = !citing.is_empty();
        if let Some(without) = book.without(id).filter(|_| read) {
            let change =
                Unnoticed { clause: id.clone(), figure: "the clause".into(), to: "nothing".into() };
            report.count(&citing, without, change);
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
                if let Some(changed) = book.with_figure(id, &whole, to) {
                    report.count(&citing, changed, change);
                }
            }
        }
    }
    Ok(report)
}

impl Report {
    fn count(&mut self, citing: &[&Case], book: Book, change: Unnoticed) {
        self.changes += 1;
        match Rules::read(&book) {
            Err(_) => self.refused += 1,
            Ok(rules) => {
                let loaded = Loaded { book, rules };
                let contradicted = !contradictions(&loaded.book).is_empty();
                if contradicted || citing.iter().any(|case| case.run(&loaded).is_err()) {
                    self.noticed += 1;
                } else {
                    self.unnoticed.push(change);
                }
            }
        }
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
