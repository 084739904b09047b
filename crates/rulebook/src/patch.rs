//! House rules: a file that `extends` a book and changes some of it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::clause::Place;
use crate::read::{self, Reader};
use crate::{Book, Clause, Fault, Faults, Figure, SourceFile, nearest};

/// How modifiers combine may be set on any of them.
const COMBINING: [&str; 3] = ["group", "set", "yields_to"];

const PATCH_KEYS: &[&str] = &["extends", "name", "change", "add", "drop", "rulings"];

impl Book {
    /// What a house-rule file extends: the id of a book, or the path of
    /// another house-rule file.
    ///
    /// # Errors
    /// A fault if the file is not TOML or does not say.
    pub fn extends(file: &Arc<SourceFile>) -> Result<String, Faults> {
        let parsed = read::parse(file)?;
        let mut faults = Vec::new();
        let root = Reader::new(file, parsed.get_ref(), 0..0, PATCH_KEYS);
        if root.get("extends").is_none() {
            let help =
                "a house-rule file begins with the book it extends: extends = \"rff-awi-25mm\"";
            faults.push(root.fault("extends", "`extends` is missing".into(), Some(help.into())));
            return Err(Faults(faults));
        }
        let base = root.needed_text("extends", &mut faults);
        if faults.is_empty() { Ok(base) } else { Err(Faults(faults)) }
    }

    /// The book with a house-rule file over it. Whether its tables still hold
    /// together is for the family to say, which reads them.
    ///
    /// # Errors
    /// Every fault of the file: unknown clauses, figures and settings, each
    /// with its place and the nearest known name.
    pub fn patched(&self, file: &Arc<SourceFile>) -> Result<Self, Faults> {
        let parsed = read::parse(file)?;
        let mut faults = Vec::new();
        let root = Reader::new(file, parsed.get_ref(), 0..0, PATCH_KEYS);
        root.unknown_keys(&mut faults);
        let mut book = self.clone();
        let name = root.text("name", &mut faults).unwrap_or_else(|| file.name.clone());
        book.house_rules.push(name);
        book.switch_rulings(&root, &mut faults);
        book.change(&root, file, &mut faults);
        book.add(&root, file, &mut faults);
        book.drop_modifiers(&root, file, &mut faults);
        book.reindex();
        book.settle();
        if faults.is_empty() { Ok(book) } else { Err(Faults(faults)) }
    }

    fn change(&mut self, root: &Reader<'_, '_>, file: &Arc<SourceFile>, faults: &mut Vec<Fault>) {
        let mut changed = BTreeSet::new();
        for reader in root.tables("change", &["rule", "says", "figures"], faults) {
            let id = reader.needed_text("rule", faults);
            let Some(at) = self.index.get(&id).copied() else {
                faults.push(self.no_clause(&reader, &id));
                continue;
            };
            let figures = reader.figures("figures", faults);
            let says = reader.text("says", faults);
            if figures.is_empty() && says.is_none() {
                let help = Some("give the figures that change, or other words in says".into());
                faults.push(reader.fault("rule", format!("nothing of {id} is changed"), help));
                continue;
            }
            if !changed.insert(id.clone()) {
                let help = Some("put all its figures into one [[change]]".into());
                faults.push(reader.fault("rule", format!("{id} is changed twice"), help));
                continue;
            }
            self.check_yields_to(&reader, &figures, faults);
            let clause = &mut self.clauses[usize::from(at)];
            check_figures(clause, &reader, &figures, faults);
            clause.changed.extend(figures);
            if let Some(says) = says {
                clause.says = says;
            }
            clause.at = Place { file: Arc::clone(file), span: reader.span_of("rule") };
        }
    }

    fn add(&mut self, root: &Reader<'_, '_>, file: &Arc<SourceFile>, faults: &mut Vec<Fault>) {
        for reader in root.tables("add", &["id", "says", "figures", "note"], faults) {
            let id = reader.needed_text("id", faults);
            let kind = self.adds.iter().find(|k| {
                id.strip_prefix(&k.prefix)
                    .is_some_and(|tail| !tail.is_empty() && !tail.contains('.'))
            });
            let Some(kind) = kind else {
                let prefixes: Vec<String> =
                    self.adds.iter().map(|k| format!("{}…", k.prefix)).collect();
                let help = format!("an added clause is a modifier: {}", prefixes.join(", "));
                let message = format!("{id} is no kind of modifier of this book");
                faults.push(reader.fault("id", message, Some(help)));
                continue;
            };
            // Who adds what another file dropped has it anew.
            self.dropped.retain(|c| c.id != id);
            if self.index.contains_key(&id) {
                let help = Some("use [[change]] to change it".into());
                faults.push(reader.fault("id", format!("the book has {id} already"), help));
                continue;
            }
            let printed = reader.figures("figures", faults);
            for key in printed.keys() {
                if !kind.figures.contains(key) && !COMBINING.contains(&key.as_str()) {
                    let known = kind.figures.iter().map(String::as_str).chain(COMBINING);
                    let help = nearest(key, known).map(|n| format!("did you mean `{n}`?"));
                    let message = format!("a modifier of this kind has no figure `{key}`");
                    faults.push(reader.fault("figures", message, help));
                }
            }
            self.check_yields_to(&reader, &printed, faults);
            for needed in &kind.figures {
                if printed.get(needed).is_none_or(|f| f.int().is_none()) {
                    let message = format!("{id} needs the whole number `{needed}` in its figures");
                    faults.push(reader.fault("figures", message, None));
                }
            }
            let section = self
                .clauses
                .iter()
                .find(|c| c.id.starts_with(&kind.prefix))
                .map_or_else(String::new, |c| c.section.clone());
            self.clauses.push(Clause {
                section,
                says: reader.needed_text("says", faults),
                figures: printed.clone(),
                source: "house rule".into(),
                note: reader.text("note", faults),
                derived: false,
                printed,
                when: Vec::new(),
                changed: BTreeMap::new(),
                at: Place { file: Arc::clone(file), span: reader.span_of("id") },
                id,
            });
            self.reindex();
        }
    }

    fn drop_modifiers(
        &mut self,
        root: &Reader<'_, '_>,
        file: &Arc<SourceFile>,
        faults: &mut Vec<Fault>,
    ) {
        let line = |place: &Place| file.line_column(place.span.start).0;
        let here = |place: &Place| Arc::ptr_eq(&place.file, file);
        for reader in root.tables("drop", &["rule"], faults) {
            let id = reader.needed_text("rule", faults);
            let gone = self.dropped.iter().find(|c| c.id == id);
            if let Some(gone) = gone {
                let message = if here(&gone.at) {
                    format!("{id} is dropped twice, first in line {}", line(&gone.at))
                } else {
                    format!("{id} is dropped already, by {}", gone.at.file.name)
                };
                faults.push(reader.fault("rule", message, None));
                continue;
            }
            let Some(clause) = self.clause(&id) else {
                faults.push(self.no_clause(&reader, &id));
                continue;
            };
            let remark = clause.figures.is_empty();
            if remark || !self.adds.iter().any(|k| id.starts_with(&k.prefix)) {
                let help =
                    Some("only a modifier can be dropped; change its figures instead".into());
                faults.push(reader.fault("rule", format!("{id} cannot be dropped"), help));
                continue;
            }
            if here(&clause.at) {
                let (other, this) = (line(&clause.at), reader.span_of("rule").start);
                let this = file.line_column(this).0;
                let message =
                    format!("{id} is changed or added in line {other} and dropped in line {this}");
                let help = Some("one of the two is not meant: take it out".into());
                faults.push(reader.fault("rule", message, help));
                continue;
            }
            let mut dropped = clause.clone();
            dropped.at = Place { file: Arc::clone(file), span: reader.span_of("rule") };
            self.dropped.push(dropped);
            self.clauses.retain(|c| c.id != id);
            self.reindex();
        }
    }

    /// What a modifier yields to must exist.
    fn check_yields_to(
        &self,
        reader: &Reader<'_, '_>,
        figures: &BTreeMap<String, Figure>,
        faults: &mut Vec<Fault>,
    ) {
        let Some(yields_to) = figures.get("yields_to") else { return };
        let known = || self.clauses.iter().map(|c| c.id.as_str());
        for id in yields_to.list().unwrap_or(std::slice::from_ref(yields_to)) {
            if yields_to.list().is_none()
                || !id.text().is_some_and(|id| self.index.contains_key(id))
            {
                let near = id.text().and_then(|id| nearest(id, known()));
                let help = near.map(|n| format!("a list of ids, such as [\"{n}\"]"));
                let message = format!("`yields_to` names {id}, and there is no such modifier");
                faults.push(reader.fault("figures", message, help));
            }
        }
    }

    fn switch_rulings(&mut self, root: &Reader<'_, '_>, faults: &mut Vec<Fault>) {
        let Some(table) = root.table("rulings", &[], faults) else {
            return;
        };
        for (key, span, value) in table.entries() {
            let name = key.strip_prefix("ruling.").unwrap_or(key);
            let at = |message: String, help: Option<String>| Fault {
                message,
                help,
                file: Arc::clone(root.file()),
                span: span.clone(),
            };
            let setting =
                self.rulings.iter().filter_map(|r| r.setting.as_ref()).find(|s| s.name == name);
            let Some(setting) = setting else {
                faults.push(at(
                    format!("no ruling {key} can be switched"),
                    Some(self.switch_hint(name)),
                ));
                continue;
            };
            let mut ignored = Vec::new();
            let chosen = match read::figure(root.file(), value, &mut ignored) {
                Some(Figure::Text(text)) => text,
                Some(other) => other.to_string(),
                None => String::new(),
            };
            if setting.options.contains_key(&chosen) {
                self.settings.insert(name.to_owned(), chosen);
            } else {
                let options: Vec<&str> = setting.options.keys().map(String::as_str).collect();
                let help = format!("one of: {}", options.join(", "));
                faults.push(at(format!("the ruling {name} cannot be `{chosen}`"), Some(help)));
            }
        }
    }

    fn switch_hint(&self, name: &str) -> String {
        let switches = || self.settings.keys().map(String::as_str);
        if self.rulings.iter().any(|r| r.id.trim_start_matches("ruling.") == name) {
            return "this ruling is settled: it has no other setting yet".into();
        }
        match nearest(name, switches()) {
            Some(near) => format!("did you mean {near}?"),
            None => format!("known: {}", switches().collect::<Vec<_>>().join(", ")),
        }
    }

    fn no_clause(&self, reader: &Reader<'_, '_>, id: &str) -> Fault {
        let near = nearest(id, self.clauses.iter().map(|c| c.id.as_str()));
        let help = near.map(|n| format!("did you mean {n}?"));
        reader.fault("rule", format!("{} has no clause {id}", self.id), help)
    }
}

/// Figures of a change must be ones the clause has, of the same kind.
fn check_figures(
    clause: &Clause,
    reader: &Reader<'_, '_>,
    figures: &BTreeMap<String, Figure>,
    faults: &mut Vec<Fault>,
) {
    for (key, value) in figures {
        match clause.printed.get(key) {
            None if COMBINING.contains(&key.as_str()) => {}
            None => {
                let near = nearest(key, clause.printed.keys().map(String::as_str));
                let known: Vec<&str> = clause.printed.keys().map(String::as_str).collect();
                let help = near
                    .map(|n| format!("did you mean `{n}`?"))
                    .unwrap_or_else(|| format!("its figures: {}", known.join(", ")));
                let message = format!("{} has no figure `{key}`", clause.id);
                faults.push(reader.fault("figures", message, Some(help)));
            }
            Some(printed) if !same_kind(printed, value) => {
                let message =
                    format!("`{key}` of {} is {}, not {}", clause.id, printed.kind(), value.kind());
                let help = Some(format!("it is {printed} now"));
                faults.push(reader.fault("figures", message, help));
            }
            Some(_) => {}
        }
    }
}

fn same_kind(a: &Figure, b: &Figure) -> bool {
    match (a, b) {
        (Figure::Int(_) | Figure::Real(_), Figure::Int(_) | Figure::Real(_)) => true,
        _ => std::mem::discriminant(a) == std::mem::discriminant(b),
    }
}
