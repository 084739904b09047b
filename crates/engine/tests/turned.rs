//! A table turned by a right angle or moved is the same battle: the same options, results and
//! measures.
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

use dice::stream::Source;
use engine::{Library, Scenario, auto};
use regimental::battle::{Battle, Command, Step};
use table::{Facing, Point, Pose};

/// A scenario text with every place and facing changed.
fn changed(
    text: &str,
    place: impl Fn(f64, f64) -> (f64, f64),
    facing: impl Fn(f64) -> f64,
    swap: bool,
) -> String {
    let pair = |list: &str| -> String {
        let numbers: Vec<f64> =
            list.split([',', '[', ']', ' ']).filter_map(|n| n.parse().ok()).collect();
        let pairs: Vec<String> = numbers
            .chunks(2)
            .map(|p| {
                let (x, y) = place(p[0], p[1]);
                format!("[{x}, {y}]")
            })
            .collect();
        pairs.join(", ")
    };
    text.lines()
        .map(|line| match line.split_once(" = ") {
            Some(("at", list)) => format!("at = {}", pair(list)),
            Some(("points", list)) => format!("points = [{}]", pair(list)),
            Some(("facing", degrees)) => format!("facing = {}", facing(degrees.parse().unwrap())),
            Some(("home", edge)) if swap => format!(
                "home = {}",
                match edge {
                    "\"south\"" => "\"west\"",
                    "\"north\"" => "\"east\"",
                    "\"east\"" => "\"south\"",
                    _ => "\"north\"",
                }
            ),
            Some(("width", w)) if swap && w.parse::<f64>().is_ok_and(|w| w > 20.0) => {
                format!("height = {w}")
            }
            Some(("height", h)) if swap => format!("width = {h}"),
            _ => line.to_owned(),
        })
        .collect::<Vec<_>>()
        .join("\n")
}

/// The same order on the changed table.
fn order(command: Command, point: &dyn Fn(Point) -> Point, turn: i32) -> Command {
    let pose = |p: Pose| Pose::new(point(p.at), p.facing.turned(turn));
    let step = |s: Step| match s {
        Step::Turn { facing } => Step::Turn { facing: facing.turned(turn) },
        Step::Unlimber { facing } => Step::Unlimber { facing: facing.turned(turn) },
        Step::Pivot { facing } => Step::Pivot { facing: facing.turned(turn) },
        other => other,
    };
    match command {
        Command::Maneuver { unit, steps, disordered } => {
            Command::Maneuver { unit, steps: steps.into_iter().map(step).collect(), disordered }
        }
        Command::Go { unit, to, disordered } => Command::Go { unit, to: pose(to), disordered },
        Command::MoveLeader { leader, to } => Command::MoveLeader { leader, to: point(to) },
        Command::Decide {
            unit,
            decision: regimental::battle::Decision::Recall { inches, facing },
        } => Command::Decide {
            unit,
            decision: regimental::battle::Decision::Recall { inches, facing: facing.turned(turn) },
        },
        other => other,
    }
}

/// What does not depend on where north is.
fn essence(battle: &Battle, point: &dyn Fn(Point) -> Point, turn: i32) -> Vec<String> {
    let unit = |u: &regimental::battle::Unit| {
        let stands: Vec<(Point, Facing)> =
            u.place.stands.iter().map(|p| (point(p.at), p.facing.turned(turn))).collect();
        format!(
            "{} {:?} {} {:?} {:?} {:?} {:?}",
            u.id(),
            u.whereabouts,
            u.stands,
            u.order,
            u.place.formation,
            stands,
            u.guns
        )
    };
    let mut all: Vec<String> = battle.units().iter().map(unit).collect();
    all.push(format!(
        "{} {:?} {:?} {:?} {:?}",
        battle.turn(),
        battle.mover(),
        battle.phase(),
        battle.points(),
        battle.awaited()
    ));
    all
}

fn same_battle(id: &str, text: &str, point: &dyn Fn(Point) -> Point, turn: i32) {
    let library = Library::default();
    let plain = Scenario::built_in(&library, id).unwrap().unwrap();
    let other = Scenario::read(&library, "changed", text).unwrap_or_else(|f| panic!("{f}"));
    let still = |p: Point| p;
    for seed in 0..6 {
        let seed = format!("turned {seed}");
        let (mut a, mut b) = (plain.battle.clone(), other.battle.clone());
        let mut dice = [Source::seeded(&seed), Source::seeded(&seed)];
        let mut pick = auto::picker(&seed);
        let mut last = None;
        for n in 0..auto::MOST_ORDERS {
            for (here, there) in essence(&a, point, turn).iter().zip(essence(&b, &still, 0)) {
                assert_eq!(*here, there, "{id}, {seed}, order {n}, after {last:?}");
            }
            let Some(command) = a.some_order(&mut pick) else { break };
            let there = order(command.clone(), point, turn);
            last = Some(command.clone());
            let by = b.awaited().unwrap();
            journal::Battle::check(&b, by, &there)
                .unwrap_or_else(|no| panic!("{id}, {seed}, order {n}: {no}"));
            let first = journal::carry_out(&mut a, &mut dice[0], &command).unwrap();
            let second = journal::carry_out(&mut b, &mut dice[1], &there).unwrap();
            assert_eq!(first.0, second.0, "the same dice");
        }
    }
}

#[test]
fn a_table_turned_by_a_right_angle() {
    for id in ["training-15mm", "training-triple-alliance"] {
        let (_, text) = engine::SCENARIOS.iter().find(|s| s.0 == id).unwrap();
        // Clockwise: what was north is east. (x, y) goes to (y, width - x).
        let text = changed(text, |x, y| (y, 48.0 - x), |f| f + 90.0, true);
        same_battle(id, &text, &|p| Point { x: p.y, y: 48_000 - p.x }, 9000);
    }
}

#[test]
fn a_battle_moved_across_a_wider_table() {
    let id = "training-15mm";
    let (_, text) = engine::SCENARIOS.iter().find(|s| s.0 == id).unwrap();
    let moved =
        changed(text, |x, y| (x + 7.0, y), |f| f, false).replace("width = 48", "width = 62");
    let library = Library::default();
    let (a, b) = (
        Scenario::built_in(&library, id).unwrap().unwrap(),
        Scenario::read(&library, "moved", &moved).unwrap(),
    );
    let shift = |p: Point| Point { x: p.x + 7000, y: p.y };
    assert_eq!(essence(&a.battle, &shift, 0), essence(&b.battle, &|p| p, 0));
    // The edges are elsewhere, but every measure is the same: who may fire, charge and where to.
    for unit in a.battle.units().iter().filter(|u| u.present()) {
        let there = b.battle.unit(unit.id()).unwrap();
        for other in a.battle.units().iter().filter(|u| u.present()) {
            assert_eq!(unit.distance(other), there.distance(b.battle.unit(other.id()).unwrap()));
        }
        assert_eq!(a.battle.commanded(unit), b.battle.commanded(there));
    }
}
