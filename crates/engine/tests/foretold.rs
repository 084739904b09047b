//! What an order's odds say of a face is what that face does: checks and combats of random battles,
//! tried on faces of the dice and read against what happened.
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

use dice::stream::{Seeded, Source};
use engine::{Library, Scenario, auto};

use regimental::battle::state::Gone;
use regimental::battle::{Battle, Command, Event, Id, Pending, Phase, Preview, Side, Why};

fn scenario(id: &str) -> Scenario {
    Scenario::built_in(&Library::default(), id).expect("built in").unwrap_or_else(|f| panic!("{f}"))
}

/// Dice that fall as given, and then anyhow.
fn loaded(faces: &[u8]) -> Source {
    Source::Loaded(faces.iter().copied().collect(), Box::new(Seeded::new("after them")))
}

fn give(battle: &mut Battle, order: &Command, faces: &[u8]) -> Vec<Event> {
    journal::carry_out(battle, &mut loaded(faces), order).map_err(|_| "refused").unwrap().1
}

/// What an effect does, in each of its cases.
fn cases(preview: &Preview, effect: &str) -> Vec<String> {
    let (_, _, does) = preview.odds.iter().find(|o| o.0 == effect).expect("foretold");
    let without = |case: &str| match case.split_once("% ") {
        Some((percent, does)) if percent.parse::<u32>().is_ok() => does.to_owned(),
        _ => case.to_owned(),
    };
    does.split(" / ").map(without).collect()
}

fn kebab(effect: &impl serde::Serialize) -> String {
    serde_json::to_value(effect).unwrap().as_str().unwrap().to_owned()
}

/// Whether what happened to a unit fits what was said.
fn fits_check(does: &str, unit: Id, events: &[Event], after: &Battle) -> bool {
    let gone = events.iter().find_map(|e| match e {
        Event::Removed { unit: u, gone, .. } if *u == unit => Some(*gone),
        _ => None,
    });
    let placed = |wanted: Why| {
        events.iter().any(
            |e| matches!(e, Event::Placed { unit: u, why, .. } if *u == unit && *why == wanted),
        )
    };
    let driven = matches!(gone, Some(Gone::DrivenOff | Gone::Surrendered));
    let order = after.unit(unit).filter(|u| u.present()).map(|u| kebab(&u.order));
    let says = |words: &str| does.split(", ").any(|part| part == words);
    let ordered = |words: &str, order_is: &str| {
        !says(words) || order.as_deref().is_none_or(|order| order == order_is)
    };
    let flees = says("flees") || says("driven off");
    let back = says("back out of close range");
    let lost = events.iter().map(|e| match e {
        Event::Lost { unit: u, stands, rule, .. }
            if *u == unit && rule.starts_with("maneuver.") =>
        {
            u32::from(*stands)
        }
        _ => 0,
    });
    let guns = after.unit(unit).is_some_and(|u| u.present() && u.guns.iter().any(|g| !g.silenced));
    (says("wiped out") || stands(does) == lost.sum::<u32>())
        && !(says("silenced") && guns)
        && says("wiped out") == (gone == Some(Gone::Destroyed))
        && says("lost to the enemy") == (gone == Some(Gone::Captured))
        && back == (placed(Why::Withdraw) || driven && !flees)
        && flees == (placed(Why::Retreat) || driven && !back)
        && ordered("good order", "good")
        && ordered("disordered", "disordered")
        && ordered("still disordered", "disordered")
        && ordered("broken", "broken")
}

fn a_check_does_what_it_says(battle: &Battle, by: Side, unit: Id) -> usize {
    let order = Command::Check { units: vec![unit] };
    let Ok(rolls) = battle.preview(by, &order) else { return 0 };
    for die in 1..=10 {
        let mut there = battle.clone();
        let mut events = give(&mut there, &order, &[die]);
        let effect = events.iter().find_map(|e| match e {
            Event::Checked { units, .. } => Some(kebab(&units[0].effect)),
            _ => None,
        });
        // What must be carried out is after the charges.
        if there.phase() == Phase::Charges && there.awaited() == Some(by) {
            events.extend(give(&mut there, &Command::Done, &[]));
        }
        let cases = cases(&rolls[0], &effect.expect("checked"));
        let does = cases.join(" / ");
        assert!(
            cases.iter().any(|does| fits_check(does, unit, &events, &there)),
            "{unit} rolls {die}: said `{does}`, came {events:#?}"
        );
    }
    10
}

/// How many stands a text says are lost.
fn stands(does: &str) -> u32 {
    let words: Vec<&str> = does.split([' ', ',']).collect();
    let at = words.windows(3).position(|w| w[1].starts_with("stand") && w[2] == "lost");
    at.map_or(0, |i| words[i].parse().unwrap())
}

/// What the first round of a combat led to, before anybody goes anywhere.
fn first_round(events: &[Event]) -> impl Iterator<Item = &Event> {
    let rounds = events.iter().skip_while(|e| !matches!(e, Event::Fought { .. })).skip(1);
    rounds.take_while(|e| !matches!(e, Event::Fought { .. } | Event::Queued { .. }))
}

/// How many stands of a side that cost.
fn lost(side: &[Id], events: &[Event]) -> u32 {
    let lost = first_round(events).map(|e| match e {
        Event::Lost { unit, stands, .. } if side.contains(unit) => u32::from(*stands),
        Event::Gun { unit, wrecked: true, rule, .. } if side.contains(unit) => {
            u32::from(!rule.ends_with("gun-damaged"))
        }
        _ => 0,
    });
    lost.sum()
}

/// What a text says of each of a side: the same of all, or of each by its name.
fn fares(part: &str, side: &[Id]) -> Vec<(Id, Vec<String>)> {
    let named = |word: &str| side.iter().copied().find(|id| id.to_string() == word);
    let words = part.split_once(": ").map_or("", |p| p.1).split(", ");
    let mut each: Vec<(Id, Vec<String>)> = Vec::new();
    let mut all = Vec::new();
    for word in words.filter(|w| !w.is_empty()) {
        let (first, rest) = word.split_once(' ').unwrap_or((word, ""));
        match (named(first).filter(|_| side.len() > 1), each.last_mut()) {
            (Some(id), _) => each.push((id, vec![rest.to_owned()])),
            (None, Some(last)) => last.1.push(word.to_owned()),
            (None, None) => all.push(word.to_owned()),
        }
    }
    match each.is_empty() {
        true => side.iter().map(|id| (*id, all.clone())).collect(),
        false => each,
    }
}

/// Whether one of those who fought fared as was said.
fn fits_share(unit: Id, words: &[String], events: &[Event]) -> bool {
    let says = |what: &str| words.iter().any(|w| w == what);
    let gone =
        first_round(events).any(|e| matches!(e, Event::Removed { unit: u, .. } if *u == unit));
    if says("wiped out") || gone {
        return says("wiped out") == gone;
    }
    let ordered = |wanted: &str| {
        first_round(events)
            .any(|e| matches!(e, Event::Ordered { unit: u, order, .. } if *u == unit && kebab(order) == wanted))
    };
    let after = events.iter().skip_while(|e| !matches!(e, Event::Fought { .. })).skip(1);
    let queued: Vec<String> = after
        .take_while(|e| !matches!(e, Event::Fought { .. }))
        .filter_map(|e| match e {
            Event::Queued { pending: Pending::GoBack { unit: u, how, .. } } if *u == unit => {
                Some(kebab(how))
            }
            _ => None,
        })
        .collect();
    let goes = |how: &str| queued.iter().any(|q| q == how);
    says("broken") == ordered("broken")
        && says("disordered") == ordered("disordered")
        && says("goes back a little") == goes("retreat-short")
        && says("goes back out of close range") == goes("retreat-beyond-close-range")
        && says("retreats a full move") == goes("full-retreat")
}

fn a_combat_does_what_it_says(battle: &Battle, by: Side, unit: Id) -> usize {
    let order = Command::Fight { unit };
    let Ok(rolls) = battle.preview(by, &order) else { return 0 };
    for dice in [[1, 10], [2, 8], [3, 5], [5, 5], [6, 4], [8, 2], [9, 3], [10, 1]] {
        let mut there = battle.clone();
        let events = give(&mut there, &order, &dice);
        let fought = events.iter().find_map(|e| match e {
            Event::Fought { effect, attackers, defenders, .. } => {
                Some((kebab(effect), [attackers.clone(), defenders.clone()]))
            }
            _ => None,
        });
        let (effect, sides) = fought.expect("fought");
        let cases = cases(&rolls[0], &effect);
        let told = |does: &String| {
            let part = |who: &str| does.split("; ").find(|p| p.starts_with(who)).unwrap_or("");
            ["attacker", "defender"].iter().zip(&sides).all(|(who, side)| {
                let part = part(who);
                stands(part) == lost(side, &events)
                    && fares(part, side).iter().all(|(id, words)| fits_share(*id, words, &events))
            })
        };
        assert!(
            cases.iter().any(told),
            "{unit} fights with {dice:?}: said {cases:?}, came {events:#?}"
        );
    }
    8
}

/// Each part of a volley's odds tells of one unit: its target first, then those behind it.
fn a_volley_does_what_it_says(battle: &Battle, by: Side, order: &Command, target: Id) -> usize {
    let Ok(rolls) = battle.preview(by, order) else { return 0 };
    for die in 1..=10 {
        let mut there = battle.clone();
        let events = give(&mut there, order, &[die]);
        let effect = events.iter().find_map(|e| match e {
            Event::Fired { effect, .. } => Some(kebab(effect)),
            _ => None,
        });
        let fits = |part: &str, unit: Id| {
            let by_fire = |rule: &str| rule.starts_with("fire.");
            let lost: u32 = events
                .iter()
                .map(|e| match e {
                    Event::Lost { unit: u, stands, rule, .. } if *u == unit && by_fire(rule) => {
                        u32::from(*stands)
                    }
                    _ => 0,
                })
                .sum();
            let disordered = events.iter().any(|e| {
                matches!(e, Event::Ordered { unit: u, order, rules } if *u == unit
                    && kebab(order) == "disordered" && rules.iter().any(|r| by_fire(r)))
            });
            let wrecked = events
                .iter()
                .filter(|e| matches!(e, Event::Gun { unit: u, wrecked: true, .. } if *u == unit))
                .count();
            let said = part.split(", ").find(|w| w.ends_with("wrecked"));
            let said = said.map_or(0, |w| w.split(' ').next().unwrap().parse().unwrap());
            let says = |what: &str| part.split(", ").any(|w| w == what);
            let gone = events.iter().any(|e| {
                matches!(e, Event::Removed { unit: u, gone: Gone::Destroyed, .. } if *u == unit)
            });
            stands(part) == lost
                && wrecked == said
                && (says("disordered") == disordered || says("wiped out"))
                && says("wiped out") == gone
        };
        let cases = cases(&rolls[0], &effect.expect("fired"));
        let told = |does: &String| {
            does.split("; ").enumerate().all(|(i, part)| match part.split_once(" behind it: ") {
                Some((id, part)) if i > 0 => fits(part, Id::new(id).unwrap()),
                _ => fits(part, target),
            })
        };
        assert!(cases.iter().any(told), "{order:?} with {die}: said {cases:?}, came {events:#?}");
    }
    10
}

fn foretold(id: &str, seeds: usize) {
    let scenario = scenario(id);
    let (mut checks, mut combats, mut volleys) = (0, 0, 0);
    for seed in 0..seeds {
        let seed = format!("foretold {seed}");
        let mut pick = auto::picker(&seed);
        let mut dice = Source::seeded(&seed);
        let mut battle = scenario.battle.clone();
        while battle.ending().is_none() {
            let (Some(by), Some(order)) = (battle.awaited(), battle.some_order(&mut pick)) else {
                panic!("a dead end")
            };
            match &order {
                Command::Check { units } => {
                    checks += a_check_does_what_it_says(&battle, by, units[0])
                }
                Command::Fight { unit } => {
                    combats += a_combat_does_what_it_says(&battle, by, *unit)
                }
                Command::Fire { target, .. } => {
                    volleys += a_volley_does_what_it_says(&battle, by, &order, *target)
                }
                _ => {}
            }
            journal::carry_out(&mut battle, &mut dice, &order).map_err(|_| "refused").unwrap();
        }
    }
    assert!(checks > 100 && combats > 20 && volleys > 100, "{checks}, {combats}, {volleys} tried");
}

#[test]
fn the_odds_of_15mm_come_true() {
    foretold("guilford-courthouse", 2);
    foretold("field-day-15mm", 10);
}

#[test]
fn the_odds_of_25mm_come_true() {
    foretold("cowpens", 20);
}

#[test]
fn the_odds_of_the_triple_alliance_come_true() {
    foretold("tuyuti", 3);
    foretold("field-day-triple-alliance", 40);
}
