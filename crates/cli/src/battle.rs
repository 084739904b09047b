//! Battles from the command line: scenarios, random battles, replays, orders from a file, and a
//! game in plain text.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand, ValueEnum, ValueHint};
use engine::game::Game;
use engine::save::{self, Saved, Verdict};
use engine::{Library, SCENARIOS, Scenario, auto, map, words};
use serde_json::json;

use crate::failure::{self, Failure};

#[derive(Debug, Subcommand)]
pub(crate) enum ScenarioCommand {
    /// Say whether a scenario file is whole; every fault at once if it is not
    Check {
        /// The file
        #[arg(value_hint = ValueHint::FilePath)]
        file: PathBuf,
    },
    /// Write the JSON Schema of scenario files, with which editors help to write them
    Schema {
        /// Write it to this file
        #[arg(long, short, value_hint = ValueHint::FilePath)]
        output: Option<PathBuf>,
    },
    /// List the scenarios built in
    List {
        /// As JSON lines
        #[arg(long)]
        json: bool,
    },
    /// Show the map and the forces of a scenario
    Show {
        /// Its name, or a file
        scenario: String,
        /// As text or as a picture
        #[arg(long, value_enum, default_value_t = MapFormat::Text)]
        format: MapFormat,
        /// Write it to this file
        #[arg(long, short, value_hint = ValueHint::FilePath)]
        output: Option<PathBuf>,
    },
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum MapFormat {
    /// Letters
    Text,
    /// A picture
    Svg,
}

#[derive(Debug, Args)]
pub(crate) struct Auto {
    /// The scenario: its name, or a file
    pub(crate) scenario: String,
    /// The seed of the dice and of the orders; `"S N"` is battle N of a simulation with seed S
    #[arg(long, default_value = "1")]
    pub(crate) seed: String,
    /// Who commands a side instead of chance: SIDE=LEVEL, as for `simulate`
    #[arg(long = "side", value_name = "SIDE=LEVEL")]
    pub(crate) sides: Vec<String>,
    /// Say why, before each order of a computer general
    #[arg(long)]
    pub(crate) why: bool,
    /// Save the battle to this file
    #[arg(long, value_hint = ValueHint::FilePath)]
    pub(crate) save: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct Replay {
    /// The save
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) file: PathBuf,
    /// Stop after this command
    #[arg(long, value_name = "N")]
    pub(crate) at: Option<usize>,
    /// Print the state at the end as JSON instead of the report
    #[arg(long)]
    pub(crate) json: bool,
    /// Say why, before each order of a computer general
    #[arg(long)]
    pub(crate) why: bool,
    /// Draw the positions as each player turn begins, and at the end, into this folder
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) svg: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct Run {
    /// The scenario: its name, or a file
    pub(crate) scenario: String,
    /// Orders as JSON lines; - for standard input
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) orders: PathBuf,
    /// The dice, in the order they are thrown
    #[arg(long, value_name = "N,N,…", value_delimiter = ',', conflicts_with = "seed",
        value_parser = clap::value_parser!(u8).range(1..=10))]
    pub(crate) dice: Vec<u8>,
    /// Dice from a seed
    #[arg(long)]
    pub(crate) seed: Option<String>,
    /// Save the battle to this file
    #[arg(long, value_hint = ValueHint::FilePath)]
    pub(crate) save: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct Play {
    /// The scenario: its name, or a file; or a save to go on with
    pub(crate) scenario: String,
    /// Dice from this seed; without one, a new seed
    #[arg(long, conflicts_with = "by_hand")]
    pub(crate) seed: Option<String>,
    /// Ask for real dice instead of throwing them
    #[arg(long)]
    pub(crate) by_hand: bool,
    /// Keep the game in this file instead of one among your data: written anew after every order
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) save: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct Verify {
    /// The save
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) file: PathBuf,
    /// The seed, if the save does not show it yet
    #[arg(long)]
    pub(crate) seed: Option<String>,
}

pub(crate) fn read(path: &Path) -> Result<String, Failure> {
    fs::read_to_string(path).map_err(|e| unreadable(path, &e))
}

fn unreadable(path: &Path, why: &io::Error) -> Failure {
    Failure::Said(format!("{} cannot be read: {why}", path.display()))
}

/// Writes a file so that it is the old one or the new one, whenever the power fails.
pub(crate) fn write(path: &Path, text: &str) -> Result<(), Failure> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let beside = path.with_file_name(format!(".{name}.{}", std::process::id()));
    let whole = || -> std::io::Result<()> {
        if fs::metadata(path).is_ok_and(|m| !m.is_file()) {
            return fs::write(path, text); // a pipe, or the terminal
        }
        let mut file = fs::File::create(&beside)?;
        std::io::Write::write_all(&mut file, text.as_bytes())?;
        file.sync_all()?;
        fs::rename(&beside, path)
    };
    whole().map_err(|e| {
        let _ = fs::remove_file(&beside);
        Failure::Said(format!("{} cannot be written: {e}", path.display()))
    })
}

/// The scenario built in under a name, or that of a file.
pub(crate) fn find(library: &Library, name: &str) -> Result<Scenario, Failure> {
    if let Some(found) = Scenario::built_in(library, name) {
        return found.map_err(Failure::Faults);
    }
    let path = Path::new(name);
    if !path.exists() {
        let near = engine::nearest(name, SCENARIOS.iter().map(|s| s.0))
            .map_or(String::new(), |n| format!("; did you mean {n}?"));
        return Err(Failure::Said(format!(
            "no scenario and no file `{name}`{near} See linstock scenario list."
        )));
    }
    Scenario::read(library, name, &read(path)?).map_err(Failure::Faults)
}

pub(crate) fn scenario(library: &Library, command: &ScenarioCommand) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    match command {
        ScenarioCommand::Check { file } => {
            let name = file.display().to_string();
            let (scenario, doubts) =
                Scenario::check(library, &name, &read(file)?).map_err(Failure::Faults)?;
            for doubt in &doubts {
                failure::doubt(doubt);
            }
            let [one, two] = scenario.strength();
            let warned = match doubts.len() {
                0 => String::new(),
                1 => ", 1 warning".to_owned(),
                n => format!(", {n} warnings"),
            };
            writeln!(
                out,
                "{name}: whole{warned}. {} ({}), {one} and {two} units, {} turns.",
                scenario.title,
                scenario.book.book.id,
                scenario.battle.terms().turns
            )?;
        }
        ScenarioCommand::Schema { output } => {
            let text = serde_json::to_string_pretty(&engine::scenario::schema());
            let text = text.map_err(|e| Failure::Said(e.to_string()))? + "\n";
            match output {
                Some(path) => write(path, &text)?,
                None => write!(out, "{text}")?,
            }
        }
        ScenarioCommand::List { json } => {
            for (id, _) in SCENARIOS {
                let scenario = find(library, id)?;
                let [one, two] = scenario.strength();
                let turns = scenario.battle.terms().turns;
                if *json {
                    let line = json!({"id": id, "title": scenario.title, "book": scenario.book.book.id, "units": [one, two], "turns": turns});
                    writeln!(out, "{line}")?;
                } else {
                    writeln!(
                        out,
                        "{id:<26} {:<20} {one:>2} v {two:<2} {turns:>2} turns  {}",
                        scenario.book.book.id, scenario.title
                    )?;
                }
            }
        }
        ScenarioCommand::Show { scenario, format, output } => {
            let scenario = find(library, scenario)?;
            let text = match format {
                MapFormat::Text => map::text(&scenario, &scenario.battle),
                MapFormat::Svg => map::svg(&scenario, &scenario.battle),
            };
            match output {
                Some(path) => write(path, &text)?,
                None => writeln!(out, "{text}")?,
            }
        }
    }
    Ok(())
}

fn report(
    out: &mut impl Write,
    scenario: &Scenario,
    records: &[journal::RecordOf<regimental::battle::Battle>],
    why: bool,
) -> io::Result<()> {
    writeln!(out, "{}, {}", scenario.headline(), scenario.book.book.title)?;
    for record in records {
        if let Some(reason) = record.reason.as_ref().filter(|_| why) {
            writeln!(out, "    ({reason})")?;
        }
        for event in &record.events {
            if let Some(line) = words::describe(scenario, event) {
                writeln!(out, "{line}")?;
            }
        }
    }
    Ok(())
}

pub(crate) fn auto(library: &Library, asked: &Auto) -> Result<(), Failure> {
    let scenario = find(library, &asked.scenario)?;
    let mut game = Game::new(scenario, dice::stream::Source::seeded(&asked.seed));
    let played = if asked.sides.is_empty() {
        auto::play(&mut game.journal, &asked.seed, &mut game.dice, |_| {})
            .map_err(|stuck| format!("{stuck:?}"))
    } else {
        let players = crate::lab::players(&game.scenario, &asked.sides)?;
        lab::fought::watch(&mut game, &players, &asked.seed)
    };
    played.map_err(|stuck| {
        Failure::Said(format!("the battle got stuck, which is a fault of this program: {stuck}"))
    })?;
    if let Some(path) = &asked.save {
        write(path, &save::write(&game.scenario, &game.journal, Some(&asked.seed), true))?;
    }
    let mut out = io::BufWriter::new(io::stdout().lock());
    report(&mut out, &game.scenario, game.journal.records(), asked.why)?;
    writeln!(out, "{}", words::summary(&game.scenario, game.now()))?;
    out.flush()?;
    Ok(())
}

pub(crate) fn load(library: &Library, path: &Path) -> Result<Saved, Failure> {
    let bytes = fs::read(path).map_err(|e| unreadable(path, &e))?;
    let saved = save::read_bytes(library, &bytes)
        .map_err(|bad| Failure::Said(format!("{}: {bad}", path.display())))?;
    for remark in &saved.remarks {
        anstream::eprintln!("linstock: {remark}");
    }
    Ok(saved)
}

pub(crate) fn replay(library: &Library, asked: &Replay) -> Result<(), Failure> {
    let saved = load(library, &asked.file)?;
    let records = saved.journal.records();
    let shown = asked.at.unwrap_or(records.len()).min(records.len());
    let mut out = io::BufWriter::new(io::stdout().lock());
    let end = saved.journal.at(shown);
    if asked.json {
        writeln!(out, "{}", words::state(&saved.scenario, &end))?;
    } else {
        report(&mut out, &saved.scenario, &records[..shown], asked.why)?;
        writeln!(out, "{}", words::summary(&saved.scenario, &end))?;
    }
    out.flush()?;
    if let Some(folder) = &asked.svg {
        fs::create_dir_all(folder).map_err(|e| {
            Failure::Said(format!("{} cannot be made a folder: {e}", folder.display()))
        })?;
        let mut before = saved.journal.start().clone();
        let mut drawn = 0;
        let mut draw = |battle: &regimental::battle::Battle| -> Result<(), Failure> {
            let name = format!(
                "{drawn:03}-turn-{:02}-{}.svg",
                battle.turn(),
                saved.scenario.side(battle.mover()).id
            );
            drawn += 1;
            write(&folder.join(name), &map::svg(&saved.scenario, battle))
        };
        draw(&before)?;
        for record in &records[..shown] {
            let turn = (before.turn(), before.mover());
            for event in &record.events {
                journal::Battle::apply(&mut before, event);
            }
            if turn != (before.turn(), before.mover()) {
                draw(&before)?;
            }
        }
        draw(&end)?;
    }
    Ok(())
}

pub(crate) fn run(library: &Library, asked: &Run) -> Result<(), Failure> {
    let scenario = find(library, &asked.scenario)?;
    let dice = match &asked.seed {
        Some(seed) => dice::stream::Source::seeded(seed),
        None => dice::stream::Source::scripted(asked.dice.iter().copied()),
    };
    let mut game = Game::new(scenario, dice);
    let mut out = io::BufWriter::new(io::stdout().lock());
    let mut bytes = Vec::new();
    if asked.orders == Path::new("-") {
        io::Read::read_to_end(&mut io::stdin(), &mut bytes)?;
    } else {
        bytes = fs::read(&asked.orders).map_err(|e| unreadable(&asked.orders, &e))?;
    }
    // Some editors begin a file with a mark of its encoding.
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
    for (n, line) in text.split(|b| *b == b'\n').enumerate() {
        let mut answer = match std::str::from_utf8(line).map(str::trim) {
            Ok(line) if line.is_empty() || line.starts_with('#') => continue,
            Ok(line) => game.line(line),
            Err(e) => {
                let at = e.valid_up_to() + 1;
                json!({"refused": {"message": format!("not UTF-8: the byte at column {at}")}})
            }
        };
        if answer.get("refused").is_some() {
            answer["line"] = json!(n + 1);
        }
        writeln!(out, "{answer}")?;
    }
    writeln!(out, "{}", json!({"state": words::state(&game.scenario, game.now())}))?;
    out.flush()?;
    if let Some(path) = &asked.save {
        let over = game.now().ending().is_some();
        write(path, &save::write(&game.scenario, &game.journal, asked.seed.as_deref(), over))?;
    }
    Ok(())
}

pub(crate) fn verify(library: &Library, asked: &Verify) -> Result<(), Failure> {
    let saved = load(library, &asked.file)?;
    let Some(seed) = asked.seed.as_deref().or(saved.seed.as_deref()) else {
        return Err(Failure::Said(
            "the save does not show its seed yet: give it with --seed".into(),
        ));
    };
    let sentence = match save::verify(&saved, seed) {
        Verdict::Fair { dice } => format!(
            "fair: all {dice} dice are those of the seed, which was committed to before the first"
        ),
        Verdict::Wrong { record, seeded, saved } => {
            return Err(Failure::Said(format!(
                "command {record}: the save has a {saved} where the seed gives a {seeded}"
            )));
        }
        Verdict::OtherSeed => {
            return Err(Failure::Said("this is not the seed the save is committed to".into()));
        }
        Verdict::ByHand => {
            return Err(Failure::Said(
                "the dice of this save were not seeded: there is nothing to verify".into(),
            ));
        }
    };
    writeln!(io::stdout().lock(), "{sentence}")?;
    Ok(())
}
