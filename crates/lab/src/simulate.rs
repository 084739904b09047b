//! A whole simulation: the battles, the same with things changed, and the report of both.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use engine::{Library, Scenario};

use crate::fought::{Fought, Match};
use crate::player::Player;
use crate::report::{self, Report, Rows};
use crate::run::{How, Trouble, run};
use crate::tally::{Summary, Tally};
use crate::what_if::{Change, Effect, Pairs};

/// What is to be simulated, and where the files go.
pub struct Simulation<'s> {
    /// The books, for scenarios with something changed.
    pub library: &'s Library,
    /// The scenario.
    pub scenario: &'s Scenario,
    /// Who commands each side.
    pub players: [Player; 2],
    /// The seed.
    pub seed: String,
    /// What is to be changed, one thing at a time.
    pub changes: Vec<Change>,
    /// The folder for the files.
    pub out: PathBuf,
    /// The command that gives the same report.
    pub command: String,
}

/// How far a simulation has come.
#[derive(Debug, Clone)]
pub struct Progress<'p> {
    /// The change it is at, if any.
    pub change: Option<&'p str>,
    /// Battles fought, of all there will be.
    pub done: u64,
    /// How many there will be.
    pub all: u64,
}

/// What came of it.
pub struct Simulated {
    /// The figures.
    pub summary: Summary,
    /// What the changes do.
    pub effects: Vec<Effect>,
    /// The few lines for the terminal.
    pub words: String,
    /// The page.
    pub page: PathBuf,
}

/// The rows, written as the battles come.
struct Csv {
    files: [BufWriter<File>; 4],
    scenario: Scenario,
}

impl Csv {
    const NAMES: [&'static str; 4] = ["battles.csv", "losses.csv", "turns.csv", "results.csv"];

    fn create(out: &Path, scenario: &Scenario) -> Result<Self, Trouble> {
        let create = |name: &str| {
            let path = out.join(name);
            let file = File::create(&path);
            file.map(BufWriter::new).map_err(|e| Trouble::File(path.display().to_string(), e))
        };
        let [a, b, c, d] = Self::NAMES;
        let files = [create(a)?, create(b)?, create(c)?, create(d)?];
        let mut csv = Self { files, scenario: scenario.clone() };
        csv.write(&Rows::heads())?;
        Ok(csv)
    }

    fn add(&mut self, fought: &Fought) -> Result<(), Trouble> {
        let mut rows = Rows::default();
        rows.add(&self.scenario, fought);
        self.write(&rows)
    }

    fn write(&mut self, rows: &Rows) -> Result<(), Trouble> {
        let texts = [&rows.battles, &rows.losses, &rows.turns, &rows.results];
        for ((file, text), name) in self.files.iter_mut().zip(texts).zip(Self::NAMES) {
            let wrote = file.write_all(text.as_bytes());
            wrote.map_err(|e| Trouble::File(name.to_owned(), e))?;
        }
        Ok(())
    }

    fn close(mut self) -> Result<(), Trouble> {
        for (file, name) in self.files.iter_mut().zip(Self::NAMES) {
            file.flush().map_err(|e| Trouble::File(name.to_owned(), e))?;
        }
        Ok(())
    }
}

/// Simulates and writes the report.
///
/// # Errors
/// What stopped it. The battles fought until then are in the folder, and `resume` goes on.
pub fn simulate(
    what: &Simulation<'_>,
    how: &How<'_>,
    progress: &mut dyn FnMut(Progress<'_>),
) -> Result<Simulated, Trouble> {
    let file = |path: &Path, e| Trouble::File(path.display().to_string(), e);
    let out = &what.out;
    fs::create_dir_all(out).map_err(|e| file(out, e))?;
    let changed: Vec<(&Change, Scenario)> = what
        .changes
        .iter()
        .map(|c| c.apply(what.library, what.scenario).map(|s| (c, s)).map_err(Trouble::Other))
        .collect::<Result<_, _>>()?;
    let mut tally = Tally::new(what.scenario);
    let mut csv = Csv::create(out, what.scenario)?;
    let mut broken = None;
    // Who won each battle and by how much, to compare the changed ones with.
    let mut base: Vec<(Option<u8>, i32)> = Vec::new();
    let of = Match { scenario: what.scenario, players: &what.players, seed: &what.seed };
    run(&of, how, &out.join("battles.jsonl"), &mut |fought| {
        tally.add(fought);
        base.push((fought.winner, fought.points[0] - fought.points[1]));
        if let Err(trouble) = csv.add(fought) {
            broken = Some(trouble);
            how.stop.store(true, std::sync::atomic::Ordering::Relaxed);
        }
        progress(Progress { change: None, done: tally.battles(), all: how.battles });
    })?;
    if let Some(trouble) = broken {
        return Err(trouble);
    }
    csv.close()?;
    let mut effects = Vec::new();
    for (change, scenario) in &changed {
        let path = out.join(format!("what-if-{}.jsonl", change.slug()));
        let players = &what.players;
        effects.push(paired(
            scenario,
            (players, &what.seed, change),
            how,
            (&path, &base),
            progress,
        )?);
    }
    // What matters most comes first.
    effects.sort_by(|a, b| b.margin_more.value.abs().total_cmp(&a.margin_more.value.abs()));
    let summary = tally.summary(what.scenario);
    let report = Report {
        scenario: what.scenario,
        players: [0, 1].map(|i| what.players[i].to_string()),
        seed: &what.seed,
        tally: &tally,
        summary: summary.clone(),
        effects: effects.clone(),
        command: what.command.clone(),
    };
    let page = out.join("report.html");
    let html = report::page(&report).map_err(|e| Trouble::Other(e.to_string()))?;
    for (name, text) in [("report.html", html), ("report.json", report.json())] {
        let path = out.join(name);
        fs::write(&path, text).map_err(|e| file(&path, e))?;
    }
    Ok(Simulated { summary, effects, words: report::terminal(&report), page })
}

/// The battles of a changed scenario, each beside the same one unchanged.
fn paired(
    scenario: &Scenario,
    who: (&[Player; 2], &str, &Change),
    how: &How<'_>,
    base: (&Path, &[(Option<u8>, i32)]),
    progress: &mut dyn FnMut(Progress<'_>),
) -> Result<Effect, Trouble> {
    let (players, seed, change) = who;
    let (path, base) = base;
    let mut pairs = Pairs::default();
    let mut rows = "battle,winner,margin,winner_without,margin_without\n".to_owned();
    let won = |w: Option<u8>| w.map_or("", |w| &scenario.sides[usize::from(w)].id);
    let battles = u64::try_from(base.len()).unwrap_or(0);
    let how = How { battles, threads: how.threads, stop: how.stop, resume: how.resume };
    let of = Match { scenario, players, seed };
    let mut done = 0;
    run(&of, &how, path, &mut |fought| {
        let without = usize::try_from(fought.n).ok().and_then(|n| base.get(n));
        if let Some(without) = without {
            let margin = fought.points[0] - fought.points[1];
            pairs.add(*without, (fought.winner, margin));
            let (n, with) = (fought.n, won(fought.winner));
            let _ = writeln!(rows, "{n},{with},{margin},{},{}", won(without.0), without.1);
        }
        done += 1;
        progress(Progress { change: Some(&change.written), done, all: battles });
    })?;
    let path = path.with_extension("csv");
    fs::write(&path, rows).map_err(|e| Trouble::File(path.display().to_string(), e))?;
    Ok(pairs.effect(&change.written))
}
