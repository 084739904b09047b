//! Keeping a game in plain text in a file, after every order.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use engine::game::Game;
use engine::save;

use crate::battle::write;
use crate::failure::Failure;
use crate::serve::data_folder;

/// Where a game is kept by itself.
pub(crate) struct Keeper {
    file: PathBuf,
    /// Whether it is a file of ours, where an older game of the same scenario may lie.
    ours: bool,
    kept: Option<usize>,
}

impl Keeper {
    /// The file the player named; else one for the scenario, among this program's data.
    pub(crate) fn new(named: Option<&Path>, game: &Game, goes_on: Option<&Path>) -> Self {
        let begun = Some(game.journal.records().len());
        if let Some(file) = named {
            return Self { file: file.to_owned(), ours: false, kept: None };
        }
        let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        let name: String = game.scenario.id.chars().filter(|c| fits(*c)).take(40).collect();
        let file = data_folder().join("play").join(format!("{name}.save"));
        // Who goes on with that very file does not put it aside.
        let same = |one: &Path| one.canonicalize().ok() == file.canonicalize().ok();
        let ours = !goes_on.is_some_and(same);
        Self { file, ours, kept: begun }
    }

    pub(crate) fn file(&self) -> &Path {
        &self.file
    }

    /// Keeps the game if something has changed since; says so if it cannot be kept, and goes on.
    pub(crate) fn keep(
        &mut self,
        out: &mut impl Write,
        game: &Game,
        seed: Option<&String>,
        changed: bool,
    ) -> io::Result<()> {
        let now = game.journal.records().len();
        if self.kept == Some(now) && !changed {
            return Ok(());
        }
        self.kept = Some(now);
        let done = self.make_room().and_then(|()| put(&self.file, game, seed));
        if let Err(Failure::Said(why)) = done {
            writeln!(out, "The game was not kept: {why}. It goes on; type save FILE to keep it.")?;
        }
        Ok(())
    }

    /// The folder of our own files, and the game before this one put aside.
    fn make_room(&mut self) -> Result<(), Failure> {
        if !std::mem::take(&mut self.ours) {
            return Ok(());
        }
        let said = |e: io::Error| Failure::Said(format!("{}: {e}", self.file.display()));
        if let Some(folder) = self.file.parent() {
            fs::create_dir_all(folder).map_err(said)?;
        }
        if self.file.exists() {
            fs::rename(&self.file, self.file.with_extension("before.save")).map_err(said)?;
        }
        Ok(())
    }
}

/// Writes the game to a file.
pub(crate) fn put(file: &Path, game: &Game, seed: Option<&String>) -> Result<(), Failure> {
    let seed = seed.map(String::as_str);
    let over = game.now().ending().is_some();
    write(file, &save::write(&game.scenario, &game.journal, seed, over))
}
