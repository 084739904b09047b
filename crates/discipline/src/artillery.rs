//! Artillery fire: one die per gun, and the automatic hits of the stars.

use dice::Distribution;
use rulebook::request::{Name, between, distance, pool_hits};
use rulebook::{
    Book, Check, Cite, Code, Conditions, Counted, Flaw, ModifierTable, Refusal, RuleId, request,
};
use serde::Serialize;

use crate::{Rules, ten_sided};

/// A row of the fire chart.
#[derive(Debug, Clone)]
struct Row {
    pounder: (i64, i64),
    hit_up_to: Vec<i32>,
    automatic: Vec<i32>,
    rule: RuleId,
}

/// A class of guns.
#[derive(Debug, Clone)]
struct Class {
    pounder: (i64, i64),
    max_range: f64,
    rule: RuleId,
}

/// The artillery fire chart.
#[derive(Debug, Clone)]
pub(crate) struct Table {
    pub(crate) near: ModifierTable,
    far: ModifierTable,
    near_max: f64,
    two_ranges: RuleId,
    bands: Vec<f64>, // the upper end of each; the last is open
    rows: Vec<Row>,
    classes: Vec<Class>,
    shell: Row,
    shell_min: (f64, RuleId),
    shell_max: (f64, RuleId),
    dice_per_gun: (u32, RuleId),
    automatic_per_gun: (u32, RuleId),
    gun_hit: (f64, RuleId),
    destroying_hits: (i64, RuleId),
    one_gun: (i64, i64, RuleId),
    halves_round_up: bool,
}

const ROWS: [&str; 5] = ["1-4", "6", "8-9", "10-12", "18"];
const CLASSES: [&str; 4] = ["light", "field", "position", "siege"];
const HEAVIEST: i64 = 1000;

impl Table {
    pub(crate) fn read(book: &Book) -> Result<Self, Flaw> {
        ten_sided(book, "artillery.procedure.step-d-roll")?;
        book.rule("artillery.fire.modifier-meaning")?;
        let ranges = "artillery.fire.modifier-two-ranges";
        let near_max = book.number(ranges, "near_max")?;
        if (book.number(ranges, "far_min")? - near_max - 1.0).abs() > f64::EPSILON {
            return Err(Flaw::of(ranges, "`far_min` is the yard after `near_max`"));
        }
        let rows = ROWS
            .iter()
            .map(|name| row(book, &format!("artillery.fire.row-{name}-pdr")))
            .collect::<Result<Vec<_>, _>>()?;
        let classes = CLASSES
            .iter()
            .map(|name| class(book, &format!("artillery.class.{name}")))
            .collect::<Result<Vec<_>, _>>()?;
        let shell = row(book, "artillery.fire.row-shell")?;
        let minimum = "artillery.fire.shell-minimum-range";
        let howitzers = "artillery.class.howitzers-mortars";
        let one_gun = "artillery.damage.one-gun-section";
        let count = |id: &str, figure: &str| -> Result<(u32, RuleId), Flaw> {
            Ok((book.count(id, figure)?, book.rule(id)?))
        };
        let table = Self {
            near: ModifierTable::read(book, "artillery.fire.modifier.", "near")?,
            far: ModifierTable::read(book, "artillery.fire.modifier.", "far")?,
            near_max,
            two_ranges: book.rule(ranges)?,
            bands: bands(book)?,
            shell_min: (book.number(minimum, "min_range")?, book.rule(minimum)?),
            shell_max: (book.number(howitzers, "max_range")?, book.rule(howitzers)?),
            dice_per_gun: count("artillery.fire.one-die-per-gun", "dice_per_gun")?,
            automatic_per_gun: count("artillery.fire.star-automatic-hit", "automatic_per_gun")?,
            gun_hit: {
                let id = "artillery.damage.gun-hit-halves";
                (book.number(id, "factor")?, book.rule(id)?)
            },
            destroying_hits: {
                let id = "artillery.damage.two-gun-hits";
                (book.count(id, "hits")?.into(), book.rule(id)?)
            },
            one_gun: (
                book.count(one_gun, "guns")?.into(),
                book.count(one_gun, "hits")?.into(),
                book.rule(one_gun)?,
            ),
            halves_round_up: book.setting("fd-gun-hit") == "up",
            rows,
            classes,
            shell,
        };
        for row in table.rows.iter().chain([&table.shell]) {
            if row.hit_up_to.len() != table.bands.len() || row.automatic.len() != table.bands.len()
            {
                return Err(Flaw::of(
                    book.name(row.rule),
                    "a row has one number for each range band",
                ));
            }
        }
        let name = |row: &Row| book.name(row.rule).to_owned();
        for row in table.rows.iter().chain([&table.shell]) {
            if row.automatic.iter().any(|n| *n < 0) {
                return Err(Flaw::of(name(row), "`automatic` may not be negative"));
            }
        }
        for pair in table.rows.windows(2) {
            if pair[1].pounder.0 <= pair[0].pounder.1 {
                return Err(Flaw {
                    clauses: vec![name(&pair[1]), name(&pair[0])],
                    message: "two rows for one calibre".into(),
                });
            }
        }
        let mut next = 1;
        for class in &table.classes {
            if class.pounder.0 != next {
                let message = format!("the classes of guns leave a hole or overlap at {next}");
                return Err(Flaw::of(book.name(class.rule), message));
            }
            next = class.pounder.1 + 1;
        }
        if table.shell.automatic.first() != Some(&0) || table.shell.hit_up_to.first() != Some(&-1) {
            let id = book.name(table.shell.rule).to_owned();
            return Err(Flaw {
                clauses: vec![id, minimum.into()],
                message: "shell is not fired in the first band".into(),
            });
        }
        Ok(table)
    }

    /// The row of a calibre: its own, else within its class the heaviest row
    /// not above it, else the lightest (ruling.fd-pounder-gaps).
    fn row(&self, pounder: i64) -> &Row {
        let holds = |(low, high): (i64, i64)| (low..=high).contains(&pounder);
        if let Some(row) = self.rows.iter().find(|r| holds(r.pounder)) {
            return row;
        }
        let class = self.class(pounder).pounder;
        let in_class = |r: &&Row| r.pounder.0 <= class.1 && r.pounder.1 >= class.0;
        let mut rows = self.rows.iter().filter(in_class);
        let lightest = rows.clone().next().unwrap_or(&self.rows[0]);
        rows.rfind(|r| r.pounder.1 < pounder).unwrap_or(lightest)
    }

    fn class(&self, pounder: i64) -> &Class {
        let holds = |c: &&Class| (c.pounder.0..=c.pounder.1).contains(&pounder);
        self.classes.iter().find(holds).unwrap_or(&self.classes[0])
    }
}

fn bands(book: &Book) -> Result<Vec<f64>, Flaw> {
    let id = "artillery.fire.range-bands";
    let rows = book.rows(id, "bands")?;
    let mut next = 1;
    let mut bands = Vec::new();
    for (i, band) in rows.iter().enumerate() {
        let last = i + 1 == rows.len();
        match band[..] {
            [from, to] if from == next && (to >= from || (last && to == -1)) => {
                bands.push(if to == -1 { f64::INFINITY } else { f64::from(to) });
                next = to + 1;
            }
            _ => {
                return Err(Flaw::of(
                    id,
                    format!("the range bands leave a hole or overlap at {next}"),
                ));
            }
        }
    }
    match bands.last() {
        Some(last) if last.is_infinite() => Ok(bands),
        _ => Err(Flaw::of(id, "the last band is open: its end is -1")),
    }
}

fn pounders(book: &Book, id: &str) -> Result<(i64, i64), Flaw> {
    let clause = book.clause(id);
    if clause.is_some_and(|c| c.figures.contains_key("pounder_min")) {
        return Ok((book.int(id, "pounder_min")?.into(), HEAVIEST));
    }
    match book.ints(id, "pounder")?[..] {
        [low, high] if low <= high => Ok((low.into(), high.into())),
        _ => Err(Flaw::of(id, "`pounder` is from and to")),
    }
}

fn row(book: &Book, id: &str) -> Result<Row, Flaw> {
    let shell = id.ends_with("shell");
    Ok(Row {
        pounder: if shell { (0, 0) } else { pounders(book, id)? },
        hit_up_to: book.ints(id, "hit_up_to")?,
        automatic: book.ints(id, "automatic")?,
        rule: book.rule(id)?,
    })
}

fn class(book: &Book, id: &str) -> Result<Class, Flaw> {
    Ok(Class {
        pounder: pounders(book, id)?,
        max_range: book.number(id, "max_range")?,
        rule: book.rule(id)?,
    })
}

request! {
    /// Fire of a gun section.
    pub struct Request<'a> {
        #[serde(default)] pounder: Option<i64>,
        #[serde(default)] shell: bool,
        range: f64,
        guns: i64,
        #[serde(default)] gun_hits: i64,
        #[serde(default, borrow)] conditions: Vec<Name<'a>>,
        #[serde(default)] dice: Option<Vec<i64>>,
    }
}

/// Artillery fire before its dice.
#[derive(Debug)]
pub struct Assessment<'r> {
    table: &'r Table,
    modifiers: &'r ModifierTable,
    row: &'r Row,
    class: RuleId,
    starred: bool,
    damaged: bool,
    dice: u32,
    to_hit: i32,
    automatic: u32,
    counted: Conditions,
    given: Option<Vec<i64>>,
}

/// A battery of this size has never stood on one stand.
const MOST_GUNS: i64 = 40;

/// Settles which clauses count.
///
/// # Errors
/// A refusal of what was said, or of fire out of range.
pub fn assess<'r>(rules: &'r Rules, request: &Request<'_>) -> Result<Assessment<'r>, Refusal> {
    let table = &rules.artillery;
    let (row, max_range, class) = piece(table, request)?;
    distance(request.range, "yards")?;
    let beyond = |message: String| Err(Refusal::new(Code::NotAllowed, message));
    if request.range > max_range {
        return beyond(format!("out of range: this piece reaches {max_range} yards"));
    }
    if request.shell && request.range < table.shell_min.0 {
        return beyond(format!("shell is not fired at less than {} yards", table.shell_min.0));
    }
    let guns = between("guns", request.guns, 1, MOST_GUNS)?;
    let gun_hits = between("gun_hits", request.gun_hits, 0, MOST_GUNS)?;
    let (one, enough, _) = table.one_gun;
    if gun_hits >= table.destroying_hits.0 || (guns == one && gun_hits >= enough) {
        return beyond(format!(
            "a section of {guns} with {gun_hits} gun hits is destroyed: it cannot fire"
        ));
    }
    let modifiers = if request.range <= table.near_max { &table.near } else { &table.far };
    let (counted, sum) = modifiers.count(modifiers.conditions(&request.conditions)?)?;
    let band = table.bands.iter().position(|to| request.range <= *to).unwrap_or(0);
    let mut to_hit = row.hit_up_to.get(band).copied().unwrap_or(0) + sum;
    let guns = u32::try_from(guns).unwrap_or(1);
    let starred = row.automatic.get(band).is_some_and(|n| *n > 0);
    let stars = u32::try_from(row.automatic.get(band).copied().unwrap_or(0)).unwrap_or(0);
    let mut automatic = guns * stars * table.automatic_per_gun.0;
    if gun_hits > 0 {
        let halved = |n: f64, up: bool| if up { n.ceil() } else { n.floor() };
        if to_hit >= 1 {
            #[allow(clippy::cast_possible_truncation)] // a to-hit number
            let less = halved(f64::from(to_hit) * table.gun_hit.0, table.halves_round_up) as i32;
            to_hit = less.max(1);
        }
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a few hits
        let less = (f64::from(automatic) * table.gun_hit.0).floor() as u32;
        automatic = less;
    }
    Ok(Assessment {
        table,
        modifiers,
        row,
        class,
        starred,
        damaged: gun_hits > 0,
        dice: guns * table.dice_per_gun.0,
        to_hit,
        automatic,
        counted,
        given: request.dice.clone(),
    })
}

/// The row, the reach and the class of what fires.
fn piece<'r>(table: &'r Table, request: &Request<'_>) -> Result<(&'r Row, f64, RuleId), Refusal> {
    match (request.shell, request.pounder) {
        (true, None) => Ok((&table.shell, table.shell_max.0, table.shell_max.1)),
        (false, Some(pounder)) => {
            let pounder = between("pounder", pounder, 1, HEAVIEST)?;
            let class = table.class(pounder);
            Ok((table.row(pounder), class.max_range, class.rule))
        }
        (true, Some(_)) => Err(Refusal::new(
            Code::Contradiction,
            "give pounder or shell, not both: howitzers fire shell",
        )),
        (false, None) => {
            Err(Refusal::new(Code::MissingField, "the field pounder is missing, or \"shell\":true"))
        }
    }
}

/// What artillery fire came to.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub struct Outcome {
    /// The highest number that hits.
    pub to_hit: i32,
    /// Hits without a roll.
    pub automatic: u32,
    /// All hits.
    pub hits: u32,
}

impl Check for Assessment<'_> {
    type Roll = u32;
    type Outcome = Outcome;

    fn given(&self) -> Result<u32, Refusal> {
        pool_hits(self.given.as_deref(), self.dice, self.to_hit)
    }

    fn rolls(&self) -> Distribution<u32> {
        dice::pool(self.dice, u32::try_from(self.to_hit).unwrap_or(0))
    }

    fn resolve<C: Cite>(&self, hits: u32, cited: &mut C) -> Outcome {
        cited.cite(self.row.rule);
        cited.cite(self.class);
        cited.cite(self.table.dice_per_gun.1);
        if self.starred {
            cited.cite(self.table.automatic_per_gun.1);
        }
        if self.counted != Conditions::default() {
            cited.cite(self.table.two_ranges);
        }
        if self.damaged {
            cited.cite(self.table.gun_hit.1);
        }
        Outcome { to_hit: self.to_hit, automatic: self.automatic, hits: self.automatic + hits }
    }

    fn modifiers(&self) -> Vec<Counted> {
        self.modifiers.lines(self.counted).map(Counted::plain).collect()
    }
}
