//! Reading the TOML files, with every fault at its place.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;
use std::sync::Arc;

use indexmap::IndexMap;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::book::{AddedKind, fault};
use crate::clause::Place;
use crate::{Book, Clause, Fault, Faults, Figure, Overlay, Ruling, Setting, SourceFile, nearest};

/// A table of a file being read; collects faults instead of stopping.
pub struct Reader<'f, 'i> {
    file: &'f Arc<SourceFile>,
    table: &'f DeTable<'i>,
    span: Range<usize>,
    known: &'static [&'static str],
}

/// The table of a TOML file.
///
/// # Errors
/// Where it is not readable as TOML.
pub fn parse(file: &Arc<SourceFile>) -> Result<Spanned<DeTable<'_>>, Faults> {
    // The reader goes on behind a fault, so that all of them are named at once.
    let (table, errors) = DeTable::parse_recoverable(&file.text);
    if errors.is_empty() {
        return Ok(table);
    }
    let mut errors: Vec<_> = errors.into_iter().map(|e| (e.span().unwrap_or(0..0), e)).collect();
    errors.sort_by_key(|(span, _)| span.start);
    let mut faults: Vec<Fault> = Vec::new();
    let mut last = None;
    for (span, error) in errors {
        // Of several in one line the first is the fault, the others follow from it.
        let line = file.text.as_bytes().get(..span.start).unwrap_or_default();
        let line = line.iter().rposition(|b| *b == b'\n');
        if last == Some(line) {
            continue;
        }
        last = Some(line);
        let message = format!("not readable as TOML: {}", error.message());
        faults.push(fault(file, span, message, None));
    }
    Err(Faults(faults))
}

impl<'f, 'i> Reader<'f, 'i> {
    /// A reader of a table in a file, with the keys it knows.
    #[must_use]
    pub fn new(
        file: &'f Arc<SourceFile>,
        table: &'f DeTable<'i>,
        span: Range<usize>,
        known: &'static [&'static str],
    ) -> Self {
        Self { file, table, span, known }
    }

    /// Faults for keys that mean nothing here.
    pub fn unknown_keys(&self, faults: &mut Vec<Fault>) {
        for key in self.table.keys() {
            let name: &str = key.get_ref();
            if !self.known.contains(&name) {
                let help = nearest(name, self.known.iter().copied())
                    .map(|n| format!("did you mean `{n}`?"))
                    .unwrap_or_else(|| format!("known here: {}", self.known.join(", ")));
                faults.push(fault(
                    self.file,
                    key.span(),
                    format!("unknown key `{name}`"),
                    Some(help),
                ));
            }
        }
    }

    /// The value of a key.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&'f Spanned<DeValue<'i>>> {
        self.table.iter().find(|(k, _)| k.get_ref() == key).map(|(_, v)| v)
    }

    /// The text of a key; a fault if it is something else.
    pub fn text(&self, key: &str, faults: &mut Vec<Fault>) -> Option<String> {
        let value = self.get(key)?;
        match value.get_ref() {
            DeValue::String(s) => Some(s.to_string()),
            other => {
                let message = format!("`{key}` is a {}, text is needed", other.type_str());
                faults.push(fault(self.file, value.span(), message, None));
                None
            }
        }
    }

    /// The text of a key that must be there.
    pub fn needed_text(&self, key: &str, faults: &mut Vec<Fault>) -> String {
        if self.get(key).is_none() {
            faults.push(fault(self.file, self.span.clone(), format!("`{key}` is missing"), None));
        }
        self.text(key, faults).unwrap_or_default()
    }

    /// Whether a key is true.
    pub fn flag(&self, key: &str, faults: &mut Vec<Fault>) -> bool {
        match self.get(key).map(|v| (v.get_ref(), v.span())) {
            None => false,
            Some((DeValue::Boolean(b), _)) => *b,
            Some((_, span)) => {
                let message = format!("`{key}` is true or false");
                faults.push(fault(self.file, span, message, None));
                false
            }
        }
    }

    pub(crate) fn figures(&self, key: &str, faults: &mut Vec<Fault>) -> BTreeMap<String, Figure> {
        let Some(value) = self.get(key) else {
            return BTreeMap::new();
        };
        match figure(self.file, value, faults) {
            Some(Figure::Table(entries)) => entries,
            _ => {
                let message = format!("`{key}` is a table such as {{ modifier = 1 }}");
                faults.push(fault(self.file, value.span(), message, None));
                BTreeMap::new()
            }
        }
    }

    /// The tables of a list.
    pub fn tables(
        &self,
        key: &str,
        known: &'static [&'static str],
        faults: &mut Vec<Fault>,
    ) -> Vec<Reader<'f, 'i>> {
        let Some(value) = self.get(key) else {
            return Vec::new();
        };
        let DeValue::Array(items) = value.get_ref() else {
            let message = format!("`{key}` is a list of tables: write [[{key}]]");
            faults.push(fault(self.file, value.span(), message, None));
            return Vec::new();
        };
        let mut readers = Vec::new();
        for item in items.iter() {
            match item.get_ref() {
                DeValue::Table(table) => {
                    let reader = Reader::new(self.file, table, item.span(), known);
                    reader.unknown_keys(faults);
                    readers.push(reader);
                }
                _ => faults.push(fault(self.file, item.span(), "a table is needed", None)),
            }
        }
        readers
    }

    /// The table of a key.
    pub fn table(
        &self,
        key: &str,
        known: &'static [&'static str],
        faults: &mut Vec<Fault>,
    ) -> Option<Reader<'f, 'i>> {
        let value = self.get(key)?;
        let DeValue::Table(table) = value.get_ref() else {
            faults.push(fault(self.file, value.span(), format!("`{key}` is a table"), None));
            return None;
        };
        Some(Reader::new(self.file, table, value.span(), known))
    }

    pub(crate) fn entries(
        &self,
    ) -> impl Iterator<Item = (&'f str, Range<usize>, &'f Spanned<DeValue<'i>>)> {
        self.table.iter().map(|(k, v)| (k.get_ref().as_ref(), k.span().start..v.span().end, v))
    }

    /// The file.
    #[must_use]
    pub fn file(&self) -> &'f Arc<SourceFile> {
        self.file
    }

    /// The bytes of a key's value, or of the whole table if it is not there.
    pub fn span_of(&self, key: &str) -> Range<usize> {
        self.get(key).map_or_else(|| self.span.clone(), Spanned::span)
    }

    /// A fault at the value of a key.
    #[must_use]
    pub fn fault(&self, key: &str, message: String, help: Option<String>) -> Fault {
        fault(self.file, self.span_of(key), message, help)
    }
}

/// A value as a figure; a fault if it cannot be one.
pub fn figure(
    file: &Arc<SourceFile>,
    value: &Spanned<DeValue<'_>>,
    faults: &mut Vec<Fault>,
) -> Option<Figure> {
    let read = match value.get_ref() {
        DeValue::String(s) => Some(Figure::Text(s.to_string())),
        DeValue::Integer(n) => i64::from_str_radix(n.as_str(), n.radix()).ok().map(Figure::Int),
        DeValue::Float(x) => {
            x.as_str().parse::<f64>().ok().filter(|x| x.is_finite()).map(Figure::Real)
        }
        DeValue::Boolean(b) => Some(Figure::Bool(*b)),
        DeValue::Array(items) => {
            let read: Vec<Figure> = items.iter().filter_map(|v| figure(file, v, faults)).collect();
            (read.len() == items.len()).then_some(Figure::List(read))
        }
        DeValue::Table(entries) => {
            let mut read = BTreeMap::new();
            for (key, value) in entries.iter() {
                if let Some(value) = figure(file, value, faults) {
                    read.insert(key.get_ref().to_string(), value);
                }
            }
            Some(Figure::Table(read))
        }
        DeValue::Datetime(_) => None,
    };
    if read.is_none() && faults.is_empty() {
        let message = "a figure is a number, a name, true or false, or a list of them";
        faults.push(fault(file, value.span(), message, None));
    }
    read
}

fn done<T>(value: T, faults: Vec<Fault>) -> Result<T, Faults> {
    if faults.is_empty() { Ok(value) } else { Err(Faults(faults)) }
}

const CLAUSE_KEYS: &[&str] =
    &["id", "section", "says", "figures", "source", "note", "derived", "when"];

pub(crate) fn book(file: &Arc<SourceFile>) -> Result<Book, Faults> {
    let parsed = parse(file)?;
    let mut faults = Vec::new();
    let root = Reader::new(
        file,
        parsed.get_ref(),
        0..0,
        &["book", "section", "group", "modifiers", "rule"],
    );
    root.unknown_keys(&mut faults);
    let head_keys: &[&str] = &["id", "title", "family", "sheet"];
    let Some(head) = root.table("book", head_keys, &mut faults) else {
        faults.push(fault(file, 0..0, "the table [book] is missing", None));
        return Err(Faults(faults));
    };
    head.unknown_keys(&mut faults);
    let mut book = Book {
        id: head.needed_text("id", &mut faults),
        title: head.needed_text("title", &mut faults),
        family: head.needed_text("family", &mut faults),
        sheet: head.needed_text("sheet", &mut faults),
        house_rules: Vec::new(),
        clauses: Vec::new(),
        dropped: Vec::new(),
        index: HashMap::new(),
        rulings: Vec::new(),
        settings: BTreeMap::new(),
        ladders: BTreeSet::new(),
        adds: Vec::new(),
        file: Arc::clone(file),
        sections: Vec::new(),
    };
    for group in root.tables("group", &["section", "name", "takes"], &mut faults) {
        let section = group.needed_text("section", &mut faults);
        let name = group.needed_text("name", &mut faults);
        match group.needed_text("takes", &mut faults).as_str() {
            "lowest" => {
                book.ladders.insert((section, name));
            }
            "strongest" => {}
            other => {
                let message = format!("`takes` is {other}");
                faults.push(group.fault("takes", message, Some("strongest or lowest".into())));
            }
        }
    }
    for section in root.tables("section", &["name", "title"], &mut faults) {
        let name = section.needed_text("name", &mut faults);
        book.sections.push((name, section.needed_text("title", &mut faults)));
    }
    for kind in root.tables("modifiers", &["prefix", "figures"], &mut faults) {
        let prefix = kind.needed_text("prefix", &mut faults);
        let figures = match kind.get("figures").and_then(|v| figure(file, v, &mut faults)) {
            Some(Figure::List(items)) => {
                items.iter().filter_map(|f| f.text().map(str::to_owned)).collect()
            }
            _ => Vec::new(),
        };
        book.adds.push(AddedKind { prefix, figures });
    }
    let mut seen = BTreeSet::new();
    for reader in root.tables("rule", CLAUSE_KEYS, &mut faults) {
        let clause = clause(file, &reader, &mut faults);
        if !seen.insert(clause.id.clone()) {
            faults.push(reader.fault(
                "id",
                format!("the id {} stands here twice", clause.id),
                None,
            ));
        }
        book.clauses.push(clause);
    }
    if book.clauses.len() > usize::from(u16::MAX) {
        faults.push(fault(file, 0..0, "more clauses than a book can hold", None));
    }
    book.reindex();
    done(book, faults)
}

pub(crate) fn clause(
    file: &Arc<SourceFile>,
    reader: &Reader<'_, '_>,
    faults: &mut Vec<Fault>,
) -> Clause {
    let printed = reader.figures("figures", faults);
    let when = reader
        .tables("when", &["setting", "is", "figures"], faults)
        .iter()
        .map(|overlay| Overlay {
            setting: overlay.needed_text("setting", faults),
            is: overlay.needed_text("is", faults),
            figures: overlay.figures("figures", faults),
        })
        .collect();
    Clause {
        id: reader.needed_text("id", faults),
        section: reader.needed_text("section", faults),
        says: reader.needed_text("says", faults),
        figures: printed.clone(),
        source: reader.needed_text("source", faults),
        note: reader.text("note", faults),
        derived: reader.flag("derived", faults),
        printed,
        when,
        changed: BTreeMap::new(),
        at: Place { file: Arc::clone(file), span: reader.span_of("id") },
    }
}

pub(crate) fn rulings(file: &Arc<SourceFile>) -> Result<Vec<Ruling>, Faults> {
    let parsed = parse(file)?;
    let mut faults = Vec::new();
    let root = Reader::new(file, parsed.get_ref(), 0..0, &["ruling"]);
    root.unknown_keys(&mut faults);
    let keys: &[&str] = &["id", "chapter", "reading", "question", "hints", "text", "setting"];
    let mut rulings = Vec::new();
    for reader in root.tables("ruling", keys, &mut faults) {
        rulings.push(Ruling {
            id: reader.needed_text("id", &mut faults),
            chapter: reader.needed_text("chapter", &mut faults),
            reading: reader.flag("reading", &mut faults),
            question: reader.needed_text("question", &mut faults),
            hints: reader.needed_text("hints", &mut faults),
            text: reader.needed_text("text", &mut faults),
            setting: reader
                .table("setting", &["name", "default", "books", "options"], &mut faults)
                .and_then(|s| setting(&s, &mut faults)),
        });
    }
    done(rulings, faults)
}

fn setting(reader: &Reader<'_, '_>, faults: &mut Vec<Fault>) -> Option<Setting> {
    reader.unknown_keys(faults);
    let mut options = IndexMap::new();
    for option in reader.tables("options", &["value", "means"], faults) {
        let value = option.needed_text("value", faults);
        options.insert(value, option.needed_text("means", faults));
    }
    let name = reader.needed_text("name", faults);
    let default = reader.needed_text("default", faults);
    if !options.contains_key(&default) {
        let message = format!("the default {default} is not among the options");
        faults.push(reader.fault("default", message, None));
        return None;
    }
    let books = match reader.get("books").and_then(|v| figure(reader.file, v, faults)) {
        Some(Figure::List(ids)) => ids.iter().filter_map(|f| f.text().map(str::to_owned)).collect(),
        _ => Vec::new(),
    };
    Some(Setting { name, default, books, options })
}
