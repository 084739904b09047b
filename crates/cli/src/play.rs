//! A game in plain text: orders typed in words, usable with a screen reader.

use std::io::{self, BufRead, IsTerminal, Write};
use std::path::Path;

use engine::game::{Game, Refused};
use engine::view::Offer;
use engine::{Library, map, phrase, save, words};
use regimental::battle::Command;
use serde_json::json;

use crate::battle::{Play, find, load, write};
use crate::failure::Failure;
use crate::told;

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
        if saved.header.commitment.is_some() && !committed {
            anstream::eprintln!(
                "linstock: this is not the seed the dice of this save are committed to: the rest \
                 come from others, and nobody can verify the game any more. To go on with the same \
                 dice give theirs with --seed."
            );
        }
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
    let mut shown: Vec<Offer> = Vec::new();
    loop {
        told::prompt(&mut out, &game, &mut shown)?;
        let Some(line) = lines.next() else { break };
        let line = line?;
        let line = line.trim();
        if !io::stdin().is_terminal() {
            writeln!(out, "{line}")?;
        }
        let (first, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let (first, rest) = (&*first.to_lowercase(), rest.trim());
        match first {
            "" => continue,
            _ if ALONE.contains(&first) && !rest.is_empty() => {
                writeln!(out, "`{rest}` is too much: type {first} alone")?;
            }
            "quit" | "exit" => break,
            "help" if rest.is_empty() => writeln!(out, "{}", phrase::HELP)?,
            "help" => writeln!(out, "{}", phrase::help(rest))?,
            "show" | "units" => writeln!(out, "{}", words::summary(&game.scenario, game.now()))?,
            "map" => writeln!(out, "{}", map::text(&game.scenario, game.now()))?,
            "undo" | "redo" => {
                step_back(&mut out, &mut game, first, rest)?;
                shown.clear();
            }
            "save" => {
                if rest.is_empty() {
                    writeln!(out, "save: say the file, such as `save battle.save`")?;
                    continue;
                }
                match keep(Path::new(rest), &game, committed.then_some(&seed)) {
                    Ok(()) => writeln!(out, "Saved.")?,
                    Err(Failure::Said(why)) => {
                        writeln!(out, "It was not saved: {why}. The game goes on.")?;
                    }
                    Err(other) => return Err(other),
                }
            }
            "unit" | "leader" => told::about(&mut out, &game, &rest.to_lowercase())?,
            "leaders" => told::leaders(&mut out, &game)?,
            "positions" => told::positions(&mut out, &game)?,
            "terrain" => told::terrain(&mut out, &game)?,
            "options" => {
                told::what_may_be_done(&mut out, &game, &rest.to_lowercase(), &mut shown)?;
            }
            "odds" => match told::meant(&game, rest, &shown) {
                Ok(command) => told::odds(&mut out, &game, &command)?,
                Err(why) => writeln!(out, "{why}")?,
            },
            "reach" => told::reach(&mut out, &game, &rest.to_lowercase())?,
            _ => match told::meant(&game, line, &shown) {
                Ok(command) => {
                    let before = game.journal.records().len();
                    order(&mut out, &mut game, &command, asked.by_hand.then_some(&mut lines))?;
                    // The options shown were those before it.
                    if game.journal.records().len() > before {
                        shown.clear();
                    }
                }
                Err(why) => writeln!(out, "{why}")?,
            },
        }
        let now = (game.journal.records().len(), first == "undo" || first == "redo");
        if let Some(file) = asked.save.as_deref().filter(|_| now != (kept, false)) {
            keep(file, &game, committed.then_some(&seed))?;
            kept = now.0;
        }
    }
    if committed && game.now().ending().is_some() {
        writeln!(out, "The seed was {seed}.")?;
    } else if committed {
        writeln!(out, "The seed was {seed}. To go on with the same dice give --seed {seed}.")?;
    }
    Ok(())
}

/// Writes the game to a file.
fn keep(file: &Path, game: &Game, seed: Option<&String>) -> Result<(), Failure> {
    let seed = seed.map(String::as_str);
    let over = game.now().ending().is_some();
    write(file, &save::write(&game.scenario, &game.journal, seed, over))
}

/// Words that are typed alone.
const ALONE: &[&str] = &["quit", "exit", "show", "units", "map", "leaders", "positions", "terrain"];

/// Takes orders back, or does them again.
fn step_back(out: &mut impl Write, game: &mut Game, word: &str, times: &str) -> io::Result<()> {
    let times = if times.is_empty() { "1" } else { times };
    let times = times.parse::<u64>().ok().filter(|n| (1..=1000).contains(n));
    let Some(times) = times else {
        return writeln!(out, "{word}: say how many orders, from 1 to 1000");
    };
    let answer = game.line(&json!({ word: times }).to_string());
    match answer["refused"]["message"].as_str() {
        Some(why) => writeln!(out, "No: {why}."),
        None if word == "undo" => writeln!(out, "Taken back."),
        None => writeln!(out, "Done again."),
    }
}

fn order(
    out: &mut impl Write,
    game: &mut Game,
    command: &Command,
    by_hand: Option<&mut Typed>,
) -> Result<(), Failure> {
    let Some(side) = game.now().awaited() else {
        writeln!(out, "The battle is over.")?;
        return Ok(());
    };
    if let Some(lines) = by_hand {
        return by_real_dice(out, game, (side, command), lines);
    }
    let events = match game.order(side, command) {
        Ok(record) => record.events.clone(),
        Err(refused) => {
            writeln!(out, "No: {refused}")?;
            return Ok(());
        }
    };
    told::happened(out, game, &events)?;
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
                told::happened(out, game, &events)?;
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
