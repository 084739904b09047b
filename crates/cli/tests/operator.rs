//! What the operator of a server does, beside one that runs and without one.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod served;

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};

use dice::stream::Seeded;
use serde_json::{Value, json};
use served::{Server, orders};

fn linstock(data: &Path, words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_linstock"));
    command.args(words).arg("--data").arg(data).output().unwrap()
}

fn says(out: &Output) -> String {
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8_lossy(&out.stdout).into_owned()
}

fn fails(out: &Output) -> String {
    assert!(!out.status.success());
    String::from_utf8_lossy(&out.stderr).into_owned()
}

/// Some orders in a game; its log.
fn play(server: &Server, (game, token): &(String, String), n: usize) -> Value {
    let mut dice = Seeded::new("operator");
    let path = format!("/api/games/{game}");
    for _ in 0..n {
        let view = server.ask(&path, token, None).unwrap().1["now"]["view"].clone();
        let body = json!({"order": orders(&view, &mut dice)});
        let (status, done) = server.ask(&format!("{path}/orders"), token, Some(&body)).unwrap();
        assert_eq!(status, 200, "{done}");
    }
    server.ask(&path, token, None).unwrap().1["now"]["entries"].clone()
}

#[test]
fn games_are_listed_shown_exported_and_deleted_while_the_server_runs() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("games");
    let server = Server::start(&data);
    let (first, second) = (server.make(), server.make());
    let log = play(&server, &first, 6);
    let name = json!({"name": "Nathanael"});
    server.ask(&format!("/api/games/{}/name", first.0), &first.1, Some(&name)).unwrap();

    let list = says(&linstock(&data, &["games", "list"]));
    assert_eq!(list.lines().count(), 2);
    let line = list.lines().find(|l| l.contains(&first.0)).unwrap();
    assert!(line.contains("6 lines") && line.contains("Nathanael"), "{line}");
    let unplayed = says(&linstock(&data, &["games", "list", "--unplayed", "--json"]));
    let one: Value = serde_json::from_str(unplayed.trim()).unwrap();
    assert_eq!(one["id"], second.0);

    let shown = says(&linstock(&data, &["games", "show", &first.0]));
    assert!(shown.contains("Nathanael") && shown.contains("6 lines"), "{shown}");
    assert!(!shown.contains(&first.1), "a token is not shown");

    let save = folder.path().join("game.save");
    let path = save.to_str().unwrap();
    says(&linstock(&data, &["games", "export", &first.0, path]));
    let text = std::fs::read_to_string(&save).unwrap();
    let loaded = json!({"save": text, "mode": {"kind": "hot-seat"}});
    let (status, made) = server.ask("/api/games", "-", Some(&loaded)).unwrap();
    assert_eq!(status, 200, "{made}");
    let again = (made["game"].as_str().unwrap().into(), made["token"].as_str().unwrap().into());
    assert_eq!(play(&server, &again, 0), log);
    let refused = fails(&linstock(&data, &["games", "export", &first.0, path]));
    assert!(refused.contains("game.save"), "{refused}");

    let missing = fails(&linstock(&data, &["games", "delete", &first.0, "00ff"]));
    assert!(missing.contains("00ff") && missing.contains("games list"), "{missing}");
    assert_eq!(play(&server, &first, 0), log, "all, or none");
    says(&linstock(&data, &["games", "delete", &first.0]));
    assert!(!says(&linstock(&data, &["games", "list"])).contains(&first.0));
    // Who still has it before him is told at his next order.
    let path = format!("/api/games/{}", first.0);
    let body = json!({"order": {"do": "done"}});
    assert_ne!(server.ask(&format!("{path}/orders"), &first.1, Some(&body)).unwrap().0, 200);
    assert_eq!(server.ask(&path, &first.1, None).unwrap().0, 404);
    // The others go on.
    play(&server, &second, 2);
    assert!(server.stop());
    assert_eq!(says(&linstock(&data, &["games", "list"])).lines().count(), 2);
}

#[test]
fn a_backup_is_whole_though_the_server_writes_all_the_while() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("games");
    let server = Server::start(&data);
    let game = server.make();
    let copies: Vec<_> = (0..4).map(|n| folder.path().join(format!("copy{n}"))).collect();
    std::thread::scope(|scope| {
        let writes = scope.spawn(|| play(&server, &game, 120));
        for copy in &copies {
            std::fs::create_dir(copy).unwrap();
            let file = copy.join("linstock.db");
            says(&linstock(&data, &["backup", file.to_str().unwrap()]));
            assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600);
        }
        writes.join().unwrap();
    });
    let log = play(&server, &game, 0);
    let there = copies[0].join("linstock.db");
    let refused = fails(&linstock(&data, &["backup", there.to_str().unwrap()]));
    assert!(refused.contains("linstock.db"), "{refused}");
    let nowhere = folder.path().join("nowhere/copy");
    assert!(fails(&linstock(&data, &["backup", nowhere.to_str().unwrap()])).contains("nowhere"));
    assert!(server.stop());
    for copy in &copies {
        let server = Server::start(copy);
        let kept = play(&server, &game, 0);
        let kept = kept.as_array().unwrap();
        assert_eq!(
            log.as_array().unwrap()[..kept.len()],
            kept[..],
            "what there was at that moment"
        );
        assert!(server.stop());
    }
}

#[test]
fn nobody_else_on_the_machine_reads_what_the_server_keeps() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("games");
    // As older versions left it.
    std::fs::create_dir(&data).unwrap();
    for name in ["linstock.db", "linstock.lock"] {
        std::fs::write(data.join(name), "").unwrap();
        std::fs::set_permissions(data.join(name), PermissionsExt::from_mode(0o644)).unwrap();
    }
    let server = Server::start(&data);
    play(&server, &server.make(), 3);
    let mut seen = vec![];
    for file in std::fs::read_dir(&data).unwrap() {
        let file = file.unwrap();
        let mode = file.metadata().unwrap().permissions().mode() & 0o777;
        let name = file.file_name().into_string().unwrap();
        assert_eq!(mode, 0o600, "{name}");
        seen.push(name);
    }
    seen.sort();
    assert_eq!(seen, ["linstock.db", "linstock.db-shm", "linstock.db-wal", "linstock.lock"]);
    assert!(server.stop());
}

#[test]
fn a_folder_without_games_is_told() {
    let folder = tempfile::tempdir().unwrap();
    for words in [&["games", "list"][..], &["backup", "/nowhere/copy"]] {
        let why = fails(&linstock(folder.path(), words));
        assert!(why.contains("--data"), "{why}");
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "none is made");
}
