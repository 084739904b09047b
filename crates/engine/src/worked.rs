//! Worked examples: small situations on the table, an order or two with their dice, and what
//! must come of them. They are the tests of the battle, as data, and readable as examples.
//!
//! `rulebooks/battles/*.toml` hold them; CONTRIBUTING.md explains the short forms.

mod switched;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::sync::Arc;

use dice::stream::Source;
use regimental::battle::{Battle, Command, Event, Line, Mark, Pending, Side, Step};
use rulebook::SourceFile;
use serde::Deserialize;
use table::{Mils, Pose, inches};

use crate::game::{Game, Refused};
use crate::{Loaded, Scenario, phrase};

/// A situation and what comes of it.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Example {
    /// What it shows.
    pub name: String,
    /// The clauses and rulings it rests on.
    pub cites: Vec<String>,
    /// The books it holds in.
    pub books: Vec<String>,
    /// Terrain: `KIND ID x,y x,y … key=value`.
    #[serde(default)]
    pub terrain: Vec<String>,
    /// Units: `SIDE ID ARM CLASS STANDS WEAPON FORMATION x,y,facing key=value trait …`.
    pub units: Vec<String>,
    /// Leaders: `SIDE ID RATING x,y key=value`.
    #[serde(default)]
    pub leaders: Vec<String>,
    /// Key positions: `ID x,y VALUE SIDE`.
    #[serde(default)]
    pub keys: Vec<String>,
    /// More lines for `[game]`.
    #[serde(default)]
    pub game: String,
    /// Settings of rulings that it is played with, where they are not the usual ones.
    #[serde(default)]
    pub rulings: BTreeMap<String, String>,
    /// What is ordered, with the dice thrown for it, and what must come of it.
    pub play: Vec<Play>,
}

/// An order of an example.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Play {
    /// The order, in words.
    pub order: String,
    /// Its dice.
    #[serde(default)]
    pub dice: Vec<u8>,
    /// Facts that must come of it.
    #[serde(default)]
    pub expect: Vec<String>,
    /// Facts that must not.
    #[serde(default)]
    pub never: Vec<String>,
}

#[derive(Deserialize)]
struct File {
    example: Vec<Example>,
}

macro_rules! files {
    ($($name:literal),* $(,)?) => {
        const FILES: &[(&str, &str)] = &[
            $(($name, include_str!(concat!("../../../rulebooks/battles/", $name, ".toml")))),*
        ];
    };
}

files!(
    "maneuver",
    "drill",
    "command",
    "fire",
    "charge",
    "game",
    "modifiers",
    "retreat",
    "settings"
);

/// Every example.
///
/// # Errors
/// A sentence that names the file that is not readable.
pub fn examples() -> Result<Vec<Example>, String> {
    let mut all = Vec::new();
    for (name, text) in FILES {
        let file: File = toml::from_str(text).map_err(|e| format!("{name}.toml: {e}"))?;
        all.extend(file.example);
    }
    Ok(all)
}

fn scaled(number: &str, scale: f64) -> String {
    number.parse::<f64>().map_or_else(|_| number.to_owned(), |n| format!("{}", n * scale))
}

fn point(text: &str, scale: f64) -> String {
    let parts: Vec<&str> = text.split(',').collect();
    let xy: Vec<String> = parts.iter().take(2).map(|p| scaled(p, scale)).collect();
    format!("[{}]", xy.join(", "))
}

/// A value as TOML: numbers, true and false as they are, the rest as text.
fn value(text: &str) -> String {
    let plain = text.parse::<f64>().is_ok()
        || text == "true"
        || text == "false"
        || text.starts_with('[')
        || text.starts_with('{');
    if plain { text.to_owned() } else { format!("\"{text}\"") }
}

impl Example {
    /// The scenario of the example for a book of a scale, as text.
    #[must_use]
    pub fn scenario(&self, book: &str, scale: f64) -> String {
        let side = 48.0 * scale;
        let mut text = format!(
            "id = \"example\"\ntitle = \"Example\"\nbook = \"{book}\"\n[table]\nwidth = {side}\nheight = {side}\n[game]\n"
        );
        if !self.game.contains("turns") {
            text.push_str("turns = 9\n");
        }
        if !self.game.contains("first") {
            text.push_str("first = \"one\"\n");
        }
        let _ = write!(
            text,
            "{}\n[[side]]\nid = \"one\"\nname = \"One\"\nhome = \"south\"\n[[side]]\nid = \"two\"\nname = \"Two\"\nhome = \"north\"\n",
            self.game
        );
        for line in &self.terrain {
            let words: Vec<&str> = line.split_whitespace().collect();
            let points: Vec<String> = words
                .iter()
                .skip(2)
                .filter(|w| w.contains(',') && !w.contains('='))
                .map(|w| point(w, scale))
                .collect();
            let _ = writeln!(
                text,
                "[[terrain]]\nkind = \"{}\"\nid = \"{}\"\npoints = [{}]",
                words[0],
                words[1],
                points.join(", ")
            );
            for (key, given) in words.iter().filter_map(|w| w.split_once('=')) {
                let given = match key {
                    "width" => scaled(given, scale),
                    "crest" => {
                        let points: Vec<String> =
                            given.split(';').map(|p| point(p, scale)).collect();
                        format!("[{}]", points.join(", "))
                    }
                    _ => given.to_owned(),
                };
                let _ = writeln!(text, "{key} = {}", value(&given));
            }
        }
        for line in &self.keys {
            let w: Vec<&str> = line.split_whitespace().collect();
            let _ = writeln!(
                text,
                "[[key-position]]\nid = \"{}\"\nat = {}\nvalue = {}",
                w[0],
                point(w[1], scale),
                w[2]
            );
            if let Some(holder) = w.get(3) {
                let _ = writeln!(text, "holder = \"{holder}\"");
            }
        }
        for line in &self.leaders {
            self.leader(line, scale, &mut text);
        }
        for line in &self.units {
            self.unit(line, scale, &mut text);
        }
        text
    }

    fn leader(&self, line: &str, scale: f64, text: &mut String) {
        let w: Vec<&str> = line.split_whitespace().collect();
        let _ = writeln!(
            text,
            "[[leader]]\nside = \"{}\"\nid = \"{}\"\nname = \"{}\"\nrating = \"{}\"",
            w[0], w[1], w[1], w[2]
        );
        for word in &w[3..] {
            match word.split_once('=') {
                Some((key, given)) => drop(writeln!(text, "{key} = {}", value(given))),
                None if word.contains(',') => drop(writeln!(text, "at = {}", point(word, scale))),
                None => drop(writeln!(text, "{word} = true")),
            }
        }
    }

    fn unit(&self, line: &str, scale: f64, text: &mut String) {
        const FLAGS: [&str; 4] = ["on-foot", "low-on-ammo", "about-faced", "no-amusette"];
        let w: Vec<&str> = line.split_whitespace().collect();
        let _ = writeln!(
            text,
            "[[unit]]\nside = \"{}\"\nid = \"{}\"\nname = \"{}\"\narm = \"{}\"\nclass = \"{}\"\nstands = {}",
            w[0], w[1], w[1], w[2], w[3], w[4]
        );
        if w[5] != "-" {
            let _ = writeln!(text, "weapon = \"{}\"", w[5]);
        }
        let mut traits = Vec::new();
        let mut leader = self
            .leaders
            .iter()
            .map(|l| l.split_whitespace().collect::<Vec<_>>())
            .find(|l| l[0] == w[0])
            .map(|l| l[1].to_owned());
        let off = w[6] == "reserve";
        if !off {
            let _ = writeln!(text, "formation = \"{}\"", w[6]);
        }
        for word in &w[7..] {
            match word.split_once('=') {
                Some(("leader", given)) => leader = (given != "none").then(|| given.to_owned()),
                Some(("gap", given)) => drop(writeln!(text, "gap = {}", scaled(given, scale))),
                Some(("formations", given)) => drop(writeln!(
                    text,
                    "formations = [{}]",
                    given.split(',').map(|f| format!("\"{f}\"")).collect::<Vec<_>>().join(", ")
                )),
                Some(("arrives", given)) => {
                    let p: Vec<&str> = given.split(',').collect();
                    let _ = writeln!(
                        text,
                        "arrives = {{ turn = {}, at = {}, facing = {} }}",
                        p[0],
                        point(&p[1..3].join(","), scale),
                        p[3]
                    );
                }
                Some((key, given)) => drop(writeln!(text, "{key} = {}", value(given))),
                None if word.contains(',') => {
                    let facing = word.split(',').nth(2).unwrap_or("0");
                    if w.iter().any(|x| x.starts_with("garrison=")) {
                        let _ = writeln!(text, "facing = {facing}");
                    } else {
                        let _ = writeln!(text, "at = {}\nfacing = {facing}", point(word, scale));
                    }
                }
                None if FLAGS.contains(word) => drop(writeln!(text, "{word} = true")),
                None => traits.push(format!("\"{word}\"")),
            }
        }
        if let Some(leader) = leader {
            let _ = writeln!(text, "leader = \"{leader}\"");
        }
        let _ = writeln!(text, "traits = [{}]", traits.join(", "));
    }

    /// Plays the example with a book. Returns the modifiers its rolls counted.
    ///
    /// # Errors
    /// A sentence: what was expected and what came.
    pub fn run(&self, loaded: &Arc<Loaded>) -> Result<BTreeSet<String>, String> {
        let switched =
            switched::with(loaded, &self.rulings).map_err(|why| format!("{}: {why}", self.name))?;
        let loaded = &switched;
        let crate::Rules::Regimental(rules) = &loaded.rules else {
            return Err("only Regimental examples can be played".into());
        };
        let scale = f64::from(rules.stand_width()) / 1000.0;
        let text = self.scenario(&loaded.book.id, scale);
        let file = SourceFile::new(self.name.clone(), text);
        let scenario = Scenario::read_with(&file, |_| Ok(Arc::clone(loaded)))
            .map_err(|f| format!("{}: {f}", self.name))?;
        let mut game = Game::new(scenario, Source::scripted([]));
        for play in &self.play {
            let facts = self
                .give(&mut game, play, scale)
                .map_err(|e| format!("{} ({}): {}: {e}", self.name, loaded.book.id, play.order))?;
            for wanted in &play.expect {
                if !facts.iter().any(|f| fits(wanted, f)) {
                    return Err(format!(
                        "{} ({}): {}: expected `{wanted}`, came:\n  {}",
                        self.name,
                        loaded.book.id,
                        play.order,
                        facts.join("\n  ")
                    ));
                }
            }
            for unwanted in &play.never {
                if let Some(fact) = facts.iter().find(|f| fits(unwanted, f)) {
                    return Err(format!(
                        "{} ({}): {}: came, though it must not: {fact}",
                        self.name, loaded.book.id, play.order
                    ));
                }
            }
        }
        let events = game.journal.records().iter().flat_map(|r| &r.events);
        Ok(events.flat_map(tallies).map(|l| l.rule.to_string()).collect())
    }

    fn give(&self, game: &mut Game, play: &Play, scale: f64) -> Result<Vec<String>, String> {
        let mut facts = Vec::new();
        let Some(by) = game.now().awaited() else { return Ok(vec!["over".into()]) };
        if let Some(line) = play.order.strip_prefix("odds ") {
            let command = scale_order(phrase::order(game.now(), line)?, scale);
            match game.now().preview(by, &command) {
                Ok(rolls) => {
                    let odds = rolls.iter().flat_map(|r| &r.odds);
                    facts.extend(odds.map(|(effect, n, does)| format!("{effect} {n} {does}")));
                }
                Err(no) => facts.push(format!("no {} : {}", no.rule, no.fact)),
            }
            return Ok(facts);
        }
        let command = scale_order(phrase::order(game.now(), &play.order)?, scale);
        game.dice = Source::scripted(play.dice.iter().copied());
        match game.order(by, &command) {
            Ok(record) => {
                let used = record.dice.len();
                facts.extend(record.events.iter().flat_map(|e| facts_of(e, scale)));
                if used < play.dice.len() {
                    return Err(format!("{} dice were given and {used} thrown", play.dice.len()));
                }
            }
            Err(Refused::Rules(no)) => {
                facts.push(format!("no {} : {}", no.rule, no.fact));
                facts.extend(no.instead.map(|legal| format!("instead {legal}")));
            }
            Err(other) => return Err(other.to_string()),
        }
        let awaiting = journal::Battle::awaiting(game.now());
        let step = match &awaiting.choice {
            Some(Pending::Answer { unit, .. }) => format!("answer {unit}"),
            Some(Pending::GoBack { unit, .. } | Pending::GoOn { unit, .. }) => {
                format!("choice {unit}")
            }
            _ => kebab(&awaiting.phase),
        };
        facts.push(format!("asks {} {step}", awaiting.side.map_or("nobody", side_word)));
        facts.extend(standing(game.now(), scale));
        Ok(facts)
    }
}

/// A wanted fact fits if it is the fact, or its words begin it.
fn fits(wanted: &str, fact: &str) -> bool {
    fact == wanted || fact.strip_prefix(wanted).is_some_and(|rest| rest.starts_with(' '))
}

fn side_word(side: Side) -> &'static str {
    match side {
        Side::One => "one",
        Side::Two => "two",
    }
}

fn kebab(v: &impl serde::Serialize) -> String {
    serde_json::to_value(v).ok().and_then(|v| v.as_str().map(str::to_owned)).unwrap_or_default()
}

fn scale_order(command: Command, scale: f64) -> Command {
    #[allow(clippy::cast_possible_truncation)] // small
    let s = |m: Mils| (f64::from(m) * scale).round() as Mils;
    let pose = |p: Pose| Pose::new(table::Point { x: s(p.at.x), y: s(p.at.y) }, p.facing);
    match command {
        Command::Maneuver { unit, steps, disordered } => {
            let steps = steps.into_iter().map(|step| match step {
                Step::Advance { inches } => Step::Advance { inches: s(inches) },
                Step::Withdraw { inches } => Step::Withdraw { inches: s(inches) },
                Step::Oblique { inches, to, degrees } => {
                    Step::Oblique { inches: s(inches), to, degrees }
                }
                Step::FlankMarch { to, inches } => Step::FlankMarch { to, inches: s(inches) },
                Step::Road { road, inches, forward } => {
                    Step::Road { road, inches: s(inches), forward }
                }
                Step::Expand { gap } => Step::Expand { gap: s(gap) },
                Step::HandHaul { inches } => Step::HandHaul { inches: s(inches) },
                other => other,
            });
            Command::Maneuver { unit, steps: steps.collect(), disordered }
        }
        Command::Go { unit, to, disordered } => Command::Go { unit, to: pose(to), disordered },
        Command::SendOff { unit, detachment, to } => {
            Command::SendOff { unit, detachment, to: pose(to) }
        }
        Command::MoveLeader { leader, to } => {
            Command::MoveLeader { leader, to: table::Point { x: s(to.x), y: s(to.y) } }
        }
        Command::Enter { unit, inches } => Command::Enter { unit, inches: s(inches) },
        Command::Decide {
            unit,
            decision: regimental::battle::Decision::Recall { inches, facing },
        } => Command::Decide {
            unit,
            decision: regimental::battle::Decision::Recall { inches: s(inches), facing },
        },
        Command::Decide { unit, decision: regimental::battle::Decision::Widen { gap } } => {
            let decision = regimental::battle::Decision::Widen { gap: s(gap) };
            Command::Decide { unit, decision }
        }
        Command::Decide { unit, decision: regimental::battle::Decision::Advance { inches } } => {
            let decision = regimental::battle::Decision::Advance { inches: s(inches) };
            Command::Decide { unit, decision }
        }
        other => other,
    }
}

/// The lines of the rolls of an event.
fn tallies(event: &Event) -> Vec<&Line> {
    match event {
        Event::Checked { units, .. } => units.iter().flat_map(|u| &u.tally).collect(),
        Event::Fired { tally, .. } => tally.iter().collect(),
        Event::Fought { attacker, defender, .. } => attacker.iter().chain(defender).collect(),
        _ => vec![],
    }
}

fn counts(who: &str, lines: &[Line]) -> Vec<String> {
    lines
        .iter()
        .map(|l| {
            format!("{who} counts {} {:+}", l.rule.rsplit('.').next().unwrap_or(&l.rule), l.value)
        })
        .collect()
}

/// An event as facts in short words; lengths as at the scale of 15mm.
fn facts_of(event: &Event, scale: f64) -> Vec<String> {
    let n = |m: Mils| {
        let rounded = (inches(m) / scale * 100.0).round() / 100.0;
        format!("{}", if rounded == 0.0 { 0.0 } else { rounded })
    };
    match event {
        Event::TurnBegan { turn, side, .. } => vec![format!("turn {turn} {}", side_word(*side))],
        Event::Checked { units, .. } => units
            .iter()
            .flat_map(|l| {
                let mut facts = vec![format!("{} {} {}", l.unit, kebab(&l.effect), l.total)];
                if !l.in_command {
                    facts.push(format!("{} out-of-command", l.unit));
                }
                facts.extend(counts(&l.unit.to_string(), &l.tally));
                facts
            })
            .collect(),
        Event::Ordered { unit, order, .. } => vec![format!("{unit} is {}", kebab(order))],
        Event::Placed { unit, why, place, .. } => vec![format!(
            "{unit} {} {} {} {} {}",
            kebab(why),
            n(place.pose.at.x),
            n(place.pose.at.y),
            place.pose.facing.in_degrees(),
            place.formation.name()
        )],
        Event::Marked { unit, mark, on }
            if *on || matches!(mark, Mark::LowOnAmmo | Mark::Amusette | Mark::GunsReady) =>
        {
            vec![format!("{unit} {}{}", kebab(mark), if *on { "" } else { " off" })]
        }
        Event::Lost { unit, stands, left, rule, .. } => {
            vec![format!("{unit} loses {stands} left {left}"), format!("{unit} loses by {rule}")]
        }
        Event::Gun { unit, stand, state, wrecked, rule } => {
            let mut words = String::new();
            for (on, word) in [
                (*wrecked, " wrecked"),
                (state.silenced && !wrecked, " silenced"),
                (state.damaged && !wrecked, " damaged"),
                (state.low && !wrecked, " low"),
            ] {
                if on {
                    words.push_str(word);
                }
            }
            let words = if words.is_empty() { " ready".into() } else { words };
            vec![format!("{unit} gun {}{words}", stand + 1), format!("{unit} gun by {rule}")]
        }
        Event::Removed { unit, gone, rule } => {
            vec![format!("{unit} gone {}", kebab(gone)), format!("{unit} gone by {rule}")]
        }
        Event::Declared { unit, charge } => vec![format!(
            "{unit} declares {} wheel {}",
            charge.target,
            f64::from(charge.wheel) / 100.0
        )],
        Event::ChargeMoved { unit, charge } => {
            vec![format!("{unit} reaches {} moved {}", charge.target, n(charge.moved))]
        }
        Event::ChargeOver { unit } => vec![format!("{unit} charge over")],
        Event::Fired { target, points, tally, total, effect, charge, rules, .. } => {
            let mut facts =
                vec![format!("fire at {target} {} {total} points {points}", kebab(effect))];
            facts.extend(charge.map(|c| format!("charge {}", kebab(&c))));
            facts.extend(counts("fire", tally));
            facts.extend(rules.iter().map(|r| format!("fire by {r}")));
            facts
        }
        Event::Massed { unit, effect, .. } => vec![format!("{unit} massed {}", kebab(effect))],
        Event::Fought {
            attacker,
            defender,
            difference,
            effect,
            attackers,
            defenders,
            rules,
            ..
        } => {
            let names = |ids: &[regimental::battle::Id]| {
                ids.iter().map(ToString::to_string).collect::<Vec<_>>().join("+")
            };
            let mut facts = vec![format!(
                "combat {} {difference} {} v {}",
                kebab(effect),
                names(attackers),
                names(defenders)
            )];
            facts.extend(counts("attack", attacker));
            facts.extend(counts("defence", defender));
            facts.extend(rules.iter().map(|r| format!("combat by {r}")));
            facts
        }
        Event::LeaderMoved { leader, to, attached } => vec![format!(
            "{leader} at {} {}{}",
            n(to.x),
            n(to.y),
            attached.map_or(String::new(), |u| format!(" with {u}"))
        )],
        Event::LeaderHit { leader, state, .. } => vec![format!("{leader} {}", kebab(state))],
        Event::LeaderReturned { leader, unit, rating, .. } => {
            vec![format!("{leader} returns {} with {unit}", kebab(rating))]
        }
        Event::LeaderRemoved { leader } => vec![format!("{leader} removed")],
        Event::SentOff { unit, detachment, stands } => {
            vec![format!("{unit} sends {detachment} {stands}")]
        }
        Event::Rejoined { unit, parent, .. } => vec![format!("{unit} rejoins {parent}")],
        Event::KeyPosition { name, holder } => {
            vec![format!("{name} held {}", holder.map_or("nobody", side_word))]
        }
        Event::Over { points, winner, reason } => vec![format!(
            "over {} {} {} {}",
            winner.map_or("draw", side_word),
            points[0],
            points[1],
            kebab(reason)
        )],
        Event::Sheltered { unit, square } => {
            vec![format!("{unit} shelters {}", square.map_or("no more".into(), |s| s.to_string()))]
        }
        Event::Countercharged { unit, moved, .. } => {
            vec![format!("{unit} countercharged {}", n(*moved))]
        }
        _ => vec![],
    }
}

/// How units stand after an order.
fn standing(battle: &Battle, scale: f64) -> Vec<String> {
    battle
        .units()
        .iter()
        .map(|u| {
            format!(
                "now {} {} stands {} {} {} wide {}",
                u.id(),
                u.stands,
                kebab(&u.order),
                kebab(&u.freshness),
                u.formation().name(),
                inches(u.frontage()) / scale
            )
        })
        .collect()
}
