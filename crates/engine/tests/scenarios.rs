//! Scenario files: the built-in ones are whole, broken ones get every fault at once.
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

use engine::{Library, SCENARIOS, Scenario, map};

fn built_in(id: &str) -> Scenario {
    Scenario::built_in(&Library::default(), id).unwrap().unwrap_or_else(|f| panic!("{f}"))
}

#[test]
fn every_scenario_is_whole_and_names_its_sources() {
    for (id, _) in SCENARIOS {
        let scenario = built_in(id);
        assert_eq!(scenario.id, *id);
        assert!(!scenario.sources.is_empty() && !scenario.blurb.is_empty(), "{id}");
        let [one, two] = scenario.strength();
        assert!(one >= 4 && two >= 4, "{id}");
        let svg = map::svg(&scenario, &scenario.battle);
        assert!(svg.starts_with("<svg") && svg.ends_with("</svg>"));
        for unit in scenario.battle.units().iter().filter(|u| u.present()) {
            assert!(
                svg.contains(&format!("data-id=\"{}\"", unit.id())),
                "{id}: {} is not drawn",
                unit.id()
            );
        }
        assert!(map::text(&scenario, &scenario.battle).contains(&scenario.title));
    }
}

/// Faults of a text as `line: message`.
#[test]
fn every_scenario_says_how_balanced_it_is() {
    for (id, _) in SCENARIOS {
        let balance = engine::view::card(&built_in(id)).balance;
        let balance = balance.unwrap_or_else(|| panic!("{id} has no line in balance.txt"));
        assert!(balance.battles >= 100, "{id}: too few to say anything");
        assert!(balance.won.iter().sum::<u32>() <= balance.battles, "{id}");
    }
}

fn faults(text: &str) -> Vec<String> {
    let faults =
        Scenario::read(&Library::default(), "s.toml", text).err().map(|f| f.0).unwrap_or_default();
    faults
        .iter()
        .map(|f| format!("{}: {}", f.file.line_column(f.span.start).0, f.message))
        .collect()
}

const GOOD: &str = r#"id = "small"
title = "Small"
book = "rff-awi-15mm"
[table]
width = 40
height = 30
[game]
turns = 3
first = "red"
[[side]]
id = "red"
name = "Red"
home = "south"
[[side]]
id = "blue"
name = "Blue"
home = "north"
[[unit]]
id = "r1"
name = "First"
side = "red"
arm = "infantry"
class = "trained"
stands = 6
weapon = "M"
at = [10, 10]
[[unit]]
id = "b1"
name = "Second"
side = "blue"
arm = "infantry"
class = "trained"
stands = 6
weapon = "M"
at = [10, 25]
facing = "south"
"#;

#[test]
fn a_small_file_is_enough() {
    assert_eq!(faults(GOOD), Vec::<String>::new());
}

#[test]
fn each_mistake_is_named_at_its_line() {
    let cases: &[(&str, &str, &str)] = &[
        ("turns = 3", "turns = 0", "8: `turns` is 0"),
        ("turns = 3", "turns = \"x\"", "8: `turns`"),
        ("first = \"red\"", "first = \"green\"", "9: no side `green`"),
        ("width = 40", "width = 4000", "5: `width` is 4000"),
        ("book = \"rff-awi-15mm\"", "book = \"rff-awi-16mm\"", "3: "),
        ("book = \"rff-awi-15mm\"", "book = \"fire-and-discipline\"", "3: only the Regimental"),
        ("home = \"south\"", "home = \"up\"", "13: `up`"),
        (
            "arm = \"infantry\"\nclass = \"trained\"\nstands = 6\nweapon = \"M\"\nat = [10, 10]",
            "arm = \"infantri\"\nclass = \"trained\"\nstands = 6\nweapon = \"M\"\nat = [10, 10]",
            "22: `arm` is `infantri`",
        ),
        ("weapon = \"M\"\nat = [10, 10]", "weapon = \"X\"\nat = [10, 10]", "25: no weapon `X`"),
        (
            "stands = 6\nweapon = \"M\"\nat = [10, 10]",
            "stands = 99\nweapon = \"M\"\nat = [10, 10]",
            "24: `stands` is 99",
        ),
        ("at = [10, 10]", "at = [10]", "26: `at` is a place"),
        ("at = [10, 10]", "at = [39.5, 10]", "26: r1 stands partly off the table"),
        ("at = [10, 10]", "at = [10, 26]\nfacing = 180", "36: b1 stands on top of r1"),
        ("id = \"b1\"", "id = \"r1\"", "28: two units or leaders are called r1"),
        ("id = \"b1\"", "id = \"B one\"", "28: `B one` is no short name"),
        ("facing = \"south\"", "facing = \"down\"", "36: `facing` is down"),
        ("facing = \"south\"", "facing = 180\nleader = \"nobody\"", "37: no leader nobody"),
        ("name = \"Red\"", "name = \"Red\"\ncolor = \"réd\"", "13: `réd` is no colour"),
        ("facing = \"south\"", "uniform = \"foot\"", "36: no uniform `foot`: the file has none"),
        ("facing = \"south\"", "facings = \"blue\"", "36: `blue` is no colour: write one such as"),
        ("facing = \"south\"", "facings = \"#12345g\"", "36: `#12345g` is no colour"),
        ("facing = \"south\"", "[[uniform]]\nid = \"foot\"", "36: `name` is missing"),
        (
            "facing = \"south\"",
            "[[uniform]]\nid = \"a\"\nname = \"A\"\ncolor = \"#a3322b\"\n\
             [[uniform]]\nid = \"a\"\nname = \"B\"\ncolor = \"#a3322b\"",
            "41: two uniforms are called a",
        ),
        (
            "facing = \"south\"",
            "uniform = \"b\"\n[[uniform]]\nid = \"a\"\nname = \"A\"\ncolor = \"#a3322b\"",
            "36: no uniform `b`: a",
        ),
        (
            "facing = \"south\"",
            "[[terrain]]\nid = \"w\"\nkind = \"woods\"\ntrees = \"oak\"\n\
             points = [[1, 1], [5, 1], [5, 5]]",
            "39: `trees` is `oak`: one of broadleaf, pine, palm, orchard",
        ),
        (
            "facing = \"south\"",
            "[[terrain]]\nid = \"w\"\nkind = \"field\"\ntrees = \"pine\"\n\
             points = [[1, 1], [5, 1], [5, 5]]",
            "39: `trees` is for woods, dense-woods, jungle, not for field",
        ),
        ("facing = \"south\"", "colour = 3", "36: unknown key `colour`"),
        ("facing = \"south\"", "facing = 180\nformation = \"square\"", "37: b1 knows"),
        ("facing = \"south\"", "facing = 180\ntraits = [\"militant\"]", "37: no traits `militant`"),
        ("[table]\nwidth = 40\nheight = 30\n", "", "1: `table` is missing"),
        ("id = \"small\"", "id = \"../../x\"", "1: `../../x` is no name of a scenario"),
        ("id = \"blue\"", "id = \"B B\"", "15: `B B` is no short name"),
        ("id = \"blue\"", "id = \"one\"", "15: `one` is what orders call the other side"),
        ("turns = 3", "turns = 3.0", "8: `turns` is 3.0: a whole number"),
        ("stands = 6\nweapon", "stands = \"6\"\nweapon", "24: `stands` is \"6\": a whole number"),
        ("at = [10, 10]", "at = [10, 10]\nformation = \"garrison\"", "27: a garrison is in a"),
        (
            "[[side]]\nid = \"blue\"",
            "[[key-position]]\nid = \"k\"\nat = [1, 1]\nvalue = 1\n[[key-position]]\nid = \"k\"\n\
             at = [2, 2]\nvalue = 1\n[[side]]\nid = \"blue\"",
            "19: two key positions are called k",
        ),
        (
            "[[side]]\nid = \"blue\"",
            "[[terrain]]\nid = \"p\"\nkind = \"road\"\npoints = [[1, 20], [1, 20]]\n[[side]]\nid = \"blue\"",
            "17: at least 2 points, not all in one place",
        ),
        ("title = \"Small\"", "title = \"Sm\\u001ball\"", "2: `title` has the control character"),
        (
            "[[side]]\nid = \"blue\"",
            "[[terrain]]\nid = \"bow\"\nkind = \"woods\"\n\
             points = [[1, 20], [5, 24], [5, 20], [1, 24]]\n[[side]]\nid = \"blue\"",
            "17: its edges cross or touch each other",
        ),
    ];
    for (from, to, wanted) in cases {
        assert!(GOOD.contains(from), "{from}");
        let found = faults(&GOOD.replacen(from, to, 1));
        assert!(
            found.iter().any(|f| f.starts_with(wanted)),
            "{from} -> {to}: wanted {wanted}, found {found:#?}"
        );
    }
}

const FIRST: &str =
    "arm = \"infantry\"\nclass = \"trained\"\nstands = 6\nweapon = \"M\"\nat = [10, 10]";

#[test]
fn keys_that_contradict_each_other_are_refused() {
    let foot = |more: &str| FIRST.replace("at = ", &format!("{more}\nat = "));
    let guns = |more: &str| FIRST.replace("infantry", "guns").replace("weapon = \"M\"", more);
    let cases: &[(&str, String, &[&str])] = &[
        (FIRST, foot("pounder = 6"), &["26: a weapon is its letters", "26: `pounder` is for guns"]),
        (
            FIRST,
            FIRST.replace("weapon = \"M\"", "pounder = 6"),
            &["25: `pounder` is for guns, not"],
        ),
        (FIRST, guns("weapon = \"M\""), &["25: this is a small arm; this arm has A, GG"]),
        (FIRST, FIRST.replace("\"M\"", "\"LG\""), &["25: this is a gun; this arm has C, M, R"]),
        (FIRST, guns("pounder = 6\nbore = 5.5"), &["26: a weapon is its letters"]),
        (
            FIRST,
            guns("pounder = 6\ncarriage = \"light\"\nmorale = \"spirited\""),
            &["27: `morale` is for infantry, cavalry, not for guns"],
        ),
        (
            FIRST,
            foot("morale = \"spirited\"\nworn = 4\nspent = 2"),
            &["27: `morale` already says when"],
        ),
        (FIRST, foot("worn = 4"), &["26: `worn` says nothing without `spent`"]),
        (FIRST, foot("carriage = \"light\""), &["26: `carriage` is for guns, not for infantry"]),
        (FIRST, foot("silenced = 0"), &["26: `silenced` is for guns"]),
        (
            FIRST,
            foot("formation = \"broken\"\norder = \"good\""),
            &["27: troops in the formation broken are broken"],
        ),
        (
            FIRST,
            foot("formation = \"line\"\norder = \"broken\""),
            &["26: broken troops have no formation but broken"],
        ),
        (
            "at = [10, 10]",
            "arrives = { turn = 2, at = [10, 0], facing = 0 }\nfacing = 90".to_owned(),
            &["27: `facing` says nothing without `at` or `garrison`"],
        ),
        (
            "home = \"north\"",
            "home = \"south\"".to_owned(),
            &["17: both sides retreat to this edge"],
        ),
        ("turns = 3", "turns = 3\nsight = 6".to_owned(), &["9: `sight` says nothing without"]),
        (
            "[[side]]\nid = \"blue\"",
            "[[terrain]]\nid = \"w\"\nkind = \"wall\"\nwidth = 2\ngood = true\n\
             points = [[1, 20], [9, 20]]\n[[side]]\nid = \"blue\""
                .to_owned(),
            &[
                "17: `width` is for road, stream, ford, bridge, not for wall",
                "18: `good` is for road",
            ],
        ),
    ];
    for (from, to, wanted) in cases {
        assert!(GOOD.contains(from), "{from}");
        let found = faults(&GOOD.replacen(from, to, 1));
        assert_eq!(found.len(), wanted.len(), "{to}: {found:#?}");
        for wanted in *wanted {
            assert!(found.iter().any(|f| f.starts_with(wanted)), "{wanted}: {found:#?}");
        }
    }
}

/// A game that was begun when this was no fault is read on.
#[test]
fn a_scenario_that_was_accepted_once_stays_so() {
    let text = GOOD
        .replacen("weapon = \"M\"", "weapon = \"M\"\nmorale = \"spirited\"\nworn = 4\nspent = 2", 1)
        .replace("home = \"north\"", "home = \"south\"");
    assert_eq!(faults(&text).len(), 2, "{:#?}", faults(&text));
    let read = Scenario::read_accepted(&Library::default(), "s.toml", &text);
    assert!(read.is_ok(), "{:?}", read.err().map(|f| f.to_string()));
}

#[test]
fn what_may_not_be_meant_is_told_and_the_file_is_whole() {
    let swamp = "[[terrain]]\nid = \"bog\"\nkind = \"swamp\"\n\
        points = [[6, 7], [14, 7], [14, 12], [6, 12]]\n";
    let idle = "[[leader]]\nid = \"idle\"\nname = \"Idle\"\nside = \"red\"\nrating = \"able\"\nat = [5, 5]\n";
    let text = format!("{GOOD}{swamp}{idle}")
        .replacen("weapon = \"M\"\n", "", 1)
        .replace("home = \"north\"", "home = \"north\"\ncolor = \"#A3322B\"")
        .replace("home = \"south\"", "home = \"south\"\ncolor = \"#a3322b\"");
    let (scenario, doubts) =
        Scenario::check(&Library::default(), "s.toml", &text).unwrap_or_else(|f| panic!("{f}"));
    assert_eq!(scenario.strength(), [1, 1]);
    let told: Vec<String> = doubts
        .iter()
        .map(|f| format!("{}: {}", f.file.line_column(f.span.start).0, f.message))
        .collect();
    let wanted = [
        "20: r1 has no leader: it is out of command all the battle",
        "20: r1 is infantry without a weapon: it never fires",
        "28: b1 has no leader",
        "43: idle commands no unit and no leader",
        "19: both sides have this colour",
        "27: r1 stands in bog, a swamp: rough ground",
    ];
    assert_eq!(told.len(), wanted.len(), "{told:#?}");
    for (told, wanted) in told.iter().zip(wanted) {
        assert!(told.starts_with(wanted), "{wanted}: {told}");
    }
    // The battles that come with the program are as they are meant.
    for (id, text) in SCENARIOS {
        let (_, doubts) = Scenario::check(&Library::default(), id, text).expect("whole");
        let told: Vec<&str> = doubts.iter().map(|d| d.message.as_str()).collect();
        assert_eq!(told, Vec::<&str>::new(), "{id}");
    }
}

/// The sizes of stands in the docs are those of the books.
#[test]
fn the_docs_say_how_large_stands_are() {
    let docs = include_str!("../../../docs/scenarios.md");
    let guns = FIRST.replace("infantry", "guns").replace("weapon = \"M\"", "weapon = \"SG\"");
    for (book, scale) in
        [("rff-awi-15mm", "15mm"), ("rff-awi-25mm", "25mm"), ("rff-triple-alliance", "15mm")]
    {
        let weapon = if book == "rff-triple-alliance" { "SM" } else { "M" };
        for (arm, unit) in [
            ("infantry", FIRST.to_owned()),
            ("cavalry", FIRST.replace("infantry", "cavalry")),
            ("guns", guns.replace("stands = 6", "stands = 2\ncarriage = \"light\"")),
        ] {
            let text = GOOD.replacen(FIRST, &unit, 1).replace("rff-awi-15mm", book);
            let text = text.replace("\"M\"", &format!("\"{weapon}\""));
            let scenario = Scenario::read(&Library::default(), "s.toml", &text);
            let scenario = scenario.unwrap_or_else(|f| panic!("{book} {arm}: {f}"));
            let size = scenario.battle.units()[0].size();
            let [width, depth] = [size.width, size.depth].map(table::inches);
            let row = docs.lines().find(|l| l.starts_with(&format!("| {arm} |")));
            let cells: Vec<&str> = row.expect(arm).split('|').map(str::trim).collect();
            let cell = cells[if scale == "15mm" { 2 } else { 3 }];
            assert_eq!(cell, format!("{width} by {depth}"), "{book} {arm}");
        }
    }
}

/// What is worn by whom on the board, as `name color facings`.
fn worn(scenario: &Scenario, of: &str) -> String {
    let board = engine::view::board(scenario);
    let coat = board.coats.iter().find(|c| c.of == of).unwrap_or_else(|| panic!("no coat of {of}"));
    format!("{} {} {}", coat.name.as_deref().unwrap_or("-"), coat.color, coat.facings)
}

#[test]
fn troops_wear_their_uniform_their_own_facings_or_the_colour_of_their_side() {
    let text = format!(
        "{}uniform = \"foot\"\nfacings = \"#111111\"\n\
         [[uniform]]\nid = \"foot\"\nname = \"Foot\"\ncolor = \"#123456\"\nfacings = \"#654321\"\n\
         [[leader]]\nid = \"l\"\nname = \"L\"\nside = \"red\"\nrating = \"able\"\nat = [5, 5]\n\
         uniform = \"foot\"\n",
        GOOD.replacen("at = [10, 10]", "at = [10, 10]\nfacings = \"#222222\"", 1)
    );
    let scenario = Scenario::read(&Library::default(), "s.toml", &text).unwrap();
    assert_eq!(worn(&scenario, "b1"), "Foot #123456 #111111");
    assert_eq!(worn(&scenario, "l"), "Foot #123456 #654321");
    assert_eq!(worn(&scenario, "r1"), "- #a3322b #222222");
    let plain = Scenario::read(&Library::default(), "s.toml", GOOD).unwrap();
    assert_eq!(worn(&plain, "b1"), "- #2b4f81 #f3ead2");
}

#[test]
fn allies_of_three_nations_are_told_apart_and_everybody_built_in_wears_something() {
    let tuyuti = built_in("tuyuti");
    let [brazil, argentina, uruguay] =
        ["br-5th", "ar-rivas", "uy-castro"].map(|u| worn(&tuyuti, u));
    assert!(brazil.starts_with("Brazil ") && argentina.starts_with("Argentina "));
    assert!(uruguay.starts_with("Uruguay "));
    let color = |worn: &str| worn.split(' ').nth(1).unwrap().to_owned();
    assert_ne!(color(&brazil), color(&argentina));
    assert_ne!(color(&brazil), color(&uruguay));
    assert_ne!(color(&argentina), color(&uruguay));
    let guilford = built_in("guilford-courthouse");
    let coats = ["23rd", "bose", "1st-maryland", "linton"].map(|u| color(&worn(&guilford, u)));
    assert!((1..4).all(|i| !coats[..i].contains(&coats[i])), "{coats:?}");
    for (id, _) in SCENARIOS {
        let board = engine::view::board(&built_in(id));
        assert!(board.coats.iter().all(|c| c.name.is_some()), "{id}");
    }
}

#[test]
fn the_board_has_the_ground_as_it_is_drawn() {
    let board = engine::view::board(&built_in("yatay"));
    let piece = |id: &str| board.land.iter().find(|l| l.id == id).unwrap();
    let grove = piece("orange-grove-w");
    assert_eq!(
        (grove.kind.as_str(), grove.trees.as_str(), grove.line),
        ("woods", "orchard", false)
    );
    assert_eq!(grove.name.as_deref(), Some("Orange grove"));
    assert_eq!(grove.points[0], [31.0, 30.2]);
    let stream = piece("yatay");
    assert_eq!((stream.kind.as_str(), stream.line, stream.width), ("stream", true, 1.0));
    assert!(!piece("libres-road").good);
    // The crest of a hill does not say the hill's name again.
    let cowpens = engine::view::board(&built_in("cowpens"));
    let named = cowpens.land.iter().filter(|l| l.name.as_deref() == Some("The slope"));
    assert_eq!(named.map(|l| l.kind.as_str()).collect::<Vec<_>>(), ["hill"]);
}

#[test]
fn the_example_of_the_docs_is_whole() {
    let docs = include_str!("../../../docs/scenarios.md");
    let example = docs.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next());
    assert_eq!(faults(example.expect("an example")), Vec::<String>::new());
}

#[test]
fn every_line_that_is_no_toml_is_named() {
    let text = GOOD.replace("turns = 3", "turns = ").replace("stands = 6", "stands 6");
    let found = faults(&text);
    assert!(found.len() >= 2, "{found:#?}");
    assert!(found[0].starts_with("8: ") && found.iter().any(|f| f.starts_with("24: ")));
}

#[test]
fn of_thousands_of_faults_a_hundred_are_told() {
    let text = format!("{GOOD}{}", "[[terrain]]\nzz = 1\n".repeat(2000));
    let faults = Scenario::read(&Library::default(), "s.toml", &text).unwrap_err();
    let told = faults.to_string();
    assert!(faults.0.len() > 2000 && told.lines().count() < 250, "{}", told.lines().count());
    assert!(told.ends_with(&format!("and {} more", faults.0.len() - 100)), "{told}");
}

#[test]
fn all_faults_come_at_once() {
    let text = GOOD
        .replace("turns = 3", "turns = 0")
        .replace("home = \"north\"", "home = \"up\"")
        .replace("class = \"trained\"", "class = \"green\"");
    let found = faults(&text);
    assert_eq!(found.len(), 4, "{found:#?}");
}

/// Exactly these faults, in any order.
fn exactly(text: &str, wanted: &[&str]) {
    let found = faults(text);
    assert_eq!(found.len(), wanted.len(), "{found:#?}");
    for wanted in wanted {
        assert!(found.iter().any(|f| f.contains(wanted)), "{wanted}: {found:#?}");
    }
}

#[test]
fn one_fault_neither_hides_another_nor_makes_one_up() {
    let off = GOOD.replace("at = [10, 10]", "at = [39.5, 10]");
    // Places are looked at whatever else is wrong.
    exactly(
        &off.replace("turns = 3", "turns = 0\nfoo = 1"),
        &["`turns` is 0", "unknown key `foo`", "r1 stands partly off"],
    );
    exactly(
        &off.replace("first = \"red\"", "first = \"green\""),
        &["no side `green`", "r1 stands partly off"],
    );
    // A name counts though the unit that has it cannot be read.
    exactly(
        &GOOD.replacen("stands = 6", "stands = 0", 1).replace("id = \"b1\"", "id = \"r1\""),
        &["`stands` is 0", "two units or leaders are called r1"],
    );
    // Without its book the terrain is read all the same.
    let woods = "[[terrain]]\nid = \"w\"\nkind = \"forest\"\npoints = [[1, 1], [5, 1], [5, 5]]\n";
    exactly(
        &format!("{}{woods}", GOOD.replace("rff-awi-15mm", "no-such")),
        &["no book no-such", "`kind` is `forest`"],
    );
    // Who names a leader or a house with a fault of its own names somebody.
    let leader = "[[leader]]\nid = \"boss\"\nname = \"Boss\"\nside = \"red\"\nrating = \"great\"\nat = [5, 5]\n";
    let led = GOOD.replacen("side = \"red\"\narm", "side = \"red\"\nleader = \"boss\"\narm", 1);
    exactly(&format!("{led}{leader}"), &["`rating` is `great`"]);
    let mill = "[[terrain]]\nid = \"mill\"\nkind = \"building\"\npoints = [[1, 1], [5, 1]]\n";
    let held = GOOD.replacen("at = [10, 10]", "garrison = \"mill\"", 1);
    exactly(&format!("{held}{mill}"), &["at least 3 points"]);
    // A garrison has room.
    let mill = "[[terrain]]\nid = \"mill\"\nkind = \"building\"\ncapacity = 2\npoints = [[1, 1], [5, 1], [5, 5], [1, 5]]\n";
    exactly(&format!("{held}{mill}"), &["r1 is too many for mill: 6 stands, room for 2"]);
}

#[test]
fn no_file_makes_the_reader_fall_over() {
    let mut dice = dice::stream::Seeded::new("broken files");
    for (_, text) in SCENARIOS {
        for _ in 0..40 {
            let mut bytes = text.as_bytes().to_vec();
            for _ in 0..3 {
                let at =
                    (0..3).fold(0, |n, _| n * 250 + usize::from(dice.throw(250)) - 1) % bytes.len();
                match dice.throw(3) {
                    1 => bytes[at] = b"0-[]{}\"=\n,.x9"[usize::from(dice.throw(13)) - 1],
                    2 => bytes.truncate(at.max(1)),
                    _ => drop(bytes.remove(at)),
                }
            }
            let text = String::from_utf8_lossy(&bytes).into_owned();
            let _ = Scenario::read(&Library::default(), "broken.toml", &text);
        }
    }
}
