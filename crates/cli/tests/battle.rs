//! Battles from the command line.
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn linstock(folder: &Path, args: &[&str], input: impl AsRef<[u8]>) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_linstock"))
        .args(args)
        .current_dir(folder)
        // Where a game in plain text is kept by itself.
        .env("XDG_DATA_HOME", folder.join("data"))
        .env("HOME", folder)
        .env("APPDATA", folder.join("data"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_ref()).unwrap();
    child.wait_with_output().unwrap()
}

fn text(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn json(line: &str) -> serde_json::Value {
    serde_json::from_str(line).unwrap()
}

#[test]
fn the_list_is_json_for_programs() {
    let folder = tempfile::tempdir().unwrap();
    let out = linstock(folder.path(), &["scenario", "list", "--json"], "");
    let lines: Vec<serde_json::Value> = text(&out).lines().map(json).collect();
    let cowpens = lines.iter().find(|l| l["id"] == "cowpens").expect("Cowpens");
    assert_eq!(cowpens["book"], "rff-awi-25mm");
    assert!(cowpens["units"][0].as_u64().unwrap() >= 4 && cowpens["turns"].as_u64().unwrap() > 1);
}

#[test]
fn orders_from_a_file_are_answered_line_by_line() {
    let folder = tempfile::tempdir().unwrap();
    let orders = "# a check, a refusal, a move\n\
        {\"do\":\"check\",\"units\":[\"23rd\"]}\n\
        {\"do\":\"maneuver\",\"unit\":\"23rd\",\"steps\":[{\"step\":\"advance\",\"inches\":40}]}\n\
        {\"do\":\"maneuver\",\"unit\":\"23rd\",\"steps\":[{\"step\":\"advance\",\"inches\":6}]}\n\
        {\"undo\":1}\n{\"redo\":1}\n{\"ask\":\"plan\",\"unit\":\"33rd\",\"to\":{\"at\":[30,15],\"facing\":0}}\n\
        {\"do\":\"chekc\"}\nnonsense\n";
    fs::write(folder.path().join("orders"), orders).unwrap();
    let out = linstock(
        folder.path(),
        &["run", "training-15mm", "--orders", "orders", "--dice", "5", "--save", "s.save"],
        "",
    );
    let lines: Vec<serde_json::Value> = text(&out).lines().map(json).collect();
    assert_eq!(lines.len(), 9, "{}", text(&out));
    assert_eq!(lines[0]["dice"], serde_json::json!([5]));
    assert_eq!(lines[0]["events"][0]["event"], "checked");
    assert_eq!(lines[0]["stands_lost"], serde_json::json!({ "british": 0, "american": 0 }));
    assert!(lines[1]["refused"]["rule"].is_string() && lines[1]["refused"]["instead"].is_string());
    let placed =
        lines[2]["events"].as_array().unwrap().iter().find(|e| e["event"] == "placed").unwrap();
    assert_eq!(placed["place"]["pose"]["at"], serde_json::json!([18.0, 15.0]));
    assert_eq!(lines[3]["undone"], 1);
    assert_eq!(lines[4]["redone"], 1);
    assert_eq!(lines[5]["stopped"], serde_json::Value::Null);
    assert!(lines[6]["refused"]["message"].as_str().unwrap().contains("check"));
    assert!(lines[7]["refused"]["message"].as_str().unwrap().contains("JSON"));
    let unit = &lines[8]["state"]["units"][0];
    assert_eq!(
        (&unit["id"], &unit["at"]),
        (&serde_json::json!("23rd"), &serde_json::json!([18.0, 15.0]))
    );
    // Dice entered by hand have no seed to verify.
    let out = linstock(folder.path(), &["verify", "s.save"], "");
    assert!(!out.status.success());
}

/// Whoever counts the stands each command cost has what the battle counts, whatever became of them.
#[test]
fn the_losses_of_the_commands_add_up_to_those_of_the_battle() {
    let folder = tempfile::tempdir().unwrap();
    let saved =
        linstock(folder.path(), &["auto", "training-15mm", "--seed", "x", "--save", "b.save"], "");
    assert!(saved.status.success(), "{saved:?}");
    let save = fs::read_to_string(folder.path().join("b.save")).unwrap();
    // The same orders with the same dice, as a file of commands.
    let mut orders = String::new();
    for line in save.lines().map(json).filter(|l| l["n"].is_number()) {
        let mut order = line["do"].clone();
        order["by"] = line["by"].clone();
        order["dice"] = line["dice"].clone();
        orders.push_str(&format!("{order}\n"));
    }
    let out = linstock(folder.path(), &["run", "training-15mm", "--orders", "-"], &orders);
    let said = text(&out);
    let lines: Vec<serde_json::Value> = said.lines().map(json).collect();
    let (state, answers) = lines.split_last().unwrap();
    assert!(answers.iter().all(|a| a["refused"].is_null()), "{said}");
    let gone = |a: &serde_json::Value| {
        a["events"].as_array().unwrap().iter().any(|e| e["event"] == "removed")
    };
    assert!(answers.iter().any(gone), "somebody is eliminated");
    for (i, side) in ["british", "american"].iter().enumerate() {
        let lost: u64 = answers.iter().map(|a| a["stands_lost"][side].as_u64().unwrap()).sum();
        assert_eq!(lost, state["state"]["stands_lost"][i].as_u64().unwrap(), "{side}");
        assert!(lost > 0, "{side} lost somebody");
    }
}

#[test]
fn dice_that_run_out_change_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let orders = "{\"do\":\"check\",\"units\":[\"23rd\"]}\n";
    let out = linstock(folder.path(), &["run", "training-15mm", "--orders", "-"], orders);
    let first = json(text(&out).lines().next().unwrap());
    assert!(first["refused"]["message"].as_str().unwrap().contains("dice ran out"));
}

#[test]
fn a_battle_by_itself_is_saved_told_again_and_verified() {
    let folder = tempfile::tempdir().unwrap();
    let first =
        linstock(folder.path(), &["auto", "training-15mm", "--seed", "x", "--save", "b.save"], "");
    let again = linstock(folder.path(), &["replay", "b.save", "--svg", "turns"], "");
    assert!(first.status.success() && text(&first).contains("Check under"));
    assert_eq!(text(&first), text(&again), "the same report");
    assert!(fs::read_dir(folder.path().join("turns")).unwrap().count() > 3);
    let out = linstock(folder.path(), &["verify", "b.save"], "");
    assert!(text(&out).starts_with("fair"), "{out:?}");
    let half = linstock(folder.path(), &["replay", "b.save", "--at", "5"], "");
    assert!(text(&half).len() < text(&first).len());
    let saved = fs::read_to_string(folder.path().join("b.save")).unwrap();
    fs::write(folder.path().join("b.save"), saved.replacen("\"dice\":[", "\"dice\":[9,", 1))
        .unwrap();
    let out = linstock(folder.path(), &["verify", "b.save"], "");
    assert!(
        !out.status.success() && String::from_utf8_lossy(&out.stderr).contains("line 3"),
        "{out:?}"
    );
}

#[test]
fn a_game_is_played_in_words() {
    let folder = tempfile::tempdir().unwrap();
    let typed = "help\nunit 23rd\nleader webster\npositions\nterrain\nreach 23rd\noptions 23rd\nodds 1\n\
                 check 23rd\nmove 23rd advance 3 feet\nmove 23rd\nmove 23rd advance 99\n\
                 move 23rd advance 4\nundo\nhold 23rd\nzap\nhelp charge\nmap\nshow\nsave\nsave g.save\nquit\n";
    let out = linstock(folder.path(), &["play", "training-15mm", "--seed", "words"], typed);
    let said = text(&out);
    for wanted in [
        "a maneuver check, the units of one leader together",
        "veteran infantry",
        "commanded by webster",
        "inches off",
        "alone at",
        "has 0 points",
        "The table is 48 by 36 inches.",
        "inches from here",
        "`feet` is too much: type help advance",
        "move: say the steps",
        "charge UNIT TARGET [cold-steel]",
        "save: say the file",
        "double-quick",
        "Check under webster",
        "No: 23rd would go 99",
        "Taken back.",
        "`zap` is no order",
        "Saved.",
        "The seed was words.",
    ] {
        assert!(said.contains(wanted), "{wanted}: {said}");
    }
    assert!(folder.path().join("g.save").exists());
    let out =
        linstock(folder.path(), &["play", "training-15mm", "--by-hand"], "check 23rd\n7\nquit\n");
    assert!(text(&out).contains("die 7"), "{}", text(&out));
}

#[test]
fn a_broken_scenario_is_shown_with_its_lines() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(
        folder.path().join("s.toml"),
        "id = \"x\"\nbook = \"rff-awi-15mm\"\n[game]\nturns = 0\n",
    )
    .unwrap();
    let out = linstock(folder.path(), &["scenario", "check", "s.toml"], "");
    let said = String::from_utf8_lossy(&out.stderr).into_owned();
    assert!(
        !out.status.success() && said.contains("s.toml:4:") && said.contains("`title` is missing"),
        "{said}"
    );
    let out = linstock(folder.path(), &["scenario", "show", "cowpen"], "");
    assert!(String::from_utf8_lossy(&out.stderr).contains("did you mean cowpens"));
}

#[test]
fn a_scenario_is_checked_with_warnings_and_has_a_schema() {
    let folder = tempfile::tempdir().unwrap();
    // The other side's horse has no leader.
    fs::write(folder.path().join("s.toml"), HORSE).unwrap();
    let out = linstock(folder.path(), &["scenario", "check", "s.toml"], "");
    let warned = String::from_utf8_lossy(&out.stderr).into_owned();
    assert!(out.status.success() && text(&out).contains("s.toml: whole, 1 warning. cc"), "{out:?}");
    assert!(warned.contains("s.toml:34:1: y has no leader"), "{warned}");
    let out = linstock(folder.path(), &["scenario", "schema", "-o", "schema.json"], "");
    assert!(out.status.success(), "{out:?}");
    let written = fs::read_to_string(folder.path().join("schema.json")).unwrap();
    assert_eq!(json(&written), engine::scenario::schema());
    let shown = linstock(folder.path(), &["scenario", "schema"], "");
    assert_eq!(text(&shown), written);
}

/// Two troops of horse, one of which may meet the other.
const HORSE: &str = r#"id = "cc"
title = "cc"
book = "rff-awi-15mm"
[table]
width = 48
height = 40
[game]
turns = 4
first = "a"
[[side]]
id = "a"
name = "Red"
home = "south"
[[side]]
id = "b"
name = "Blue"
home = "north"
[[leader]]
id = "la"
name = "Smith"
side = "a"
rating = "able"
at = [24, 8]
[[unit]]
id = "x"
name = "Red horse"
side = "a"
leader = "la"
arm = "cavalry"
class = "trained"
stands = 4
at = [24, 12]
facing = 0
[[unit]]
id = "y"
name = "Blue horse"
side = "b"
arm = "cavalry"
class = "trained"
stands = 4
at = [24, 22]
facing = 180
"#;

#[test]
fn a_choice_is_asked_in_words_and_by_number() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("horse.toml"), HORSE).unwrap();
    let typed = "check x\ncharge x y\ndone\ncountercharge now\n3\n2\nquit\n";
    let out = linstock(folder.path(), &["play", "horse.toml", "--seed", "6"], typed);
    let said = text(&out);
    for wanted in [
        "y is charged by x.",
        "  2 Countercharge: meet them",
        "a choice is owed first",
        "`now` is too much",
        "no option has the number 3",
        "y answers: countercharge",
    ] {
        assert!(said.contains(wanted), "{wanted}: {said}");
    }
    assert!(!said.contains('{'), "no data where words belong: {said}");
}

#[test]
fn a_line_that_is_no_order_is_refused_with_its_line_and_the_next_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let orders = b"\xef\xbb\xbf{\"ask\":\"state\",\"x\":1}\n\n{\"do\":\"done\",\"x\":1}\n\xff\n{\"do\":\"check\",\"units\":[\"23rd\"],\"dice\":[11]}\n{\"do\":\"check\",\"units\":[\"23rd\"]}\n";
    fs::write(folder.path().join("o.jsonl"), orders).unwrap();
    let out = linstock(
        folder.path(),
        &["run", "training-15mm", "--orders", "o.jsonl", "--dice", "7"],
        "",
    );
    let said = text(&out);
    let lines: Vec<&str> = said.lines().collect();
    for (line, wanted) in [
        (0, "`x` is not known here"),
        (1, "`x` is not known here: do"),
        (2, "not UTF-8"),
        (3, "a die shows 1 to 10"),
        (4, "\"events\""),
    ] {
        assert!(lines[line].contains(wanted), "{wanted}: {said}");
    }
    assert!(lines[2].contains("\"line\":4"), "{said}");
}
