//! A game in plain text: orders typed in words, usable with a screen reader.

use std::io::{self, BufRead, IsTerminal, Write};
use std::path::Path;

use engine::game::{Game, Refused};
use engine::{Library, map, phrase, save, words};
use serde_json::json;

use crate::battle::{Play, find, load, write};
use crate::failure::Failure;

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
    // Only dice that all came from one seed are committed to it.
    let mut committed = !asked.by_hand;
    let mut game = if saved {
        let saved = load(library, path)?;
        committed &= matches!(save::verify(&saved, &seed), save::Verdict::Fair { .. });
        let thrown = saved.journal.records().iter().map(|r| r.dice.len()).sum();
        let dice = dice::stream::Source::resumed(&seed, if committed { thrown } else { 0 });
        Game { scenario: saved.scenario, journal: saved.journal, dice }
    } else {
        Game::new(find(library, &asked.scenario)?, dice::stream::Source::seeded(&seed))
    };
    let mut out = io::stdout().lock();
    writeln!(
        out,
        "{}. {}\nType help for what can be typed.",
        game.scenario.headline(),
        game.scenario.blurb
    )?;
    if committed {
        writeln!(out, "The seed of the dice is committed: {}", dice::stream::commitment(&seed))?;
    }
    let mut lines = io::stdin().lock().lines();
    let mut kept = usize::MAX;
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
                match keep(Path::new(line[5..].trim()), &game, committed.then_some(&seed)) {
                    Ok(()) => writeln!(out, "Saved.")?,
                    Err(Failure::Said(why)) => {
                        writeln!(out, "It was not saved: {why}. The game goes on.")?;
                    }
                    Err(other) => return Err(other),
                }
            }
            _ if line.starts_with("unit ") => unit(&mut out, &game, line[5..].trim())?,
            _ if line.starts_with("odds ") => odds(&mut out, &game, line[5..].trim())?,
            _ if line.starts_with("reach ") => {
                let answer =
                    game.line(&json!({"ask": "reach", "unit": line[6..].trim()}).to_string());
                writeln!(out, "{answer}")?;
            }
            _ => order(&mut out, &mut game, line, asked.by_hand.then_some(&mut lines))?,
        }
        let now = (game.journal.records().len(), line == "undo" || line == "redo");
        if let Some(file) = asked.save.as_deref().filter(|_| now != (kept, false)) {
            keep(file, &game, committed.then_some(&seed))?;
            kept = now.0;
        }
    }
    if committed {
        writeln!(out, "The seed was {seed}.")?;
    }
    Ok(())
}

/// Writes the game to a file.
fn keep(file: &Path, game: &Game, seed: Option<&String>) -> Result<(), Failure> {
    let seed = seed.map(String::as_str);
    let over = game.now().ending().is_some();
    write(file, &save::write(&game.scenario, &game.journal, seed, over))
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
                for (effect, chance, does) in roll.odds {
                    writeln!(out, "  {chance:>3} % {effect}: {does}")?;
                }
            }
            Ok(())
        }
    }
}

fn order(
    out: &mut impl Write,
    game: &mut Game,
    line: &str,
    by_hand: Option<&mut Typed>,
) -> Result<(), Failure> {
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
    if let Some(lines) = by_hand {
        return by_real_dice(out, game, (side, &command), lines);
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

/// What is typed, line by line.
type Typed = io::Lines<io::StdinLock<'static>>;

/// Asks for one die after another until the order has enough.
fn by_real_dice(
    out: &mut impl Write,
    game: &mut Game,
    order: (regimental::battle::Side, &regimental::battle::Command),
    lines: &mut Typed,
) -> Result<(), Failure> {
    let (side, command) = order;
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
                let Some(line) = lines.next() else { return Ok(()) };
                let line = line?;
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
