//! Brief updates: who keeps what has not changed has the same table before him as who is told all.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod common;

use common::{Table, order};
use serde_json::{Value, json};

/// Puts what a brief view names in place of what is known.
fn merged(known: &Value, update: &Value) -> Value {
    let mut view = update["view"].clone();
    for list in ["units", "leaders"] {
        let news = view[list].as_array().unwrap().clone();
        let all = known[list].as_array().unwrap().iter();
        let all = all.map(|old| news.iter().find(|n| n["id"] == old["id"]).unwrap_or(old).clone());
        view[list] = all.collect();
    }
    view
}

#[test]
fn brief_answers_add_up_to_the_whole_table() {
    let table = Table::new();
    let made = table.make(&json!({"kind": "hot-seat"}));
    let (game, token) = (made["game"].as_str().unwrap(), made["token"].as_str());
    let path = format!("/api/games/{game}");
    let opened = table.ask(&path, token, None).json();
    assert!(opened["now"]["since"].is_null());
    let mut view = opened["now"]["view"].clone();
    let (mut left_out, mut taken_back) = (0, 0);
    for rev in 0..120_u64 {
        let (to, body) = if rev % 7 == 6 && view["undo"] != 0 {
            taken_back += 1;
            ("undo", json!({"after": null, "brief": true}))
        } else {
            ("orders", json!({"order": order(&view), "brief": true}))
        };
        let done = table.ask(&format!("{path}/{to}"), token, Some(&body));
        assert_eq!(done.status, 200, "{}", done.body);
        let update = &done.json()["update"];
        assert_eq!(update["since"], rev);
        let all = view["units"].as_array().unwrap().len();
        left_out += all - update["view"]["units"].as_array().unwrap().len();
        view = merged(&view, update);
        let whole = table.ask(&path, token, None).json();
        assert_eq!(view, whole["now"]["view"], "after order {rev}");
    }
    assert!(left_out > 600, "{left_out} of 120 times twelve");
    assert!(taken_back > 3, "{taken_back}");
}

#[test]
fn who_claims_to_have_seen_the_future_is_told_all() {
    let table = Table::new();
    let made = table.make(&json!({"kind": "hot-seat"}));
    let (game, token) = (made["game"].as_str().unwrap(), made["token"].as_str().unwrap());
    let path = format!("/api/games/{game}/live?brief=true");
    let first = |seen| table.follow_at(&path, token, seen).next();
    let units = |update: &Value| update["view"]["units"].as_array().unwrap().len();
    assert!(units(&first(None)) > 0, "who has seen nothing is told all");
    assert_eq!(units(&first(Some(0))), 0);
    assert!(units(&first(Some(99))) > 0);
    assert!(first(Some(99))["since"].is_null());
}
