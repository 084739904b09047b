//! Requests that nobody sends by mistake.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod common;

use common::{Answer, Table, raw};
use serde_json::json;

/// No answer tells anything of the machine or the program's insides.
fn discreet(answer: &Answer, what: &str) {
    for secret in ["panicked", "/home", "/tmp", "src/", "sqlx", "SELECT", "backtrace"] {
        assert!(!answer.body.contains(secret), "{what}: {}", answer.body);
    }
    assert!(
        answer.status >= 400 && answer.status < 500,
        "{what}: {} {}",
        answer.status,
        answer.body
    );
}

/// A foreign name that leads to this machine would let its pages speak to the server.
#[test]
fn a_foreign_name_is_not_answered_to() {
    let table = Table::new();
    let status = |host: &str| {
        let text =
            format!("GET /api/scenarios HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n");
        raw(table.at, text.as_bytes()).status
    };
    let port = table.at.port();
    for fine in ["127.0.0.1".to_owned(), format!("localhost:{port}"), format!("[::1]:{port}")] {
        assert_eq!(status(&fine), 200, "{fine}");
    }
    for foreign in ["evil.example", "evil.example:80", "localhost.evil.example", ""] {
        assert_eq!(status(foreign), 403, "{foreign}");
    }
}

#[test]
fn bad_requests_get_a_sentence_and_change_nothing() {
    let table = Table::new();
    let made = table.make(&json!({"kind": "hot-seat"}));
    let (game, token) = (made["game"].as_str().unwrap(), made["token"].as_str().unwrap());
    let path = format!("/api/games/{game}");
    let before = table.ask(&path, Some(token), None).body;
    let orders = format!("{path}/orders");
    let bodies = [
        json!({}),
        json!([]),
        json!({"order": 5}),
        json!({"order": {"do": "nonsense"}}),
        json!({"order": {"do": "check"}}),
        json!({"order": {"do": "check", "units": ["nobody"]}}),
        json!({"order": {"do": "check", "units": ["33rd"], "extra": 1}}),
        json!({"order": {"do": "check", "units": ["33rd"]}, "key": ""}),
        json!({"order": {"do": "check", "units": ["33rd"]}, "key": "k".repeat(65)}),
        json!({"order": {"do": "check", "units": ["33rd"]}, "after": -1}),
        json!({"order": {"do": "move-leader", "leader": "webster", "to": [1e300, 2]}}),
        json!({"order": {"do": "maneuver", "unit": "33rd", "steps": [{"step": "advance", "inches": -1e9}]}}),
        json!({"order": {"do": "maneuver", "unit": "33rd", "steps": vec![json!({"step": "about-face"}); 1500]}}),
        json!({"order": {"do": "done", "by": "american"}}),
    ];
    for body in bodies {
        let answer = table.ask(&orders, Some(token), Some(&body));
        discreet(&answer, &body.to_string());
        let message = answer.json()["message"].as_str().unwrap_or_default().to_owned();
        assert!(message.len() > 5, "{}", answer.body);
        for word in ["u64", "f64", "EOF", "struct", "variant", "sequence"] {
            assert!(!message.contains(word), "{message}");
        }
    }
    for (path, body) in [
        ("plan", json!({"unit": "33rd", "to": {"x": 1e12, "y": 0.0}})),
        ("plan", json!({"unit": "33rd", "to": {"x": 1.0, "y": 0.0, "facing": 1e9}})),
        ("plan", json!({"unit": "x".repeat(500), "to": {"x": 1.0, "y": 0.0}})),
        ("preview", json!({"order": null})),
        ("branch", json!({"n": 1, "mode": {"kind": "emperor"}})),
        ("name", json!({"name": "n".repeat(41)})),
        ("name", json!({"name": "a\u{7}b"})),
    ] {
        let answer = table.ask(&format!("/api/games/{game}/{path}"), Some(token), Some(&body));
        discreet(&answer, &format!("{path} {body}"));
    }
    for path in
        ["offers", "offers?of=", "offers?of=%00", "sight?x=NaN&y=1", "sight?x=1", "at/-1", "at/x"]
    {
        let answer = table.ask(&format!("/api/games/{game}/{path}"), Some(token), None);
        discreet(&answer, path);
        assert!(answer.json()["message"].is_string(), "{path}: {}", answer.body);
    }
    assert_eq!(table.ask(&path, Some(token), None).body, before);
}

#[test]
fn games_that_cannot_be_made_are_not() {
    let table = Table::new();
    for body in [
        json!({"mode": {"kind": "hot-seat"}}),
        json!({"scenario": "nowhere", "mode": {"kind": "hot-seat"}}),
        json!({"scenario": "cowpens", "scenario_text": "x", "mode": {"kind": "hot-seat"}}),
        json!({"scenario_text": "id = 1", "mode": {"kind": "hot-seat"}}),
        json!({"save": "not a save", "mode": {"kind": "hot-seat"}}),
        json!({"scenario": "cowpens", "mode": {"kind": "general", "side": "french", "level": "recruit"}}),
        json!({"scenario": "cowpens", "mode": {"kind": "general", "side": "british", "level": "napoleon"}}),
        json!({"scenario": "cowpens", "mode": {"kind": "hot-seat"}, "name": "n".repeat(100)}),
    ] {
        discreet(&table.ask("/api/games", None, Some(&body)), &body.to_string());
    }
}

#[test]
fn what_is_no_request_at_all_is_turned_away() {
    let table = Table::new();
    let made = table.make(&json!({"kind": "hot-seat"}));
    let (game, token) = (made["game"].as_str().unwrap(), made["token"].as_str().unwrap());
    let head = |more: &str, length: usize| {
        format!(
            "POST /api/games/{game}/orders HTTP/1.1\r\nhost: {}\r\nconnection: close\r\nauthorization: Bearer {token}\r\n{more}content-length: {length}\r\n\r\n",
            table.at
        )
    };
    let json = "content-type: application/json\r\n";
    // Half a body of JSON, no JSON, another kind of body, deep nesting.
    for body in ["{\"order\":", "hello", &"[".repeat(20_000), "\u{0}\u{1}"] {
        let bytes = format!("{}{body}", head(json, body.len()));
        discreet(&raw(table.at, bytes.as_bytes()), &body[..body.len().min(20)]);
    }
    let body = "{}";
    discreet(&raw(table.at, format!("{}{body}", head("", body.len())).as_bytes()), "no type");
    // More than an order can be.
    let huge = format!("{{\"order\":\"{}\"}}", "x".repeat(200_000));
    discreet(&raw(table.at, format!("{}{huge}", head(json, huge.len())).as_bytes()), "huge");
    // From another site.
    let body = "{\"order\":{\"do\":\"done\"}}";
    let foreign = head(&format!("{json}origin: http://evil.example\r\n"), body.len());
    let answer = raw(table.at, format!("{foreign}{body}").as_bytes());
    assert_eq!(answer.status, 403, "{}", answer.body);
    for path in [
        "/../../etc/passwd",
        "/assets/../../Cargo.toml",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/api/../linstock.db",
        "/api/games/%2e%2e",
        "/api/nothing",
        "/linstock.db",
    ] {
        let answer = table.ask(path, Some(token), None);
        assert!(!answer.body.contains("root:") && !answer.body.contains("[workspace]"), "{path}");
        assert!(
            answer.status == 404 || answer.status == 401 || answer.body.contains("<!doctype html>"),
            "{path}: {}",
            answer.status
        );
    }
}

#[test]
fn every_answer_carries_the_headers_that_keep_a_page_safe() {
    let table = Table::new();
    for path in ["/", "/api/scenarios", "/api/nothing", "/health", "/metrics"] {
        let answer = table.ask(path, None, None);
        for header in [
            "content-security-policy",
            "x-content-type-options: nosniff",
            "referrer-policy: no-referrer",
        ] {
            assert!(answer.head.contains(header), "{path} has no {header}");
        }
    }
    let metrics = table.ask("/metrics", None, None).body;
    assert!(metrics.contains("linstock_requests_total"));
}

#[test]
fn who_does_not_finish_his_request_is_let_go() {
    use std::io::{Read, Write};
    let head = std::time::Duration::from_millis(300);
    let table = Table::with(server::Limits { head, ..server::Limits::wide() });
    let mut slow = std::net::TcpStream::connect(table.at).unwrap();
    slow.set_read_timeout(Some(std::time::Duration::from_secs(20))).unwrap();
    slow.write_all(b"GET /health HTTP/1.1\r\nhost: here\r\nx-slow: ").unwrap();
    let mut said = Vec::new();
    // The other end closes, with or without a word; it does not wait for more.
    slow.read_to_end(&mut said).unwrap();
    assert!(!said.starts_with(b"HTTP/1.1 200"), "{}", String::from_utf8_lossy(&said));
    assert_eq!(table.ask("/health", None, None).status, 200);
}

#[test]
fn moments_that_were_not_and_pages_that_are_not_written_to() {
    let table = Table::new();
    let made = table.make(&json!({"kind": "hot-seat"}));
    let (game, token) = (made["game"].as_str().unwrap(), made["token"].as_str().unwrap());
    let past = table.ask(&format!("/api/games/{game}/at/1"), Some(token), None);
    assert_eq!(past.status, 404, "{}", past.body);
    assert_eq!(table.ask(&format!("/api/games/{game}/at/0"), Some(token), None).status, 200);
    let branch = json!({"n": 7, "mode": {"kind": "hot-seat"}});
    let branched = table.ask(&format!("/api/games/{game}/branch"), Some(token), Some(&branch));
    assert_eq!(branched.status, 400, "{}", branched.body);
    for path in ["/", "/health"] {
        let written = table.ask(path, None, Some(&json!({})));
        assert_eq!(written.status, 405, "{path}");
        assert!(written.body.contains("GET"), "{path}: {}", written.body);
    }
}

/// The reference sheet of a book is there to print; of another there is none.
#[test]
fn the_sheets_are_served() {
    let server = Table::new();
    let sheet = server.ask("/sheets/rff-awi-15mm", None, None);
    assert_eq!((sheet.status, sheet.body.as_str()), (200, "<p>the sheet</p>"));
    assert_eq!(server.ask("/sheets/..%2f..%2fetc", None, None).status, 404);
}
