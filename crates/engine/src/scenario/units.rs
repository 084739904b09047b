//! Units and leaders in a scenario file.

use std::sync::Arc;

use regimental::Rules;
use regimental::battle::card::{Branch, Card, Carriage, LeaderCard, Rating};
use regimental::battle::setup::{Deployed, Draft, Draught};
use regimental::battle::state::{Leader, LeaderState};
use regimental::battle::{Arrival, Formation, Id, Side, Trait, Unit};
use regimental::effectiveness::Morale;
use regimental::fire::Class;
use regimental::maneuver::Order;
use rulebook::{Fault, Reader};
use table::{Facing, Mils, Point, Pose, Size};

use super::keys;
use super::values::{Values, as_word};

/// A unit read, with where it begins or enters.
pub(super) struct ReadUnit {
    pub(super) unit: Unit,
    pub(super) at: Option<Deployed>,
    pub(super) arrival: Option<Arrival>,
}

pub(super) struct Context<'c> {
    pub(super) rules: &'c Rules,
    pub(super) sides: &'c [String],
}

impl Context<'_> {
    fn side(&self, v: &Values<'_, '_, '_>, faults: &mut Vec<Fault>) -> Option<Side> {
        let name = v.text("side", faults)?;
        let at = self.sides.iter().position(|s| *s == name);
        if at.is_none() {
            v.fault("side", format!("no side `{name}`: {}", self.sides.join(", ")), faults);
        }
        at.map(|i| Side::BOTH[i.min(1)])
    }

    pub(super) fn leader(
        &self,
        reader: &Reader<'_, '_>,
        faults: &mut Vec<Fault>,
    ) -> Option<Leader> {
        let v = Values::of(reader, &keys::LEADER);
        v.coherent(faults);
        let id = v.id("id", faults);
        let name = v.text("name", faults);
        let side = self.side(&v, faults);
        let rating: Option<Rating> = v.word("rating", faults);
        let replacement: Rating = v.word("replacement", faults).unwrap_or(Rating::Able);
        let superior = v.id("superior", faults);
        let at = v.point("at", faults);
        let with = v.id("with", faults);
        let on_foot = v.flag("dismounted", false, faults);
        if at.is_none()
            && with.is_none()
            && reader.get("at").is_none()
            && reader.get("with").is_none()
        {
            v.fault("at", "a leader is somewhere: `at` a place or `with` a unit", faults);
        }
        let (id, side, rating, name) = (id?, side?, rating?, name?);
        let card = LeaderCard { id, name: Arc::from(name), side, rating, superior, replacement };
        let state = if on_foot { LeaderState::Dismounted } else { LeaderState::Mounted };
        let leader = Leader {
            card: Arc::new(card),
            rating,
            at: at.unwrap_or_default(),
            attached: with,
            state,
            stand_in: false,
            moved: false,
            waited: false,
        };
        Some(leader)
    }

    pub(super) fn unit(
        &self,
        reader: &Reader<'_, '_>,
        faults: &mut Vec<Fault>,
    ) -> Option<ReadUnit> {
        let v = Values::of(reader, &keys::UNIT);
        let before = faults.len();
        v.coherent(faults);
        let side = self.side(&v, faults);
        let draft = self.draft(&v, side, faults);
        let place = self.place(&v, faults);
        let arrival = self.arrival(&v, faults);
        let draft = draft?;
        let other = self.other_arm(&draft);
        let card = match draft.finish(self.rules) {
            Ok(card) => card,
            Err(found) => {
                // Of a weapon that is none of this arm's the carriage and the rate say nothing more.
                let unarmed = found.iter().position(|(key, _)| *key == "weapon");
                for (i, (key, message)) in found.into_iter().enumerate() {
                    match other {
                        Some(what) if unarmed == Some(i) => {
                            let known = message.rsplit(": ").next().unwrap_or_default();
                            v.fault(key, format!("{what}; this arm has {known}"), faults);
                        }
                        _ if unarmed.is_some_and(|at| i > at)
                            && ["weapon", "carriage"].contains(&key) => {}
                        _ => v.fault(key, message, faults),
                    }
                }
                return None;
            }
        };
        let at = place
            .filter(|_| v.reader.get("at").is_some() || v.reader.get("garrison").is_some())
            .map(|p| p.of(&card));
        if let Some(at) = &at
            && !card.formations.contains(&at.formation)
            && !(at.on_foot && at.formation == Formation::OpenOrder)
            && !matches!(at.formation, Formation::Garrison | Formation::HastySquare)
        {
            let may: Vec<&str> = card.formations.iter().map(|f| f.name()).collect();
            v.fault("formation", format!("{} knows {}", card.id, may.join(", ")), faults);
        }
        let order = v.word::<Order>("order", &mut vec![]);
        if let (Some(at), Some(order)) = (&at, order) {
            let (lies, broken) = (at.formation == Formation::Broken, order == Order::Broken);
            if lies && !broken {
                v.scruple("order", "troops in the formation broken are broken", faults);
            } else if broken && !lies && at.garrison.is_none() && card.branch != Branch::Guns {
                let message = "broken troops have no formation but broken: leave it out";
                v.scruple("formation", message, faults);
            }
        }
        if let Some(at) = &at
            && at.on_foot
            && !(card.branch == Branch::Cavalry && card.is(Trait::Dragoons))
        {
            v.fault("on-foot", "only cavalry with the trait dragoons fights on foot", faults);
        }
        if let Some(at) = &at
            && at.on_foot
            && !matches!(at.formation, Formation::OpenOrder | Formation::Broken)
        {
            v.fault("formation", "dragoons on foot are in open order", faults);
        }
        if let Some(at) = &at
            && at.formation == Formation::Garrison
            && at.garrison.is_none()
        {
            let message = "a garrison is in a building: name it with `garrison`, instead of `at`";
            v.scruple("formation", message, faults);
        }
        if let Some(at) = &at
            && let Some((least, most)) = self.rules.gaps(at.formation)
            && at.gap.is_some_and(|gap| !(least..=most).contains(&gap))
        {
            let [low, high] = [least, most].map(table::inches);
            let formation = at.formation.name().replace('-', " ");
            v.fault("gap", format!("gaps of {formation} are {low} to {high} inches"), faults);
        }
        if let Some(at) = &at
            && card.carriage == Carriage::Fixed
            && at.formation == Formation::Limbered
        {
            v.fault("formation", "a fixed gun has no limber", faults);
        }
        let somewhere = ["at", "garrison", "arrives", "parent"];
        if somewhere.iter().all(|key| reader.get(key).is_none()) {
            v.fault("at", "a unit is somewhere: `at` a place, or `arrives` later", faults);
        }
        let mut unit = Unit::new(Arc::new(card));
        self.state(&v, &mut unit, faults);
        if let Some(at) = &at
            && at.formation == Formation::Broken
        {
            unit.order = Order::Broken;
        }
        let arrival = arrival.map(|a| Arrival { unit: unit.id(), ..a });
        (faults.len() == before).then_some(ReadUnit { unit, at, arrival })
    }

    /// What a weapon is that the book has, but not for this arm.
    fn other_arm(&self, draft: &Draft) -> Option<&'static str> {
        draft.weapon.as_ref()?;
        let guns = draft.card.branch == Branch::Guns;
        let mut other = draft.clone();
        other.card.branch = if guns { Branch::Infantry } else { Branch::Guns };
        let wrong = |draft: Draft| draft.finish(self.rules).err().unwrap_or_default();
        let strange = |draft: Draft| wrong(draft).iter().any(|(key, _)| *key == "weapon");
        let belongs = strange(draft.clone()) && !strange(other);
        belongs.then_some(if guns { "this is a small arm" } else { "this is a gun" })
    }

    fn draft(
        &self,
        v: &Values<'_, '_, '_>,
        side: Option<Side>,
        faults: &mut Vec<Fault>,
    ) -> Option<Draft> {
        let id = v.id("id", faults);
        let name = v.text("name", faults);
        let branch: Option<Branch> = v.word("arm", faults);
        let class: Option<Class> = v.word("class", faults);
        let morale: Option<Morale> = v.word("morale", faults);
        let strength = v.small("stands", faults);
        let before = faults.len();
        let weapon = self.weapon(v, faults);
        let unknown_weapon = faults.len() > before;
        let traits = self.list::<Trait>(v, "traits", faults);
        let formations = self.list::<Formation>(v, "formations", faults);
        let carriage: Option<Carriage> = v.word("carriage", faults);
        let draught = match v.text("draught", faults).as_deref() {
            None => None,
            Some("oxen") => Some(Draught::Oxen),
            Some("horses") => Some(Draught::Horses),
            Some("horse-artillery") => Some(Draught::HorseArtillery),
            Some(other) => {
                v.fault("draught", format!("`{other}`: oxen, horses or horse-artillery"), faults);
                None
            }
        };
        let worn = v.small("worn", faults);
        let spent = v.small("spent", faults);
        let leader = v.id("leader", faults);
        let parent = v.id("parent", faults);
        let size = Size { width: 0, depth: 0 };
        let card = Card {
            id: id?,
            name: Arc::from(name?),
            side: side?,
            leader,
            branch: branch?,
            class: class?,
            strength: strength?,
            worn_at: None,
            spent_at: 0,
            weapon: None,
            carriage: Carriage::Light,
            traits,
            formations,
            rates: vec![],
            size,
            on_foot: size,
            parent,
        };
        if spent.is_some_and(|s| {
            s >= card.strength || worn.is_some_and(|w| w <= s || w >= card.strength)
        }) {
            v.fault("spent", "stands fall from `stands` to `worn` to `spent`", faults);
        }
        let thresholds = spent.map(|s| (worn, s));
        // What else could be said of it would only follow from that.
        (!unknown_weapon).then_some(Draft {
            card,
            morale: morale.unwrap_or(Morale::Reliable),
            weapon,
            carriage,
            draught,
            thresholds,
        })
    }

    /// The letters of a weapon, or what a gun of so many pounds or such a bore is called.
    fn weapon(&self, v: &Values<'_, '_, '_>, faults: &mut Vec<Fault>) -> Option<String> {
        // What it is for other arms is a fault of its own.
        if v.word::<Branch>("arm", &mut vec![]) != Some(Branch::Guns) {
            return v.text("weapon", faults);
        }
        let pounder = v.whole("pounder", faults);
        let bore = v.reader.get("bore").is_some().then(|| v.length("bore", faults)).flatten();
        for (key, given) in [("pounder", pounder.is_some()), ("bore", bore.is_some())] {
            if given {
                let found = self.rules.gun_called(pounder, bore);
                if found.is_none() {
                    v.fault(
                        key,
                        "this book does not name such a gun: give its `weapon` letters",
                        faults,
                    );
                }
                return found;
            }
        }
        v.text("weapon", faults)
    }

    fn list<T: serde::de::DeserializeOwned>(
        &self,
        v: &Values<'_, '_, '_>,
        key: &str,
        faults: &mut Vec<Fault>,
    ) -> Vec<T> {
        let known = v.choices(key);
        let mut found = Vec::new();
        for word in v.words(key, faults) {
            match as_word(&word) {
                Some(t) => found.push(t),
                None => {
                    let help = rulebook::nearest(&word, known.iter().copied())
                        .map(|n| format!("did you mean `{n}`?"));
                    faults.push(v.reader.fault(
                        key,
                        format!("no {key} `{word}`: {}", known.join(", ")),
                        help,
                    ));
                }
            }
        }
        found
    }

    fn place(&self, v: &Values<'_, '_, '_>, faults: &mut Vec<Fault>) -> Option<Place> {
        let at = v.point("at", faults);
        let garrison = v.id("garrison", faults);
        let facing = v.facing("facing", faults);
        let formation: Option<Formation> = v.word("formation", faults);
        let gap = v.length("gap", faults);
        let on_foot = v.flag("on-foot", false, faults);
        // A word that is none is a fault where the state is read.
        let broken = v.word::<Order>("order", &mut vec![]) == Some(Order::Broken);
        (at.is_some() || garrison.is_some()).then(|| Place {
            at: at.unwrap_or_default(),
            facing: facing.unwrap_or_default(),
            formation,
            gap,
            garrison,
            on_foot,
            broken,
        })
    }

    fn arrival(&self, v: &Values<'_, '_, '_>, faults: &mut Vec<Fault>) -> Option<Arrival> {
        let reader = v.reader.table("arrives", keys::ARRIVES.names, faults)?;
        reader.unknown_keys(faults);
        let v = Values::of(&reader, &keys::ARRIVES);
        v.coherent(faults);
        let (turn, at, facing) =
            (v.small("turn", faults), v.point("at", faults), v.facing("facing", faults));
        Some(Arrival { unit: Id::default(), turn: turn?, at: at?, facing: facing? })
    }

    fn state(&self, v: &Values<'_, '_, '_>, unit: &mut Unit, faults: &mut Vec<Fault>) {
        if let Some(lost) = v.at_most("lost", unit.stands.saturating_sub(1), faults) {
            unit.stands -= lost;
            unit.lost_before = lost;
            unit.guns.truncate(unit.stands.into());
            unit.freshness = regimental::battle::state::freshness(&unit.card, unit.stands);
        }
        if let Some(order) = v.word::<Order>("order", faults) {
            if unit.is_guns() && order != Order::Good {
                v.fault("order", "guns are `silenced`, not disordered or broken", faults);
            }
            unit.order = order;
        }
        let low = v.flag("low-on-ammo", false, faults);
        unit.low = low && !unit.is_guns();
        if low {
            unit.guns.iter_mut().for_each(|g| g.low = true);
        }
        unit.about_faced = v.flag("about-faced", false, faults);
        unit.amusette = v.flag("amusette", unit.amusette, faults) && unit.card.is(Trait::Amusette);
        let guns = u8::try_from(unit.guns.len()).unwrap_or(0);
        for (key, set) in [("silenced", true), ("damaged", false)] {
            if let Some(n) = v.at_most(key, guns, faults) {
                for gun in unit.guns.iter_mut().take(n.into()) {
                    if set { gun.silenced = true } else { gun.damaged = true }
                }
            }
        }
    }
}

struct Place {
    at: Point,
    facing: Facing,
    formation: Option<Formation>,
    gap: Option<Mils>,
    garrison: Option<Id>,
    on_foot: bool,
    broken: bool,
}

impl Place {
    fn of(&self, card: &Card) -> Deployed {
        let usual = match card.branch {
            Branch::Guns => Formation::Unlimbered,
            _ if self.garrison.is_some() => Formation::Garrison,
            _ if self.broken => Formation::Broken,
            _ if self.on_foot => Formation::OpenOrder,
            _ => card.formations.first().copied().unwrap_or(Formation::Line),
        };
        Deployed {
            pose: Pose::new(self.at, self.facing),
            formation: self.formation.unwrap_or(usual),
            gap: self.gap,
            garrison: self.garrison,
            on_foot: self.on_foot,
        }
    }
}
