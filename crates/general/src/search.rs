//! The general: tries orders on copies of the battle, with dice of his own, and gives the one
//! after which he stands best.
//!
//! What a colonel would order is tried beside what he might order instead: another place for the
//! unit, to stand, another charge or none. Each is followed until his next turn begins, both sides
//! led by colonels. Every order meets the same dice, unit by unit, so that two orders differ by
//! what they do and less by luck; the colonel's is left only for one that is surely better.

use std::time::{Duration, Instant};

use dice::stream::Source;
use regimental::battle::{Battle, Command, Id, Side};

use crate::colonel;
use crate::colonel::plan::Plan;
use crate::seat::Seat;
use crate::worth;
use crate::{Doctrine, Order};

/// How long a general may think about one decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// So long by the clock: what it finds depends on the machine.
    Time(Duration),
    /// So many orders tried out: the same everywhere.
    Nodes(u64),
}

impl Default for Limit {
    fn default() -> Self {
        Self::Time(Duration::from_secs(2))
    }
}

/// What is left of a limit.
struct Budget {
    until: Option<Instant>,
    nodes: u64,
    /// When the last order was begun, and the longest that one has taken: another like it must
    /// still fit in.
    last: Instant,
    longest: Duration,
}

/// Left for what comes after the search, out of a limit by the clock.
const RESERVE: Duration = Duration::from_millis(8);

impl Budget {
    fn new(limit: Limit) -> Self {
        let last = Instant::now();
        let (until, nodes) = match limit {
            Limit::Time(time) => (last.checked_add(time.saturating_sub(RESERVE)), u64::MAX),
            Limit::Nodes(nodes) => (None, nodes),
        };
        Self { until, nodes, last, longest: Duration::ZERO }
    }

    /// Takes one order; `false` if the limit is reached.
    fn take(&mut self) -> bool {
        if self.nodes == 0 || self.is_late() {
            self.nodes = 0;
            return false;
        }
        self.nodes -= 1;
        true
    }

    fn is_late(&mut self) -> bool {
        let Some(until) = self.until else { return false };
        let now = Instant::now();
        self.longest = self.longest.max(now - self.last);
        self.last = now;
        now + self.longest >= until
    }
}

/// An order under trial, with what it came to in each round of dice.
struct Trial {
    order: Order,
    hopes: Vec<f64>,
}

impl Trial {
    /// How much better it is than another over the rounds both have met, and how sure that is:
    /// the mean of the differences and its standard error.
    fn better_than(&self, other: &Self) -> (f64, f64) {
        let n = self.hopes.len().min(other.hopes.len());
        if n < FEWEST {
            return (0.0, f64::MAX);
        }
        let pairs = || self.hopes.iter().zip(&other.hopes).map(|(a, b)| a - b);
        let count = f64::from(u32::try_from(n).unwrap_or(u32::MAX));
        let mean = pairs().sum::<f64>() / count;
        let spread = pairs().map(|d| (d - mean) * (d - mean)).sum::<f64>() / (count - 1.0);
        (mean, (spread / count).sqrt())
    }

    /// What it came to in all.
    fn sum(&self) -> f64 {
        self.hopes.iter().sum()
    }
}

/// No order is judged by fewer rounds than this.
const FEWEST: usize = 4;
/// More rounds than this seldom change his mind.
const ROUNDS: usize = 16;
/// By how many standard errors an order must beat the usual one.
const SURE: f64 = 1.0;
/// By how many it must fall behind the best to be tried no more.
const BEHIND: f64 = 1.5;
/// An order is followed so many player turns: the rest of his own and the enemy's. Twice as many
/// tell no more, for twice the time.
const TURNS: u32 = 2;
/// No turn takes more orders than this.
const MOST_ORDERS: u32 = 600;

/// A search from one moment of a battle.
struct Search<'b> {
    seat: Seat<'b>,
    doctrine: Doctrine,
    seed: &'b str,
    budget: Budget,
}

/// The best order that is found within the limit.
pub(crate) fn best(seat: Seat<'_>, doctrine: Doctrine, limit: Limit, seed: &str) -> Option<Order> {
    let budget = Budget::new(limit);
    let plan = Plan::usual(&seat, doctrine);
    let mut orders = colonel::choices(&seat, &plan);
    if orders.len() < 2 {
        return orders.pop();
    }
    let trial = |order| Trial { order, hopes: Vec::new() };
    let mut trials: Vec<Trial> = orders.into_iter().map(trial).collect();
    let mut search = Search { seat, doctrine, seed, budget };
    for round in 0..ROUNDS {
        if round >= FEWEST && round % FEWEST == 0 {
            weed(&mut trials);
        }
        if trials.len() < 2 || !search.round(&mut trials, round) {
            break;
        }
    }
    Some(choose(trials))
}

/// Takes out who is clearly behind the best; the first, the usual order, stays to compare with.
fn weed(trials: &mut Vec<Trial>) {
    let best = (0..trials.len()).max_by(|a, b| trials[*a].sum().total_cmp(&trials[*b].sum()));
    let Some(best) = best else { return };
    let behind = |t: &Trial| {
        let (gain, doubt) = t.better_than(&trials[best]);
        gain + BEHIND * doubt < 0.0
    };
    let mut out = trials.iter().map(behind).collect::<Vec<_>>().into_iter();
    let mut first = true;
    trials.retain(|_| std::mem::take(&mut first) | !out.next().unwrap_or(false));
}

/// The usual order, or one that is surely better, with how much.
fn choose(mut trials: Vec<Trial>) -> Order {
    let usual = trials.remove(0);
    let mut best: Option<(f64, f64, Trial)> = None;
    for trial in trials {
        let (gain, doubt) = trial.better_than(&usual);
        let merit = gain - SURE * doubt;
        if doubt < f64::MAX && merit > 0.0 && best.as_ref().is_none_or(|b| merit > b.0) {
            best = Some((merit, gain, trial));
        }
    }
    let Some((_, gain, Trial { order, .. })) = best else { return usual.order };
    let proof = match 100.0 * gain {
        more if more >= 0.5 => format!("{more:+.0} in a hundred to win"),
        _ => "a little better".to_owned(),
    };
    let reason = format!("{} Tried out: {proof}.", order.reason);
    Order { reason, ..order }
}

impl Search<'_> {
    /// Tries all with the dice of a round; `false` if the limit is reached.
    fn round(&mut self, trials: &mut [Trial], round: usize) -> bool {
        for trial in trials {
            match self.follow(&trial.order.command, round) {
                Some(hope) => trial.hopes.push(hope),
                None => return false,
            }
        }
        true
    }

    /// The dice of an order in a round: the same for the same unit in the same step, whatever
    /// others have thrown before.
    fn dice(&self, battle: &Battle, command: &Command, round: usize) -> Source {
        let who = subject(command);
        Source::seeded(&format!(
            "{} {round} {} {:?} {:?} {who}",
            self.seed,
            battle.turn(),
            battle.mover(),
            battle.phase()
        ))
    }

    /// Carries an order out and follows the battle through the next turns, with the dice of a
    /// round. Nothing if the limit is reached on the way.
    fn follow(&mut self, first: &Command, round: usize) -> Option<f64> {
        let mut battle = self.seat.battle.clone();
        let moment = |battle: &Battle| (battle.turn(), battle.mover());
        let (mut at, mut turns) = (moment(&battle), 0);
        let mut given = Some(first.clone());
        for _ in 0..MOST_ORDERS * TURNS {
            let Some(awaited) = battle.awaited() else { break };
            if moment(&battle) != at {
                (at, turns) = (moment(&battle), turns + 1);
                if turns == TURNS {
                    break;
                }
            }
            if !self.budget.take() {
                return None;
            }
            let command = match given.take() {
                Some(first) => first,
                None => self.usual(&battle, awaited)?,
            };
            let mut dice = self.dice(&battle, &command, round);
            journal::carry_out(&mut battle, &mut dice, &command).ok()?;
        }
        Some(worth::hope(&battle, self.seat.side))
    }

    /// What a colonel would order for a side.
    fn usual(&self, battle: &Battle, side: Side) -> Option<Command> {
        let doctrine = if side == self.seat.side { self.doctrine } else { Doctrine::default() };
        let plan = Plan::usual(&Seat { battle, side }, doctrine);
        let order = colonel::order(battle, side, &plan)?;
        journal::Battle::check(battle, side, &order.command).ok().map(|()| order.command)
    }
}

/// The units an order throws dice for, by name: the first of several, and whom it fires at.
fn subject(command: &Command) -> String {
    let first = |units: &[Id]| units.first().map(Id::to_string).unwrap_or_default();
    match command {
        Command::Check { units } => first(units),
        Command::Fire { units, target, .. } => format!("{} at {target}", first(units)),
        Command::Charge { unit, .. } | Command::Fight { unit } | Command::Decide { unit, .. } => {
            unit.to_string()
        }
        _ => String::new(),
    }
}
