//! What many battles come to. It grows with the scenario, not with the number of battles.

use std::collections::BTreeMap;

use engine::Scenario;
use regimental::battle::Side;
use serde::Serialize;

use crate::fought::{Fought, Grid};
use crate::interval::{Figure, Mean, count, share};

/// The running sums of many battles.
#[derive(Debug, Clone)]
pub struct Tally {
    grid: Grid,
    turns: usize,
    units: usize,
    battles: u64,
    wins: [u64; 2],
    margin: Mean,
    margins: BTreeMap<i32, u64>,
    lengths: BTreeMap<u8, u64>,
    no_troops: u64,
    lost: [Mean; 2],
    /// The leads of side 0 at the end of each turn.
    leads: Vec<BTreeMap<i32, u64>>,
    decided: BTreeMap<u8, u64>,
    decided_by: BTreeMap<String, u64>,
    decided_at: Vec<u64>,
    losses: Vec<Vec<u64>>,
    gone: Vec<u64>,
    swings: BTreeMap<String, Swing>,
    places: [Vec<u64>; 2],
    fallen: [Vec<u64>; 2],
}

#[derive(Debug, Clone, Copy, Default)]
struct Swing {
    times: u64,
    size: f64,
    for_winner: f64,
}

impl Tally {
    /// Nothing yet.
    #[must_use]
    pub fn new(scenario: &Scenario) -> Self {
        let battle = &scenario.battle;
        let grid = Grid::of(battle);
        let cells = (grid.wide * grid.high) as usize;
        let turns = usize::from(battle.terms().turns);
        let units = battle.units().len();
        Self {
            grid,
            turns,
            units,
            battles: 0,
            wins: [0; 2],
            margin: Mean::default(),
            margins: BTreeMap::new(),
            lengths: BTreeMap::new(),
            no_troops: 0,
            lost: [Mean::default(); 2],
            leads: vec![BTreeMap::new(); turns],
            decided: BTreeMap::new(),
            decided_by: BTreeMap::new(),
            decided_at: vec![0; cells],
            losses: vec![vec![0; turns]; units],
            gone: vec![0; units],
            swings: BTreeMap::new(),
            places: [vec![0; cells], vec![0; cells]],
            fallen: [vec![0; cells], vec![0; cells]],
        }
    }

    /// One more battle.
    pub fn add(&mut self, fought: &Fought) {
        self.battles += 1;
        if let Some(winner) = fought.winner {
            self.wins[usize::from(winner.min(1))] += 1;
        }
        let margin = fought.points[0] - fought.points[1];
        self.margin.add(f64::from(margin));
        *self.margins.entry(margin).or_default() += 1;
        *self.lengths.entry(fought.turns).or_default() += 1;
        self.no_troops += u64::from(fought.reason == regimental::battle::Reason::NoTroops);
        for (sum, lost) in self.lost.iter_mut().zip(fought.lost) {
            sum.add(f64::from(lost));
        }
        for (turn, lead) in self.leads.iter_mut().zip(&fought.leads) {
            *turn.entry(*lead).or_default() += 1;
        }
        if let Some(decided) = &fought.decided {
            *self.decided.entry(decided.turn).or_default() += 1;
            *self.decided_by.entry(decided.by.clone()).or_default() += 1;
            add_at(&mut self.decided_at, decided.cell as usize, 1);
        }
        for (unit, turn, stands) in &fought.losses {
            if let Some(row) = self.losses.get_mut(usize::from(*unit)) {
                add_at(row, usize::from(*turn).saturating_sub(1), u64::from(*stands));
            }
        }
        for (unit, _) in &fought.gone {
            add_at(&mut self.gone, usize::from(*unit), 1);
        }
        let sign = fought.winner.map_or(0.0, |w| if w == 0 { 1.0 } else { -1.0 });
        for (kind, (times, swing)) in &fought.swings {
            let sum = self.swings.entry(kind.clone()).or_default();
            sum.times += u64::from(*times);
            sum.size += swing.abs();
            sum.for_winner += swing * sign;
        }
        for side in 0..2 {
            for (cell, stands) in &fought.places[side] {
                add_at(&mut self.places[side], *cell as usize, u64::from(*stands));
            }
            for (cell, stands) in &fought.fallen[side] {
                add_at(&mut self.fallen[side], *cell as usize, u64::from(*stands));
            }
        }
    }

    /// How many battles.
    #[must_use]
    pub fn battles(&self) -> u64 {
        self.battles
    }

    /// What they come to.
    #[must_use]
    pub fn summary(&self, scenario: &Scenario) -> Summary {
        let all = self.battles;
        let each = |n: u64| if all == 0 { 0.0 } else { count(n) / count(all) };
        let draws = all - self.wins[0] - self.wins[1];
        let units = scenario.battle.units().iter().take(self.units).enumerate().map(|(i, unit)| {
            let by_turn: Vec<f64> = self.losses[i].iter().map(|n| each(*n)).collect();
            UnitLosses {
                unit: unit.id().to_string(),
                name: unit.card.name.to_string(),
                side: unit.side() as u8,
                stands: unit.card.strength,
                lost: by_turn.iter().sum(),
                gone: share(self.gone[i], all).value,
                by_turn,
            }
        });
        let leads = self.leads.iter().enumerate().map(|(i, turn)| Lead {
            turn: i + 1,
            battles: turn.values().sum(),
            low: quantile(turn, 0.1),
            middle: quantile(turn, 0.5),
            high: quantile(turn, 0.9),
        });
        let whole: f64 = self.swings.values().map(|s| s.for_winner.max(0.0)).sum();
        let mut swings: Vec<SwingSum> = self
            .swings
            .iter()
            .map(|(kind, s)| SwingSum {
                result: kind.clone(),
                times: each(s.times),
                size: s.size / count(all.max(1)),
                decided: if whole > 0.0 { s.for_winner.max(0.0) / whole } else { 0.0 },
                strokes: self.decided_by.get(kind).copied().unwrap_or(0),
            })
            .collect();
        swings.sort_by(|a, b| b.decided.total_cmp(&a.decided).then(a.result.cmp(&b.result)));
        Summary {
            battles: all,
            sides: Side::BOTH.map(|s| scenario.side(s).id.clone()),
            wins: [share(self.wins[0], all), share(self.wins[1], all)],
            draws: share(draws, all),
            won: self.wins,
            margin: self.margin.figure(),
            margins: self.margins.iter().map(|(m, n)| (*m, *n)).collect(),
            lengths: (1..=u8::try_from(self.turns).unwrap_or(u8::MAX))
                .map(|t| (t, self.lengths.get(&t).copied().unwrap_or(0)))
                .collect(),
            no_troops: share(self.no_troops, all),
            stands_lost: [self.lost[0].figure(), self.lost[1].figure()],
            leads: leads.collect(),
            decided: (1..=u8::try_from(self.turns).unwrap_or(u8::MAX))
                .map(|t| (t, self.decided.get(&t).copied().unwrap_or(0)))
                .collect(),
            units: units.collect(),
            swings,
        }
    }

    /// The cells of a map: positions of a side, falls of a side, or decisions.
    #[must_use]
    pub fn cells(&self, what: Cells) -> (Grid, &[u64]) {
        let cells = match what {
            Cells::Places(side) => &self.places[side.index()],
            Cells::Fallen(side) => &self.fallen[side.index()],
            Cells::Decided => &self.decided_at,
        };
        (self.grid, cells)
    }
}

/// What a heat map shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cells {
    /// Where a side stood.
    Places(Side),
    /// Where its stands fell.
    Fallen(Side),
    /// Where battles were decided.
    Decided,
}

fn add_at(cells: &mut [u64], at: usize, n: u64) {
    if let Some(cell) = cells.get_mut(at) {
        *cell += n;
    }
}

/// The value below which a part of the counted values lies.
fn quantile(counts: &BTreeMap<i32, u64>, part: f64) -> i32 {
    let all: u64 = counts.values().sum();
    let mut seen = 0.0;
    for (value, n) in counts {
        seen += count(*n);
        if seen >= part * count(all) {
            return *value;
        }
    }
    0
}

/// What many battles come to, as figures.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Summary {
    /// How many battles.
    pub battles: u64,
    /// The short names of the sides.
    pub sides: [String; 2],
    /// The share each side won.
    pub wins: [Figure; 2],
    /// The share nobody won.
    pub draws: Figure,
    /// The battles each side won.
    pub won: [u64; 2],
    /// The mean lead of the first side in points at the end.
    pub margin: Figure,
    /// Its distribution: lead, battles.
    pub margins: Vec<(i32, u64)>,
    /// Battles by the turn they ended in.
    pub lengths: Vec<(u8, u64)>,
    /// The share that ended because a side had no troops left.
    pub no_troops: Figure,
    /// Stands lost by each side.
    pub stands_lost: [Figure; 2],
    /// The lead of the first side at the end of each turn.
    pub leads: Vec<Lead>,
    /// Battles by the turn in which the winner got ahead for good.
    pub decided: Vec<(u8, u64)>,
    /// The units.
    pub units: Vec<UnitLosses>,
    /// What moved the battles.
    pub swings: Vec<SwingSum>,
}

/// The lead at the end of a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Lead {
    /// The turn.
    pub turn: usize,
    /// Battles that lasted so long.
    pub battles: u64,
    /// Of ten battles one lies below.
    pub low: i32,
    /// Half lie below.
    pub middle: i32,
    /// Nine of ten lie below.
    pub high: i32,
}

/// What a unit lost.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct UnitLosses {
    /// Its short name.
    pub unit: String,
    /// Its name.
    pub name: String,
    /// Its side: 0 or 1.
    pub side: u8,
    /// Its stands at the start.
    pub stands: u8,
    /// Stands lost in a battle, on average.
    pub lost: f64,
    /// The share of battles in which it was destroyed or left the table.
    pub gone: f64,
    /// Stands lost in each turn, on average.
    pub by_turn: Vec<f64>,
}

/// What a result of the dice did.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SwingSum {
    /// The result.
    pub result: String,
    /// How often it comes up in a battle.
    pub times: f64,
    /// Points it moves in a battle, either way.
    pub size: f64,
    /// Its part of all points that moved to the later winner.
    pub decided: f64,
    /// Battles in which it was the stroke of the deciding turn.
    pub strokes: u64,
}
