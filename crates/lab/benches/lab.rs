//! How many whole battles a second, on one core and on two; what a decision costs; how much
//! memory; and a headless battle of Wesnoth beside it where it is installed.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

use std::process::{Command, Stdio};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use dice::stream::Source;
use engine::{Library, Scenario};
use general::{Limit, Mind};
use lab::fought::Match;
use lab::player::Player;
use lab::run::{How, run};

/// As the program has it.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Seconds for so many battles between recruits on so many threads.
fn battles(scenario: &Scenario, battles: u64, threads: usize) -> f64 {
    let folder = tempfile::tempdir().unwrap();
    let players = [Player::read("recruit").unwrap(), Player::read("recruit").unwrap()];
    let of = Match { scenario, players: &players, seed: "bench" };
    let stop = AtomicBool::new(false);
    let how = How { battles, threads, stop: &stop, resume: false };
    let begun = Instant::now();
    run(&of, &how, &folder.path().join("battles.jsonl"), &mut |_| {}).unwrap();
    begun.elapsed().as_secs_f64()
}

/// The most memory this program has held, in megabytes.
fn peak() -> f64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find_map(|l| l.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|l| l.split_whitespace().next()?.parse::<f64>().ok());
    kilobytes.unwrap_or(0.0) / 1024.0
}

/// The slowest and the mean decision of a level over a whole battle.
fn decisions(scenario: &Scenario, level: &str, limit: Limit) -> (Duration, Duration) {
    let mut battle = scenario.battle.clone();
    let mut dice = Source::seeded("bench");
    let mut minds = [0, 1].map(|_| Mind::new(level, "bench").with_limit(limit));
    let (mut worst, mut sum, mut n) = (Duration::ZERO, Duration::ZERO, 0);
    while let Some(side) = battle.awaited() {
        let begun = Instant::now();
        let order = minds[side.index()].order(&battle).unwrap();
        let took = begun.elapsed();
        (worst, sum, n) = (worst.max(took), sum + took, n + 1);
        journal::carry_out(&mut battle, &mut dice, &order.command).unwrap();
        if level == "general" && battle.turn() > 3 {
            break;
        }
    }
    (worst, sum / n)
}

/// A battle between two of Wesnoth's own generals, without a screen.
fn wesnoth() -> Option<f64> {
    let names = ["wesnoth", "/usr/games/wesnoth", "/usr/games/wesnoth-1.16"];
    let name = names.into_iter().find(|name| {
        let mut asked = Command::new(name);
        let asked = asked.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
        asked.status().is_ok_and(|s| s.success())
    })?;
    let begun = Instant::now();
    let done = Command::new(name)
        .args(["--nogui", "--multiplayer", "--exit-at-end", "--turns=12", "--nosound"])
        .args([
            "--controller",
            "1:ai",
            "--controller",
            "2:ai",
            "--scenario=multiplayer_The_Freelands",
        ])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    done.is_ok_and(|s| s.success()).then(|| begun.elapsed().as_secs_f64())
}

fn main() {
    // Run as a test by mistake there is nothing to do.
    if std::env::args().any(|a| a == "--test") {
        return;
    }
    let scenario = Scenario::built_in(&Library::default(), "guilford-courthouse").unwrap().unwrap();
    battles(&scenario, 10, 1);
    let one = battles(&scenario, 100, 1);
    let two = battles(&scenario, 100, 2);
    let few = peak();
    battles(&scenario, 1000, 2);
    println!("recruit against recruit at Guilford Courthouse:");
    println!("  one thread   {:6.1} battles a second", 100.0 / one);
    println!("  two threads  {:6.1} battles a second, {:.2} times as many", 100.0 / two, one / two);
    println!("  memory       {few:6.1} MB at most after 210 battles, {:.1} after 1,210", peak());
    let (worst, mean) = decisions(&scenario, "colonel", Limit::default());
    println!("colonel: a decision takes {mean:.1?} on average, {worst:.1?} at most");
    for limit in [50, 2000] {
        let time = Duration::from_millis(limit);
        let (worst, _) = decisions(&scenario, "general", Limit::Time(time));
        println!("general with {time:.1?}: a decision takes {worst:.1?} at most (three turns)");
    }
    match wesnoth() {
        Some(time) => println!(
            "a headless battle of Wesnoth's AI takes {time:.1} s, {:.0} times as long as one of ours",
            time / (one / 100.0)
        ),
        None => println!("Wesnoth is not installed or does not run here: left out"),
    }
}
