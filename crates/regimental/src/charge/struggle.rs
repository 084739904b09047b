//! A Desperate Struggle rolled again until somebody gives way, exactly.

use dice::Distribution;
use rulebook::{Check, Reached};

use super::Assessment;
use super::result::{ChargeEffect, Outcome};

/// The combat after a tie: both sides have lost, are shaken, and have spent
/// the impetus of the charge.
fn after_tie<'r>(charge: &Assessment<'r>) -> Assessment<'r> {
    let mut next = charge.clone();
    let rules = &charge.table.struggle;
    for side in [&mut next.attacker, &mut next.defender] {
        side.hold = side.hold.without(rules.gone);
        side.lose(rules.losses.0.into(), charge.table);
        let shaken =
            if side.arm.is_guns() { rules.guns_silenced.0 } else { rules.troops_disordered.0 };
        if shaken {
            side.shake(charge.table);
        }
    }
    next.compare_numbers();
    // Every condition taken away or added keeps its set free of
    // contradictions, so there is nothing left to refuse.
    let _ = next.recount();
    next
}

/// The final distribution of a charge.
///
/// With the stands of both sides known the struggle ends at the latest when
/// one is destroyed, and `stands_lost` is what the whole combat cost. Without
/// them it is a geometric series: after the first tie nothing changes any
/// more, so the limit is the second table without its ties; `stands_lost` is
/// then what the deciding roll cost.
pub(super) fn until_decided(charge: &Assessment<'_>) -> Distribution<Reached<Outcome>> {
    // House rules may let a struggle cost nothing; then it never wears out.
    let costs = charge.table.struggle.losses.0 > 0;
    let finite = costs && charge.attacker.stands.is_some() && charge.defender.stands.is_some();
    if finite { finite_struggle(charge, 0) } else { endless_struggle(charge) }
}

fn reached(charge: &Assessment<'_>, mut out: Outcome, lost_before: i32) -> Reached<Outcome> {
    out.attacker.stands_lost += lost_before;
    out.defender.stands_lost += lost_before;
    (out, charge.modifiers())
}

fn endless_struggle(charge: &Assessment<'_>) -> Distribution<Reached<Outcome>> {
    let again = after_tie(charge);
    let second = Distribution::weighted(
        again
            .odds()
            .iter()
            .filter(|(out, _)| out.effect != ChargeEffect::DesperateStruggle)
            .map(|(out, ways)| (reached(&again, *out, 0), ways.clone())),
    );
    // Two ten-sided dice always leave some pair that is no tie, so there is a
    // second table to go on to.
    charge.odds().map(decided).then(|out| match out {
        Some(out) => Distribution::certain(reached(charge, *out, 0)),
        None => second.clone(),
    })
}

/// An outcome that ends the combat; every tie alike is none.
fn decided(out: &Outcome) -> Option<Outcome> {
    (out.effect != ChargeEffect::DesperateStruggle).then_some(*out)
}

fn finite_struggle(charge: &Assessment<'_>, lost: i32) -> Distribution<Reached<Outcome>> {
    let each = charge.table.struggle.losses.0;
    let again = after_tie(charge);
    if again.attacker.destroyed() || again.defender.destroyed() {
        return charge.odds().map(|out| reached(charge, *out, lost));
    }
    charge.odds().map(decided).then(|out| match out {
        Some(out) => Distribution::certain(reached(charge, *out, lost)),
        None => finite_struggle(&again, lost + each),
    })
}
