//! The lab on the command line: simulations, tournaments, luck audits.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use ::lab::player::Player;
use ::lab::run::{How, Trouble};
use ::lab::simulate::{Simulation, simulate};
use ::lab::tournament::Tournament;
use ::lab::what_if::Change;
use clap::{Args, ValueHint};
use engine::{Library, Scenario};
use indicatif::{ProgressBar, ProgressStyle};
use regimental::battle::Side;

use crate::battle::{find, load};
use crate::failure::Failure;

/// Many battles of a scenario between computer generals, and a report with pictures.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  linstock simulate cowpens --battles 1000
  linstock simulate guilford-courthouse --battles 10000 --side british=colonel --side american=recruit
  linstock simulate cowpens --battles 2000 --what-if unit.7th-foot.class=veteran --what-if game.turns=+1")]
pub(crate) struct Simulate {
    /// The scenario: its name, or a file
    pub(crate) scenario: String,
    /// How many battles
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) battles: u64,
    /// Who commands a side: SIDE=LEVEL, with /temper, :nodes or @doctrine.toml behind it if you like
    #[arg(long = "side", value_name = "SIDE=LEVEL")]
    pub(crate) sides: Vec<String>,
    /// The seed of all battles
    #[arg(long, default_value = "1")]
    pub(crate) seed: String,
    /// Change one thing and fight the same battles again: unit.ID.class=veteran, unit.*.class=better (each unit in turn), game.turns=+1, book=club.toml; may be repeated
    #[arg(long = "what-if", value_name = "CHANGE")]
    pub(crate) what_if: Vec<String>,
    /// The folder for the report and its rows
    #[arg(long, short, value_hint = ValueHint::DirPath)]
    pub(crate) out: Option<PathBuf>,
    /// Go on with the battles that are in the folder
    #[arg(long)]
    pub(crate) resume: bool,
    /// How many threads; all cores if not given
    #[arg(long)]
    pub(crate) threads: Option<usize>,
}

/// Every player against every other, on both sides of several scenarios.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  linstock tournament colonel recruit random
  linstock tournament general:20000 colonel --scenario cowpens --battles 40")]
pub(crate) struct TournamentArgs {
    /// The players: levels, with /temper, :nodes or @doctrine.toml behind them if you like
    #[arg(required = true, num_args = 2.., value_name = "PLAYER")]
    pub(crate) players: Vec<String>,
    /// A scenario to play; may be repeated (the even field days, if none is named)
    #[arg(long = "scenario", value_name = "SCENARIO")]
    pub(crate) scenarios: Vec<String>,
    /// Battles of two players on a scenario, half of them with the sides changed
    #[arg(long, default_value_t = 40, value_parser = clap::value_parser!(u64).range(1..1_000_000))]
    pub(crate) battles: u64,
    /// The seed
    #[arg(long, default_value = "1")]
    pub(crate) seed: String,
    /// How many threads; all cores if not given
    #[arg(long)]
    pub(crate) threads: Option<usize>,
    /// As JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// How much of a saved battle was dice, and how much generalship.
#[derive(Debug, Args)]
pub(crate) struct AuditArgs {
    /// The save
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) file: PathBuf,
    /// How many throws to show, the luckiest first
    #[arg(long, default_value_t = 12)]
    pub(crate) throws: usize,
    /// As JSON, with every throw
    #[arg(long, conflicts_with = "html")]
    pub(crate) json: bool,
    /// Write a page with the course of the luck to this file
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) html: Option<PathBuf>,
}

impl From<Trouble> for Failure {
    fn from(trouble: Trouble) -> Self {
        Self::Said(trouble.to_string())
    }
}

/// The field days: the same army on both sides.
const EVEN: [&str; 3] = ["field-day-25mm", "field-day-15mm", "field-day-triple-alliance"];

fn threads(asked: Option<usize>) -> usize {
    asked
        .filter(|n| *n > 0)
        .unwrap_or_else(|| thread::available_parallelism().map_or(1, Into::into))
}

/// A flag that Ctrl-C sets: what runs is finished, a second Ctrl-C ends at once.
fn stopping() -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    // Without a handler Ctrl-C ends the program, as ever: nothing is lost by it.
    let _ = ctrlc::set_handler(move || {
        if flag.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    });
    stop
}

fn bar(all: u64, what: &str) -> ProgressBar {
    let bar = ProgressBar::new(all);
    let style = "{msg} {bar:30} {pos}/{len}  {per_sec}, {eta} left";
    if let Ok(style) = ProgressStyle::with_template(style) {
        bar.set_style(style);
    }
    bar.set_message(what.to_owned());
    bar.enable_steady_tick(Duration::from_millis(250));
    bar
}

pub(crate) fn players(scenario: &Scenario, sides: &[String]) -> Result<[Player; 2], Failure> {
    let usual = || Player::read("colonel").map_err(Failure::Said);
    let mut players = [usual()?, usual()?];
    for side in sides {
        let names = Side::BOTH.map(|s| scenario.side(s).id.as_str());
        let how = format!("write --side {}=colonel or --side {}=recruit", names[0], names[1]);
        let (name, level) = side
            .split_once('=')
            .ok_or_else(|| Failure::Said(format!("`{side}` has no `=`: {how}")))?;
        let which = scenario
            .side_named(name)
            .ok_or_else(|| Failure::Said(format!("there is no side `{name}`: {how}")))?;
        players[which.index()] = Player::read(level).map_err(Failure::Said)?;
    }
    Ok(players)
}

pub(crate) fn run_simulate(library: &Library, asked: &Simulate) -> Result<(), Failure> {
    let scenario = find(library, &asked.scenario)?;
    let players = players(&scenario, &asked.sides)?;
    let mut changes = Vec::new();
    for written in &asked.what_if {
        let each = Change::read_all(written, library, &scenario).map_err(Failure::Said)?;
        changes.extend(each.into_iter().filter(|c| !changes.contains(c)).collect::<Vec<_>>());
    }
    let out = asked.out.clone().unwrap_or_else(|| PathBuf::from(format!("{}-report", scenario.id)));
    let mut command = format!(
        "linstock simulate {} --battles {} --seed {}",
        asked.scenario, asked.battles, asked.seed
    );
    for side in Side::BOTH {
        let player = &players[side.index()];
        command.push_str(&format!(" --side {}={player}", scenario.side(side).id));
    }
    for change in &asked.what_if {
        command.push_str(&format!(" --what-if '{change}'"));
    }
    let what = Simulation {
        library,
        scenario: &scenario,
        players,
        seed: asked.seed.clone(),
        changes,
        out,
        command,
    };
    let stop = stopping();
    let how = How {
        battles: asked.battles,
        threads: threads(asked.threads),
        stop: &stop,
        resume: asked.resume,
    };
    let shown = bar(asked.battles, "battles");
    let mut at: Option<String> = None;
    let done = simulate(&what, &how, &mut |p| {
        if at.as_deref() != p.change {
            at = p.change.map(str::to_owned);
            shown.reset();
            shown.set_length(p.all);
            shown.set_message(at.clone().unwrap_or_default());
        }
        shown.set_position(p.done);
    })?;
    shown.finish_and_clear();
    if stop.load(Ordering::Relaxed) {
        anstream::eprintln!("Stopped early; --resume goes on.");
    }
    anstream::print!("{}", done.words);
    anstream::println!("  The report is {}", done.page.display());
    Ok(())
}

pub(crate) fn run_tournament(library: &Library, asked: &TournamentArgs) -> Result<(), Failure> {
    let names: Vec<String> = match asked.scenarios.is_empty() {
        true => EVEN.map(str::to_owned).to_vec(),
        false => asked.scenarios.clone(),
    };
    let scenarios: Vec<Scenario> =
        names.iter().map(|n| find(library, n)).collect::<Result<_, _>>()?;
    let players: Vec<Player> = asked
        .players
        .iter()
        .map(|p| Player::read(p).map_err(Failure::Said))
        .collect::<Result<_, _>>()?;
    let tournament = Tournament {
        players,
        scenarios: scenarios.iter().collect(),
        battles: asked.battles + asked.battles % 2,
        seed: asked.seed.clone(),
    };
    let stop = stopping();
    let shown = bar(tournament.all(), "battles");
    let table = tournament.play((threads(asked.threads), &stop), &mut |n| shown.set_position(n))?;
    shown.finish_and_clear();
    if asked.json {
        let json = serde_json::to_string_pretty(&table);
        anstream::println!("{}", json.map_err(|e| Failure::Said(e.to_string()))?);
    } else {
        anstream::print!("{}", table.words());
    }
    Ok(())
}

pub(crate) fn run_audit(library: &Library, asked: &AuditArgs) -> Result<(), Failure> {
    let saved = load(library, &asked.file)?;
    let shown = bar(0, "orders");
    let sides = saved.scenario.sides.each_ref().map(|s| s.id.clone());
    let audit = ::lab::audit::audit(sides, &saved.journal, &mut |done, all| {
        shown.set_length(u64::try_from(all).unwrap_or(0));
        shown.set_position(u64::try_from(done).unwrap_or(0));
        std::ops::ControlFlow::Continue(())
    });
    let audit = audit.ok_or_else(|| Failure::Said("the audit was broken off".into()))?;
    shown.finish_and_clear();
    if asked.json {
        let json = serde_json::to_string_pretty(&audit);
        anstream::println!("{}", json.map_err(|e| Failure::Said(e.to_string()))?);
        return Ok(());
    }
    if let Some(path) = &asked.html {
        let page = ::lab::report::luck(&saved.scenario, &audit)
            .map_err(|e| Failure::Said(e.to_string()))?;
        std::fs::write(path, page)
            .map_err(|e| Failure::Said(format!("{} cannot be written: {e}", path.display())))?;
    }
    anstream::print!("{}", audit.words(asked.throws));
    Ok(())
}
