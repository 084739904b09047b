//! House rules: files that extend a book and change some of it.
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

use std::collections::BTreeMap;

use engine::{Faults, Library, Missing, Shelf};
use serde_json::{Value, json};

struct Memory(BTreeMap<&'static str, String>);

impl Shelf for Memory {
    fn fetch(&self, path: &str) -> Result<String, String> {
        self.0.get(path).cloned().ok_or_else(|| format!("no file {path}"))
    }

    fn beside(&self, _: &str, extends: &str) -> String {
        extends.to_owned()
    }
}

fn library(text: &str) -> Library {
    let files = BTreeMap::from([
        ("house.toml", text.to_owned()),
        ("outer.toml", "extends = \"house.toml\"\n".to_owned()),
        ("circle.toml", "extends = \"circle.toml\"\n".to_owned()),
    ]);
    Library::new(Box::new(Memory(files)))
}

fn ask(library: &Library, request: &Value) -> Value {
    let mut out = Vec::new();
    library.resolve(&request.to_string(), &mut out);
    serde_json::from_slice(&out).expect("an answer is JSON")
}

fn faults(text: &str) -> Faults {
    match library(text).load("house.toml") {
        Err(Missing::Faults(faults)) => faults,
        other => panic!("expected faults, got {other:?}"),
    }
}

fn first(text: &str) -> String {
    faults(text).0[0].to_string()
}

const FIRE: &str = r#"{"check":"fire","kind":"musketry","points":6,"die":8,
    "target":{"arm":"troops","class":"trained"},"conditions":["fire.modifier.fortified"]}"#;

fn fire(book: &str) -> Value {
    let mut request: Value = serde_json::from_str(FIRE).expect("JSON");
    request["book"] = json!(book);
    request
}

#[test]
fn a_changed_figure_moves_the_answer() {
    let library = library(
        "extends = \"rff-awi-25mm\"\n[[change]]\nrule = \"fire.modifier.fortified\"\nfigures = { modifier = -5 }\n",
    );
    assert_eq!(ask(&library, &fire("rff-awi-25mm"))["total"], 5);
    assert_eq!(ask(&library, &fire("house.toml"))["total"], 3);
    assert_eq!(ask(&library, &fire("outer.toml"))["total"], 3, "a file may extend a file");
}

#[test]
fn as_the_default_it_stands_for_the_book_it_extends() {
    let mut library = library(
        "extends = \"rff-awi-25mm\"\n[[change]]\nrule = \"fire.modifier.fortified\"\nfigures = { modifier = -5 }\n",
    );
    library.set_default("house.toml").expect("a good file");
    assert_eq!(ask(&library, &fire("rff-awi-25mm"))["total"], 3);
    assert_eq!(ask(&library, &fire("rff-awi-15mm"))["total"], 5, "other books are as printed");
    let mut unnamed = fire("x");
    unnamed.as_object_mut().expect("an object").remove("book");
    assert_eq!(ask(&library, &unnamed)["total"], 3);
}

#[test]
fn modifiers_can_be_added_and_dropped() {
    let library = library(
        "extends = \"rff-awi-25mm\"\n\
         [[add]]\nid = \"fire.modifier.smoke\"\nsays = \"Smoke hangs over the field.\"\nfigures = { modifier = -2 }\n\
         [[drop]]\nrule = \"fire.modifier.fortified\"\n",
    );
    let mut request = fire("house.toml");
    assert_eq!(ask(&library, &request)["error"]["code"], "unknown-condition");
    request["conditions"] = json!(["fire.modifier.smoke"]);
    let answer = ask(&library, &request);
    assert_eq!(answer["total"], 6);
    assert_eq!(answer["modifiers"][1], json!({ "rule": "fire.modifier.smoke", "value": -2 }));
}

#[test]
fn rulings_can_be_switched() {
    let switched =
        library("extends = \"rff-awi-25mm\"\n[rulings]\nfire-modifier-stacking = \"add\"\n");
    let mut request = fire("house.toml");
    request["conditions"] =
        json!(["fire.modifier.target-field-column", "fire.modifier.target-enfiladed"]);
    assert_eq!(ask(&switched, &request)["total"], 11);
    request["book"] = json!("rff-awi-25mm");
    assert_eq!(ask(&switched, &request)["total"], 10);

    let printed = library(
        "extends = \"rff-triple-alliance\"\n[rulings]\n\"ruling.triple-alliance-maneuver-rows\" = \"as-printed\"\n",
    );
    let maneuver = |book: &str| json!({ "book": book, "check": "maneuver", "arm": "troops", "order": "good", "die": 3 });
    assert_eq!(ask(&printed, &maneuver("rff-triple-alliance"))["effect"], "well-handled");
    assert_eq!(ask(&printed, &maneuver("house.toml"))["effect"], "tardy");
}

/// Every setting of every ruling does something: some answer moves.
#[test]
fn every_setting_has_an_effect() {
    use engine::{BOOKS, difference};
    let plain = Library::default();
    for id in BOOKS {
        let book = plain.get(id).expect("a book");
        for ruling in book.book.rulings() {
            let Some(setting) = &ruling.setting else {
                continue;
            };
            // A setting of the family that this book has no use for.
            let uses = book
                .book
                .clauses()
                .any(|(_, c)| c.overlays().iter().any(|o| o.setting == setting.name));
            let in_data = BOOKS.iter().any(|b| {
                let other = plain.get(b).expect("a book");
                other
                    .book
                    .clauses()
                    .any(|(_, c)| c.overlays().iter().any(|o| o.setting == setting.name))
            });
            for value in setting.options.keys().filter(|v| **v != setting.default) {
                let text =
                    format!("extends = \"{id}\"\n[rulings]\n{} = \"{value}\"\n", setting.name);
                let library = library(&text);
                let switched =
                    library.get("house.toml").unwrap_or_else(|r| panic!("{}: {r}", setting.name));
                let found = difference(&book, &switched);
                assert_eq!(found.settings.len(), 1, "{}", setting.name);
                if in_data {
                    assert_eq!(uses, !found.clauses.is_empty(), "{id} {}", setting.name);
                }
                assert_ne!(switched.book.hash(), book.book.hash());
            }
        }
    }
}

#[test]
fn the_settings_that_code_reads_move_an_answer() {
    let switched = |book: &str, setting: &str, value: &str, request: Value| {
        let text = format!("extends = \"{book}\"\n[rulings]\n{setting} = \"{value}\"\n");
        let library = library(&text);
        let mut request = request;
        request["book"] = json!(book);
        let before = ask(&library, &request);
        request["book"] = json!("house.toml");
        let after = ask(&library, &request);
        assert!(before.get("error").is_none(), "{setting}: {before}");
        assert_ne!(before, after, "{setting} = {value} changes nothing");
    };
    let telling = json!({ "check": "fire", "kind": "musketry", "points": 6, "die": 7,
        "target": { "arm": "troops", "class": "elite", "charging": "yes" } });
    switched("rff-awi-25mm", "telling-fire-rows", "charge-only", telling);
    let halved = json!({ "check": "fire-points", "firers": [
        { "weapon": "M", "stands": 8, "range": 4, "halved": ["disordered", "low-on-ammo"] }] });
    switched("rff-awi-25mm", "fire-points-halving", "each", halved);
    let guns = json!({ "check": "charge", "detail": true, "attacker": { "arm": "infantry", "die": 4 },
        "defender": { "arm": "guns-light", "die": 2 } });
    switched("rff-awi-25mm", "hard-pressed-guns", "always", guns);
    let stationary = json!({ "check": "charge", "attacker": { "arm": "infantry", "die": 1 },
        "defender": { "arm": "cavalry", "die": 7, "conditions": ["charge.modifier.cavalry-stationary"] } });
    switched("rff-awi-25mm", "defeated-by-cavalry", "any-mounted", stationary);
    let skirmish = json!({ "check": "close-combat", "sides": [
        { "arm": "infantry", "formation": "skirmish", "score": 7, "die": 4 },
        { "arm": "infantry", "formation": "close-order-line", "score": 7, "die": 9 } ] });
    switched("rise-and-fight-again", "rafa-halving-rounds-up", "down", skirmish);
    let artillery = json!({ "check": "fire", "arm": "artillery", "score": 4, "die": 2,
        "conditions": ["fire.modifier.target-obscured"] });
    switched("rise-and-fight-again", "rafa-artillery-supersedes", "adds", artillery);
    let guns_win = json!({ "check": "close-combat", "sides": [
        { "arm": "infantry", "formation": "close-order-line", "score": 2, "die": 10 },
        { "arm": "artillery", "formation": "unlimbered", "score": 9, "die": 3 } ] });
    switched("rise-and-fight-again", "rafa-artillery-wins-by-2", "fight-on", guns_win);
    let hit = json!({ "check": "artillery", "pounder": 4, "range": 300, "guns": 2, "gun_hits": 1, "dice": [3, 3] });
    switched("fire-and-discipline", "fd-gun-hit", "up", hit);
    let rifles = json!({ "check": "skirmish", "stands": ["rifle"], "dice": [1, 1, 1] });
    switched("fire-and-discipline", "fd-skirmish-rifle-plus", "one-die", rifles);
    let none = json!({ "check": "melee", "sides": [
        { "castings": 1, "grade": 0, "status": "charging", "dice": [1], "conditions": ["melee.dice-modifier.skirmishing"] },
        { "castings": 1, "grade": 0, "status": "holding", "dice": [9] } ] });
    switched("fire-and-discipline", "fd-melee-minimum", "none", none);
    let blade = json!({ "check": "melee", "sides": [
        { "castings": 12, "grade": 1, "status": "charging", "blade": true, "dice": [1, 1, 1] },
        { "castings": 1, "grade": 0, "status": "holding", "dice": [9] } ] });
    switched("fire-and-discipline", "fd-blade-dice", "castings-only", blade);
}

#[test]
fn mistakes_have_a_place_and_the_nearest_name() {
    let unknown = first(
        "extends = \"rff-awi-25mm\"\n\n[[change]]\nrule = \"fire.modifier.fortifed\"\nfigures = { modifier = -5 }\n",
    );
    assert!(unknown.starts_with("house.toml:4:8: "), "{unknown}");
    assert!(unknown.contains("did you mean fire.modifier.fortified?"), "{unknown}");

    let figure = first(
        "extends = \"rff-awi-25mm\"\n[[change]]\nrule = \"fire.modifier.fortified\"\nfigures = { modifer = -5 }\n",
    );
    assert!(figure.contains("did you mean `modifier`?"), "{figure}");

    let base = first("extends = \"rff-awi-24mm\"\n");
    assert!(base.contains(":1:12: ") && base.contains("did you mean rff-awi-25mm?"), "{base}");

    let ruling = first("extends = \"rff-awi-25mm\"\n[rulings]\ngreater-loss = \"adds\"\n");
    assert!(ruling.contains("house.toml:3:1") && ruling.contains("greater-losses"), "{ruling}");
    let value = first("extends = \"rff-awi-25mm\"\n[rulings]\ngreater-losses = \"twice\"\n");
    assert!(value.contains("one of: replaces, adds"), "{value}");
    let settled = first("extends = \"rff-awi-25mm\"\n[rulings]\ndie-ten = \"d6\"\n");
    assert!(settled.contains("settled"), "{settled}");

    let key = first("extends = \"rff-awi-25mm\"\n[[chnage]]\nrule = \"fire.die\"\n");
    assert!(key.contains("did you mean `change`?"), "{key}");
    let toml = first("extends = \"rff-awi-25mm\"\n[[change]\n");
    assert!(toml.contains("house.toml:2:"), "{toml}");
    let missing = first("name = \"x\"\n");
    assert!(missing.contains("`extends` is missing"), "{missing}");
    let kind = first(
        "extends = \"rff-awi-25mm\"\n[[add]]\nid = \"weather.rain\"\nsays = \"x\"\nfigures = { modifier = 1 }\n",
    );
    assert!(kind.contains("fire.modifier."), "{kind}");
    let drop = first("extends = \"rff-awi-25mm\"\n[[drop]]\nrule = \"fire.die\"\n");
    assert!(drop.contains("only a modifier can be dropped"), "{drop}");
}

#[test]
fn mistakes_that_would_do_nothing_are_told_too() {
    let with = |rest: &str| first(&format!("extends = \"rff-awi-25mm\"\n{rest}\n"));
    let smoke = "[[add]]\nid = \"fire.modifier.smoke\"\nsays = \"x\"\n";
    assert!(
        with(&format!("{smoke}figures = {{ modifier = -1, gruop = \"cover\" }}"))
            .contains("did you mean `group`?")
    );
    assert!(
        with(&format!(
            "{smoke}figures = {{ modifier = -1, yields_to = [\"fire.modifier.fortifed\"] }}"
        ))
        .contains("no such modifier")
    );
    let change = "[[change]]\nrule = \"fire.modifier.fortified\"\n";
    assert!(with(change).contains("nothing of fire.modifier.fortified is changed"));
    let twice =
        format!("{change}figures = {{ modifier = -4 }}\n{change}figures = {{ modifier = -5 }}");
    assert!(with(&twice).contains("changed twice"));
    assert!(
        with(&format!("{change}figures = {{ modifier = \"-4\" }}"))
            .contains("a whole number, not a name")
    );
    let real = with("[[change]]\nrule = \"charge.result.swept.range\"\nfigures = { min = 9.5 }");
    assert!(real.contains("a whole number is needed"), "{real}");
    assert!(with("[rulings]\ntriple-alliance-maneuver-rows = \"as-printed\"").contains("settled"));
    assert!(with("[rulings]\ngreater-losses = true").contains("cannot be `true`"));
    assert!(with("[[drop]]\nrule = \"fire.modifier.group-once\"").contains("cannot be dropped"));
}

#[test]
fn every_mistake_is_told_at_once() {
    let all = faults(
        "extends = \"rff-awi-25mm\"\n[[change]]\nrule = \"a\"\nfigures = {}\n[[change]]\nrule = \"b\"\nfigures = {}\n",
    );
    assert_eq!(all.0.len(), 2);
}

#[test]
fn a_broken_table_is_refused_at_the_change_that_breaks_it() {
    let hole = first(
        "extends = \"rff-awi-25mm\"\n\n[[change]]\nrule = \"charge.result.swept.range\"\nfigures = { min = 10 }\n",
    );
    assert!(hole.starts_with("house.toml:4:8: "), "{hole}");
    assert!(hole.contains("no row for 9"), "{hole}");
    let overlap = first(
        "extends = \"rff-awi-25mm\"\n[[change]]\nrule = \"fire.result.galling.raw\"\nfigures = { max = 7 }\n",
    );
    assert!(overlap.contains("house.toml:3:8") && overlap.contains("two rows for 7"), "{overlap}");
    let band = first(
        "extends = \"rff-awi-25mm\"\n[[change]]\nrule = \"musketry.musket.long\"\nfigures = { to = 14 }\n",
    );
    assert!(band.contains("house.toml:3:8") && band.contains("maximum of 12"), "{band}");
    let chart = first(
        "extends = \"fire-and-discipline\"\n[[change]]\nrule = \"morale.loss.chart-4-6\"\nfigures = { roll = [4, 7] }\n",
    );
    assert!(chart.contains("house.toml:3:8") && chart.contains("overlaps"), "{chart}");
}

#[test]
fn a_circle_of_files_ends() {
    match library("extends = \"rff-awi-25mm\"\n").load("circle.toml") {
        Err(Missing::Unknown(refusal)) => assert!(refusal.message.contains("circle"), "{refusal}"),
        other => panic!("expected a refusal, got {other:?}"),
    }
}

#[test]
fn equal_books_have_equal_hashes() {
    let hash = |text: &str| library(text).get("house.toml").expect("a good file").book.hash();
    let plain = Library::default().get("rff-awi-25mm").expect("a book").book.hash();
    assert_eq!(hash("extends = \"rff-awi-25mm\"\nname = \"nothing changed\"\n"), plain);
    let change = "extends = \"rff-awi-25mm\"\n[[change]]\nrule = \"fire.modifier.fortified\"\nfigures = { modifier = -4 }\n";
    assert_ne!(hash(change), plain);
}

#[test]
fn a_save_keeps_the_house_rules_it_was_played_with() {
    let library = library(
        "extends = \"rff-awi-15mm\"\n[[change]]\nrule = \"fire.modifier.fortified\"\nfigures = { modifier = -4 }\n",
    );
    let (_, training) =
        engine::SCENARIOS.iter().find(|s| s.0 == "training-15mm").expect("built in");
    let scenario = training.replace("book = \"rff-awi-15mm\"", "book = \"outer.toml\"");
    let scenario = engine::Scenario::read(&library, "s.toml", &scenario).expect("whole");
    let mut game = engine::game::Game::new(scenario, dice::stream::Source::seeded("h"));
    engine::auto::play(&mut game.journal, "h", &mut game.dice, |_| {}).expect("an end");
    let saved = engine::save::write(&game.scenario, &game.journal, Some("h"), true);
    // Where the files are gone.
    let read = engine::save::read(&Library::default(), &saved).expect("a save needs no other file");
    assert_eq!(read.scenario.book.book.hash(), game.scenario.book.book.hash());
    assert!(read.remarks.is_empty(), "{:?}", read.remarks);
    assert_eq!(read.journal.records().len(), game.journal.records().len());
}

#[test]
fn a_clause_is_not_changed_and_dropped_at_once() {
    let with = |rest: &str| first(&format!("extends = \"rff-awi-25mm\"\n{rest}\n"));
    let change = "[[change]]\nrule = \"fire.modifier.fortified\"\nfigures = { modifier = -4 }\n";
    let drop = "[[drop]]\nrule = \"fire.modifier.fortified\"\n";
    for both in [format!("{change}{drop}"), format!("{drop}{change}")] {
        let no = with(&both);
        let lines = if both.starts_with("[[drop") { (5, 3) } else { (3, 6) };
        let wanted =
            format!("changed or added in line {} and dropped in line {}", lines.0, lines.1);
        assert!(no.contains(&wanted), "{no}");
        assert!(no.starts_with(&format!("house.toml:{}:", lines.1)), "{no}");
    }
    let no = with(&format!("{drop}{drop}"));
    assert!(no.contains("is dropped twice, first in line 3"), "{no}");
    // One file may drop what the file it extends has changed.
    let files = BTreeMap::from([
        ("inner.toml", format!("extends = \"rff-awi-25mm\"\n{change}")),
        ("house.toml", format!("extends = \"inner.toml\"\n{drop}")),
        ("again.toml", format!("extends = \"house.toml\"\n{drop}")),
    ]);
    let library = Library::new(Box::new(Memory(files)));
    assert!(library.load("house.toml").is_ok());
    let again = library.load("again.toml").expect_err("twice");
    assert!(format!("{again:?}").contains("is dropped already, by house.toml"), "{again:?}");
}

/// Every modifier can be dropped; where the rules cannot do without one, the fault is at the line
/// that drops it, and not in the printed book.
#[test]
fn every_modifier_can_be_dropped_or_is_refused_where_it_is() {
    use engine::BOOKS;
    let mut refused = Vec::new();
    let mut dropped = 0;
    for id in BOOKS {
        let book = Library::default().get(id).expect("a book");
        for (_, clause) in book.book.clauses().filter(|(_, c)| c.id.contains("modifier.")) {
            let text = format!("extends = \"{id}\"\n[[drop]]\nrule = \"{}\"\n", clause.id);
            match library(&text).load("house.toml") {
                Ok(_) => dropped += 1,
                Err(Missing::Faults(faults)) => {
                    let said = faults.0[0].to_string();
                    assert!(said.starts_with("house.toml:3:8: "), "{said}");
                    refused.push(clause.id.clone());
                }
                Err(other) => panic!("{other:?}"),
            }
        }
    }
    // What was outflanked is still broken, whatever it adds to a die.
    assert!(!refused.contains(&"maneuver.modifier.outflanked".to_owned()), "{refused:?}");
    assert!(dropped > 250, "{dropped}: {refused:?}");
}

#[test]
fn a_dropped_modifier_counts_for_nothing_and_is_still_known_to_the_procedures() {
    use rulebook::ModifierTable;
    let library =
        library("extends = \"rff-awi-15mm\"\n[[drop]]\nrule = \"charge.modifier.outflanked\"\n");
    let read = |book: &str| {
        let loaded = library.get(book).expect("a book");
        ModifierTable::read(&loaded.book, "charge.modifier.", "modifier").expect("a table")
    };
    let (printed, house) = (read("rff-awi-15mm"), read("house.toml"));
    let worth = |t: &ModifierTable| t.count(t.named("outflanked")).expect("no contradiction").1;
    assert_ne!(worth(&printed), 0);
    assert_eq!(worth(&house), 0);
    assert!(!house.named("outflanked").is_empty(), "who is outflanked breaks all the same");
    assert!(house.find("charge.modifier.outflanked").is_none());
    assert!(house.ids().all(|id| id != "charge.modifier.outflanked"));
}

const FACE_TO_FACE: &str = r#"id = "small"
title = "Small"
book = "BOOK"
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
weapon = "WEAPON"
at = [10, 10]
[[unit]]
id = "b1"
name = "Second"
side = "blue"
arm = "infantry"
class = "trained"
stands = 6
weapon = "WEAPON"
at = [10, 16]
facing = "south"
"#;

#[test]
fn who_drops_the_bonus_of_cold_steel_still_charges_with_it() {
    use engine::{Scenario, anytime, phrase};
    let library =
        library("extends = \"rff-awi-15mm\"\n[[drop]]\nrule = \"charge.modifier.cold-steel\"\n");
    let charge = |book: &str, weapon: &str| {
        let text = FACE_TO_FACE.replace("BOOK", book).replace("WEAPON", weapon);
        let scenario = Scenario::read(&library, "s.toml", &text).expect("whole");
        let order = phrase::order(&scenario.battle, "charge r1 b1 cold-steel").expect("an order");
        anytime::odds(&scenario.battle, &order)
    };
    let tally = |book: &str| -> Vec<String> {
        let rolls = charge(book, "M").expect("it may be declared").rolls;
        rolls.iter().flat_map(|r| &r.tally).map(|l| l.rule.to_string()).collect()
    };
    let steel = "charge.modifier.cold-steel".to_owned();
    assert!(tally("rff-awi-15mm").contains(&steel));
    let house = tally("house.toml");
    assert!(!house.contains(&steel) && house.contains(&"charge.modifier.fresh".to_owned()));
    // Where the book has none at all, the ruling about that book says so.
    let no = charge("rff-triple-alliance", "SM").expect_err("no cold steel there");
    assert_eq!(&*no.rule, "ruling.triple-alliance-cold-steel");
}

/// What was dropped or added shows in the odds, and so does a clause that no standing question
/// is about.
#[test]
fn a_comparison_shows_what_moves() {
    use engine::difference;
    let shifts = |rest: &str| {
        let library = library(&format!("extends = \"rff-awi-15mm\"\n{rest}\n"));
        let printed = library.get("rff-awi-15mm").expect("a book");
        let house = library.get("house.toml").expect("good rules");
        difference(&printed, &house).shifts
    };
    let dropped = shifts("[[drop]]\nrule = \"fire.modifier.fortified\"");
    let of = |result: &str| dropped.iter().find(|s| s.result.starts_with(result)).expect("a shift");
    assert_eq!(of("desultory").question, "8 points at trained troops with fortified");
    assert!(
        (of("desultory").first - 0.6).abs() < 1e-9 && (of("desultory").second - 0.3).abs() < 1e-9
    );
    let smoke = "[[add]]\nid = \"fire.modifier.smoke\"\nsays = \"x\"\nfigures = { modifier = -1 }";
    let added = shifts(smoke);
    assert!(!added.is_empty() && added.iter().all(|s| s.question.ends_with("with smoke")));
    let rate =
        shifts("[[change]]\nrule = \"movement.infantry.line.open\"\nfigures = { full = 12 }");
    assert!(rate.iter().any(|s| s.check == "movement-rate" && s.result.contains("full 12")));
    let guns = shifts(
        "[[change]]\nrule = \"charge.driven-back.defender.heavy-carriage-guns\"\nfigures = { lost = false }",
    );
    assert!(
        guns.iter().any(|s| s.question.contains("guns heavy") && s.result.contains("eliminated"))
    );
    // A longer reach shows at the range only the longer one has.
    let reach = shifts(
        "[[change]]\nrule = \"musketry.musket.long\"\nfigures = { to = 14 }\n\
         [[change]]\nrule = \"musketry.musket.maximum\"\nfigures = { distance = 14 }",
    );
    assert!(reach.iter().any(|s| s.question.contains("14 inches")), "{reach:#?}");
}
