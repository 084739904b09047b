//! The server is killed again and again while it plays; nothing that was answered is lost.
//! `LINSTOCK_KILLS` says how often.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod served;

use std::process::Command;
use std::time::{Duration, Instant};

use dice::stream::Seeded;
use serde_json::{Value, json};
use served::{Server, orders};

#[test]
fn what_was_answered_survives_every_kill() {
    let kills: u32 =
        std::env::var("LINSTOCK_KILLS").ok().and_then(|n| n.parse().ok()).unwrap_or(500);
    let folder = tempfile::tempdir().unwrap();
    let mut dice = Seeded::new("kills");
    let (mut game, mut token) = (String::new(), String::new());
    let mut answered: Vec<Value> = Vec::new();
    let (mut all, mut slow) = (0, 4);
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
            (game, token) = server.make();
            answered.clear();
        }
        // Another thread kills it at a moment nobody chose.
        let wait = u64::from(dice.throw(250)) * u64::from(dice.throw(120)) * slow;
        let pid = server.child.id();
        let killer = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_micros(wait));
            Command::new("kill").args(["-9", &pid.to_string()]).status().unwrap();
        });
        let asked = Instant::now();
        let open = server.ask(&format!("/api/games/{game}"), &token, None);
        // On a busy machine everything takes longer, and so does the wait.
        if open.is_some() {
            slow = u64::try_from(asked.elapsed().as_millis()).unwrap_or(1).clamp(5, 50) / 5;
        }
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
