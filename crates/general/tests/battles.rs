//! Whole battles between generals: every order legal, always an end, the same for the same seed,
//! and each level better than the one below.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use dice::stream::Source;
use engine::{Library, Scenario};
use general::{Limit, Mind};
use regimental::battle::{Battle, Side};

/// Plays a battle; says who won, and all orders with their reasons.
fn fight(scenario: &Scenario, levels: [&str; 2], seed: &str) -> (Option<Side>, Vec<String>) {
    let mut battle: Battle = scenario.battle.clone();
    let mut dice = Source::seeded(seed);
    let mut orders = Vec::new();
    let mut minds = levels.map(|l| Mind::new(l, seed).with_limit(Limit::Nodes(200)));
    for _ in 0..5000 {
        let Some(side) = battle.awaited() else {
            return (battle.ending().unwrap().winner, orders);
        };
        let order = minds[side.index()].order(&battle).expect("an order");
        assert!(!order.reason.is_empty());
        let legal = journal::Battle::check(&battle, side, &order.command);
        assert!(legal.is_ok(), "{}: {:?} {legal:?}", scenario.id, order.command);
        journal::carry_out(&mut battle, &mut dice, &order.command).unwrap();
        orders.push(format!("{:?} {}", order.command, order.reason));
    }
    unreachable!("{} {levels:?} {seed}: no end", scenario.id)
}

fn scenario(id: &str) -> Scenario {
    Scenario::built_in(&Library::default(), id).unwrap().unwrap()
}

/// Battles won, drawn and lost by one level against another, on both sides of the field days.
fn score(levels: [&str; 2], seeds: u32) -> (u32, u32, u32) {
    let (mut won, mut drawn, mut lost) = (0, 0, 0);
    for id in ["field-day-15mm", "field-day-25mm", "field-day-triple-alliance"] {
        let scenario = scenario(id);
        for seed in 0..seeds {
            for swap in [false, true] {
                let seats = if swap { [levels[1], levels[0]] } else { levels };
                match fight(&scenario, seats, &seed.to_string()).0 {
                    Some(winner) if (winner == Side::One) != swap => won += 1,
                    Some(_) => lost += 1,
                    None => drawn += 1,
                }
            }
        }
    }
    (won, drawn, lost)
}

/// docs/general.md has the figures over hundreds of battles; here some dozens guard them, enough
/// that luck alone does not pass or fail.
#[test]
fn each_level_beats_the_one_below() {
    for levels in [["recruit", "random"], ["colonel", "recruit"]] {
        let (won, drawn, lost) = score(levels, 24);
        assert!(won >= 2 * lost && won >= 80, "{levels:?}: {won} won, {drawn} drawn, {lost} lost");
    }
}

#[test]
fn a_general_fights_a_battle_to_its_end() {
    let (_, orders) = fight(&scenario("training-15mm"), ["general", "colonel"], "1");
    assert!(orders.len() > 20);
    assert!(orders.iter().all(|o| !o.contains("Chance decided")), "it was at a loss");
}

#[test]
fn recruits_and_colonels_fight_every_scenario_to_its_end() {
    for (id, _) in engine::SCENARIOS {
        let (_, orders) = fight(&scenario(id), ["recruit", "colonel"], "1");
        assert!(orders.len() > 20, "{id}");
        assert!(orders.iter().all(|o| !o.contains("Chance decided")), "{id}: at a loss");
    }
}

#[test]
fn the_same_seed_leads_to_the_same_battle() {
    let scenario = scenario("cowpens");
    for level in ["colonel", "recruit", "random"] {
        let first = fight(&scenario, [level; 2], "7");
        assert_eq!(first, fight(&scenario, [level; 2], "7"));
    }
}
