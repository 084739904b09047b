//! Where the page shows that a charge would end is where it ends, if those who are charged stand.
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

use dice::stream::Source;
use engine::{Library, Scenario, auto, view};
use journal::Journal;
use regimental::battle::{Battle, Command, Decision, Pending, Phase, Side, Whereabouts};

fn scenario(id: &str) -> Scenario {
    Scenario::built_in(&Library::default(), id).expect("built in").unwrap_or_else(|f| panic!("{f}"))
}

/// Every charge that may be declared now.
fn charges(battle: &Battle, side: Side) -> Vec<Command> {
    let on_table = |s: Side| {
        battle
            .units()
            .iter()
            .filter(move |u| u.side() == s && u.whereabouts == Whereabouts::Table)
            .map(regimental::battle::Unit::id)
    };
    let pairs = on_table(side).flat_map(|unit| on_table(side.other()).map(move |t| (unit, t)));
    pairs
        .map(|(unit, target)| Command::Charge {
            unit,
            target,
            cold_steel: false,
            disordered: false,
            wheel: None,
        })
        .filter(|order| battle.may_declare(side, order))
        .collect()
}

/// The charge declared, and moved while everybody stands.
fn carried_out(battle: &Battle, order: &Command) -> Option<Battle> {
    let Command::Charge { unit, .. } = order else { return None };
    let before = battle.unit(*unit)?.place.clone();
    let mut there = battle.clone();
    let mut dice = Source::seeded("a charge");
    journal::carry_out(&mut there, &mut dice, order).ok()?;
    if there.phase() == Phase::Charges && journal::Battle::awaiting(&there).choice.is_none() {
        journal::carry_out(&mut there, &mut dice, &Command::Done).ok()?;
    }
    while let Some(pending @ Pending::Answer { .. }) = journal::Battle::awaiting(&there).choice {
        if there.unit(*unit)?.place != before {
            break;
        }
        let stands = Command::Decide { unit: pending.unit(), decision: Decision::Stand };
        journal::carry_out(&mut there, &mut dice, &stands).ok()?;
    }
    Some(there)
}

#[test]
fn a_charge_ends_where_it_is_shown_to_end() {
    let (mut shown, mut met) = (0, 0);
    for id in ["training-15mm", "cowpens", "training-triple-alliance"] {
        let mut journal = Journal::new(scenario(id).battle);
        let watch = |journal: &mut Journal<Battle>| {
            let battle = journal.now();
            let Some(side) = battle.awaited().filter(|_| battle.phase() == Phase::Charges) else {
                return;
            };
            for order in charges(battle, side) {
                let ghost = view::charge_view(battle, side, &order).expect("it may be declared");
                let there = carried_out(battle, &order).expect("it is carried out");
                let Command::Charge { unit, .. } = order else { panic!("{order:?}") };
                let unit = there.unit(unit).expect("it is there");
                let feet: Vec<_> = unit.place.stands.iter().map(view::Stand::from).collect();
                assert_eq!(ghost.feet, feet, "{id}, {order:?}");
                let home = unit.did.charge.as_ref().filter(|c| c.home);
                assert_eq!(ghost.meets, home.map(|c| c.target.to_string()), "{id}, {order:?}");
                shown += 1;
                met += usize::from(!ghost.contact.is_empty());
            }
        };
        auto::play(&mut journal, id, &mut Source::seeded(id), watch).expect("played");
    }
    assert!(shown > 20 && met > 10, "{shown} shown, {met} in contact");
}
