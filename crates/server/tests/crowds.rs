//! Many at once, slow ones, and those who send what nobody wants.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod common;

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use common::{Table, raw};
use serde_json::json;
use server::Limits;

const SAFE: [&str; 5] = [
    "content-security-policy: default-src 'self'",
    "x-content-type-options: nosniff",
    "referrer-policy: no-referrer",
    "x-frame-options: deny",
    "cross-origin-opener-policy: same-origin",
];

fn safe(head: &str, what: &str) {
    for header in SAFE {
        assert!(head.contains(header), "{what} lacks {header}: {head}");
    }
}

/// An answer to somebody at another address of this machine.
fn from_elsewhere(at: SocketAddr) -> String {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let mut stream = runtime.block_on(async {
        let socket = tokio::net::TcpSocket::new_v4().unwrap();
        socket.bind("127.0.0.9:0".parse().unwrap()).unwrap();
        socket.connect(at).await.unwrap().into_std().unwrap()
    });
    stream.set_nonblocking(false).unwrap();
    write!(stream, "GET /health HTTP/1.1\r\nhost: {at}\r\nconnection: close\r\n\r\n").unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    text
}

#[test]
fn one_address_has_so_many_connections_and_others_have_theirs() {
    let table = Table::with(Limits { connections_of_one: 8, ..Limits::wide() });
    let idle: Vec<_> = (0..8).map(|_| TcpStream::connect(table.at).unwrap()).collect();
    std::thread::sleep(Duration::from_millis(200));
    let refused = raw(table.at, b"");
    assert_eq!(refused.status, 429, "{}", refused.head);
    assert!(refused.head.contains("retry-after: ") && refused.body.contains("close some"));
    safe(&refused.head, "a connection that was refused");
    assert!(from_elsewhere(table.at).ends_with("ok"));
    drop(idle);
    for _ in 0..50 {
        if table.ask("/health", None, None).status == 200 {
            return;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    unreachable!("those who went away are still counted");
}

#[test]
fn behind_a_proxy_each_player_is_one() {
    let limits = Limits { rate: 3, connections_of_one: 4, ..Limits::wide() };
    let table = Table::behind(&["127.0.0.0/8"], limits);
    let from = |who: &str, path: &str, token: &str| {
        let seat = format!("authorization: Bearer {token}\r\n");
        table.by("GET", path, &format!("x-forwarded-for: 9.9.9.9, {who}\r\n{seat}"))
    };
    let busy = (0..60).any(|_| from("1.2.3.4", "/api/scenarios", "-").status == 429);
    assert!(busy, "a burst of thirty is all he has");
    assert_eq!(from("1.2.3.5", "/api/scenarios", "-").status, 200, "another has his own");
    // The proxy itself has as many connections as it likes.
    let open: Vec<_> = (0..20).map(|_| TcpStream::connect(table.at).unwrap()).collect();
    assert_eq!(from("1.2.3.6", "/health", "-").status, 200);
    drop(open);
    // Each player follows so often and no more.
    let body = json!({"scenario": "training-15mm", "mode": {"kind": "hot-seat"}});
    let made = table.ask("/api/games", None, Some(&body)).json();
    let (game, token) = (made["game"].as_str().unwrap(), made["token"].as_str().unwrap());
    let follow = |who: &str| {
        let mut stream = TcpStream::connect(table.at).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
        write!(
            stream,
            "GET /api/games/{game}/live HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {token}\r\n\
             x-forwarded-for: {who}\r\n\r\n",
            table.at
        )
        .unwrap();
        let mut head = [0; 12];
        stream.read_exact(&mut head).unwrap();
        (stream, String::from_utf8_lossy(&head[9..]).into_owned())
    };
    let followers: Vec<_> = (0..4).map(|_| follow("1.2.3.7")).collect();
    assert!(followers.iter().all(|(_, status)| status == "200"));
    assert_eq!(follow("1.2.3.7").1, "429");
    assert_eq!(follow("1.2.3.8").1, "200");
    // Counts are for this machine, and these have come from afar.
    assert_eq!(from("127.0.0.1", "/metrics", "-").status, 403);
    assert_eq!(table.ask("/metrics", None, None).status, 200);
}

#[test]
fn health_counts_and_the_page_are_limited_like_all_else() {
    let table = Table::with(Limits { rate: 2, ..Limits::wide() });
    for path in ["/health", "/metrics", "/", "/sheets/rff-awi-15mm"] {
        let refused = (0..60).map(|_| table.ask(path, None, None)).find(|a| a.status == 429);
        let refused = refused.expect("there is an end of it");
        assert!(refused.head.contains("retry-after: 1"), "{}", refused.head);
        safe(&refused.head, path);
    }
}

/// Refusals carry what all answers carry, and what follows on the connection is not taken for a part
/// of what was refused.
#[test]
fn refusals_carry_their_headers_and_leave_the_connection_in_order() {
    let table = Table::with(Limits { body: Duration::from_secs(3), ..Limits::wide() });
    let made = table.make(&json!({"kind": "hot-seat"}));
    let (game, token) = (made["game"].as_str().unwrap(), made["token"].as_str().unwrap());
    let (at, orders) = (table.at, format!("/api/games/{game}/orders"));
    let seat = format!("authorization: Bearer {token}\r\ncontent-type: application/json\r\n");
    let foreign = format!("{seat}origin: http://evil.example\r\n");
    let sized = |n: usize| format!("content-length: {n}\r\n");
    let chunked = "transfer-encoding: chunked\r\n".to_owned();
    let long = "x".repeat(200_000);
    let pieces = format!("{:x}\r\n{long}\r\n0\r\n\r\n", long.len());
    let sent = |text: &str| (sized(text.len()), text.to_owned());
    for (status, line, more, (length, body)) in [
        (400, format!("POST {orders}"), &seat, sent("[]")),
        (401, format!("POST {orders}"), &String::new(), sent("{}")),
        (401, format!("POST {orders}"), &String::new(), sent(&long[..60_000])),
        (403, format!("POST {orders}"), &foreign, sent(&long[..100_000])),
        (404, "GET /api/nothing".to_owned(), &seat, sent("")),
        (404, "GET /nothing.js".to_owned(), &seat, sent("")),
        (405, "PUT /api/games".to_owned(), &seat, sent("{}")),
        (405, format!("GET {orders}"), &seat, sent("")),
        (405, "DELETE /".to_owned(), &seat, sent("")),
        (408, format!("POST {orders}"), &seat, (sized(100), "{".to_owned())),
        (413, format!("POST {orders}"), &seat, sent(&long)),
        (413, format!("POST {orders}"), &seat, (chunked, pieces)),
        (413, "POST /api/games".to_owned(), &seat, (sized(20_000_000), String::new())),
    ] {
        let next = format!("GET /health HTTP/1.1\r\nhost: {at}\r\nconnection: close\r\n\r\n");
        let next = if status == 408 { String::new() } else { next };
        let text = format!("{line} HTTP/1.1\r\nhost: {at}\r\n{more}{length}\r\n{body}{next}");
        let answer = raw(at, text.as_bytes());
        let what = format!("{status} {line} {length}");
        assert_eq!(answer.status, status, "{what}: {} {}", answer.head, answer.body);
        safe(&answer.head, &what);
        let closes = answer.head.contains("connection: close");
        let goes_on = answer.body.contains("HTTP/1.1 200 OK") && answer.body.ends_with("ok");
        assert!(closes != goes_on, "{what}: {} {}", answer.head, answer.body);
        if status == 405 {
            assert!(answer.head.contains("allow: "), "{what}: {}", answer.head);
        }
    }
    assert_eq!(table.ask("/health", None, None).status, 200);
}

#[test]
fn who_does_not_read_what_he_asked_for_is_let_go() {
    let unread = Duration::from_millis(400);
    let table = Table::with(Limits { unread, ..Limits::wide() });
    let body = json!({"scenario": "tuyuti", "mode": {"kind": "hot-seat"}});
    let made = table.ask("/api/games", None, Some(&body)).json();
    let (game, token) = (made["game"].as_str().unwrap(), made["token"].as_str().unwrap());
    let one = format!(
        "GET /api/games/{game} HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {token}\r\n\r\n",
        table.at
    );
    let mut stream = TcpStream::connect(table.at).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    stream.write_all(one.repeat(600).as_bytes()).unwrap();
    // Until the buffers of both ends are full, and the other end has waited long enough: then what is
    // written meets nobody any more.
    for _ in 0..300 {
        std::thread::sleep(Duration::from_millis(100));
        if stream.write_all(b"\r").is_err() {
            break;
        }
    }
    let mut text = Vec::new();
    let _ = stream.read_to_end(&mut text);
    let answers = String::from_utf8_lossy(&text).matches("HTTP/1.1 200").count();
    assert!(answers < 600, "{answers} answers");
}

#[test]
fn names_that_are_not_what_they_seem_are_refused() {
    let table = Table::new();
    let made = table.make(&json!({"kind": "hot-seat"}));
    let path = format!("/api/games/{}/name", made["game"].as_str().unwrap());
    let token = made["token"].as_str();
    for name in ["a\u{202e}b", "a\u{200b}", "\u{2066}a", "\u{feff}a", "a\u{7}", "a\nb", "\u{3164}"]
    {
        let refused = table.ask(&path, token, Some(&json!({"name": name})));
        assert_eq!(refused.status, 400, "{name:?}");
        assert!(refused.body.contains("unseen"), "{name:?}: {}", refused.body);
        let mode = json!({"kind": "hot-seat"});
        let body = json!({"scenario": "training-15mm", "mode": mode, "name": name});
        assert_eq!(table.ask("/api/games", None, Some(&body)).status, 400, "{name:?}");
    }
    for name in ["Željko", "O'Neill", "李 明", "🎲"] {
        assert_eq!(table.ask(&path, token, Some(&json!({"name": name}))).status, 204, "{name}");
    }
}
