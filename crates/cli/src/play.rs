//! A game in plain text: orders typed in words, usable with a screen reader.

use std::io::{self, IsTerminal, Write};
use std::path::Path;

use engine::game::{Game, Refused};
use engine::view::Offer;
use engine::{Library, map, phrase, save, words};
use regimental::battle::Command;
use serde_json::json;

use crate::battle::{Play, find, load};
use crate::failure::Failure;
use crate::keeping::{Keeper, put};
use crate::told;
use crate::typed::Typed;

/// A seed nobody knows beforehand: the clock and the process stirred together.
fn new_seed() -> String {
    let now = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .map_or(0, |d| d.as_nanos());
    let mut stirred = dice::stream::Seeded::new(&format!("{now} {}", std::process::id()));
    (0..16).map(|_| char::from(b'a' + stirred.throw(26) - 1)).collect()
}

/// A game at the prompt.
struct Sitting {
    game: Game,
    typed: Typed,
    /// The options shown last, for their numbers.
    shown: Vec<Offer>,
    /// The seed all dice come from, if they do.
    seed: Option<String>,
    by_hand: bool,
    /// How many orders there were when somebody was told what a `done` would leave undone.
    warned: Option<usize>,
}

pub(crate) fn play(library: &Library, asked: &Play) -> Result<(), Failure> {
    let path = Path::new(&asked.scenario);
    let saved = path.extension().is_some_and(|e| e == "save") && path.exists();
    let seed = asked.seed.clone().unwrap_or_else(new_seed);
    // Only dice that all came from one seed are committed to it.
    let mut committed = !asked.by_hand;
    let game = if saved {
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
    let mut keeper = Keeper::new(asked.save.as_deref(), &game, saved.then_some(path));
    let mut out = io::stdout().lock();
    writeln!(
        out,
        "{}. {}\nType help for what can be typed.",
        game.scenario.headline(),
        game.scenario.blurb
    )?;
    writeln!(out, "The game is kept in {} after every order.", keeper.file().display())?;
    if committed {
        writeln!(out, "The seed of the dice is committed: {}", dice::stream::commitment(&seed))?;
    }
    let mut sitting = Sitting {
        game,
        typed: Typed::new(),
        shown: Vec::new(),
        seed: committed.then_some(seed),
        by_hand: asked.by_hand,
        warned: None,
    };
    let begun = sitting.game.journal.records().len();
    loop {
        told::prompt(&mut out, &sitting.game, &mut sitting.shown)?;
        let Some(line) = sitting.typed.next()? else { break };
        let line = match line {
            Ok(line) => line,
            Err(why) => {
                writeln!(out, "{why}.")?;
                continue;
            }
        };
        let line = line.trim();
        if !io::stdin().is_terminal() {
            writeln!(out, "{line}")?;
        }
        let Next::GoOn { changed } = sitting.typed_line(&mut out, line)? else { break };
        keeper.keep(&mut out, &sitting.game, sitting.seed.as_ref(), changed)?;
    }
    farewell(&mut out, &sitting, keeper.file(), begun)
}

/// What is said at the end: where the game is, and with which dice it goes on.
fn farewell(
    out: &mut impl Write,
    sitting: &Sitting,
    file: &Path,
    begun: usize,
) -> Result<(), Failure> {
    let over = sitting.game.now().ending().is_some();
    let played = sitting.game.journal.records().len() != begun;
    let seed = sitting.seed.as_ref().map_or_else(String::new, |seed| format!(" --seed {seed}"));
    if let Some(seed) = &sitting.seed {
        writeln!(out, "The seed was {seed}.")?;
    }
    if !over && played {
        let hand = if sitting.by_hand { " --by-hand" } else { "" };
        writeln!(out, "To go on: linstock play {}{seed}{hand}", file.display())?;
    }
    Ok(())
}

/// Whether the game goes on after a line, and whether it is another one with as many orders.
enum Next {
    GoOn { changed: bool },
    Leave,
}

impl Sitting {
    fn typed_line(&mut self, out: &mut impl Write, line: &str) -> Result<Next, Failure> {
        let (first, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let (first, rest) = (&*first.to_lowercase(), rest.trim());
        let game = &mut self.game;
        let small = rest.to_lowercase();
        match first {
            "" => {}
            _ if ALONE.contains(&first) && !rest.is_empty() => {
                writeln!(out, "`{rest}` is too much: type {first} alone")?;
            }
            "quit" | "exit" => return Ok(Next::Leave),
            "help" if rest.is_empty() => writeln!(out, "{}", phrase::HELP)?,
            "help" => writeln!(out, "{}", phrase::help(rest))?,
            "show" | "units" => writeln!(out, "{}", words::summary(&game.scenario, game.now()))?,
            "map" => writeln!(out, "{}", map::text(&game.scenario, game.now()))?,
            "undo" | "redo" => {
                step_back(out, game, first, rest)?;
                self.shown.clear();
                self.warned = None;
                return Ok(Next::GoOn { changed: true });
            }
            "save" => self.save(out, rest)?,
            "unit" | "leader" => told::about(out, game, &small)?,
            "leaders" => told::leaders(out, game)?,
            "positions" => told::positions(out, game)?,
            "terrain" => told::terrain(out, game)?,
            "options" => told::what_may_be_done(out, game, &small, &mut self.shown)?,
            "odds" => match told::meant(game, rest, &self.shown) {
                Ok(command) => told::odds(out, game, &command)?,
                Err(why) => writeln!(out, "{why}")?,
            },
            "rule" => told::rule(out, game, &small)?,
            "reach" => told::reach(out, game, &small)?,
            _ => match told::meant(game, line, &self.shown) {
                Ok(command) => self.order(out, line, &command)?,
                Err(why) => writeln!(out, "{why}")?,
            },
        }
        Ok(Next::GoOn { changed: false })
    }

    fn save(&self, out: &mut impl Write, file: &str) -> Result<(), Failure> {
        if file.is_empty() {
            writeln!(out, "save: say the file, such as `save battle.save`")?;
            return Ok(());
        }
        match put(Path::new(file), &self.game, self.seed.as_ref()) {
            Ok(()) => writeln!(out, "Saved.")?,
            Err(Failure::Said(why)) => {
                writeln!(out, "It was not saved: {why}. The game goes on.")?;
            }
            Err(other) => return Err(other),
        }
        Ok(())
    }

    /// Carries out an order, unless it ends a step in which something could still be done and
    /// nobody has been told so yet.
    fn order(&mut self, out: &mut impl Write, line: &str, order: &Command) -> Result<(), Failure> {
        let before = self.game.journal.records().len();
        let told = self.warned == Some(before) || line.to_lowercase().ends_with("anyway");
        if *order == Command::Done
            && !told
            && let Some(left) = told::left(&self.game)
        {
            self.warned = Some(before);
            writeln!(out, "{left}")?;
            writeln!(out, "Type done again to end the step all the same.")?;
            return Ok(());
        }
        let Some(side) = self.game.now().awaited() else {
            writeln!(out, "The battle is over.")?;
            return Ok(());
        };
        if self.by_hand {
            by_real_dice(out, &mut self.game, (side, order), &mut self.typed)?;
        } else {
            match self.game.order(side, order).map(|record| record.events.clone()) {
                Ok(events) => told::happened(out, &self.game, &events)?,
                Err(refused) => told::refused(out, &self.game, order, &refused)?,
            }
        }
        // The options shown were those before it.
        if self.game.journal.records().len() > before {
            self.shown.clear();
        }
        Ok(())
    }
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

/// Asks for one die after another until the order has enough.
fn by_real_dice(
    out: &mut impl Write,
    game: &mut Game,
    order: (regimental::battle::Side, &Command),
    typed: &mut Typed,
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
                let Some(line) = typed.next()? else { return Ok(()) };
                match line.map(|line| line.trim().to_owned()).as_deref() {
                    Ok("quit" | "exit") => {
                        writeln!(out, "The order was not given.")?;
                        return Ok(());
                    }
                    Ok(shown) => match shown.parse::<u8>() {
                        Ok(die @ 1..=10) => thrown.push(die),
                        _ => writeln!(out, "A die shows 1 to 10; quit takes the order back.")?,
                    },
                    Err(why) => writeln!(out, "{why}.")?,
                }
            }
            Err(refused) => {
                told::refused(out, game, command, &refused)?;
                return Ok(());
            }
        }
    }
}
