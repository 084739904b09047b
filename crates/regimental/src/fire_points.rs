//! Fire points: what each firing stand brings at its range.

use std::collections::BTreeMap;

use dice::Distribution;
use rulebook::request::{Name, between, distance, unknown};
use rulebook::{Amount, Book, Check, Cite, Code, Counted, Flaw, Refusal, RuleId, request};
use serde::{Deserialize, Serialize};
use table::{Mils, mils};

use crate::Rules;

/// Small arms or guns: some letters name one of each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Muskets, rifles, carbines.
    SmallArms,
    /// Cannon.
    Guns,
}

#[derive(Debug, Clone)]
struct Band {
    to: f64,
    points: f64,
    rule: RuleId,
}

/// A weapon: its bands from the nearest to the farthest.
#[derive(Debug, Clone)]
struct Weapon {
    bands: Vec<Band>,
    beyond: RuleId,
}

/// Why a firer's points are halved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cause {
    /// The firing unit is disordered.
    Disordered,
    /// It is low on ammunition.
    LowOnAmmo,
    /// The gun is damaged.
    Damaged,
}

const CAUSES: [(&str, Cause); 3] = [
    ("disordered", Cause::Disordered),
    ("low-on-ammo", Cause::LowOnAmmo),
    ("damaged", Cause::Damaged),
];

#[derive(Debug, Clone)]
pub(crate) struct Weapons {
    weapons: BTreeMap<(String, Kind), Weapon>,
    causes: Vec<(Cause, f64, RuleId)>,
    once: (f64, RuleId),
    each_cause_halves: bool,
}

impl Weapons {
    pub(crate) fn read(book: &Book) -> Result<Self, Flaw> {
        let mut weapons = BTreeMap::new();
        for (section, kind) in [("musketry", Kind::SmallArms), ("cannonade", Kind::Guns)] {
            for (_, clause) in book.clauses() {
                let Some(stem) = clause.id.strip_suffix(".maximum") else {
                    continue;
                };
                if clause.section == section && stem.starts_with(section) {
                    let code = book.text(&clause.id, "weapon")?.to_owned();
                    let weapon = Weapon::read(book, stem, &code)?;
                    if weapons.insert((code.clone(), kind), weapon).is_some() {
                        let message = format!("two weapons of this kind have the letters {code}");
                        return Err(Flaw::of(&clause.id, message));
                    }
                }
            }
        }
        let mut causes = Vec::new();
        for (name, cause) in CAUSES {
            let id = format!("fire.points.halved.{name}");
            causes.push((cause, book.number(&id, "multiplier")?, book.rule(&id)?));
        }
        let once = "fire.points.halved.once";
        Ok(Self {
            weapons,
            causes,
            once: (book.number(once, "multiplier")?, book.rule(once)?),
            each_cause_halves: book.setting("fire-points-halving") == "each",
        })
    }

    /// What a firer's points are multiplied by.
    fn multiplier(&self, causes: &Halved) -> f64 {
        match causes {
            Halved::Flag(false) => 1.0,
            Halved::Flag(true) => self.once.0,
            Halved::One(cause) => self.cause(*cause),
            Halved::Many(all) => {
                let mut all = all.clone();
                all.sort_unstable();
                all.dedup();
                match (all.as_slice(), self.each_cause_halves) {
                    ([], _) => 1.0,
                    ([one], _) => self.cause(*one),
                    (_, false) => self.once.0,
                    (several, true) => several.iter().map(|c| self.cause(*c)).product(),
                }
            }
        }
    }

    /// What a stand's points are multiplied by in a battle.
    pub(crate) fn halving(&self, disordered: bool, low: bool, damaged: bool) -> f64 {
        let causes =
            [(disordered, Cause::Disordered), (low, Cause::LowOnAmmo), (damaged, Cause::Damaged)];
        let mut hold = causes.iter().filter(|c| c.0).map(|c| self.cause(c.1));
        match (hold.next(), hold.next()) {
            (None, _) => 1.0,
            (Some(one), None) => one,
            (Some(one), Some(two)) if self.each_cause_halves => one * two * hold.product::<f64>(),
            _ => self.once.0,
        }
    }

    /// The bands of a weapon in mils.
    pub(crate) fn bands(&self, code: &str, kind: Kind) -> Option<Vec<(Mils, f64)>> {
        let weapon = self.weapons.get(&(code.to_owned(), kind))?;
        Some(weapon.bands.iter().map(|b| (mils(b.to), b.points)).collect())
    }

    /// The letters of every weapon of a kind.
    pub(crate) fn codes(&self, kind: Kind) -> Vec<&str> {
        self.weapons.keys().filter(|(_, k)| *k == kind).map(|(c, _)| c.as_str()).collect()
    }

    fn cause(&self, cause: Cause) -> f64 {
        self.causes.iter().find(|(c, ..)| *c == cause).map_or(1.0, |(_, m, _)| *m)
    }

    fn cite(&self, causes: &Halved, cited: &mut impl Cite) {
        let named: &[Cause] = match causes {
            Halved::Flag(false) => return,
            Halved::Flag(true) => &[],
            Halved::One(cause) => std::slice::from_ref(cause),
            Halved::Many(all) => all,
        };
        for (cause, _, rule) in &self.causes {
            if named.contains(cause) {
                cited.cite(*rule);
            }
        }
        if named.len() != 1 {
            cited.cite(self.once.1);
        }
    }

    fn find(&self, code: &str, kind: Option<Kind>) -> Result<&Weapon, Refusal> {
        let mut found =
            self.weapons.iter().filter(|((c, k), _)| c == code && kind.is_none_or(|w| w == *k));
        match (found.next(), found.next()) {
            (Some((_, weapon)), None) => Ok(weapon),
            (Some(_), Some(_)) => {
                let message = format!(
                    "{code} is a small arm and a gun: say which with arm, small-arms or guns"
                );
                Err(Refusal::new(Code::MissingField, message))
            }
            _ => {
                let known: Vec<&str> = self.weapons.keys().map(|(c, _)| c.as_str()).collect();
                Err(unknown(Code::BadValue, "weapon", code, &known))
            }
        }
    }
}

impl Weapon {
    fn read(book: &Book, stem: &str, code: &str) -> Result<Self, Flaw> {
        let mut bands = Vec::new();
        let maximum = format!("{stem}.maximum");
        for (rule, clause) in book.clauses() {
            let own = clause.id.strip_prefix(stem).is_some_and(|tail| tail.starts_with('.'));
            if !own || !clause.figures.contains_key("points") {
                continue;
            }
            if book.text(&clause.id, "weapon")? != code {
                return Err(Flaw::of(&clause.id, format!("the weapon of this row is {code}")));
            }
            let over = book.number(&clause.id, "over")?;
            let to = book.number(&clause.id, "to")?;
            bands.push((
                clause.id.clone(),
                over,
                Band { to, points: book.number(&clause.id, "points")?, rule },
            ));
        }
        bands.sort_by(|a, b| a.1.total_cmp(&b.1));
        let mut reached = 0.0;
        for (id, over, band) in &bands {
            if (*over - reached).abs() > f64::EPSILON || band.to <= *over {
                let message =
                    format!("the range bands of {code} leave a hole or overlap at {reached}");
                return Err(Flaw::of(id, message));
            }
            reached = band.to;
        }
        let limit = book.number(&maximum, "distance")?;
        if bands.is_empty() || (limit - reached).abs() > f64::EPSILON {
            let message = format!("{code} has bands up to {reached} and a maximum of {limit}");
            let mut clauses = vec![maximum];
            clauses.extend(bands.last().map(|(id, ..)| id.clone()));
            return Err(Flaw { clauses, message });
        }
        let beyond = book.rule(&maximum)?;
        Ok(Self { bands: bands.into_iter().map(|(.., band)| band).collect(), beyond })
    }

    /// Points per stand at a range: a range on a limit is inside the band.
    fn points(&self, range: f64) -> (f64, RuleId) {
        match self.bands.iter().find(|b| range <= b.to) {
            Some(band) => (band.points, band.rule),
            None => (0.0, self.beyond),
        }
    }
}

/// Whether, or why, a firer's points are halved.
#[derive(Debug, Clone, Deserialize)]
#[serde(
    untagged,
    expecting = "halved is true, false, or one or a list of disordered, low-on-ammo, damaged"
)]
pub enum Halved {
    /// Simply yes or no.
    Flag(bool),
    /// For this reason.
    One(Cause),
    /// For these reasons.
    Many(Vec<Cause>),
}

impl Default for Halved {
    fn default() -> Self {
        Self::Flag(false)
    }
}

/// Some stands that fire alike.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Firer<'a> {
    #[serde(borrow)]
    weapon: Name<'a>,
    #[serde(default)]
    arm: Option<Kind>,
    stands: i64,
    range: f64,
    #[serde(default)]
    halved: Halved,
}

request! {
    /// The fire points of several firers at one target.
    pub struct Request<'a> {
        #[serde(borrow)] firers: Vec<Firer<'a>>,
    }
}

/// Fire points added up; there is no die.
#[derive(Debug)]
pub struct Assessment<'r> {
    weapons: &'r Weapons,
    lines: Vec<(RuleId, f64, Halved)>,
}

const MOST_STANDS: i64 = 1000;

/// Settles which clauses count.
///
/// # Errors
/// A refusal of what was said.
pub fn assess<'r>(rules: &'r Rules, request: &Request<'_>) -> Result<Assessment<'r>, Refusal> {
    let weapons = &rules.weapons;
    let mut lines = Vec::with_capacity(request.firers.len());
    for firer in &request.firers {
        let stands = between("stands", firer.stands, 0, MOST_STANDS)?;
        distance(firer.range, "inches")?;
        let weapon = weapons.find(firer.weapon.as_ref(), firer.arm)?;
        let (each, rule) = weapon.points(firer.range);
        #[allow(clippy::cast_precision_loss)] // at most a thousand
        let points = each * stands as f64 * weapons.multiplier(&firer.halved);
        lines.push((rule, points, firer.halved.clone()));
    }
    Ok(Assessment { weapons, lines })
}

/// The points.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub struct Outcome {
    /// Their sum.
    pub points: Amount,
}

impl Check for Assessment<'_> {
    type Roll = ();
    type Outcome = Outcome;

    fn given(&self) -> Result<(), Refusal> {
        Ok(())
    }

    fn rolls(&self) -> Distribution<()> {
        Distribution::certain(())
    }

    fn resolve<C: Cite>(&self, (): (), cited: &mut C) -> Outcome {
        for (rule, _, halved) in &self.lines {
            cited.cite(*rule);
            self.weapons.cite(halved, cited);
        }
        Outcome { points: Amount(self.lines.iter().map(|(_, p, _)| p).sum()) }
    }

    fn modifiers(&self) -> Vec<Counted> {
        let line = |(rule, points, _): &(RuleId, f64, Halved)| Counted {
            rule: *rule,
            value: Amount(*points),
            side: None,
        };
        self.lines.iter().map(line).collect()
    }
}
