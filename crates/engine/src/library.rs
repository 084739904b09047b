//! The books: the five built in, and house rules over them.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use rulebook::request::unknown;
use rulebook::{Book, Code, Fault, Faults, Refusal, SourceFile};
use serde::{Deserialize, Serialize};

use crate::Rules;

/// The ids of the books built in.
pub const BOOKS: [&str; 5] = [
    "rff-awi-25mm",
    "rff-awi-15mm",
    "rff-triple-alliance",
    "rise-and-fight-again",
    "fire-and-discipline",
];

macro_rules! rulebook_text {
    ($name:literal) => {
        include_str!(concat!("../../../rulebooks/", $name, ".toml"))
    };
}

fn built_in(id: &str) -> Option<(&'static str, &'static str, &'static str)> {
    let regimental = ("rulings/regimental.toml", rulebook_text!("rulings/regimental"));
    let (text, rulings) = match id {
        "rff-awi-25mm" => (rulebook_text!("rff-awi-25mm"), regimental),
        "rff-awi-15mm" => (rulebook_text!("rff-awi-15mm"), regimental),
        "rff-triple-alliance" => (rulebook_text!("rff-triple-alliance"), regimental),
        "rise-and-fight-again" => (
            rulebook_text!("rise-and-fight-again"),
            ("rulings/rise.toml", rulebook_text!("rulings/rise")),
        ),
        "fire-and-discipline" => (
            rulebook_text!("fire-and-discipline"),
            ("rulings/discipline.toml", rulebook_text!("rulings/discipline")),
        ),
        _ => return None,
    };
    Some((text, rulings.0, rulings.1))
}

/// A book with its tables read.
#[derive(Debug)]
pub struct Loaded {
    /// The clauses and rulings.
    pub book: Book,
    /// The tables.
    pub rules: Rules,
    /// The house rules over a book built in, the last first.
    pub house: Vec<HouseFile>,
}

/// A house-rule file as it was read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HouseFile {
    /// Its name.
    pub name: String,
    /// Its text.
    pub text: String,
}

impl Loaded {
    /// Reads the tables of a book.
    ///
    /// # Errors
    /// The fault, at the clause or house rule that causes it.
    pub fn new(book: Book) -> Result<Self, Faults> {
        match Rules::read(&book) {
            Ok(rules) => Ok(Self { book, rules, house: vec![] }),
            Err(flaw) => Err(Faults(vec![book.locate(&flaw)])),
        }
    }
}

/// Where house-rule files come from. The engine itself reads no files.
pub trait Shelf: Send + Sync {
    /// The text of a house-rule file, or why it cannot be had.
    ///
    /// # Errors
    /// A sentence for the user.
    fn fetch(&self, path: &str) -> Result<String, String>;

    /// The path of `extends` as seen from the file that says it.
    fn beside(&self, path: &str, extends: &str) -> String;
}

/// No files at all: only the books built in.
#[derive(Debug)]
struct Bare;

impl Shelf for Bare {
    fn fetch(&self, path: &str) -> Result<String, String> {
        Err(format!("{path}: house-rule files cannot be read here"))
    }

    fn beside(&self, _: &str, extends: &str) -> String {
        extends.to_owned()
    }
}

/// The books, each read when it is first asked for.
pub struct Library {
    built_in: [OnceLock<Result<Arc<Loaded>, Faults>>; 5],
    shelf: Box<dyn Shelf>,
    house: Mutex<BTreeMap<String, Result<Arc<Loaded>, Faults>>>,
    stands_in: Option<Arc<Loaded>>,
}

impl Default for Library {
    fn default() -> Self {
        Self::new(Box::new(Bare))
    }
}

/// House rules over house rules over house rules: deeper is a mistake.
const DEEPEST: usize = 16;

impl Library {
    /// A library that takes house-rule files from a shelf.
    #[must_use]
    pub fn new(shelf: Box<dyn Shelf>) -> Self {
        Self { built_in: Default::default(), shelf, house: Mutex::default(), stands_in: None }
    }

    /// Makes a book the one that is meant when none is named. If it has house
    /// rules it is also meant wherever the book it extends is named.
    ///
    /// # Errors
    /// A refusal if there is no such book or it has faults.
    pub fn set_default(&mut self, name: &str) -> Result<(), Refusal> {
        self.stands_in = Some(self.get(name)?);
        Ok(())
    }

    /// The book that is meant when none is named.
    #[must_use]
    pub fn default_book(&self) -> Option<&Arc<Loaded>> {
        self.stands_in.as_ref()
    }

    /// The book of a name: an id, or the path of a house-rule file.
    ///
    /// # Errors
    /// A refusal with the nearest id, or with the faults of the file.
    pub fn get(&self, name: &str) -> Result<Arc<Loaded>, Refusal> {
        if let Some(loaded) = &self.stands_in
            && loaded.book.id == name
        {
            return Ok(Arc::clone(loaded));
        }
        self.load(name).map_err(|error| match error {
            Missing::Unknown(refusal) => refusal,
            Missing::Faults(faults) => Refusal::new(Code::BadBook, faults.to_string()),
        })
    }

    /// The same for a file that names its book: a house-rule file may lie beside it.
    ///
    /// # Errors
    /// A refusal with the nearest id, or with the faults of the file.
    pub fn get_beside(&self, file: &str, name: &str) -> Result<Arc<Loaded>, Refusal> {
        self.get(name).or_else(|no| match is_path(name) && no.code == Code::UnknownBook {
            true => self.get(&self.shelf.beside(file, name)).map_err(|beside| {
                // That it is not there either is said of the name as it was given.
                if beside.code == Code::UnknownBook { no } else { beside }
            }),
            false => Err(no),
        })
    }

    /// The same, with the faults of a file kept for showing.
    ///
    /// # Errors
    /// What is wrong with the name, or with the file.
    pub fn load(&self, name: &str) -> Result<Arc<Loaded>, Missing> {
        if let Some(at) = BOOKS.iter().position(|id| *id == name) {
            let slot = self.built_in[at].get_or_init(|| read_built_in(name));
            return slot.clone().map_err(Missing::Faults);
        }
        if !is_path(name) {
            let mut refusal = unknown(Code::UnknownBook, "book", name, &BOOKS);
            refusal.message.push_str("; a house-rule file ends in .toml");
            return Err(Missing::Unknown(refusal));
        }
        let mut house = self.house.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = house.get(name) {
            return known.clone().map_err(Missing::Faults);
        }
        let loaded = self.read_house(name, 0)?;
        // A bounded memory: a stream of ever new names must not fill it.
        if house.len() < 64 {
            house.insert(name.to_owned(), Ok(Arc::clone(&loaded)));
        }
        Ok(loaded)
    }

    fn read_house(&self, path: &str, depth: usize) -> Result<Arc<Loaded>, Missing> {
        let text = self
            .shelf
            .fetch(path)
            .map_err(|why| Missing::Unknown(Refusal::new(Code::UnknownBook, why)))?;
        let file = SourceFile::new(path, text);
        let extends = Book::extends(&file).map_err(Missing::Faults)?;
        let base = if is_path(&extends) {
            if depth >= DEEPEST {
                let message = format!("{path}: house rules extend each other in a circle");
                return Err(Missing::Unknown(Refusal::new(Code::BadBook, message)));
            }
            self.read_house(&self.shelf.beside(path, &extends), depth + 1)?
        } else {
            match self.built_in_book(&extends) {
                Some(found) => found.map_err(Missing::Faults)?,
                None => {
                    let help =
                        rulebook::nearest(&extends, BOOKS).map(|n| format!("did you mean {n}?"));
                    let span = file.text.find(&extends).map_or(0..0, |at| at..at + extends.len());
                    let message = format!("there is no book {extends} to extend");
                    return Err(Missing::Faults(Faults(vec![Fault { message, help, file, span }])));
                }
            }
        };
        laid_over(&base, &file).map_err(Missing::Faults)
    }

    /// A book with house rules that were kept somewhere else than in their files.
    ///
    /// # Errors
    /// What is wrong with them.
    pub fn with_house_rules(&self, kept: &[HouseFile]) -> Result<Arc<Loaded>, String> {
        if kept.len() > DEEPEST {
            return Err(format!("more than {DEEPEST} files of house rules over each other"));
        }
        let files: Vec<_> = kept.iter().map(|h| SourceFile::new(&h.name, &*h.text)).collect();
        let first = files.last().ok_or("there are no house rules")?;
        let extends = Book::extends(first).map_err(|faults| faults.to_string())?;
        let base = self.built_in_book(&extends).ok_or(format!("there is no book {extends}"))?;
        let mut loaded = base.map_err(|faults| faults.to_string())?;
        for file in files.iter().rev() {
            loaded = laid_over(&loaded, file).map_err(|faults| faults.to_string())?;
        }
        Ok(loaded)
    }

    fn built_in_book(&self, id: &str) -> Option<Result<Arc<Loaded>, Faults>> {
        let at = BOOKS.iter().position(|known| *known == id)?;
        Some(self.built_in[at].get_or_init(|| read_built_in(id)).clone())
    }
}

/// A book with the house rules of a file over it.
fn laid_over(base: &Loaded, file: &Arc<SourceFile>) -> Result<Arc<Loaded>, Faults> {
    let mut loaded = Loaded::new(base.book.patched(file)?)?;
    // Where it lay is nobody else's business.
    let name = file.name.rsplit(['/', '\\']).next().unwrap_or_default().to_owned();
    loaded.house = vec![HouseFile { name, text: file.text.clone() }];
    loaded.house.extend(base.house.iter().cloned());
    Ok(Arc::new(loaded))
}

/// Why a book is not to be had.
#[derive(Debug)]
pub enum Missing {
    /// No such book or file.
    Unknown(Refusal),
    /// A file with faults.
    Faults(Faults),
}

fn is_path(name: &str) -> bool {
    name.ends_with(".toml")
}

fn read_built_in(id: &str) -> Result<Arc<Loaded>, Faults> {
    let Some((text, rulings_name, rulings)) = built_in(id) else {
        return Err(Faults(Vec::new()));
    };
    let book = Book::read(
        &SourceFile::new(format!("{id}.toml"), text),
        &SourceFile::new(rulings_name, rulings),
    )?;
    Loaded::new(book).map(Arc::new)
}
