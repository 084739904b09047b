//! The rows behind the figures: a row for each battle, each loss, each turn and each kind of
//! result. Whoever adds them up comes to the figures of the report.

use std::fmt::Write as _;

use engine::Scenario;

use crate::fought::Fought;

/// The rows of some battles, ready to be appended to their files.
#[derive(Debug, Clone, Default)]
pub struct Rows {
    /// One row a battle.
    pub battles: String,
    /// One row for each time a unit lost stands.
    pub losses: String,
    /// One row for each turn of a battle.
    pub turns: String,
    /// One row for each kind of result in a battle.
    pub results: String,
}

impl Rows {
    /// The heads of the files.
    #[must_use]
    pub fn heads() -> Self {
        Self {
            battles: "battle,winner,points_one,points_two,margin,turns,reason,orders,lost_one,lost_two,decided_turn,decided_by\n".into(),
            losses: "battle,unit,side,turn,stands\n".into(),
            turns: "battle,turn,lead\n".into(),
            results: "battle,result,times,swing\n".into(),
        }
    }

    /// One more battle.
    pub fn add(&mut self, scenario: &Scenario, fought: &Fought) {
        let n = fought.n;
        let side = |i: u8| scenario.sides[usize::from(i.min(1))].id.as_str();
        let [one, two] = fought.points;
        let winner = fought.winner.map_or("", side);
        let reason = match fought.reason {
            regimental::battle::Reason::LastTurn => "last-turn",
            regimental::battle::Reason::NoTroops => "no-troops",
        };
        let decided = fought.decided.as_ref();
        let turn = decided.map_or(String::new(), |d| d.turn.to_string());
        let by = decided.map_or("", |d| d.by.as_str());
        let [lost_one, lost_two] = fought.lost;
        let _ = writeln!(
            self.battles,
            "{n},{winner},{one},{two},{},{},{reason},{},{lost_one},{lost_two},{turn},{by}",
            one - two,
            fought.turns,
            fought.orders
        );
        for (unit, turn, stands) in &fought.losses {
            let Some(unit) = scenario.battle.units().get(usize::from(*unit)) else { continue };
            let of = side(unit.side() as u8);
            let _ = writeln!(self.losses, "{n},{},{of},{turn},{stands}", unit.id());
        }
        for (i, lead) in fought.leads.iter().enumerate() {
            let _ = writeln!(self.turns, "{n},{},{lead}", i + 1);
        }
        for (result, (times, swing)) in &fought.swings {
            let _ = writeln!(self.results, "{n},{result},{times},{swing}");
        }
    }
}
