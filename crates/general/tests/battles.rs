//! Whole battles between generals: every order legal, always an end, the same for the same seed,
//! and the recruit better than chance.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use dice::stream::Source;
use engine::{Library, Scenario};
use general::Mind;
use regimental::battle::{Battle, Side};

/// Plays a battle; says who won, and all orders with their reasons.
fn fight(scenario: &Scenario, levels: [&str; 2], seed: &str) -> (Option<Side>, Vec<String>) {
    let mut battle: Battle = scenario.battle.clone();
    let mut dice = Source::seeded(seed);
    let mut orders = Vec::new();
    for n in 0..5000 {
        let Some(side) = battle.awaited() else {
            return (battle.ending().unwrap().winner, orders);
        };
        let mind = Mind::new(levels[side.index()], &format!("{seed} {n}"));
        let order = mind.order(&battle).expect("an order");
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

#[test]
fn a_recruit_beats_chance_on_either_side() {
    let (mut won, mut lost) = (0, 0);
    for id in ["training-15mm", "training-triple-alliance", "training-25mm"] {
        let scenario = scenario(id);
        for seed in 0..6 {
            for own in Side::BOTH {
                let mut levels = ["random"; 2];
                levels[own.index()] = "recruit";
                match fight(&scenario, levels, &seed.to_string()).0 {
                    Some(winner) if winner == own => won += 1,
                    Some(_) => lost += 1,
                    None => {}
                }
            }
        }
    }
    // Of 36 battles; a coin would win half of those decided.
    assert!(won >= 2 * lost && won >= 18, "won {won}, lost {lost}");
}

#[test]
fn two_recruits_fight_every_scenario_to_its_end() {
    for (id, _) in engine::SCENARIOS {
        let (_, orders) = fight(&scenario(id), ["recruit"; 2], "1");
        assert!(orders.len() > 20, "{id}");
    }
}

#[test]
fn the_same_seed_leads_to_the_same_battle() {
    let scenario = scenario("cowpens");
    for level in ["recruit", "random"] {
        let first = fight(&scenario, [level; 2], "7");
        assert_eq!(first, fight(&scenario, [level; 2], "7"));
    }
}
