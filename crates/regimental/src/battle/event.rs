//! What happens. Events carry dice, tallies and positions, so that a battle replays without
//! measuring anything anew.

use serde::{Deserialize, Serialize};
use table::{Mils, Point, Pose};

use super::card::{Rating, Side};
use super::id::Id;
use super::measures::Clause;
use super::state::{Charge, Gone, GunStand, LeaderState, Pace, Placement};
use super::terrain::Ground;
use crate::charge::ChargeEffect;
use crate::fire::{Fate, FireEffect};
use crate::maneuver::{Effect, Order};

/// A clause with the value it counts for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// The clause.
    pub rule: Clause,
    /// Its value.
    pub value: f64,
}

/// A list of modifiers.
pub type Tally = Vec<Line>;

/// The steps of a player turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// Leaders are replaced, attached, detached; reinforcements enter.
    Leaders,
    /// A group is named and checks.
    Checks,
    /// Charges are declared for the group.
    Charges,
    /// The group maneuvers.
    Maneuvers,
    /// Leaders on their own move.
    LeaderMoves,
    /// The opponent fires.
    DefensiveFire,
    /// The mover fires.
    OffensiveFire,
    /// Charge combats.
    Combat,
    /// Combats of breakthroughs.
    Breakthrough,
    /// The battle is over.
    Over,
}

/// Why a unit is where it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Why {
    /// It moved.
    Maneuver,
    /// It charged.
    Charge,
    /// It went to meet a charge.
    Countercharge,
    /// It formed square in haste.
    HastySquare,
    /// It entered the table.
    Enter,
    /// Out of close range.
    Withdraw,
    /// A few inches back.
    Back,
    /// A full retreat.
    Retreat,
    /// A recall.
    Recall,
    /// Onto the ground of the beaten.
    Carry,
    /// A breakthrough.
    Breakthrough,
    /// It closed up after a loss, or took up its formation again.
    CloseUp,
    /// It was sent off.
    SentOff,
    /// It widened its gaps after going back.
    Widen,
    /// It stepped aside for a friend who went back.
    MakeRoom,
}

/// A marker on or off a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mark {
    /// Low on ammunition.
    LowOnAmmo,
    /// Faced about.
    AboutFaced,
    /// In a passage of lines.
    Passage,
    /// Marched by the flank.
    FlankMarched,
    /// Driven back: no fire.
    FellBack,
    /// No time to fire.
    Busy,
    /// Guns may fire.
    GunsReady,
    /// The amusette.
    Amusette,
    /// It has fought in this step.
    Fought,
}

/// One unit's line in a check.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CheckLine {
    /// Which.
    pub unit: Id,
    /// Its modifiers.
    pub tally: Tally,
    /// Die and modifiers.
    pub total: i32,
    /// What it comes to.
    pub effect: Effect,
    /// Whether a leader has it in command; the Triple Alliance book reads another column if not.
    pub in_command: bool,
    /// The clauses applied.
    pub rules: Vec<Clause>,
}

/// A decision somebody owes, or a step that follows by itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "step", rename_all = "kebab-case")]
pub enum Pending {
    /// A charged unit answers: countercharge, square, shelter or stand.
    Answer {
        /// Which.
        unit: Id,
        /// Charged by whom.
        charger: Id,
    },
    /// A charge moves.
    ChargeMove {
        /// Which.
        unit: Id,
    },
    /// A forced result is carried out.
    Forced {
        /// Which.
        unit: Id,
    },
    /// A beaten unit goes back; cavalry may recall instead.
    GoBack {
        /// Which.
        unit: Id,
        /// How.
        how: crate::charge::Move,
        /// How far, for a short one.
        #[serde(with = "table::as_inches")]
        inches: Mils,
        /// From whom.
        from: Vec<Id>,
        /// Whether it may recall instead.
        recall: bool,
        /// Whether it is driven back by fire, with its charge checked.
        checked: bool,
        /// Whether it stands behind those who were beaten, and shares their retreat with its own front.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        support: bool,
    },
    /// A winner carries the position; it may have a choice.
    GoOn {
        /// Which.
        unit: Id,
        /// Where the beaten stood.
        ground: Pose,
        /// Whether cavalry may recall instead.
        recall: bool,
        /// Whether it may stay.
        stay: bool,
    },
    /// A breakthrough moves.
    Breakthrough {
        /// Which.
        unit: Id,
        /// Where the beaten stood.
        ground: Pose,
    },
    /// Troops in open order have gone back: they may widen their gaps.
    Widen {
        /// Which.
        unit: Id,
    },
}

impl Pending {
    /// The unit it is about.
    #[must_use]
    pub fn unit(&self) -> Id {
        match self {
            Self::Answer { unit, .. }
            | Self::ChargeMove { unit }
            | Self::Widen { unit }
            | Self::Forced { unit }
            | Self::GoBack { unit, .. }
            | Self::GoOn { unit, .. }
            | Self::Breakthrough { unit, .. } => *unit,
        }
    }
}

/// What happens.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
#[allow(missing_docs)] // the fields are named for what they are
pub enum Event {
    TurnBegan {
        turn: u8,
        side: Side,
        greater_losses: bool,
    },
    PhaseBegan {
        phase: Phase,
    },
    Checked {
        leader: Option<Id>,
        die: u8,
        units: Vec<CheckLine>,
    },
    Ready {
        unit: Id,
        pace: Option<Pace>,
    },
    MustDo {
        unit: Id,
        effect: Effect,
    },
    Held {
        unit: Id,
    },
    Ordered {
        unit: Id,
        order: Order,
        rules: Vec<Clause>,
    },
    Placed {
        unit: Id,
        why: Why,
        place: Placement,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        track: Vec<Pose>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        ground: Option<Ground>,
    },
    Marked {
        unit: Id,
        mark: Mark,
        on: bool,
    },
    Lost {
        unit: Id,
        stands: u8,
        left: u8,
        rule: Clause,
    },
    Gun {
        unit: Id,
        stand: u8,
        state: GunStand,
        wrecked: bool,
        rule: Clause,
    },
    Removed {
        unit: Id,
        gone: Gone,
        rule: Clause,
    },
    Declared {
        unit: Id,
        charge: Charge,
    },
    ChargeMoved {
        unit: Id,
        charge: Charge,
    },
    ChargeOver {
        unit: Id,
    },
    Answered {
        unit: Id,
        answer: super::command::Decision,
    },
    Countercharged {
        unit: Id,
        #[serde(with = "table::as_inches")]
        moved: Mils,
        ground: Ground,
    },
    Sheltered {
        unit: Id,
        square: Option<Id>,
    },
    Fired {
        units: Vec<Id>,
        /// Which stands of each.
        stands: Vec<u64>,
        target: Id,
        passing: bool,
        points: f64,
        die: u8,
        tally: Tally,
        total: i32,
        effect: FireEffect,
        charge: Option<Fate>,
        rules: Vec<Clause>,
    },
    Massed {
        unit: Id,
        behind: Id,
        effect: FireEffect,
    },
    Fought {
        attackers: Vec<Id>,
        defenders: Vec<Id>,
        dice: [u8; 2],
        attacker: Tally,
        defender: Tally,
        difference: i32,
        effect: ChargeEffect,
        rules: Vec<Clause>,
    },
    LeaderMoved {
        leader: Id,
        to: Point,
        attached: Option<Id>,
    },
    LeaderHit {
        leader: Id,
        die: u8,
        state: LeaderState,
        rule: Clause,
    },
    LeaderReturned {
        leader: Id,
        unit: Id,
        rating: Rating,
        stand_in: bool,
    },
    LeaderRemoved {
        leader: Id,
    },
    SentOff {
        unit: Id,
        detachment: Id,
        stands: u8,
    },
    Rejoined {
        unit: Id,
        parent: Id,
        stands: u8,
    },
    Queued {
        pending: Pending,
    },
    Settled,
    KeyPosition {
        name: Id,
        holder: Option<Side>,
    },
    Over {
        points: [i32; 2],
        winner: Option<Side>,
        reason: super::victory::Reason,
    },
}
