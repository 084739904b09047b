//! What the README and the docs show is true.
#![allow(clippy::expect_used, clippy::panic)]

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn page(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name)).expect(name)
}

/// The commands of a page that begin so, with their continued lines joined.
fn commands(page: &str, begin: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        if !line.starts_with("    ") || !line.trim_start().starts_with(begin) {
            continue;
        }
        let mut command = line.trim().to_owned();
        while command.ends_with('\\') {
            command.pop();
            command.push_str(lines.next().unwrap_or("").trim());
        }
        found.push(command);
    }
    found
}

/// The first block of a page in a language.
fn block(page: &str, language: &str) -> String {
    let start = format!("```{language}\n");
    let from = page.find(&start).expect("a block") + start.len();
    let to = page[from..].find("```").expect("its end") + from;
    page[from..to].to_owned()
}

fn shell(command: &str, folder: &Path) -> Output {
    let binary = PathBuf::from(env!("CARGO_BIN_EXE_linstock"));
    let path = binary.parent().expect("a folder").to_string_lossy().into_owned();
    let path = format!("{path}:{}", std::env::var("PATH").unwrap_or_default());
    Command::new("sh")
        .args(["-c", command])
        .env("PATH", path)
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .expect("a shell")
}

/// The README's first command serves the page, and ends cleanly when it is told to.
#[test]
fn the_first_command_serves_the_page() {
    let readme = page("README.md");
    assert_eq!(commands(&readme, "cargo run -- ")[0], "cargo run -- serve");
    let folder = tempfile::tempdir().expect("a folder");
    let mut server = Command::new(env!("CARGO_BIN_EXE_linstock"))
        .args(["serve", "--no-open", "--port", "0", "--data"])
        .arg(folder.path())
        .stdout(Stdio::piped())
        .spawn()
        .expect("a server");
    let mut out = BufReader::new(server.stdout.take().expect("its words"));
    let mut line = String::new();
    out.read_line(&mut line).expect("a line");
    let address = line.split_whitespace().find_map(|w| w.strip_prefix("http://"));
    let address = address.expect("an address").to_owned();
    let get = |path: &str| {
        let mut stream = TcpStream::connect(&address).expect("the server");
        write!(stream, "GET {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n")
            .expect("sent");
        let mut text = String::new();
        stream.read_to_string(&mut text).expect("an answer");
        text
    };
    assert!(get("/").to_lowercase().contains("<!doctype html>"));
    assert!(get("/api/scenarios").contains("\"cowpens\""));
    let told = Command::new("kill").args(["-TERM", &server.id().to_string()]).status();
    assert!(told.expect("kill").success());
    assert!(server.wait().expect("its end").success());
    assert!(folder.path().join("linstock.db").exists());
}

#[test]
fn the_odds_are_answered_as_shown() {
    let readme = page("README.md");
    let first = commands(&readme, "cargo run -- odds ");
    assert_eq!(first.len(), 1, "{first:?}");
    let args = first[0].strip_prefix("cargo run -- ").expect("its arguments");
    let output = shell(&format!("linstock {args}"), Path::new("."));
    assert!(output.status.success());
    assert_eq!(String::from_utf8_lossy(&output.stdout), block(&readme, ""));
}

#[test]
fn every_command_of_the_pages_works() {
    let folder = tempfile::tempdir().expect("a folder");
    let readme = page("README.md");
    fs::write(folder.path().join("club.toml"), block(&readme, "toml")).expect("room");
    let mut ran = 0;
    for name in ["README.md", "docs/requests.md", "docs/house-rules.md", "docs/lab.md"] {
        let text = page(name);
        for command in commands(&text, "linstock ").into_iter().chain(commands(&text, "echo '{")) {
            let output = shell(&command, folder.path());
            let said = String::from_utf8_lossy(&output.stdout);
            assert!(
                output.status.success(),
                "{name}: {command}: {}",
                String::from_utf8_lossy(&output.stderr)
            );
            assert!(!said.contains("\"error\""), "{name}: {command}: {said}");
            ran += 1;
        }
    }
    assert!(ran >= 7, "only {ran} commands were found");
}

#[test]
fn the_house_rules_shown_are_good_ones() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["README.md", "docs/house-rules.md"] {
        fs::write(folder.path().join("club.toml"), block(&page(name), "toml")).expect("room");
        let output = shell("linstock book diff rff-awi-25mm club.toml", folder.path());
        assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
        assert!(String::from_utf8_lossy(&output.stdout).contains("fire.modifier.fortified"));
    }
}

#[test]
fn the_pages_count_right() {
    let cases: usize =
        engine::BOOKS.iter().map(|b| engine::ledger::cases(b).expect("cases").len()).sum();
    let thousands = format!("{},{:03}", cases / 1000, cases % 1000);
    for name in ["README.md", "CHANGELOG.md"] {
        assert!(
            page(name).contains(&format!("{thousands} cases")),
            "{name} should say {thousands} cases"
        );
    }
}
