//! What a player can order.

use serde::{Deserialize, Serialize};
use table::{Corner, Facing, Mils, Point, Pose};

use super::formation::Formation;
use super::id::Id;

/// A step of drill, measured as a player would with a ruler.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(tag = "step", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Step {
    /// Straight ahead.
    Advance {
        /// How far.
        #[serde(with = "table::as_inches")]
        inches: Mils,
    },
    /// Straight back, keeping the facing.
    Withdraw {
        /// How far.
        #[serde(with = "table::as_inches")]
        inches: Mils,
    },
    /// Ahead and aslant, keeping the facing.
    Oblique {
        /// How far.
        #[serde(with = "table::as_inches")]
        inches: Mils,
        /// To which side.
        to: Corner,
        /// How far from straight ahead.
        degrees: f64,
    },
    /// On a front corner, forward.
    Wheel {
        /// The corner that stays.
        to: Corner,
        /// How far round.
        degrees: f64,
    },
    /// A column turns at its head.
    Turn {
        /// The way it faces afterward.
        facing: Facing,
    },
    /// Facing by the rear rank.
    AboutFace,
    /// Sideways, keeping the facing.
    FlankMarch {
        /// To which side.
        to: Corner,
        /// How far.
        #[serde(with = "table::as_inches")]
        inches: Mils,
    },
    /// Along a road.
    Road {
        /// Which.
        road: Id,
        /// How far.
        #[serde(with = "table::as_inches")]
        inches: Mils,
        /// Toward the end it was drawn to, or back.
        forward: bool,
    },
    /// Into another formation.
    Form {
        /// Which.
        formation: Formation,
        /// The flank a march column deploys toward.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        toward: Option<Corner>,
    },
    /// A march column into a line across its way.
    DeployToTheFront,
    /// A wheel of the whole unit, as its whole maneuver.
    ChangeFront {
        /// The corner that stays.
        to: Corner,
        /// How far round.
        degrees: f64,
        /// Backward instead of forward.
        #[serde(default)]
        backward: bool,
    },
    /// A flank is swung back.
    RefuseFlank {
        /// Which.
        flank: Corner,
        /// How many files.
        files: u8,
        /// How far.
        degrees: f64,
    },
    /// Open order widens its gaps.
    Expand {
        /// To how much.
        #[serde(with = "table::as_inches")]
        gap: Mils,
    },
    /// Guns limber up.
    Limber,
    /// Guns unlimber.
    Unlimber {
        /// The way they face.
        facing: Facing,
    },
    /// Guns turn.
    Pivot {
        /// The way they face afterward.
        facing: Facing,
    },
    /// Guns are hauled by hand, ahead or, negative, back.
    HandHaul {
        /// How far.
        #[serde(with = "table::as_inches")]
        inches: Mils,
    },
    /// Cavalry mounts.
    Mount,
    /// Cavalry dismounts.
    Dismount,
    /// Over a major obstacle in contact ahead.
    Scale {
        /// Which.
        obstacle: Id,
    },
    /// Into a building in contact.
    Garrison {
        /// Which.
        building: Id,
    },
    /// Ammunition is replenished.
    Replenish,
    /// Silenced guns rally.
    Rally,
}

/// What a cavalry unit, or whoever owes a choice, decides.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(tag = "choice", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Decision {
    /// Stand and take what comes; the printed move.
    Stand,
    /// Out to meet the charge.
    Countercharge,
    /// A square in haste.
    HastySquare,
    /// The crew runs into a square.
    Shelter {
        /// Which.
        square: Id,
    },
    /// Back, away from the enemy.
    Recall {
        /// How far.
        #[serde(with = "table::as_inches")]
        inches: Mils,
        /// The way it faces afterward.
        facing: Facing,
    },
    /// Onto the ground of the beaten.
    Carry,
    /// The gaps of open order are widened after going back.
    Widen {
        /// To how much.
        #[serde(with = "table::as_inches")]
        gap: Mils,
    },
    /// A breakthrough that can reach nobody goes on, and stops where it likes.
    Advance {
        /// How far.
        #[serde(with = "table::as_inches")]
        inches: Mils,
    },
}

/// An order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Command {
    /// A leader joins a unit he touches.
    Attach {
        /// Who.
        leader: Id,
        /// Which.
        unit: Id,
    },
    /// A leader leaves his unit.
    Detach {
        /// Who.
        leader: Id,
    },
    /// A fallen leader is replaced, or a wounded one returns, with a unit of his command.
    Replace {
        /// Who.
        leader: Id,
        /// Which.
        unit: Id,
    },
    /// A unit in reserve enters.
    Enter {
        /// Which.
        unit: Id,
        /// How far in from the edge, by the head of the column.
        #[serde(with = "table::as_inches")]
        inches: Mils,
    },
    /// Units of one leader check together.
    Check {
        /// Which.
        units: Vec<Id>,
    },
    /// A unit that checked charges.
    Charge {
        /// Which.
        unit: Id,
        /// Whom.
        target: Id,
        /// With cold steel.
        #[serde(default)]
        cold_steel: bool,
        /// At the full move, disordered, on a tardy result.
        #[serde(default)]
        disordered: bool,
        /// The wheel it begins with, right positive; the least that hits, if not given.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        wheel: Option<f64>,
    },
    /// A unit that checked maneuvers.
    Maneuver {
        /// Which.
        unit: Id,
        /// The steps, in order.
        steps: Vec<Step>,
        /// At the full move, disordered, on a tardy result.
        #[serde(default)]
        disordered: bool,
    },
    /// A unit that checked goes to a place; the planner finds the steps.
    Go {
        /// Which.
        unit: Id,
        /// The middle of its front.
        to: Pose,
        /// At the full move, disordered, on a tardy result.
        #[serde(default)]
        disordered: bool,
    },
    /// Some stands become a light infantry detachment.
    SendOff {
        /// From which unit.
        unit: Id,
        /// The detachment of the scenario.
        detachment: Id,
        /// Where.
        to: Pose,
    },
    /// A detachment rejoins its parent.
    Rejoin {
        /// Which.
        unit: Id,
    },
    /// A leader who is with no unit moves.
    MoveLeader {
        /// Who.
        leader: Id,
        /// Where to.
        to: Point,
    },
    /// Units fire together at one target.
    Fire {
        /// Which.
        units: Vec<Id>,
        /// At whom.
        target: Id,
        /// As it passed, not where it stands.
        #[serde(default)]
        passing: bool,
        /// Who runs low on a 10; the first that can, if not given.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        mark: Option<Id>,
    },
    /// A charge combat is fought.
    Fight {
        /// One of the chargers.
        unit: Id,
    },
    /// A choice that is owed.
    Decide {
        /// Of which unit.
        unit: Id,
        /// What.
        decision: Decision,
    },
    /// The step is over.
    Done,
}
