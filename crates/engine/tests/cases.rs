//! The cases of the five sheets, and the ledger over them.
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

use engine::ledger::{Ledger, Standing, cases};
use engine::mutation::mutate;
use engine::restated::contradictions;
use engine::{BOOKS, Library};

fn each_book(mut check: impl FnMut(&engine::Loaded) -> Vec<String>) {
    let library = Library::default();
    let mut wrong = Vec::new();
    for id in BOOKS {
        let loaded = library.get(id).unwrap_or_else(|refusal| panic!("{id}: {refusal}"));
        wrong.extend(check(&loaded).into_iter().map(|w| format!("{id}: {w}")));
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn every_case_of_the_sheets_is_answered_as_printed() {
    each_book(|loaded| {
        let cases = cases(&loaded.book.id).unwrap_or_else(|e| panic!("{e}"));
        assert!(cases.len() > 100, "{} has only {} cases", loaded.book.id, cases.len());
        cases.iter().filter_map(|case| case.run(loaded).err()).collect()
    });
}

#[test]
fn every_clause_stands_in_the_ledger() {
    each_book(|loaded| {
        let ledger = Ledger::of(&loaded.book).unwrap_or_else(|e| panic!("{e}"));
        let missing = |(id, standing): &(String, Standing)| {
            (*standing == Standing::Missing).then(|| format!("{id} has no case and no reason"))
        };
        ledger.clauses.iter().filter_map(missing).collect()
    });
}

/// Changes every figure of a book and requires that a cited case notices.
fn every_change_is_noticed(id: &str) {
    let library = Library::default();
    let loaded = library.get(id).unwrap_or_else(|refusal| panic!("{id}: {refusal}"));
    assert_eq!(contradictions(&loaded.book), Vec::<&str>::new(), "clauses that restate others");
    let report = mutate(&loaded).unwrap_or_else(|e| panic!("{e}"));
    assert!(report.changes > 400, "only {} changes were tried", report.changes);
    assert!(report.noticed > report.refused / 2, "too few were noticed by a case: {report:?}");
    let said =
        |u: &engine::mutation::Unnoticed| format!("{} {} changed to {}", u.clause, u.figure, u.to);
    let unnoticed: Vec<String> = report.unnoticed.iter().map(said).collect();
    assert!(unnoticed.is_empty(), "no cited case noticed:\n{}", unnoticed.join("\n"));
}

// One test a book, so that they run side by side.

#[test]
fn a_change_of_any_tested_figure_is_noticed_in_rff_awi_25mm() {
    every_change_is_noticed("rff-awi-25mm");
}

#[test]
fn a_change_of_any_tested_figure_is_noticed_in_rff_awi_15mm() {
    every_change_is_noticed("rff-awi-15mm");
}

#[test]
fn a_change_of_any_tested_figure_is_noticed_in_rff_triple_alliance() {
    every_change_is_noticed("rff-triple-alliance");
}

#[test]
fn a_change_of_any_tested_figure_is_noticed_in_rise_and_fight_again() {
    every_change_is_noticed("rise-and-fight-again");
}

#[test]
fn a_change_of_any_tested_figure_is_noticed_in_fire_and_discipline() {
    every_change_is_noticed("fire-and-discipline");
}
