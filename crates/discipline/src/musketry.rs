//! Volleys of formed troops: a pool of kill dice.

use dice::Distribution;
use rulebook::request::{Name, between, distance, pool_hits};
use rulebook::{
    Amount, Book, Check, Cite, Code, Conditions, Counted, Flaw, ModifierTable, Refusal, RuleId,
    request,
};
use serde::{Deserialize, Serialize};

use crate::{MOST_CASTINGS, Rules, ten_sided};

/// What the stand is armed with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Weapon {
    /// Muskets.
    Musket,
    /// Rifles.
    Rifle,
    /// Carbines, on foot.
    Carbine,
    /// Muskets and rifles on one stand.
    Mixed,
}

#[derive(Debug, Clone)]
struct Band {
    to: f64,
    hit_up_to: i32,
    rule: RuleId,
}

/// The musketry tables.
#[derive(Debug, Clone)]
pub(crate) struct Table {
    pub(crate) dice: ModifierTable,
    pub(crate) to_hit: ModifierTable,
    castings_per_die: (i64, RuleId),
    least: (i64, i64, i32, RuleId), // from, to castings: dice
    bands: Vec<Band>,
    ranges: [(f64, RuleId); 4],
    mmg: RuleId,
    rifle: (i32, RuleId),
    mixed: (i32, RuleId),
    grades: (i64, i64),
    /// Taken from grade and weapon, whether listed or not.
    from_fields: Conditions,
}

impl Table {
    pub(crate) fn read(book: &Book) -> Result<Self, Flaw> {
        ten_sided(book, "musketry.procedure.step-c-roll")?;
        let base = "musketry.base-dice";
        let per = i64::from(book.count(base, "castings_per_die")?);
        if per == 0 {
            return Err(Flaw::of(base, "`castings_per_die` must be more than 0"));
        }
        if book.text(base, "rounding")? != "down" {
            return Err(Flaw::of(base, "fractions of a die are dropped"));
        }
        let least = "musketry.base-dice-minimum";
        let [from, to] = book.ints(least, "castings")?[..] else {
            return Err(Flaw::of(least, "`castings` is from and to"));
        };
        if from != 1 || to < from {
            return Err(Flaw::of(least, "`castings` begins with 1"));
        }
        let dice = ModifierTable::read(book, "musketry.dice-modifier.", "dice")?;
        let mmg = "musketry.dice-modifier.mmg";
        if book.text(mmg, "dice")? != "mmg" {
            return Err(Flaw::of(mmg, "`dice` is the grade: mmg"));
        }
        let range = |id: &str| -> Result<(f64, RuleId), Flaw> {
            Ok((book.number(id, "max_range")?, book.rule(id)?))
        };
        let bonus = |id: &str| -> Result<(i32, RuleId), Flaw> {
            Ok((book.int(id, "dice")?, book.rule(id)?))
        };
        let bands = bands(book)?;
        let ranges = [
            range("musketry.musket-range")?,
            range("musketry.rifle-range")?,
            range("musketry.carbine-dismounted")?,
            range("musketry.mixed-stand-range")?,
        ];
        let farthest = ranges.iter().map(|(reach, _)| *reach).fold(0.0, f64::max);
        if let Some(last) = bands.last().filter(|b| (b.to - farthest).abs() > f64::EPSILON) {
            let message = format!(
                "the last band ends at {} and the farthest weapon reaches {farthest}",
                last.to
            );
            return Err(Flaw {
                clauses: vec![book.name(last.rule).into(), "musketry.rifle-range".into()],
                message,
            });
        }
        Ok(Self {
            to_hit: ModifierTable::read(book, "musketry.to-hit-modifier.", "modifier")?,
            castings_per_die: (per, book.rule(base)?),
            least: (from.into(), to.into(), book.int(least, "dice")?, book.rule(least)?),
            bands,
            ranges,
            mmg: book.rule(mmg)?,
            rifle: bonus("musketry.dice-modifier.rifle")?,
            mixed: bonus("musketry.mixed-stand-bonus")?,
            grades: grades(book)?,
            from_fields: dice.named("mmg").with(dice.named("rifle")),
            dice,
        })
    }

    /// The dice of a stand: one for so many castings, and what else adds.
    fn dice_of(&self, castings: i64, more: i32) -> u32 {
        let (from, to, least, _) = self.least;
        let base = if (from..=to).contains(&castings) {
            least
        } else {
            i32::try_from(castings / self.castings_per_die.0).unwrap_or(0)
        };
        u32::try_from(base + more).unwrap_or(0)
    }

    /// What rifles add to the dice of a stand.
    pub(crate) fn rifle_dice(&self) -> i32 {
        self.rifle.0
    }
}

/// The morale grades that troops may have.
pub(crate) fn grades(book: &Book) -> Result<(i64, i64), Flaw> {
    let id = "morale.unit-rating";
    let (low, high) = (i64::from(book.int(id, "min")?), i64::from(book.int(id, "max")?));
    if low > high {
        return Err(Flaw::of(id, "`min` is above `max`"));
    }
    for grade in low..=high {
        let id = format!("morale.grade-{grade}");
        if i64::from(book.int(&id, "grade")?) != grade {
            return Err(Flaw::of(id, format!("this is grade {grade}")));
        }
    }
    Ok((low, high))
}

fn bands(book: &Book) -> Result<Vec<Band>, Flaw> {
    let mut rows = Vec::new();
    for (rule, clause) in book.clauses() {
        if clause.id.starts_with("musketry.to-hit.") {
            let [from, to] = book.ints(&clause.id, "range")?[..] else {
                return Err(Flaw::of(&clause.id, "`range` is from and to"));
            };
            rows.push((clause.id.clone(), from, to, book.int(&clause.id, "hit_up_to")?, rule));
        }
    }
    rows.sort_by_key(|(_, from, ..)| *from);
    let mut next = 0;
    for (id, from, to, ..) in &rows {
        if *from != next || to < from {
            return Err(Flaw::of(id, format!("the range bands leave a hole or overlap at {next}")));
        }
        next = to + 1;
    }
    let band = |(_, _, to, hit_up_to, rule)| Band { to: f64::from(to), hit_up_to, rule };
    Ok(rows.into_iter().map(band).collect())
}

request! {
    /// A volley.
    pub struct Request<'a> {
        castings: i64,
        grade: i64,
        weapon: Weapon,
        range: f64,
        #[serde(default, borrow)] conditions: Vec<Name<'a>>,
        #[serde(default)] dice: Option<Vec<i64>>,
    }
}

/// A volley before its dice.
#[derive(Debug, Clone)]
pub struct Assessment<'r> {
    table: &'r Table,
    weapon: Weapon,
    castings: i64,
    grade: i32,
    band: &'r Band,
    /// What grade, arms and conditions add to the dice of the castings.
    more_dice: i32,
    dice: u32,
    to_hit: i32,
    dice_counted: Conditions,
    to_hit_counted: Conditions,
    given: Option<Vec<i64>>,
}

/// Settles which clauses count.
///
/// # Errors
/// A refusal of what was said, or of fire out of range.
pub fn assess<'r>(rules: &'r Rules, request: &Request<'_>) -> Result<Assessment<'r>, Refusal> {
    let table = &rules.musketry;
    let castings = between("castings", request.castings, 1, MOST_CASTINGS)?;
    let grade = between("grade", request.grade, table.grades.0, table.grades.1)?;
    let reach = table.ranges[request.weapon as usize].0;
    distance(request.range, "yards")?;
    let band = table.bands.iter().find(|b| request.range <= b.to);
    let Some(band) = band.filter(|_| request.range <= reach) else {
        let message = format!("out of range: this weapon reaches {reach} yards");
        return Err(Refusal::new(Code::NotAllowed, message));
    };
    let (mut for_dice, mut for_number) = (Conditions::default(), Conditions::default());
    for id in &request.conditions {
        let id = id.as_ref();
        if let Some(both) = table.dice.also(for_dice, id) {
            for_dice = both;
        } else if let Some(both) = table.to_hit.also(for_number, id) {
            for_number = both;
        } else if table.to_hit.claims(id) {
            return Err(table.to_hit.unknown(id));
        } else {
            return Err(table.dice.unknown(id));
        }
    }
    let (dice_counted, more) = table.dice.count(for_dice.without(table.from_fields))?;
    let (to_hit_counted, better) = table.to_hit.count(for_number)?;
    let grade = i32::try_from(grade).unwrap_or(0);
    let arms = match request.weapon {
        Weapon::Rifle => table.rifle.0,
        Weapon::Mixed => table.mixed.0,
        Weapon::Musket | Weapon::Carbine => 0,
    };
    Ok(Assessment {
        table,
        weapon: request.weapon,
        castings,
        grade,
        band,
        more_dice: grade + arms + more,
        dice: table.dice_of(castings, grade + arms + more),
        to_hit: band.hit_up_to + better,
        dice_counted,
        to_hit_counted,
        given: request.dice.clone(),
    })
}

impl Assessment<'_> {
    /// The same volley by a stand that has lost castings; with none left there
    /// is no fire.
    pub(crate) fn after_losing(&self, castings: i64) -> Self {
        let mut left = self.clone();
        left.castings = (self.castings - castings).max(0);
        left.dice =
            if left.castings == 0 { 0 } else { self.table.dice_of(left.castings, self.more_dice) };
        left
    }
}

/// What a volley came to.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub struct Outcome {
    /// Dice rolled.
    pub dice: u32,
    /// The highest number that hits.
    pub to_hit: i32,
    /// Hits.
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
        let (from, to, _, least) = self.table.least;
        let few = (from..=to).contains(&self.castings);
        cited.cite(if few { least } else { self.table.castings_per_die.1 });
        cited.cite(self.band.rule);
        cited.cite(self.table.ranges[self.weapon as usize].1);
        Outcome { dice: self.dice, to_hit: self.to_hit, hits }
    }

    fn modifiers(&self) -> Vec<Counted> {
        let line = |rule, value| Counted { rule, value: Amount::from(value), side: None };
        let mut all = vec![line(self.table.mmg, self.grade)];
        match self.weapon {
            Weapon::Rifle => all.push(line(self.table.rifle.1, self.table.rifle.0)),
            Weapon::Mixed => all.push(line(self.table.mixed.1, self.table.mixed.0)),
            Weapon::Musket | Weapon::Carbine => {}
        }
        all.extend(self.table.dice.lines(self.dice_counted).map(Counted::plain));
        all.extend(self.table.to_hit.lines(self.to_hit_counted).map(Counted::plain));
        all
    }
}
