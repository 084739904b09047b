//! Seats, orders and updates, against a real SQLite file.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod common;

use common::Table;
use serde_json::{Value, json};
use server::Limits;

fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value[key].as_str().expect(key)
}

fn check(unit: &str) -> Value {
    json!({"do": "check", "units": [unit]})
}

#[test]
fn an_order_is_answered_with_what_came_of_it() {
    let table = Table::new();
    let made = table.make(&json!({"kind": "hot-seat"}));
    let (game, token) = (text(&made, "game"), Some(text(&made, "token")));
    let path = format!("/api/games/{game}/orders");
    let done = table.ask(&path, token, Some(&json!({"order": check("33rd"), "after": 0})));
    assert_eq!(done.status, 200, "{}", done.body);
    let update = &done.json()["update"];
    assert_eq!(update["rev"], 1);
    assert_eq!(update["entries"][0]["n"], 1);
    assert_eq!(update["entries"][0]["dice"].as_array().unwrap().len(), 1);
    let opened = table.ask(&format!("/api/games/{game}"), token, None).json();
    assert_eq!(opened["now"]["rev"], 1);
    assert_eq!(opened["now"]["view"], update["view"]);
    // Nothing of a seat's secrets is in what is sent.
    let all = opened.to_string();
    assert!(!all.contains(token.unwrap()) && opened["now"]["seed"].is_null());
}

#[test]
fn a_repeated_order_is_answered_and_not_carried_out_again() {
    let table = Table::new();
    let made = table.make(&json!({"kind": "hot-seat"}));
    let (game, token) = (text(&made, "game"), Some(text(&made, "token")));
    let path = format!("/api/games/{game}/orders");
    let order = json!({"order": check("33rd"), "after": 0, "key": "a"});
    let first = table.ask(&path, token, Some(&order)).json();
    let again = table.ask(&path, token, Some(&order)).json();
    assert_eq!(first["repeated"], false);
    assert_eq!(again["repeated"], true);
    assert_eq!(again["update"], first["update"]);
    // The same name for something else is no repeat.
    let other = json!({"order": {"do": "done"}, "key": "a"});
    assert_eq!(table.ask(&path, token, Some(&other)).status, 400);
    let opened = table.ask(&format!("/api/games/{game}"), token, None).json();
    assert_eq!(opened["now"]["entries"].as_array().unwrap().len(), 1);
}

#[test]
fn of_two_who_press_at_once_one_wins_and_the_other_is_told() {
    let table = Table::new();
    let made = table.make(&json!({"kind": "hot-seat"}));
    let (game, token) = (text(&made, "game").to_owned(), text(&made, "token").to_owned());
    let at = table.at;
    for round in 0..5_u64 {
        let press = |unit: &'static str| {
            let (game, token) = (game.clone(), token.clone());
            std::thread::spawn(move || {
                let order = match round {
                    0 => check(unit),
                    _ => json!({"do": "done"}),
                };
                let body = json!({"order": order, "after": round});
                common::ask(at, &format!("/api/games/{game}/orders"), Some(&token), Some(&body))
            })
        };
        let answers = [press("33rd"), press("23rd")].map(|t| t.join().unwrap());
        let mut statuses = answers.each_ref().map(|a| a.status);
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 409], "{} {}", answers[0].body, answers[1].body);
        let late = answers.iter().find(|a| a.status == 409).unwrap().json();
        assert_eq!(late["rev"], round + 1);
    }
}

#[test]
fn a_seat_orders_its_own_side_only_and_a_spectator_none() {
    let table = Table::new();
    let made = table.make(&json!({"kind": "remote", "side": "british"}));
    let game = text(&made, "game");
    let path = format!("/api/games/{game}/orders");
    let order = json!({"order": check("33rd")});
    for (token, status) in [
        (Some(text(&made, "invite")), 403),
        (Some(text(&made, "watch")), 403),
        (Some("0000"), 401),
        (None, 401),
        (Some(text(&made, "token")), 200),
    ] {
        let answer = table.ask(&path, token, Some(&order));
        assert_eq!(answer.status, status, "{}", answer.body);
        assert!(!answer.body.contains("panicked"));
    }
    // A token opens its own game and no other.
    let other = table.make(&json!({"kind": "hot-seat"}));
    let path = format!("/api/games/{}", text(&other, "game"));
    assert_eq!(table.ask(&path, Some(text(&made, "token")), None).status, 401);
    // The other side undoes nothing that is not its own.
    let undo = format!("/api/games/{game}/undo");
    assert_eq!(table.ask(&undo, Some(text(&made, "invite")), Some(&json!({}))).status, 403);
}

#[test]
fn a_brigade_is_ordered_by_its_own_seat_alone() {
    let table = Table::new();
    let body = json!({"scenario": "cowpens", "mode": {"kind": "brigades"}});
    let made = table.ask("/api/games", None, Some(&body)).json();
    let game = text(&made, "game");
    let opened = table.ask(&format!("/api/games/{game}"), Some(text(&made, "token")), None).json();
    assert_eq!(opened["you"], "both");
    let first = text(&opened["now"]["view"], "awaiting");
    let seats = made["brigades"].as_array().unwrap();
    let own: Vec<&Value> = seats.iter().filter(|s| s["side"] == first).collect();
    let other: Vec<&Value> = seats.iter().filter(|s| s["side"] != first).collect();
    assert!(!own.is_empty() && !other.is_empty(), "{seats:?}");
    let path = format!("/api/games/{game}/orders");
    // Each unit of the side answers to one seat at most, and to no other side's.
    let units = opened["now"]["view"]["units"].as_array().unwrap();
    let mine = units.iter().filter(|u| u["side"] == first && u["may"] == "to check");
    let mut given = 0;
    for unit in mine {
        let order = json!({"order": check(text(unit, "id"))});
        for seat in &other {
            assert_eq!(table.ask(&path, Some(text(seat, "token")), Some(&order)).status, 403);
        }
        let allowed = own.iter().filter(|seat| {
            let preview = table.ask(&path, Some(text(seat, "token")), Some(&order));
            preview.status != 403
        });
        given += allowed.count();
        if given > 0 {
            break;
        }
    }
    assert!(given > 0, "no brigade could order a unit of its own");
}

#[test]
fn a_step_is_over_when_every_brigade_has_finished_it() {
    let mut table = Table::new();
    let body = json!({"scenario": "guilford-courthouse", "mode": {"kind": "brigades"}});
    let made = table.ask("/api/games", None, Some(&body)).json();
    let game = text(&made, "game").to_owned();
    let (path, orders) = (format!("/api/games/{game}"), format!("/api/games/{game}/orders"));
    let opened = table.ask(&path, Some(text(&made, "token")), None).json();
    let first = text(&opened["now"]["view"], "awaiting").to_owned();
    let seats = made["brigades"].as_array().unwrap();
    let own: Vec<&str> =
        seats.iter().filter(|s| s["side"] == *first).map(|s| text(s, "token")).collect();
    assert!(own.len() >= 2, "{seats:?}");
    let done = json!({"order": {"do": "done"}, "key": "first"});
    let before = opened["now"]["view"]["phase"].clone();

    // The first has finished: the others are waited for, and nothing else has changed.
    let answer = table.ask(&orders, Some(own[0]), Some(&done));
    assert_eq!(answer.status, 200, "{}", answer.body);
    let update = &answer.json()["update"];
    assert_eq!(update["view"]["phase"], before);
    let waiting = update["waiting"].as_array().unwrap().len();
    assert!(waiting >= 1 && waiting < own.len(), "{}", update["waiting"]);

    // It is kept over a restart, and the repeat is answered.
    table.stop();
    let folder = std::mem::replace(&mut table.folder, tempfile::tempdir().unwrap());
    let table = Table::over(folder);
    let again = table.ask(&path, Some(own[0]), None).json();
    assert_eq!(again["now"]["waiting"].as_array().unwrap().len(), waiting);
    assert_eq!(table.ask(&orders, Some(own[0]), Some(&done)).json()["repeated"], true);

    // What another brigade ordered is not taken back, and its units have no orders here.
    let units = again["now"]["view"]["units"].as_array().unwrap();
    let unit = units.iter().find(|u| {
        let offers = format!("{path}/offers?of={}", text(u, "id"));
        let mine = table.ask(&offers, Some(own[1]), None).json();
        u["may"] == "to check" && !mine["offers"].as_array().unwrap().is_empty()
    });
    let unit = text(unit.unwrap(), "id").to_owned();
    let offers = table.ask(&format!("{path}/offers?of={unit}"), Some(own[0]), None).json();
    assert_eq!(offers["offers"], json!([]));
    let checked = table.ask(&orders, Some(own[1]), Some(&json!({"order": check(&unit)})));
    assert_eq!(checked.status, 200, "{}", checked.body);
    let undo = table.ask(&format!("{path}/undo"), Some(own[0]), Some(&json!({})));
    assert_eq!(undo.status, 403, "{}", undo.body);

    // The seat that made the game ends the step for all.
    let end = json!({"order": {"do": "done"}});
    for _ in 0..6 {
        let answer = table.ask(&orders, Some(text(&made, "token")), Some(&end));
        if answer.status == 200 && answer.json()["update"]["view"]["phase"] != before {
            return;
        }
    }
    panic!("the step did not end");
}

#[test]
fn a_refusal_names_its_rule_and_changes_nothing() {
    let table = Table::new();
    let made = table.make(&json!({"kind": "hot-seat"}));
    let (game, token) = (text(&made, "game"), Some(text(&made, "token")));
    let before = table.ask(&format!("/api/games/{game}"), token, None).body;
    let path = format!("/api/games/{game}/orders");
    let order = json!({"order": {"do": "fire", "units": ["33rd"], "target": "maryland"}});
    let no = table.ask(&path, token, Some(&order));
    assert_eq!(no.status, 422);
    assert!(!text(&no.json()["refusal"], "rule").is_empty());
    assert_eq!(table.ask(&format!("/api/games/{game}"), token, None).body, before);
}

#[test]
fn who_comes_back_gets_what_he_missed_and_nothing_twice() {
    let table = Table::new();
    let made = table.make(&json!({"kind": "hot-seat"}));
    let (game, token) = (text(&made, "game"), text(&made, "token"));
    let path = format!("/api/games/{game}/orders");
    let give = |order: Value| {
        let done = table.ask(&path, Some(token), Some(&json!({"order": order})));
        assert_eq!(done.status, 200, "{}", done.body);
    };
    let mut live = table.follow(game, token, None);
    assert_eq!(live.next()["rev"], 0);
    give(check("33rd"));
    let update = live.next();
    assert_eq!((&update["rev"], &update["from"]), (&json!(1), &json!(0)));
    drop(live);
    give(json!({"do": "maneuver", "unit": "33rd", "steps": []}));
    give(check("23rd"));
    let mut live = table.follow(game, token, Some(1));
    let update = live.next();
    assert_eq!((&update["rev"], &update["from"]), (&json!(3), &json!(1)));
    let n: Vec<&Value> = update["entries"].as_array().unwrap().iter().map(|e| &e["n"]).collect();
    assert_eq!(n, [2, 3]);
    // An order taken back shortens what was seen.
    give(json!({"do": "maneuver", "unit": "23rd", "steps": []}));
    assert_eq!(live.next()["rev"], 4);
    let undone = table.ask(&format!("/api/games/{game}/undo"), Some(token), Some(&json!({})));
    assert_eq!(undone.status, 200, "{}", undone.body);
    let update = live.next();
    assert_eq!((&update["rev"], &update["from"]), (&json!(5), &json!(3)));
    assert!(update["entries"].as_array().unwrap().is_empty());
}

#[test]
fn a_game_is_the_same_after_the_server_was_stopped() {
    let mut table = Table::new();
    let made = table.make(&json!({"kind": "hot-seat"}));
    let (game, token) = (text(&made, "game").to_owned(), text(&made, "token").to_owned());
    let path = format!("/api/games/{game}");
    for order in
        [check("33rd"), json!({"do": "maneuver", "unit": "33rd", "steps": []}), check("23rd")]
    {
        let body =
            json!({"order": order, "key": order.to_string().chars().take(60).collect::<String>()});
        assert_eq!(table.ask(&format!("{path}/orders"), Some(&token), Some(&body)).status, 200);
    }
    let undo = table.ask(&format!("{path}/undo"), Some(&token), Some(&json!({})));
    assert_eq!(undo.status, 400, "a die has fallen");
    let before = table.ask(&path, Some(&token), None).json();
    let save = table.ask(&format!("{path}/save"), Some(&token), None).body;
    table.stop();
    let folder = std::mem::replace(&mut table.folder, tempfile::tempdir().unwrap());
    let again = Table::over(folder);
    let after = again.ask(&path, Some(&token), None).json();
    assert_eq!(before, after);
    assert_eq!(again.ask(&format!("{path}/save"), Some(&token), None).body, save);
    // The dice go on where they were: the same seed, the next number.
    let verified = engine::save::read(&engine::Library::default(), &save).unwrap();
    assert_eq!(verified.journal.records().len(), 3);
}

/// One file of house rules, whatever it is called.
struct House(&'static str);

impl engine::Shelf for House {
    fn fetch(&self, _: &str) -> Result<String, String> {
        Ok(self.0.to_owned())
    }

    fn beside(&self, _: &str, extends: &str) -> String {
        extends.to_owned()
    }
}

#[test]
fn a_save_is_loaded_and_a_moment_branched() {
    let table = Table::new();
    let made = table.make(&json!({"kind": "hot-seat"}));
    let (game, token) = (text(&made, "game"), Some(text(&made, "token")));
    let path = format!("/api/games/{game}");
    table.ask(&format!("{path}/orders"), token, Some(&json!({"order": check("33rd")})));
    let save = table.ask(&format!("{path}/save"), token, None).body;
    let load = json!({"save": save, "mode": {"kind": "hot-seat"}});
    let loaded = table.ask("/api/games", None, Some(&load)).json();
    let there = format!("/api/games/{}", text(&loaded, "game"));
    let opened = table.ask(&there, Some(text(&loaded, "token")), None).json();
    assert_eq!(opened["now"]["entries"].as_array().unwrap().len(), 1);
    assert!(opened["commitment"].is_null(), "these dice came from elsewhere");
    // House rules are kept in saves, but not by a server.
    let (_, training) = engine::SCENARIOS.iter().find(|s| s.0 == "training-15mm").unwrap();
    let house = House("extends = \"rff-awi-15mm\"\n");
    let ruled = training.replace("book = \"rff-awi-15mm\"", "book = \"club.toml\"");
    let ruled =
        engine::Scenario::read(&engine::Library::new(Box::new(house)), "s.toml", &ruled).unwrap();
    let ruled = engine::game::Game::new(ruled, dice::stream::Source::seeded("h"));
    let ruled = engine::save::write(&ruled.scenario, &ruled.journal, None, false);
    let ruled = json!({"save": ruled, "mode": {"kind": "hot-seat"}});
    let refused = table.ask("/api/games", None, Some(&ruled));
    assert!(refused.status == 400 && refused.body.contains("house rules"), "{}", refused.body);
    let broken = json!({"save": &save[..100], "mode": {"kind": "hot-seat"}});
    let refused = table.ask("/api/games", None, Some(&broken));
    assert_eq!(refused.status, 400, "{}", refused.body);
    let branch = json!({"n": 0, "mode": {"kind": "hot-seat"}});
    let branched = table.ask(&format!("{path}/branch"), token, Some(&branch)).json();
    let there = format!("/api/games/{}", text(&branched, "game"));
    let opened = table.ask(&there, Some(text(&branched, "token")), None).json();
    assert!(opened["now"]["entries"].as_array().unwrap().is_empty());
}

#[test]
fn the_computer_plays_its_side_until_the_player_is_asked() {
    let table = Table::new();
    let mode = json!({"kind": "general", "side": "american", "level": "recruit"});
    let made = table.make(&mode);
    let (game, token) = (text(&made, "game"), text(&made, "token"));
    let mut live = table.follow(game, token, None);
    for _ in 0..400 {
        let update = live.next();
        if update["view"]["awaiting"] == "american" {
            assert!(update["rev"].as_u64().unwrap() > 0);
            return;
        }
    }
    unreachable!("the player was never asked");
}

#[test]
fn limits_hold() {
    let table = Table::with(Limits { games: 2, live: 1, rate: 3, ..Limits::default() });
    let mode = json!({"kind": "hot-seat"});
    let made = table.make(&mode);
    table.make(&mode);
    let body = json!({"scenario": "training-15mm", "mode": mode});
    assert_eq!(table.ask("/api/games", None, Some(&body)).status, 429, "two games are all");
    let (game, token) = (text(&made, "game"), text(&made, "token"));
    let mut first = table.follow(game, token, None);
    first.next();
    let path = format!("/api/games/{game}/live");
    assert_eq!(table.ask(&path, Some(token), None).status, 429, "one connection is all");
    let many = (0..60).map(|_| table.ask("/api/scenarios", None, None).status);
    assert!(many.into_iter().any(|s| s == 429), "a burst of thirty is all");
}

#[test]
fn the_dice_of_a_battle_are_weighed_when_it_is_over() {
    let table = Table::new();
    let made = table.make(&json!({"kind": "hot-seat"}));
    let early = format!("/api/games/{}/luck", text(&made, "game"));
    assert_eq!(table.ask(&early, Some(text(&made, "token")), None).status, 403);
    let scenario =
        engine::Scenario::built_in(&engine::Library::default(), "training-15mm").unwrap().unwrap();
    let mut journal = journal::Journal::new(scenario.battle.clone());
    let mut dice = dice::stream::Source::seeded("weighed");
    engine::auto::play(&mut journal, "weighed", &mut dice, |_| {}).unwrap();
    let save = engine::save::write(&scenario, &journal, Some("weighed"), true);
    let load = json!({"save": save, "mode": {"kind": "hot-seat"}});
    let loaded = table.ask("/api/games", None, Some(&load)).json();
    let path = format!("/api/games/{}/luck", text(&loaded, "game"));
    let luck = table.ask(&path, Some(text(&loaded, "token")), None).json();
    let number = |key: &str| luck[key].as_f64().unwrap();
    let whole = number("start") + number("dice") + number("generalship");
    assert!((whole - number("end")).abs() < 1e-6, "{luck}");
    let throws = luck["throws"].as_array().unwrap();
    let gained: f64 = throws
        .iter()
        .map(|t| t["actual"].as_f64().unwrap() - t["expected"].as_f64().unwrap())
        .sum();
    assert!((gained - number("dice")).abs() < 1e-6 && throws.len() > 20);
}
