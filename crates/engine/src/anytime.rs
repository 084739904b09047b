//! The odds of an order at any time: as if its step of the turn had come, with everybody where he
//! is now.
//!
//! Nothing here knows a rule. The step is made to begin on a copy of the battle by the same events
//! with which it begins in play, and the order is asked there.

use journal::Battle as _;
use regimental::battle::state::Pace;
use regimental::battle::{Battle, Command, Event, Id, No, Phase, Preview, Side, phase_name};

/// The rolls of an order.
#[derive(Debug)]
pub struct Foretold {
    /// Each roll.
    pub rolls: Vec<Preview>,
    /// What had to be supposed, in words, if this is not the order's step.
    pub supposed: Option<String>,
}

/// The odds of an order, now or as if its step had come.
///
/// # Errors
/// The refusal it gets, in its step too.
pub fn odds(battle: &Battle, command: &Command) -> Result<Foretold, No> {
    let now = battle.awaited().unwrap_or(Side::One);
    let refused = match battle.preview(now, command) {
        Ok(rolls) => return Ok(Foretold { rolls, supposed: None }),
        Err(no) => no,
    };
    let side = giver(battle, command).unwrap_or(now);
    let mut last = refused;
    for supposed in suppositions(battle, side, command) {
        match supposed.there.preview(side, command) {
            Ok(rolls) => return Ok(Foretold { rolls, supposed: Some(supposed.words) }),
            Err(no) => last = no,
        }
    }
    Err(last)
}

/// A battle in which the step of an order has come.
struct Supposed {
    there: Battle,
    words: String,
}

/// The unit an order names first.
fn first(command: &Command) -> Option<Id> {
    match command {
        Command::Check { units } | Command::Fire { units, .. } => units.first().copied(),
        Command::Charge { unit, .. } | Command::Fight { unit } => Some(*unit),
        _ => None,
    }
}

/// The side whose order it would be.
fn giver(battle: &Battle, command: &Command) -> Option<Side> {
    first(command).and_then(|id| battle.unit(id)).map(regimental::battle::Unit::side)
}

/// The ways in which an order's step might come, the likeliest first.
fn suppositions(battle: &Battle, side: Side, command: &Command) -> Vec<Supposed> {
    if battle.phase() == Phase::Over {
        return vec![];
    }
    let unit = first(command).and_then(|id| battle.unit(id));
    match command {
        Command::Check { units } => {
            let mut of = units.iter().filter_map(|id| battle.unit(*id));
            let again = of.any(|u| u.did.checked.is_some() || u.did.stood);
            vec![step(battle, side, Phase::Checks, again)]
        }
        Command::Fire { .. } if battle.mover() == side => {
            vec![step(battle, side, Phase::OffensiveFire, false)]
        }
        Command::Fire { .. } => {
            let mut there = settled(battle);
            there.apply(&Event::PhaseBegan { phase: Phase::DefensiveFire });
            vec![Supposed { there, words: words(Phase::DefensiveFire) }]
        }
        Command::Fight { .. } => vec![step(battle, side, Phase::Combat, false)],
        Command::Charge { disordered, .. } => {
            let Some(unit) = unit else { return vec![] };
            let owes = unit.did.owes.filter(|_| battle.mover() == side);
            // Its result is not known yet: the usual one, and the best.
            let paces: &[(Pace, &str)] = match (owes, disordered) {
                (Some(_), _) => &[],
                (None, true) => &[(Pace::Tardy, "tardy")],
                (None, false) => {
                    &[(Pace::WellHandled, "well handled"), (Pace::DoubleQuick, "at double quick")]
                }
            };
            let charges = || step(battle, side, Phase::Charges, false);
            let with = |(pace, how): &(Pace, &str)| {
                let mut supposed = charges();
                supposed.there.apply(&Event::Ready { unit: unit.id(), pace: Some(*pace) });
                supposed.words.push_str(&format!(", {} {how}", unit.id()));
                supposed
            };
            if owes.is_some() { vec![charges()] } else { paces.iter().map(with).collect() }
        }
        _ => vec![],
    }
}

fn words(phase: Phase) -> String {
    format!("as if it were {} now, with everybody where he is", phase_name(phase))
}

/// A copy in which no choice is owed.
fn settled(battle: &Battle) -> Battle {
    let mut there = battle.clone();
    while there.awaiting().choice.is_some() {
        there.apply(&Event::Settled);
    }
    there
}

/// A copy in which a step of a side's turn has come; of its next turn if this one is the enemy's,
/// or what was done in it would be in the way.
fn step(battle: &Battle, side: Side, phase: Phase, next_turn: bool) -> Supposed {
    let mut there = settled(battle);
    let mut words = words(phase);
    if next_turn || battle.mover() != side {
        let lost = battle.stands_lost();
        let greater_losses =
            battle.heavy_casualties(side) && lost[side.index()] > lost[side.other().index()];
        there.apply(&Event::TurnBegan { turn: battle.turn(), side, greater_losses });
        words = words.replace(" now,", " of that side's next turn,");
    }
    there.apply(&Event::PhaseBegan { phase });
    Supposed { there, words }
}
