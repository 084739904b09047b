//! The house is in order: files of a size to live in, one direction of
//! dependency, and data that refers to what exists.
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use engine::{BOOKS, Library};
use rulebook::Figure;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() && path.file_name().is_some_and(|n| n != "target") {
            sources(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn no_file_is_too_long_to_know_ones_way_in() {
    let mut files = Vec::new();
    for folder in ["crates", "xtask"] {
        sources(&root().join(folder), &mut files);
    }
    assert!(files.len() > 40);
    for file in files {
        let lines = fs::read_to_string(&file).expect("text").lines().count();
        assert!(lines <= 600, "{} has {lines} lines", file.display());
    }
}

/// Each layer may use only the ones above it; the families do not know each other.
#[test]
fn the_direction_of_dependency_holds() {
    let ground = ["dice", "rulebook", "table"];
    let families = ["regimental", "rise", "discipline"];
    let mut all = ground.to_vec();
    all.push("journal");
    let family = all.clone();
    all.extend(families);
    let engine = all.clone();
    all.push("engine");
    let minds = all.clone();
    all.extend(["general", "web-assets"]);
    let server = all.clone();
    all.extend(["lab", "server"]);
    let allowed: [(&str, &[&str]); 13] = [
        ("dice", &[]),
        ("table", &[]),
        ("rulebook", &["dice"]),
        ("journal", &["dice"]),
        ("regimental", &family),
        ("rise", &family),
        ("discipline", &family),
        ("engine", &engine),
        ("general", &minds),
        ("web-assets", &[]),
        ("lab", &server),
        ("server", &server),
        ("cli", &all),
    ];
    let ours: BTreeSet<&str> = allowed.iter().map(|(name, _)| *name).collect();
    for (name, may) in allowed {
        let manifest = fs::read_to_string(root().join(format!("crates/{name}/Cargo.toml")))
            .expect("a manifest");
        let dependencies = manifest.split("[dependencies]").nth(1).unwrap_or("");
        let dependencies = dependencies.split("\n[").next().unwrap_or("");
        for line in dependencies.lines() {
            let used = line.split(['.', ' ', '=']).next().unwrap_or("");
            assert!(!ours.contains(used) || may.contains(&used), "{name} may not use {used}");
        }
    }
}

#[test]
fn the_books_refer_to_what_exists() {
    let library = Library::default();
    for id in BOOKS {
        let loaded = library.get(id).expect("a book");
        let book = &loaded.book;
        let sections: BTreeSet<&str> =
            book.sections().iter().map(|(name, _)| name.as_str()).collect();
        for (_, clause) in book.clauses() {
            assert!(
                sections.contains(clause.section.as_str()),
                "{id} {}: section {}",
                clause.id,
                clause.section
            );
            for other in clause.figures.get("yields_to").and_then(Figure::list).unwrap_or_default()
            {
                let other = other.text().expect("an id");
                assert!(book.clause(other).is_some(), "{id} {} yields to {other}", clause.id);
            }
            for overlay in clause.overlays() {
                let ruling = book.rulings().iter().filter_map(|r| r.setting.as_ref());
                let setting = ruling.into_iter().find(|s| s.name == overlay.setting);
                let setting =
                    setting.unwrap_or_else(|| panic!("{id} {}: {}", clause.id, overlay.setting));
                assert!(
                    setting.options.contains_key(&overlay.is),
                    "{id} {}: {}",
                    clause.id,
                    overlay.is
                );
            }
            let note = clause.note.as_deref().unwrap_or("");
            for word in note.split(|c: char| !(c.is_alphanumeric() || c == '.' || c == '-')) {
                let word = word.trim_matches('.');
                if word.starts_with("ruling.") && word != "ruling.xxx" {
                    let known = book.rulings().iter().any(|r| r.id == word);
                    assert!(known, "{id} {}: no {word}", clause.id);
                }
            }
        }
    }
}

#[test]
fn the_docs_name_every_formation_that_is_ordered() {
    use regimental::battle::Formation;
    let commands = std::fs::read_to_string(root().join("docs/commands.md")).unwrap();
    let said = commands.split("Formations: ").nth(1).unwrap().split("\n\n").next().unwrap();
    for formation in Formation::all() {
        let named = said.contains(&format!("`{}`", formation.name()));
        assert_eq!(named, formation.nature().ordered, "docs/commands.md: {}", formation.name());
    }
}

#[test]
fn the_docs_name_every_event_with_its_fields() {
    let commands = std::fs::read_to_string(root().join("docs/commands.md")).unwrap();
    for id in ["field-day-15mm", "cowpens", "yatay"] {
        let scenario = engine::Scenario::built_in(&Library::default(), id).unwrap().unwrap();
        let mut game = engine::game::Game::new(scenario, dice::stream::Source::seeded("docs"));
        engine::auto::play(&mut game.journal, "docs", &mut game.dice, |_| {}).unwrap();
        for event in game.journal.records().iter().flat_map(|r| &r.events) {
            let event = serde_json::to_value(event).unwrap();
            let name = event["event"].as_str().unwrap();
            let row = commands.lines().find(|l| l.starts_with(&format!("| `{name}` |")));
            let row = row.unwrap_or_else(|| panic!("docs/commands.md has no event {name}"));
            for field in event.as_object().unwrap().keys().filter(|k| *k != "event") {
                assert!(row.contains(&format!("`{field}`")), "docs/commands.md: {name}: {field}");
            }
        }
    }
}
