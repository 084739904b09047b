//! Answers for people: the tally, the results, a bar for each.

use std::fmt::Write as _;

use engine::Loaded;
use serde_json::{Map, Value};

use crate::style::{bar, clause, faint, heading, percent, signed, words, wrap};

/// Everything a page about one question needs.
pub(crate) struct Page<'a> {
    pub(crate) loaded: &'a Loaded,
    pub(crate) check: &'a str,
    pub(crate) request: &'a Map<String, Value>,
    pub(crate) added: &'a [String],
}

/// A line of a result table.
struct Row {
    name: String,
    what: String,
    chance: f64,
}

/// From the attacker's best to the defender's.
const CHARGE_RESULTS: [&str; 7] =
    ["swept", "driven back", "hard pressed", "desperate struggle", "falter", "recoil", "repulsed"];

/// How a result was reached.
const REACHED: [&str; 7] =
    ["total", "totals", "difference", "required", "dice", "to_hit", "automatic"];

/// What a result means on the table.
const DETAILS: [&str; 14] = [
    "state",
    "maneuver_list",
    "massed_effect",
    "massed_within",
    "leader_within",
    "checked_to",
    "retreat_inches",
    "breakthrough_fraction_of_move",
    "guns_damaged",
    "retreat_segments",
    "retreat_speed",
    "winning_bonus",
    "flee_yards",
    "castings_lost",
];

const BAR: usize = 30;
/// Past this many rows a table stops helping.
const MOST_ROWS: usize = 24;

impl Page<'_> {
    /// The page for a roll that was made.
    pub(crate) fn resolved(&self, answer: &Value) -> String {
        let mut page = self.head();
        self.tally(&answer["modifiers"], &mut page);
        let Reading { name, what, .. } = read(self.check, answer);
        _ = writeln!(page, "{}", heading("Result"));
        _ = writeln!(
            page,
            "  {}{}",
            heading(&name),
            if what.is_empty() { String::new() } else { format!(": {what}") }
        );
        for key in REACHED.iter().chain(&DETAILS) {
            if let Some(value) = answer.get(*key).filter(|v| !v.is_null()) {
                _ = writeln!(page, "  {} {}", faint(&key.replace('_', " ")), numbers(value));
            }
        }
        let rules = answer["rules"].as_array().map(Vec::as_slice).unwrap_or_default();
        if !rules.is_empty() {
            _ = writeln!(page, "\n{}", heading("By these clauses"));
            for id in rules.iter().filter_map(Value::as_str) {
                let says = self.loaded.book.clause(id).map_or("", |c| c.says.as_str());
                for line in wrap(says, 88) {
                    _ = writeln!(page, "  {line}");
                }
                _ = writeln!(page, "    {}", clause(id));
            }
        }
        page
    }

    /// The page for the odds of a check.
    pub(crate) fn odds(&self, answer: &Value) -> String {
        let outcomes = answer["outcomes"].as_array().map(Vec::as_slice).unwrap_or_default();
        let mut page = self.head();
        let modifiers = outcomes.first().map_or(&Value::Null, |o| &o["result"]["modifiers"]);
        if self.request.contains_key("until_decided") {
            _ = writeln!(
                page,
                "{}",
                faint("Rolled again until decided; the tally is that of the first roll.")
            );
        }
        self.tally(modifiers, &mut page);
        if outcomes.len() == 1 {
            let reading = read(self.check, &outcomes[0]["result"]);
            _ = writeln!(
                page,
                "{}\n  {}  {}",
                heading("Certain"),
                heading(&reading.name),
                reading.what
            );
            return page;
        }
        let same = |key: &&&str| {
            let first = &outcomes[0]["result"][**key];
            !first.is_null() && outcomes.iter().all(|o| o["result"][**key] == *first)
        };
        for key in REACHED.iter().filter(same) {
            let value = numbers(&outcomes[0]["result"][*key]);
            _ = writeln!(page, "{} {value}", faint(&key.replace('_', " ")));
        }
        if REACHED.iter().any(|key| same(&key)) {
            page.push('\n');
        }
        if self.check == "melee" {
            melee(outcomes, &mut page);
            return page;
        }
        let mut rows = gather(outcomes, |result| {
            let reading = read(self.check, result);
            (reading.name, reading.what)
        });
        if self.check == "charge" {
            rows.sort_by_key(|row| CHARGE_RESULTS.iter().position(|name| *name == row.name));
        }
        table("Results", &rows, &mut page);
        for (key, words) in [
            ("low_on_ammo", "the firer runs low on ammunition"),
            ("leader_check", "a leader near the target has to check"),
        ] {
            let chance = chance(outcomes, |r| r[key] == Value::Bool(true));
            if chance > 0.0 {
                _ = writeln!(page, "  {} that {words}", percent(chance));
            }
        }
        page
    }

    fn head(&self) -> String {
        let book = &self.loaded.book;
        let mut page =
            format!("{}\n", heading(&format!("{}: {}", book.title, self.check.replace('-', " "))));
        for name in &book.house_rules {
            _ = writeln!(page, "{}", faint(&format!("with house rules: {name}")));
        }
        for id in self.added {
            _ = writeln!(
                page,
                "{}",
                faint(&format!("counted because you said so in other words: {id}"))
            );
        }
        page.push('\n');
        page
    }

    fn tally(&self, modifiers: &Value, page: &mut String) {
        let lines = modifiers.as_array().map(Vec::as_slice).unwrap_or_default();
        if lines.is_empty() {
            return;
        }
        _ = writeln!(page, "{}", heading("Tally"));
        let mut sides: Vec<String> = Vec::new();
        for line in lines {
            let side = side_name(&line["side"]);
            if !sides.contains(&side) {
                sides.push(side);
            }
        }
        for side in sides {
            if !side.is_empty() {
                _ = writeln!(page, "  {}", heading(&side));
            }
            let mut sum = 0.0;
            for line in lines.iter().filter(|l| side_name(&l["side"]) == side) {
                let id = line["rule"].as_str().unwrap_or("");
                let value = line["value"].as_f64().unwrap_or(0.0);
                sum += value;
                let pad = " ".repeat(5usize.saturating_sub(plain(value).len()));
                _ = writeln!(
                    page,
                    "  {pad}{}  {:<34} {}",
                    signed(value),
                    self.name_of(id),
                    clause(id)
                );
            }
            let pad = " ".repeat(5usize.saturating_sub(plain(sum).len()));
            _ = writeln!(page, "  {pad}{}  in all", signed(sum));
        }
        page.push('\n');
    }

    /// A modifier in words: its own name, with what the number is about.
    fn name_of(&self, id: &str) -> String {
        if id.starts_with("fire.points-modifier.") {
            return "fire points".into();
        }
        words(id)
    }
}

fn plain(value: f64) -> String {
    if value > 0.0 { format!("+{value}") } else { format!("{value}") }
}

fn side_name(side: &Value) -> String {
    match side {
        Value::String(name) => name.clone(),
        Value::Number(n) if n.as_u64() == Some(0) => "attacker (side 0)".into(),
        Value::Number(_) => "defender (side 1)".into(),
        _ => String::new(),
    }
}

/// A number for reading, not for counting on.
fn rounded(value: &Value) -> String {
    match (value.as_i64(), value.as_f64()) {
        (None, Some(x)) => format!("{x:.2}"),
        _ => value.to_string().replace("[", "").replace("]", "").replace(',', " "),
    }
}

fn numbers(value: &Value) -> String {
    match value {
        Value::String(text) => text.replace('-', " "),
        Value::Array(items) => {
            items.iter().map(Value::to_string).collect::<Vec<_>>().join(" against ")
        }
        other => other.to_string(),
    }
}

fn chance(outcomes: &[Value], is: impl Fn(&Value) -> bool) -> f64 {
    outcomes.iter().filter(|o| is(&o["result"])).filter_map(|o| o["probability"].as_f64()).sum()
}

/// Adds up the outcomes that read alike, the last roll's first: high rolls
/// are the strong results.
fn gather(outcomes: &[Value], name: impl Fn(&Value) -> (String, String)) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    for outcome in outcomes.iter().rev() {
        let (name, what) = name(&outcome["result"]);
        let chance = outcome["probability"].as_f64().unwrap_or(0.0);
        match rows.iter_mut().find(|r| r.name == name && r.what == what) {
            Some(row) => row.chance += chance,
            None => rows.push(Row { name, what, chance }),
        }
    }
    rows
}

fn table(title: &str, rows: &[Row], page: &mut String) {
    let widest =
        |text: fn(&Row) -> &str| rows.iter().map(|r| text(r).chars().count()).max().unwrap_or(0);
    let (name, what) = (widest(|r| &r.name), widest(|r| &r.what));
    _ = writeln!(page, "{}", heading(title));
    for row in rows.iter().take(MOST_ROWS) {
        let pad = |text: &str, width: usize| " ".repeat(width.saturating_sub(text.chars().count()));
        _ = writeln!(
            page,
            "  {}{}  {}{}  {:>7}  {}",
            heading(&row.name),
            pad(&row.name, name),
            row.what,
            pad(&row.what, what),
            percent(row.chance),
            bar(row.chance, BAR)
        );
    }
    if rows.len() > MOST_ROWS {
        let rest: f64 = rows[MOST_ROWS..].iter().map(|r| r.chance).sum();
        _ = writeln!(
            page,
            "  … {} more, {} together (--json has them all)",
            rows.len() - MOST_ROWS,
            percent(rest)
        );
    }
}

/// Two pools of dice have too many pairs of hits for one table.
fn melee(outcomes: &[Value], page: &mut String) {
    let loser = |r: &Value| match r["loser"].as_u64() {
        Some(0) => ("the attacker loses".to_owned(), String::new()),
        Some(_) => ("the defender loses".to_owned(), String::new()),
        None => ("nobody loses".to_owned(), "locked in melee".to_owned()),
    };
    let mut rows = gather(outcomes, loser);
    rows.sort_by(|a, b| b.chance.total_cmp(&a.chance));
    table("Who loses", &rows, page);
    for (side, name) in [(0, "Hits the attacker inflicts"), (1, "Hits the defender inflicts")] {
        let mut rows = gather(outcomes, |r| {
            let hits = r["hits"][side].as_u64().unwrap_or(0);
            (format!("{hits:>2}"), String::new())
        });
        rows.sort_by(|a, b| a.name.cmp(&b.name));
        let (shown, rare): (Vec<Row>, Vec<Row>) =
            rows.into_iter().partition(|r| r.chance >= 0.0005);
        page.push('\n');
        table(name, &shown, page);
        if !rare.is_empty() {
            let rest: f64 = rare.iter().map(|r| r.chance).sum();
            _ = writeln!(
                page,
                "  … {} more, {} together (--json has them all)",
                rare.len(),
                percent(rest)
            );
        }
    }
}

/// An answer in words.
struct Reading {
    name: String,
    what: String,
}

fn read(check: &str, result: &Value) -> Reading {
    let text = |key: &str| result[key].as_str().unwrap_or("").replace('-', " ");
    match check {
        "maneuver" => {
            let lost = result["stands_lost"].as_i64().unwrap_or(0);
            let what = if lost > 0 { stands(lost) } else { String::new() };
            Reading { name: text("effect"), what }
        }
        "fire" if result.get("effect").is_some() => fire(result),
        "charge" => charge(result),
        "fallen-leader" => Reading { name: text("effect"), what: String::new() },
        "morale" if result.get("effect").is_some() => Reading {
            name: text("effect"),
            what: if result["passed"] == Value::Bool(true) {
                "the stand is steady".into()
            } else {
                String::new()
            },
        },
        "close-combat" => close_combat(result),
        "skirmish" => skirmish(result),
        "commander" => {
            let killed = result["killed"] == Value::Bool(true);
            Reading { name: if killed { "killed" } else { "unhurt" }.into(), what: String::new() }
        }
        "hit-location" => Reading { name: text("part"), what: String::new() },
        _ if result.get("hits").is_some_and(Value::is_u64) => {
            let hits = result["hits"].as_u64().unwrap_or(0);
            Reading {
                name: format!("{hits} {}", if hits == 1 { "hit" } else { "hits" }),
                what: String::new(),
            }
        }
        _ => other(result),
    }
}

/// A lookup: every field that has a value.
fn other(result: &Value) -> Reading {
    let skip = ["modifiers", "rules", "id"];
    let fields = result.as_object().into_iter().flatten();
    let shown: Vec<String> = fields
        .filter(|(key, value)| !skip.contains(&key.as_str()) && !value.is_null())
        .map(|(key, value)| match value {
            Value::String(s) => format!("{} {s}", key.replace('_', " ")),
            Value::Object(inner) => {
                let parts: Vec<String> = inner
                    .iter()
                    .map(
                        |(k, v)| {
                            if v.is_null() { format!("no {k}") } else { format!("{k} at {v}") }
                        },
                    )
                    .collect();
                parts.join(", ")
            }
            other => format!("{} {}", key.replace('_', " "), rounded(other)),
        })
        .collect();
    let name = if shown.is_empty() { "none".into() } else { shown.join(", ") };
    Reading { name, what: String::new() }
}

fn stands(n: i64) -> String {
    format!("{n} {} lost", if n == 1 { "stand" } else { "stands" })
}

fn fire(result: &Value) -> Reading {
    let mut what = Vec::new();
    let count = |key: &str| result[key].as_i64().unwrap_or(0);
    if count("stands_lost") > 0 {
        what.push(stands(count("stands_lost")));
    }
    if result["disordered"] == Value::Bool(true) {
        what.push("disordered".into());
    }
    for (key, word) in
        [("guns_wrecked", "wrecked"), ("guns_damaged", "damaged"), ("guns_silenced", "silenced")]
    {
        match count(key) {
            0 => {}
            1 => what.push(format!("1 gun stand {word}")),
            n => what.push(format!("{n} gun stands {word}")),
        }
    }
    match result["charge"].as_str() {
        Some("checked") => what.push("charge checked".into()),
        Some(_) => what.push("charge goes home".into()),
        None => {}
    }
    let name = format!("{} fire", result["effect"].as_str().unwrap_or(""));
    let what = if what.is_empty() { "no effect".into() } else { what.join(", ") };
    Reading { name, what }
}

fn charge(result: &Value) -> Reading {
    let side = |name: &str| {
        let side = &result[name];
        let mut what = Vec::new();
        let lost = side["stands_lost"].as_i64().unwrap_or(0);
        if lost > 0 {
            what.push(format!("-{lost}"));
        }
        match side["state"].as_str() {
            Some("unchanged") | None => {}
            Some(state) => what.push(state.to_owned()),
        }
        match side["move"].as_str() {
            Some("hold") if side["state"] == "eliminated" => {}
            Some("hold") => what.push("holds".into()),
            Some("carry") => what.push("carries the position".into()),
            Some("breakthrough") => what.push("breaks through".into()),
            Some("retreat-short") => what.push("back a little".into()),
            Some("retreat-beyond-close-range") => what.push("back out of close range".into()),
            Some(_) => what.push("full retreat".into()),
            None => {}
        }
        if side["may_recall"] == Value::Bool(true) {
            what.push("may recall".into());
        }
        if side["leader_check"] == Value::Bool(true) {
            what.push("leader checks".into());
        }
        format!("{name} {}", what.join(", "))
    };
    let name = result["effect"].as_str().unwrap_or("").replace('-', " ");
    Reading { name, what: format!("{}; {}", side("attacker"), side("defender")) }
}

fn close_combat(result: &Value) -> Reading {
    let hits = |i: usize| result["hits"][i].as_u64().unwrap_or(0);
    let score = format!("hits {} to {}", hits(0), hits(1));
    let each = result["extra_hits_each"].as_u64().unwrap_or(0);
    let who = match result["loser"].as_u64() {
        Some(0) => "the attacker",
        Some(_) => "the defender",
        None => "",
    };
    let name = match (result["result"].as_str(), who) {
        (_, "") => "a draw, fight on".to_owned(),
        (Some("continue"), who) => format!("{who} loses, fight on"),
        (Some("retreat"), who) => format!("{who} retreats"),
        (_, who) => format!("{who} breaks"),
    };
    let what = if each > 0 { format!("{score}, {each} more on each") } else { score };
    Reading { name, what }
}

fn skirmish(result: &Value) -> Reading {
    let hits = result["hits"].as_u64().unwrap_or(0);
    let mut what = Vec::new();
    if result["halt"] == Value::Bool(true) {
        what.push("the target halts".to_owned());
    }
    if let Some(yards) = result["retreat"].as_u64().filter(|y| *y > 0) {
        what.push(format!("the target retreats {yards} yards"));
    }
    if let Some(lost) = result["casualties"].as_u64().filter(|n| *n > 0) {
        what.push(format!("{lost} casting lost"));
    }
    let what = if what.is_empty() { "no effect".into() } else { what.join(", ") };
    Reading { name: format!("{hits} {}", if hits == 1 { "hit" } else { "hits" }), what }
}
