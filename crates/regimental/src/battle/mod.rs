//! The battle: a scenario in play, under any of the three books.
//!
//! [`Battle`] is changed by events alone (`apply.rs`). Each procedure of the
//! rulebook has its file, with what may be ordered (`check_…`), what is
//! assessed before the dice (`assess_…`) and what then happens. `flow.rs`
//! knows which step follows which.

mod aftermath;
mod answers;
mod apply;
mod around;
pub mod card;
mod charge_odds;
mod charge_seek;
mod charge_way;
mod charging;
mod checking;
mod command;
mod command_of;
mod consequence;
mod course;
mod drill;
mod drill_places;
mod drill_steps;
mod event;
mod firing;
mod flee;
mod flight;
mod flow;
mod forced;
mod foresight;
mod formation;
mod gap;
mod id;
mod lists;
mod losses;
mod measures;
mod melee;
mod memo;
mod moves;
mod options;
mod orders;
mod passing;
mod passing_fire;
mod planner;
mod preview;
mod refusal;
mod retreat;
mod room;
mod settings;
pub mod setup;
mod shares;
mod sight;
pub mod state;
pub mod terrain;
mod victory;
mod volley;
mod way;
mod weapon;

use std::collections::VecDeque;
use std::sync::Arc;

pub use card::{Side, Trait};
pub use charge_odds::ChargeOdds;
pub use command::{Command, Decision, Step};
pub use command_of::Commanded;
pub use event::{CheckLine, Event, Line, Mark, Pending, Phase, Tally, Why};
pub use foresight::ForeseenCharge;
pub use formation::Formation;
pub use id::Id;
pub use measures::{Clause, GunType, Measures};
pub use melee::Combat;
pub use moves::Move;
pub use planner::{Plan, Reach};
pub use preview::{Part, Preview, Rolled};
pub use refusal::No;
pub use sight::SeenFrom;
pub use state::{Leader, LeaderState, Placement, Unit, Whereabouts};
pub use victory::{For, KeyPosition, Reason};

use journal::Recorder;
use table::{Facing, Mils, Point};
use terrain::Field;

use crate::Rules;

/// A unit that enters later.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Arrival {
    /// Which.
    pub unit: Id,
    /// From which turn on.
    pub turn: u8,
    /// Where on the edge.
    pub at: Point,
    /// Which way it marches in.
    pub facing: Facing,
}

/// What the scenario fixes for the whole battle.
#[derive(Debug, Clone)]
pub struct Terms {
    /// The side that moves first in each turn.
    pub first: Side,
    /// The last turn.
    pub turns: u8,
    /// Stands lost that are heavy casualties, for each side.
    pub heavy: [u32; 2],
    /// The way to each side's own edge.
    pub home: [Facing; 2],
    /// Points by which a side must lead to win.
    pub margin: i32,
    /// Turns of twilight.
    pub twilight: Vec<u8>,
    /// Turns of fog.
    pub fog: Vec<u8>,
    /// How far one sees in twilight or fog.
    pub dim_sight: Option<Mils>,
    /// Whether militia is at best provisionally commanded.
    pub militia_provisional: bool,
    /// Reinforcements.
    pub arrivals: Vec<Arrival>,
}

/// How a battle ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ending {
    /// The points of both sides.
    pub points: [i32; 2],
    /// Who won, if anybody.
    pub winner: Option<Side>,
    /// Why it is over.
    pub reason: Reason,
}

/// A battle in play.
#[derive(Debug, Clone)]
pub struct Battle {
    pub(crate) rules: Arc<Rules>,
    pub(crate) field: Arc<Field>,
    pub(crate) terms: Arc<Terms>,
    pub(crate) units: Vec<Unit>,
    pub(crate) leaders: Vec<Leader>,
    pub(crate) turn: u8,
    pub(crate) mover: Side,
    pub(crate) phase: Phase,
    pub(crate) pending: VecDeque<Pending>,
    pub(crate) breakthroughs: Vec<Pending>,
    pub(crate) lost: [u32; 2],
    pub(crate) greater: [bool; 2],
    pub(crate) replaced: [u8; 2],
    pub(crate) keys: Vec<KeyPosition>,
    pub(crate) ending: Option<Ending>,
    pub(crate) memo: memo::Memo,
}

/// Who is to act, and on what.
#[derive(Debug, Clone, PartialEq)]
pub struct Awaiting {
    /// Whose decision it is; nobody's if the battle is over.
    pub side: Option<Side>,
    /// The step of the turn.
    pub phase: Phase,
    /// The choice that is owed, if it is not the step itself.
    pub choice: Option<Pending>,
}

impl Battle {
    /// The units, in the order of the scenario.
    #[must_use]
    pub fn units(&self) -> &[Unit] {
        &self.units
    }

    /// The leaders.
    #[must_use]
    pub fn leaders(&self) -> &[Leader] {
        &self.leaders
    }

    /// The table.
    #[must_use]
    pub fn field(&self) -> &Field {
        &self.field
    }

    /// What the scenario fixes.
    #[must_use]
    pub fn terms(&self) -> &Terms {
        &self.terms
    }

    /// The key positions.
    #[must_use]
    pub fn keys(&self) -> &[KeyPosition] {
        &self.keys
    }

    /// The turn.
    #[must_use]
    pub fn turn(&self) -> u8 {
        self.turn
    }

    /// Whose turn it is.
    #[must_use]
    pub fn mover(&self) -> Side {
        self.mover
    }

    /// The step of the turn.
    #[must_use]
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// How it ended, if it did.
    #[must_use]
    pub fn ending(&self) -> Option<Ending> {
        self.ending
    }

    /// Stands lost by each side.
    #[must_use]
    pub fn stands_lost(&self) -> [u32; 2] {
        self.lost
    }

    /// The measures of the book.
    #[must_use]
    pub fn measures(&self) -> &Measures {
        &self.rules.measures
    }

    /// The unit of a name.
    #[must_use]
    pub fn unit(&self, id: Id) -> Option<&Unit> {
        self.units.iter().find(|u| u.card.id == id)
    }

    /// Whether this is one of the battle's own units, not a copy put somewhere to see.
    pub(crate) fn has(&self, unit: &Unit) -> bool {
        self.units.as_ptr_range().contains(&std::ptr::from_ref(unit))
    }

    /// The leader of a name.
    #[must_use]
    pub fn leader(&self, id: Id) -> Option<&Leader> {
        self.leaders.iter().find(|l| l.card.id == id)
    }

    pub(crate) fn no(&self, rules: &[&str], fact: impl Into<String>) -> No {
        No { rule: self.measures().clauses.cite(rules), fact: fact.into(), instead: None }
    }

    pub(crate) fn own_unit(&self, side: Side, id: Id) -> Result<&Unit, No> {
        match self.unit(id) {
            Some(unit) if unit.side() != side => {
                Err(self.no(&["sequence.phase-order"], format!("{id} is the enemy's")))
            }
            Some(unit) if !unit.present() => {
                Err(self.no(&["sequence.phase-order"], format!("{id} is not on the table")))
            }
            Some(unit) => Ok(unit),
            None => Err(self.no(&["sequence.phase-order"], format!("there is no unit {id}"))),
        }
    }

    pub(crate) fn in_phase(&self, side: Side, phases: &[Phase], rule: &str) -> Result<(), No> {
        if self.awaited() != Some(side) {
            return Err(self.no(&["sequence.phase-order"], "the other side is to act"));
        }
        if self.pending.front().is_some_and(|p| self.owed(p).is_some()) {
            return Err(self.no(&["sequence.phase-order"], "a choice is owed first: decide it"));
        }
        if !phases.contains(&self.phase) {
            return Err(self.no(
                &[rule, "sequence.phase-order"],
                format!("not in this step: it is {}", phase_name(self.phase)),
            ));
        }
        Ok(())
    }

    /// Whose decision it is.
    #[must_use]
    pub fn awaited(&self) -> Option<Side> {
        if let Some(side) = self.pending.front().and_then(|p| self.owed(p)) {
            return Some(side);
        }
        match self.phase {
            Phase::Over => None,
            Phase::DefensiveFire => Some(self.mover.other()),
            _ => Some(self.mover),
        }
    }

    /// The most one sees, in twilight or fog.
    pub(crate) fn visibility(&self) -> Option<Mils> {
        let dim = self.terms.twilight.contains(&self.turn) || self.terms.fog.contains(&self.turn);
        let usual = || self.measures().scaled(12 * table::INCH);
        dim.then(|| self.terms.dim_sight.unwrap_or_else(usual))
    }

    /// A battle begins: the first turn of the first side.
    pub(crate) fn begin(turn: &mut Recorder<'_, Self>) {
        let first = turn.terms.first;
        Self::begin_turn(turn, 1, first);
        Self::run_on(turn);
    }
}

/// A step of the turn in words.
#[must_use]
pub fn phase_name(phase: Phase) -> &'static str {
    match phase {
        Phase::Leaders => "leaders and reinforcements",
        Phase::Checks => "maneuver checks",
        Phase::Charges => "declaring charges",
        Phase::Maneuvers => "maneuvers",
        Phase::LeaderMoves => "moving leaders",
        Phase::DefensiveFire => "defensive fire",
        Phase::OffensiveFire => "offensive fire",
        Phase::Combat => "charge combat",
        Phase::Breakthrough => "breakthroughs",
        Phase::Over => "the battle is over",
    }
}
