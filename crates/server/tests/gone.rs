//! Players who go away in the middle of things.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod common;

use std::io::Write;
use std::net::{Shutdown, TcpStream};
use std::time::Duration;

use common::{Table, order};
use serde_json::json;

#[test]
fn an_order_whose_sender_goes_away_is_carried_through_or_not_begun() {
    let table = Table::new();
    let made = table.make(&json!({"kind": "hot-seat"}));
    let (game, token) = (made["game"].as_str().unwrap(), made["token"].as_str().unwrap());
    let path = format!("/api/games/{game}");
    let seen = |table: &Table| {
        let now = table.ask(&path, Some(token), None).json()["now"].clone();
        (now["rev"].as_u64().unwrap(), now["entries"].as_array().unwrap().len(), now)
    };
    for n in 0..60_u64 {
        let (rev, _, now) = seen(&table);
        if !now["view"]["ending"].is_null() {
            break;
        }
        let body = json!({"order": order(&now["view"]), "after": rev, "key": format!("k{n}")});
        let text = body.to_string();
        let mut stream = TcpStream::connect(table.at).unwrap();
        stream.set_nodelay(true).unwrap();
        write!(
            stream,
            "POST {path}/orders HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {token}\r\n\
             content-type: application/json\r\ncontent-length: {}\r\n\r\n{text}",
            table.at,
            text.len()
        )
        .unwrap();
        // Earlier and later in what the server does with it.
        std::thread::sleep(Duration::from_micros(100 * (n % 30)));
        let _ = stream.shutdown(Shutdown::Both);
        // Sent again under its name it is answered, whatever became of the first.
        let again = table.ask(&format!("{path}/orders"), Some(token), Some(&body));
        assert_eq!(again.status, 200, "order {n}: {}", again.body);
        let (after, entries, _) = seen(&table);
        assert_eq!(after, rev + 1, "order {n}");
        assert_eq!(entries as u64, after, "order {n}");
    }
    // What is in memory is what the journal has.
    let before = seen(&table).2;
    let mut table = table;
    table.stop();
    let folder = std::mem::replace(&mut table.folder, tempfile::tempdir().unwrap());
    let again = Table::over(folder);
    assert_eq!(seen(&again).2, before);
}

#[test]
fn two_generals_fight_while_somebody_looks_on() {
    let table = Table::new();
    let made = table.make(&json!({"kind": "watch", "first": "recruit", "second": "recruit"}));
    let (game, token) = (made["game"].as_str().unwrap(), made["token"].as_str().unwrap());
    // Long enough for the generals to find out that nobody does.
    std::thread::sleep(Duration::from_millis(900));
    let now = table.ask(&format!("/api/games/{game}"), Some(token), None).json();
    assert_eq!(now["now"]["rev"], 0);
    let mut live = table.follow(game, token, None);
    assert_eq!(live.next()["rev"], 0);
    assert_eq!(live.next()["rev"], 1);
    assert_eq!(live.next()["rev"], 2);
}
