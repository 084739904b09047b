//! The server is killed again and again while it plays; nothing that was answered is lost.
//! `LINSTOCK_KILLS` says how often.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use dice::stream::Seeded;
use serde_json::{Value, json};

struct Server {
    child: Child,
    at: String,
}

impl Server {
    fn start(data: &Path) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_linstock"))
            .args(["serve", "--no-open", "--port", "0", "--rate", "100000", "--data"])
            .arg(data)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let at = line.split_whitespace().find_map(|w| w.strip_prefix("http://"));
        Self { at: at.expect("an address").to_owned(), child }
    }

    /// Asks; nothing, if the server is gone.
    fn ask(&self, path: &str, token: &str, body: Option<&Value>) -> Option<(u16, Value)> {
        let mut stream = TcpStream::connect(&self.at).ok()?;
        stream.set_read_timeout(Some(Duration::from_secs(20))).ok()?;
        let method = if body.is_some() { "POST" } else { "GET" };
        let body = body.map(Value::to_string).unwrap_or_default();
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\nauthorization: Bearer {token}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            self.at,
            body.len()
        )
        .ok()?;
        let mut text = String::new();
        stream.read_to_string(&mut text).ok()?;
        let (head, body) = text.split_once("\r\n\r\n")?;
        let status = head.split_whitespace().nth(1)?.parse().ok()?;
        Some((status, serde_json::from_str(body).ok()?))
    }

    fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

/// Orders that a beginner would give: check, hold, go on.
fn orders(view: &Value, dice: &mut Seeded) -> Value {
    if let Some(choice) = view["choice"].as_object() {
        return choice["offers"][0]["order"].clone();
    }
    let units = view["units"].as_array().unwrap();
    let ready: Vec<&Value> = units.iter().filter(|u| u["may"] != "").collect();
    let done = json!({"do": "done"});
    let Some(unit) = ready.get(usize::from(dice.throw(6)) % ready.len().max(1)) else {
        return done;
    };
    match unit["may"].as_str().unwrap() {
        "to check" => json!({"do": "check", "units": [unit["id"]]}),
        "to fight" => json!({"do": "fight", "unit": unit["id"]}),
        _ if unit["moves"] == true => json!({"do": "maneuver", "unit": unit["id"], "steps": []}),
        _ => done,
    }
}

#[test]
fn what_was_answered_survives_every_kill() {
    let kills: u32 =
        std::env::var("LINSTOCK_KILLS").ok().and_then(|n| n.parse().ok()).unwrap_or(500);
    let folder = tempfile::tempdir().unwrap();
    let mut dice = Seeded::new("kills");
    let (mut game, mut token) = (String::new(), String::new());
    let mut answered: Vec<Value> = Vec::new();
    let mut all = 0;
    for round in 0..kills {
        let server = Server::start(folder.path());
        if !game.is_empty() {
            let (status, opened) = server.ask(&format!("/api/games/{game}"), &token, None).unwrap();
            assert_eq!(status, 200, "{opened}");
            let entries = opened["now"]["entries"].as_array().unwrap();
            assert!(entries.len() >= answered.len(), "round {round}: an answered order is lost");
            assert_eq!(&entries[..answered.len()], &answered[..], "round {round}");
            // At most the one that was on its way is there besides.
            assert!(entries.len() <= answered.len() + 1, "round {round}");
            answered = entries.clone();
        }
        if game.is_empty() || answered.len() > 60 {
            let body = json!({"scenario": "training-15mm", "mode": {"kind": "hot-seat"}});
            let (_, made) = server.ask("/api/games", "-", Some(&body)).unwrap();
            game = made["game"].as_str().unwrap().to_owned();
            token = made["token"].as_str().unwrap().to_owned();
            answered.clear();
        }
        // Another thread kills it at a moment nobody chose.
        let wait = u64::from(dice.throw(250)) * u64::from(dice.throw(120));
        let pid = server.child.id();
        let killer = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_micros(wait));
            Command::new("kill").args(["-9", &pid.to_string()]).status().unwrap();
        });
        let open = server.ask(&format!("/api/games/{game}"), &token, None);
        let mut view = open.map(|(_, o)| o["now"]["view"].clone());
        while let Some(now) = view.take() {
            let order = json!({"order": orders(&now, &mut dice)});
            let Some((status, done)) =
                server.ask(&format!("/api/games/{game}/orders"), &token, Some(&order))
            else {
                break;
            };
            assert_eq!(status, 200, "{done}");
            answered.extend(done["update"]["entries"].as_array().unwrap().iter().cloned());
            all += 1;
            view = Some(done["update"]["view"].clone());
        }
        killer.join().unwrap();
        server.kill();
    }
    assert!(all > kills / 4, "only {all} orders were answered in {kills} rounds");
}
