//! Set up to be fooled: a bridge, an open flank, a bait, a gap, a powder shortage, and limits of
//! time.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::time::{Duration, Instant};

use dice::stream::Source;
use engine::{Library, Scenario};
use general::{Limit, Mind, Temper};
use regimental::battle::{Battle, Command, Formation, Phase, Side, Step, Unit};

/// A table of 48 by 36 inches under the 15mm book, with some pieces and units.
fn table(turns: u8, pieces: &str, units: &[String], keys: &str) -> Scenario {
    let text = format!(
        r#"
id = "set-up"
title = "Set up"
date = "never"
book = "rff-awi-15mm"
blurb = "A test."
sources = ["Invented."]
notes = []
[table]
width = 48
height = 36
[game]
turns = {turns}
first = "blue"
margin = 2
[[side]]
id = "blue"
name = "Blue"
home = "south"
[[side]]
id = "red"
name = "Red"
home = "north"
{pieces}
[[leader]]
id = "bl"
name = "Blue leader"
side = "blue"
rating = "able"
at = [24, 2]
[[leader]]
id = "rl"
name = "Red leader"
side = "red"
rating = "able"
at = [24, 34]
{}
{keys}
"#,
        units.join("\n")
    );
    Scenario::read(&Library::default(), "set-up.toml", &text)
        .unwrap_or_else(|faults| unreachable!("{faults}"))
}

/// A unit in line: id, side, arm and class, stands, place and facing.
fn unit(id: &str, side: &str, what: (&str, &str), stands: u8, at: (f64, f64, u32)) -> String {
    let (arm, class) = what;
    let how = "line";
    let leader = if side == "blue" { "bl" } else { "rl" };
    let weapon = if arm == "cavalry" { "C" } else { "M" };
    let (x, y, facing) = at;
    format!(
        "[[unit]]\nid = \"{id}\"\nname = \"{id}\"\nside = \"{side}\"\nleader = \"{leader}\"\narm = \"{arm}\"\nclass = \"{class}\"\nmorale = \"reliable\"\nstands = {stands}\nweapon = \"{weapon}\"\nat = [{x}, {y}]\nfacing = {facing}\nformation = \"{how}\"\n"
    )
}

const FOOT: (&str, &str) = ("infantry", "veteran");

/// Plays until a turn of a side is over, and tells what that side ordered.
fn turn(battle: &mut Battle, mind: &mut Mind, side: Side, seed: &str) -> Vec<Command> {
    let mut dice = Source::seeded(seed);
    let mut other = Mind::new("recruit", seed);
    let mut orders = Vec::new();
    let (number, mover) = (battle.turn(), battle.mover());
    while (battle.turn(), battle.mover()) == (number, mover) {
        let Some(awaited) = battle.awaited() else { break };
        let head = if awaited == side { &mut *mind } else { &mut other };
        let order = head.order(battle).expect("an order");
        assert!(journal::Battle::check(battle, awaited, &order.command).is_ok(), "{order:?}");
        if awaited == side {
            orders.push(order.command.clone());
        }
        journal::carry_out(battle, &mut dice, &order.command).unwrap();
    }
    orders
}

fn named<'b>(battle: &'b Battle, id: &str) -> &'b Unit {
    battle.units().iter().find(|u| u.id().to_string() == id).unwrap()
}

#[test]
fn a_building_at_hand_is_held_and_left_to_attack() {
    let mill = r#"
[[terrain]]
id = "mill"
kind = "building"
name = "Mill"
points = [[22, 10], [26, 10], [26, 13], [22, 13]]
"#;
    let key = "[[key-position]]\nid = \"yard\"\nat = [24, 11]\nvalue = 6\nholder = \"blue\"\n";
    let units = [
        unit("guard", "blue", FOOT, 4, (24.0, 9.9, 0)),
        unit("one", "red", ("infantry", "trained"), 8, (18.0, 28.0, 180)),
        unit("two", "red", ("infantry", "trained"), 8, (28.0, 28.0, 180)),
    ];
    let scenario = table(8, mill, &units, key);
    let mut battle = scenario.battle.clone();
    let mut mind = Mind::new("colonel", "mill");
    for n in 0..4 {
        let side = battle.mover();
        turn(&mut battle, &mut mind, side, &format!("mill {n}"));
        if named(&battle, "guard").formation() == Formation::Garrison {
            return;
        }
    }
    unreachable!("nobody held the mill");
}

#[test]
fn a_column_far_from_the_enemy_marches_by_the_road() {
    let road = r#"
[[terrain]]
id = "pike"
kind = "road"
name = "Turnpike"
points = [[6, 0], [6, 36]]
"#;
    let key = "[[key-position]]\nid = \"town\"\nat = [6, 32]\nvalue = 5\nholder = \"red\"\n";
    let column =
        unit("column", "blue", FOOT, 4, (6.0, 6.0, 0)).replace("\"line\"", "\"march-column\"");
    let units = [column, unit("far", "red", ("infantry", "raw"), 3, (44.0, 34.0, 180))];
    let scenario = table(8, road, &units, key);
    let mut battle = scenario.battle.clone();
    let mut mind = Mind::new("colonel", "road");
    let orders = turn(&mut battle, &mut mind, Side::One, "road 3");
    let by_road = |c: &Command| matches!(c, Command::Maneuver { steps, .. } if steps.iter().any(|s| matches!(s, Step::Road { .. })));
    assert!(orders.iter().any(by_road), "{orders:?}");
}

#[test]
fn a_river_is_crossed_by_its_bridge() {
    let river = r#"
[[terrain]]
id = "river"
kind = "water"
name = "River"
points = [[0, 14], [48, 14], [48, 18], [0, 18]]
[[terrain]]
id = "bridge"
name = "Bridge"
"#;
    let wide = "kind = \"bridge\"\npoints = [[36, 13], [39, 13], [39, 19], [36, 19]]\n";
    let narrow = "kind = \"bridge\"\npoints = [[37, 13.5], [37, 18.5]]\n";
    let ford = "kind = \"ford\"\npoints = [[37, 13.5], [37, 18.5]]\n";
    let key = "[[key-position]]\nid = \"town\"\nat = [12, 28]\nvalue = 5\nholder = \"red\"\n";
    let units = [
        unit("one", "blue", FOOT, 6, (12.0, 8.0, 0)),
        unit("two", "blue", FOOT, 6, (20.0, 8.0, 0)),
        unit("guard", "red", ("infantry", "raw"), 3, (40.0, 34.0, 180)),
    ];
    let ways = [("colonel", wide), ("colonel", narrow), ("colonel", ford), ("general", wide)];
    for (level, bridge) in ways {
        let scenario = table(14, &format!("{river}{bridge}"), &units, key);
        let crosses = |seed: &str| {
            let mut battle = scenario.battle.clone();
            let mut mind = Mind::new(level, seed).with_limit(Limit::Nodes(400));
            let mut dice = Source::seeded(seed);
            let mut other = Mind::new("colonel", seed).with_temper(Temper::HoldsGround);
            while let Some(side) = battle.awaited() {
                let head = if side == Side::One { &mut mind } else { &mut other };
                let order = head.order(&battle).unwrap();
                journal::carry_out(&mut battle, &mut dice, &order.command).unwrap();
            }
            ["one", "two"].iter().any(|id| named(&battle, id).middle.y > 18_000)
        };
        let crossed = ["a", "b", "c"].into_iter().filter(|s| crosses(s)).count();
        assert!(crossed >= 2, "{level}: across in {crossed} of 3 battles by {bridge}");
    }
}

/// A crossing under the muskets of troops in good order is not rushed in column: the bank is lined
/// and they are shot at first.
#[test]
fn a_guarded_bridge_is_shot_free_first() {
    let river = r#"
[[terrain]]
id = "river"
kind = "water"
name = "River"
points = [[0, 14], [48, 14], [48, 18], [0, 18]]
[[terrain]]
id = "bridge"
kind = "bridge"
name = "Bridge"
points = [[22.5, 13], [25.5, 13], [25.5, 19], [22.5, 19]]
"#;
    let key = "[[key-position]]\nid = \"town\"\nat = [24, 28]\nvalue = 5\nholder = \"red\"\n";
    let units = [
        unit("one", "blue", FOOT, 8, (16.0, 9.0, 0)),
        unit("two", "blue", FOOT, 8, (24.0, 9.0, 0)),
        unit("three", "blue", FOOT, 8, (32.0, 9.0, 0)),
        unit("guard", "red", ("infantry", "trained"), 8, (24.0, 21.0, 180)),
    ];
    let scenario = table(10, river, &units, key);
    let mut battle = scenario.battle;
    let mut mind = Mind::new("colonel", "bridge");
    for seed in ["first", "second", "third"] {
        let near = |u: &Unit| named(&battle, "guard").distance(u) <= 8_000;
        let column = |u: &Unit| u.formation() == Formation::MarchColumn;
        let own = battle.units().iter().filter(|u| u.side() == Side::One && u.present());
        let exposed: Vec<_> = own.filter(|u| near(u) && column(u)).map(Unit::id).collect();
        let steady = named(&battle, "guard").order == regimental::maneuver::Order::Good;
        assert!(!steady || exposed.is_empty(), "in column before the guard: {exposed:?}");
        turn(&mut battle, &mut mind, Side::One, seed);
        let mut other = Mind::new("colonel", seed).with_temper(Temper::HoldsGround);
        turn(&mut battle, &mut other, Side::Two, seed);
    }
    let guard = named(&battle, "guard");
    let hurt = guard.stands < 8 || guard.order != regimental::maneuver::Order::Good;
    assert!(hurt || !guard.present(), "nobody fired at the guard");
}

/// A position nobody guards is taken by whoever can be there, while the others fight.
#[test]
fn a_position_left_alone_is_taken() {
    let key = "[[key-position]]\nid = \"depot\"\nat = [6, 30]\nvalue = 5\nholder = \"red\"\n";
    let units = [
        unit("horse", "blue", ("cavalry", "trained"), 4, (8.0, 6.0, 0)),
        unit("one", "blue", FOOT, 8, (30.0, 6.0, 0)),
        unit("two", "blue", FOOT, 8, (38.0, 6.0, 0)),
        unit("red-one", "red", FOOT, 8, (34.0, 24.0, 180)),
        unit("red-two", "red", FOOT, 8, (42.0, 24.0, 180)),
    ];
    let scenario = table(8, "", &units, key);
    let taken = |seed: &&str| {
        let mut battle = scenario.battle.clone();
        let mut mind = Mind::new("colonel", seed);
        let mut other = Mind::new("colonel", seed).with_temper(Temper::HoldsGround);
        for n in 0..4 {
            turn(&mut battle, &mut mind, Side::One, &format!("{seed} {n}"));
            turn(&mut battle, &mut other, Side::Two, &format!("{seed} {n}"));
        }
        battle.keys().iter().any(|k| k.holder == Some(Side::One))
    };
    let often = ["a", "b", "c", "d"].iter().filter(|s| taken(s)).count();
    assert!(often >= 3, "taken in {often} of 4 battles");
}

/// A line that shows its flank to a regiment within reach is charged there.
#[test]
fn an_open_flank_is_taken() {
    let units = [
        unit("flanker", "blue", FOOT, 8, (14.5, 20.0, 90)),
        unit("front", "blue", FOOT, 6, (24.0, 8.0, 0)),
        unit("careless", "red", ("infantry", "trained"), 6, (20.0, 20.0, 180)),
    ];
    let scenario = table(6, "", &units, "");
    let mut battle = scenario.battle.clone();
    let mut mind = Mind::new("colonel", "1").with_temper(Temper::Bold);
    let orders = turn(&mut battle, &mut mind, Side::One, "2");
    let charged = orders.iter().any(|o| {
        matches!(o, Command::Charge { unit, target, .. }
            if unit.to_string() == "flanker" && target.to_string() == "careless")
    });
    assert!(charged, "{orders:?}");
}

/// One weak unit pushed forward, three strong ones behind it with guns: whoever takes the bait
/// stands alone before them.
#[test]
fn a_bait_before_a_line_is_left_alone_by_a_single_regiment() {
    let units = [
        unit("lone", "blue", ("infantry", "trained"), 4, (24.0, 8.0, 0)),
        unit("bait", "red", ("infantry", "trained"), 4, (24.0, 18.0, 180)),
        unit("left", "red", FOOT, 9, (14.0, 20.0, 180)),
        unit("right", "red", FOOT, 9, (34.0, 20.0, 180)),
        unit("behind", "red", FOOT, 9, (24.0, 24.0, 180)),
    ];
    let key = "[[key-position]]\nid = \"camp\"\nat = [24, 6]\nvalue = 3\nholder = \"blue\"\n";
    let scenario = table(6, "", &units, key);
    for seed in ["1", "2", "3"] {
        let mut battle = scenario.battle.clone();
        let mut mind = Mind::new("colonel", seed);
        let orders = turn(&mut battle, &mut mind, Side::One, seed);
        let charges = orders.iter().filter(|o| matches!(o, Command::Charge { .. })).count();
        assert_eq!(charges, 0, "{orders:?}");
        assert!(named(&battle, "lone").middle.y < 12_000, "it went out to them");
    }
}

/// A gap in the enemy's line in front of a position: the position behind it is taken through the
/// gap, or the line beside it is attacked; nobody just stands.
#[test]
fn a_gap_before_a_position_is_used() {
    let units = [
        unit("left", "blue", FOOT, 8, (12.0, 8.0, 0)),
        unit("centre", "blue", FOOT, 8, (22.0, 8.0, 0)),
        unit("right", "blue", FOOT, 8, (32.0, 8.0, 0)),
        unit("far-left", "red", ("infantry", "trained"), 5, (4.0, 26.0, 180)),
        unit("far-right", "red", ("infantry", "trained"), 5, (44.0, 26.0, 180)),
    ];
    let key = "[[key-position]]\nid = \"cross\"\nat = [22, 26]\nvalue = 5\nholder = \"red\"\n";
    let scenario = table(8, "", &units, key);
    let mut battle = scenario.battle.clone();
    let mut dice = Source::seeded("gap");
    let mut minds = [Mind::new("colonel", "1"), Mind::new("recruit", "2")];
    while let Some(side) = battle.awaited() {
        let order = minds[side.index()].order(&battle).unwrap();
        journal::carry_out(&mut battle, &mut dice, &order.command).unwrap();
    }
    assert_eq!(battle.keys()[0].holder, Some(Side::One));
}

/// A battle between colonels, when the lines have met and a unit is to maneuver.
fn in_the_midst_of(id: &str) -> Battle {
    let mut battle = Scenario::built_in(&Library::default(), id).unwrap().unwrap().battle;
    let mut dice = Source::seeded("midst");
    let mut minds = [Mind::new("colonel", "1"), Mind::new("colonel", "2")];
    let met = |b: &Battle| b.stands_lost().iter().all(|lost| *lost > 0);
    while !(met(&battle) && battle.phase() == Phase::Maneuvers) {
        let side = battle.awaited().unwrap();
        let order = minds[side.index()].order(&battle).unwrap();
        journal::carry_out(&mut battle, &mut dice, &order.command).unwrap();
    }
    battle
}

/// A limit of time is kept, a small one and none at all; and the same nodes are the same orders.
#[test]
fn a_general_keeps_its_limits_and_repeats_itself_by_nodes() {
    let battle = in_the_midst_of("guilford-courthouse");
    for limit in [0, 50, 300] {
        let mut mind =
            Mind::new("general", "1").with_limit(Limit::Time(Duration::from_millis(limit)));
        let begun = Instant::now();
        assert!(mind.order(&battle).is_some());
        // The order after the search costs a little; a search that ignored its limit would take
        // minutes.
        assert!(begun.elapsed() < Duration::from_millis(limit + 2500), "{:?}", begun.elapsed());
    }
    let by_nodes = |nodes| {
        let mut mind = Mind::new("general", "1").with_limit(Limit::Nodes(nodes));
        let mut battle = battle.clone();
        let mut dice = Source::seeded("1");
        let mut orders = Vec::new();
        for _ in 0..12 {
            let order = mind.order(&battle).unwrap();
            journal::carry_out(&mut battle, &mut dice, &order.command).unwrap();
            orders.push(order);
        }
        orders
    };
    assert_eq!(by_nodes(1500), by_nodes(1500));
}

/// What he tries out changes what he does, and he says by how much.
#[test]
fn a_general_leaves_the_usual_order_for_one_that_proved_better() {
    let mut battle = in_the_midst_of("field-day-15mm");
    let mut dice = Source::seeded("proof");
    let limit = Limit::Nodes(12_000);
    let mut minds = [0, 1].map(|_| Mind::new("general", "1").with_limit(limit));
    let mut better = 0;
    for _ in 0..120 {
        let Some(side) = battle.awaited() else { break };
        let order = minds[side.index()].order(&battle).unwrap();
        if order.reason.contains("Tried out: ") {
            let usual = Mind::new("colonel", "1").order(&battle).unwrap();
            assert_ne!(usual.command, order.command);
            better += 1;
        }
        journal::carry_out(&mut battle, &mut dice, &order.command).unwrap();
    }
    assert!(better >= 2, "{better}");
}

/// The temper a scenario gives shows in what is done.
#[test]
fn tempers_differ() {
    let scenario = Scenario::built_in(&Library::default(), "field-day-15mm").unwrap().unwrap();
    let advanced = |temper| {
        let mut battle = scenario.battle.clone();
        let mut dice = Source::seeded("1");
        let mut minds = [0, 1].map(|_| Mind::new("colonel", "1").with_temper(temper));
        while battle.turn() < 4 {
            let Some(side) = battle.awaited() else { break };
            let order = minds[side.index()].order(&battle).unwrap();
            journal::carry_out(&mut battle, &mut dice, &order.command).unwrap();
        }
        let own = battle.units().iter().filter(|u| u.side() == Side::One && u.present());
        own.map(|u| u.middle.y).sum::<i32>()
    };
    let (bold, holds) = (advanced(Temper::Bold), advanced(Temper::HoldsGround));
    assert!(bold > holds + 20_000, "bold {bold}, holds ground {holds}");
}
