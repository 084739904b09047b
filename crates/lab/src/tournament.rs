//! A tournament: every player against every other, on both sides of several scenarios; a cross
//! table, and ratings with intervals.

use std::fmt::Write as _;
use std::sync::atomic::AtomicBool;

use engine::Scenario;
use serde::Serialize;

use crate::fought::{Match, fight};
use crate::interval::{Figure, Z, count, share};
use crate::player::Player;
use crate::run::{Trouble, in_order};

/// Who plays what, and how often.
pub struct Tournament<'t> {
    /// The players.
    pub players: Vec<Player>,
    /// The scenarios.
    pub scenarios: Vec<&'t Scenario>,
    /// Battles of two players on a scenario: half of them with the sides changed.
    pub battles: u64,
    /// The seed.
    pub seed: String,
}

/// The battles of two players.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Score {
    /// Won by the first.
    pub won: u64,
    /// Won by the second.
    pub lost: u64,
    /// Won by nobody.
    pub drawn: u64,
}

impl Score {
    fn add(&mut self, winner: Option<usize>) {
        match winner {
            Some(0) => self.won += 1,
            Some(_) => self.lost += 1,
            None => self.drawn += 1,
        }
    }

    fn merge(&mut self, other: Self) {
        self.won += other.won;
        self.lost += other.lost;
        self.drawn += other.drawn;
    }

    /// How many.
    #[must_use]
    pub fn battles(&self) -> u64 {
        self.won + self.lost + self.drawn
    }

    /// The share the first won.
    #[must_use]
    pub fn wins(&self) -> Figure {
        share(self.won, self.battles())
    }
}

/// One battle of the tournament.
struct Game {
    first: usize,
    second: usize,
    scenario: usize,
    winner: Option<usize>,
}

/// What a tournament comes to.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Table {
    /// The players, as written.
    pub players: Vec<String>,
    /// The score of each against each other: `cross[a][b]`.
    pub cross: Vec<Vec<Score>>,
    /// The same for each scenario, of the pairs in order.
    pub by_scenario: Vec<(String, Vec<Vec<Score>>)>,
    /// Ratings: the mean of all is 1500, 400 more win ten times as often as they lose.
    pub ratings: Vec<Figure>,
}

impl Tournament<'_> {
    fn pairs(&self) -> Vec<(usize, usize)> {
        let n = self.players.len();
        (0..n).flat_map(|a| (a + 1..n).map(move |b| (a, b))).collect()
    }

    /// How many battles it takes.
    #[must_use]
    pub fn all(&self) -> u64 {
        let pairs = self.pairs().len() * self.scenarios.len();
        u64::try_from(pairs).unwrap_or(0) * self.battles
    }

    /// Plays it on some threads until it is over or told to stop.
    ///
    /// # Errors
    /// A battle that could not be fought: a fault of the program.
    pub fn play(
        &self,
        how: (usize, &AtomicBool),
        progress: &mut dyn FnMut(u64),
    ) -> Result<Table, Trouble> {
        let pairs = self.pairs();
        let mut games: Vec<Game> = Vec::new();
        let work = |n: u64| self.game(&pairs, n);
        in_order(0..self.all(), how, work, |game| {
            games.push(game);
            progress(count_of(games.len()));
            Ok(())
        })?;
        Ok(self.table(&games))
    }

    /// The battles go round: every pair on every scenario once, on both sides, then again.
    fn game(&self, pairs: &[(usize, usize)], n: u64) -> Result<Game, Trouble> {
        let places = count_of(pairs.len() * self.scenarios.len()).max(1);
        let (round, place) = (n / places, usize::try_from(n % places).unwrap_or(0));
        let (first, second) = pairs[place / self.scenarios.len()];
        let scenario = place % self.scenarios.len();
        let swapped = round % 2 == 1;
        let seats = if swapped { [second, first] } else { [first, second] };
        let players = seats.map(|i| self.players[i].clone());
        let seed = format!("{} {}", self.seed, self.scenarios[scenario].id);
        let of = Match { scenario: self.scenarios[scenario], players: &players, seed: &seed };
        // The same dice for both ways round.
        let fought = fight(&of, round / 2).map_err(Trouble::Battle)?;
        let winner = fought.winner.map(usize::from).map(|w| if swapped { 1 - w } else { w });
        Ok(Game { first, second, scenario, winner })
    }

    fn table(&self, games: &[Game]) -> Table {
        let n = self.players.len();
        let mut by_scenario = vec![vec![vec![Score::default(); n]; n]; self.scenarios.len()];
        for game in games {
            let cells = &mut by_scenario[game.scenario];
            cells[game.first][game.second].add(game.winner);
            cells[game.second][game.first].add(game.winner.map(|w| 1 - w));
        }
        let mut cross = vec![vec![Score::default(); n]; n];
        for cells in &by_scenario {
            for (a, row) in cells.iter().enumerate() {
                for (b, score) in row.iter().enumerate() {
                    cross[a][b].merge(*score);
                }
            }
        }
        let names = self.scenarios.iter().map(|s| s.id.clone());
        Table {
            players: self.players.iter().map(Player::to_string).collect(),
            ratings: ratings(n, games),
            cross,
            by_scenario: names.zip(by_scenario).collect(),
        }
    }
}

fn count_of(n: usize) -> u64 {
    u64::try_from(n).unwrap_or(u64::MAX)
}

/// Points of rating for an e-fold in odds.
const POINTS: f64 = 400.0 / std::f64::consts::LN_10;

/// The ratings under which the games are likeliest (Bradley and Terry), with intervals from how
/// sharply the likelihood falls off around them: few games, and games one player won all of, leave
/// them wide.
fn ratings(players: usize, games: &[Game]) -> Vec<Figure> {
    let wins = wins(players, games);
    let best = likeliest(&wins);
    let all = count(count_of(players.max(1)));
    // Fisher's information, with the mean of all ratings held.
    let mut known = vec![vec![1.0 / all; players]; players];
    for a in 0..players {
        for b in (0..players).filter(|b| *b != a) {
            let odds = ((best[a] - best[b]) / POINTS).exp();
            let share = odds / (1.0 + odds);
            let told = (wins[a][b] + wins[b][a]) * share * (1.0 - share);
            known[a][a] += told;
            known[a][b] -= told;
        }
    }
    let spread = inverse(known);
    let figure = |(a, value): (usize, f64)| {
        let half = Z * POINTS * (spread[a][a] - 1.0 / all).max(0.0).sqrt();
        Figure { value, low: value - half, high: value + half }
    };
    best.into_iter().enumerate().map(figure).collect()
}

/// The inverse of a small positive matrix, by elimination.
fn inverse(mut of: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let n = of.len();
    let mut out: Vec<Vec<f64>> =
        (0..n).map(|a| (0..n).map(|b| if a == b { 1.0 } else { 0.0 }).collect()).collect();
    for at in 0..n {
        let by = of[at][at];
        of[at].iter_mut().chain(&mut out[at]).for_each(|v| *v /= by);
        for row in (0..n).filter(|row| *row != at) {
            let by = of[row][at];
            for column in 0..n {
                of[row][column] -= by * of[at][column];
                out[row][column] -= by * out[at][column];
            }
        }
    }
    out
}

/// How often each beat each. A draw is half a win for both. Every pair starts with a drawn game,
/// so that nobody's rating runs away who has won all.
fn wins(players: usize, games: &[Game]) -> Vec<Vec<f64>> {
    let mut wins = vec![vec![0.0; players]; players];
    for (a, row) in wins.iter_mut().enumerate() {
        for (b, n) in row.iter_mut().enumerate() {
            *n = if a == b { 0.0 } else { 0.5 };
        }
    }
    for game in games {
        let (first, second) = match game.winner {
            Some(0) => (1.0, 0.0),
            Some(_) => (0.0, 1.0),
            None => (0.5, 0.5),
        };
        wins[game.first][game.second] += first;
        wins[game.second][game.first] += second;
    }
    wins
}

fn likeliest(wins: &[Vec<f64>]) -> Vec<f64> {
    let players = wins.len();
    let mut strength = vec![1.0_f64; players];
    for _ in 0..200 {
        let next: Vec<f64> = (0..players)
            .map(|a| {
                let won: f64 = wins[a].iter().sum();
                let met: f64 = (0..players)
                    .filter(|b| *b != a)
                    .map(|b| (wins[a][b] + wins[b][a]) / (strength[a] + strength[b]))
                    .sum();
                if met > 0.0 { won / met } else { 1.0 }
            })
            .collect();
        let mean: f64 = next.iter().map(|s| s.ln()).sum::<f64>() / count(count_of(players.max(1)));
        strength = next.into_iter().map(|s| s / mean.exp()).collect();
    }
    strength.into_iter().map(|s| 1500.0 + 400.0 * s.log10()).collect()
}

impl Table {
    /// The table for a terminal.
    #[must_use]
    pub fn words(&self) -> String {
        let mut out = String::new();
        let wide = self.players.iter().map(String::len).max().unwrap_or(0).max(8);
        let _ = write!(out, "{:wide$}  rating (95%)          ", "");
        for i in 1..=self.players.len() {
            let _ = write!(out, "{:>24}", format!("against {i}"));
        }
        out.push('\n');
        for (a, name) in self.players.iter().enumerate() {
            let r = self.ratings[a];
            let rating = format!("{:.0} ({:.0} to {:.0})", r.value, r.low, r.high);
            let _ = write!(out, "{name:wide$}  {rating:<22}");
            for (b, score) in self.cross[a].iter().enumerate() {
                let cell = if a == b || score.battles() == 0 {
                    "-".to_owned()
                } else {
                    score.wins().percent()
                };
                let _ = write!(out, "{cell:>24}");
            }
            out.push('\n');
        }
        let _ = writeln!(out, "\nBattles won of those fought (won, drawn, lost):");
        for (a, name) in self.players.iter().enumerate() {
            for (b, other) in self.players.iter().enumerate().skip(a + 1) {
                let s = self.cross[a][b];
                let _ = writeln!(
                    out,
                    "  {name} against {other}: {} of {} ({}, {}, {})",
                    s.won,
                    s.battles(),
                    s.won,
                    s.drawn,
                    s.lost
                );
                for (scenario, cells) in &self.by_scenario {
                    let s = cells[a][b];
                    let _ = writeln!(
                        out,
                        "    {scenario}: {} won, {} drawn, {} lost",
                        s.won, s.drawn, s.lost
                    );
                }
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn games(won: usize, lost: usize) -> Vec<Game> {
        let game = |winner| Game { first: 0, second: 1, scenario: 0, winner: Some(winner) };
        (0..won).map(|_| game(0)).chain((0..lost).map(|_| game(1))).collect()
    }

    /// Between two, the spread of the difference is one over the root of n p (1 - p), and each
    /// rating has half of it. By hand: ten of twenty with the drawn game, 2 / sqrt(21) e-folds.
    #[test]
    fn an_interval_is_as_wide_as_the_games_leave_it() {
        let half = |won, lost| {
            let rating = ratings(2, &games(won, lost))[0];
            rating.high - rating.value
        };
        let by_hand = Z * POINTS / (21_f64).sqrt();
        assert!((half(10, 10) - by_hand).abs() < 0.5, "{} {by_hand}", half(10, 10));
        assert!(half(1, 1) > 2.0 * half(10, 10));
        assert!(half(2, 0) > 200.0, "two battles won are no proof: {}", half(2, 0));
    }
}
