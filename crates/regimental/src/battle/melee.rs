//! Charge combat: who fights whom, with which modifiers, and what both sides do afterward.

use journal::Recorder;
use rulebook::{Check, Conditions, Refusal};
use table::{Facing, Footprint, INCH, Mils, Pose, TOUCH, mils};

use super::Battle;
use super::card::{Branch, Carriage, Side, Trait};
use super::checking::class_name;
use super::event::{Event, Mark, Pending, Phase, Why};
use super::formation::Formation;
use super::id::Id;
use super::measures::Clause;
use super::moves::half;
use super::refusal::No;
use super::retreat::Back;
use super::state::{Charge, Gone, Unit};
use super::terrain::{Cover, Ground};
use crate::charge::{
    self, Arm, Assessment, ChargeEffect, Facts, Fighter, Move, SideOutcome, State,
};
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
const CONTACT: Mils = 2 * TOUCH;

impl Battle {
    /// Chargers that have met somebody and not fought.
    pub(crate) fn next_combat(&self) -> Option<&Unit> {
        self.units.iter().find(|u| self.fights(u) && !self.combat_of(u).defenders.is_empty())
    }

    fn fights(&self, unit: &Unit) -> bool {
        let second = self.phase == Phase::Breakthrough;
        unit.present()
            && !unit.did.fought
            && unit.did.charge.as_ref().is_some_and(|c| c.home && c.second == second)
    }

    fn met_by(&self, unit: &Unit) -> Vec<&Unit> {
        let met = self.units.iter().filter(|e| {
            e.present() && e.side() != unit.side() && e.sheltering.is_none() && !e.did.fought
        });
        met.filter(|e| e.within(unit, CONTACT)).collect()
    }

    /// The combat of a charger (ruling.charge-grouping).
    #[must_use]
    pub fn combat_of(&self, charger: &Unit) -> Combat {
        let mut met = self.met_by(charger);
        let target = charger.did.charge.as_ref().map(|c| c.target);
        met.sort_by_key(|e| (Some(e.id()) != target, e.id()));
        if let [one] = met.as_slice() {
            let attackers = self.units.iter().filter(|u| {
                u.side() == charger.side()
                    && self.fights(u)
                    && u.within(one, CONTACT)
                    && (u.id() == charger.id()
                        || self.met_by(u).len() == 1
                        || u.did.charge.as_ref().is_some_and(|c| c.target == one.id()))
            });
            return Combat {
                attackers: attackers.map(Unit::id).collect(),
                defenders: vec![one.id()],
            };
        }
        // One against many; those whom another charger alone has met are left to him.
        let mut defenders: Vec<Id> = met.iter().map(|e| e.id()).collect();
        let others: Vec<&Unit> = self
            .units
            .iter()
            .filter(|u| u.side() == charger.side() && u.id() != charger.id() && self.fights(u))
            .collect();
        if defenders.len() > 1 {
            defenders.retain(|d| {
                Some(*d) == target
                    || !others.iter().any(|o| o.did.charge.as_ref().is_some_and(|c| c.target == *d))
            });
        }
        Combat { attackers: vec![charger.id()], defenders }
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

    fn arm(&self, unit: &Unit) -> Arm {
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

    fn all<'b, 'i>(&'b self, ids: &'i [Id]) -> impl Iterator<Item = &'b Unit> + use<'b, 'i> {
        ids.iter().filter_map(|id| self.unit(*id)).filter(|u| u.present())
    }

    /// The unit that lends a side its class and state: the most stands in contact.
    fn lead(&self, own: &[Id], other: &[Id]) -> Option<&Unit> {
        let touching = |u: &Unit| {
            u.feet
                .iter()
                .filter(|f| {
                    self.all(other).any(|e| e.feet.iter().any(|g| f.distance(g) <= CONTACT))
                })
                .count()
        };
        let mut best: Option<(usize, bool, &Unit)> = None;
        for unit in self.all(own) {
            let key = (touching(unit), !unit.is_guns());
            if best.as_ref().is_none_or(|b| (key.0, key.1) > (b.0, b.1)) {
                best = Some((key.0, key.1, unit));
            }
        }
        best.map(|b| b.2)
    }

    /// Twice the numbers of a side: all stands in contact and half of the supports.
    fn numbers(&self, own: &[Id], enemies: &[Id]) -> i64 {
        let in_contact: i64 = self.all(own).map(|u| 2 * i64::from(u.stands)).sum();
        in_contact + self.supports(own, enemies).iter().map(|u| i64::from(u.stands)).sum::<i64>()
    }

    /// Units directly behind those who fight (ruling.charge-support).
    pub(crate) fn supports(&self, own: &[Id], enemies: &[Id]) -> Vec<&Unit> {
        let within = self.measures().scaled(2 * INCH);
        let attacks = self.all(own).any(|u| u.side() == self.mover);
        self.units
            .iter()
            .filter(|s| {
                s.present()
                    && !s.is_guns()
                    && s.order != Order::Broken
                    && !own.contains(&s.id())
                    && !enemies.contains(&s.id())
                    && !s.did.charge.as_ref().is_some_and(|c| c.home)
                    && (!attacks || s.did.track.len() > 1)
            })
            .filter(|s| {
                self.all(own).any(|u| {
                    let half = u.frontage() / 2;
                    s.side() == u.side()
                        && s.within(u, within)
                        && s.share(|f| {
                            let (across, ahead) = u.place.pose.sees(f.centre());
                            ahead < 0 && across.abs() <= half
                        }) >= 0.5
                })
            })
            .collect()
    }

    fn side_conditions(&self, own: &[Id], lead: &Unit, hold: &mut Conditions) {
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
        match lead.formation() {
            Formation::OpenOrder => {
                add("open-order");
                add("skirmishers");
            }
            Formation::HastySquare => add("hasty-square"),
            Formation::MarchColumn => add("march-column"),
            Formation::Limbered => add("limbered-guns"),
            _ => {}
        }
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

    fn ground_condition(&self, moved: Mils, ground: Ground) -> &'static str {
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
        facts.countercharge = d.did.countercharged.is_some();
        facts.square = d.formation().is_square();
        self.attacker_impetus(a, d, (charge.as_ref(), again), &mut hold[0]);
        self.defender_position(combat, d, (&mut facts, again), &mut hold[1]);
        let supported = def.iter().any(|id| self.unit(*id).is_some_and(Unit::is_guns));
        if supported && d.is_guns() {
            let name = if self.supported(d, att) { "supported-guns" } else { "unsupported-guns" };
            hold[1] = hold[1].with(names.named(name));
        }
        let fighter = |u: &Unit, hold: Conditions| Fighter {
            arm: self.arm(u),
            disordered: u.order != Order::Good || u.guns.iter().any(|g| g.silenced),
            square: u.formation().is_square(),
            hold,
        };
        charge::prepare(&self.rules, fighter(a, hold[0]), fighter(d, hold[1]), facts)
    }

    fn attacker_impetus(
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
            let pikes = d.card.weapon.as_ref().is_some_and(|w| &*w.code == "FP");
            let firm = !matches!(
                d.formation(),
                Formation::MarchColumn | Formation::OpenOrder | Formation::Broken
            ) && d.order != Order::Broken;
            if pikes && firm && !charge.from_behind {
                add("cavalry-vs-pikes");
            }
            if d.formation().is_square() {
                add("cavalry-vs-square");
            }
        }
    }

    fn defender_position(
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
        } else if d.did.countercharged.is_some() && d.card.is(Trait::Machismo) && !again {
            add("machismo");
        }
        let whole: u32 = self.all(&combat.defenders).map(|u| u32::from(u.stands)).sum();
        let flanked: u32 = self
            .all(&combat.defenders)
            .filter(|u| {
                !u.formation().nature().all_round
                    && self.all(&combat.attackers).any(|a| {
                        a.did.charge.as_ref().is_some_and(|c| c.from_behind)
                            && !self.covered_by_work(u, a.middle)
                    })
            })
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
    fn position(&self, unit: &Unit, from: &Unit) -> Position {
        let begun = from.did.track.first().map_or(from.middle, |p| p.at);
        let cover = self.cover_against(unit, &unit.feet, begun);
        let mut position =
            Position { fortified: cover == Cover::Fortified, strong: false, favorable: false };
        let reach = self.measures().scaled(INCH);
        for piece in &self.field.pieces {
            let between = if piece.is_thin() || piece.kind == super::terrain::Kind::Stream {
                unit.share(|f| {
                    piece.shape.crossed_by(begun, f.centre())
                        && piece.shape.distance_to(f.centre()) <= reach + unit.size().depth
                }) >= 0.5
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
    fn supported(&self, guns: &Unit, attackers: &[Id]) -> bool {
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

    /// Fights a combat out, ties included.
    pub(crate) fn fight(turn: &mut Recorder<'_, Self>, combat: &Combat) {
        let mut again = false;
        loop {
            let dice = [turn.throw(10), turn.throw(10)];
            let Ok(check) = turn.assess_combat(combat, again) else { return };
            let mut cited = Vec::new();
            let out = check.resolve(dice, &mut cited);
            let inches = check.inches(&out).map_or(0, mils);
            let damaged = check.guns_damaged(out.effect);
            let sides = check.modifiers();
            let of = |side: &str| {
                sides
                    .iter()
                    .filter(|c| {
                        c.side == Some(if side == "attacker" { "attacker" } else { "defender" })
                    })
                    .cloned()
                    .collect()
            };
            let (attacker, defender) = (turn.tally(of("attacker")), turn.tally(of("defender")));
            let rules: Vec<Clause> =
                cited.iter().map(|r| turn.measures().clauses.name(*r)).collect();
            let each: Vec<(Id, SideOutcome)> = combat
                .attackers
                .iter()
                .map(|id| (*id, out.attacker))
                .chain(combat.defenders.iter().map(|id| {
                    let arm = turn.unit(*id).map_or(Arm::Infantry, |u| turn.arm(u));
                    (*id, check.defender_as(arm, dice).defender)
                }))
                .collect();
            turn.emit(Event::Fought {
                attackers: combat.attackers.clone(),
                defenders: combat.defenders.clone(),
                dice,
                attacker,
                defender,
                difference: out.difference,
                effect: out.effect,
                rules,
            });
            Self::share_losses(
                turn,
                &combat.attackers,
                &combat.defenders,
                out.attacker.stands_lost,
            );
            Self::share_losses(
                turn,
                &combat.defenders,
                &combat.attackers,
                out.defender.stands_lost,
            );
            if damaged > 0 {
                let guns = combat
                    .defenders
                    .iter()
                    .copied()
                    .find(|d| turn.unit(*d).is_some_and(|u| u.present() && u.is_guns()));
                if let Some(guns) = guns {
                    Self::damage(turn, guns);
                }
            }
            Self::shake(turn, &each);
            let left = |turn: &Recorder<'_, Self>, side: &[Id]| turn.all(side).count() > 0;
            let undecided = out.effect == ChargeEffect::DesperateStruggle;
            if undecided && left(turn, &combat.attackers) && left(turn, &combat.defenders) {
                again = true;
                continue;
            }
            Self::aftermath(turn, combat, &each, inches);
            return;
        }
    }

    /// Losses: the lead first, then as evenly as can be; guns after troops.
    fn share_losses(turn: &mut Recorder<'_, Self>, own: &[Id], other: &[Id], lost: i32) {
        let lead = turn.lead(own, other).map(Unit::id);
        let mut order: Vec<Id> = own.to_vec();
        order.sort_by_key(|id| (turn.unit(*id).is_some_and(Unit::is_guns), Some(*id) != lead));
        let mut losses: Vec<(Id, u8)> = order.iter().map(|id| (*id, 0)).collect();
        let mut left = lost.max(0);
        'all: while left > 0 {
            let mut took = false;
            let troops: Vec<usize> = (0..losses.len())
                .filter(|i| {
                    turn.unit(losses[*i].0)
                        .is_some_and(|u| u.present() && !u.is_guns() && losses[*i].1 < u.stands)
                })
                .collect();
            let guns: Vec<usize> = (0..losses.len())
                .filter(|i| {
                    turn.unit(losses[*i].0)
                        .is_some_and(|u| u.present() && u.is_guns() && losses[*i].1 < u.stands)
                })
                .collect();
            for i in if troops.is_empty() { guns } else { troops } {
                losses[i].1 += 1;
                took = true;
                left -= 1;
                if left == 0 {
                    break 'all;
                }
            }
            if !took {
                break;
            }
        }
        for (id, stands) in losses.into_iter().filter(|l| l.1 > 0) {
            if turn.unit(id).is_some_and(Unit::is_guns) {
                for _ in 0..stands {
                    Self::wreck(turn, id);
                }
            } else {
                Self::lose(
                    turn,
                    id,
                    stands,
                    &["charge.driven-back.defender.losses", "ruling.charge-losses"],
                );
            }
        }
    }

    fn shake(turn: &mut Recorder<'_, Self>, each: &[(Id, SideOutcome)]) {
        for (id, out) in each {
            let Some(unit) = turn.unit(*id).filter(|u| u.present()) else { continue };
            let guns = unit.is_guns();
            let order = match out.state {
                State::Disordered if !guns && unit.order == Order::Good => Some(Order::Disordered),
                State::Broken if !guns => Some(Order::Broken),
                _ => None,
            };
            if let Some(order) = order {
                let rules =
                    vec![turn.measures().clauses.cite(&["charge.falter.attacker.disordered"])];
                turn.emit(Event::Ordered { unit: *id, order, rules });
            }
            match out.state {
                State::Eliminated if guns && out.moves == Move::Hold => Self::remove(
                    turn,
                    *id,
                    Gone::Captured,
                    &[
                        "charge.driven-back.defender.heavy-carriage-guns",
                        "charge.driven-back.defender.siege-guns",
                    ],
                ),
                State::Silenced | State::Disordered | State::Broken if guns => {
                    Self::silence_all(turn, *id, "charge.hard-pressed.defender.guns-silenced")
                }
                _ => {}
            }
        }
    }

    /// Who goes where afterward; the beaten first.
    fn aftermath(
        turn: &mut Recorder<'_, Self>,
        combat: &Combat,
        each: &[(Id, SideOutcome)],
        inches: Mils,
    ) {
        let leaders: Vec<Id> = each
            .iter()
            .filter(|(_, out)| out.leader_check)
            .flat_map(|(id, _)| {
                turn.leaders
                    .iter()
                    .filter(move |l| l.attached == Some(*id) && l.present())
                    .map(|l| l.card.id)
            })
            .collect();
        let ground = turn
            .all(&combat.defenders)
            .next()
            .or_else(|| combat.defenders.first().and_then(|d| turn.unit(*d)))
            .map_or(Pose::default(), |u| u.place.pose);
        let met = turn.all(&combat.attackers).next().map_or(ground, |u| u.place.pose);
        let stay =
            combat.defenders.iter().filter_map(|d| turn.unit(*d)).any(|d| {
                d.is_guns() || d.place.garrison.is_some() || turn.covered_by_work(d, met.at)
            });
        for id in combat.attackers.iter().chain(&combat.defenders) {
            if turn.unit(*id).is_some_and(Unit::present) {
                turn.emit(Event::Marked { unit: *id, mark: Mark::Fought, on: true });
            }
        }
        let mut winners = Vec::new();
        for (id, out) in each {
            if turn.unit(*id).is_none_or(|u| !u.present()) {
                continue;
            }
            let attacks = combat.attackers.contains(id);
            let from = if attacks { combat.defenders.clone() } else { combat.attackers.clone() };
            match out.moves {
                Move::RetreatShort | Move::RetreatBeyondCloseRange | Move::FullRetreat => {
                    turn.emit(Event::Queued {
                        pending: Pending::GoBack {
                            unit: *id,
                            how: out.moves,
                            inches,
                            from: from.clone(),
                            recall: out.may_recall,
                            checked: false,
                        },
                    });
                    for support in Self::sharing(turn, *id, &from, out) {
                        turn.emit(Event::Queued {
                            pending: Pending::GoBack {
                                unit: support,
                                how: out.moves,
                                inches,
                                from: from.clone(),
                                recall: false,
                                checked: false,
                            },
                        });
                    }
                }
                Move::Carry => {
                    winners.push(Pending::GoOn { unit: *id, ground, recall: out.may_recall, stay })
                }
                Move::Breakthrough => winners.push(Pending::Breakthrough { unit: *id, ground }),
                Move::Hold if out.may_recall && !attacks => {
                    winners.push(Pending::GoOn { unit: *id, ground: met, recall: true, stay: true })
                }
                Move::Hold => {}
            }
        }
        // With both sides gone nobody holds the position; with the beaten gone the winner goes on.
        for pending in winners {
            turn.emit(Event::Queued { pending });
        }
        for leader in leaders {
            Self::fallen_leader(turn, leader);
        }
    }

    /// Supports share a retreat, without losses.
    fn sharing(turn: &Recorder<'_, Self>, id: Id, enemies: &[Id], out: &SideOutcome) -> Vec<Id> {
        if out.moves == Move::RetreatShort {
            return vec![];
        }
        turn.supports(&[id], enemies).into_iter().map(Unit::id).collect()
    }

    pub(crate) fn go_back(
        turn: &mut Recorder<'_, Self>,
        id: Id,
        how: Move,
        inches: Mils,
        from: &[Id],
    ) {
        let Some(unit) = turn.unit(id).filter(|u| u.present()) else { return };
        match how {
            Move::RetreatShort => {
                let flight = turn.short_retreat(unit, from, inches);
                Self::take_flight(turn, id, flight, Why::Back, &["ruling.retreat-short"]);
            }
            Move::RetreatBeyondCloseRange => {
                let near = turn.all(from).min_by_key(|e| e.distance(unit)).map(Unit::id);
                let enemy = near.or_else(|| turn.nearest_enemy(unit).map(Unit::id));
                if let Some(enemy) = enemy {
                    Self::withdraw(turn, id, enemy);
                }
            }
            _ => Self::retreat_fully(turn, id, from),
        }
    }

    pub(crate) fn recall(
        turn: &mut Recorder<'_, Self>,
        id: Id,
        from: &[Id],
        way: Mils,
        facing: Facing,
    ) {
        let Some(unit) = turn.unit(id).filter(|u| u.present()) else { return };
        let away = turn.away_from(unit, from).unwrap_or(turn.homeward(unit.side()));
        let row = unit.card.row(unit.formation(), unit.place.on_foot);
        let never = |_: &[Footprint]| false;
        let back = Back { limit: row.full.map(|r| r.min(way)), enough: &never, from };
        let mut flight = turn.least_bend(unit, away, |to| {
            let start = turn.turned(unit, unit.formation(), facing);
            turn.flight(unit, &start, to, back)
        });
        flight.place = turn.somewhere_free(unit, flight.place);
        Self::take_flight(turn, id, flight, Why::Recall, &["ruling.recall"]);
    }

    /// The winner goes on to where the front of the beaten was.
    pub(crate) fn carry(turn: &mut Recorder<'_, Self>, id: Id, ground: Pose) {
        let Some(unit) = turn.unit(id).filter(|u| u.present()) else { return };
        let wanted = unit.place.pose.sees(ground.at).1.max(0);
        let row = unit.card.row(unit.formation(), unit.place.on_foot);
        let way = wanted.min(half(row.full[0], turn.measures().half));
        let keep = TOUCH * 3;
        let facing = unit.place.pose.facing;
        let mut best = None;
        let mut at = 0;
        let start = unit.feet.clone();
        while at <= way {
            let by = facing.offset(0, at);
            let feet: Vec<Footprint> = start
                .iter()
                .map(|f| f.shifted(by))
                .collect();
            let over = turn.field.crossed(&start, &feet, None);
            let clear = turn.free(unit, &feet)
                && feet.iter().all(|f| turn.field.holds(f))
                && over.closed.is_none()
                && over.obstacle.is_none()
                && !turn.units.iter().any(|e| {
                    e.present()
                        && e.side() != unit.side()
                        && feet.iter().any(|a| e.feet.iter().any(|b| a.distance(b) < keep))
                });
            if clear {
                best = Some(at);
            } else if best.is_some() {
                break;
            }
            at = if at < way { (at + INCH / 8).min(way) } else { way + 1 };
        }
        if let Some(way) = best.filter(|w| *w > 0) {
            let by = facing.offset(0, way);
            let mut place = unit.place.clone();
            place.pose.at = place.pose.at + by;
            place.stands.iter_mut().for_each(|s| s.at = s.at + by);
            let track = vec![unit.place.pose, place.pose];
            turn.emit(Event::Placed { unit: id, why: Why::Carry, place, track, ground: None });
            Self::leaders_alone(turn);
        }
    }

    /// On against the nearest enemy in sight, half a move; without one in reach, the position.
    pub(crate) fn break_through(turn: &mut Recorder<'_, Self>, id: Id, ground: Pose) {
        let Some(unit) = turn.unit(id).filter(|u| u.present() && u.order != Order::Broken) else {
            return;
        };
        let row = unit.card.row(unit.formation(), unit.place.on_foot);
        let share = turn.rules.charge.breakthrough_share();
        let rate = row.full.map(|r| half(r, share));
        let seen = turn
            .units
            .iter()
            .filter(|e| e.present() && e.side() != unit.side() && e.sheltering.is_none());
        let nearest =
            seen.filter(|e| turn.sees_unit(unit, e)).min_by_key(|e| (e.distance(unit), e.id()));
        let found = nearest.and_then(|enemy| {
            // Wheeling as needed: the unit turns on its middle toward the enemy.
            let facing = unit.middle.toward(enemy.middle)?;
            let start = turn.turned(unit, unit.formation(), facing);
            let feet: Vec<Footprint> =
                start.stands.iter().map(|p| Footprint::of(*p, unit.size())).collect();
            let straight = unit.place.pose.facing.turn_to(facing).abs() < 500;
            let (start, feet) = if straight || !turn.free(unit, &feet) {
                (unit.place.clone(), unit.feet.clone())
            } else {
                (start, feet)
            };
            let way = turn.straight_charge(unit, (start, feet), (0, Ground::Open), rate);
            way.hit.map(|hit| (hit, way))
        });
        match found {
            Some((hit, way)) => {
                let target = turn.unit(hit);
                let behind = target.is_some_and(|t| {
                    turn.behind_front(unit, t) && !t.formation().nature().all_round
                });
                let charge = Charge {
                    target: hit,
                    cold_steel: false,
                    disordered: false,
                    wheel: 0,
                    from_behind: behind,
                    moved: way.ahead,
                    ground: way.ground,
                    home: true,
                    second: true,
                };
                let track = vec![unit.place.pose, way.place.pose];
                turn.emit(Event::Placed {
                    unit: id,
                    why: Why::Breakthrough,
                    place: way.place,
                    track,
                    ground: Some(way.ground),
                });
                turn.emit(Event::ChargeMoved { unit: id, charge });
                turn.emit(Event::Marked { unit: id, mark: Mark::Fought, on: false });
                turn.emit(Event::Marked { unit: hit, mark: Mark::Fought, on: false });
                Self::leaders_alone(turn);
            }
            None => Self::carry(turn, id, ground),
        }
    }

    fn sees_unit(&self, unit: &Unit, other: &Unit) -> bool {
        unit.feet.iter().any(|a| {
            other.feet.iter().any(|b| {
                self.clear(
                    a.centre(),
                    b.centre(),
                    [Some(unit), Some(other)],
                    super::sight::Look::Level,
                )
            })
        })
    }
}

/// The ground a unit defends.
struct Position {
    fortified: bool,
    strong: bool,
    favorable: bool,
}
