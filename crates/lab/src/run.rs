//! Many battles, on all cores, in one file that is written in order: whoever ran them, and with
//! how many threads, the file is the same, and a run that was stopped goes on where it was.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, BufWriter, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;

use serde::{Deserialize, Serialize};

use crate::fought::{Fought, Match, fight};

/// What a run is: two files with the same head can be joined.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Head {
    /// Always `battles`.
    pub linstock: String,
    /// The version of the program.
    pub version: String,
    /// The scenario.
    pub scenario: String,
    /// The hash of its text.
    pub scenario_hash: String,
    /// The book, with its house rules.
    pub book: String,
    /// The hash of the book.
    pub book_hash: String,
    /// Who commands each side, with everything that decides how.
    pub players: [String; 2],
    /// The seed.
    pub seed: String,
}

impl Head {
    /// The head of a run.
    #[must_use]
    pub fn of(of: &Match<'_>) -> Self {
        Self {
            linstock: "battles".to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            scenario: of.scenario.id.clone(),
            scenario_hash: of.scenario.hash.clone(),
            book: of.scenario.book.book.id.clone(),
            book_hash: of.scenario.book.book.hash(),
            players: [0, 1].map(|i| of.players[i].fingerprint()),
            seed: of.seed.to_owned(),
        }
    }
}

/// Why a run could not go on.
#[derive(Debug, thiserror::Error)]
pub enum Trouble {
    /// A file could not be read or written.
    #[error("{0}: {1}")]
    File(String, std::io::Error),
    /// The file holds another run.
    #[error("{0}")]
    Other(String),
    /// A battle could not be fought to its end: a fault of the program.
    #[error("{0}; please report it with the seed")]
    Battle(String),
}

/// How a run is done.
pub struct How<'h> {
    /// How many battles in all.
    pub battles: u64,
    /// On how many threads.
    pub threads: usize,
    /// Set to end after the battles that are running.
    pub stop: &'h AtomicBool,
    /// Go on with what the file holds instead of beginning anew.
    pub resume: bool,
}

/// The file of a run, ready for the next battle.
struct Book {
    path: String,
    file: BufWriter<File>,
    done: u64,
}

impl Book {
    /// Opens the file of a run. If it goes on, its battles are told to `each`; a last line that
    /// was cut off is taken away.
    fn open(
        path: &Path,
        head: &Head,
        resume: bool,
        each: &mut dyn FnMut(&Fought),
    ) -> Result<Self, Trouble> {
        let name = path.display().to_string();
        let trouble = |e| Trouble::File(name.clone(), e);
        let first = serde_json::to_string(head).map_err(|e| Trouble::Other(e.to_string()))?;
        if !(resume && path.exists()) {
            // Battles that took an hour are not lost to a command given in a hurry.
            if path.exists() {
                let mut before = path.as_os_str().to_owned();
                before.push(".before");
                std::fs::rename(path, before).map_err(trouble)?;
            }
            let file = File::create(path).map_err(trouble)?;
            let mut file = BufWriter::new(file);
            writeln!(file, "{first}").map_err(|e| Trouble::File(name.clone(), e))?;
            return Ok(Self { path: name, file, done: 0 });
        }
        let file = OpenOptions::new().read(true).write(true).open(path).map_err(trouble)?;
        let mut lines = BufReader::new(&file);
        let (mut line, mut whole, mut done) = (String::new(), 0_u64, 0);
        loop {
            line.clear();
            let long = lines.read_line(&mut line).map_err(|e| Trouble::File(name.clone(), e))?;
            if long == 0 || !line.ends_with('\n') {
                break;
            }
            if whole == 0 {
                if line.trim_end() != first {
                    return Err(Trouble::Other(format!(
                        "{name} holds another run (scenario, rules, players, seed or version differ): give another --out, or leave --resume away to begin anew"
                    )));
                }
            } else {
                let Ok(fought) = serde_json::from_str::<Fought>(&line) else { break };
                if fought.n != done {
                    break;
                }
                each(&fought);
                done += 1;
            }
            whole += long as u64;
        }
        drop(lines);
        let mut file = file;
        if whole == 0 {
            file.set_len(0).map_err(|e| Trouble::File(name.clone(), e))?;
            file.write_all(format!("{first}\n").as_bytes())
                .map_err(|e| Trouble::File(name.clone(), e))?;
        } else {
            file.set_len(whole).map_err(|e| Trouble::File(name.clone(), e))?;
        }
        file.seek(SeekFrom::End(0)).map_err(|e| Trouble::File(name.clone(), e))?;
        Ok(Self { path: name, file: BufWriter::new(file), done })
    }

    fn write(&mut self, fought: &Fought) -> Result<(), Trouble> {
        let line = serde_json::to_string(fought).map_err(|e| Trouble::Other(e.to_string()))?;
        let wrote = writeln!(self.file, "{line}").and_then(|()| self.file.flush());
        wrote.map_err(|e| Trouble::File(self.path.clone(), e))
    }
}

/// Fights the battles of a run. Each is told to `each`, in order, those read from the file
/// first. Returns how many there are.
///
/// # Errors
/// What stopped it. What was fought until then is in the file.
pub fn run(
    of: &Match<'_>,
    how: &How<'_>,
    path: &Path,
    each: &mut dyn FnMut(&Fought),
) -> Result<u64, Trouble> {
    let mut book = Book::open(path, &Head::of(of), how.resume, each)?;
    let work = |n: u64| fight(of, n).map_err(Trouble::Battle);
    in_order(book.done..how.battles, (how.threads, how.stop), work, |fought| {
        book.write(&fought)?;
        each(&fought);
        Ok(())
    })
}

/// Does some work on several threads and takes the results in order. Ends early, after what is
/// running, if it is told to stop. Returns the number after the last that was done.
///
/// # Errors
/// The first trouble of the work or of the taking.
pub(crate) fn in_order<T: Send>(
    numbers: std::ops::Range<u64>,
    how: (usize, &AtomicBool),
    work: impl Fn(u64) -> Result<T, Trouble> + Sync,
    mut take: impl FnMut(T) -> Result<(), Trouble>,
) -> Result<u64, Trouble> {
    let (threads, stop) = how;
    let threads = threads.max(1);
    let next = AtomicU64::new(numbers.start);
    let over = AtomicBool::new(false);
    thread::scope(|scope| {
        let (tell, told) = mpsc::sync_channel(threads * 4);
        for _ in 0..threads {
            let (tell, next, over, work) = (tell.clone(), &next, &over, &work);
            scope.spawn(move || {
                while !stop.load(Ordering::Relaxed) && !over.load(Ordering::Relaxed) {
                    let n = next.fetch_add(1, Ordering::Relaxed);
                    if n >= numbers.end || tell.send((n, work(n))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(tell);
        // They come as they end, and are kept until those before them are there.
        let mut early = BTreeMap::new();
        let mut done = numbers.start;
        for (n, result) in told {
            early.insert(n, result);
            while let Some(result) = early.remove(&done) {
                if let Err(trouble) = result.and_then(&mut take) {
                    over.store(true, Ordering::Relaxed);
                    return Err(trouble);
                }
                done += 1;
            }
        }
        Ok(done)
    })
}
