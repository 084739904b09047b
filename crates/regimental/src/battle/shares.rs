//! What the result of a combat means for each of those who fought it, before anything happens: the
//! same for the fight and for the odds.

use rulebook::Check;
use table::{Mils, mils};

use super::Battle;
use super::id::Id;
use super::measures::Clause;
use super::melee::Combat;
use super::state::Unit;
use crate::charge::{Assessment, SideOutcome};
use crate::maneuver::Order;

/// What the result of a combat means for one of those who fought it.
pub(super) struct Share {
    pub(super) unit: Id,
    pub(super) outcome: SideOutcome,
    /// The clauses that say so.
    pub(super) rules: Vec<Clause>,
    /// How far a short retreat goes.
    pub(super) inches: Mils,
    /// Gun stands damaged beside the losses.
    pub(super) damaged: i32,
    /// The stands it loses because it was disordered already, and by which clause.
    pub(super) disordered: Option<(i32, Clause)>,
    /// Who stands behind it and shares its retreat.
    pub(super) supports: Vec<Id>,
}

/// How the clauses end that take a stand only from those who were disordered already.
const LOSS_IF_DISORDERED: &str = "loss-if-disordered";

impl Battle {
    /// All share the result (ruling.charge-grouping); what it means for each depends on its arm, its
    /// order, the works or the square it stands in and the ground of its own charge. The attackers
    /// first.
    pub(super) fn shares(
        &self,
        combat: &Combat,
        check: &Assessment<'_>,
        dice: [u8; 2],
    ) -> Vec<Share> {
        let meant = |id: &Id, attacks: bool| {
            let unit = self.unit(*id)?;
            let part = self.part(unit, combat);
            let own = if attacks { check.for_attacker(part) } else { check.for_defender(part) };
            let mut cited = Vec::new();
            let whole = own.resolve(dice, &mut cited);
            let outcome = if attacks { whole.attacker } else { whole.defender };
            // The lines that speak of the other side are his.
            let other = if attacks { ".defender" } else { ".attacker" };
            let rules = cited.iter().map(|r| self.measures().clauses.name(*r));
            let rules: Vec<Clause> = rules.filter(|r| !r.contains(other)).collect();
            let disordered = rules.iter().find(|r| r.ends_with(LOSS_IF_DISORDERED));
            let enemies = if attacks { &combat.defenders } else { &combat.attackers };
            Some(Share {
                unit: *id,
                inches: own.inches(&whole).map_or(0, mils),
                damaged: if attacks { 0 } else { own.guns_damaged(whole.effect) },
                disordered: disordered.map(|rule| (outcome.stands_lost, rule.clone())),
                supports: self.behind(unit, enemies),
                outcome,
                rules,
            })
        };
        let attackers = combat.attackers.iter().filter_map(|id| meant(id, true));
        attackers.chain(combat.defenders.iter().filter_map(|id| meant(id, false))).collect()
    }

    /// Who supports a unit and shares its retreat. Guns limber up and go: what stood behind them was
    /// not beaten.
    pub(super) fn behind(&self, unit: &Unit, enemies: &[Id]) -> Vec<Id> {
        if unit.is_guns() || !self.measures().settings.supports_share {
            return vec![];
        }
        self.supports(&[unit.id()], enemies).into_iter().map(Unit::id).collect()
    }

    /// Who loses a stand because he was disordered already, where his side as a whole does not count
    /// as disordered: they share the result, and he was.
    pub(super) fn lost_by_the_disordered(
        &self,
        side: &[Id],
        each: &[Share],
        applied: &[Clause],
    ) -> Option<(Id, u8, Clause)> {
        let here = |id: Id| side.contains(&id) && self.unit(id).is_some_and(Unit::present);
        let mut own = each.iter().filter(|s| here(s.unit));
        let (unit, (stands, rule)) = own.find_map(|s| Some((s.unit, s.disordered.clone()?)))?;
        // Otherwise counted with the losses of the side already.
        let uncounted = !applied.contains(&rule);
        uncounted.then(|| (unit, u8::try_from(stands).unwrap_or(0), rule))
    }

    /// Who of a side loses how many stands: the lead first, then as evenly as can be; guns after
    /// troops, and first the disordered where only they lose any.
    pub(super) fn losses_of(
        &self,
        (own, other): (&[Id], &[Id]),
        lost: i32,
        applied: &[Clause],
    ) -> Vec<(Id, u8)> {
        let lead = self.lead(own, other).map(Unit::id);
        let theirs = applied.iter().any(|r| r.ends_with(LOSS_IF_DISORDERED));
        let mut order: Vec<&Unit> = self.all(own).collect();
        order
            .sort_by_key(|u| (u.is_guns(), theirs && u.order == Order::Good, Some(u.id()) != lead));
        let mut losses: Vec<(&Unit, u8)> = order.into_iter().map(|u| (u, 0)).collect();
        let mut left = lost.max(0);
        for guns in [false, true] {
            let mut took = true;
            while took {
                took = false;
                for (unit, lost) in losses.iter_mut().filter(|l| l.0.is_guns() == guns) {
                    if left > 0 && *lost < unit.stands {
                        *lost += 1;
                        left -= 1;
                        took = true;
                    }
                }
            }
        }
        losses.into_iter().filter(|l| l.1 > 0).map(|(u, lost)| (u.id(), lost)).collect()
    }
}

/// The clauses of a result: those it is read by, and what they mean for each.
pub(super) fn cited_by(applied: &[Clause], each: &[Share]) -> Vec<Clause> {
    // Whose line it is, each says for himself.
    let common = |r: &&Clause| !r.contains(".attacker") && !r.contains(".defender");
    let mut cited: Vec<Clause> = applied.iter().filter(common).cloned().collect();
    for rule in each.iter().flat_map(|share| &share.rules) {
        if !cited.contains(rule) {
            cited.push(rule.clone());
        }
    }
    cited
}
