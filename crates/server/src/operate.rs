//! What the operator of a server does with its games, through the storage alone.

use std::path::Path;

use engine::Library;

use crate::error::Problem;
use crate::games::exported;
use crate::storage::sqlite::Sqlite;
use crate::storage::{GameRow, Storage};

/// A game as a save.
#[derive(Debug)]
pub struct Exported {
    /// The save.
    pub save: String,
    /// What should be known of it.
    pub remarks: Vec<String>,
}

/// The games in a folder, whether a server serves them at the moment or not.
///
/// # Errors
/// There are none, or they cannot be opened.
pub async fn games_in(folder: &Path) -> Result<impl Storage + use<>, String> {
    let file = folder.join("linstock.db");
    if !file.is_file() {
        return Err(format!("there are no games in {}: say where with --data", folder.display()));
    }
    let open = Sqlite::open(&file, u64::MAX).await;
    open.map_err(|e| format!("{} cannot be opened: {e}", file.display()))
}

/// A game as a save. One whose journal was damaged is exported up to the damage.
///
/// # Errors
/// Why it cannot be read.
pub fn export(library: &Library, game: GameRow) -> Result<Exported, String> {
    let told = |problem: Problem| problem.message();
    exported(library, game).map(|(save, remarks)| Exported { save, remarks }).map_err(told)
}
