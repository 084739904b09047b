//! The worked examples of the battle come out as written.
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};

use engine::{Library, worked};

#[test]
fn every_example_comes_out_as_written() {
    let library = Library::default();
    let mut failures = Vec::new();
    let mut seen: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let examples = worked::examples().unwrap();
    for example in &examples {
        assert!(!example.cites.is_empty(), "{} cites nothing", example.name);
        assert!(
            example.play.iter().any(|p| !p.expect.is_empty()),
            "{} expects nothing",
            example.name
        );
        for book in &example.books {
            match example.run(&library.get(book).expect("a book")) {
                Ok(counted) => seen.entry(book.clone()).or_default().extend(counted),
                Err(failure) => failures.push(failure),
            }
        }
    }
    assert!(
        failures.is_empty(),
        "{} of {}:\n{}",
        failures.len(),
        examples.len(),
        failures.join("\n\n")
    );
    // A modifier of the book that no battle counts is only words.
    let mut silent = Vec::new();
    for (book, seen) in seen {
        let loaded = library.get(&book).expect("a book");
        let kinds = ["maneuver.modifier.", "fire.modifier.", "charge.modifier."];
        let never: Vec<&str> = loaded
            .book
            .clauses()
            .filter(|(_, c)| c.figures.contains_key("modifier"))
            // Said of others: that they do not count, or not twice.
            .filter(|(_, c)| !c.id.ends_with("noncumulative") && !c.id.contains(".no-cavalry"))
            .map(|(_, c)| &*c.id)
            .filter(|id| kinds.iter().any(|kind| id.starts_with(kind)) && !seen.contains(*id))
            .collect();
        silent.extend(never.iter().map(|id| format!("{book}: {id}")));
    }
    assert!(silent.is_empty(), "no example counts {silent:#?}");
}
