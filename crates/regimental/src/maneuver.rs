//! The maneuver check: one die and the modifiers, read in the column for the
//! state of the unit.

use dice::Distribution;
use rulebook::request::{Name, die};
use rulebook::{
    Amount, Book, Bounds, Check, Cite, Code, Conditions, Counted, Figure, Flaw, Ladder,
    ModifierTable, Refusal, RuleId, request,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{Rules, ten_sided};

/// What a maneuver check comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Effect {
    /// Well handled, at the double quick rate.
    DoubleQuick,
    /// A maneuver of the well handled list.
    WellHandled,
    /// A maneuver of the tardy list.
    Tardy,
    /// Back out of close range, disordered.
    FallBack,
    /// Away, broken.
    Panic,
    /// Good order, and a maneuver at once.
    RallyWithElan,
    /// Good order.
    Rally,
    /// Back out of close range, in good order.
    Shaken,
    /// Back out of close range, still disordered.
    Wavering,
    /// Away, broken, with losses.
    Rout,
}

const EFFECTS: [(&str, Effect); 10] = [
    ("double-quick", Effect::DoubleQuick),
    ("well-handled", Effect::WellHandled),
    ("tardy", Effect::Tardy),
    ("fall-back", Effect::FallBack),
    ("panic", Effect::Panic),
    ("rally-with-elan", Effect::RallyWithElan),
    ("rally", Effect::Rally),
    ("shaken", Effect::Shaken),
    ("wavering", Effect::Wavering),
    ("rout", Effect::Rout),
];

/// The state an effect leaves a unit in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Left {
    Disordered,
    Silenced,
    Broken,
}

#[derive(Debug, Clone)]
struct EffectClause {
    rule: RuleId,
    effect: Effect,
    arm: Option<Arm>,
    left: Option<Left>,
    list: Option<String>,
}

/// Stands lost on a total below zero.
#[derive(Debug, Clone)]
struct Loss {
    rule: RuleId,
    effect: Effect,
    stands: i32,
    per_point_below_zero: i32,
}

/// One of the two result columns, for units in and out of command.
#[derive(Debug, Clone)]
struct Column {
    in_command: Ladder<Effect>,
    out_of_command: Ladder<Effect>,
    effects: Vec<EffectClause>,
    loss: Option<Loss>,
}

/// The maneuver table.
#[derive(Debug, Clone)]
pub(crate) struct Table {
    pub(crate) modifiers: ModifierTable,
    good_order: Column,
    disordered: Column,
    /// Whether command is a column of the table; otherwise it is a modifier.
    command_columns: bool,
    leaders: Conditions,
}

impl Table {
    pub(crate) fn read(book: &Book) -> Result<Self, Flaw> {
        ten_sided(book, "maneuver.die")?;
        book.rule("maneuver.good-order.applies")?;
        book.rule("maneuver.disordered.applies")?;
        book.rule("maneuver.modifier.group-once")?;
        let modifiers = ModifierTable::read(book, "maneuver.modifier.", "modifier")?;
        let leaders = ["gallant-leader", "able-leader", "poor-leader", "provisional-command"]
            .iter()
            .fold(Conditions::default(), |all, name| all.with(modifiers.named(name)));
        let command_columns = book
            .clause("maneuver.good-order.double-quick.range")
            .is_some_and(|c| c.figures.contains_key("out_of_command"));
        Ok(Self {
            good_order: Column::read(book, "good-order")?,
            disordered: Column::read(book, "disordered")?,
            modifiers,
            command_columns,
            leaders,
        })
    }
}

impl Table {
    /// The list of maneuvers an effect opens to disordered troops, if any.
    pub(crate) fn list_after(&self, effect: Effect) -> Option<&str> {
        let mut clauses = self.disordered.effects.iter().filter(|c| c.effect == effect);
        clauses.find_map(|c| c.list.as_deref())
    }

    /// The order an effect leaves troops in who had some order, if it says so.
    pub(crate) fn order_after(&self, order: Order, effect: Effect) -> Option<Order> {
        let column = if order == Order::Good { &self.good_order } else { &self.disordered };
        let concerns = |c: &&EffectClause| c.effect == effect && c.arm != Some(Arm::Guns);
        column.effects.iter().filter(concerns).find_map(|c| match c.left? {
            Left::Disordered => Some(Order::Disordered),
            Left::Broken => Some(Order::Broken),
            Left::Silenced => None,
        })
    }

    /// Whether an effect silences guns.
    pub(crate) fn silences(&self, effect: Effect) -> bool {
        let concerns = |c: &&EffectClause| c.effect == effect && c.arm != Some(Arm::Troops);
        self.good_order.effects.iter().filter(concerns).any(|c| c.left == Some(Left::Silenced))
    }
}

impl Column {
    fn read(book: &Book, column: &str) -> Result<Self, Flaw> {
        let mut ladders = [Vec::new(), Vec::new()];
        let mut effects = Vec::new();
        let mut loss = None;
        for (name, effect) in EFFECTS {
            let id = format!("maneuver.{column}.{name}");
            let range = format!("{id}.range");
            let Some(clause) = book.clause(&range) else {
                continue;
            };
            for (rows, key) in ladders.iter_mut().zip(["in_command", "out_of_command"]) {
                let figures =
                    clause.figures.get(key).and_then(Figure::table).unwrap_or(&clause.figures);
                rows.push((
                    range.clone(),
                    Bounds::read(&range, figures)?,
                    book.rule(&range)?,
                    effect,
                ));
            }
            for (rule, clause) in book.clauses() {
                let Some(tail) = clause.id.strip_prefix(&format!("{id}.")) else {
                    continue;
                };
                if tail == "stand-loss" {
                    let stands = match clause.figures.contains_key("stands") {
                        true => book.int(&clause.id, "stands")?,
                        false => 0,
                    };
                    let per_point_below_zero =
                        book.int(&clause.id, "stands_per_point_below_zero")?;
                    loss = Some(Loss { rule, effect, stands, per_point_below_zero });
                } else if tail != "range" {
                    let left = left_by(book, &clause.id)?;
                    let opens = clause.figures.contains_key("list");
                    let list = opens
                        .then(|| book.text(&clause.id, "list").map(str::to_owned))
                        .transpose()?;
                    effects.push(EffectClause {
                        rule,
                        effect,
                        arm: arm_of(book, &clause.id)?,
                        left,
                        list,
                    });
                }
            }
        }
        // Without their own figures a panicked unit would lose nothing.
        if column == "disordered" && loss.is_none() {
            book.rule("maneuver.disordered.panic.stand-loss")?;
        }
        let [in_command, out_of_command] = ladders;
        Ok(Self {
            in_command: Ladder::build(&format!("the {column} column in command"), in_command)?,
            out_of_command: Ladder::build(
                &format!("the {column} column out of command"),
                out_of_command,
            )?,
            effects,
            loss,
        })
    }
}

fn left_by(book: &Book, id: &str) -> Result<Option<Left>, Flaw> {
    let figures = &book.clause(id).map(|c| c.figures.clone()).unwrap_or_default();
    for (key, left) in
        [("disordered", Left::Disordered), ("silenced", Left::Silenced), ("broken", Left::Broken)]
    {
        if figures.contains_key(key) && book.flag(id, key)? {
            return Ok(Some(left));
        }
    }
    Ok(None)
}

/// Which arm an effect's clause speaks of; both, if it does not say.
fn arm_of(book: &Book, id: &str) -> Result<Option<Arm>, Flaw> {
    if !book.clause(id).is_some_and(|c| c.figures.contains_key("arm")) {
        return Ok(None);
    }
    match book.text(id, "arm")? {
        "troops" => Ok(Some(Arm::Troops)),
        "guns" => Ok(Some(Arm::Guns)),
        other => Err(Flaw::of(id, format!("`arm` is {other}: troops or guns"))),
    }
}

/// Who checks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Arm {
    /// Infantry or cavalry.
    #[serde(alias = "infantry", alias = "cavalry")]
    Troops,
    /// Artillery.
    Guns,
}

/// The state of the unit that checks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Order {
    /// In good order.
    #[serde(alias = "good-order")]
    Good,
    /// Disordered.
    Disordered,
    /// Broken.
    Broken,
}

request! {
    /// A maneuver check.
    pub struct Request<'a> {
        arm: Arm,
        order: Order,
        #[serde(default, borrow)] conditions: Vec<Name<'a>>,
        #[serde(default)] in_command: Option<bool>,
        #[serde(default)] die: Option<i64>,
    }
}

/// A maneuver check before its die.
#[derive(Debug)]
pub struct Assessment<'r> {
    table: &'r Table,
    column: &'r Column,
    ladder: &'r Ladder<Effect>,
    arm: Arm,
    counted: Conditions,
    sum: i32,
    die: Option<i64>,
}

/// Settles which clauses count.
///
/// # Errors
/// A refusal of what was said.
pub fn assess<'r>(rules: &'r Rules, request: &Request<'_>) -> Result<Assessment<'r>, Refusal> {
    let table = &rules.maneuver;
    let in_command = request.in_command.unwrap_or(true);
    if !in_command && !table.command_columns {
        let message = "this book has no column for units out of command: \
                       give the condition maneuver.modifier.out-of-command";
        return Err(Refusal::new(Code::BadValue, message));
    }
    let hold = table.modifiers.conditions(&request.conditions)?;
    let who = (request.arm, request.order);
    let assessment = prepare(rules, who, in_command, hold)?;
    Ok(Assessment { die: request.die, ..assessment })
}

/// The check of a unit whose conditions are known.
///
/// # Errors
/// A refusal of conditions that contradict each other.
pub(crate) fn prepare(
    rules: &Rules,
    (arm, order): (Arm, Order),
    in_command: bool,
    mut hold: Conditions,
) -> Result<Assessment<'_>, Refusal> {
    let table = &rules.maneuver;
    // Contradictions are found among all that was said, before command drops any of it.
    table.modifiers.count(hold)?;
    if !in_command {
        hold = hold.without(table.leaders);
    }
    let (counted, sum) = table.modifiers.count(hold)?;
    let column = match (arm, order) {
        (Arm::Guns, _) | (_, Order::Good) => &table.good_order,
        _ => &table.disordered,
    };
    let columns = in_command || !table.command_columns;
    let ladder = if columns { &column.in_command } else { &column.out_of_command };
    Ok(Assessment { table, column, ladder, arm, counted, sum, die: None })
}

/// What a maneuver check came to.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub struct Outcome {
    /// Die and modifiers.
    pub total: i32,
    /// The effect.
    pub effect: Effect,
    /// Stands lost at once.
    pub stands_lost: i32,
}

impl Assessment<'_> {
    /// The clauses of an effect that concern the unit.
    fn clauses(&self, effect: Effect) -> impl Iterator<Item = &EffectClause> {
        let concerns =
            move |c: &&EffectClause| c.effect == effect && c.arm.is_none_or(|arm| arm == self.arm);
        self.column.effects.iter().filter(concerns)
    }
}

impl Check for Assessment<'_> {
    type Roll = u8;
    type Outcome = Outcome;

    fn given(&self) -> Result<u8, Refusal> {
        die(self.die)
    }

    fn rolls(&self) -> Distribution<u8> {
        dice::die()
    }

    fn resolve<C: Cite>(&self, roll: u8, cited: &mut C) -> Outcome {
        let total = i32::from(roll) + self.sum;
        let (rule, effect) = self.ladder.read(total.into());
        cited.cite(rule);
        for clause in self.clauses(effect) {
            cited.cite(clause.rule);
        }
        let mut stands_lost = 0;
        if let Some(loss) = self.column.loss.as_ref().filter(|l| l.effect == effect) {
            cited.cite(loss.rule);
            stands_lost = (loss.stands + loss.per_point_below_zero * (-total).max(0)).max(0);
        }
        Outcome { total, effect, stands_lost }
    }

    fn modifiers(&self) -> Vec<Counted> {
        self.table.modifiers.lines(self.counted).map(Counted::plain).collect()
    }

    fn details(&self, roll: u8) -> Vec<(&'static str, Value)> {
        let outcome = self.resolve(roll, &mut ());
        let left = self.clauses(outcome.effect).find_map(|c| c.left);
        let state = left.map(|l| match l {
            Left::Disordered => "disordered",
            Left::Silenced => "silenced",
            Left::Broken => "broken",
        });
        let list = self.clauses(outcome.effect).find_map(|c| c.list.as_deref());
        vec![
            ("state", json!(state)),
            ("maneuver_list", json!(list)),
            ("sum", json!(Amount::from(self.sum))),
        ]
    }
}
