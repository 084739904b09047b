//! Orders in plain words, for a game typed at a prompt.

use regimental::battle::{Battle, Command, Decision, Formation, Id, Step};
use table::{Corner, Facing, Point, Pose, mils};

/// What can be typed.
pub const HELP: &str = "\
orders
  check UNIT [UNIT …]                 a maneuver check, the units of one leader together
  charge UNIT TARGET [cold-steel] [disordered] [wheel DEGREES]
  move UNIT STEP [, STEP …] [disordered]
      steps: advance 6 · withdraw 3 · oblique left 4 30 · wheel right 20 · turn 90 · about-face
             flank-march left 3 · road NAME 8 [back] · form line [left|right] · deploy-to-the-front
             change-front left 60 [backward] · refuse-flank right 2 45 · expand 1 · limber · unlimber 0
             pivot 45 · hand-haul 2 · mount · dismount · scale NAME · garrison NAME · replenish · rally
  go UNIT X Y FACING                  the planner finds the steps
  hold UNIT                           it stays where it is
  fire UNIT [UNIT …] at TARGET        together, one die; add `passing` for fire as it passed
  fight UNIT                          a charge combat
  stand, countercharge, square, shelter SQUARE, carry, recall INCHES FACING, advance INCHES
  attach LEADER UNIT · detach LEADER · replace LEADER UNIT · ride LEADER X Y · enter UNIT INCHES
  send-off UNIT DETACHMENT X Y FACING · rejoin UNIT
  done                                this step is over
questions
  show · units · unit UNIT · map · odds ORDER · reach UNIT · help · undo · redo · save FILE · quit";

/// Reads an order in words.
///
/// # Errors
/// What could not be understood, and what would be.
pub fn order(battle: &Battle, line: &str) -> Result<Command, String> {
    let line = line.trim();
    let (verb, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let words: Vec<&str> = rest.split_whitespace().collect();
    let at =
        |i: usize, what: &str| words.get(i).copied().ok_or_else(|| format!("{verb}: say {what}"));
    match verb {
        "check" => Ok(Command::Check { units: ids(&words)? }),
        "charge" => {
            let after = words.get(2..).unwrap_or_default();
            let wheel = after
                .iter()
                .position(|w| *w == "wheel")
                .map(|i| number(after.get(i + 1).copied()))
                .transpose()?;
            Ok(Command::Charge {
                unit: id(at(0, "who charges")?)?,
                target: id(at(1, "whom")?)?,
                cold_steel: after.contains(&"cold-steel"),
                disordered: after.contains(&"disordered"),
                wheel,
            })
        }
        "move" | "maneuver" => {
            let unit = id(at(0, "which unit")?)?;
            let rest = rest.trim_start().split_once(char::is_whitespace).map_or("", |r| r.1);
            let disordered = rest.split_whitespace().any(|w| w == "disordered");
            let rest = rest.replace("disordered", "");
            let steps = rest
                .split(',')
                .map(str::trim)
                .filter(|s| !s.is_empty())
                .map(step)
                .collect::<Result<_, _>>()?;
            Ok(Command::Maneuver { unit, steps, disordered })
        }
        "hold" => Ok(Command::Maneuver {
            unit: id(at(0, "which unit")?)?,
            steps: vec![],
            disordered: false,
        }),
        "go" => Ok(Command::Go {
            unit: id(at(0, "which unit")?)?,
            to: pose(&words, 1)?,
            disordered: words.contains(&"disordered"),
        }),
        "fire" => {
            let split =
                words.iter().position(|w| *w == "at").ok_or("fire: say `fire UNIT … at TARGET`")?;
            let target = id(words.get(split + 1).copied().ok_or("fire: say at whom")?)?;
            Ok(Command::Fire {
                units: ids(&words[..split])?,
                target,
                passing: words.contains(&"passing"),
                mark: None,
            })
        }
        "fight" => Ok(Command::Fight { unit: id(at(0, "one of the chargers")?)? }),
        "attach" => Ok(Command::Attach {
            leader: id(at(0, "which leader")?)?,
            unit: id(at(1, "which unit")?)?,
        }),
        "detach" => Ok(Command::Detach { leader: id(at(0, "which leader")?)? }),
        "replace" => Ok(Command::Replace {
            leader: id(at(0, "which leader")?)?,
            unit: id(at(1, "which unit")?)?,
        }),
        "ride" => Ok(Command::MoveLeader {
            leader: id(at(0, "which leader")?)?,
            to: Point::at(number(words.get(1).copied())?, number(words.get(2).copied())?),
        }),
        "enter" => Ok(Command::Enter {
            unit: id(at(0, "which unit")?)?,
            inches: mils(number(words.get(1).copied())?),
        }),
        "send-off" => Ok(Command::SendOff {
            unit: id(at(0, "which unit")?)?,
            detachment: id(at(1, "which detachment")?)?,
            to: pose(&words, 2)?,
        }),
        "rejoin" => Ok(Command::Rejoin { unit: id(at(0, "which unit")?)? }),
        "done" => Ok(Command::Done),
        "stand" | "countercharge" | "square" | "shelter" | "carry" | "recall" | "advance" => {
            decision(battle, verb, &words)
        }
        other => {
            let known = [
                "check",
                "charge",
                "move",
                "hold",
                "go",
                "fire",
                "fight",
                "attach",
                "detach",
                "replace",
                "ride",
                "enter",
                "done",
                "stand",
                "recall",
                "carry",
                "advance",
                "countercharge",
                "square",
            ];
            let near = rulebook::nearest(other, known)
                .map_or("type help".to_owned(), |n| format!("did you mean `{n}`?"));
            Err(format!("`{other}` is no order: {near}"))
        }
    }
}

fn decision(battle: &Battle, verb: &str, words: &[&str]) -> Result<Command, String> {
    let awaiting = journal::Battle::awaiting(battle);
    let Some(unit) = awaiting.choice.map(|choice| choice.unit()) else {
        return Err("no choice is owed now".into());
    };
    let decision = match verb {
        "stand" => Decision::Stand,
        "countercharge" => Decision::Countercharge,
        "square" => Decision::HastySquare,
        "carry" => Decision::Carry,
        "advance" => Decision::Advance { inches: mils(number(words.first().copied())?) },
        "shelter" => Decision::Shelter {
            square: id(words.first().copied().ok_or("shelter: say in which square")?)?,
        },
        _ => Decision::Recall {
            inches: mils(number(words.first().copied())?),
            facing: Facing::degrees(number(words.get(1).copied())?),
        },
    };
    Ok(Command::Decide { unit, decision })
}

fn id(word: &str) -> Result<Id, String> {
    Id::new(word).ok_or_else(|| format!("`{word}` is no short name"))
}

fn ids(words: &[&str]) -> Result<Vec<Id>, String> {
    if words.is_empty() {
        return Err("say which units".into());
    }
    words.iter().map(|w| id(w)).collect()
}

fn number(word: Option<&str>) -> Result<f64, String> {
    let word = word.ok_or("a number is missing")?;
    word.parse::<f64>()
        .ok()
        .filter(|n| n.is_finite() && n.abs() < 10_000.0)
        .ok_or_else(|| format!("`{word}` is no number"))
}

fn pose(words: &[&str], from: usize) -> Result<Pose, String> {
    let n = |i: usize| number(words.get(from + i).copied());
    Ok(Pose::new(Point::at(n(0)?, n(1)?), Facing::degrees(n(2)?)))
}

fn corner(word: Option<&str>) -> Result<Corner, String> {
    match word {
        Some("left") => Ok(Corner::Left),
        Some("right") => Ok(Corner::Right),
        other => Err(format!("left or right, not `{}`", other.unwrap_or(""))),
    }
}

fn step(text: &str) -> Result<Step, String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let n = |i: usize| number(words.get(i).copied());
    let w = |i: usize| words.get(i).copied();
    Ok(match words.first().copied().unwrap_or("") {
        "advance" => Step::Advance { inches: mils(n(1)?) },
        "withdraw" => Step::Withdraw { inches: mils(n(1)?) },
        "oblique" => Step::Oblique { to: corner(w(1))?, inches: mils(n(2)?), degrees: n(3)? },
        "wheel" => Step::Wheel { to: corner(w(1))?, degrees: n(2)? },
        "turn" => Step::Turn { facing: Facing::degrees(n(1)?) },
        "about-face" => Step::AboutFace,
        "flank-march" => Step::FlankMarch { to: corner(w(1))?, inches: mils(n(2)?) },
        "road" => Step::Road {
            road: id(w(1).ok_or("road: say which")?)?,
            inches: mils(n(2)?),
            forward: w(3) != Some("back"),
        },
        "form" => {
            let name = w(1).unwrap_or("");
            let formation = Formation::all()
                .find(|f| f.name() == name)
                .ok_or_else(|| format!("form: `{name}` is no formation"))?;
            Step::Form { formation, toward: w(2).map(|t| corner(Some(t))).transpose()? }
        }
        "deploy-to-the-front" => Step::DeployToTheFront,
        "change-front" => Step::ChangeFront {
            to: corner(w(1))?,
            degrees: n(2)?,
            backward: w(3) == Some("backward"),
        },
        "refuse-flank" => {
            let files = n(2)?;
            if !(1.0..=40.0).contains(&files) {
                return Err("refuse-flank: from 1 file up".into());
            }
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // checked
            let files = files as u8;
            Step::RefuseFlank { flank: corner(w(1))?, files, degrees: n(3)? }
        }
        "expand" => Step::Expand { gap: mils(n(1)?) },
        "limber" => Step::Limber,
        "unlimber" => Step::Unlimber { facing: Facing::degrees(n(1)?) },
        "pivot" => Step::Pivot { facing: Facing::degrees(n(1)?) },
        "hand-haul" => Step::HandHaul { inches: mils(n(1)?) },
        "mount" => Step::Mount,
        "dismount" => Step::Dismount,
        "scale" => Step::Scale { obstacle: id(w(1).ok_or("scale: say what")?)? },
        "garrison" => Step::Garrison { building: id(w(1).ok_or("garrison: say what")?)? },
        "replenish" => Step::Replenish,
        "rally" => Step::Rally,
        other => return Err(format!("`{other}` is no step: type help")),
    })
}
