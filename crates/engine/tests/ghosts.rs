//! What is said beside a ghost does not contradict it: it has gone as far as it may, so it is not
//! told to go less far.
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

use dice::stream::Source;
use engine::game::Game;
use engine::{Library, Scenario, auto, view};
use regimental::battle::Unit;
use table::{INCH, Pose};

#[test]
fn a_ghost_that_went_as_far_as_it_may_is_not_told_to_go_less_far() {
    let scenario = Scenario::built_in(&Library::default(), "cowpens").unwrap().unwrap();
    let mut game = Game::new(scenario, Source::seeded("ghosts"));
    let mut pick = auto::picker("ghosts");
    let (mut stopped, mut slowed) = (0, 0);
    for _ in 0..400 {
        let Some(side) = game.now().awaited() else { break };
        let movers = game.now().units().iter().filter(|u| view::may_move(game.now(), u));
        for unit in movers.collect::<Vec<&Unit>>() {
            let from = unit.place.pose;
            let to = Pose::new(from.place(0, 30 * INCH), from.facing);
            let ghost = view::ghost(&game, unit, to, false);
            let Some(no) = ghost.stopped else { continue };
            let instead = no.instead.unwrap_or_default();
            assert!(!instead.contains(" at most "), "{}: {instead}", no.fact);
            assert!(!instead.starts_with("stop farther"), "{}: {instead}", no.fact);
            stopped += 1;
            if let Some((_, may)) = no.fact.split_once("where it may go ") {
                assert!(no.fact.starts_with("a little farther "), "{}", no.fact);
                assert!(may.ends_with(" in all"), "{}", no.fact);
                slowed += 1;
            }
        }
        let Some(order) = game.now().some_order(&mut pick) else { break };
        game.order(side, &order).unwrap_or_else(|no| panic!("{order:?}: {no}"));
    }
    assert!(stopped > 10 && slowed > 3, "{stopped} stopped, {slowed} by the distance");
}
