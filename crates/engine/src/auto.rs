//! A player that gives legal orders at random: it finds crashes, dead ends and endless games.

use dice::stream::{Seeded, Source};
use journal::Journal;
use regimental::battle::{Battle, Side};

/// No battle takes more orders than this.
pub const MOST_ORDERS: usize = 20_000;

/// Why a battle did not come to its end.
#[derive(Debug)]
pub enum Stuck {
    /// An order the player was offered was refused.
    Refused(String),
    /// Nobody could do anything.
    DeadEnd,
    /// It went on and on.
    Endless,
}

/// A picker of random numbers for the random player.
pub fn picker(seed: &str) -> impl FnMut(usize) -> usize {
    let mut dice = Seeded::new(&format!("orders of {seed}"));
    move |below: usize| {
        let a = usize::from(dice.throw(250)) - 1;
        let b = usize::from(dice.throw(250)) - 1;
        (a * 250 + b) % below.max(1)
    }
}

/// Plays a battle to its end with random orders. After each, `watch` sees the journal.
///
/// # Errors
/// How it got stuck; a fault of the program, never of the dice.
pub fn play(
    journal: &mut Journal<Battle>,
    seed: &str,
    dice: &mut Source,
    mut watch: impl FnMut(&mut Journal<Battle>),
) -> Result<(), Stuck> {
    let mut pick = picker(seed);
    for _ in 0..MOST_ORDERS {
        let now = journal.now();
        if now.ending().is_some() {
            return Ok(());
        }
        let (Some(by), Some(order)) = (now.awaited(), now.some_order(&mut pick)) else {
            return Err(Stuck::DeadEnd);
        };
        if let Err(no) = journal.submit(by, &order, dice) {
            return Err(Stuck::Refused(format!("{order:?}: {no:?}")));
        }
        watch(journal);
    }
    Err(Stuck::Endless)
}

/// The same without keeping anything, as fast as it goes: for counting and measuring. Returns
/// the battle at its end and the number of orders.
///
/// # Errors
/// How it got stuck.
pub fn rush(start: &Battle, seed: &str) -> Result<(Battle, usize), Stuck> {
    let mut pick = picker(seed);
    let mut dice = Source::seeded(seed);
    let mut battle = start.clone();
    for orders in 0..MOST_ORDERS {
        if battle.ending().is_some() {
            return Ok((battle, orders));
        }
        let Some(order) = battle.some_order(&mut pick) else { return Err(Stuck::DeadEnd) };
        journal::carry_out(&mut battle, &mut dice, &order).map_err(|_| Stuck::DeadEnd)?;
    }
    Err(Stuck::Endless)
}

/// What must hold of a battle at any moment.
///
/// # Errors
/// What does not.
pub fn sound(battle: &Battle) -> Result<(), String> {
    let here: Vec<_> = battle.units().iter().filter(|u| u.present()).collect();
    for (i, unit) in here.iter().enumerate() {
        let name = unit.id();
        if unit.stands == 0 || unit.feet.len() != unit.bases() {
            return Err(format!(
                "{name} has {} stands and {} on the table",
                unit.stands,
                unit.feet.len()
            ));
        }
        if unit.feet.iter().any(|f| !battle.field().holds(f)) {
            return Err(format!("{name} stands off the table"));
        }
        for other in &here[..i] {
            let inside = unit.place.garrison.is_some() || other.place.garrison.is_some();
            if !inside && unit.feet.iter().any(|a| other.feet.iter().any(|b| a.overlaps(b))) {
                return Err(format!("{name} overlaps {}", other.id()));
            }
        }
    }
    for side in Side::BOTH {
        let started: u32 = battle
            .units()
            .iter()
            .filter(|u| u.side() == side && u.card.parent.is_none())
            .map(|u| u32::from(u.card.strength))
            .sum();
        let before: u32 = battle
            .units()
            .iter()
            .filter(|u| u.side() == side)
            .map(|u| u32::from(u.lost_before))
            .sum();
        let left: u32 = battle
            .units()
            .iter()
            .filter(|u| u.side() == side && u.counts())
            .map(|u| u32::from(u.stands))
            .sum();
        let lost = battle.stands_lost()[side.index()];
        if left + lost + before != started {
            return Err(format!(
                "side {side:?}: {started} stands at the start, {left} left, {lost} lost"
            ));
        }
    }
    Ok(())
}
