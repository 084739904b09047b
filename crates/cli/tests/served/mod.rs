//! A server in a process of its own, that can be killed, and the plainest client there is.
#![allow(dead_code, clippy::unwrap_used, clippy::expect_used)]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use dice::stream::Seeded;
use serde_json::{Value, json};

pub(crate) struct Server {
    pub(crate) child: Child,
    pub(crate) at: String,
}

/// The command that serves a folder, with limits no test comes near.
pub(crate) fn command(data: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_linstock"));
    command
        .args([
            "serve",
            "--no-open",
            "--port",
            "0",
            "--rate",
            "100000",
            "--games-an-hour",
            "100000",
        ])
        .arg("--data")
        .arg(data);
    command
}

/// Orders one after another until the server is gone; how many were answered with yes.
pub(crate) fn press(at: &str, (game, token): &(String, String)) -> u64 {
    let (mut dice, mut answered) = (Seeded::new("press"), 0);
    let path = format!("/api/games/{game}");
    loop {
        let Some((200, opened)) = ask(at, &path, token, None) else { return answered };
        let body = json!({"order": orders(&opened["now"]["view"], &mut dice)});
        match ask(at, &format!("{path}/orders"), token, Some(&body)) {
            Some((200, _)) => answered += 1,
            Some(_) => {}
            None => return answered,
        }
    }
}

/// Asks; nothing, if the server is gone.
pub(crate) fn ask(at: &str, path: &str, token: &str, body: Option<&Value>) -> Option<(u16, Value)> {
    let mut stream = TcpStream::connect(at).ok()?;
    stream.set_read_timeout(Some(Duration::from_secs(60))).ok()?;
    let method = if body.is_some() { "POST" } else { "GET" };
    let body = body.map(Value::to_string).unwrap_or_default();
    write!(
        stream,
        "{method} {path} HTTP/1.1\r\nhost: {at}\r\nconnection: close\r\nauthorization: Bearer {token}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
    .ok()?;
    let mut text = String::new();
    stream.read_to_string(&mut text).ok()?;
    let (head, body) = text.split_once("\r\n\r\n")?;
    let status = head.split_whitespace().nth(1)?.parse().ok()?;
    Some((status, serde_json::from_str(body).unwrap_or(Value::Null)))
}

impl Server {
    pub(crate) fn start(data: &Path) -> Self {
        Self::run(&mut command(data))
    }

    /// Starts a server by a command that comes to one.
    pub(crate) fn run(command: &mut Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let at = line.split_whitespace().find_map(|w| w.strip_prefix("http://"));
        Self { at: at.expect("an address").to_owned(), child }
    }

    /// Asks; nothing, if the server is gone.
    pub(crate) fn ask(
        &self,
        path: &str,
        token: &str,
        body: Option<&Value>,
    ) -> Option<(u16, Value)> {
        ask(&self.at, path, token, body)
    }

    /// A game for two at one screen: its id and its token.
    pub(crate) fn make(&self) -> (String, String) {
        let body = json!({"scenario": "training-15mm", "mode": {"kind": "hot-seat"}});
        let (status, made) = self.ask("/api/games", "-", Some(&body)).unwrap();
        assert_eq!(status, 200, "{made}");
        (made["game"].as_str().unwrap().to_owned(), made["token"].as_str().unwrap().to_owned())
    }

    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Asks it to stop, and waits until it has.
    pub(crate) fn stop(mut self) -> bool {
        let pid = self.child.id().to_string();
        Command::new("kill").args(["-TERM", &pid]).status().unwrap();
        self.child.wait().unwrap().success()
    }
}

/// Orders that a beginner would give: check, hold, go on.
pub(crate) fn orders(view: &Value, dice: &mut Seeded) -> Value {
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
