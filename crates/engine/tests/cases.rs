//! The cases of the five sheets, and the ledger over them.

use engine::ledger::{Ledger, Standing, cases};
use engine::mutation::mutate;
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

#[test]
fn a_change_of_any_tested_figure_is_noticed() {
    each_book(|loaded| {
        let report = mutate(loaded).unwrap_or_else(|e| panic!("{e}"));
        assert!(report.changes > 100, "only {} changes were tried", report.changes);
        let said = |u: engine::mutation::Unnoticed| {
            format!("{} {} changed to {} and no cited case noticed", u.clause, u.figure, u.to)
        };
        report.unnoticed.into_iter().map(said).collect()
    });
}
