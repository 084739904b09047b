//! What the operator of a server does with its games: list, show, export, delete, copy them all.
//! It works beside a server that runs, and without one.

use std::io::Write as _;
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use clap::{Args, Subcommand, ValueHint};
use engine::Library;
use serde_json::json;
use server::operate::{export, games_in};
use server::storage::{Failed, GameRow, Listed, Storage};

use crate::failure::Failure;
use crate::serve::data_folder;

/// Where the games are.
#[derive(Debug, Args)]
pub(crate) struct Data {
    /// The folder the games are kept in [default: Linstock's folder among your data]
    #[arg(long, global = true, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) data: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct Games {
    #[command(subcommand)]
    command: Do,
    #[command(flatten)]
    data: Data,
}

#[derive(Debug, Subcommand)]
enum Do {
    /// List the games of a server: id, age, when something last happened, lines, size, players, title
    List {
        /// Only those nobody ever played
        #[arg(long)]
        unplayed: bool,
        /// As JSON lines
        #[arg(long)]
        json: bool,
    },
    /// Show one game: its scenario, seats, generals and the end of its journal
    Show {
        /// Its id, as in its link
        id: String,
    },
    /// Write a game as a save, which linstock play and the page can open
    Export {
        /// Its id
        id: String,
        /// The file; it must not be there yet
        #[arg(value_hint = ValueHint::FilePath)]
        file: PathBuf,
    },
    /// Delete games for good
    Delete {
        /// Their ids
        #[arg(required = true)]
        ids: Vec<String>,
    },
}

#[derive(Debug, Args)]
pub(crate) struct Backup {
    /// The copy; it must not be there yet
    #[arg(value_hint = ValueHint::FilePath)]
    file: PathBuf,
    #[command(flatten)]
    data: Data,
}

/// As many games as are read at once.
const PAGE: u32 = 500;

fn said(failed: Failed) -> Failure {
    Failure::Said(failed.to_string())
}

/// Opens the games of a folder, does something with them, and closes them.
fn with<T>(
    data: &Data,
    work: impl AsyncFnOnce(&dyn Storage) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .map_err(|e| Failure::Said(e.to_string()))?;
    let folder = data.data.clone().unwrap_or_else(data_folder);
    runtime.block_on(async {
        let storage = games_in(&folder).await.map_err(Failure::Said)?;
        let done = work(&storage).await;
        storage.close().await.map_err(said)?;
        done
    })
}

async fn found(storage: &dyn Storage, id: &str) -> Result<GameRow, Failure> {
    let missing = || Failure::Said(format!("there is no game {id}: see linstock games list"));
    storage.game(id).await.map_err(said)?.ok_or_else(missing)
}

pub(crate) fn games(library: &Library, asked: Games) -> Result<(), Failure> {
    let Games { command, data } = asked;
    with(&data, async |storage| match &command {
        Do::List { unplayed, json } => list(storage, *unplayed, *json).await,
        Do::Show { id } => Ok(show(&found(storage, id).await?)?),
        Do::Export { id, file } => {
            let game = found(storage, id).await?;
            let exported = export(library, game).map_err(Failure::Said)?;
            let new = std::fs::File::create_new(file);
            let mut new = new.map_err(|e| Failure::Said(format!("{}: {e}", file.display())))?;
            new.write_all(exported.save.as_bytes())?;
            for remark in exported.remarks {
                anstream::eprintln!("{remark}");
            }
            Ok(())
        }
        Do::Delete { ids } => {
            // All are there, or none is deleted.
            for id in ids {
                found(storage, id).await?;
            }
            for id in ids {
                storage.delete(id).await.map_err(said)?;
                anstream::println!("deleted {id}");
            }
            Ok(())
        }
    })
}

pub(crate) fn backup(asked: &Backup) -> Result<(), Failure> {
    with(&asked.data, async |storage| {
        storage.backup(&asked.file).await.map_err(said)?;
        anstream::println!("a whole copy is in {}", asked.file.display());
        Ok(())
    })
}

async fn list(storage: &dyn Storage, unplayed: bool, json: bool) -> Result<(), Failure> {
    let only = if unplayed {
        Some(storage.never_played(i64::MAX, u32::MAX).await.map_err(said)?)
    } else {
        None
    };
    let (mut after, mut out) = (String::new(), std::io::stdout().lock());
    loop {
        let page = storage.list(&after, PAGE).await.map_err(said)?;
        let Some(last) = page.last() else { return Ok(()) };
        after.clone_from(&last.id);
        for game in page.iter().filter(|g| only.as_ref().is_none_or(|o| o.contains(&g.id))) {
            writeln!(out, "{}", if json { as_json(game) } else { in_words(game) })?;
        }
    }
}

fn as_json(game: &Listed) -> String {
    let Listed { id, title, made, last, lines, bytes, players } = game;
    json!({"id": id, "title": title, "made": made, "last": last, "lines": lines, "bytes": bytes, "players": players})
        .to_string()
}

fn in_words(game: &Listed) -> String {
    let players = if game.players.is_empty() { "-".into() } else { game.players.join(", ") };
    format!(
        "{}  made {:>9}  last {:>9}  {:>6} lines {:>8} KB  {players}  {}",
        game.id,
        ago(game.made),
        ago(game.last),
        game.lines,
        game.bytes.div_ceil(1024),
        game.title
    )
}

/// How long ago a moment was.
fn ago(when: i64) -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    let seconds = now.saturating_sub(u64::try_from(when).unwrap_or(0));
    match seconds {
        0..=119 => format!("{seconds} s ago"),
        120..=7199 => format!("{} min ago", seconds / 60),
        7200..=172_799 => format!("{} h ago", seconds / 3600),
        _ => format!("{} d ago", seconds / 86400),
    }
}

fn show(game: &GameRow) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{}  {} ({})", game.id, game.title, game.scenario)?;
    for seat in &game.seats {
        let name = if seat.name.is_empty() { "-" } else { &seat.name };
        let maker = if seat.maker { "  (made the game)" } else { "" };
        writeln!(out, "  seat {:<12} {name}{maker}", seat.role)?;
    }
    for (side, level) in &game.generals {
        writeln!(out, "  side {side:<12} the computer ({level})")?;
    }
    writeln!(out, "  {} lines, {} KB", game.journal.len(), game.bytes().div_ceil(1024))?;
    for row in game.journal.iter().skip(game.journal.len().saturating_sub(5)) {
        let entry: String = row.entry.chars().take(100).collect();
        writeln!(out, "  {:>6}  {entry}", row.rev)?;
    }
    Ok(())
}
