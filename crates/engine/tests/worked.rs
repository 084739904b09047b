//! The worked examples of the battle come out as written.
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

use engine::{Library, worked};

#[test]
fn every_example_comes_out_as_written() {
    let library = Library::default();
    let mut failures = Vec::new();
    let examples = worked::examples().unwrap();
    for example in &examples {
        assert!(!example.cites.is_empty(), "{} cites nothing", example.name);
        assert!(
            example.play.iter().any(|p| !p.expect.is_empty()),
            "{} expects nothing",
            example.name
        );
        for book in &example.books {
            if let Err(failure) = example.run(&library.get(book).expect("a book")) {
                failures.push(failure);
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
}
