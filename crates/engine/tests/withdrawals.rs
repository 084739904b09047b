//! Going back in random battles: nobody goes farther than is printed, nobody is carried past it by
//! friends, and who stays in contact has paid for it.
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

use dice::stream::Source;
use engine::{Library, Scenario, auto};
use regimental::battle::{Battle, Command, Decision, Event, Id, Pending, Unit, Why};
use regimental::maneuver::Order;
use table::{INCH, Mils};

/// What was seen of going back.
#[derive(Debug, Default)]
struct Seen {
    /// Out of close range.
    withdrawals: usize,
    /// Of these, those that went farther than close range and the distance troops keep.
    far: usize,
    /// A few inches.
    short: usize,
    recalls: usize,
    /// Who could not get half of his way.
    blocked: usize,
    /// Of these, those that ended in contact.
    in_contact: usize,
}

/// Who goes back how far, from whom.
type GoesBack = (Id, Mils, Vec<Id>);

fn goes_back(pending: &Pending) -> Option<GoesBack> {
    match pending {
        Pending::GoBack { unit, inches, from, .. } => Some((*unit, *inches, from.clone())),
        _ => None,
    }
}

/// How far a unit is from the nearest of some enemies who are not broken.
fn off(battle: &Battle, unit: &Unit, from: &[Id]) -> Option<Mils> {
    let foes = from.iter().filter_map(|e| battle.unit(*e));
    let foes = foes.filter(|e| e.present() && e.order != Order::Broken);
    foes.filter(|e| e.place.garrison.is_none()).map(|e| e.distance(unit)).min()
}

/// Whether a step in a list of events made a unit pay for a retreat that was cut off.
fn pays(event: &Event, unit: Id) -> bool {
    matches!(event, Event::Lost { unit: u, rule, .. } | Event::Removed { unit: u, rule, .. }
        if *u == unit && &**rule == "ruling.retreat-blocked")
}

/// Looks at what one order led to. Who was sent back by an earlier one may go only now, after a choice
/// of somebody else's.
fn look(
    before: &Battle,
    (order, events): (&Command, &[Event]),
    back: &mut Vec<GoesBack>,
    seen: &mut Seen,
) {
    let measures = before.measures();
    let limit = measures.close_range.max(measures.close_range_guns) + measures.short;
    let mut there = before.clone();
    for (i, event) in events.iter().enumerate() {
        if let Event::Queued { pending } = event {
            back.extend(goes_back(pending));
        }
        seen.blocked += usize::from(there.units().iter().any(|u| pays(event, u.id())));
        let Event::Placed { unit, why, .. } = event else {
            journal::Battle::apply(&mut there, event);
            continue;
        };
        let from = there.unit(*unit).unwrap().middle;
        journal::Battle::apply(&mut there, event);
        let now = there.unit(*unit).unwrap();
        let went = from.distance(now.middle);
        let of = back.iter().rev().find(|b| b.0 == *unit);
        let foes = of.map_or(&[][..], |of| &of.2);
        match why {
            Why::Withdraw => {
                seen.withdrawals += 1;
                seen.far += usize::from(went > limit + INCH / 10);
            }
            Why::Back => {
                seen.short += 1;
                // It ends as far from whom it fought as is printed; aslant it has gone farther.
                let (_, inches, _) = of.expect("was sent back");
                let near = off(&there, now, foes).is_none_or(|off| off <= inches + INCH / 10);
                let out_of_a_house = before.unit(*unit).unwrap().place.garrison.is_some();
                assert!(
                    near || went <= 2 * inches || out_of_a_house,
                    "{unit} went {went} of {inches}"
                );
            }
            Why::Recall => {
                seen.recalls += 1;
                let Command::Decide { decision: Decision::Recall { inches, .. }, .. } = order
                else {
                    panic!("a recall nobody chose")
                };
                // It turns about its middle before it goes.
                assert!(went <= inches + INCH, "{unit} recalled {went} of {inches}");
            }
            _ => continue,
        }
        if off(&there, now, foes).is_some_and(|off| off <= 20) {
            seen.in_contact += 1;
            let paid = events[i..].iter().take(4).any(|e| pays(e, *unit));
            assert!(paid, "{unit} {why:?} is in contact and has not paid for it");
        }
    }
}

fn watched(ids: &[&str], battles: usize) -> Seen {
    let mut seen = Seen::default();
    for id in ids {
        let scenario = Scenario::built_in(&Library::default(), id)
            .expect("built in")
            .unwrap_or_else(|faults| panic!("{faults}"));
        for seed in 0..battles {
            let seed = format!("going back {seed}");
            let mut pick = auto::picker(&seed);
            let mut dice = Source::seeded(&seed);
            let mut battle = scenario.battle.clone();
            let mut back = vec![];
            while let (Some(_), Some(order)) = (battle.awaited(), battle.some_order(&mut pick)) {
                let before = battle.clone();
                let (_, events) = journal::carry_out(&mut battle, &mut dice, &order).unwrap();
                look(&before, (&order, &events), &mut back, &mut seen);
            }
        }
    }
    seen
}

#[test]
fn nobody_goes_back_farther_than_printed() {
    let ids: Vec<&str> = engine::SCENARIOS.iter().map(|(id, _)| *id).collect();
    let (long, quick): (Vec<&str>, Vec<&str>) = ids.iter().partition(|id| **id == "tuyuti");
    let battles = std::env::var("LINSTOCK_BATTLES").ok().and_then(|n| n.parse().ok()).unwrap_or(10);
    for seen in [watched(&quick, battles), watched(&long, battles.div_ceil(8))] {
        println!("{seen:?}");
        assert!(seen.withdrawals > 20 && seen.short > 10 && seen.recalls > 0, "{seen:?}");
        // One in a hundred may be hemmed in so that only a longer way leads out.
        assert!(100 * seen.far <= seen.withdrawals, "{seen:?}");
    }
}
