//! Setting up: what a scenario says becomes a battle.

use std::collections::VecDeque;
use std::sync::Arc;

use dice::stream::Source;
use table::{Footprint, INCH, Mils, Pose};

use super::card::{Branch, Card, Carriage, Side, Trait, WeaponOf};
use super::drill::Sergeant;
use super::drill_places::{capacity, garrison};
use super::event::Phase;
use super::formation::{Formation, usual};
use super::id::Id;
use super::memo::Memo;
use super::state::{Leader, LeaderState, Placement, Stands, Unit};
use super::terrain::Field;
use super::weapon::Ways;
use super::{Battle, KeyPosition, Measures, Terms};
use crate::Rules;
use crate::effectiveness::Morale;
use crate::fire_points::Kind;
use crate::rates::Row;

/// What drags a gun, where the book has more than one answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Draught {
    /// Oxen.
    Oxen,
    /// Horses, with the crew on foot.
    Horses,
    /// Horse artillery.
    HorseArtillery,
}

/// A card as a scenario begins it; the rest follows from the book.
#[derive(Debug, Clone)]
pub struct Draft {
    /// The card, with everything but rates, weapon and thresholds.
    pub card: Card,
    /// Its morale level; the thresholds follow, unless they are given.
    pub morale: Morale,
    /// The letters of its weapon.
    pub weapon: Option<String>,
    /// Whether the scenario gave a carriage.
    pub carriage: Option<Carriage>,
    /// What drags it.
    pub draught: Option<Draught>,
    /// Whether the scenario gave thresholds.
    pub thresholds: Option<(Option<u8>, u8)>,
}

impl Draft {
    /// Fills in what follows from the book.
    ///
    /// # Errors
    /// Each fault with the key of the scenario it belongs to.
    pub fn finish(mut self, rules: &Rules) -> Result<Card, Vec<(&'static str, String)>> {
        let mut faults = Vec::new();
        let m = &rules.measures;
        let guns = self.card.branch == Branch::Guns;
        self.card.size = match self.card.branch {
            Branch::Infantry => m.stand(INCH, INCH * 3 / 4),
            Branch::Cavalry => m.stand(INCH, INCH),
            Branch::Guns => m.stand(INCH, INCH * 3 / 2),
        };
        self.card.on_foot = m.stand(INCH, INCH * 3 / 4);
        if !rules.fire.has_class(self.card.class) {
            let message = "the fire table of this book has no column for this class";
            faults.push(("class", message.to_owned()));
        }
        self.weapon(rules, guns, &mut faults);
        if guns {
            let code = self.weapon.as_deref().unwrap_or_default();
            let said = m.carriages.iter().find(|(c, _)| c == code);
            if said.is_none() && !m.carriages.is_empty() && self.carriage.is_none() {
                faults.push((
                    "carriage",
                    format!("the book does not say what carriage {code} has: say it here"),
                ));
            }
            let ways = Ways::of(code, true);
            let heavy = said.map_or(ways.heavy, |(_, heavy)| *heavy);
            self.card.carriage =
                self.carriage.unwrap_or(if heavy { Carriage::Heavy } else { Carriage::Light });
            if ways.gallops && !self.card.is(Trait::Galloper) {
                self.card.traits.push(Trait::Galloper);
            }
        } else {
            self.thresholds(rules, &mut faults);
        }
        self.formations(rules);
        self.rates(rules, &mut faults);
        if faults.is_empty() { Ok(self.card) } else { Err(faults) }
    }

    fn weapon(&mut self, rules: &Rules, guns: bool, faults: &mut Vec<(&'static str, String)>) {
        let m = &rules.measures;
        let kind = if guns { Kind::Guns } else { Kind::SmallArms };
        let Some(code) = &self.weapon else {
            if guns {
                faults.push((
                    "weapon",
                    format!("guns need a weapon: {}", rules.weapons.codes(kind).join(", ")),
                ));
            }
            return;
        };
        match rules.weapons.bands(code, kind) {
            Some(bands) => {
                let amusette = self
                    .card
                    .is(Trait::Amusette)
                    .then(|| rules.weapons.bands(&m.amusette, Kind::Guns))
                    .flatten();
                if self.card.is(Trait::Amusette) && amusette.is_none() {
                    faults.push(("traits", "this book has no amusette".into()));
                }
                self.card.weapon = Some(WeaponOf {
                    code: Arc::from(code.as_str()),
                    bands,
                    amusette: amusette.unwrap_or_default(),
                    ways: Ways::of(code, guns),
                });
            }
            None => faults.push((
                "weapon",
                format!(
                    "no weapon `{code}` in this book: {}",
                    rules.weapons.codes(kind).join(", ")
                ),
            )),
        }
    }

    fn thresholds(&mut self, rules: &Rules, faults: &mut Vec<(&'static str, String)>) {
        if let Some((worn, spent)) = self.thresholds {
            self.card.worn_at = worn;
            self.card.spent_at = spent;
            return;
        }
        let strength = i64::from(self.card.strength);
        match rules.effectiveness.thresholds(self.morale, strength) {
            Some(t) => {
                self.card.worn_at = t.worn.and_then(|w| u8::try_from(w).ok());
                self.card.spent_at = u8::try_from(t.spent).unwrap_or(0);
            }
            // A single stand is spent with its loss.
            None if strength == 1 => self.card.spent_at = 0,
            None => faults.push((
                "stands",
                format!(
                    "the effectiveness table has no row for {strength} stands: give worn and spent"
                ),
            )),
        }
    }

    fn formations(&mut self, rules: &Rules) {
        let card = &mut self.card;
        let clauses = &rules.measures.clauses;
        if !card.formations.is_empty() {
            if card.branch != Branch::Guns && !card.formations.contains(&Formation::Broken) {
                card.formations.push(Formation::Broken);
            }
            return;
        }
        let arm = if card.branch == Branch::Infantry { "infantry" } else { "cavalry" };
        let has_rate = |f: Formation| rules.rates.row(&format!("{arm}.{}", f.name())).is_some();
        card.formations = usual(card.branch, has_rate);
        let squares = card.formations.contains(&Formation::Square);
        if card.branch == Branch::Infantry {
            if card.is(Trait::Militia) || card.is(Trait::Indians) || card.parent.is_some() {
                card.formations =
                    vec![Formation::OpenOrder, Formation::MarchColumn, Formation::Broken];
            } else if card.is(Trait::LightInfantry) || squares {
                card.formations.push(Formation::OpenOrder);
            }
        }
        // Dragoons on foot are always in open order; mounted, only where the book has a rate.
        if card.branch == Branch::Cavalry && clauses.has("movement.cavalry.open-order.open") {
            card.formations.push(Formation::OpenOrder);
        }
    }

    fn rates(&mut self, rules: &Rules, faults: &mut Vec<(&'static str, String)>) {
        let card = &mut self.card;
        let row = |name: &str| -> Option<Row> { rules.rates.row(name) };
        let mut all = Vec::new();
        match card.branch {
            Branch::Guns => {
                if card.carriage != Carriage::Fixed {
                    let code = self.weapon.as_deref().unwrap_or_default();
                    let by_book = rules.measures.gun_rows.iter().find(|(c, _)| c == code);
                    let ways = Ways::of(code, true);
                    let by_draught: &[&str] = match (self.draught, card.carriage) {
                        (Some(Draught::Oxen), _) => {
                            &["artillery.ox-drawn-field-gun", "artillery.foot-gun"]
                        }
                        (Some(Draught::HorseArtillery), _) => {
                            &["artillery.horse-gun", "artillery.foot-gun"]
                        }
                        (None, Carriage::Heavy) => &["artillery.foot-gun", "artillery.siege-gun"],
                        _ => &["artillery.horse-drawn-field-gun", "artillery.foot-gun"],
                    };
                    let usual = || match ways.row {
                        Some(name) => row(name),
                        None => by_draught.iter().find_map(|n| row(n)),
                    };
                    let ruled = rules.measures.gun_rows.is_empty() || ways.unlisted;
                    let found = match by_book {
                        Some((_, name)) => row(name),
                        None if ruled => usual(),
                        None => None,
                    };
                    match found {
                        Some(r) => all.push((Formation::Limbered, false, r)),
                        None => faults
                            .push(("weapon", "the movement table has no row for this gun".into())),
                    }
                }
            }
            branch => {
                let arm = if branch == Branch::Infantry { "infantry" } else { "cavalry" };
                for formation in &card.formations {
                    let name = if formation.is_square() { "square" } else { formation.name() };
                    let names = [format!("{arm}.{name}"), format!("{arm}.skirmishers")];
                    let found = row(&names[0]).or_else(|| {
                        (*formation == Formation::OpenOrder).then(|| row(&names[1])).flatten()
                    });
                    match found {
                        Some(r) => all.push((*formation, false, r)),
                        None if branch == Branch::Cavalry && *formation == Formation::OpenOrder => {
                        }
                        None if *formation == Formation::Garrison => {}
                        None => faults.push((
                            "formations",
                            format!("the movement table has no row for {arm} in {name}"),
                        )),
                    }
                }
                if card.is(Trait::Dragoons) {
                    let on_foot = row("cavalry.dismounted-open-order")
                        .or_else(|| row("infantry.skirmishers"));
                    all.extend(on_foot.map(|r| (Formation::OpenOrder, true, r)));
                    all.extend(row("infantry.broken").map(|r| (Formation::Broken, true, r)));
                }
            }
        }
        card.rates = all;
    }
}

/// Where a scenario puts a unit.
#[derive(Debug, Clone, Copy)]
pub struct Deployed {
    /// The middle of its front.
    pub pose: Pose,
    /// Its formation.
    pub formation: Formation,
    /// The gap between its stands, if it says so.
    pub gap: Option<Mils>,
    /// The building it garrisons.
    pub garrison: Option<Id>,
    /// Whether cavalry is on foot.
    pub on_foot: bool,
}

/// What a scenario makes of itself, not yet found whole.
#[derive(Debug)]
pub struct Setup {
    /// The book.
    pub rules: Arc<Rules>,
    /// The table.
    pub field: Field,
    /// What it fixes.
    pub terms: Terms,
    /// The units; those with a place are on the table.
    pub units: Vec<(Unit, Option<Deployed>)>,
    /// The leaders.
    pub leaders: Vec<Leader>,
    /// The key positions.
    pub keys: Vec<KeyPosition>,
}

/// Lays a unit out where a scenario puts it.
#[must_use]
pub fn lay_out(unit: &Unit, at: Deployed, field: &Field, measures: &Measures) -> Placement {
    if let Some(piece) = at.garrison.and_then(|g| field.piece(g)) {
        return garrison(piece, unit.bases(), at.pose.facing);
    }
    let least = at.formation.nature().gaps.map_or(0, |gaps| gaps(measures).0);
    let size = if at.on_foot { unit.card.on_foot } else { unit.card.size };
    let stands = Stands {
        count: unit.bases(),
        size,
        gap: at.gap.unwrap_or(least),
        one_rank: measures.one_rank,
        on_foot: at.on_foot,
    };
    Placement::new(at.pose, at.formation, stands)
}

impl Setup {
    /// Begins the battle.
    ///
    /// # Errors
    /// Each unit or leader that is where it cannot be, and why.
    pub fn begin(self) -> Result<Battle, Vec<(Id, String)>> {
        let mut battle = self.draw_up();
        let faults = battle.misplaced();
        if !faults.is_empty() {
            return Err(faults);
        }
        let mut dice = Source::scripted([]);
        // The first turn begins by itself; no die is thrown for it.
        let begun = journal::begin(&mut battle, &mut dice, Battle::begin);
        debug_assert!(begun.is_ok());
        Ok(battle)
    }

    /// Each unit that is where it cannot be, and why; for a setup that has other faults too.
    #[must_use]
    pub fn misplaced(self) -> Vec<(Id, String)> {
        self.draw_up().misplaced()
    }

    fn draw_up(self) -> Battle {
        let measures = &self.rules.measures;
        let mut units = Vec::with_capacity(self.units.len());
        for (mut unit, at) in self.units {
            if let Some(at) = at {
                let place = lay_out(&unit, at, &self.field, measures);
                unit.whereabouts = super::Whereabouts::Table;
                unit.stand_at(place);
            }
            units.push(unit);
        }
        let first = self.terms.first;
        let mut leaders = self.leaders;
        for leader in &mut leaders {
            let with = units.iter().find(|u| Some(u.id()) == leader.attached);
            if with.is_some_and(|u| u.whereabouts == super::Whereabouts::Reserve) {
                leader.state = LeaderState::Reserve;
            }
        }
        Battle {
            rules: self.rules,
            field: Arc::new(self.field),
            terms: Arc::new(self.terms),
            units,
            leaders,
            turn: 0,
            mover: first,
            phase: Phase::Leaders,
            pending: VecDeque::new(),
            breakthroughs: Vec::new(),
            lost: [0; 2],
            greater: [false; 2],
            replaced: [0; 2],
            keys: self.keys,
            ending: None,
            memo: Memo::default(),
        }
    }
}

impl Battle {
    /// Each unit that is where it cannot be, and why.
    fn misplaced(&self) -> Vec<(Id, String)> {
        let mut faults = Vec::new();
        for (i, unit) in self.units.iter().enumerate().filter(|(_, u)| u.present()) {
            if unit.feet.iter().any(|f| !self.field.holds(f)) {
                faults.push((unit.id(), "stands partly off the table".to_owned()));
            }
            if let Some(closed) = self.field.shut(&unit.feet, unit.place.garrison.as_slice()) {
                faults.push((unit.id(), format!("stands in {closed}, which cannot be entered")));
            }
            for other in self.units[..i].iter().filter(|u| u.present()) {
                if self.overlapped(unit, &unit.feet, unit.place.garrison) == Some(other.id()) {
                    faults.push((unit.id(), format!("stands on top of {}", other.id())));
                }
            }
            if let Some(building) = unit.place.garrison.and_then(|g| self.field.piece(g)) {
                let with = self.units[..=i].iter().filter(|u| u.present());
                let there = with.filter(|u| u.place.garrison == Some(building.id));
                let (stands, room) = (there.map(Unit::bases).sum::<usize>(), capacity(building));
                if stands > room {
                    let fact = format!(
                        "is too many for {}: {stands} stands, room for {room}",
                        building.id
                    );
                    faults.push((unit.id(), fact));
                }
            }
        }
        faults
    }
}

impl Battle {
    /// The side of the scenario's first turn.
    #[must_use]
    pub fn first(&self) -> Side {
        self.terms.first
    }

    /// The stands of a unit as they would be laid at a pose in its formation.
    #[must_use]
    pub fn laid(&self, unit: &Unit, pose: Pose) -> Vec<Footprint> {
        let place = Sergeant::new(self, unit).laid(pose, unit.formation());
        unit.feet_at(&place)
    }
}
