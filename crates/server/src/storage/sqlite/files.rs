//! The files SQLite has open must be those that are found under their names. One that was deleted, or
//! put aside for another, is written to as if nothing had happened, and is gone with the process.

use std::path::{Path, PathBuf};

/// A name beside another.
pub(super) fn beside(file: &Path, ending: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

/// What tells a file from every other, whatever it is called; nothing where the system has no such
/// thing, or there is no such file.
type Identity = Option<(u64, u64)>;

#[cfg(unix)]
fn identity(file: &Path) -> Identity {
    use std::os::unix::fs::MetadataExt as _;
    file.metadata().ok().map(|m| (m.dev(), m.ino()))
}

#[cfg(not(unix))]
fn identity(_: &Path) -> Identity {
    None
}

/// A database with the files beside it, as they were when they were opened.
#[derive(Debug)]
pub(super) struct Files {
    database: (PathBuf, Identity),
    beside: [(PathBuf, Identity); 2],
}

/// What is not there any more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Gone {
    /// The database itself.
    Database,
    /// The write-ahead file, or its index.
    Log,
}

impl Files {
    /// Those of a database that is open.
    pub(super) fn of(database: &Path) -> Self {
        let known = |name: PathBuf| (name.clone(), identity(&name));
        Self {
            database: known(database.to_owned()),
            beside: ["-wal", "-shm"].map(|ending| known(beside(database, ending))),
        }
    }

    /// The write-ahead file was opened anew. The database stays the one it was: another in its place
    /// holds other games than those in memory.
    pub(super) fn opened_again(&mut self) {
        for (name, was) in &mut self.beside {
            *was = identity(name);
        }
    }

    /// Whether all are where they were.
    pub(super) fn there(&self) -> Result<(), Gone> {
        let same = |(name, was): &(PathBuf, Identity)| identity(name) == *was;
        if !same(&self.database) {
            return Err(Gone::Database);
        }
        if self.beside.iter().all(same) { Ok(()) } else { Err(Gone::Log) }
    }
}

#[cfg(all(test, unix))]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::{Files, Gone, beside};

    #[test]
    fn a_file_that_was_deleted_or_exchanged_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let database = folder.path().join("a.db");
        let log = beside(&database, "-wal");
        for name in [&database, &log, &beside(&database, "-shm")] {
            std::fs::write(name, "").unwrap();
        }
        let mut files = Files::of(&database);
        assert_eq!(files.there(), Ok(()));
        let aside = folder.path().join("aside");
        std::fs::rename(&log, &aside).unwrap();
        assert_eq!(files.there(), Err(Gone::Log));
        std::fs::write(&log, "").unwrap();
        assert_eq!(files.there(), Err(Gone::Log));
        files.opened_again();
        assert_eq!(files.there(), Ok(()));
        std::fs::rename(&database, &aside).unwrap();
        assert_eq!(files.there(), Err(Gone::Database));
        std::fs::write(&database, "").unwrap();
        assert_eq!(files.there(), Err(Gone::Database));
        std::fs::rename(&aside, &database).unwrap();
        assert_eq!(files.there(), Ok(()), "it was only moved for a while");
    }
}
