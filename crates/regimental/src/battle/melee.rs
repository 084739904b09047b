//! Charge combat: who fights whom, with which modifiers, and what both sides do afterward.

use rulebook::{Conditions, Refusal};
use table::{Footprint, INCH, Mils, TOUCH};

use super::Battle;
use super::card::{Branch, Carriage, Side, Trait};
use super::checking::class_name;
use super::drill::Sergeant;
use super::event::Phase;
use super::formation::Formation;
use super::id::Id;
use super::refusal::No;
use super::state::{Charge, Unit};
use super::terrain::{Cover, Ground, Piece};
use crate::charge::{self, Arm, Assessment, Facts, Fighter, Part};
use crate::effectiveness::State as Freshness;
use crate::maneuver::Order;

/// A combat: one unit on at least one of its sides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Combat {
    /// Those who charged.
    pub attackers: Vec<Id>,
    /// Those they met.
    pub defenders: Vec<Id>,
}

/// Units in contact are this near.
pub(super) const CONTACT: Mils = 2 * TOUCH;

impl Battle {
    /// Chargers that have met somebody and not fought.
    pub(crate) fn next_combat(&self) -> Option<&Unit> {
        self.units.iter().find(|u| self.fights(u) && !self.combat_of(u).defenders.is_empty())
    }

    pub(super) fn fights(&self, unit: &Unit) -> bool {
        let second = self.phase == Phase::Breakthrough;
        unit.present()
            && !unit.did.fought
            && unit.did.charge.as_ref().is_some_and(|c| c.home && c.second == second)
    }

    pub(super) fn met_by(&self, unit: &Unit) -> Vec<&Unit> {
        let met = self.units.iter().filter(|e| {
            e.present() && e.side() != unit.side() && e.sheltering.is_none() && !e.did.fought
        });
        met.filter(|e| self.has_met(unit, e)).collect()
    }

    /// Whether a unit touches an enemy, or its charge has come home to him: stands that fire takes
    /// while the ranks close up do not part those who have met (ruling.stand-removal).
    pub(super) fn has_met(&self, unit: &Unit, enemy: &Unit) -> bool {
        let home = |u: &Unit, to: &Unit| {
            u.did.charge.as_ref().is_some_and(|c| c.home && c.target == to.id() && !u.did.fought)
        };
        home(unit, enemy) || self.in_contact(unit, enemy)
    }

    /// The building a unit garrisons.
    pub(crate) fn building(&self, unit: &Unit) -> Option<&Piece> {
        self.field.piece(unit.place.garrison?)
    }

    /// Whether two units touch; a garrison is touched at its walls.
    pub(crate) fn in_contact(&self, a: &Unit, b: &Unit) -> bool {
        let at_walls = |inside: &Unit, outside: &Unit| {
            self.building(inside)
                .is_some_and(|walls| outside.feet.iter().any(|f| walls.shape.gap(f) <= CONTACT))
        };
        a.within(b, CONTACT) || at_walls(a, b) || at_walls(b, a)
    }

    /// The combat of a charger (ruling.charge-grouping).
    #[must_use]
    pub fn combat_of(&self, charger: &Unit) -> Combat {
        let id = charger.id();
        let part = self.combats().into_iter().find(|c| c.attackers.contains(&id));
        part.unwrap_or(Combat { attackers: vec![id], defenders: vec![] })
    }

    /// The combats still to be fought. Every charger fights whom he charged; who is met but charged
    /// by nobody is fought by one of those he touches, so that nobody in contact is left out and
    /// each combat has one unit on at least one side.
    fn combats(&self) -> Vec<Combat> {
        let chargers: Vec<&Unit> = self.units.iter().filter(|u| self.fights(u)).collect();
        let met: Vec<Vec<Id>> = chargers
            .iter()
            .map(|u| {
                let mut met: Vec<Id> = self.met_by(u).iter().map(|e| e.id()).collect();
                let target = u.did.charge.as_ref().map(|c| c.target);
                met.sort_by_key(|e| (Some(*e) != target, *e));
                met
            })
            .collect();
        // Whom each of them fights: the one he charged, if he is still there.
        let mut foes: Vec<Vec<Id>> =
            met.iter().map(|m| m.first().copied().into_iter().collect()).collect();
        let mut uncharged: Vec<Id> = met.iter().flatten().copied().collect();
        uncharged.sort_unstable();
        uncharged.dedup();
        uncharged.retain(|d| !foes.iter().flatten().any(|f| f == d));
        for foe in uncharged {
            let beside = |i: &usize| {
                let same = |f: &&Vec<Id>| f.first() == foes[*i].first();
                foes.iter().filter(same).count() > 1
            };
            let touch: Vec<usize> =
                (0..chargers.len()).filter(|i| met[*i].contains(&foe)).collect();
            // Who fights alone takes him on as well; one of several leaves the others for him.
            match (touch.iter().find(|i| !beside(i)), touch.first()) {
                (Some(alone), _) => foes[*alone].push(foe),
                (None, Some(one)) => foes[*one] = vec![foe],
                (None, None) => {}
            }
        }
        let mut combats: Vec<Combat> = Vec::new();
        for (charger, foes) in chargers.iter().zip(foes).filter(|(_, foes)| !foes.is_empty()) {
            match combats.iter_mut().find(|c| c.defenders.first() == foes.first()) {
                Some(combat) => combat.attackers.push(charger.id()),
                None => combats.push(Combat { attackers: vec![charger.id()], defenders: foes }),
            }
        }
        combats
    }

    pub(crate) fn check_fight(&self, side: Side, id: Id) -> Result<Combat, No> {
        self.in_phase(side, &[Phase::Combat, Phase::Breakthrough], "sequence.charge.1-combat")?;
        let unit = self.own_unit(side, id)?;
        if !self.fights(unit) {
            return Err(self
                .no(&["sequence.charge.1-combat"], format!("{id} has no charge combat to fight")));
        }
        let combat = self.combat_of(unit);
        if combat.defenders.is_empty() {
            return Err(
                self.no(&["sequence.charge.1-combat"], format!("{id} has nobody left to fight"))
            );
        }
        Ok(combat)
    }

    pub(super) fn arm(&self, unit: &Unit) -> Arm {
        match unit.card.branch {
            Branch::Cavalry if unit.mounted() => Arm::Cavalry,
            Branch::Infantry | Branch::Cavalry => Arm::Infantry,
            Branch::Guns if unit.formation() == Formation::Limbered => Arm::GunsLimbered,
            Branch::Guns => match unit.card.carriage {
                Carriage::Light => Arm::GunsLight,
                Carriage::Heavy => Arm::GunsHeavy,
                Carriage::Fixed => Arm::GunsFixed,
            },
        }
    }

    pub(super) fn all<'b, 'i>(
        &'b self,
        ids: &'i [Id],
    ) -> impl Iterator<Item = &'b Unit> + use<'b, 'i> {
        ids.iter().filter_map(|id| self.unit(*id)).filter(|u| u.present())
    }

    /// How many stands of a unit are in contact with some others.
    fn touching(&self, unit: &Unit, others: &[Id]) -> usize {
        let met = |f: &Footprint| {
            self.all(others).any(|e| {
                let walls = self.building(e).is_some_and(|b| b.shape.gap(f) <= CONTACT);
                walls || e.feet.iter().any(|g| f.is_within(CONTACT, g))
            })
        };
        unit.feet.iter().filter(|f| met(f)).count()
    }

    /// The unit that lends a side its class and state: the most stands in contact, and of equals
    /// the one its owner would name: troops before guns, the better class, in the better state.
    pub(super) fn lead(&self, own: &[Id], other: &[Id]) -> Option<&Unit> {
        let mut best: Option<(_, &Unit)> = None;
        for unit in self.all(own) {
            let (class, order) = (unit.card.class as u8, unit.order as u8);
            let state = (unit.is_guns(), class, order, unit.freshness);
            let key = (self.touching(unit, other), std::cmp::Reverse(state));
            if best.as_ref().is_none_or(|b| key > b.0) {
                best = Some((key, unit));
            }
        }
        best.map(|b| b.1)
    }

    /// Whether half or more of the stands that beat somebody are cavalry that came at him
    /// (ruling.defeated-by-cavalry).
    fn on_horse(&self, own: &[Id], other: &[Id], came: fn(&Unit) -> bool) -> bool {
        let counts = |u: &Unit| self.rules.charge.beaten_by_cavalry(self.arm(u), came(u));
        let sum = |horse: bool| -> usize {
            let those = self.all(own).filter(|u| !horse || counts(u));
            those.map(|u| self.touching(u, other)).sum()
        };
        let horse = sum(true);
        horse > 0 && 2 * horse >= sum(false)
    }

    /// What of a unit decides what the result of its side means for it. Who charges goes back from
    /// whoever holds works or a square, also beside others who do not.
    pub(super) fn part(&self, unit: &Unit, combat: &Combat) -> Part {
        let silenced = unit.is_guns() && unit.guns.iter().any(|g| g.silenced);
        let charge = unit.did.charge.as_ref();
        let attacks = combat.attackers.contains(&unit.id());
        let held = |is: &dyn Fn(&Unit) -> bool| match attacks {
            true => self.all(&combat.defenders).any(is),
            false => is(unit),
        };
        Part {
            arm: self.arm(unit),
            disordered: unit.order != Order::Good || silenced,
            bad_ground: charge.is_some_and(|c| c.ground > Ground::Open),
            fortified: held(&|u| self.behind_works(u, &combat.attackers)),
            square: held(&|u| u.formation().is_square()),
        }
    }

    /// Whether a unit stands behind works against those who charge it. Who went out to meet them
    /// has left his.
    fn behind_works(&self, unit: &Unit, charged_by: &[Id]) -> bool {
        let behind = |by: &Unit| self.position(unit, by).fortified;
        unit.did.countercharged.is_none() && self.lead(charged_by, &[unit.id()]).is_some_and(behind)
    }

    /// Whether a charger struck a unit in flank or rear: it began its move behind the line of that
    /// unit's front (ruling.outflanked-charge).
    fn flanks(&self, charger: &Unit, unit: &Unit) -> bool {
        let Some(charge) = charger.did.charge.as_ref() else { return false };
        // A charge that came home struck, whatever ranks have closed up since.
        let struck = charge.home && charge.target == unit.id();
        let met = struck || self.in_contact(charger, unit);
        if unit.formation().nature().all_round || !met || !self.has_flanks(unit) {
            return false;
        }
        let behind = if charge.target == unit.id() {
            charge.from_behind
        } else {
            // Its target is another: from where it stood when it began.
            charger.did.track.first().is_some_and(|begun| {
                let place = Sergeant::new(self, charger).laid(*begun, charger.formation());
                let feet = charger.feet_at(&place);
                let behind = feet.iter().filter(|f| unit.turns_its_back_to(f.centre())).count();
                2 * behind >= feet.len()
            })
        };
        behind && !self.covered_by_work(unit, charger)
    }

    /// Whether a unit has flanks to be struck: of broken troops the line for broken counts
    /// (ruling.broken-state).
    pub(super) fn has_flanks(&self, unit: &Unit) -> bool {
        unit.order != Order::Broken || self.measures().settings.broken_flanks
    }

    /// Twice the numbers of a side: all stands in contact and half of the supports.
    pub(super) fn numbers(&self, own: &[Id], enemies: &[Id]) -> i64 {
        let in_contact: i64 = self.all(own).map(|u| 2 * i64::from(u.stands)).sum();
        in_contact + self.supports(own, enemies).iter().map(|u| i64::from(u.stands)).sum::<i64>()
    }

    /// Whether a unit has a combat of its own to fight, against others than some enemies.
    fn fights_others(&self, unit: &Unit, enemies: &[Id]) -> bool {
        let on_it =
            |e: &Unit| e.did.charge.as_ref().is_some_and(|c| c.home && c.target == unit.id());
        let fights = |e: &Unit| e.present() && !e.did.fought && !enemies.contains(&e.id());
        self.units.iter().any(|e| fights(e) && on_it(e))
    }

    /// Units directly behind those who fight (ruling.charge-support).
    pub(crate) fn supports(&self, own: &[Id], enemies: &[Id]) -> Vec<&Unit> {
        let within = self.measures().scaled(2 * INCH);
        let attacks = self.all(own).any(|u| u.side() == self.mover);
        let could = |s: &&Unit| {
            s.present()
                && !s.is_guns()
                && s.order != Order::Broken
                && !own.contains(&s.id())
                && !enemies.contains(&s.id())
                && !s.did.charge.as_ref().is_some_and(|c| c.home)
                && (!attacks || s.did.track.len() > 1)
        };
        let stands_behind = |s: &&Unit| {
            self.all(own).any(|u| {
                let half = u.frontage() / 2;
                let behind = |f: &Footprint| {
                    let (across, ahead) = u.place.pose.sees(f.centre());
                    ahead < 0 && across.abs() <= half
                };
                // Half of it behind them, or half of them with it behind: a wider line too.
                s.side() == u.side()
                    && s.within(u, within)
                    && (s.share(behind) >= 0.5 || s.spans(u, behind))
            })
        };
        let supports = self.units.iter().filter(could).filter(stands_behind);
        supports.filter(|s| !self.fights_others(s, enemies)).collect()
    }

    pub(super) fn side_conditions(&self, own: &[Id], lead: &Unit, hold: &mut Conditions) {
        let names = &self.rules.charge.modifiers;
        let mut add = |name: &str| *hold = hold.with(names.named(name));
        add(class_name(lead.card.class));
        if !lead.is_guns() {
            add(match lead.freshness {
                Freshness::Fresh => "fresh",
                Freshness::Worn => "worn",
                Freshness::Spent => "spent",
            });
        }
        let whole: u32 = self.all(own).map(|u| u32::from(u.stands)).sum();
        let third = |is: &dyn Fn(&Unit) -> bool| {
            3 * self.all(own).filter(|u| is(u)).map(|u| u32::from(u.stands)).sum::<u32>() >= whole
        };
        if third(&|u| !u.is_guns() && u.order == Order::Disordered) {
            add("disordered-troops");
        }
        if third(&|u| u.is_guns() && u.guns.iter().any(|g| g.silenced)) {
            add("silenced-gun");
        }
        if third(&|u| u.order == Order::Broken) {
            add("broken");
        }
        if lead.card.is(Trait::BraveColonel) {
            add("brave-colonel");
        }
        if self.leaders.iter().any(|l| l.present() && l.attached == Some(lead.id())) {
            add("leader-attached");
        }
        lead.formation().nature().in_combat.iter().for_each(|name| add(name));
        if lead.card.is(Trait::NoBayonets) || lead.card.is(Trait::Indians) {
            add("no-bayonets");
        }
        if lead.card.is(Trait::Indians) {
            let woods = |f: &Footprint| {
                self.field.pieces.iter().any(|p| p.kind.is_wooded() && p.shape.holds(f.centre()))
            };
            if lead.share(woods) >= self.measures().indians {
                add("indians-in-woods");
            }
        }
        if lead.card.is(Trait::Irregular) && lead.mounted() {
            add("irregular-cavalry");
        }
    }

    pub(super) fn ground_condition(&self, moved: Mils, ground: Ground) -> &'static str {
        if moved < self.measures().scaled(2 * INCH) {
            return "cavalry-stationary";
        }
        match ground {
            Ground::Open => "cavalry-open-ground",
            Ground::Broken => "cavalry-broken-ground",
            Ground::Rough => "cavalry-rough-ground",
        }
    }

    /// A combat before its dice. After a tie the impetus is gone (`again`).
    ///
    /// # Errors
    /// Never for what was found on the table.
    pub fn assess_combat(&self, combat: &Combat, again: bool) -> Result<Assessment<'_>, Refusal> {
        let names = &self.rules.charge.modifiers;
        let (att, def) = (&combat.attackers, &combat.defenders);
        let mut hold = [Conditions::default(); 2];
        let mut facts = Facts::default();
        let (Some(a), Some(d)) = (self.lead(att, def), self.lead(def, att)) else {
            return charge::prepare(&self.rules, Fighter::none(), Fighter::none(), facts);
        };
        self.side_conditions(att, a, &mut hold[0]);
        self.side_conditions(def, d, &mut hold[1]);
        let numbers = [self.numbers(att, def), self.numbers(def, att)];
        hold[0] = hold[0].with(self.rules.charge.outnumbered(numbers[0], numbers[1]));
        hold[1] = hold[1].with(self.rules.charge.outnumbered(numbers[1], numbers[0]));
        let charge = a.did.charge.clone();
        facts.second = charge.as_ref().is_some_and(|c| c.second);
        facts.bad_ground =
            self.all(att).any(|u| u.did.charge.as_ref().is_some_and(|c| c.ground > Ground::Open));
        // Carrying the position and recall are for cavalry, not for infantry that went out to meet it.
        facts.countercharge = d.did.countercharged.is_some() && d.mounted();
        facts.square = d.formation().is_square();
        facts.on_horse = [
            self.on_horse(att, def, |_| true),
            self.on_horse(def, att, |u| u.did.countercharged.is_some()),
        ];
        self.attacker_impetus(a, d, (charge.as_ref(), again), &mut hold[0]);
        self.defender_position(combat, d, (&mut facts, again), &mut hold[1]);
        let supported = def.iter().any(|id| self.unit(*id).is_some_and(Unit::is_guns));
        if supported && d.is_guns() {
            let name = if self.supported(d, att) { "supported-guns" } else { "unsupported-guns" };
            hold[1] = hold[1].with(names.named(name));
        } else if supported && self.all(def).any(|u| !u.is_guns() && u.order == Order::Good) {
            // Charged together with troops in good order the guns fight with them and add their
            // bonus (ruling.supported-guns).
            hold[1] = hold[1].with(names.named("supported-guns"));
        }
        let fighter = |u: &Unit, hold: Conditions| Fighter {
            arm: self.arm(u),
            // A side is already disordered where it has that penalty, whoever leads it.
            disordered: u.order != Order::Good
                || u.guns.iter().any(|g| g.silenced)
                || hold.meets(names.named("disordered-troops")),
            square: u.formation().is_square(),
            hold,
        };
        charge::prepare(&self.rules, fighter(a, hold[0]), fighter(d, hold[1]), facts)
    }

    pub(super) fn attacker_impetus(
        &self,
        a: &Unit,
        d: &Unit,
        how: (Option<&Charge>, bool),
        hold: &mut Conditions,
    ) {
        let names = &self.rules.charge.modifiers;
        let mut add = |name: &str| *hold = hold.with(names.named(name));
        let (Some(charge), false) = how else { return };
        if charge.cold_steel && !charge.second {
            add("cold-steel");
        }
        if charge.second {
            add("breakthrough");
        }
        if a.card.is(Trait::Machismo) {
            add("machismo");
        }
        if a.mounted() {
            add(self.ground_condition(charge.moved, charge.ground));
            let pikes = d.card.weapon.as_ref().is_some_and(|w| w.ways.pikes);
            let firm = !matches!(d.formation(), Formation::MarchColumn | Formation::Broken)
                && !d.formation().is_open()
                && d.order != Order::Broken;
            if pikes && firm && !charge.from_behind {
                add("cavalry-vs-pikes");
            }
            if d.formation().is_square() {
                add("cavalry-vs-square");
            }
        }
    }

    pub(super) fn defender_position(
        &self,
        combat: &Combat,
        d: &Unit,
        how: (&mut Facts, bool),
        hold: &mut Conditions,
    ) {
        let names = &self.rules.charge.modifiers;
        let mut add = |name: &str| *hold = hold.with(names.named(name));
        let (facts, again) = how;
        if d.mounted() {
            match d.did.countercharged {
                Some((moved, ground)) if !again => add(self.ground_condition(moved, ground)),
                _ => add("cavalry-stationary"),
            }
        }
        if d.did.countercharged.is_some() && d.card.is(Trait::Machismo) && !again {
            add("machismo");
        }
        let whole: u32 = self.all(&combat.defenders).map(|u| u32::from(u.stands)).sum();
        let flanked: u32 = self
            .all(&combat.defenders)
            .filter(|u| self.all(&combat.attackers).any(|a| self.flanks(a, u)))
            .map(|u| u32::from(u.stands))
            .sum();
        if flanked > 0 && 3 * flanked >= whole {
            add("outflanked");
        }
        // Who went out to meet the charge has left cover and position.
        if d.did.countercharged.is_none()
            && let Some(a) = self.lead(&combat.attackers, &combat.defenders)
        {
            let position = self.position(d, a);
            if position.fortified {
                add("fortified");
                facts.fortified = true;
            } else if position.strong {
                add("strong-position");
            }
            if position.favorable {
                add("favorable-ground");
            }
        }
    }

    /// What ground a unit defends against an attacker.
    pub(super) fn position(&self, unit: &Unit, from: &Unit) -> Position {
        let begun = from.did.track.first().map_or(from.middle, |p| p.at);
        let cover = self.cover_against(unit, &unit.feet, begun, &|_| false);
        let mut position =
            Position { fortified: cover == Cover::Fortified, strong: false, favorable: false };
        let reach = self.measures().scaled(INCH);
        for piece in &self.field.pieces {
            let between = if piece.is_thin() || piece.kind == super::terrain::Kind::Stream {
                let crossed = |f: &Footprint| {
                    piece.shape.crossed_by(begun, f.centre())
                        && piece.shape.distance_to(f.centre()) <= reach + unit.size().depth
                };
                // Works are crossed to come at their defenders, wherever in them these stand.
                let lined = !piece.kind.is_linear_cover()
                    || piece.cover == Cover::Fortified
                    || self.lines_up_behind(unit, piece);
                lined && unit.share(crossed) >= 0.5
            } else {
                let inside = unit.place.garrison == Some(piece.id)
                    || unit.share(|f| piece.shape.holds(f.centre())) >= 0.5;
                // The attackers charge from outside it; uphill means from lower ground.
                inside && !piece.shape.holds(begun)
            };
            if between {
                position.strong |= piece.strong;
                position.favorable |= piece.favorable;
            }
        }
        position.favorable |= self.field.level(unit.middle) > self.field.level(begun);
        position
    }

    /// Whether guns have troops near to support them (ruling.supported-guns).
    pub(super) fn supported(&self, guns: &Unit, attackers: &[Id]) -> bool {
        let within = self.measures().scaled(2 * INCH);
        self.units.iter().any(|u| {
            u.present()
                && u.side() == guns.side()
                && !u.is_guns()
                && u.order == Order::Good
                && u.formation() != Formation::MarchColumn
                && u.within(guns, within)
                && !self
                    .all(attackers)
                    .any(|a| self.behind_front(u, a) && a.place.pose.sees(u.middle).1 < 0)
        })
    }
}

/// The ground a unit defends.
pub(super) struct Position {
    fortified: bool,
    strong: bool,
    favorable: bool,
}
