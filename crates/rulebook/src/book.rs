//! A book: its clauses, its rulings and its settings.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;
use std::sync::Arc;

use crate::clause::Place;
use crate::read;
use crate::{Clause, Fault, Faults, Figure, Flaw, Ruling, Setting, SourceFile};

/// A clause of one loaded book, by its place in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RuleId(pub(crate) u16);

impl RuleId {
    /// Its place among the clauses of its book.
    #[must_use]
    pub fn index(self) -> usize {
        self.0.into()
    }
}

/// A rulebook, or a rulebook with house rules over it.
#[derive(Debug, Clone)]
pub struct Book {
    /// The id of the printed book, such as `rff-awi-25mm`.
    pub id: String,
    /// The title to show.
    pub title: String,
    /// The family whose procedures it uses.
    pub family: String,
    /// Where its figures come from.
    pub sheet: String,
    /// The names of the house-rule files over it, the innermost first.
    pub house_rules: Vec<String>,
    pub(crate) clauses: Vec<Clause>,
    /// Modifiers that house rules dropped: they count for nothing, but procedures may still ask
    /// whether what they speak of holds, and read their other figures.
    pub(crate) dropped: Vec<Clause>,
    pub(crate) index: HashMap<String, u16>,
    pub(crate) rulings: Vec<Ruling>,
    pub(crate) settings: BTreeMap<String, String>,
    pub(crate) ladders: BTreeSet<(String, String)>,
    pub(crate) adds: Vec<AddedKind>,
    pub(crate) file: Arc<SourceFile>,
    pub(crate) sections: Vec<(String, String)>,
}

/// A kind of modifier that house rules may add to: the beginning of its ids
/// and the figures each must have.
#[derive(Debug, Clone)]
pub(crate) struct AddedKind {
    pub(crate) prefix: String,
    pub(crate) figures: Vec<String>,
}

impl Book {
    /// Reads a book file and the rulings that go with it.
    ///
    /// # Errors
    /// Every fault of the files, each with its place.
    pub fn read(file: &Arc<SourceFile>, rulings: &Arc<SourceFile>) -> Result<Self, Faults> {
        let mut book = read::book(file)?;
        book.rulings = read::rulings(rulings)?;
        for ruling in &mut book.rulings {
            let elsewhere = |s: &Setting| !s.books.is_empty() && !s.books.contains(&book.id);
            ruling.setting = ruling.setting.take().filter(|s| !elsewhere(s));
        }
        book.settings = book
            .rulings
            .iter()
            .filter_map(|r| r.setting.as_ref())
            .map(|s| (s.name.clone(), s.default.clone()))
            .collect();
        book.settle();
        Ok(book)
    }

    pub(crate) fn settle(&mut self) {
        for clause in self.clauses.iter_mut().chain(&mut self.dropped) {
            clause.settle(&self.settings);
        }
    }

    /// The clauses in the book's order.
    pub fn clauses(&self) -> impl Iterator<Item = (RuleId, &Clause)> {
        (0u16..).map(RuleId).zip(&self.clauses)
    }

    /// How many clauses there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.clauses.len()
    }

    /// Whether the book has no clause.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.clauses.is_empty()
    }

    /// The clause with an id.
    #[must_use]
    pub fn clause(&self, id: &str) -> Option<&Clause> {
        self.index.get(id).map(|i| &self.clauses[usize::from(*i)])
    }

    /// The clause of a rule that this book gave out.
    #[must_use]
    pub fn name(&self, rule: RuleId) -> &str {
        self.clauses.get(usize::from(rule.0)).map_or("?", |c| c.id.as_str())
    }

    /// The sections in the book's order, with their titles.
    #[must_use]
    pub fn sections(&self) -> &[(String, String)] {
        &self.sections
    }

    /// The rulings that go with the book.
    #[must_use]
    pub fn rulings(&self) -> &[Ruling] {
        &self.rulings
    }

    /// The value of a setting in this book; empty if there is none such.
    #[must_use]
    pub fn setting(&self, name: &str) -> &str {
        self.settings.get(name).map_or("", String::as_str)
    }

    /// All settings with their values.
    #[must_use]
    pub fn settings(&self) -> &BTreeMap<String, String> {
        &self.settings
    }

    pub(crate) fn group_takes_lowest(&self, section: &str, group: &str) -> bool {
        self.ladders.contains(&(section.to_owned(), group.to_owned()))
    }

    /// The rule with an id, which a family needs to have.
    ///
    /// # Errors
    /// A [`Flaw`] if the book lacks it.
    pub fn rule(&self, id: &str) -> Result<RuleId, Flaw> {
        self.index
            .get(id)
            .map(|i| RuleId(*i))
            .ok_or_else(|| Flaw::of(id, "the book lacks this clause and the rules need it"))
    }

    fn figure(&self, id: &str, figure: &str) -> Result<&Figure, Flaw> {
        let dropped = || self.dropped.iter().find(|c| c.id == id);
        let Some(clause) = self.clause(id).or_else(dropped) else {
            return Err(Flaw::of(id, "the book lacks this clause and the rules need it"));
        };
        clause.figures.get(figure).ok_or_else(|| {
            Flaw::of(id, format!("the figure `{figure}` is missing and the rules need it"))
        })
    }

    /// A whole number the rules need.
    ///
    /// # Errors
    /// A [`Flaw`] if it is missing, not a whole number or absurdly large.
    pub fn int(&self, id: &str, figure: &str) -> Result<i32, Flaw> {
        let value = self.figure(id, figure)?;
        value.int().and_then(|n| i32::try_from(n).ok()).filter(|n| n.abs() <= 10_000).ok_or_else(
            || Flaw::of(id, format!("`{figure}` is {value}: a whole number up to 10000 is needed")),
        )
    }

    /// A whole number that is not negative, which the rules need.
    ///
    /// # Errors
    /// A [`Flaw`] if it is missing or negative.
    pub fn count(&self, id: &str, figure: &str) -> Result<u32, Flaw> {
        u32::try_from(self.int(id, figure)?)
            .map_err(|_| Flaw::of(id, format!("`{figure}` may not be negative")))
    }

    /// A number the rules need, whole or not.
    ///
    /// # Errors
    /// A [`Flaw`] if it is missing or not a finite number.
    pub fn number(&self, id: &str, figure: &str) -> Result<f64, Flaw> {
        let value = self.figure(id, figure)?;
        value
            .number()
            .filter(|n| n.is_finite() && n.abs() <= 10_000.0)
            .ok_or_else(|| Flaw::of(id, format!("`{figure}` is {value}: a number is needed")))
    }

    /// A yes or no the rules need.
    ///
    /// # Errors
    /// A [`Flaw`] if it is missing or something else.
    pub fn flag(&self, id: &str, figure: &str) -> Result<bool, Flaw> {
        let value = self.figure(id, figure)?;
        value
            .bool()
            .ok_or_else(|| Flaw::of(id, format!("`{figure}` is {value}: true or false is needed")))
    }

    /// A name the rules need.
    ///
    /// # Errors
    /// A [`Flaw`] if it is missing or not a name.
    pub fn text(&self, id: &str, figure: &str) -> Result<&str, Flaw> {
        let value = self.figure(id, figure)?;
        value.text().ok_or_else(|| Flaw::of(id, format!("`{figure}` is {value}: a name is needed")))
    }

    /// A list of whole numbers the rules need.
    ///
    /// # Errors
    /// A [`Flaw`] if it is missing or has something else in it.
    pub fn ints(&self, id: &str, figure: &str) -> Result<Vec<i32>, Flaw> {
        let value = self.figure(id, figure)?;
        let flaw = || Flaw::of(id, format!("`{figure}` is {value}: whole numbers are needed"));
        let items = value.list().ok_or_else(flaw)?;
        let read = |f: &Figure| f.int().and_then(|n| i32::try_from(n).ok());
        items.iter().map(|f| read(f).ok_or_else(flaw)).collect()
    }

    /// A list of lists of whole numbers the rules need.
    ///
    /// # Errors
    /// A [`Flaw`] if it is missing or has something else in it.
    pub fn rows(&self, id: &str, figure: &str) -> Result<Vec<Vec<i32>>, Flaw> {
        let value = self.figure(id, figure)?;
        let flaw = || Flaw::of(id, format!("`{figure}`: rows of whole numbers are needed"));
        let read = |f: &Figure| f.int().and_then(|n| i32::try_from(n).ok());
        let items = value.list().ok_or_else(flaw)?;
        items
            .iter()
            .map(|row| {
                let cells = row.list().ok_or_else(flaw)?;
                cells.iter().map(|f| read(f).ok_or_else(flaw)).collect()
            })
            .collect()
    }

    /// Gives a flaw its place: the house rule that caused it, else the clause
    /// in the book, else the head of the book.
    #[must_use]
    pub fn locate(&self, flaw: &Flaw) -> Fault {
        let known: Vec<&Clause> = flaw.clauses.iter().filter_map(|id| self.clause(id)).collect();
        let dropped = self.dropped.iter().find(|c| flaw.clauses.contains(&c.id));
        if let Some(clause) = dropped {
            let message = format!("{} cannot be dropped: {flaw}", clause.id);
            let help = Some("keep it, and change its figures to 0 with [[change]]".to_owned());
            return fault(&clause.at.file, clause.at.span.clone(), message, help);
        }
        let place = known
            .iter()
            .copied()
            .find(|c| self.is_changed(c))
            .or_else(|| self.guilty(flaw))
            .or(known.first().copied())
            .map_or_else(|| self.head(), |c| c.at.clone());
        Fault { message: flaw.to_string(), help: None, file: place.file, span: place.span }
    }

    fn is_changed(&self, clause: &Clause) -> bool {
        !Arc::ptr_eq(&clause.at.file, &self.file)
    }

    /// The changed clause most like those of a flaw. The book as printed is
    /// whole, so some change of the house rules must have caused it.
    fn guilty(&self, flaw: &Flaw) -> Option<&Clause> {
        let alike = |a: &str, b: &str| a.bytes().zip(b.bytes()).take_while(|(x, y)| x == y).count();
        let likeness =
            |c: &&Clause| flaw.clauses.iter().map(|id| alike(id, &c.id)).max().unwrap_or(0);
        self.clauses.iter().filter(|c| self.is_changed(c)).max_by_key(likeness)
    }

    fn head(&self) -> Place {
        Place { file: Arc::clone(&self.file), span: 0..0 }
    }

    /// A content hash of everything that can change an answer: two books with
    /// the same hash resolve every check alike.
    #[must_use]
    pub fn hash(&self) -> String {
        let mut hasher = blake3::Hasher::new();
        let mut field = |text: &str| {
            hasher.update(&(text.len() as u64).to_le_bytes());
            hasher.update(text.as_bytes());
        };
        field(&self.id);
        for clause in &self.clauses {
            field(&clause.id);
            for (key, value) in &clause.figures {
                field(key);
                field(&format!("{value:?}"));
            }
        }
        for clause in &self.dropped {
            field(&clause.id);
            for (key, value) in &clause.figures {
                field(key);
                field(&format!("{value:?}"));
            }
        }
        for (name, value) in &self.settings {
            field(name);
            field(value);
        }
        hasher.finalize().to_hex()[..16].to_owned()
    }

    /// The book with one figure of a clause replaced. `path` is the figure's
    /// name, or `name/key` inside a table. For proving that tests notice.
    #[must_use]
    pub fn with_figure(&self, clause: &str, path: &[&str], value: Figure) -> Option<Self> {
        let mut book = self.clone();
        let at = usize::from(*book.index.get(clause)?);
        let (first, rest) = path.split_first()?;
        let mut slot = book.clauses[at].figures.get_mut(*first)?;
        for key in rest {
            slot = match slot {
                Figure::Table(entries) => entries.get_mut(*key)?,
                Figure::List(items) => items.get_mut(key.parse::<usize>().ok()?)?,
                _ => return None,
            };
        }
        *slot = value;
        Some(book)
    }

    /// The book without a clause. For proving that tests notice.
    #[must_use]
    pub fn without(&self, clause: &str) -> Option<Self> {
        let mut book = self.clone();
        let at = usize::from(*book.index.get(clause)?);
        book.clauses.remove(at);
        book.reindex();
        Some(book)
    }

    pub(crate) fn reindex(&mut self) {
        self.index = (0u16..).zip(&self.clauses).map(|(i, c)| (c.id.clone(), i)).collect();
    }
}

pub(crate) fn fault(
    file: &Arc<SourceFile>,
    span: Range<usize>,
    message: impl Into<String>,
    help: Option<String>,
) -> Fault {
    Fault { message: message.into(), help, file: Arc::clone(file), span }
}
