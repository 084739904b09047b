//! Simulations, tournaments and audits: the same whatever the threads, whole after a stop, and
//! true to their own rows.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use engine::game::Game;
use engine::{Library, Scenario, save};
use lab::player::Player;
use lab::run::How;
use lab::simulate::{Simulated, Simulation, simulate};
use lab::tournament::Tournament;
use lab::what_if::Change;
use serde_json::Value;

fn scenario(id: &str) -> Scenario {
    Scenario::built_in(&Library::default(), id).unwrap().unwrap()
}

struct Asked<'a> {
    out: &'a Path,
    battles: u64,
    threads: usize,
    resume: bool,
    changes: &'a [&'a str],
}

fn run(scenario: &Scenario, asked: &Asked<'_>) -> Simulated {
    let library = Library::default();
    let player = |p: &str| Player::read(p).unwrap();
    let what = Simulation {
        library: &library,
        scenario,
        players: [player("recruit"), player("recruit")],
        seed: "tests".to_owned(),
        changes: asked.changes.iter().map(|c| Change::read(c).unwrap()).collect(),
        out: asked.out.to_path_buf(),
        command: "linstock simulate".to_owned(),
    };
    let stop = AtomicBool::new(false);
    let how =
        How { battles: asked.battles, threads: asked.threads, stop: &stop, resume: asked.resume };
    simulate(&what, &how, &mut |_| {}).unwrap()
}

const FILES: [&str; 7] = [
    "battles.jsonl",
    "battles.csv",
    "losses.csv",
    "turns.csv",
    "results.csv",
    "report.json",
    "report.html",
];

fn same(a: &Path, b: &Path) {
    for name in FILES {
        assert!(fs::read(a.join(name)).unwrap() == fs::read(b.join(name)).unwrap(), "{name}");
    }
}

#[test]
fn one_thread_or_three_write_the_same_bytes() {
    let scenario = scenario("training-15mm");
    let (a, b) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    for (out, threads) in [(a.path(), 1), (b.path(), 3)] {
        run(&scenario, &Asked { out, battles: 13, threads, resume: false, changes: &[] });
    }
    same(a.path(), b.path());
}

#[test]
fn a_run_cut_off_in_the_middle_of_a_line_goes_on() {
    let scenario = scenario("training-25mm");
    let (a, b) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let whole = Asked { out: a.path(), battles: 9, threads: 2, resume: false, changes: &[] };
    run(&scenario, &whole);
    run(&scenario, &Asked { out: b.path(), ..whole });
    let path = b.path().join("battles.jsonl");
    let text = fs::read(&path).unwrap();
    // Killed while the file was written: at several places.
    for part in [1, 3, 7, 9] {
        fs::write(&path, &text[..text.len() * part / 10]).unwrap();
        run(&scenario, &Asked { out: b.path(), resume: true, ..whole });
        same(a.path(), b.path());
    }
    // Fewer battles than there are already are all kept.
    let more = Asked { out: b.path(), battles: 4, resume: true, ..whole };
    assert_eq!(run(&scenario, &more).summary.battles, 9);
    // Begun anew, the battles there were stay beside.
    let before = fs::read(&path).unwrap();
    run(&scenario, &Asked { out: b.path(), battles: 2, ..whole });
    assert_eq!(fs::read(b.path().join("battles.jsonl.before")).unwrap(), before);
    assert!(fs::read(&path).unwrap().len() < before.len());
}

#[test]
fn the_file_of_another_run_is_not_gone_on_with() {
    let out = tempfile::tempdir().unwrap();
    let asked = Asked { out: out.path(), battles: 2, threads: 1, resume: false, changes: &[] };
    run(&scenario("training-15mm"), &asked);
    let library = Library::default();
    let scenario = scenario("training-15mm");
    let what = Simulation {
        library: &library,
        scenario: &scenario,
        players: [Player::read("random").unwrap(), Player::read("recruit").unwrap()],
        seed: "tests".to_owned(),
        changes: vec![],
        out: out.path().to_path_buf(),
        command: String::new(),
    };
    let stop = AtomicBool::new(false);
    let how = How { battles: 2, threads: 1, stop: &stop, resume: true };
    let trouble = simulate(&what, &how, &mut |_| {}).err().expect("refused");
    assert!(trouble.to_string().contains("holds another run"), "{trouble}");
}

/// The rows of a file without its head.
fn rows(path: &Path) -> Vec<Vec<String>> {
    let text = fs::read_to_string(path).unwrap();
    text.lines().skip(1).map(|l| l.split(',').map(str::to_owned).collect()).collect()
}

#[test]
fn the_figures_are_those_of_the_rows() {
    let scenario = scenario("training-triple-alliance");
    let out = tempfile::tempdir().unwrap();
    run(
        &scenario,
        &Asked { out: out.path(), battles: 30, threads: 2, resume: false, changes: &[] },
    );
    let text = fs::read_to_string(out.path().join("report.json")).unwrap();
    let report: Value = serde_json::from_str(&text).unwrap();
    let battles = rows(&out.path().join("battles.csv"));
    assert_eq!(battles.len(), 30);
    for (i, side) in scenario.sides.iter().enumerate() {
        let won = battles.iter().filter(|r| r[1] == side.id).count();
        assert_eq!(report["won"][i], won);
        let lost: f64 = battles.iter().map(|r| r[8 + i].parse::<f64>().unwrap()).sum();
        let told = report["stands_lost"][i]["value"].as_f64().unwrap();
        assert!((told - lost / 30.0).abs() < 1e-9);
    }
    let margins: f64 = battles.iter().map(|r| r[4].parse::<f64>().unwrap()).sum();
    assert!((report["margin"]["value"].as_f64().unwrap() - margins / 30.0).abs() < 1e-9);
    for row in &battles {
        let [one, two, margin] = [2, 3, 4].map(|i| row[i].parse::<i32>().unwrap());
        assert_eq!(one - two, margin);
    }
    // Losses by unit, by turn and in all.
    let mut by_unit: BTreeMap<(String, usize), f64> = BTreeMap::new();
    for row in rows(&out.path().join("losses.csv")) {
        let turn: usize = row[3].parse().unwrap();
        *by_unit.entry((row[1].clone(), turn)).or_default() += row[4].parse::<f64>().unwrap();
    }
    for unit in report["units"].as_array().unwrap() {
        for (i, told) in unit["by_turn"].as_array().unwrap().iter().enumerate() {
            let key = (unit["unit"].as_str().unwrap().to_owned(), i + 1);
            let sum = by_unit.get(&key).copied().unwrap_or(0.0);
            assert!((told.as_f64().unwrap() - sum / 30.0).abs() < 1e-9, "{key:?}");
        }
    }
    let all: f64 = by_unit.values().sum();
    let lost: f64 =
        battles.iter().flat_map(|r| [&r[8], &r[9]]).map(|n| n.parse::<f64>().unwrap()).sum();
    assert!((all - lost).abs() < 1e-9, "{all} {lost}");
    // Results.
    let mut times: BTreeMap<String, f64> = BTreeMap::new();
    for row in rows(&out.path().join("results.csv")) {
        *times.entry(row[1].clone()).or_default() += row[2].parse::<f64>().unwrap();
    }
    for result in report["swings"].as_array().unwrap() {
        let name = result["result"].as_str().unwrap();
        assert!((result["times"].as_f64().unwrap() - times[name] / 30.0).abs() < 1e-9);
    }
    let page = fs::read_to_string(out.path().join("report.html")).unwrap();
    // Nothing is fetched: the only addresses are names of formats.
    assert_eq!(page.matches("http").count(), page.matches("http://www.w3.org").count());
    assert!(!page.contains("<script"));
}

#[test]
fn a_change_that_changes_nothing_makes_no_difference_and_a_great_one_does() {
    let scenario = scenario("training-15mm");
    let out = tempfile::tempdir().unwrap();
    let changes = ["side.british.color=#a33330", "game.margin=40", "unit.33rd.stands=-5"];
    let asked =
        Asked { out: out.path(), battles: 40, threads: 2, resume: false, changes: &changes };
    let done = run(&scenario, &asked);
    let sizes: Vec<f64> = done.effects.iter().map(|e| e.margin_more.value.abs()).collect();
    assert!(sizes.is_sorted_by(|a, b| a >= b), "the greatest first: {sizes:?}");
    let named = |change: &str| done.effects.iter().find(|e| e.change == change).unwrap();
    let [same, far, weak] = changes.map(named);
    assert_eq!((same.wins_more.value, same.margin_more.value), (0.0, 0.0));
    assert_eq!(same.margin_more.high, 0.0);
    // Nobody leads by forty points: all that is left is an enemy without unbroken troops.
    assert!(far.wins.value <= 0.2 && far.wins_more.value < 0.0, "{far:?}");
    assert!(weak.margin_more.value < 0.0, "{weak:?}");
    // The difference is that of its rows.
    let rows = fs::read_dir(out.path()).unwrap().map(|f| f.unwrap().path());
    let rows = rows.filter(|p| p.to_string_lossy().contains("33rd"));
    let rows = rows.into_iter().find(|p| p.extension().is_some_and(|e| e == "csv")).unwrap();
    let text = fs::read_to_string(rows).unwrap();
    let margins = text.lines().skip(1).map(|line| {
        let field = |n: usize| line.split(',').nth(n).unwrap().parse::<f64>().unwrap();
        field(2) - field(4)
    });
    let more: Vec<f64> = margins.collect();
    let mean = more.iter().sum::<f64>() / 40.0;
    assert_eq!(more.len(), 40);
    assert!((mean - weak.margin_more.value).abs() < 1e-9, "{mean} {weak:?}");
    for wrong in ["unit.33rd", "unit.33rd.stands", "moon.phase=full", "book.a=b", "unit.x.y="] {
        assert!(Change::read(wrong).is_err(), "{wrong}");
    }
    let library = Library::default();
    for refused in [
        "unit.nobody.stands=3",
        "unit.33rd.class=heroic",
        "book=nowhere.toml",
        "unit.33rd.stands=+9223372036854775807",
    ] {
        assert!(Change::read(refused).unwrap().apply(&library, &scenario).is_err(), "{refused}");
    }
}

#[test]
fn a_star_tries_everybody_in_turn() {
    let (library, scenario) = (Library::default(), scenario("training-15mm"));
    let all = |written| Change::read_all(written, &library, &scenario);
    let better = all("unit.*.class=better").unwrap();
    assert!(better.len() > 5, "{}", better.len());
    for change in &better {
        let id = change.written.split('.').nth(1).unwrap();
        let class = |s: &Scenario| {
            let unit = s.battle.units().iter().find(|u| u.id().to_string() == id).unwrap();
            unit.card.class
        };
        let changed = change.apply(&library, &scenario).unwrap();
        assert_ne!(class(&changed), class(&scenario), "{id}");
    }
    // Those who are veterans already are left out.
    let veterans = all("unit.*.class=veteran").unwrap();
    assert!(veterans.len() < scenario.battle.units().len());
    assert_eq!(all("unit.33rd.class=elite").unwrap().len(), 1);
    // A turn more and a turn less are two runs.
    let slug = |written| Change::read(written).unwrap().slug();
    assert_ne!(slug("game.turns=+1"), slug("game.turns=-1"));
    assert!(all("unit.*.class=heroic").is_err());
    assert!(all("terrain.*.nothing=1").is_err());
}

#[test]
fn a_tournament_counts_every_battle_once_and_rates_the_better_higher() {
    let (a, b) = (scenario("training-15mm"), scenario("training-25mm"));
    let player = |p: &str| Player::read(p).unwrap();
    let tournament = Tournament {
        players: vec![player("recruit"), player("random")],
        scenarios: vec![&a, &b],
        battles: 8,
        seed: "1".to_owned(),
    };
    let stop = AtomicBool::new(false);
    let table = tournament.play((2, &stop), &mut |_| {}).unwrap();
    let score = table.cross[0][1];
    assert_eq!(score.battles(), 16);
    let other = table.cross[1][0];
    assert_eq!((score.won, score.lost, score.drawn), (other.lost, other.won, other.drawn));
    assert!(score.won > score.lost, "{score:?}");
    assert!(table.ratings[0].value > table.ratings[1].value);
    assert!(table.ratings[0].low < table.ratings[0].value);
    assert_eq!(table, tournament.play((1, &stop), &mut |_| {}).unwrap());
}

#[test]
fn players_are_read_as_written_or_refused_with_what_is_right() {
    for fine in ["random", "recruit", "colonel/bold", "general:500", "general/cautious:1_000"] {
        assert_eq!(Player::read(fine).unwrap().to_string(), fine);
    }
    for (wrong, says) in [
        ("marshal", "colonel"),
        ("colonel/angry", "cautious"),
        ("general:many", "nodes"),
        ("colonel@nowhere.toml", "nowhere.toml"),
    ] {
        let no = Player::read(wrong).unwrap_err();
        assert!(no.contains(says), "{wrong}: {no}");
    }
    assert_eq!(engine::scenario::TEMPERS, general::Temper::ALL.map(|t| t.0));
}

/// Luck and generalship make up the whole change of the lead, and a throw's luck is nothing on
/// average over its faces.
#[test]
fn an_audit_adds_up() {
    let library = Library::default();
    let scenario = scenario("training-15mm");
    let mut game = Game::new(scenario, dice::stream::Source::seeded("audit"));
    let mut minds = ["recruit", "recruit"].map(|l| general::Mind::new(l, "audit"));
    while let Some(side) = game.now().awaited() {
        let order = minds[side.index()].order(game.now()).unwrap();
        game.order(side, &order.command).unwrap();
    }
    let text = save::write(&game.scenario, &game.journal, Some("audit"), true);
    let saved = save::read(&library, &text).unwrap();
    let sides = saved.scenario.sides.each_ref().map(|s| s.id.clone());
    let mut going_on = |_, _| std::ops::ControlFlow::Continue(());
    let audit = lab::audit::audit(sides.clone(), &saved.journal, &mut going_on).unwrap();
    assert!(audit.throws.len() > 30);
    let moved: f64 = audit.throws.iter().map(|t| t.actual).sum();
    let luck: f64 = audit.throws.iter().map(lab::audit::Throw::luck).sum();
    assert!((audit.luck - luck).abs() < 1e-9);
    assert!((audit.start + audit.luck + audit.generalship - audit.end).abs() < 1e-9);
    assert!(moved.abs() > 0.0);
    // A volley that did nothing was worth something to the firer.
    let volley = audit.throws.iter().find(|t| t.what.contains("fires on") && t.actual == 0.0);
    let volley = volley.expect("a volley without effect");
    let sign = if volley.by == 0 { 1.0 } else { -1.0 };
    assert!(sign * volley.expected >= 0.0, "{volley:?}");
    assert!(audit.words(3).lines().count() >= 8);
    assert!(lab::report::luck(&saved.scenario, &audit).unwrap().contains("Throw by throw"));
    // Whoever does not wait for the end gets none.
    let mut break_off = |_, _| std::ops::ControlFlow::Break(());
    assert!(lab::audit::audit(sides, &saved.journal, &mut break_off).is_none());
}

/// A battle of a run can be played again order by order, to be looked at.
#[test]
fn a_battle_of_a_run_is_watched_as_it_was_fought() {
    let scenario = scenario("training-15mm");
    let players = ["recruit", "colonel"].map(|p| Player::read(p).unwrap());
    let of = lab::fought::Match { scenario: &scenario, players: &players, seed: "run" };
    let fought = lab::fought::fight(&of, 3).unwrap();
    let mut game = Game::new(scenario.clone(), dice::stream::Source::seeded("run 3"));
    lab::fought::watch(&mut game, &players, "run 3").unwrap();
    let records = game.journal.records();
    assert_eq!(records.len(), usize::try_from(fought.orders).unwrap());
    assert_eq!(game.now().ending().unwrap().points, fought.points);
    assert!(records.iter().all(|r| r.reason.as_ref().is_some_and(|why| !why.is_empty())));
}
