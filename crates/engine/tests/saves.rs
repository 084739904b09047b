//! Saves: cut anywhere, edited anywhere, from another program, from another time.
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

use dice::stream::Source;
use engine::game::Game;
use engine::save::{self, Verdict};
use engine::{Library, Scenario, auto, words};

fn played(id: &str, seed: &str) -> Game {
    let scenario = Scenario::built_in(&Library::default(), id).unwrap().unwrap();
    let mut game = Game::new(scenario, Source::seeded(seed));
    auto::play(&mut game.journal, seed, &mut game.dice, |_| {}).unwrap();
    game
}

/// Unit by unit, so that a difference can be seen.
fn same(a: &regimental::battle::Battle, b: &regimental::battle::Battle) {
    for (x, y) in a.units().iter().zip(b.units()) {
        assert_eq!(format!("{x:?}"), format!("{y:?}"));
    }
    for (x, y) in a.leaders().iter().zip(b.leaders()) {
        assert_eq!(format!("{x:?}"), format!("{y:?}"));
    }
    let rest = |b: &regimental::battle::Battle| {
        let awaiting = journal::Battle::awaiting(b);
        format!(
            "{awaiting:?} {} {:?} {:?} {:?} {:?}",
            b.turn(),
            b.mover(),
            b.points(),
            b.stands_lost(),
            b.keys()
        )
    };
    assert_eq!(rest(a), rest(b));
}

fn text(game: &Game, seed: &str) -> String {
    save::write(&game.scenario, &game.journal, Some(seed), true)
}

#[test]
fn a_save_gives_back_the_battle() {
    for id in ["training-25mm", "training-15mm", "training-triple-alliance"] {
        let game = played(id, "saved");
        let saved = save::read(&Library::default(), &text(&game, "saved")).unwrap();
        assert!(saved.remarks.is_empty());
        assert_eq!(saved.journal.records().len(), game.journal.records().len());
        same(saved.journal.now(), game.now());
        let dice: usize = game.journal.records().iter().map(|r| r.dice.len()).sum();
        assert_eq!(save::verify(&saved, "saved"), Verdict::Fair { dice });
        assert_eq!(save::verify(&saved, "other"), Verdict::OtherSeed);
    }
}

#[test]
fn cut_anywhere_it_loses_only_its_last_line() {
    let game = played("training-15mm", "Île");
    let whole = text(&game, "Île");
    let head: usize = whole.split_inclusive('\n').take(2).map(str::len).sum();
    // Every byte of the head and of the first lines, then every 97th.
    let cuts = (0..head.min(300))
        .chain(head - 40..head + 3000)
        .chain((head + 3000..whole.len()).step_by(97))
        .chain(whole.len() - 200..whole.len());
    let library = Library::default();
    assert!((0..whole.len()).any(|at| at > head && !whole.is_char_boundary(at)), "letters to cut");
    for cut in cuts {
        let part = &whole.as_bytes()[..cut];
        let complete = part.iter().filter(|b| **b == b'\n').count();
        match save::read_bytes(&library, part) {
            Ok(saved) => {
                let n = saved.journal.records().len() + usize::from(saved.seed.is_some());
                // A line that lacks nothing but its end counts.
                assert!(
                    n + 2 == complete || n + 2 == complete + 1,
                    "cut at {cut}: {n} of {complete}"
                );
            }
            Err(bad) => {
                assert!(cut < head, "cut at {cut}: {bad}");
                assert!(bad.line <= 2);
            }
        }
    }
}

#[test]
fn a_changed_byte_is_found_with_its_line() {
    let game = played("training-15mm", "edit");
    let whole = text(&game, "edit");
    let library = Library::default();
    for at in (0..whole.len()).step_by(whole.len() / 150) {
        let mut bytes = whole.clone().into_bytes();
        if bytes[at] == b'\n' || !bytes[at].is_ascii() {
            continue;
        }
        bytes[at] = if bytes[at] == b'7' { b'8' } else { b'7' };
        let line = 1 + whole[..at].matches('\n').count();
        let Ok(edited) = String::from_utf8(bytes) else { continue };
        let bad = save::read(&library, &edited)
            .err()
            .unwrap_or_else(|| panic!("byte {at} of line {line}"));
        assert!(
            bad.line == line || bad.line == line + 1,
            "byte {at}: line {} instead of {line}",
            bad.line
        );
    }
}

#[test]
fn foreign_and_newer_files_are_refused_at_their_first_line() {
    let library = Library::default();
    for foreign in
        ["", "\n", "{}", "{\"a\":1}\n", "PNG\u{1}\n\n", "[1,2]\n{}\n", "id = \"cowpens\"\n"]
    {
        assert_eq!(save::read(&library, foreign).err().expect("refused").line, 1, "{foreign:?}");
    }
}

/// These were written by earlier builds and must load for ever.
#[test]
fn golden_saves_load_and_end_as_they_did() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let mut found = 0;
    for entry in std::fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|e| e != "save") {
            continue;
        }
        found += 1;
        let saved = save::read(&Library::default(), &std::fs::read_to_string(&path).unwrap())
            .unwrap_or_else(|b| panic!("{}: {b}", path.display()));
        let state = words::state(&saved.scenario, saved.journal.now());
        let wanted: serde_json::Value =
            serde_json::from_str(&std::fs::read_to_string(path.with_extension("json")).unwrap())
                .unwrap();
        assert_eq!(state, wanted, "{}", path.display());
        let seed = saved.seed.clone().unwrap();
        assert!(matches!(save::verify(&saved, &seed), Verdict::Fair { .. }));
    }
    assert!(found >= 6, "{found} golden saves");
}

#[test]
fn a_scenario_accepted_once_is_read_again_with_faults_found_out_since() {
    let (_, good) = engine::SCENARIOS.iter().find(|s| s.0 == "training-15mm").unwrap();
    let bow =
        "[[terrain]]\nid = \"bow\"\nkind = \"woods\"\npoints = [[1, 2], [3, 4], [3, 2], [1, 4]]\n";
    let text = format!("{}\n{bow}", good.replace("id = \"training-15mm\"", "id = \"T 15\""));
    let library = Library::default();
    let new = engine::Scenario::read(&library, "s.toml", &text).unwrap_err().0;
    assert_eq!(new.len(), 2, "{new:#?}");
    let kept = engine::Scenario::read_accepted(&library, "s.toml", &text).unwrap();
    let game = Game::new(kept, Source::seeded("old"));
    let saved = save::write(&game.scenario, &game.journal, Some("old"), false);
    assert!(save::read(&library, &saved).is_ok());
}
