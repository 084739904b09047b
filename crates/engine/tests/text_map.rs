//! The map as text hides nobody.
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

use engine::{Library, SCENARIOS, Scenario, map};

/// The rows of the map, and the list below it as letter and short name.
fn read(scenario: &Scenario) -> (Vec<String>, Vec<(char, String)>) {
    let text = map::text(scenario, &scenario.battle);
    let (above, below) = text.split_once("\n^ woods").expect("a legend");
    let rows = above.split("\n\n").last().unwrap().lines().map(str::to_owned).collect();
    let listed = below.lines().skip(1).filter(|l| !l.is_empty()).map(|line| {
        let letter = line.trim_start().chars().next().unwrap();
        let id = line.split(['(', ')']).nth(1).expect("a short name").to_owned();
        (letter, id)
    });
    (rows, listed.collect())
}

fn count(rows: &[String], letter: char) -> usize {
    rows.iter().flat_map(|r| r.chars()).filter(|c| *c == letter).count()
}

#[test]
fn every_unit_of_every_scenario_has_a_letter_of_its_own_on_the_map() {
    for (id, _) in SCENARIOS {
        let scenario = Scenario::built_in(&Library::default(), id).unwrap().unwrap();
        let (rows, listed) = read(&scenario);
        let present = scenario.battle.units().iter().filter(|u| u.present());
        assert_eq!(listed.len(), present.count(), "{id}");
        for (i, (letter, unit)) in listed.iter().enumerate() {
            assert!(count(&rows, *letter) > 0, "{id}: {unit} is not on the map");
            assert!(listed[..i].iter().all(|l| l.0 != *letter), "{id}: two are {letter}");
        }
    }
}

fn unit(id: &str, side: &str, at: (f64, f64)) -> String {
    let facing = if side == "red" { 0 } else { 180 };
    format!(
        "[[unit]]\nid = \"{id}\"\nname = \"{id}\"\nside = \"{side}\"\narm = \"guns\"\n\
         class = \"trained\"\nstands = 1\nweapon = \"LG\"\nat = [{}, {}]\nfacing = {facing}\n",
        at.0, at.1
    )
}

/// Single guns, wheel to wheel and in rows, so that more stand in a square than it has room for.
#[test]
fn who_has_no_room_is_listed_with_his_place() {
    let mut text = "id = \"crowd\"\ntitle = \"Crowd\"\nbook = \"rff-awi-15mm\"\n\
        [table]\nwidth = 40\nheight = 30\n[game]\nturns = 3\nfirst = \"red\"\n\
        [[side]]\nid = \"red\"\nname = \"Red\"\nhome = \"south\"\n\
        [[side]]\nid = \"blue\"\nname = \"Blue\"\nhome = \"north\"\n"
        .to_owned();
    for n in 0..60 {
        let (column, row) = (f64::from(n % 12), f64::from(n / 12));
        text.push_str(&unit(&format!("g{n}"), "red", (10.0 + column, 10.0 + 1.6 * row)));
    }
    text.push_str(&unit("b1", "blue", (20.0, 25.0)));
    let scenario = Scenario::read(&Library::default(), "crowd.toml", &text);
    let scenario = scenario.unwrap_or_else(|f| panic!("{f}"));
    let (rows, listed) = read(&scenario);
    assert_eq!(listed.len(), 61);
    let (hidden, shown): (Vec<_>, Vec<_>) = listed.iter().partition(|l| l.0 == '-');
    assert!(!hidden.is_empty() && shown.len() > 30, "{rows:#?}");
    assert!(shown.iter().all(|l| count(&rows, l.0) > 0), "{rows:#?}");
    let words = map::text(&scenario, &scenario.battle);
    for (_, id) in hidden {
        let line = words.lines().find(|l| l.contains(&format!("({id})"))).unwrap();
        assert!(
            line.contains(" stand, unlimbered, at ") && line.ends_with("others stand there"),
            "{line}"
        );
    }
}
