//! What a battle is worth to a side: points as they stand, and as they are about to be.

use regimental::battle::card::Card;
use regimental::battle::{Battle, For, Side, Unit, Whereabouts};
use regimental::maneuver::Order as Ranks;

/// What disorder and rout cost beside the stands: the one is rallied, the other seldom.
const DISORDERED: f64 = 0.35;
const BROKEN: f64 = 1.4;

/// The points the enemy has, or soon has, for a unit with so many stands left. A victory counts
/// one for worn, two for spent and four for destroyed troops; between two of these a lost stand
/// counts its part.
pub(crate) fn harm(card: &Card, stands: f64, order: Ranks) -> f64 {
    let whole = f64::from(card.strength);
    if card.is_guns() {
        // By their stands, and besides like any unit if all are gone.
        return whole - stands + if stands <= 0.0 { 4.0 } else { 0.0 };
    }
    if stands <= 0.0 {
        return 4.0;
    }
    let spent = f64::from(card.spent_at);
    let part = |from: f64, to: f64| if from > to { (from - stands) / (from - to) } else { 1.0 };
    let lost = match card.worn_at.map(f64::from) {
        Some(worn) if stands > worn => part(whole, worn),
        Some(worn) if stands > spent => 1.0 + part(worn, spent),
        None if stands > spent => 2.0 * part(whole, spent),
        _ => 2.0 + 2.0 * part(spent, 0.0),
    };
    let shaken = match order {
        Ranks::Good => 0.0,
        Ranks::Disordered => DISORDERED,
        Ranks::Broken => BROKEN,
    };
    (lost + shaken).min(4.0)
}

/// The harm a unit has taken.
pub(crate) fn harm_of(unit: &Unit) -> f64 {
    match unit.whereabouts {
        Whereabouts::Reserve => 0.0,
        Whereabouts::Gone(regimental::battle::state::Gone::Rejoined) => 0.0,
        Whereabouts::Gone(_) => harm(&unit.card, 0.0, unit.order),
        Whereabouts::Table => {
            let guns: f64 = unit
                .guns
                .iter()
                .map(|g| {
                    if g.silenced {
                        0.4
                    } else if g.damaged {
                        0.3
                    } else {
                        0.0
                    }
                })
                .sum();
            guns + harm(&unit.card, f64::from(unit.stands), unit.order)
        }
    }
}

/// By how many points a side leads, with what is about to be lost counted in.
#[must_use]
pub fn lead(battle: &Battle, side: Side) -> f64 {
    lead_with(battle, side, 1.0)
}

/// The same with the positions at a part of their value: they change hands until the end, while
/// what has fallen has fallen.
fn lead_with(battle: &Battle, side: Side, positions: f64) -> f64 {
    let sign = |s: Side| if s == side { 1.0 } else { -1.0 };
    let mut lead = 0.0;
    for key in battle.keys() {
        lead += key.holder.map_or(0.0, |h| sign(h) * f64::from(key.value)) * positions;
    }
    for unit in battle.units() {
        lead -= sign(unit.side()) * harm_of(unit);
    }
    let leaders = |s: Side| {
        let scored = battle.scored(s).filter(|(what, _)| matches!(what, For::Leader(_)));
        f64::from(scored.map(|(_, points)| points).sum::<i32>())
    };
    lead + leaders(side) - leaders(side.other())
}

/// How likely a side is to win, as the battle stands: 1 if it has won, a half for a draw.
pub(crate) fn hope(battle: &Battle, side: Side) -> f64 {
    let margin = f64::from(battle.terms().margin.max(1));
    if let Some(ending) = battle.ending() {
        let by = f64::from(ending.points[side.index()] - ending.points[side.other().index()]);
        // Of two wins, or losses, the clearer one is a little more.
        let shade = 0.03 * (by / margin).clamp(-3.0, 3.0);
        return shade
            + match ending.winner {
                Some(winner) if winner == side => 0.9,
                Some(_) => 0.1,
                None => 0.5,
            };
    }
    let left = f64::from(battle.terms().turns.saturating_sub(battle.turn())) + 0.5;
    let gone = f64::from(battle.turn()) / f64::from(battle.terms().turns.max(1));
    let lead = lead_with(battle, side, 0.2 + 0.8 * gone * gone);
    let spread = 0.7 * margin + 1.6 * left.sqrt();
    1.0 / (1.0 + libm::exp(-1.6 * lead / spread))
}
