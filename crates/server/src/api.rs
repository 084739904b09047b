//! What requests and answers consist of. The page's types are made from these.

use engine::view::{Board, ChargeView, Entry, Ghost, Offer, Roll, ScenarioCard, Stand, View};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use ts_rs::TS;
use utoipa::ToSchema;

use crate::orders::Order;

/// How a game is played.
#[derive(Debug, Clone, Deserialize, TS, ToSchema)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Mode {
    /// Both sides at one screen.
    HotSeat,
    /// Against a computer general.
    General {
        /// The side of the player, by its short name.
        side: String,
        /// The level of the general.
        level: String,
    },
    /// Against somebody far away, who gets a link.
    Remote {
        /// The side of whoever makes the game.
        side: String,
    },
    /// Several players a side: a link for each leader, who orders his own units.
    Brigades,
    /// Two computer generals, to look on.
    Watch {
        /// The level of the side listed first.
        first: String,
        /// The level of the other.
        second: String,
    },
}

/// A game to make.
#[derive(Debug, Clone, Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MakeGame {
    /// The short name of a scenario built in.
    pub scenario: Option<String>,
    /// Or the text of one.
    pub scenario_text: Option<String>,
    /// Or the text of a save to go on with.
    pub save: Option<String>,
    /// How it is played.
    pub mode: Mode,
    /// The player's name.
    #[serde(default)]
    pub name: String,
}

/// A game that was made. The tokens are shown this once.
#[derive(Debug, Clone, Serialize, TS, ToSchema)]
pub struct Made {
    /// The game's id.
    pub game: String,
    /// The token of whoever made it.
    pub token: String,
    /// The token for the other side, in a remote game.
    pub invite: Option<String>,
    /// The token for looking on.
    pub watch: String,
    /// What should be known of a save that was loaded: a last line cut off, a book changed since.
    pub remarks: Vec<String>,
    /// The tokens of the brigades, if there are any.
    pub brigades: Vec<BrigadeSeat>,
}

/// A seat for a leader's brigade.
#[derive(Debug, Clone, Serialize, TS, ToSchema)]
pub struct BrigadeSeat {
    /// The side's short name.
    pub side: String,
    /// The leader's name.
    pub leader: String,
    /// The token.
    pub token: String,
}

/// Who sits where.
#[derive(Debug, Clone, Serialize, TS, ToSchema)]
pub struct Player {
    /// `both`, `watch`, or a side's short name.
    pub role: String,
    /// His name; empty until he gives one.
    pub name: String,
    /// The level, if it is a computer general.
    pub general: Option<String>,
}

/// The table of a scenario before its first order.
#[derive(Debug, Clone, Serialize, TS, ToSchema)]
pub struct Laid {
    /// What never changes.
    pub board: Board,
    /// What stands on it.
    pub view: View,
}

/// A game as one opens it.
#[derive(Debug, Clone, Serialize, TS, ToSchema)]
pub struct Opened {
    /// Its id.
    pub game: String,
    /// What never changes.
    pub board: Board,
    /// What the token opens: `both`, `watch`, a side's short name, or side/leader.
    pub you: String,
    /// The seed's hash, shown before the first die; none if dice came from elsewhere.
    pub commitment: Option<String>,
    /// The state, with the whole log.
    pub now: Update,
}

/// What has changed in a game.
#[derive(Debug, Clone, Serialize, TS, ToSchema)]
pub struct Update {
    /// The revision this leads to.
    #[ts(type = "number")]
    pub rev: u64,
    /// How many entries of the log still stand; `entries` follow them.
    pub from: usize,
    /// What has happened since.
    pub entries: Vec<Entry>,
    /// For those who asked for a brief answer: `view` has only the units and leaders that changed
    /// after this revision, each to be put in place of the one of its id. Otherwise none, and it
    /// has all.
    #[ts(type = "number | null")]
    pub since: Option<u64>,
    /// The table as it stands.
    pub view: View,
    /// What the step itself allows.
    pub step: Vec<Offer>,
    /// Who sits where.
    pub players: Vec<Player>,
    /// The leaders of brigades who still have something to do in this step, when others of their
    /// side have said that they are done.
    pub waiting: Vec<String>,
    /// How the game ended, if it was not fought to its end.
    pub settled: Option<Settled>,
    /// The short name of the side that offers a draw, while it does.
    pub draw_offered: Option<String>,
    /// The id of the game in which the battle is fought again with the sides changed. The same
    /// token opens it.
    pub rematch: Option<String>,
    /// The seed of the dice, when the battle is over.
    pub seed: Option<String>,
}

/// How a game ended that was not fought to its end.
#[derive(Debug, Clone, Serialize, TS, ToSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Settled {
    /// A side gave it up.
    Conceded {
        /// Its short name.
        by: String,
    },
    /// Both agreed to a draw.
    Drawn,
}

/// A side gives the battle up.
#[derive(Debug, Clone, Default, Deserialize, TS, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Concede {
    /// The side's short name; not needed by a seat that has one side only.
    #[ts(optional)]
    pub side: Option<String>,
    /// The revision the sender has seen.
    #[ts(type = "number | null", optional)]
    pub after: Option<u64>,
    /// The sender's own name for this request.
    #[ts(optional)]
    pub key: Option<String>,
}

/// What is said about a draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, TS, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum DrawWord {
    /// Offers one. Where one seat has both sides, it is agreed to at once.
    Offer,
    /// Agrees to the one that is offered.
    Agree,
    /// Does not.
    Decline,
}

/// A word about a draw.
#[derive(Debug, Clone, Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Draw {
    /// The word.
    pub say: DrawWord,
    /// The side's short name; not needed by a seat that has one side only.
    #[serde(default)]
    #[ts(optional)]
    pub side: Option<String>,
    /// The revision the sender has seen.
    #[serde(default)]
    #[ts(type = "number | null", optional)]
    pub after: Option<u64>,
    /// The sender's own name for this request.
    #[serde(default)]
    #[ts(optional)]
    pub key: Option<String>,
}

/// The battle fought again.
#[derive(Debug, Clone, Serialize, TS, ToSchema)]
pub struct Rematch {
    /// The id of the new game; the same token opens it.
    pub game: String,
}

/// An order.
#[derive(Debug, Clone, Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct GiveOrder {
    /// The order, as docs/commands.md has it.
    #[ts(type = "Record<string, unknown>")]
    #[schema(value_type = Order)]
    pub order: Value,
    /// The revision the sender has seen; refused if the game has moved on.
    #[ts(type = "number | null", optional)]
    pub after: Option<u64>,
    /// The sender's own name for this request, at most 64 letters: a repeat is answered, not
    /// carried out again.
    #[ts(optional)]
    pub key: Option<String>,
    /// Whether the answer's view may leave out the units and leaders that have not changed.
    #[serde(default)]
    #[ts(optional, as = "Option<bool>")]
    pub brief: bool,
}

/// An order, or a step back or forth, that was carried out.
#[derive(Debug, Clone, Serialize, TS, ToSchema)]
pub struct Done {
    /// Whether it had been carried out before.
    pub repeated: bool,
    /// What has changed.
    pub update: Update,
}

/// A step back or forth.
#[derive(Debug, Clone, Default, Deserialize, TS, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct StepBack {
    /// The revision the sender has seen.
    #[ts(type = "number | null", optional)]
    pub after: Option<u64>,
    /// The sender's own name for this request.
    #[ts(optional)]
    pub key: Option<String>,
    /// Whether the answer's view may leave out the units and leaders that have not changed.
    #[ts(optional, as = "Option<bool>")]
    pub brief: bool,
}

/// An order to see the odds of.
#[derive(Debug, Clone, Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AskOdds {
    /// The order.
    #[ts(type = "Record<string, unknown>")]
    #[schema(value_type = Order)]
    pub order: Value,
}

/// The rolls an order would lead to.
#[derive(Debug, Clone, Serialize, TS, ToSchema)]
pub struct Odds {
    /// Them.
    pub rolls: Vec<Roll>,
    /// Where a charge would end.
    pub charge: Option<ChargeView>,
}

/// Somewhere to send a unit.
#[derive(Debug, Clone, Copy, Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct There {
    /// Inches from the left edge.
    pub x: f64,
    /// Inches from the near edge.
    pub y: f64,
    /// Degrees from north, clockwise; as it faces now if not given.
    #[ts(optional)]
    pub facing: Option<f64>,
}

/// A way to plan.
#[derive(Debug, Clone, Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AskWay {
    /// The unit, or a leader.
    pub unit: String,
    /// Where to.
    pub to: There,
    /// At the price of disorder.
    #[serde(default)]
    pub disordered: bool,
}

/// A way that was planned.
#[derive(Debug, Clone, Serialize, TS, ToSchema)]
pub struct Way {
    /// Where it would stand.
    pub ghost: Ghost,
}

/// What a unit or a leader may do.
#[derive(Debug, Clone, Serialize, TS, ToSchema)]
pub struct Offers {
    /// Orders, and why not the rest.
    pub offers: Vec<Offer>,
    /// The outline of where it could get to, if it may move.
    pub reach: Vec<Stand>,
}

/// What is seen from a place.
#[derive(Debug, Clone, Serialize, TS, ToSchema)]
pub struct Seen {
    /// The outline of what is seen, in inches.
    pub outline: Vec<[f64; 2]>,
    /// The units seen.
    pub units: Vec<String>,
}

/// A game to begin from a moment of another.
#[derive(Debug, Clone, Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Branch {
    /// After how many orders.
    pub n: usize,
    /// How it is played.
    pub mode: Mode,
    /// The player's name.
    #[serde(default)]
    pub name: String,
}

/// A name for a player.
#[derive(Debug, Clone, Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Rename {
    /// At most 40 letters.
    pub name: String,
}

/// The scenarios there are.
#[derive(Debug, Clone, Serialize, TS, ToSchema)]
pub struct Scenarios {
    /// Them.
    pub scenarios: Vec<ScenarioCard>,
    /// The levels of the computer general.
    pub levels: Vec<Level>,
}

/// A level of the computer general.
#[derive(Debug, Clone, Serialize, TS, ToSchema)]
pub struct Level {
    /// Its short name.
    pub id: String,
    /// What it is like.
    pub says: String,
}

/// A rulebook to read.
#[derive(Debug, Clone, Serialize, TS, ToSchema)]
pub struct BookText {
    /// Its short name.
    pub id: String,
    /// Its title.
    pub title: String,
    /// The clauses, by section.
    pub sections: Vec<Section>,
    /// The rulings.
    pub rulings: Vec<RulingText>,
}

/// A part of a book.
#[derive(Debug, Clone, Serialize, TS, ToSchema)]
pub struct Section {
    /// Its title.
    pub title: String,
    /// Its clauses.
    pub clauses: Vec<ClauseText>,
}

/// A clause.
#[derive(Debug, Clone, Serialize, TS, ToSchema)]
pub struct ClauseText {
    /// Its id.
    pub id: String,
    /// What it says.
    pub says: String,
    /// Where it is printed.
    pub source: String,
    /// A remark.
    pub note: Option<String>,
}

/// A ruling.
#[derive(Debug, Clone, Serialize, TS, ToSchema)]
pub struct RulingText {
    /// Its id.
    pub id: String,
    /// The question.
    pub question: String,
    /// The answer.
    pub text: String,
}

/// How much of a battle was dice, in points of the first side's lead.
#[derive(Debug, Clone, Serialize, TS, ToSchema)]
pub struct Luck {
    /// The lead at the start.
    pub start: f64,
    /// The lead at the end.
    pub end: f64,
    /// What the dice gave the first side beyond what could be expected.
    pub dice: f64,
    /// What both sides' orders were worth with average dice.
    pub generalship: f64,
    /// Which weighed more, in a sentence.
    pub verdict: String,
    /// The throws, in order.
    pub throws: Vec<LuckyThrow>,
}

/// One throw of a battle.
#[derive(Debug, Clone, Serialize, TS, ToSchema)]
pub struct LuckyThrow {
    /// The order, from 1.
    pub order: usize,
    /// The turn.
    pub turn: u8,
    /// The short name of the side that gave it.
    pub by: String,
    /// What it was.
    pub what: String,
    /// The dice.
    pub dice: Vec<u8>,
    /// Points the first side could expect to gain.
    pub expected: f64,
    /// Points it gained.
    pub actual: f64,
}
