//! When to charge: the fire on the way and the combat, weighed face by face of the dice.

use regimental::battle::{Combat, Command, ForeseenCharge, Id, Unit};
use regimental::charge::{ChargeEffect, Move, Outcome, SideOutcome, State};
use regimental::fire;
use regimental::maneuver::Order as Ranks;

use super::Colonel;
use crate::Order;
use crate::seat::{Seat, steady};
use crate::worth::{harm, harm_of};

/// What a struggle that goes on is worth: it costs both sides.
const STRUGGLE: f64 = 0.0;

/// A charge that may be declared, with what it promises.
pub(crate) struct Prospect {
    pub(crate) command: Command,
    /// Points it promises on balance.
    pub(crate) worth: f64,
    /// Chances in a hundred to win the combat, fire included.
    pub(crate) wins: u32,
    pub(crate) target: Id,
}

impl Colonel<'_> {
    /// Other charges of the group, or none.
    pub(crate) fn other_charges(&self) -> Vec<Order> {
        let able = self.seat.own().filter(|u| u.did.owes.is_some() && u.did.charge.is_none());
        let mut found: Vec<(Prospect, &Unit)> = able
            .filter(|u| !u.is_guns())
            .filter_map(|u| Some((self.prospect(u)?, u)))
            .filter(|(p, _)| p.worth > self.plan.doctrine.price - 0.8)
            .collect();
        found.sort_by(|a, b| b.0.worth.total_cmp(&a.0.worth));
        found.truncate(3);
        let mut orders: Vec<Order> =
            found.into_iter().filter_map(|(p, u)| self.declared(p, u)).collect();
        if !orders.is_empty() {
            orders.push(Order::new(Command::Done, "No charge: the fire does more."));
        }
        orders
    }

    /// The best charge of the group, if one is worth its price.
    pub(crate) fn best_charge(&self) -> Option<Order> {
        let able = self.seat.own().filter(|u| u.did.owes.is_some() && u.did.charge.is_none());
        let mut best: Option<(Prospect, &Unit)> = None;
        for unit in able.filter(|u| !u.is_guns()) {
            let Some(prospect) = self.prospect(unit) else { continue };
            if best.as_ref().is_none_or(|b| prospect.worth > b.0.worth) {
                best = Some((prospect, unit));
            }
        }
        let (prospect, unit) = best.filter(|b| b.0.worth >= self.plan.doctrine.price)?;
        self.declared(prospect, unit)
    }

    fn declared(&self, prospect: Prospect, unit: &Unit) -> Option<Order> {
        let enemy = self.seat.battle.unit(prospect.target)?;
        let turned = if self.behind(unit, enemy) { "take them in flank: " } else { "" };
        let reason = format!(
            "{} charges {}: {turned}{}% to beat them, worth {:+.1} points on balance.",
            unit.card.name, enemy.card.name, prospect.wins, prospect.worth
        );
        Some(Order::new(prospect.command, reason))
    }

    fn behind(&self, unit: &Unit, enemy: &Unit) -> bool {
        enemy.place.pose.sees(unit.middle).1 < 0 && !enemy.formation().is_square()
    }

    /// The best charge of one unit.
    fn prospect(&self, unit: &Unit) -> Option<Prospect> {
        if unit.order == Ranks::Broken {
            return None;
        }
        let row = unit.card.row(unit.formation(), unit.place.on_foot);
        let far = row.double_quick[0];
        let mut near: Vec<&Unit> = self
            .seat
            .enemies()
            .filter(|e| e.near(unit, far) && e.within(unit, far) && self.hopeful(unit, e))
            .collect();
        near.sort_by_key(|e| (e.middle.distance(unit.middle), e.id()));
        let mut best: Option<Prospect> = None;
        for enemy in near.into_iter().take(3) {
            let Some(prospect) = self.against(unit, enemy, false) else { continue };
            if best.as_ref().is_none_or(|b| prospect.worth > b.worth) {
                best = Some(prospect);
            }
        }
        // With cold steel it does not fire; that is weighed only where a charge is near its price.
        let target = best.as_ref().filter(|b| b.worth > self.plan.doctrine.price - 0.5)?.target;
        let steel = self.seat.battle.unit(target).and_then(|e| self.against(unit, e, true));
        if let Some(steel) = steel.filter(|s| best.as_ref().is_none_or(|b| s.worth > b.worth)) {
            best = Some(steel);
        }
        best
    }

    /// What a charge against one enemy promises.
    fn against(&self, unit: &Unit, enemy: &Unit, cold_steel: bool) -> Option<Prospect> {
        let command = Command::Charge {
            unit: unit.id(),
            target: enemy.id(),
            cold_steel,
            disordered: false,
            wheel: None,
        };
        let seen = self.seat.battle.foresee_charge(self.seat.side, &command)?;
        let (worth, wins) = weigh(&self.seat, &seen, self.plan.doctrine.ground);
        let worth = worth + self.position_kept(enemy) * f64::from(wins) / 100.0;
        Some(Prospect { command, worth, wins, target: enemy.id() })
    }

    /// What the positions count that an enemy alone keeps: who drives him off them takes them.
    fn position_kept(&self, enemy: &Unit) -> f64 {
        let battle = self.seat.battle;
        let kept = battle.keys().iter().filter(|k| {
            let alone = |e: &Unit| e.id() == enemy.id() || !battle.keeps(e, k.at);
            k.holder != Some(self.seat.side)
                && battle.keeps(enemy, k.at)
                && self.seat.enemies().all(alone)
        });
        self.plan.doctrine.taking(battle) * kept.map(|k| f64::from(k.value)).sum::<f64>()
    }

    /// Whether an enemy in reach tempts to a charge, before anybody has checked.
    pub(crate) fn tempting(&self, unit: &Unit, enemy: &Unit) -> bool {
        if !unit.formation().nature().charges || !self.hopeful(unit, enemy) {
            return false;
        }
        let (own, other) = (f64::from(unit.stands), f64::from(enemy.stands));
        enemy.is_guns()
            || !steady(enemy)
            || self.behind(unit, enemy)
            || unit.mounted()
            || own >= 1.3 * other
            || self.position_kept(enemy) >= 1.0
            || self.plan.doctrine.price < 0.0
    }

    /// Whether a charge is worth a closer look.
    fn hopeful(&self, unit: &Unit, enemy: &Unit) -> bool {
        let horse_on_square = unit.mounted() && enemy.formation().is_square();
        !horse_on_square
            && (u32::from(unit.stands) * 3 >= u32::from(enemy.stands) || !steady(enemy))
    }
}

/// What a foreseen charge is worth in points to the side that charges, and its chances in a
/// hundred to win.
pub(crate) fn weigh(seat: &Seat<'_>, seen: &ForeseenCharge, ground: f64) -> (f64, u32) {
    if seen.outcomes.is_empty() {
        return (-1.0, 0);
    }
    let home = combat_worth(seat, &seen.combat, &seen.outcomes, ground);
    let shaken = if seen.shaken.is_empty() {
        home
    } else {
        combat_worth(seat, &seen.combat, &seen.shaken, ground)
    };
    if seen.fire.is_empty() {
        return (home.0, percent(home.1));
    }
    let faces = seen.fire.len();
    let (mut worth, mut wins) = (0.0, 0.0);
    let charger = seen.combat.attackers.first().and_then(|id| seat.battle.unit(*id));
    for fire in &seen.fire {
        worth -= charger.map_or(0.0, |u| fire_harm(u, fire));
        match fire.charge {
            Some(fire::Fate::Checked) => worth -= 0.15,
            _ if fire.disordered => {
                worth += shaken.0;
                wins += shaken.1;
            }
            _ => {
                worth += home.0;
                wins += home.1;
            }
        }
    }
    #[allow(clippy::cast_precision_loss)] // ten
    let n = faces as f64;
    (worth / n, percent(wins / n))
}

/// A share as a whole number of hundredths.
pub(crate) fn percent(share: f64) -> u32 {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // 0 to 100
    let whole = (share.clamp(0.0, 1.0) * 100.0 + 0.5) as u32;
    whole
}

/// The worth of a combat to a side, and its chance to win it.
pub(crate) fn combat_worth(
    seat: &Seat<'_>,
    combat: &Combat,
    outcomes: &[Outcome],
    carried: f64,
) -> (f64, f64) {
    let units =
        |ids: &[Id]| -> Vec<&Unit> { ids.iter().filter_map(|i| seat.battle.unit(*i)).collect() };
    let (att, def) = (units(&combat.attackers), units(&combat.defenders));
    let attacks = att.first().is_some_and(|u| u.side() == seat.side);
    let (mut sum, mut won) = (0.0, 0.0);
    for out in outcomes {
        let lost = side_harm(&att, &out.attacker);
        let done = side_harm(&def, &out.defender);
        let ground = match out.effect {
            ChargeEffect::Swept => 2.0 * carried,
            ChargeEffect::DrivenBack | ChargeEffect::HardPressed => carried,
            ChargeEffect::DesperateStruggle => STRUGGLE,
            ChargeEffect::Falter | ChargeEffect::Recoil | ChargeEffect::Repulsed => -carried,
        };
        sum += done - lost + ground;
        won += f64::from(u8::from(ground > 0.0));
        if out.effect == ChargeEffect::DesperateStruggle {
            won += 0.5;
        }
    }
    #[allow(clippy::cast_precision_loss)] // a hundred
    let n = outcomes.len().max(1) as f64;
    let sign = if attacks { 1.0 } else { -1.0 };
    (sign * sum / n, if attacks { won / n } else { 1.0 - won / n })
}

/// The harm an outcome does to the units of one side: the first takes the stands.
fn side_harm(units: &[&Unit], out: &SideOutcome) -> f64 {
    let mut harmed = 0.0;
    for (i, unit) in units.iter().enumerate() {
        let lost = if i == 0 { f64::from(out.stands_lost) } else { 0.0 };
        let order = match out.state {
            State::Unchanged => unit.order,
            State::Disordered | State::Silenced => worse(unit.order, Ranks::Disordered),
            State::Broken => Ranks::Broken,
            State::Eliminated => {
                harmed += harm(&unit.card, 0.0, unit.order) - harm_of(unit);
                continue;
            }
        };
        let after = harm(&unit.card, f64::from(unit.stands) - lost, order);
        let silenced = if unit.is_guns() && out.state == State::Silenced { 0.4 } else { 0.0 };
        harmed += after + silenced - harm_of(unit);
        if out.moves == Move::FullRetreat {
            harmed += 0.2;
        }
    }
    harmed
}

fn worse(a: Ranks, b: Ranks) -> Ranks {
    match (a, b) {
        (Ranks::Broken, _) | (_, Ranks::Broken) => Ranks::Broken,
        (Ranks::Disordered, _) | (_, Ranks::Disordered) => Ranks::Disordered,
        _ => Ranks::Good,
    }
}

/// The harm a fire does to a unit.
pub(crate) fn fire_harm(unit: &Unit, out: &fire::Outcome) -> f64 {
    if unit.is_guns() {
        return f64::from(out.guns_wrecked)
            + 0.4 * f64::from(out.guns_silenced)
            + 0.3 * f64::from(out.guns_damaged);
    }
    let order = if out.disordered { worse(unit.order, Ranks::Disordered) } else { unit.order };
    let left = f64::from(unit.stands) - f64::from(out.stands_lost);
    harm(&unit.card, left, order) - harm(&unit.card, f64::from(unit.stands), unit.order)
}
