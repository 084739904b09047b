//! One battle of many: it is fought to its end, and what a report needs of it is written down.

use std::collections::BTreeMap;

use dice::stream::Source;
use engine::Scenario;
use engine::game::Game;
use general::{Mind, Temper};
use journal::carry_out;
use regimental::battle::state::Gone;
use regimental::battle::{Battle, Command, Event, Side};
use serde::{Deserialize, Serialize};
use table::{INCH, Mils, Point};

use crate::player::Player;

/// No battle takes more orders than this.
const MOST_ORDERS: u32 = 20_000;

/// The side of a cell of the heat maps.
pub const CELL: Mils = 2 * INCH;

/// Who fights what, with which dice.
#[derive(Clone, Copy)]
pub struct Match<'a> {
    /// On what.
    pub scenario: &'a Scenario,
    /// Who commands each side.
    pub players: &'a [Player; 2],
    /// The seed of the whole run; each battle has dice of its own from it.
    pub seed: &'a str,
}

/// What became of one battle.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Fought {
    /// Which battle of the run.
    pub n: u64,
    /// The side that won: 0 or 1; nobody in a draw.
    pub winner: Option<u8>,
    /// The points of both sides.
    pub points: [i32; 2],
    /// The turn it ended in.
    pub turns: u8,
    /// Why it ended.
    pub reason: regimental::battle::Reason,
    /// Orders given.
    pub orders: u32,
    /// Stands lost by both sides.
    pub lost: [u32; 2],
    /// The lead of side 0 in points at the end of each turn.
    pub leads: Vec<i32>,
    /// When and where the winner got ahead for good.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decided: Option<Decided>,
    /// Stands lost: which unit, in which turn, how many.
    pub losses: Vec<(u16, u8, u8)>,
    /// Units that left the table: which, in which turn.
    pub gone: Vec<(u16, u8)>,
    /// By how much each kind of result moved the battle for side 0, and how often it came up.
    pub swings: BTreeMap<String, (u32, f64)>,
    /// Where each side's stands were at the end of the turns: cell, stands.
    pub places: [Vec<(u32, u32)>; 2],
    /// Where each side's stands fell: cell, stands.
    pub fallen: [Vec<(u32, u32)>; 2],
}

/// The moment a battle was decided.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Decided {
    /// The turn.
    pub turn: u8,
    /// The cell of the result that moved it most in that turn.
    pub cell: u32,
    /// That result.
    pub by: String,
}

/// How a table is cut into cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Grid {
    /// Cells across.
    pub wide: u32,
    /// Cells down.
    pub high: u32,
}

impl Grid {
    /// The cells of a battle's table.
    #[must_use]
    pub fn of(battle: &Battle) -> Self {
        let cells = |length: Mils| u32::try_from((length + CELL - 1) / CELL).unwrap_or(1).max(1);
        Self { wide: cells(battle.field().width), high: cells(battle.field().height) }
    }

    fn cell(self, at: Point) -> u32 {
        let index = |v: Mils, most: u32| u32::try_from(v / CELL).unwrap_or(0).min(most - 1);
        index(at.y, self.high) * self.wide + index(at.x, self.wide)
    }
}

/// Keeps the books of a battle while it is fought.
struct Clerk {
    grid: Grid,
    /// The lead before the first order: positions may be held from the start.
    start: i32,
    leads: Vec<i32>,
    /// The result that moved the battle most in each turn: turn, for whom, by how much.
    strokes: Vec<(u8, f64, u32, String)>,
    losses: Vec<(u16, u8, u8)>,
    gone: Vec<(u16, u8)>,
    swings: BTreeMap<String, (u32, f64)>,
    places: [BTreeMap<u32, u32>; 2],
    fallen: [BTreeMap<u32, u32>; 2],
}

/// The result of an order that threw dice, in words, and whom it was about.
fn result(events: &[Event]) -> Option<(String, regimental::battle::Id)> {
    for event in events {
        match event {
            Event::Fired { target, effect, .. } => {
                return Some((format!("fire: {}", name(effect)), *target));
            }
            Event::Fought { defenders, effect, .. } => {
                return Some((format!("charge: {}", name(effect)), *defenders.first()?));
            }
            Event::Checked { units, .. } => {
                let worst = units.iter().max_by_key(|u| u.effect as u8)?;
                return Some((format!("maneuver: {}", name(&worst.effect)), worst.unit));
            }
            _ => {}
        }
    }
    None
}

/// The rulebook's word for an effect.
fn name(effect: &impl Serialize) -> String {
    serde_json::to_value(effect)
        .ok()
        .and_then(|v| v.as_str().map(str::to_owned))
        .unwrap_or_default()
}

/// What an order may change, as it was before it.
#[derive(Default)]
struct Before {
    turn: u8,
    lead: f64,
    /// Where each unit is, and how many stands it has.
    places: Vec<(Point, u8)>,
}

impl Before {
    fn look(&mut self, battle: &Battle) {
        self.turn = battle.turn();
        self.places.clear();
        self.places.extend(battle.units().iter().map(|u| (u.middle, u.stands)));
    }
}

/// Which of a battle's units it is: the list is the same from the first order to the last.
fn index(battle: &Battle, unit: regimental::battle::Id) -> Option<usize> {
    battle.units().iter().position(|u| u.id() == unit)
}

impl Clerk {
    fn new(battle: &Battle) -> Self {
        Self {
            grid: Grid::of(battle),
            start: battle.points()[0] - battle.points()[1],
            leads: Vec::new(),
            strokes: Vec::new(),
            losses: Vec::new(),
            gone: Vec::new(),
            swings: BTreeMap::new(),
            places: Default::default(),
            fallen: Default::default(),
        }
    }

    /// Writes down what an order did.
    fn note(&mut self, was: &Before, now: &Battle, events: &[Event]) -> f64 {
        self.fallen(was, now, events);
        let lead = general::lead(now, Side::One);
        if let Some((kind, about)) = result(events) {
            let swing = lead - was.lead;
            let cell = index(now, about).map_or(0, |i| self.grid.cell(was.places[i].0));
            let sum = self.swings.entry(kind.clone()).or_default();
            sum.0 += 1;
            sum.1 += swing;
            self.strokes.push((was.turn, swing, cell, kind));
        }
        if was.turn != now.turn() || now.ending().is_some() {
            self.turn_over(now);
        }
        lead
    }

    /// Stands that fell, were wrecked, or left the table with their unit.
    fn fallen(&mut self, was: &Before, now: &Battle, events: &[Event]) {
        let mut left: Vec<u8> = was.places.iter().map(|p| p.1).collect();
        for event in events {
            let (id, lost, gone) = match event {
                Event::Lost { unit, stands, .. } => (unit, Some(*stands), false),
                Event::Gun { unit, wrecked: true, .. } => (unit, Some(1), false),
                Event::Removed { gone: Gone::Rejoined, .. } => continue,
                Event::Removed { unit, .. } => (unit, None, true),
                _ => continue,
            };
            let Some(i) = index(now, *id) else { continue };
            let number = u16::try_from(i).unwrap_or(u16::MAX);
            let lost = lost.unwrap_or(left[i]).min(left[i]);
            left[i] -= lost;
            if lost > 0 {
                self.losses.push((number, was.turn, lost));
                let cell = self.grid.cell(was.places[i].0);
                let side = now.units()[i].side().index();
                *self.fallen[side].entry(cell).or_default() += u32::from(lost);
            }
            if gone {
                self.gone.push((number, was.turn));
            }
        }
    }

    fn turn_over(&mut self, now: &Battle) {
        let [one, two] = now.ending().map_or_else(|| now.points(), |e| e.points);
        self.leads.push(one - two);
        for unit in now.units().iter().filter(|u| u.present()) {
            let cell = self.grid.cell(unit.middle);
            let stands = u32::from(unit.stands);
            *self.places[unit.side().index()].entry(cell).or_default() += stands;
        }
    }

    /// The first turn from which on the winner was never again behind what wins. Who led so from
    /// the start and was never caught has won no such moment.
    fn decided(&self, battle: &Battle, winner: Side) -> Option<Decided> {
        let margin = battle.terms().margin;
        let sign = if winner == Side::One { 1 } else { -1 };
        let behind = self.leads.iter().rposition(|lead| lead * sign < margin);
        if behind.is_none() && self.start * sign >= margin {
            return None;
        }
        let index = behind.map_or(0, |i| i + 1);
        let turn = u8::try_from(index + 1).unwrap_or(u8::MAX);
        let gain = |s: &&(u8, f64, u32, String)| s.1 * f64::from(sign);
        let stroke = self
            .strokes
            .iter()
            .filter(|s| s.0 == turn)
            .max_by(|a, b| gain(a).total_cmp(&gain(b)))?;
        Some(Decided { turn, cell: stroke.2, by: stroke.3.clone() })
    }
}

/// Fights one battle of a run.
///
/// # Errors
/// What stopped it: a fault of the program, never of the dice.
pub fn fight(of: &Match<'_>, n: u64) -> Result<Fought, String> {
    let mut battle = of.scenario.battle.clone();
    let seed = format!("{} {n}", of.seed);
    let mut dice = Source::seeded(&seed);
    let mut minds = minds(of.scenario, of.players, &seed);
    let mut clerk = Clerk::new(&battle);
    let mut before = Before { lead: general::lead(&battle, Side::One), ..Before::default() };
    for orders in 0..MOST_ORDERS {
        let Some(side) = battle.awaited() else {
            return finished(n, orders, &battle, clerk);
        };
        let stuck = |why: &str| format!("battle {n} stopped after {orders} orders: {why}");
        let order = minds[side.index()].order(&battle).ok_or_else(|| stuck("no order"))?;
        let quiet = matches!(order.command, Command::Maneuver { .. } | Command::MoveLeader { .. });
        if quiet {
            carry_out(&mut battle, &mut dice, &order.command).map_err(|_| stuck("no dice"))?;
            continue;
        }
        before.look(&battle);
        let (_, events) =
            carry_out(&mut battle, &mut dice, &order.command).map_err(|_| stuck("no dice"))?;
        before.lead = clerk.note(&before, &battle, &events);
    }
    Err(format!("battle {n} did not end"))
}

/// The minds of both sides, each with dice of its own.
fn minds(scenario: &Scenario, players: &[Player; 2], seed: &str) -> [Mind; 2] {
    [0, 1].map(|i| {
        let temper = Temper::named(&scenario.sides[i].temper).unwrap_or_default();
        players[i].mind(&format!("{seed} side {i}"), temper)
    })
}

/// Plays a game to its end with two players, and keeps every order with its reason. With the seed
/// `S N` it is battle N of a run with the seed S.
///
/// # Errors
/// What stopped it: a fault of the program, never of the dice.
pub fn watch(game: &mut Game, players: &[Player; 2], seed: &str) -> Result<(), String> {
    let mut minds = minds(&game.scenario, players, seed);
    for _ in 0..MOST_ORDERS {
        let Some(side) = game.now().awaited() else { return Ok(()) };
        let order = minds[side.index()].order(game.now()).ok_or("no order")?;
        let done = game.journal.submit(side, &order.command, &mut game.dice);
        done.map(drop).map_err(|_| format!("{:?} was refused", order.command))?;
        game.journal.explain(order.reason);
    }
    Err("it did not end".into())
}

fn finished(n: u64, orders: u32, battle: &Battle, clerk: Clerk) -> Result<Fought, String> {
    let ending = battle.ending().ok_or_else(|| format!("battle {n} has no end"))?;
    let decided = ending.winner.and_then(|w| clerk.decided(battle, w));
    let rounded = |(n, sum): (u32, f64)| (n, (sum * 1000.0).round() / 1000.0);
    Ok(Fought {
        n,
        winner: ending.winner.map(|w| w as u8),
        points: ending.points,
        turns: battle.turn(),
        reason: ending.reason,
        orders,
        lost: battle.stands_lost(),
        leads: clerk.leads,
        decided,
        losses: clerk.losses,
        gone: clerk.gone,
        swings: clerk.swings.into_iter().map(|(k, v)| (k, rounded(v))).collect(),
        places: clerk.places.map(|p| p.into_iter().collect()),
        fallen: clerk.fallen.map(|p| p.into_iter().collect()),
    })
}
