//! A game: a scenario, its journal and its dice, with orders as JSON.

use dice::stream::Source;
use journal::{Journal, No as Stopped, Record};
use regimental::battle::{Battle, Command, Event, No, Side};
use rulebook::reading::in_words;
use serde_json::{Value, json};
use table::Pose;

use crate::{Scenario, words};

/// A game in play.
pub struct Game {
    /// What is played.
    pub scenario: Scenario,
    /// What has happened.
    pub journal: Journal<Battle>,
    /// Where the dice come from.
    pub dice: Source,
}

/// Why an order did nothing.
#[derive(Debug)]
pub enum Refused {
    /// It could not be understood.
    Words(String),
    /// The rules refuse it.
    Rules(No),
    /// The dice ran out.
    Dice(usize),
}

impl Refused {
    /// As data.
    #[must_use]
    pub fn json(&self) -> Value {
        match self {
            Self::Words(message) => json!({"refused": {"message": message}}),
            Self::Rules(no) => json!({"refused": no}),
            Self::Dice(needed) => {
                json!({"refused": {"message": format!("the dice ran out: this order needs at least {needed}")}})
            }
        }
    }
}

impl std::fmt::Display for Refused {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Words(message) => f.write_str(message),
            Self::Rules(no) => write!(f, "{no}"),
            Self::Dice(needed) => {
                write!(f, "the dice ran out: this order needs at least {needed}")
            }
        }
    }
}

impl Game {
    /// A game about to begin.
    #[must_use]
    pub fn new(scenario: Scenario, dice: Source) -> Self {
        let journal = Journal::new(scenario.battle.clone());
        Self { scenario, journal, dice }
    }

    /// As it stands.
    #[must_use]
    pub fn now(&self) -> &Battle {
        self.journal.now()
    }

    /// Gives an order.
    ///
    /// # Errors
    /// Why it did nothing.
    pub fn order(
        &mut self,
        by: Side,
        command: &Command,
    ) -> Result<&Record<Side, Command, Event>, Refused> {
        self.journal.submit(by, command, &mut self.dice).map_err(|stopped| match stopped {
            Stopped::Refused(no) => Refused::Rules(no),
            Stopped::Dice { needed } => Refused::Dice(needed),
        })
    }

    /// Gives an order written as a JSON object, or answers a question about the game. The answer
    /// is a JSON object too; docs/commands.md has the forms.
    pub fn line(&mut self, line: &str) -> Value {
        self.read(line).unwrap_or_else(|refused| refused.json())
    }

    fn read(&mut self, line: &str) -> Result<Value, Refused> {
        let mut value: Value = serde_json::from_str(line).map_err(|e| {
            // An order is one line: the column says where.
            let why = in_words(e.to_string().split(" at line ").next().unwrap_or_default());
            Refused::Words(format!("not a JSON object: {why} (column {})", e.column()))
        })?;
        let Some(object) = value.as_object_mut() else {
            return Err(Refused::Words(
                "an order is a JSON object such as {\"do\":\"done\"}".into(),
            ));
        };
        if let Some(ask) = object.remove("ask") {
            return self.ask(ask.as_str().unwrap_or_default(), &value);
        }
        if object.contains_key("undo") || object.contains_key("redo") {
            only(object, if object.contains_key("undo") { &["undo"] } else { &["redo"] })?;
        }
        if let Some(back) = object.get("undo").or(object.get("redo")) {
            let undo = object.contains_key("undo");
            let Some(times) = back.as_u64().filter(|n| (1..=1000).contains(n)) else {
                let word = if undo { "undo" } else { "redo" };
                return Err(Refused::Words(format!(
                    "`{word}` is how many orders, from 1 to 1000: {{\"{word}\":1}}"
                )));
            };
            return self.step_back(undo, usize::try_from(times).unwrap_or(1));
        }
        let by = self.by(object.remove("by"))?;
        let dice: Option<Vec<u8>> = match object.remove("dice") {
            None => None,
            Some(dice) => Some(serde_json::from_value(dice).map_err(|e| {
                let why = in_words(&e.to_string());
                Refused::Words(format!("`dice` is a list of numbers from 1 to 10: {why}"))
            })?),
        };
        if let Some(no) = dice.iter().flatten().find(|die| !(1..=10).contains(*die)) {
            return Err(Refused::Words(format!("`dice` has a {no}: a die shows 1 to 10")));
        }
        let command = command(value)?;
        let before = self.now().stands_lost();
        let record = match dice {
            // For this order only; the game's own dice stay where they are.
            Some(dice) => {
                let own = std::mem::replace(&mut self.dice, Source::scripted(dice));
                let done = self.order(by, &command).cloned();
                self.dice = own;
                done?
            }
            None => self.order(by, &command)?.clone(),
        };
        let n = self.journal.records().len();
        let lost = self.now().stands_lost();
        let lost = Side::BOTH.map(|s| {
            let stands = lost[s.index()].saturating_sub(before[s.index()]);
            (self.scenario.side(s).id.clone(), json!(stands))
        });
        let lost: serde_json::Map<String, Value> = lost.into_iter().collect();
        Ok(
            json!({"n": n, "by": self.scenario.side(by).id, "do": record.command, "dice": record.dice, "events": record.events, "stands_lost": lost}),
        )
    }

    fn by(&self, given: Option<Value>) -> Result<Side, Refused> {
        match given {
            None => self.now().awaited().ok_or_else(|| Refused::Words("the battle is over".into())),
            Some(name) => {
                let name = name.as_str().map_or_else(|| name.to_string(), str::to_owned);
                let sides = [&self.scenario.sides[0].id, &self.scenario.sides[1].id];
                self.scenario.side_named(&name).ok_or_else(|| {
                    Refused::Words(format!("`by` is `{name}`: {} or {}", sides[0], sides[1]))
                })
            }
        }
    }

    fn step_back(&mut self, undo: bool, times: usize) -> Result<Value, Refused> {
        for done in 0..times {
            let stepped = if undo { self.journal.undo() } else { self.journal.redo() };
            if stepped {
                continue;
            }
            // All or nothing: what went back comes again.
            for _ in 0..done {
                if undo {
                    self.journal.redo()
                } else {
                    self.journal.undo()
                };
            }
            return Err(Refused::Words(match (undo, done) {
                (true, 0) => {
                    "nothing to take back: a die was thrown, or something was shown, since".into()
                }
                (true, _) => format!(
                    "only {done} can be taken back: before that a die was thrown or something shown"
                ),
                (false, 0) => "nothing to do again".into(),
                (false, _) => format!("only {done} can be done again"),
            }));
        }
        Ok(
            json!({ if undo { "undone" } else { "redone" }: times, "n": self.journal.records().len() }),
        )
    }

    fn ask(&self, what: &str, value: &Value) -> Result<Value, Refused> {
        let battle = self.now();
        let side = battle.awaited().unwrap_or(Side::One);
        let unit = || {
            let Some(name) = value["unit"].as_str() else {
                return Err(Refused::Words("`unit` is missing: the short name of a unit".into()));
            };
            let id = regimental::battle::Id::new(name);
            id.and_then(|id| battle.unit(id))
                .filter(|u| u.present())
                .ok_or_else(|| Refused::Words(format!("no unit `{name}` on the table")))
        };
        let pace = |u: &regimental::battle::Unit| {
            u.did.owes.unwrap_or(regimental::battle::state::Pace::WellHandled)
        };
        let known: &[&str] = match what {
            "preview" => &["order"],
            "plan" => &["unit", "to"],
            "reach" => &["unit"],
            _ => &[],
        };
        if ["state", "preview", "plan", "reach"].contains(&what) {
            only(value.as_object().unwrap_or(&serde_json::Map::new()), known)?;
        }
        match what {
            "state" => Ok(words::state(&self.scenario, battle)),
            "preview" => {
                let command = command(value["order"].clone())?;
                let rolls = battle.preview(side, &command).map_err(Refused::Rules)?;
                Ok(json!({"preview": rolls}))
            }
            "plan" => {
                let to: Pose = serde_json::from_value(value["to"].clone()).map_err(|e| {
                    let why = in_words(&e.to_string());
                    Refused::Words(format!("`to` is {{\"at\":[x,y],\"facing\":degrees}}: {why}"))
                })?;
                let unit = unit()?;
                let plan = battle.plan(unit, pace(unit), to, false);
                Ok(json!({
                    "steps": plan.steps,
                    "end": plan.end,
                    "stopped": plan.stopped,
                    "pace": pace(unit),
                    "owes": unit.did.owes.is_some(),
                }))
            }
            "reach" => {
                let unit = unit()?;
                Ok(json!({
                    "outline": battle.reach(unit, pace(unit), false).outline,
                    "pace": pace(unit),
                    "owes": unit.did.owes.is_some(),
                }))
            }
            other => {
                Err(Refused::Words(format!("`ask` is `{other}`: state, preview, plan or reach")))
            }
        }
    }
}

/// A command from a JSON value.
///
/// # Errors
/// What is wrong with it.
pub fn command(value: Value) -> Result<Command, Refused> {
    let Some(word) = value.get("do").and_then(Value::as_str).map(str::to_owned) else {
        return Err(Refused::Words(
            "an order says what to do: {\"do\":\"check\",\"units\":[…]}; see docs/commands.md"
                .into(),
        ));
    };
    if !COMMANDS.contains(&word.as_str()) {
        let near = rulebook::nearest(&word, COMMANDS.iter().copied())
            .map_or(String::new(), |n| format!("; did you mean {n}?"));
        return Err(Refused::Words(format!("no order `{word}`: {}{near}", COMMANDS.join(", "))));
    }
    if word == "done"
        && let Some(object) = value.as_object()
    {
        only(object, &["do"])?;
    }
    serde_json::from_value(value).map_err(|e| {
        let why = in_words(&e.to_string());
        Refused::Words(format!("the order `{word}` is not whole: {why}"))
    })
}

/// Whether an object has no keys but some: one that is not known is a mistake, not a remark.
fn only(object: &serde_json::Map<String, Value>, known: &[&str]) -> Result<(), Refused> {
    match object.keys().find(|key| !known.contains(&key.as_str())) {
        None => Ok(()),
        Some(other) if known.is_empty() => {
            Err(Refused::Words(format!("`{other}` is not known here: nothing else belongs here")))
        }
        Some(other) => {
            Err(Refused::Words(format!("`{other}` is not known here: {}", known.join(", "))))
        }
    }
}

/// The words orders begin with.
pub const COMMANDS: &[&str] = &[
    "attach",
    "detach",
    "replace",
    "enter",
    "check",
    "charge",
    "maneuver",
    "go",
    "send-off",
    "rejoin",
    "move-leader",
    "fire",
    "fight",
    "decide",
    "done",
];
