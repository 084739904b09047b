//! Games that are kept, let go, deleted and found again.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod common;

use std::time::Duration;

use common::{Answer, Table, order};
use serde_json::{Value, json};
use server::Limits;

fn make(table: &Table, scenario: &str) -> Answer {
    let body = json!({"scenario": scenario, "mode": {"kind": "hot-seat"}});
    table.ask("/api/games", None, Some(&body))
}

fn seat(made: &Value) -> (String, String) {
    let text = |key: &str| made[key].as_str().unwrap().to_owned();
    (format!("/api/games/{}", text("game")), text("token"))
}

fn check(table: &Table, (path, token): &(String, String), unit: &str) -> Answer {
    let body = json!({"order": {"do": "check", "units": [unit]}});
    table.ask(&format!("{path}/orders"), Some(token), Some(&body))
}

fn delete(table: &Table, path: &str, token: &str) -> u16 {
    table.by("DELETE", path, &format!("authorization: Bearer {token}\r\n")).status
}

#[test]
fn one_address_makes_so_many_games_an_hour() {
    let table = Table::with(Limits { games_an_hour: 3, ..Limits::wide() });
    for _ in 0..3 {
        assert_eq!(make(&table, "training-15mm").status, 200);
    }
    let refused = make(&table, "training-15mm");
    assert_eq!(refused.status, 429, "{}", refused.body);
    let wait = refused.head.split("retry-after: ").nth(1).unwrap().lines().next().unwrap();
    assert!(wait.parse::<u64>().unwrap() > 60, "{wait}");
}

#[test]
fn one_address_keeps_so_many_games_and_deletes_what_it_does_not_want() {
    let table = Table::with(Limits { games_of_one: 2, ..Limits::wide() });
    let first = make(&table, "training-15mm").json();
    make(&table, "training-15mm").json();
    let refused = make(&table, "training-15mm");
    assert!(refused.status == 429 && refused.body.contains("delete"), "{}", refused.body);
    let (path, token) = seat(&first);
    // A branch and a save are games too.
    let branch = json!({"n": 0, "mode": {"kind": "hot-seat"}});
    assert_eq!(table.ask(&format!("{path}/branch"), Some(&token), Some(&branch)).status, 429);
    // Who looks on deletes nothing.
    assert_eq!(delete(&table, &path, first["watch"].as_str().unwrap()), 403);
    let mut live = table.follow(first["game"].as_str().unwrap(), &token, None);
    live.next();
    assert_eq!(delete(&table, &path, &token), 204);
    assert!(live.ended(), "those who follow are told that it is gone");
    assert_eq!(table.ask(&path, Some(&token), None).status, 404);
    assert_eq!(delete(&table, &path, &token), 404);
    assert_eq!(make(&table, "training-15mm").status, 200);
}

#[test]
fn the_games_of_one_address_take_so_much_room() {
    let table = Table::with(Limits { bytes_of_one: 30_000, ..Limits::wide() });
    let mut made = 0;
    while make(&table, "tuyuti").status == 200 {
        made += 1;
        assert!(made < 10, "there is an end of it");
    }
    assert!(made >= 1 && make(&table, "tuyuti").body.contains("MB"));
}

#[test]
fn a_game_that_nobody_ever_played_is_deleted_after_a_while() {
    let table = Table::with(Limits {
        unplayed: Duration::from_secs(3),
        round: Duration::from_millis(300),
        ..Limits::wide()
    });
    let [unplayed, played, watched] = [(); 3].map(|()| seat(&make(&table, "training-15mm").json()));
    assert_eq!(check(&table, &played, "33rd").status, 200);
    let mut live = table.follow(watched.0.rsplit('/').next().unwrap(), &watched.1, None);
    live.next();
    let status = |(path, token): &(String, String)| table.ask(path, Some(token), None).status;
    for _ in 0..200 {
        if status(&unplayed) == 404 {
            break;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    assert_eq!([&unplayed, &played, &watched].map(status), [404, 200, 200]);
}

/// Far more games than fit are all there, and who follows one hears of it though it was let go.
#[test]
fn games_in_memory_keep_to_their_budget() {
    let budget = 2 << 20;
    let limits = Limits { memory: budget, round: Duration::from_millis(200), ..Limits::wide() };
    let table = Table::with(limits);
    let first = seat(&make(&table, "training-15mm").json());
    let mut live = table.follow(first.0.rsplit('/').next().unwrap(), &first.1, None);
    assert_eq!(live.next()["rev"], 0);
    let games: Vec<_> = (0..40).map(|_| seat(&make(&table, "training-15mm").json())).collect();
    let count = |name: &str| {
        let all = table.ask("/metrics", None, None).body;
        let line = all.lines().find_map(|l| l.strip_prefix(name)).unwrap().trim().to_owned();
        line.parse::<usize>().unwrap()
    };
    for game in &games {
        assert_eq!(check(&table, game, "33rd").status, 200);
        assert!(count("linstock_games_bytes ") < budget + (1 << 20));
    }
    assert!(count("linstock_games_in_memory ") < 20);
    assert_eq!(check(&table, &first, "33rd").status, 200);
    assert_eq!(live.next()["rev"], 1);
    for (path, token) in &games {
        assert_eq!(table.ask(path, Some(token), None).json()["now"]["rev"], 1);
    }
}

#[test]
fn what_was_taken_back_can_be_done_again_after_a_restart() {
    let table = Table::new();
    let game = seat(&make(&table, "training-15mm").json());
    assert_eq!(check(&table, &game, "33rd").status, 200);
    let (path, token) = (game.0.as_str(), Some(game.1.as_str()));
    for order in [
        json!({"do": "maneuver", "unit": "33rd", "steps": [{"step": "advance", "inches": 1}]}),
        json!({"do": "maneuver", "unit": "33rd", "steps": []}),
    ] {
        let done = table.ask(&format!("{path}/orders"), token, Some(&json!({"order": order})));
        if done.status != 200 {
            assert!(done.status == 422, "{}", done.body);
        }
    }
    let before = table.ask(path, token, None).json()["now"].clone();
    let undone = table.ask(&format!("{path}/undo"), token, Some(&json!({"key": "u"})));
    assert_eq!(undone.status, 200, "{}", undone.body);
    let table = table.again();
    assert_eq!(
        table.ask(&format!("{path}/undo"), token, Some(&json!({"key": "u"}))).json()["repeated"],
        true
    );
    let redone = table.ask(&format!("{path}/redo"), token, Some(&json!({})));
    assert_eq!(redone.status, 200, "{}", redone.body);
    let after = table.ask(path, token, None).json()["now"].clone();
    assert_eq!((&after["entries"], &after["view"]), (&before["entries"], &before["view"]));
}

/// Changes a line of the journal of a server that has stopped.
fn alter(table: &Table, sql: &'static str) {
    let file = table.folder.path().join("games/linstock.db");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        use sqlx::Connection as _;
        let at = format!("sqlite://{}", file.display());
        let mut connection = sqlx::SqliteConnection::connect(&at).await.unwrap();
        let done = sqlx::query(sql).execute(&mut connection).await.unwrap();
        assert_eq!(done.rows_affected(), 1, "{sql}");
        connection.close().await.unwrap();
    });
}

#[test]
fn a_journal_that_was_altered_is_not_gone_on_with() {
    for (sql, line) in [
        (
            "UPDATE journal SET entry = replace(entry, '\"dice\":[', '\"dice\":[1,') WHERE rev = 2",
            2,
        ),
        ("UPDATE journal SET entry = 'undo' WHERE rev = 2", 2),
        ("UPDATE journal SET seal = 'x' WHERE rev = 3", 3),
        ("DELETE FROM journal WHERE rev = 2", 2),
        ("UPDATE game SET seed = 'x'", 1),
        ("UPDATE game SET scenario_text = scenario_text || ' '", 1),
    ] {
        let mut table = Table::new();
        let game = seat(&make(&table, "training-15mm").json());
        for _ in 0..4 {
            let now = table.ask(&game.0, Some(&game.1), None).json()["now"]["view"].clone();
            let body = json!({"order": order(&now)});
            let done = table.ask(&format!("{}/orders", game.0), Some(&game.1), Some(&body));
            assert_eq!(done.status, 200, "{}", done.body);
        }
        table.stop();
        alter(&table, sql);
        let table = table.again();
        let opened = table.ask(&game.0, Some(&game.1), None);
        assert_eq!(opened.status, 500, "{sql}");
        let says = opened.json()["message"].as_str().unwrap().to_owned();
        assert!(says.contains(&format!("from line {line} on")), "{sql}: {says}");
        // The others are none the worse.
        assert_eq!(make(&table, "training-15mm").status, 200);
    }
}

/// The luck of a finished battle is weighed once, and however many ask, others are served.
#[test]
fn many_who_weigh_their_luck_keep_nobody_from_playing() {
    let table = Table::new();
    let scenario =
        engine::Scenario::built_in(&engine::Library::default(), "training-15mm").unwrap().unwrap();
    let mut journal = journal::Journal::new(scenario.battle.clone());
    let mut dice = dice::stream::Source::seeded("luck");
    engine::auto::play(&mut journal, "luck", &mut dice, |_| {}).unwrap();
    let save = engine::save::write(&scenario, &journal, Some("luck"), true);
    let load = json!({"save": save, "mode": {"kind": "hot-seat"}});
    let finished: Vec<_> =
        (0..6).map(|_| seat(&table.ask("/api/games", None, Some(&load)).json())).collect();
    let mode = json!({"kind": "general", "side": "american", "level": "recruit"});
    let made = table.make(&mode);
    let at = table.at;
    std::thread::scope(|scope| {
        let asked: Vec<_> = (0..60)
            .map(|n| {
                let (path, token) = finished[n % finished.len()].clone();
                scope.spawn(move || {
                    let answer = common::ask(at, &format!("{path}/luck"), Some(&token), None);
                    (n % 6, answer.status, answer.body)
                })
            })
            .collect();
        let mut live =
            table.follow(made["game"].as_str().unwrap(), made["token"].as_str().unwrap(), None);
        while live.next()["view"]["awaiting"] != "american" {}
        let mut all: Vec<_> = asked.into_iter().map(|a| a.join().unwrap()).collect();
        all.sort();
        assert!(all.iter().all(|(_, status, _)| *status == 200));
        for same in all.chunk_by(|a, b| a.0 == b.0) {
            assert!(same.iter().all(|(.., body)| *body == same[0].2));
        }
    });
}
