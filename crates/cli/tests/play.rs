//! A game in plain text, as somebody plays it who has not read the manual.
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Plays with what is typed, and gives what was said.
fn play(folder: &Path, args: &[&str], typed: impl AsRef<[u8]>) -> String {
    let mut child = Command::new(env!("CARGO_BIN_EXE_linstock"))
        .arg("play")
        .args(args)
        .current_dir(folder)
        .env("XDG_DATA_HOME", folder.join("data"))
        .env("HOME", folder)
        .env("APPDATA", folder.join("data"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(typed.as_ref()).unwrap();
    let out = child.wait_with_output().unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8(out.stdout).unwrap()
}

fn training(typed: impl AsRef<[u8]>) -> String {
    let folder = tempfile::tempdir().unwrap();
    play(folder.path(), &["training-15mm", "--seed", "abc"], typed)
}

/// What was said after a line was typed, up to the next prompt.
fn after<'s>(said: &'s str, typed: &str) -> &'s str {
    let begin = format!("> {typed}\n");
    let from = said.find(&begin).unwrap_or_else(|| panic!("{typed}: {said}")) + begin.len();
    let end = said[from..].find("\nTurn ").map_or(said.len(), |at| from + at);
    &said[from..end]
}

#[track_caller]
fn has(said: &str, typed: &str, wanted: &[&str]) {
    let answer = after(said, typed);
    for wanted in wanted {
        assert!(answer.contains(wanted), "{wanted}: {answer}");
    }
}

/// The file in which the game says it is kept.
fn kept(said: &str) -> PathBuf {
    let from = said.find("The game is kept in ").expect("it says where") + 20;
    PathBuf::from(&said[from..from + said[from..].find(" after every order").unwrap()])
}

#[test]
fn odds_are_told_before_their_step_has_come() {
    let said = training(
        "odds check maryland\nodds charge 33rd maryland\ncheck 23rd\nmove 23rd advance 9\n\
         odds fire va-militia at 23rd\nodds fire 23rd at va-militia\nodds charge 23rd va-militia\n\
         odds fire 33rd at maryland\nodds fight 23rd\nquit\n",
    );
    has(&said, "odds check maryland", &["of that side's next turn", "double-quick"]);
    has(
        &said,
        "odds charge 33rd maryland",
        &["No: maryland is out of reach of 33rd", "ruling.charge-declaration: "],
    );
    let defensive = ["as if it were defensive fire now", "fire points", "% telling"];
    has(&said, "odds fire va-militia at 23rd", &defensive);
    has(&said, "odds fire 23rd at va-militia", &["as if it were offensive fire now", "% telling"]);
    let charge = ["declaring charges", "23rd well handled", "% swept", "% wins in all"];
    has(&said, "odds charge 23rd va-militia", &charge);
    // What its step would refuse is refused with that reason, not with the step.
    has(&said, "odds fire 33rd at maryland", &["maryland is", "inches from 33rd"]);
    has(&said, "odds fight 23rd", &["no charge combat"]);
}

/// The odds that are supposed are those of the step when it comes.
#[test]
fn odds_told_early_are_those_of_the_step() {
    let said = training(
        "check 23rd\nmove 23rd advance 9\nodds fire va-militia at 23rd\ndone anyway\ndone anyway\n\
         odds fire va-militia at 23rd \nquit\n",
    );
    let early = after(&said, "odds fire va-militia at 23rd").split_once(":\n").expect("a remark").1;
    let late = said.rsplit("> odds fire va-militia at 23rd\n").next().unwrap();
    assert!(early.contains("% telling") && late.starts_with(early), "{said}");
}

#[test]
fn lists_may_have_commas() {
    let said = training(
        "check 23rd, 33rd\nmove 23rd, advance 4, wheel left 20\nmove 33rd advance 4,5\n\
         go 33rd 30, 14, 0\nquit\n",
    );
    has(&said, "check 23rd, 33rd", &["23rd:", "33rd:"]);
    has(&said, "move 23rd, advance 4, wheel left 20", &["23rd moves"]);
    has(&said, "move 33rd advance 4,5", &["with a point, 4.5"]);
    has(&said, "go 33rd 30, 14, 0", &["33rd moves"]);
    assert!(training("check 23rd and 33rd\nquit\n").contains("33rd: gallant"));
}

#[test]
fn a_limit_says_why_it_is_one() {
    let said = training(
        "check 23rd\nmove 23rd advance 99\ngo 23rd 18 30 0\nreach 23rd\nfire 23rd at maryland\n\
         rule wheel.basic\nrule wheel.basik\nquit\n",
    );
    let rate =
        "movement.infantry.line.open: Infantry in line covers up to 10 inches of open ground";
    has(&said, "move 23rd advance 99", &["it may go 10", "full-move: A well handled unit", rate]);
    has(&said, "go 23rd 18 30 0", &["The nearest it gets: go 23rd 18.0 19.0 0"]);
    has(&said, "reach 23rd", &["goes no farther because", "movement.infantry.line.open"]);
    has(&said, "fire 23rd at maryland", &["Now it is this: British advance guard: move the units"]);
    has(&said, "rule wheel.basic", &["turning no more than 45 degrees"]);
    has(&said, "rule wheel.basik", &["No clause and no ruling is called"]);
}

#[test]
fn done_asks_before_it_leaves_units_unchecked() {
    let said = training("check light-coy\nhold light-coy\ndone\nunits\ndone\nquit\n");
    let asked = ["23rd, 33rd, legion-horse and three-pdr have not checked", "Type done again"];
    has(&said, "done", &asked);
    assert!(!after(&said, "done").contains("moving leaders"), "{said}");
    let second = said.rsplit("> done\n").next().unwrap();
    assert!(second.starts_with("  moving leaders"), "{said}");
    // By its number as well, and without being asked if one says so.
    let said = training("options\n1\n1\nquit\n");
    assert!(after(&said, "1").contains("have not checked"), "{said}");
    assert!(said.contains("moving leaders [webster]"), "{said}");
    has(&training("done anyway\nquit\n"), "done anyway", &["moving leaders"]);
    // An order between the two is a new beginning.
    let said = training("done\ncheck 23rd\ndone\nquit\n");
    has(&said, "check 23rd", &["23rd: gallant"]);
    let last = said.rsplit("> done\n").next().unwrap();
    assert!(last.starts_with("23rd has not moved: it stays where it is."), "{said}");
}

#[test]
fn a_game_is_kept_by_itself() {
    let folder = tempfile::tempdir().unwrap();
    let args = ["training-15mm", "--seed", "abc"];
    // The input ends in the middle, as when a window is closed.
    let said = play(folder.path(), &args, "check 23rd\nmove 23rd advance 4\n");
    let file = kept(&said);
    assert!(said.contains(&format!("linstock play {} --seed abc", file.display())), "{said}");
    let goes_on = play(
        folder.path(),
        &[&file.to_string_lossy(), "--seed", "abc"],
        "unit 23rd\ncheck 23rd\ncheck 33rd\nquit\n",
    );
    has(&goes_on, "unit 23rd", &["at 18.0 13.0"]);
    has(&goes_on, "check 23rd", &["No: 23rd has checked"]);
    assert_eq!(kept(&goes_on), file);
    // Another game of the scenario leaves the last one where it can be found.
    let longest = fs::read_to_string(&file).unwrap();
    play(folder.path(), &args, "check 33rd\nquit\n");
    let before = file.with_extension("before.save");
    assert_eq!(fs::read_to_string(before).unwrap(), longest);
    assert_ne!(fs::read_to_string(&file).unwrap(), longest);
    // A look at a battle keeps nothing.
    let folder = tempfile::tempdir().unwrap();
    assert!(!kept(&play(folder.path(), &args, "units\nquit\n")).exists());
}

#[test]
fn a_game_that_cannot_be_kept_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let said = play(
        folder.path(),
        &["training-15mm", "--save", "no/such/folder.save"],
        "check 23rd\nhold 23rd\nquit\n",
    );
    assert!(said.contains("The game was not kept: ") && said.contains("> hold 23rd\n"), "{said}");
}

#[test]
fn bytes_that_are_no_letters_do_not_end_the_game() {
    let mut typed = b"check \xff\n".to_vec();
    typed.extend(vec![b'x'; 100_000]);
    typed.extend(b"\nunit 23rd\nquit\n");
    let said = training(typed);
    assert!(said.contains("a byte that is no letter (column 7)"), "{said}");
    assert!(said.contains("has more than 4096 letters"), "{said}");
    has(&said, "unit 23rd", &["23rd Foot"]);
    let folder = tempfile::tempdir().unwrap();
    let by_hand = play(
        folder.path(),
        &["training-15mm", "--by-hand"],
        b"check 23rd\nquit\ncheck 23rd\n\xfe\nseven\n7\nquit\n",
    );
    for wanted in
        ["The order was not given.", "a byte that is no letter", "A die shows 1 to 10", "die 7"]
    {
        assert!(by_hand.contains(wanted), "{wanted}: {by_hand}");
    }
}
