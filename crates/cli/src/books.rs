//! `linstock book …`: looking into the rulebooks.

use std::fmt::Write as _;
use std::io::Write as _;
use std::sync::Arc;

use engine::ledger::{Ledger, Standing};
use engine::{BOOKS, Book, ClauseDifference, Library, Loaded, difference};
use rulebook::{Clause, Shorthand, nearest, shorthand};

use crate::args::{BookCommand, Format};
use crate::failure::Failure;
use crate::sheet;
use crate::style::{clause, faint, heading, percent, wrap};

/// Runs a book command.
pub(crate) fn run(library: &Library, command: BookCommand) -> Result<(), Failure> {
    let text = match command {
        BookCommand::List => list(library)?,
        BookCommand::Show { clause, book } => show(&chosen(library, book.as_deref())?, &clause)?,
        BookCommand::Search { words, book } => search(&chosen(library, book.as_deref())?, &words)?,
        BookCommand::Sheet { book, format, output } => {
            let loaded = library.load(&book)?;
            let sheet = sheet::make(&loaded.book);
            let text = match format {
                Format::Terminal => sheet::terminal(&sheet),
                Format::Markdown => sheet::markdown(&sheet),
                Format::Html => sheet::html(&sheet),
            };
            if let Some(path) = output {
                std::fs::write(&path, text).map_err(|e| {
                    Failure::Said(format!("{} cannot be written: {e}", path.display()))
                })?;
                anstream::eprintln!("written to {}", path.display());
                return Ok(());
            }
            text
        }
        BookCommand::Diff { a, b } => diff(&*library.load(&a)?, &*library.load(&b)?),
        BookCommand::Rulings { book, settings } => rulings(&library.load(&book)?.book, settings),
        BookCommand::Ledger { all } => ledger(library, all)?,
    };
    Ok(anstream::stdout().lock().write_all(text.as_bytes())?)
}

fn chosen(library: &Library, book: Option<&str>) -> Result<Vec<Arc<Loaded>>, Failure> {
    match book {
        Some(name) => Ok(vec![library.load(name)?]),
        None => BOOKS.iter().map(|id| library.load(id).map_err(Failure::from)).collect(),
    }
}

fn list(library: &Library) -> Result<String, Failure> {
    let mut text = String::new();
    for id in BOOKS {
        let loaded = library.load(id)?;
        let book = &loaded.book;
        _ = writeln!(text, "{}", heading(id));
        _ = writeln!(text, "  {}", book.title);
        _ = writeln!(
            text,
            "  {} clauses, {} rulings, hash {}",
            book.len(),
            book.rulings().len(),
            book.hash()
        );
        _ = writeln!(text, "  checks: {}", loaded.rules.checks().join(", "));
        _ = writeln!(text, "  {}", faint(&book.sheet));
    }
    Ok(text)
}

/// What a name of a person's means in one book.
enum Found<'b> {
    Clause(&'b Clause),
    Ruling(&'b rulebook::Ruling),
    Many(Vec<&'b str>),
    None(Option<&'b str>),
}

fn find<'b>(book: &'b Book, written: &str) -> Found<'b> {
    if let Some(clause) = book.clause(written) {
        return Found::Clause(clause);
    }
    if let Some(ruling) =
        book.rulings().iter().find(|r| r.id == written || r.id == format!("ruling.{written}"))
    {
        return Found::Ruling(ruling);
    }
    let ids: Vec<&str> = book.clauses().map(|(_, c)| c.id.as_str()).collect();
    let by_end: Vec<&str> =
        ids.iter().copied().filter(|id| id.ends_with(&format!(".{written}"))).collect();
    match by_end.as_slice() {
        [one] => book.clause(one).map_or(Found::None(None), Found::Clause),
        [] => match shorthand(written, &ids) {
            Shorthand::One(id) => book.clause(id).map_or(Found::None(None), Found::Clause),
            Shorthand::Many(ids) => Found::Many(ids),
            Shorthand::None(near) => {
                let rulings = book.rulings().iter().map(|r| r.id.as_str());
                Found::None(near.or_else(|| nearest(written, rulings)))
            }
        },
        _ => Found::Many(by_end),
    }
}

fn show(books: &[Arc<Loaded>], written: &str) -> Result<String, Failure> {
    let mut text = String::new();
    let mut near = None;
    let mut many: Option<Vec<&str>> = None;
    let mut shown_ruling = None;
    for loaded in books {
        let book = &loaded.book;
        match find(book, written) {
            Found::Clause(found) => {
                _ = writeln!(text, "{} {}", clause(&found.id), faint(&format!("in {}", book.id)));
                clause_body(book, found, &mut text);
            }
            // The books of a family share their rulings.
            Found::Ruling(ruling) if shown_ruling != Some(&ruling.id) => {
                ruling_body(book, ruling, &mut text);
                shown_ruling = Some(&ruling.id);
            }
            Found::Ruling(_) => {}
            Found::Many(ids) => {
                many.get_or_insert(ids);
            }
            Found::None(guess) => near = near.or(guess),
        }
    }
    if !text.is_empty() {
        return Ok(text);
    }
    if let Some(ids) = many {
        return Err(Failure::Said(format!("{written} could be: {}", ids.join(", "))));
    }
    let hint = near.map(|n| format!("; did you mean {n}?")).unwrap_or_default();
    Err(Failure::Said(format!("no clause or ruling {written}{hint} Try linstock book search")))
}

fn clause_body(book: &Book, found: &Clause, text: &mut String) {
    for line in wrap(&found.says, 88) {
        _ = writeln!(text, "  {line}");
    }
    for (key, figure) in &found.figures {
        let printed = found.printed().get(key);
        let changed = match printed {
            Some(printed) if printed != figure => format!("  (printed: {printed})"),
            None => "  (not printed)".to_owned(),
            Some(_) => String::new(),
        };
        _ = writeln!(text, "  {key} = {figure}{}", faint(&changed));
    }
    for overlay in found.overlays() {
        let figures: Vec<String> =
            overlay.figures.iter().map(|(k, v)| format!("{k} = {v}")).collect();
        let line = format!(
            "with the ruling {} set to {}: {}",
            overlay.setting,
            overlay.is,
            figures.join(", ")
        );
        _ = writeln!(text, "  {}", faint(&line));
    }
    let derived = if found.derived { ", by inference" } else { "" };
    _ = writeln!(text, "  {}", faint(&format!("printed at {}{derived}", found.source)));
    if let Some(note) = &found.note {
        for line in wrap(note, 88) {
            _ = writeln!(text, "  {}", faint(&line));
        }
        for ruling in book.rulings().iter().filter(|r| note.contains(&r.id)) {
            for (i, line) in wrap(&ruling.text, 80).iter().enumerate() {
                let mark = if i == 0 { "ruled:" } else { "      " };
                _ = writeln!(text, "    {mark} {line}");
            }
        }
    }
    text.push('\n');
}

fn ruling_body(book: &Book, ruling: &rulebook::Ruling, text: &mut String) {
    let kind = if ruling.reading { "a reading of damaged print" } else { "fills a silence" };
    _ = writeln!(text, "{} {}", clause(&ruling.id), faint(kind));
    for (name, body) in
        [("Question", &ruling.question), ("Hints", &ruling.hints), ("Ruling", &ruling.text)]
    {
        for (i, line) in wrap(body, 78).iter().enumerate() {
            let mark = if i == 0 { name } else { "" };
            _ = writeln!(text, "  {mark:<9} {line}");
        }
    }
    if let Some(setting) = &ruling.setting {
        _ = writeln!(text, "  {:<9} {} = {}", "Setting", setting.name, book.setting(&setting.name));
        for (value, means) in &setting.options {
            _ = writeln!(text, "            {}: {means}", heading(value));
        }
    }
    text.push('\n');
}

fn search(books: &[Arc<Loaded>], words: &[String]) -> Result<String, Failure> {
    let words: Vec<String> =
        words.iter().flat_map(|w| w.split_whitespace()).map(str::to_lowercase).collect();
    let holds = |text: &str| {
        let text = text.to_lowercase();
        words.iter().all(|w| text.contains(w.as_str()))
    };
    let mut text = String::new();
    let mut rulings_seen: Vec<&str> = Vec::new();
    for loaded in books {
        let book = &loaded.book;
        let found: Vec<&Clause> = book
            .clauses()
            .map(|(_, c)| c)
            .filter(|c| holds(&format!("{} {} {}", c.id, c.says, c.note.as_deref().unwrap_or(""))))
            .collect();
        let rulings: Vec<&rulebook::Ruling> = book
            .rulings()
            .iter()
            .filter(|r| holds(&format!("{} {} {} {}", r.id, r.question, r.hints, r.text)))
            .filter(|r| !rulings_seen.contains(&r.id.as_str()))
            .collect();
        if found.is_empty() && rulings.is_empty() {
            continue;
        }
        _ = writeln!(text, "{}", heading(&book.id));
        for c in found {
            _ = writeln!(text, "  {}", clause(&c.id));
            for line in wrap(&c.says, 86) {
                _ = writeln!(text, "    {line}");
            }
        }
        for ruling in rulings {
            _ = writeln!(text, "  {}", clause(&ruling.id));
            for line in wrap(&ruling.text, 86) {
                _ = writeln!(text, "    {line}");
            }
            rulings_seen.push(&ruling.id);
        }
    }
    if text.is_empty() {
        let message = format!(
            "nothing has {} in it: try fewer words, or part of a word",
            words.join(" and ")
        );
        return Err(Failure::Said(message));
    }
    Ok(text)
}

fn rulings(book: &Book, only_settings: bool) -> String {
    let mut text = String::new();
    let mut chapter = "";
    for ruling in book.rulings().iter().filter(|r| !only_settings || r.setting.is_some()) {
        if ruling.chapter != chapter {
            chapter = &ruling.chapter;
            _ = writeln!(text, "{}\n", heading(chapter));
        }
        ruling_body(book, ruling, &mut text);
    }
    text
}

fn diff(a: &Loaded, b: &Loaded) -> String {
    let name = |l: &Loaded| {
        let house = l.book.house_rules.join(", ");
        if house.is_empty() { l.book.id.clone() } else { format!("{} with {house}", l.book.id) }
    };
    let difference = difference(a, b);
    let mut text = format!("{}\n\n", heading(&format!("{} against {}", name(a), name(b))));
    if difference.clauses.is_empty() && difference.settings.is_empty() {
        text.push_str("no clause and no setting differs\n");
        return text;
    }
    clause_differences(&difference.clauses, &mut text);
    for (setting, x, y) in &difference.settings {
        _ = writeln!(text, "  ruling {}  {x} → {y}", clause(setting));
    }
    if !difference.comparable {
        text.push_str("\nThe two are of different families: no check is common to both.\n");
        return text;
    }
    if difference.shifts.is_empty() {
        text.push_str(
            "\nNo odds move, of the standing questions and of what the book's own cases ask.\n",
        );
        return text;
    }
    let mut check = "";
    let mut question = "";
    for shift in &difference.shifts {
        if shift.check != check {
            check = &shift.check;
            _ = writeln!(text, "\n{}", heading(&format!("Odds that move: {check}")));
            question = "";
        }
        if shift.question != question {
            question = &shift.question;
            _ = writeln!(text, "  {question}");
        }
        let change = (shift.second - shift.first) * 100.0;
        let shown = if shift.result.is_empty() { "no effect" } else { &shift.result };
        _ = writeln!(
            text,
            "    {:>7} → {:>7}  {:>+6.1}  {shown}",
            percent(shift.first),
            percent(shift.second),
            change
        );
    }
    text
}

fn clause_differences(clauses: &[ClauseDifference], text: &mut String) {
    _ = writeln!(text, "{}", heading("Clauses that differ"));
    let mut alone = [Vec::new(), Vec::new()];
    for clause_difference in clauses {
        match clause_difference {
            ClauseDifference::OnlyFirst(id) => alone[0].push(id.as_str()),
            ClauseDifference::OnlySecond(id) => alone[1].push(id.as_str()),
            ClauseDifference::Figures(id, figures) => {
                let changes: Vec<String> = figures
                    .iter()
                    .map(|(key, x, y)| {
                        let show = |f: &Option<rulebook::Figure>| {
                            f.as_ref().map_or("none".into(), ToString::to_string)
                        };
                        format!("{key} {} → {}", show(x), show(y))
                    })
                    .collect();
                _ = writeln!(text, "  {}  {}", clause(id), changes.join(", "));
            }
        }
    }
    for (title, ids) in ["only in the first", "only in the second"].iter().zip(alone) {
        if !ids.is_empty() {
            _ = writeln!(text, "  {title} ({}):", ids.len());
            for line in wrap(&ids.join(", "), 92) {
                _ = writeln!(text, "    {}", faint(&line));
            }
        }
    }
}

fn ledger(library: &Library, all: bool) -> Result<String, Failure> {
    let mut text = format!(
        "{}\n",
        heading(&format!(
            "{:<22} {:>7} {:>7} {:>8} {:>11}",
            "book", "clauses", "tested", "waiting", "untestable"
        ))
    );
    let mut sums = [0; 4];
    let mut missing = Vec::new();
    let mut rest = String::new();
    for id in BOOKS {
        let loaded = library.load(id)?;
        let ledger = Ledger::of(&loaded.book).map_err(Failure::Said)?;
        let counts = ledger.counts();
        let of = |key: &str| counts.get(key).copied().unwrap_or(0);
        let row = [loaded.book.len(), of("tested"), of("waiting"), of("untestable")];
        _ = writeln!(text, "{id:<22} {:>7} {:>7} {:>8} {:>11}", row[0], row[1], row[2], row[3]);
        for (sum, n) in sums.iter_mut().zip(row) {
            *sum += n;
        }
        _ = writeln!(rest, "\n{}", heading(id));
        for (clause_id, standing) in &ledger.clauses {
            match standing {
                Standing::Tested => {}
                Standing::Waiting(family) => {
                    _ = writeln!(rest, "  waiting     {}  {}", clause(clause_id), faint(family));
                }
                Standing::Untestable(reason) => {
                    _ = writeln!(rest, "  untestable  {}  {}", clause(clause_id), faint(reason));
                }
                Standing::Missing => missing.push(format!("{id} {clause_id}")),
            }
        }
    }
    _ = writeln!(
        text,
        "{:<22} {:>7} {:>7} {:>8} {:>11}",
        "all", sums[0], sums[1], sums[2], sums[3]
    );
    if all {
        text.push_str(&rest);
    }
    if !missing.is_empty() {
        let message = format!("clauses that stand nowhere in the ledger: {}", missing.join(", "));
        return Err(Failure::Said(message));
    }
    Ok(text)
}
