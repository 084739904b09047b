//! The state of a battle: what the events have made of the scenario.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use table::{Corner, Footprint, Mils, Point, Pose, Size};

use super::card::{Branch, Card, LeaderCard, Rating, Side, Trait};
use super::formation::Formation;
use super::gap::gap;
use super::id::Id;
use super::terrain::Ground;
use crate::effectiveness::State as Freshness;
use crate::maneuver::{Effect, Order};

/// A flank swung back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefusedFlank {
    /// Which.
    pub flank: Corner,
    /// How many files of stands.
    pub files: u8,
    /// How far, in hundredths of a degree.
    pub turn: i32,
}

/// Where a unit is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Placement {
    /// The middle of its front.
    pub pose: Pose,
    /// Its formation.
    pub formation: Formation,
    /// The gap between its stands.
    #[serde(with = "table::as_inches", default, skip_serializing_if = "is_zero")]
    pub gap: Mils,
    /// A refused flank.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused: Option<RefusedFlank>,
    /// The building it garrisons.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub garrison: Option<Id>,
    /// Whether cavalry is on foot.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub on_foot: bool,
    /// The front of each stand.
    pub stands: Vec<Pose>,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde's shape
fn is_zero(m: &Mils) -> bool {
    *m == 0
}

/// What became of a unit that is not on the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Gone {
    /// Its last stand fell.
    Destroyed,
    /// Driven off the table.
    DrivenOff,
    /// Surrendered.
    Surrendered,
    /// Guns lost to the enemy.
    Captured,
    /// Back with its parent.
    Rejoined,
}

/// Whether a unit is on the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Whereabouts {
    /// Not yet.
    Reserve,
    /// On it.
    Table,
    /// Not any more.
    Gone(Gone),
}

/// A gun stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct GunStand {
    /// It cannot fire.
    pub silenced: bool,
    /// It fires at half points.
    pub damaged: bool,
    /// It fires at half points until it replenishes.
    pub low: bool,
}

/// A charge under way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Charge {
    /// The enemy charged.
    pub target: Id,
    /// With cold steel.
    pub cold_steel: bool,
    /// Whether it goes on at the price of disorder.
    pub disordered: bool,
    /// The wheel it begins with, in hundredths of a degree.
    pub wheel: i32,
    /// Whether it began behind the line of its target's front.
    pub from_behind: bool,
    /// How far it went.
    #[serde(with = "table::as_inches")]
    pub moved: Mils,
    /// The worst ground it crossed.
    pub ground: Ground,
    /// Whether it reached an enemy.
    pub home: bool,
    /// Whether it is a breakthrough.
    pub second: bool,
}

/// How far a unit may go this turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Pace {
    /// Nowhere.
    Hold,
    /// The tardy list.
    Tardy,
    /// The well handled list.
    WellHandled,
    /// The well handled list at the double quick.
    DoubleQuick,
}

/// What a unit has done in this player turn.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Doings {
    /// What its check came to.
    pub checked: Option<Effect>,
    /// The maneuver it still owes or may make.
    pub owes: Option<Pace>,
    /// A result it must carry out.
    pub forced: Option<Effect>,
    /// Driven back by its check: it may not fire.
    pub fell_back: bool,
    /// It spent its turn on something that leaves no time to fire.
    pub busy: bool,
    /// Guns that may still fire in their own turn.
    pub guns_ready: bool,
    /// Its charge.
    pub charge: Option<Charge>,
    /// It charged with cold steel, also if the charge is over.
    pub cold_steel: bool,
    /// It went out to meet a charge.
    pub countercharged: Option<(Mils, Ground)>,
    /// It has fought.
    pub fought: bool,
    /// Where it has been on its way.
    pub track: Vec<Pose>,
    /// The stands that have fired in this step.
    pub fired: u64,
    /// The targets they fired at.
    pub targets: Vec<Id>,
    /// The fire passed through it has been taken this turn.
    pub stood: bool,
}

/// A unit in the battle.
#[derive(Debug, Clone)]
pub struct Unit {
    /// What the scenario says of it.
    pub card: Arc<Card>,
    /// Whether it is on the table.
    pub whereabouts: Whereabouts,
    /// Where.
    pub place: Placement,
    /// The ground its stands cover.
    pub feet: Vec<Footprint>,
    /// The rectangle around them.
    pub bounds: table::Bounds,
    /// A circle around them.
    pub middle: Point,
    /// Its radius.
    pub radius: Mils,
    /// The width of its front, over all its stands.
    wide: Mils,
    /// Stands left.
    pub stands: u8,
    /// Stands it had lost before the battle began.
    pub lost_before: u8,
    /// Stands sent off that have not come back: they are no losses of its own.
    pub sent_off: u8,
    /// The state of its guns.
    pub guns: Vec<GunStand>,
    /// Its order.
    pub order: Order,
    /// Fresh, worn or spent; never better than before.
    pub freshness: Freshness,
    /// Low on ammunition.
    pub low: bool,
    /// Whether its amusette is still there.
    pub amusette: bool,
    /// Faced about since its last maneuver phase.
    pub about_faced: bool,
    /// In a passage of lines since then.
    pub passage: bool,
    /// Marched by the flank since then.
    pub flank_marched: bool,
    /// Crew sheltering in a square.
    pub sheltering: Option<Id>,
    /// In this player turn.
    pub did: Doings,
}

impl Unit {
    /// Whether nothing has happened to a unit. What follows from its card and its place is not
    /// compared.
    #[must_use]
    pub fn unchanged(&self, before: &Self) -> bool {
        let Self {
            card,
            whereabouts,
            place,
            feet: _,
            bounds: _,
            middle: _,
            radius: _,
            wide: _,
            stands,
            lost_before,
            sent_off,
            guns,
            order,
            freshness,
            low,
            amusette,
            about_faced,
            passage,
            flank_marched,
            sheltering,
            did,
        } = self;
        Arc::ptr_eq(card, &before.card)
            && *whereabouts == before.whereabouts
            && *place == before.place
            && (*stands, *lost_before) == (before.stands, before.lost_before)
            && (*sent_off, guns) == (before.sent_off, &before.guns)
            && (*order, *freshness) == (before.order, before.freshness)
            && (*low, *amusette) == (before.low, before.amusette)
            && (*about_faced, *passage) == (before.about_faced, before.passage)
            && (*flank_marched, *sheltering) == (before.flank_marched, before.sheltering)
            && *did == before.did
    }

    /// A unit before it is placed.
    #[must_use]
    pub fn new(card: Arc<Card>) -> Self {
        let strength = card.strength;
        let guns = if card.is_guns() { vec![GunStand::default(); strength.into()] } else { vec![] };
        let amusette = card.is(Trait::Amusette);
        let place = Placement {
            pose: Pose::default(),
            formation: card.formations.first().copied().unwrap_or(Formation::Line),
            gap: 0,
            refused: None,
            garrison: None,
            on_foot: false,
            stands: Vec::new(),
        };
        Self {
            card,
            whereabouts: Whereabouts::Reserve,
            place,
            feet: Vec::new(),
            bounds: table::Bounds::around(&[]),
            middle: Point::default(),
            radius: 0,
            wide: 0,
            stands: strength,
            lost_before: 0,
            sent_off: 0,
            guns,
            order: Order::Good,
            freshness: Freshness::Fresh,
            low: false,
            amusette,
            about_faced: false,
            passage: false,
            flank_marched: false,
            sheltering: None,
            did: Doings::default(),
        }
    }

    /// Its short name.
    #[must_use]
    pub fn id(&self) -> Id {
        self.card.id
    }

    /// Its side.
    #[must_use]
    pub fn side(&self) -> Side {
        self.card.side
    }

    /// Whether it is on the table.
    #[must_use]
    pub fn present(&self) -> bool {
        self.whereabouts == Whereabouts::Table
    }

    /// Whether its stands count as its side's: a detachment's are its parent's until it is sent
    /// off, and again when it is back.
    #[must_use]
    pub fn counts(&self) -> bool {
        match self.whereabouts {
            Whereabouts::Table => true,
            Whereabouts::Reserve => self.card.parent.is_none(),
            Whereabouts::Gone(_) => false,
        }
    }

    /// Whether it is guns.
    #[must_use]
    pub fn is_guns(&self) -> bool {
        self.card.is_guns()
    }

    /// Whether it is cavalry in the saddle.
    #[must_use]
    pub fn mounted(&self) -> bool {
        self.card.branch == Branch::Cavalry && !self.place.on_foot
    }

    /// The size of its stands.
    #[must_use]
    pub fn size(&self) -> Size {
        if self.place.on_foot { self.card.on_foot } else { self.card.size }
    }

    /// Stands on the table, the amusette included.
    #[must_use]
    pub fn bases(&self) -> usize {
        usize::from(self.stands) + usize::from(self.amusette)
    }

    /// Whether every gun is silenced.
    #[must_use]
    pub fn silenced(&self) -> bool {
        self.is_guns() && self.guns.iter().all(|g| g.silenced)
    }

    /// How far its weapons reach; nowhere without any.
    #[must_use]
    pub fn reach(&self) -> Mils {
        self.card.weapon.as_ref().map_or(0, |w| w.reach(self.amusette))
    }

    /// Whether to go through it is a passage of lines: neither loose, nor broken, nor indoors.
    #[must_use]
    pub(crate) fn is_firm(&self) -> bool {
        !self.formation().nature().loose
            && !matches!(self.formation(), Formation::Broken | Formation::Garrison)
    }

    /// Guns ready to fire, or troops.
    #[must_use]
    pub fn formation(&self) -> Formation {
        self.place.formation
    }

    /// The width of its front.
    #[must_use]
    pub fn frontage(&self) -> Mils {
        self.wide
    }

    /// The ground its stands would cover at a place.
    #[must_use]
    pub fn feet_at(&self, place: &Placement) -> Vec<Footprint> {
        let size = if place.on_foot { self.card.on_foot } else { self.card.size };
        Footprint::of_all(&place.stands, size)
    }

    /// Takes up a place.
    pub fn stand_at(&mut self, place: Placement) {
        self.place = place;
        self.look();
    }

    /// Computes the ground it covers anew.
    pub fn look(&mut self) {
        self.feet = self.feet_at(&self.place);
        self.surround();
    }

    /// The rectangle and the circle around its stands. The middle is measured from its front, so
    /// that it is the same place however the table lies.
    pub fn surround(&mut self) {
        let bounds = self.feet.iter().map(Footprint::bounds).reduce(table::Bounds::and);
        self.bounds = bounds.unwrap_or(table::Bounds::around(&[self.place.pose.at]));
        let front = self.feet.first().map_or(self.place.pose, |f| f.pose);
        let corners = || self.feet.iter().flat_map(|f| f.corners);
        let [across, along] = front.extent(corners());
        self.middle = front.place((across.0 + across.1) / 2, (along.0 + along.1) / 2);
        let [(left, right), _] = self.place.pose.extent(corners());
        self.wide = right.max(0) - left.min(0);
        self.radius = self.middle.farthest(corners());
    }

    /// Stands on other ground, as far as others see it: its place and its width stay what they were.
    pub(crate) fn stand_on(&mut self, feet: &[Footprint]) {
        let by = |a: &Footprint, b: &Footprint| b.pose.at - a.pose.at;
        let moved = self.feet.first().zip(feet.first()).map(|(a, b)| by(a, b));
        let alike = |a: &Footprint, b: &Footprint| {
            a.pose.facing == b.pose.facing && Some(by(a, b)) == moved
        };
        let same =
            self.feet.len() == feet.len() && self.feet.iter().zip(feet).all(|(a, b)| alike(a, b));
        self.feet.clear();
        self.feet.extend_from_slice(feet);
        match moved.filter(|_| same) {
            Some(by) => {
                self.bounds = self.bounds.shifted(by);
                self.middle = self.middle + by;
            }
            None => {
                let wide = self.wide;
                self.surround();
                self.wide = wide;
            }
        }
    }

    /// The nearest distance between two units.
    #[must_use]
    pub fn distance(&self, other: &Self) -> Mils {
        gap(&self.feet, &other.feet)
    }

    /// Whether two units can be within a distance at all.
    #[must_use]
    #[inline]
    pub fn near(&self, other: &Self, within: Mils) -> bool {
        self.middle.is_within(self.radius + other.radius + within, other.middle)
    }

    /// Whether two units are within a distance, or on its limit.
    #[must_use]
    pub fn within(&self, other: &Self, within: Mils) -> bool {
        self.bounds.grown(within).meets(&other.bounds)
            && self.feet.iter().any(|a| other.feet.iter().any(|b| a.is_within(within, b)))
    }

    /// The share of its stands for which something holds.
    #[must_use]
    pub fn share(&self, holds: impl Fn(&Footprint) -> bool) -> f64 {
        let n = self.feet.iter().filter(|f| holds(f)).count();
        #[allow(clippy::cast_precision_loss)] // a few dozen
        let share = n as f64 / self.feet.len().max(1) as f64;
        share
    }

    /// Whether a place lies behind the line of its front; a refused flank moves the line to the
    /// refused stands' front.
    pub(crate) fn turns_its_back_to(&self, place: Point) -> bool {
        let behind = |front: &Pose| front.sees(place).1 < 0;
        match self.place.refused {
            Some(_) => self.place.stands.iter().all(behind),
            None => behind(&self.place.pose),
        }
    }

    /// Whether those of its stands for which something holds reach along half of another's front.
    pub(crate) fn spans(&self, other: &Self, holds: impl Fn(&Footprint) -> bool) -> bool {
        let stands = self.feet.iter().filter(|f| holds(f));
        let across = stands.map(|f| other.place.pose.sees(f.centre()).0);
        let ends = across.fold(None, |ends: Option<(Mils, Mils)>, x| match ends {
            Some((low, high)) => Some((low.min(x), high.max(x))),
            None => Some((x, x)),
        });
        ends.is_some_and(|(low, high)| 2 * (high - low + self.size().width) >= other.frontage())
    }
}

/// Fresh, worn or spent with so many stands left.
#[must_use]
pub fn freshness(card: &Card, left: u8) -> Freshness {
    if left <= card.spent_at {
        Freshness::Spent
    } else if card.worn_at.is_some_and(|worn| left <= worn) {
        Freshness::Worn
    } else {
        Freshness::Fresh
    }
}

/// Whether a leader is on the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LeaderState {
    /// He is, mounted.
    Mounted,
    /// He is, on foot until his owner's next turn has passed.
    Dismounted,
    /// Wounded: he misses his owner's next turn.
    Absent,
    /// He may come back in this step.
    Returning,
    /// Not yet on the table: he comes with his unit.
    Reserve,
    /// Out of the game; a replacement may come.
    Fallen,
    /// Off the table with the unit he was with.
    Gone,
}

/// A leader in the battle.
#[derive(Debug, Clone)]
pub struct Leader {
    /// What the scenario says of him.
    pub card: Arc<LeaderCard>,
    /// How good he, or his replacement, is.
    pub rating: Rating,
    /// Where he stands.
    pub at: Point,
    /// The unit he is with.
    pub attached: Option<Id>,
    /// Whether he is on the table.
    pub state: LeaderState,
    /// Whether he stands in for a fallen leader this turn.
    pub stand_in: bool,
    /// He has moved this turn.
    pub moved: bool,
    /// A turn of his owner has begun since he was hit.
    pub waited: bool,
}

impl Leader {
    /// Whether nothing has happened to him.
    pub(crate) fn unchanged(&self, before: &Self) -> bool {
        let Self { card, rating, at, attached, state, stand_in, moved, waited } = self;
        Arc::ptr_eq(card, &before.card)
            && (*rating, *at, *attached) == (before.rating, before.at, before.attached)
            && (*state, *stand_in) == (before.state, before.stand_in)
            && (*moved, *waited) == (before.moved, before.waited)
    }

    /// Whether he is on the table.
    #[must_use]
    pub fn present(&self) -> bool {
        matches!(self.state, LeaderState::Mounted | LeaderState::Dismounted)
    }
}

/// Stands moved without turning.
#[must_use]
pub fn shifted(feet: &[Footprint], by: Point) -> Vec<Footprint> {
    feet.iter().map(|f| f.shifted(by)).collect()
}

impl Placement {
    /// The same place, moved without turning.
    #[must_use]
    pub fn shifted(&self, by: Point) -> Self {
        let mut moved = self.clone();
        moved.pose.at = moved.pose.at + by;
        moved.stands.iter_mut().for_each(|s| s.at = s.at + by);
        moved
    }

    /// A place for so many stands.
    #[must_use]
    pub fn new(pose: Pose, formation: Formation, how: Stands) -> Self {
        let slots = formation.slots(how.count, how.size, how.gap, how.one_rank);
        Self {
            pose,
            formation,
            gap: how.gap,
            refused: None,
            garrison: None,
            on_foot: how.on_foot,
            stands: table::laid_out(pose, &slots),
        }
    }
}

/// What a placement is made of.
#[derive(Debug, Clone, Copy)]
pub struct Stands {
    /// How many stands.
    pub count: usize,
    /// Their size.
    pub size: Size,
    /// The gap between them.
    pub gap: Mils,
    /// Whether open order is one rank.
    pub one_rank: bool,
    /// Whether cavalry is on foot.
    pub on_foot: bool,
}
