//! Orders in plain words, for a game typed at a prompt.

use regimental::battle::{Battle, Command, Decision, Formation, Id, Step};
use table::{Corner, Facing, Point, Pose, mils};

/// What can be typed.
pub const HELP: &str = "\
orders
  check UNIT [UNIT …]                 a maneuver check, the units of one leader together
  charge UNIT TARGET [cold-steel] [disordered] [wheel DEGREES]
  move (or maneuver) UNIT STEP [, STEP …] [disordered]
      steps: advance 6 · withdraw 3 · oblique left 4 30 · wheel right 20 · turn 90 · about-face
             flank-march left 3 · road NAME 8 [back] · form line [left|right] · deploy-to-the-front
             change-front left 60 [backward] · refuse-flank right 2 45 · expand 1 · limber · unlimber 0
             pivot 45 · hand-haul 2 · mount · dismount · scale NAME · garrison NAME · replenish · rally
  go UNIT X Y FACING                  the planner finds the steps
  hold UNIT                           it stays where it is
  fire UNIT [UNIT …] at TARGET        together, one die; add `passing` for fire as it passed
  fight UNIT                          a charge combat
  stand, countercharge, square, shelter SQUARE, carry, recall INCHES FACING, advance INCHES, widen INCHES
  attach LEADER UNIT · detach LEADER · replace LEADER UNIT · ride LEADER X Y · enter UNIT INCHES
  send-off UNIT DETACHMENT X Y FACING · rejoin UNIT
  done                                this step is over; done anyway, whoever could still act in it
  NUMBER                              one of the options shown last
questions
  options [UNIT]                      what may be done now, or by a unit, by number; and why not the rest
  odds ORDER                          every roll with its modifiers and chances, before it is made;
                                      also of a check, a charge or fire whose step has not come yet
  rule CLAUSE                         what a clause or ruling says; a refusal names its clause
  units (or show) · unit NAME · leader NAME · leaders · positions · terrain · map · reach UNIT
  help [WORD] · undo [TIMES] · redo · save FILE · quit (or exit)";

/// What can be typed with a word in it.
#[must_use]
pub fn help(word: &str) -> String {
    let about = |line: &str| {
        let words = line.split(|c: char| !c.is_alphanumeric() && c != '-');
        words.into_iter().any(|w| w == word)
    };
    // The lines that explain a line stand farther in.
    let mut found = Vec::new();
    let mut explains = false;
    for line in HELP.lines() {
        let deeper = line.starts_with("      ");
        explains = if deeper { explains } else { about(line) };
        if explains || deeper && about(line) {
            found.push(line);
        }
    }
    match found.is_empty() {
        true => format!("Nothing is known of `{word}`: type help for what can be typed."),
        false => found.join("\n"),
    }
}

/// The words after the first, taken one by one: what is left over was not understood.
struct Words<'w> {
    verb: &'w str,
    left: Vec<&'w str>,
}

impl<'w> Words<'w> {
    fn next(&mut self) -> Option<&'w str> {
        (!self.left.is_empty()).then(|| self.left.remove(0))
    }

    fn say(&mut self, what: &str) -> Result<&'w str, String> {
        let verb = self.verb;
        self.next().ok_or_else(|| format!("{verb}: say {what}"))
    }

    fn id(&mut self, what: &str) -> Result<Id, String> {
        id(self.say(what)?)
    }

    fn ids(&mut self) -> Result<Vec<Id>, String> {
        if self.left.is_empty() {
            return Err(format!("{}: say which units", self.verb));
        }
        // "the 23rd and the 33rd" is how one says it.
        std::mem::take(&mut self.left).into_iter().filter(|w| *w != "and").map(id).collect()
    }

    fn number(&mut self) -> Result<f64, String> {
        let word = self.next();
        number(word).map_err(|why| format!("{}: {why}", self.verb))
    }

    fn pose(&mut self) -> Result<Pose, String> {
        let (x, y, facing) = (self.number()?, self.number()?, self.number()?);
        Ok(Pose::new(Point::at(x, y), Facing::degrees(facing)))
    }

    /// Whether a word stands anywhere among them; it is taken.
    fn has(&mut self, word: &str) -> bool {
        let at = self.left.iter().position(|w| *w == word);
        at.map(|i| self.left.remove(i)).is_some()
    }

    /// The number behind a word, if the word is there.
    fn after(&mut self, word: &str) -> Result<Option<f64>, String> {
        let Some(i) = self.left.iter().position(|w| *w == word) else { return Ok(None) };
        self.left.remove(i);
        let given = (i < self.left.len()).then(|| self.left.remove(i));
        number(given).map(Some).map_err(|why| format!("{word}: {why}"))
    }

    /// Nothing is left over.
    fn end<T>(&self, read: T) -> Result<T, String> {
        match self.left.first() {
            None => Ok(read),
            Some(word) => Err(format!("`{word}` is too much: type help {}", self.verb)),
        }
    }
}

/// The words of a line: commas between them are only that.
fn split(text: &str) -> Vec<&str> {
    text.split(between).filter(|w| !w.is_empty()).collect()
}

fn between(c: char) -> bool {
    c.is_whitespace() || c == ','
}

/// Reads an order in words.
///
/// # Errors
/// What could not be understood, and what would be.
pub fn order(battle: &Battle, line: &str) -> Result<Command, String> {
    let line = line.trim().to_lowercase();
    let (verb, rest) = line.split_once(char::is_whitespace).unwrap_or((&line, ""));
    let mut words = Words { verb, left: split(rest) };
    let order = match verb {
        "check" => Command::Check { units: words.ids()? },
        "charge" => Command::Charge {
            unit: words.id("who charges")?,
            target: words.id("whom")?,
            cold_steel: words.has("cold-steel"),
            disordered: words.has("disordered"),
            wheel: words.after("wheel")?,
        },
        "move" | "maneuver" => return maneuver(rest, words),
        "hold" => {
            let unit = words.id("which unit")?;
            Command::Maneuver { unit, steps: vec![], disordered: false }
        }
        "go" => Command::Go {
            unit: words.id("which unit")?,
            to: words.pose()?,
            disordered: words.has("disordered"),
        },
        "fire" => {
            let passing = words.has("passing");
            let split = words.left.iter().position(|w| *w == "at");
            let target = words.left.split_off(split.ok_or("fire: say `fire UNIT … at TARGET`")?);
            let units = words.ids()?;
            words.left = target[1..].to_vec();
            Command::Fire { units, target: words.id("at whom")?, passing, mark: None }
        }
        "fight" => Command::Fight { unit: words.id("one of the chargers")? },
        "attach" => {
            Command::Attach { leader: words.id("which leader")?, unit: words.id("which unit")? }
        }
        "detach" => Command::Detach { leader: words.id("which leader")? },
        "replace" => {
            Command::Replace { leader: words.id("which leader")?, unit: words.id("which unit")? }
        }
        "ride" => Command::MoveLeader {
            leader: words.id("which leader")?,
            to: Point::at(words.number()?, words.number()?),
        },
        "enter" => Command::Enter { unit: words.id("which unit")?, inches: mils(words.number()?) },
        "send-off" => Command::SendOff {
            unit: words.id("which unit")?,
            detachment: words.id("which detachment")?,
            to: words.pose()?,
        },
        "rejoin" => Command::Rejoin { unit: words.id("which unit")? },
        "done" => {
            words.has("anyway");
            Command::Done
        }
        _ if CHOICES.contains(&verb) => decision(battle, &mut words)?,
        other => {
            let near = rulebook::nearest(other, ORDERS.iter().chain(CHOICES).copied())
                .map_or("type help".to_owned(), |n| format!("did you mean `{n}`?"));
            return Err(format!("`{other}` is no order: {near}"));
        }
    };
    words.end(order)
}

/// The words orders begin with.
const ORDERS: &[&str] = &[
    "check", "charge", "move", "hold", "go", "fire", "fight", "attach", "detach", "replace",
    "ride", "enter", "send-off", "rejoin", "done",
];

/// The words with which a choice is answered.
const CHOICES: &[&str] =
    &["stand", "countercharge", "square", "shelter", "carry", "recall", "advance", "widen"];

fn maneuver(rest: &str, mut words: Words<'_>) -> Result<Command, String> {
    let unit = words.id("which unit, and the steps")?;
    let rest = rest.trim_start().split_once(between).map_or("", |r| r.1);
    let mut disordered = false;
    let mut steps = Vec::new();
    for text in rest.split(',') {
        let mut left: Vec<&str> = text.split_whitespace().collect();
        let before = left.len();
        left.retain(|w| *w != "disordered");
        disordered |= left.len() < before;
        if !left.is_empty() {
            steps.push(step(left)?);
        }
    }
    if steps.is_empty() {
        return Err(format!(
            "{}: say the steps, such as `move {unit} advance 6`; or `hold {unit}`",
            words.verb
        ));
    }
    Ok(Command::Maneuver { unit, steps, disordered })
}

fn decision(battle: &Battle, words: &mut Words<'_>) -> Result<Command, String> {
    let awaiting = journal::Battle::awaiting(battle);
    let Some(unit) = awaiting.choice.map(|choice| choice.unit()) else {
        return Err("no choice is owed now".into());
    };
    let decision = match words.verb {
        "stand" => Decision::Stand,
        "countercharge" => Decision::Countercharge,
        "square" => Decision::HastySquare,
        "carry" => Decision::Carry,
        "advance" => Decision::Advance { inches: mils(words.number()?) },
        "widen" => Decision::Widen { gap: mils(words.number()?) },
        "shelter" => Decision::Shelter { square: words.id("in which square")? },
        _ => Decision::Recall {
            inches: mils(words.number()?),
            facing: Facing::degrees(words.number()?),
        },
    };
    Ok(Command::Decide { unit, decision })
}

fn id(word: &str) -> Result<Id, String> {
    Id::new(word).ok_or_else(|| format!("`{word}` is no short name"))
}

fn number(word: Option<&str>) -> Result<f64, String> {
    let word = word.ok_or("a number is missing")?;
    word.parse::<f64>()
        .ok()
        .filter(|n| n.is_finite() && n.abs() < 10_000.0)
        .ok_or_else(|| format!("`{word}` is no number"))
}

fn corner(words: &mut Words<'_>) -> Result<Corner, String> {
    match words.say("left or right")? {
        "left" => Ok(Corner::Left),
        "right" => Ok(Corner::Right),
        other => Err(format!("{}: left or right, not `{other}`", words.verb)),
    }
}

fn step(mut left: Vec<&str>) -> Result<Step, String> {
    let mut words = Words { verb: left.remove(0), left };
    let step = match words.verb {
        "advance" => Step::Advance { inches: mils(words.number()?) },
        "withdraw" => Step::Withdraw { inches: mils(words.number()?) },
        "oblique" => Step::Oblique {
            to: corner(&mut words)?,
            inches: mils(words.number()?),
            degrees: words.number()?,
        },
        "wheel" => Step::Wheel { to: corner(&mut words)?, degrees: words.number()? },
        "turn" => Step::Turn { facing: Facing::degrees(words.number()?) },
        "about-face" => Step::AboutFace,
        "flank-march" => {
            Step::FlankMarch { to: corner(&mut words)?, inches: mils(words.number()?) }
        }
        "road" => Step::Road {
            road: words.id("which")?,
            inches: mils(words.number()?),
            forward: !words.has("back"),
        },
        "form" => form(&mut words)?,
        "deploy-to-the-front" => Step::DeployToTheFront,
        "change-front" => Step::ChangeFront {
            to: corner(&mut words)?,
            degrees: words.number()?,
            backward: words.has("backward"),
        },
        "refuse-flank" => {
            let flank = corner(&mut words)?;
            let files = words.number()?;
            if !(1.0..=40.0).contains(&files) {
                return Err("refuse-flank: from 1 file up".into());
            }
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // checked
            let files = files as u8;
            Step::RefuseFlank { flank, files, degrees: words.number()? }
        }
        "expand" => Step::Expand { gap: mils(words.number()?) },
        "limber" => Step::Limber,
        "unlimber" => Step::Unlimber { facing: Facing::degrees(words.number()?) },
        "pivot" => Step::Pivot { facing: Facing::degrees(words.number()?) },
        "hand-haul" => Step::HandHaul { inches: mils(words.number()?) },
        "mount" => Step::Mount,
        "dismount" => Step::Dismount,
        "scale" => Step::Scale { obstacle: words.id("what")? },
        "garrison" => Step::Garrison { building: words.id("what")? },
        "replenish" => Step::Replenish,
        "rally" => Step::Rally,
        other if other.parse::<f64>().is_ok() => {
            return Err(format!("`{other}` is no step: write a part of an inch with a point, 4.5"));
        }
        other => return Err(format!("`{other}` is no step: type help move")),
    };
    words.end(step)
}

fn form(words: &mut Words<'_>) -> Result<Step, String> {
    let name = words.say("which formation")?;
    let formation = Formation::all().find(|f| f.name() == name);
    let names = || Formation::all().map(|f| f.name()).collect::<Vec<_>>().join(", ");
    let formation =
        formation.ok_or_else(|| format!("form: `{name}` is no formation: {}", names()))?;
    let toward = (!words.left.is_empty()).then(|| corner(words)).transpose()?;
    Ok(Step::Form { formation, toward })
}
