//! Battles from the command line: scenarios, random battles, replays, orders from a file, and a
//! game in plain text.

use std::fs;
use std::io::{self, BufRead, IsTerminal, Write};
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand, ValueEnum, ValueHint};
use engine::game::{Game, Refused};
use engine::save::{self, Saved, Verdict};
use engine::{Library, SCENARIOS, Scenario, auto, map, phrase, words};
use serde_json::json;

use crate::failure::Failure;

#[derive(Debug, Subcommand)]
pub(crate) enum ScenarioCommand {
    /// Say whether a scenario file is whole; every fault at once if it is not
    Check {
        /// The file
        #[arg(value_hint = ValueHint::FilePath)]
        file: PathBuf,
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
    /// The seed of the dice and of the orders
    #[arg(long, default_value = "1")]
    pub(crate) seed: String,
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
    /// Draw the positions at the end of each player turn into this folder
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
    #[arg(long, value_name = "N,N,…", value_delimiter = ',', conflicts_with = "seed")]
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

fn read(path: &Path) -> Result<String, Failure> {
    fs::read_to_string(path)
        .map_err(|e| Failure::Said(format!("{} cannot be read: {e}", path.display())))
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    fs::write(path, text)
        .map_err(|e| Failure::Said(format!("{} cannot be written: {e}", path.display())))
}

/// The scenario built in under a name, or that of a file.
fn find(library: &Library, name: &str) -> Result<Scenario, Failure> {
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
            let scenario = Scenario::read(library, &file.display().to_string(), &read(file)?)
                .map_err(Failure::Faults)?;
            let [one, two] = scenario.strength();
            writeln!(
                out,
                "{}: whole. {} ({}), {one} and {two} units, {} turns.",
                file.display(),
                scenario.title,
                scenario.book.book.id,
                scenario.battle.terms().turns
            )?;
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
) -> io::Result<()> {
    writeln!(out, "{} ({}), {}", scenario.title, scenario.date, scenario.book.book.title)?;
    for event in records.iter().flat_map(|r| &r.events) {
        if let Some(line) = words::describe(scenario, event) {
            writeln!(out, "{line}")?;
        }
    }
    Ok(())
}

pub(crate) fn auto(library: &Library, asked: &Auto) -> Result<(), Failure> {
    let scenario = find(library, &asked.scenario)?;
    let mut game = Game::new(scenario, dice::stream::Source::seeded(&asked.seed));
    auto::play(&mut game.journal, &asked.seed, &mut game.dice, |_| {}).map_err(|stuck| {
        Failure::Said(format!("the battle got stuck, which is a fault of this program: {stuck:?}"))
    })?;
    if let Some(path) = &asked.save {
        write(path, &save::write(&game.scenario, &game.journal, Some(&asked.seed), true))?;
    }
    let mut out = io::BufWriter::new(io::stdout().lock());
    report(&mut out, &game.scenario, game.journal.records())?;
    writeln!(out, "{}", words::summary(&game.scenario, game.now()))?;
    out.flush()?;
    Ok(())
}

fn load(library: &Library, path: &Path) -> Result<Saved, Failure> {
    let saved = save::read(library, &read(path)?)
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
        report(&mut out, &saved.scenario, &records[..shown])?;
        writeln!(out, "{}", words::summary(&saved.scenario, &end))?;
    }
    out.flush()?;
    if let Some(folder) = &asked.svg {
        fs::create_dir_all(folder)?;
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
    let text = if asked.orders == Path::new("-") {
        io::read_to_string(io::stdin())?
    } else {
        read(&asked.orders)?
    };
    for line in text.lines().map(str::trim).filter(|l| !l.is_empty() && !l.starts_with('#')) {
        writeln!(out, "{}", game.line(line))?;
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

/// A seed nobody knows beforehand: the clock and the process stirred together.
fn new_seed() -> String {
    let now = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .map_or(0, |d| d.as_nanos());
    let mut stirred = dice::stream::Seeded::new(&format!("{now} {}", std::process::id()));
    (0..16).map(|_| char::from(b'a' + stirred.throw(26) - 1)).collect()
}

pub(crate) fn play(library: &Library, asked: &Play) -> Result<(), Failure> {
    let path = Path::new(&asked.scenario);
    let saved = path.extension().is_some_and(|e| e == "save") && path.exists();
    let seed = asked.seed.clone().unwrap_or_else(new_seed);
    let mut game = if saved {
        let saved = load(library, path)?;
        Game {
            scenario: saved.scenario,
            journal: saved.journal,
            dice: dice::stream::Source::seeded(&seed),
        }
    } else {
        Game::new(find(library, &asked.scenario)?, dice::stream::Source::seeded(&seed))
    };
    let mut out = io::stdout().lock();
    writeln!(
        out,
        "{} ({}). {}\nType help for what can be typed.",
        game.scenario.title, game.scenario.date, game.scenario.blurb
    )?;
    if !asked.by_hand {
        writeln!(out, "The seed of the dice is committed: {}", dice::stream::commitment(&seed))?;
    }
    let mut lines = io::stdin().lock().lines();
    loop {
        prompt(&mut out, &game)?;
        let Some(line) = lines.next() else { break };
        let line = line?;
        let line = line.trim();
        if !io::stdin().is_terminal() {
            writeln!(out, "{line}")?;
        }
        match line {
            "" => continue,
            "quit" | "exit" => break,
            "help" => writeln!(out, "{}", phrase::HELP)?,
            "show" | "units" => writeln!(out, "{}", words::summary(&game.scenario, game.now()))?,
            "map" => writeln!(out, "{}", map::text(&game.scenario, game.now()))?,
            "undo" => writeln!(
                out,
                "{}",
                if game.journal.undo() {
                    "Taken back."
                } else {
                    "Nothing to take back: a die was thrown, or something was shown, since."
                }
            )?,
            "redo" => writeln!(
                out,
                "{}",
                if game.journal.redo() { "Done again." } else { "Nothing to do again." }
            )?,
            _ if line.starts_with("save ") => {
                write(
                    Path::new(line[5..].trim()),
                    &save::write(
                        &game.scenario,
                        &game.journal,
                        (!asked.by_hand).then_some(&seed),
                        false,
                    ),
                )?;
                writeln!(out, "Saved.")?;
            }
            _ if line.starts_with("unit ") => unit(&mut out, &game, line[5..].trim())?,
            _ if line.starts_with("odds ") => odds(&mut out, &game, line[5..].trim())?,
            _ if line.starts_with("reach ") => {
                let answer =
                    game.line(&json!({"ask": "reach", "unit": line[6..].trim()}).to_string());
                writeln!(out, "{answer}")?;
            }
            _ => order(&mut out, &mut game, line, asked.by_hand)?,
        }
    }
    if !asked.by_hand {
        writeln!(out, "The seed was {seed}.")?;
    }
    Ok(())
}

fn prompt(out: &mut impl Write, game: &Game) -> io::Result<()> {
    let battle = game.now();
    let awaiting = journal::Battle::awaiting(battle);
    match awaiting.side {
        None => write!(out, "The battle is over. > ")?,
        Some(side) => {
            let step = match &awaiting.choice {
                Some(choice) => {
                    format!("a choice: {}", serde_json::to_string(choice).unwrap_or_default())
                }
                None => regimental::battle::phase_name(awaiting.phase).to_owned(),
            };
            write!(
                out,
                "Turn {}, {}: {step}{} > ",
                battle.turn(),
                game.scenario.side(side).name,
                open_units(game, side)
            )?;
        }
    }
    out.flush()
}

/// The units that may act in this step.
fn open_units(game: &Game, side: regimental::battle::Side) -> String {
    use regimental::battle::Phase;
    let battle = game.now();
    let fits = |u: &regimental::battle::Unit| match battle.phase() {
        Phase::Checks => u.side() == side && u.did.checked.is_none() && !u.did.stood,
        Phase::Charges | Phase::Maneuvers => u.side() == side && u.did.owes.is_some(),
        Phase::Combat | Phase::Breakthrough => {
            u.side() == side && u.did.charge.as_ref().is_some_and(|c| c.home) && !u.did.fought
        }
        _ => false,
    };
    let names: Vec<String> = battle
        .units()
        .iter()
        .filter(|u| u.present() && fits(u))
        .map(|u| match u.did.owes {
            Some(pace) => format!(
                "{} ({})",
                u.id(),
                serde_json::to_value(pace)
                    .ok()
                    .and_then(|v| v.as_str().map(str::to_owned))
                    .unwrap_or_default()
            ),
            None => u.id().to_string(),
        })
        .collect();
    if names.is_empty() { String::new() } else { format!(" [{}]", names.join(", ")) }
}

fn unit(out: &mut impl Write, game: &Game, name: &str) -> io::Result<()> {
    let found = regimental::battle::Id::new(name).and_then(|id| game.now().unit(id));
    match found {
        Some(unit) => {
            let commanded = game.now().commanded(unit).map_or("out of command".to_owned(), |c| {
                format!(
                    "commanded by {}{}",
                    c.leader,
                    if c.provisional { ", provisionally" } else { "" }
                )
            });
            writeln!(
                out,
                "{}: {} of {} stands, {}, at {:.1} {:.1} facing {:.0}, {commanded}",
                unit.card.name,
                unit.stands,
                unit.card.strength,
                unit.formation().name(),
                table::inches(unit.place.pose.at.x),
                table::inches(unit.place.pose.at.y),
                unit.place.pose.facing.in_degrees()
            )
        }
        None => writeln!(out, "There is no unit {name}."),
    }
}

fn odds(out: &mut impl Write, game: &Game, line: &str) -> io::Result<()> {
    let Some(side) = game.now().awaited() else { return writeln!(out, "The battle is over.") };
    let command = match phrase::order(game.now(), line) {
        Ok(command) => command,
        Err(why) => return writeln!(out, "{why}"),
    };
    match game.now().preview(side, &command) {
        Err(no) => writeln!(out, "No: {no}"),
        Ok(rolls) if rolls.is_empty() => writeln!(out, "No die is thrown for that."),
        Ok(rolls) => {
            for roll in rolls {
                let who: Vec<String> = roll.who.iter().map(ToString::to_string).collect();
                let tally = |lines: &[regimental::battle::Line]| {
                    lines
                        .iter()
                        .map(|l| format!("{} {:+}", l.rule, l.value))
                        .collect::<Vec<_>>()
                        .join(", ")
                };
                writeln!(out, "{}: {}", who.join(" and "), tally(&roll.tally))?;
                if !roll.against.is_empty() {
                    writeln!(out, "  against: {}", tally(&roll.against))?;
                }
                for (effect, chance) in roll.odds {
                    writeln!(out, "  {effect:<20} {chance:>3} %")?;
                }
            }
            Ok(())
        }
    }
}

fn order(out: &mut impl Write, game: &mut Game, line: &str, by_hand: bool) -> Result<(), Failure> {
    let Some(side) = game.now().awaited() else {
        writeln!(out, "The battle is over.")?;
        return Ok(());
    };
    let command = match phrase::order(game.now(), line) {
        Ok(command) => command,
        Err(why) => {
            writeln!(out, "{why}")?;
            return Ok(());
        }
    };
    if by_hand {
        return by_real_dice(out, game, side, &command);
    }
    let events = match game.order(side, &command) {
        Ok(record) => record.events.clone(),
        Err(refused) => {
            writeln!(out, "No: {refused}")?;
            return Ok(());
        }
    };
    tell(out, game, &events)?;
    Ok(())
}

fn tell(out: &mut impl Write, game: &Game, events: &[regimental::battle::Event]) -> io::Result<()> {
    for event in events {
        if let Some(line) = words::describe(&game.scenario, event) {
            writeln!(out, "{line}")?;
        }
    }
    Ok(())
}

/// Asks for one die after another until the order has enough.
fn by_real_dice(
    out: &mut impl Write,
    game: &mut Game,
    side: regimental::battle::Side,
    command: &regimental::battle::Command,
) -> Result<(), Failure> {
    let mut thrown: Vec<u8> = Vec::new();
    loop {
        game.dice = dice::stream::Source::scripted(thrown.iter().copied());
        match game.order(side, command).map(|r| r.events.clone()) {
            Ok(events) => {
                tell(out, game, &events)?;
                return Ok(());
            }
            Err(Refused::Dice(needed)) => {
                write!(out, "Die {needed}, 1 to 10: ")?;
                out.flush()?;
                let mut line = String::new();
                if io::stdin().read_line(&mut line)? == 0 {
                    return Ok(());
                }
                match line.trim().parse::<u8>() {
                    Ok(die @ 1..=10) => thrown.push(die),
                    _ => writeln!(out, "A die shows 1 to 10.")?,
                }
            }
            Err(refused) => {
                writeln!(out, "No: {refused}")?;
                return Ok(());
            }
        }
    }
}
