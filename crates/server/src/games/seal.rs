//! Each line of a journal is sealed with all that is before it, as the lines of a save are: whoever
//! alters one, or a disk that does, is noticed when the game is next read.

use crate::storage::{GameRow, JournalRow};

/// What a journal's first line is sealed to: what the game began with.
pub(crate) fn beginning(game: &GameRow) -> String {
    let committed = if game.committed { "committed" } else { "" };
    let generals = game.generals.iter().flat_map(|(side, level)| [side.as_str(), level]);
    let parts = [game.id.as_str(), &game.seed, committed, &game.scenario_text];
    sealed("", parts.into_iter().chain(generals))
}

/// What a line is sealed with, after another seal.
pub(crate) fn of(before: &str, rev: u64, key: Option<&str>, entry: &str) -> String {
    let rev = rev.to_string();
    sealed(
        before,
        [rev.as_str(), if key.is_some() { "key" } else { "" }, key.unwrap_or_default(), entry],
    )
}

/// The parts one after another, each with its length, so that nothing moves from one to the next.
fn sealed<'a>(before: &str, parts: impl IntoIterator<Item = &'a str>) -> String {
    let mut hasher = blake3::Hasher::new();
    hasher.update(before.as_bytes());
    for part in parts {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part.as_bytes());
    }
    hasher.finalize().to_hex()[..32].to_owned()
}

/// The seal of the last line of a journal; or the number of the first line that is not what was
/// written. Lines from before there were seals have none: the next one that has holds them.
pub(crate) fn checked(game: &GameRow) -> Result<String, u64> {
    let mut seal = beginning(game);
    for (n, row) in (1..).zip(&game.journal) {
        let JournalRow { rev, key, entry, seal: kept } = row;
        seal = of(&seal, *rev, key.as_deref(), entry);
        if *rev != n || kept.as_ref().is_some_and(|kept| *kept != seal) {
            return Err(n);
        }
    }
    Ok(seal)
}
