//! The general: tries plans on copies of the battle, with dice of his own, and keeps the one
//! that stands best after the next turns.
//!
//! Every plan meets the same dice, unit by unit, so that two plans differ by what they do and not
//! by luck. The best few are tried again and varied brigade by brigade; the usual plan is left
//! only for one that is surely better.

use std::time::{Duration, Instant};

use dice::stream::Source;
use regimental::battle::{Battle, Command, Id, Side};

use crate::Doctrine;
use crate::colonel;
use crate::colonel::plan::{Design, Intent, Plan, brigades};
use crate::seat::Seat;
use crate::worth;

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
}

/// Left for what comes after the search, out of a limit by the clock.
const RESERVE: Duration = Duration::from_millis(8);

impl Budget {
    fn new(limit: Limit) -> Self {
        match limit {
            Limit::Time(time) => Self {
                until: Instant::now().checked_add(time.saturating_sub(RESERVE)),
                nodes: u64::MAX,
            },
            Limit::Nodes(nodes) => Self { until: None, nodes },
        }
    }

    /// Takes one order; `false` if the limit is reached.
    fn take(&mut self) -> bool {
        if self.nodes == 0 || self.until.is_some_and(|u| Instant::now() >= u) {
            self.nodes = 0;
            return false;
        }
        self.nodes -= 1;
        true
    }
}

/// A design under trial, with what it came to in each round.
struct Trial {
    design: Design,
    /// By how many standard errors it must beat the usual one. Of many designs a few look better
    /// by luck: one that is much like the usual does no harm then, one that upsets the whole plan
    /// does.
    sure: f64,
    hopes: Vec<f64>,
}

impl Trial {
    fn new(design: Design, sure: f64) -> Self {
        Self { design, sure, hopes: Vec::new() }
    }

    /// Whether it is to be preferred to the usual design.
    fn surely_better_than(&self, usual: &Self) -> bool {
        let (gain, doubt) = self.better_than(usual);
        self.hopes.len() >= ROUNDS && gain > self.sure * doubt
    }

    /// How much better it is than another over the rounds both have met, and how sure that is:
    /// the mean of the differences and its standard error.
    fn better_than(&self, other: &Self) -> (f64, f64) {
        let n = self.hopes.len().min(other.hopes.len());
        if n < 2 {
            return (0.0, f64::MAX);
        }
        let pairs = || self.hopes.iter().zip(&other.hopes).map(|(a, b)| a - b);
        let count = f64::from(u32::try_from(n).unwrap_or(u32::MAX));
        let mean = pairs().sum::<f64>() / count;
        let spread = pairs().map(|d| (d - mean) * (d - mean)).sum::<f64>() / (count - 1.0);
        (mean, (spread / count).sqrt())
    }
}

/// A plan is followed so many player turns: to the end of most battles. To stop earlier flatters
/// whoever waits: an attack pays late.
const TURNS: u32 = 24;
/// No turn takes more orders than this.
const MOST_ORDERS: u32 = 600;

/// A search from one moment of a battle.
struct Search<'b> {
    battle: &'b Battle,
    side: Side,
    doctrine: Doctrine,
    seed: String,
    budget: Budget,
}

/// The best design that is found within the limit.
pub(crate) fn design(battle: &Battle, side: Side, how: (Doctrine, Limit), seed: &str) -> Design {
    let (doctrine, limit) = how;
    let mut search =
        Search { battle, side, doctrine, seed: seed.to_owned(), budget: Budget::new(limit) };
    let usual = Design::all(doctrine, Intent::AsItStands);
    let mut trials = vec![Trial::new(usual, 0.0)];
    trials.extend(broad(doctrine));
    search.rounds(&mut trials, ROUNDS);
    keep(&mut trials, 3);
    // What is best so far, with one brigade's intent changed.
    let seat = Seat { battle, side };
    let varied = trials.last().map(|best| varied(&seat, &best.design)).unwrap_or_default();
    trials.extend(varied);
    search.rounds(&mut trials, ROUNDS);
    keep(&mut trials, 3);
    for rounds in [16, 32, 64, 128] {
        search.rounds(&mut trials, rounds);
    }
    keep(&mut trials, 1);
    let (Some(best), Some(usual)) = (trials.last(), trials.first()) else {
        return Design::all(doctrine, Intent::AsItStands);
    };
    if best.surely_better_than(usual) { best.design.clone() } else { usual.design.clone() }
}

/// No design is judged by fewer rounds than this.
const ROUNDS: usize = 8;
/// How sure it must be of a design that is the usual one with one weight changed.
const LIKE_THE_USUAL: f64 = 2.0;
/// How sure it must be of a design that changes what a brigade is about.
const ONE_BRIGADE: f64 = 2.5;
/// How sure it must be of a design that changes what the whole army is about.
const WHOLE_ARMY: f64 = 3.0;

/// Keeps the first trial, the usual one, and so many of the best of the others, the best last.
fn keep(trials: &mut Vec<Trial>, most: usize) {
    if trials.len() < 2 {
        return;
    }
    let usual = trials.remove(0);
    let merit = |t: &Trial| {
        let (gain, doubt) = t.better_than(&usual);
        if doubt == f64::MAX { f64::MIN } else { gain - t.sure * doubt }
    };
    trials.sort_by(|a, b| merit(a).total_cmp(&merit(b)));
    let spare = trials.len().saturating_sub(most);
    trials.drain(..spare);
    trials.insert(0, usual);
}

/// The broad designs other than the usual one: the same with one weight changed, and other aims.
fn broad(doctrine: Doctrine) -> Vec<Trial> {
    let usual = Intent::AsItStands;
    let like = |doctrine| Trial::new(Design::all(doctrine, usual), LIKE_THE_USUAL);
    let other = |intent| Trial::new(Design::all(doctrine, intent), WHOLE_ARMY);
    vec![
        like(Doctrine { pull: 1.7 * doctrine.pull, ..doctrine }),
        like(Doctrine { danger: 1.7 * doctrine.danger, ..doctrine }),
        other(Intent::Attack),
        other(Intent::Hold),
    ]
}

/// A design with another intent for one brigade.
fn varied(seat: &Seat<'_>, best: &Design) -> Vec<Trial> {
    let mut designs = Vec::new();
    for leader in brigades(seat) {
        for intent in [Intent::Attack, Intent::Hold, Intent::GiveGround] {
            if intent != best.whole {
                let design = Design { brigades: vec![(leader, intent)], ..best.clone() };
                designs.push(Trial::new(design, ONE_BRIGADE));
            }
        }
    }
    designs
}

impl Search<'_> {
    /// Tries all until each has met so many rounds of dice, or the limit is reached.
    fn rounds(&mut self, trials: &mut [Trial], rounds: usize) {
        for round in 0..rounds {
            for trial in trials.iter_mut() {
                if trial.hopes.len() != round {
                    continue;
                }
                match self.run(&trial.design, round) {
                    Some(hope) => trial.hopes.push(hope),
                    None => return,
                }
            }
        }
    }

    /// The dice of an order in a round: the same for the same unit in the same step, whatever
    /// others have thrown before. So two designs differ by what they do, and less by luck.
    fn dice(&self, battle: &Battle, command: &Command, round: usize) -> Source {
        let who = subject(command).map(|id| id.to_string()).unwrap_or_default();
        Source::seeded(&format!(
            "{} {round} {} {:?} {:?} {who}",
            self.seed,
            battle.turn(),
            battle.mover(),
            battle.phase()
        ))
    }

    /// Follows a design through the next turns with the dice of a round.
    fn run(&mut self, design: &Design, round: usize) -> Option<f64> {
        let mut battle = self.battle.clone();
        let start = (battle.turn(), battle.mover());
        let (mut at, mut turns) = (start, 0);
        for _ in 0..MOST_ORDERS * TURNS {
            let Some(awaited) = battle.awaited() else { break };
            let now = (battle.turn(), battle.mover());
            if now != at {
                (at, turns) = (now, turns + 1);
                if turns == TURNS {
                    break;
                }
            }
            if !self.budget.take() {
                return None;
            }
            let seat = Seat { battle: &battle, side: awaited };
            // The design holds for this turn; then, and for the enemy, things take their course.
            let plan = match (awaited == self.side, turns) {
                (true, 0) => Plan::of(&seat, design),
                (true, _) => Plan::usual(&seat, self.doctrine),
                (false, _) => Plan::usual(&seat, Doctrine::default()),
            };
            let order = colonel::order(&battle, awaited, &plan)?;
            if journal::Battle::check(&battle, awaited, &order.command).is_err() {
                break;
            }
            let mut dice = self.dice(&battle, &order.command, round);
            journal::carry_out(&mut battle, &mut dice, &order.command).ok()?;
        }
        Some(worth::hope(&battle, self.side))
    }
}

/// The unit an order is about, or the first of several.
fn subject(command: &Command) -> Option<Id> {
    match command {
        Command::Check { units } | Command::Fire { units, .. } => units.first().copied(),
        Command::Charge { unit, .. } | Command::Fight { unit } | Command::Decide { unit, .. } => {
            Some(*unit)
        }
        _ => None,
    }
}
