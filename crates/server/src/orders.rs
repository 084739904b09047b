//! Orders, as the description of the API has them: the forms of docs/commands.md. They are read by the
//! rules' own types; a test holds these to the same.

use serde::Deserialize;
use utoipa::ToSchema;

/// The left or the right end of a unit's front.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Flank {
    /// Left.
    Left,
    /// Right.
    Right,
}

/// How a unit stands.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Formation {
    /// Two ranks.
    Line,
    /// Loose; in the Triple Alliance book the extended line of skirmishers.
    OpenOrder,
    /// A column on the field.
    FieldColumn,
    /// A column on the march.
    MarchColumn,
    /// Against horse.
    Square,
}

/// A place and a facing.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Place {
    /// Inches from the left and from the near edge: the middle of the front.
    pub at: [f64; 2],
    /// Degrees from north, clockwise.
    pub facing: f64,
}

/// An order of the battle. Lengths are inches, facings degrees from north, clockwise.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(tag = "do", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Order {
    /// A leader joins a unit he touches.
    Attach {
        /// Who.
        leader: String,
        /// Which.
        unit: String,
    },
    /// A leader leaves his unit.
    Detach {
        /// Who.
        leader: String,
    },
    /// A fallen leader is replaced, or a wounded one returns, with a unit of his command.
    Replace {
        /// Who.
        leader: String,
        /// Which.
        unit: String,
    },
    /// A unit in reserve enters.
    Enter {
        /// Which.
        unit: String,
        /// How far in from the edge, by the head of the column.
        inches: f64,
    },
    /// Units of one leader check together.
    Check {
        /// Which.
        units: Vec<String>,
    },
    /// A unit that checked charges.
    Charge {
        /// Which.
        unit: String,
        /// Whom.
        target: String,
        /// With cold steel.
        #[serde(default)]
        cold_steel: bool,
        /// At the full move, disordered, on a tardy result.
        #[serde(default)]
        disordered: bool,
        /// The wheel it begins with, right positive; the least that hits, if not given.
        #[serde(default)]
        wheel: Option<f64>,
    },
    /// A unit that checked maneuvers.
    Maneuver {
        /// Which.
        unit: String,
        /// The steps, in order.
        steps: Vec<Step>,
        /// At the full move, disordered, on a tardy result.
        #[serde(default)]
        disordered: bool,
    },
    /// A unit that checked goes to a place; the planner finds the steps.
    Go {
        /// Which.
        unit: String,
        /// The middle of its front.
        to: Place,
        /// At the full move, disordered, on a tardy result.
        #[serde(default)]
        disordered: bool,
    },
    /// Some stands become a light infantry detachment.
    SendOff {
        /// From which unit.
        unit: String,
        /// The detachment of the scenario.
        detachment: String,
        /// Where.
        to: Place,
    },
    /// A detachment rejoins its parent.
    Rejoin {
        /// Which.
        unit: String,
    },
    /// A leader who is with no unit moves.
    MoveLeader {
        /// Who.
        leader: String,
        /// Where to.
        to: [f64; 2],
    },
    /// Units fire together at one target.
    Fire {
        /// Which.
        units: Vec<String>,
        /// At whom.
        target: String,
        /// As it passed, not where it stands.
        #[serde(default)]
        passing: bool,
        /// Who runs low on a 10; the first that can, if not given.
        #[serde(default)]
        mark: Option<String>,
    },
    /// A charge combat is fought.
    Fight {
        /// One of the chargers.
        unit: String,
    },
    /// A choice that is owed.
    Decide {
        /// Of which unit.
        unit: String,
        /// What.
        decision: Decision,
    },
    /// The step is over.
    Done,
}

/// A step of a maneuver. Lengths are inches, facings degrees from north, clockwise.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(tag = "step", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Step {
    /// Straight ahead.
    Advance {
        /// How far.
        inches: f64,
    },
    /// Straight back, keeping the facing.
    Withdraw {
        /// How far.
        inches: f64,
    },
    /// Ahead and aslant, keeping the facing.
    Oblique {
        /// How far.
        inches: f64,
        /// To which side.
        to: Flank,
        /// How far from straight ahead.
        degrees: f64,
    },
    /// On a front corner, forward.
    Wheel {
        /// The corner that stays.
        to: Flank,
        /// How far round.
        degrees: f64,
    },
    /// A column turns at its head.
    Turn {
        /// The way it faces afterward.
        facing: f64,
    },
    /// Facing by the rear rank.
    AboutFace,
    /// Sideways, keeping the facing.
    FlankMarch {
        /// To which side.
        to: Flank,
        /// How far.
        inches: f64,
    },
    /// Along a road.
    Road {
        /// Which.
        road: String,
        /// How far.
        inches: f64,
        /// Toward the end it was drawn to, or back.
        forward: bool,
    },
    /// Into another formation.
    Form {
        /// Which.
        formation: Formation,
        /// The flank a march column deploys toward.
        #[serde(default)]
        toward: Option<Flank>,
    },
    /// A march column into a line across its way.
    DeployToTheFront,
    /// A wheel of the whole unit, as its whole maneuver.
    ChangeFront {
        /// The corner that stays.
        to: Flank,
        /// How far round.
        degrees: f64,
        /// Backward instead of forward.
        #[serde(default)]
        backward: bool,
    },
    /// A flank is swung back.
    RefuseFlank {
        /// Which.
        flank: Flank,
        /// How many files.
        files: u8,
        /// How far.
        degrees: f64,
    },
    /// Open order widens its gaps.
    Expand {
        /// To how much.
        gap: f64,
    },
    /// Guns limber up.
    Limber,
    /// Guns unlimber.
    Unlimber {
        /// The way they face.
        facing: f64,
    },
    /// Guns turn.
    Pivot {
        /// The way they face afterward.
        facing: f64,
    },
    /// Guns are hauled by hand, ahead or, negative, back.
    HandHaul {
        /// How far.
        inches: f64,
    },
    /// Cavalry mounts.
    Mount,
    /// Cavalry dismounts.
    Dismount,
    /// Over a major obstacle in contact ahead.
    Scale {
        /// Which.
        obstacle: String,
    },
    /// Into a building in contact.
    Garrison {
        /// Which.
        building: String,
    },
    /// Ammunition is replenished.
    Replenish,
    /// Silenced guns rally.
    Rally,
}

/// What is chosen, where a choice is owed. Lengths are inches, facings degrees from north, clockwise.
#[derive(Debug, Clone, Deserialize, ToSchema)]
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
        square: String,
    },
    /// Back, away from the enemy.
    Recall {
        /// How far.
        inches: f64,
        /// The way it faces afterward.
        facing: f64,
    },
    /// Onto the ground of the beaten.
    Carry,
    /// The gaps of open order are widened after going back.
    Widen {
        /// To how much.
        gap: f64,
    },
    /// A breakthrough that can reach nobody goes on, and stops where it likes.
    Advance {
        /// How far.
        inches: f64,
    },
}
