//! The sheet of a Regimental Fire and Fury book.

use std::collections::BTreeMap;

use engine::Book;
use rulebook::{Clause, Figure};

use super::parts::{
    fraction, int, lines, modifiers, number, range, range_of, says, signed, title, under,
    without_name,
};
use super::{Block, Part, Says};

pub(super) fn blocks(book: &Book) -> Vec<Block> {
    vec![
        Block::new("Command radius", vec![lines(under(book, "command.radius."))]),
        Block::new(
            "Maneuver: die roll modifiers",
            vec![modifiers(book, "maneuver.modifier.", "modifier")],
        ),
        Block::new("Troops in good order, and guns", maneuver(book, "good-order")),
        Block::new("Disordered or broken troops", maneuver(book, "disordered")),
        Block::new("Sequence of a player turn", vec![lines(under(book, "sequence."))]),
        Block::new("Movement, full move / double quick", vec![movement(book)]),
        Block::new("Troop maneuvers", maneuver_lists(book, "troop-maneuvers")),
        Block::new("Gun maneuvers", maneuver_lists(book, "gun-maneuvers")),
        Block::new("Effectiveness: stands / worn / spent", vec![effectiveness(book)]),
        Block::new("Fallen leader", vec![fallen_leader(book)]),
        Block::new("Scale", vec![lines(under(book, "scale."))]),
        Block::new("Fire points for each stand", vec![weapons(book)]),
        Block::new("Fire: points modifier", vec![points(book)]),
        Block::new("Fire: die roll modifiers", vec![modifiers(book, "fire.modifier.", "modifier")]),
        Block::new("Fire table", vec![fire_table(book)]),
        Block::new("Fire: effects", fire_effects(book)),
        Block::new(
            "Charge: die roll modifiers",
            vec![modifiers(book, "charge.modifier.", "modifier")],
        ),
        Block::new("Charge table (attacker less defender)", charge(book)),
    ]
}

/// The words of an effect: one for each arm, without what is said elsewhere.
fn maneuver(book: &Book, column: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    let prefix = format!("maneuver.{column}.");
    for clause in under(book, &prefix) {
        let Some(name) = clause.id[prefix.len()..].strip_suffix(".range") else {
            continue;
        };
        let figures = &clause.figures;
        let table = |key: &str| figures.get(key).and_then(Figure::table);
        let range = match (table("in_command"), table("out_of_command")) {
            (Some(inside), Some(outside)) => {
                format!("{} ({} out of command)", range_of(Some(inside)), range_of(Some(outside)))
            }
            _ => range_of(Some(figures)),
        };
        let effect = format!("{prefix}{name}.");
        let sentences = under(book, &effect)
            .filter(|c| !c.id.ends_with(".range"))
            .map(|c| short_effect(&says(c)));
        parts.push(Part::Result { range, name: title(name), says: Says::plain(sentences) });
    }
    parts
}

/// "On Fall Back, troops …" without the name that stands before it already.
fn short_effect(sentence: &str) -> String {
    let rest = sentence.strip_prefix("On ").and_then(|s| {
        s.split_once(", ").filter(|(head, _)| head.split(' ').count() <= 3).map(|(_, rest)| rest)
    });
    without_name(rest.unwrap_or(sentence))
}

fn movement(book: &Book) -> Part {
    let mut rows: Vec<(String, BTreeMap<&str, String>)> = Vec::new();
    for clause in under(book, "movement.") {
        let tail = &clause.id["movement.".len()..];
        let Some((row, ground)) = tail.rsplit_once('.') else {
            continue;
        };
        if row.matches('.').count() != 1 || !["open", "broken", "rough", "road"].contains(&ground) {
            continue;
        }
        let cell = cell(clause);
        let name = row.replace('.', ", ").replace('-', " ");
        match rows.iter_mut().find(|(n, _)| *n == name) {
            Some((_, cells)) => drop(cells.insert(ground_key(ground), cell)),
            None => rows.push((name, BTreeMap::from([(ground_key(ground), cell)]))),
        }
    }
    let heads = ["", "open", "broken", "rough", "road"].map(String::from).to_vec();
    let rows = rows
        .into_iter()
        .map(|(name, cells)| {
            let cell = |key: &str| cells.get(key).cloned().unwrap_or_else(|| "–".into());
            vec![name, cell("open"), cell("broken"), cell("rough"), cell("road")]
        })
        .collect();
    Part::Table(heads, rows)
}

fn ground_key(ground: &str) -> &'static str {
    match ground {
        "open" => "open",
        "broken" => "broken",
        "rough" => "rough",
        _ => "road",
    }
}

fn cell(clause: &Clause) -> String {
    match (number(clause, "full"), number(clause, "double_quick"), number(clause, "multiplier")) {
        (Some(full), Some(quick), _) => format!("{full} / {quick}"),
        (Some(full), None, _) => format!("{full}"),
        (_, _, Some(times)) => format!("×{times}"),
        _ => "–".into(),
    }
}

/// The lists of maneuvers: those of each result together, in the words of
/// their ids, which are the sheet's own terms.
fn maneuver_lists(book: &Book, section: &str) -> Vec<Part> {
    let mut lists: Vec<(String, Vec<String>)> = Vec::new();
    let prefix = format!("{section}.");
    for clause in under(book, &prefix) {
        let tail = &clause.id[prefix.len()..];
        let Some((list, entry)) = tail.split_once('.') else {
            continue;
        };
        let entry = entry.replace('.', ": ").replace('-', " ");
        match lists.iter_mut().find(|(name, _)| name == list) {
            Some((_, entries)) => entries.push(entry),
            None => lists.push((list.to_owned(), vec![entry])),
        }
    }
    lists
        .into_iter()
        .map(|(name, entries)| Part::Result {
            range: String::new(),
            name: title(&name),
            says: Says::plain([entries.join("; ") + "."]),
        })
        .collect()
}

fn weapons(book: &Book) -> Part {
    let mut rows: Vec<Vec<String>> = Vec::new();
    for section in ["musketry.", "cannonade."] {
        for clause in under(book, section) {
            let code = clause.figures.get("weapon").and_then(Figure::text);
            let (Some(code), Some(to), Some(points)) =
                (code, number(clause, "to"), number(clause, "points"))
            else {
                continue;
            };
            let name = clause.id.split('.').nth(1).unwrap_or("").replace('-', " ");
            let band = format!("{to}″ {}", fraction(points));
            let weapon = format!("{name} ({code})");
            match rows.iter_mut().find(|r| r[0] == weapon) {
                Some(row) => {
                    row[1].push_str(" · ");
                    row[1].push_str(&band);
                }
                None => rows.push(vec![weapon, band]),
            }
        }
    }
    Part::Table(vec!["weapon".into(), "up to inches, points".into()], rows)
}

fn points(book: &Book) -> Part {
    let mut lines = Vec::new();
    let mut steps: Vec<&Clause> = under(book, "fire.points-modifier.").collect();
    let from = |c: &&Clause| number(c, "min_points").or(number(c, "step_points").map(|_| f64::MAX));
    steps.sort_by(|a, b| from(a).unwrap_or(0.0).total_cmp(&from(b).unwrap_or(0.0)));
    for clause in steps {
        if let Some(step) = number(clause, "step_points") {
            let each = int(clause, "step_modifier").unwrap_or(0);
            lines.push((signed(each), format!("more for every {step} points beyond")));
            continue;
        }
        let Some(value) = int(clause, "modifier") else {
            continue;
        };
        let words = match (number(clause, "min_points"), number(clause, "below_points")) {
            (None, Some(below)) => format!("less than {below} point"),
            (Some(1.0), _) => "1 point".into(),
            (Some(from), Some(_)) => format!("{from} points"),
            (Some(from), None) if number(clause, "max_points").is_some() => {
                format!("{from} points")
            }
            (Some(from), None) => format!("{from} points or more"),
            (None, None) => continue,
        };
        lines.push((signed(value), words));
    }
    let halved = under(book, "fire.points.halved.")
        .filter(|c| !c.id.ends_with(".once"))
        .map(|c| c.id.rsplit('.').next().unwrap_or("").replace('-', " "))
        .collect::<Vec<_>>()
        .join(", ");
    lines.push(("×½".into(), format!("points of firers {halved}; once")));
    Part::Modifiers(lines)
}

fn fire_table(book: &Book) -> Part {
    let classes: Vec<&str> = ["elite", "veteran", "trained", "raw"]
        .into_iter()
        .filter(|c| book.clause(&format!("fire.result.withering.{c}")).is_some())
        .collect();
    let mut heads = vec!["target".to_owned()];
    heads.extend(classes.iter().map(|c| (*c).to_owned()));
    let mut rows = Vec::new();
    for (row, name) in [
        ("withering", "Withering"),
        ("telling", "Telling"),
        ("telling-charge-checked", " charge checked"),
        ("telling-cold-steel", " home with cold steel"),
        ("telling-charge-home", " charge home"),
        ("galling", "Galling"),
        ("lively", "Lively"),
        ("desultory", "Desultory"),
    ] {
        let clause = |class: &str| book.clause(&format!("fire.result.{row}.{class}"));
        if classes.iter().all(|c| clause(c).is_none()) {
            continue;
        }
        let mut cells = vec![name.to_owned()];
        cells.extend(classes.iter().map(|c| range_of(clause(c).map(|c| &c.figures))));
        rows.push(cells);
    }
    Part::Table(heads, rows)
}

fn fire_effects(book: &Book) -> Vec<Part> {
    let mut parts = Vec::new();
    for name in ["withering", "telling", "galling", "lively", "desultory"] {
        let prefix = format!("fire.effect.{name}.");
        let says = Says::plain(under(book, &prefix).map(says));
        parts.push(Part::Result {
            range: String::new(),
            name: format!("{} Fire", title(name)),
            says,
        });
    }
    let says = Says::plain(under(book, "fire.additional.").map(says));
    parts.push(Part::Result { range: String::new(), name: "Besides".into(), says });
    parts
}

fn charge(book: &Book) -> Vec<Part> {
    let mut parts = Vec::new();
    for clause in under(book, "charge.result.") {
        let Some(name) = clause.id["charge.result.".len()..].strip_suffix(".range") else {
            continue;
        };
        let range = range(int(clause, "min"), int(clause, "max"));
        let sides = [
            ("defender", "Defender"),
            ("attacker", "Attacker"),
            ("both", "Both"),
            ("reroll", "Then"),
        ];
        let said = sides.into_iter().filter_map(|(side, label)| {
            let prefix = format!("charge.{name}.{side}");
            let sentences: Vec<String> =
                under(book, &prefix).map(|c| without_name(&says(c))).collect();
            let text = sentences.join(" ");
            (!text.is_empty()).then(|| Says { label: label.into(), text })
        });
        parts.push(Part::Result { range, name: title(name), says: said.collect() });
    }
    parts
}

fn fallen_leader(book: &Book) -> Part {
    let rows = under(book, "fallen-leader.result.").map(|c| {
        let range = range(int(c, "min"), int(c, "max"));
        let effect = c.figures.get("effect").and_then(Figure::text).unwrap_or("");
        let words = match effect {
            "removed" => "removed from the game".to_owned(),
            "absent-one-turn" => "off the table for one turn".to_owned(),
            "dismounted-one-turn" => "on foot for one turn".to_owned(),
            _ => "no effect".to_owned(),
        };
        vec![range, words]
    });
    Part::Table(vec!["die".into(), "the leader is".into()], rows.collect())
}

fn effectiveness(book: &Book) -> Part {
    let levels = ["spirited", "reliable", "unreliable", "dispirited"];
    let mut rows: BTreeMap<i64, Vec<String>> = BTreeMap::new();
    for level in levels {
        let clause = book.clause(&format!("morale.effectiveness.{level}"));
        let table =
            clause.and_then(|c| c.figures.get("rows")).and_then(Figure::list).unwrap_or_default();
        let dash = clause.and_then(|c| int(c, "no_worn_marker")).unwrap_or(0);
        for row in table {
            let cells: Vec<i64> =
                row.list().unwrap_or_default().iter().filter_map(Figure::int).collect();
            if let [start, worn, spent] = cells[..] {
                let worn = if worn == dash { "–".to_owned() } else { worn.to_string() };
                rows.entry(start).or_default().push(format!("{worn} / {spent}"));
            }
        }
    }
    let mut heads = vec!["stands".to_owned()];
    heads.extend(levels.iter().map(|l| (*l).to_owned()));
    let rows = rows.into_iter().map(|(start, cells)| {
        let mut row = vec![start.to_string()];
        row.extend(cells);
        row
    });
    Part::Table(heads, rows.collect())
}
