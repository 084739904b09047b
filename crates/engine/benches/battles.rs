//! What a battle costs: whole random battles, a legality check, a plan, an outline, a save.
#![allow(clippy::unwrap_used)]

use dice::stream::Source;
use divan::{Bencher, black_box};
use engine::game::Game;
use engine::{Library, Scenario, auto, save};
use regimental::battle::state::Pace;
use regimental::battle::{Battle, Id, Step};
use table::{Facing, Point, Pose};

/// As the program has it.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    divan::main();
}

fn scenario(id: &str) -> Scenario {
    Scenario::built_in(&Library::default(), id).unwrap().unwrap()
}

/// Random legal battles to the end, orders found and carried out.
#[divan::bench(args = ["training-15mm", "hobkirks-hill", "guilford-courthouse"], sample_count = 20)]
fn random_battle(bencher: Bencher, id: &str) {
    let scenario = scenario(id);
    let mut seed = 0;
    bencher.bench_local(|| {
        seed += 1;
        auto::rush(&scenario.battle, &seed.to_string()).unwrap().1
    });
}

fn line(battle: &Battle) -> &regimental::battle::Unit {
    battle.unit(Id::new("bose").unwrap()).unwrap()
}

#[divan::bench]
fn legality_of_a_move(bencher: Bencher) {
    let battle = scenario("guilford-courthouse").battle;
    // The maneuver found legal last is remembered: two in turn are judged anew each time.
    let mut n = 0;
    bencher.bench_local(|| {
        n = 1 - n;
        let steps = [Step::Advance { inches: 5000 + n }];
        battle.judge(line(&battle), Pace::WellHandled, black_box(&steps), false).is_ok()
    });
}

#[divan::bench]
fn a_plan_with_a_wheel(bencher: Bencher) {
    let battle = scenario("guilford-courthouse").battle;
    let to = line(&battle).place.pose.shifted(2000, 6000);
    let to = Pose::new(to.at, to.facing.turned(1500));
    bencher
        .bench(|| battle.plan(line(&battle), Pace::WellHandled, black_box(to), false).steps.len());
}

#[divan::bench]
fn outline_of_where_it_could_get_to(bencher: Bencher) {
    let battle = scenario("guilford-courthouse").battle;
    bencher.bench(|| battle.reach(line(&battle), Pace::WellHandled, false).outline.len());
}

#[divan::bench]
fn sight_line_over_guilford(bencher: Bencher) {
    let battle = scenario("guilford-courthouse").battle;
    let (from, to) = (Point::at(14.0, 20.0), Point::at(40.0, 32.0));
    bencher.bench(|| battle.field().sight(black_box(from), to, battle.measures()));
}

/// A whole game of some thousands of events, read and replayed.
#[divan::bench(sample_count = 10)]
fn loading_a_save(bencher: Bencher) {
    let scenario = scenario("guilford-courthouse");
    let mut game = Game::new(scenario, Source::seeded("bench"));
    auto::play(&mut game.journal, "bench", &mut game.dice, |_| {}).unwrap();
    let text = save::write(&game.scenario, &game.journal, Some("bench"), true);
    let library = Library::default();
    let _ = Facing::NORTH;
    bencher.bench_local(|| save::read(&library, &text).unwrap().journal.records().len());
}
