//! The sheet of Fire and Discipline.

use engine::Book;
use rulebook::{Clause, Figure};

use super::parts::{
    capital, int, lines, modifiers, number, says, signed, title, under, without_name,
};
use super::{Block, Part};

pub(super) fn blocks(book: &Book) -> Vec<Block> {
    let grades = under(book, "morale.grade-");
    vec![
        Block::new("Scale", vec![lines(under(book, "scale.").filter(|c| !c.figures.is_empty()))]),
        Block::new("Sequence of play", vec![lines(under(book, "sequence."))]),
        Block::new("Movement: yards / inches", vec![movement(book)]),
        Block::new("Movement: conditions", vec![lines(conditions_of_movement(book))]),
        Block::new("Morale grades", vec![lines(grades)]),
        Block::new("Reasons for a morale check", vec![lines(under(book, "morale.cause."))]),
        Block::new(
            "Morale: castings + grade + modifiers",
            vec![
                modifiers(book, "morale.modifier.", "modifier"),
                lines(under(book, "morale.check.").filter(|c| !c.id.ends_with("needs-cause"))),
            ],
        ),
        Block::new("Morale loss: second die", vec![loss_chart(book)]),
        Block::new("Commanders fall on", vec![commanders(book)]),
        Block::new(
            "Hard Cover",
            vec![lines(under(book, "terrain.hard-cover.").filter(|c| !c.figures.is_empty()))],
        ),
        Block::new("Artillery fire: hits on 1 to …", vec![artillery(book)]),
        Block::new("Artillery modifiers: to 400 / over 400 yards", vec![artillery_modifiers(book)]),
        Block::new("Hit on a gun section", vec![hit_location(book)]),
        Block::new("Damage to guns", vec![lines(under(book, "artillery.damage."))]),
        Block::new(
            "Musketry dice: one per three castings",
            vec![
                modifiers(book, "musketry.dice-modifier.", "dice"),
                musketry(book),
                modifiers(book, "musketry.to-hit-modifier.", "modifier"),
            ],
        ),
        Block::new("Small arms", vec![lines(arms(book))]),
        Block::new("Skirmish fire", vec![skirmish(book)]),
        Block::new(
            "Melee: a die per casting",
            vec![
                modifiers(book, "melee.dice-modifier.", "dice"),
                melee(book),
                lines(
                    under(book, "melee.blade-armed.")
                        .chain(under(book, "melee.dice-modifier.holding")),
                ),
            ],
        ),
        Block::new(
            "Melee: order of events",
            vec![Part::Lines(
                under(book, "melee.procedure.").map(|c| without_name(&says(c))).collect(),
            )],
        ),
    ]
}

fn conditions_of_movement(book: &Book) -> impl Iterator<Item = &Clause> {
    under(book, "movement.").filter(|c| {
        !c.figures.is_empty()
            && !c.id.starts_with("movement.rate.")
            && !c.id.ends_with("rate-types")
    })
}

fn arms(book: &Book) -> impl Iterator<Item = &Clause> {
    under(book, "musketry.")
        .filter(|c| c.figures.contains_key("max_range"))
        .chain(under(book, "skirmish.range"))
}

fn movement(book: &Book) -> Part {
    let mut rows: Vec<Vec<String>> = Vec::new();
    let paces = ["field", "charge", "road", "skirmish", "tactical", "prolong"];
    for arm in ["infantry", "cavalry", "artillery"] {
        let mut row = vec![arm.to_owned()];
        for pace in paces {
            let clause = book.clause(&format!("movement.rate.{arm}.{pace}"));
            let cell =
                clause.and_then(|c| Some(format!("{}/{}", int(c, "yards")?, int(c, "inches")?)));
            row.push(cell.unwrap_or_else(|| "–".into()));
        }
        rows.push(row);
    }
    let mut heads = vec![String::new()];
    heads.extend(paces.map(String::from));
    Part::Table(heads, rows)
}

fn artillery(book: &Book) -> Part {
    let bands = book.rows("artillery.fire.range-bands", "bands").unwrap_or_default();
    let mut heads = vec!["pounder".to_owned()];
    heads.extend(bands.iter().map(|band| match band[..] {
        [from, -1] => format!("{from}+"),
        [_, to] => format!("to {to}"),
        _ => String::new(),
    }));
    let mut rows = Vec::new();
    for clause in under(book, "artillery.fire.row-") {
        let name = clause.id["artillery.fire.row-".len()..].replace("-pdr", "").replace('-', "–");
        let name = if name == "18" { "18 and more".to_owned() } else { name };
        let list = |key: &str| clause.figures.get(key).and_then(Figure::list).unwrap_or_default();
        let mut row = vec![name];
        for (hit, star) in list("hit_up_to").iter().zip(list("automatic")) {
            let star = if star.int() == Some(1) { "★" } else { "" };
            row.push(match hit.int() {
                Some(n) if n >= 0 => format!("{star}{n}"),
                _ => "–".to_owned(),
            });
        }
        rows.push(row);
    }
    Part::Table(heads, rows)
}

fn artillery_modifiers(book: &Book) -> Part {
    let prefix = "artillery.fire.modifier.";
    let mut lines: Vec<(String, String)> = under(book, prefix)
        .filter_map(|c| {
            let value = format!("{} / {}", signed(int(c, "near")?), signed(int(c, "far")?));
            Some((value, c.id[prefix.len()..].replace('-', " ")))
        })
        .collect();
    lines.push(("★".into(), "one hit per gun without a roll, besides the die".into()));
    Part::Modifiers(lines)
}

fn faces(clause: &Clause, key: &str) -> String {
    let list = clause.figures.get(key).and_then(Figure::list).unwrap_or_default();
    let mut faces: Vec<i64> =
        list.iter().filter_map(Figure::int).map(|n| if n == 0 { 10 } else { n }).collect();
    faces.sort_unstable();
    let run = faces.windows(2).all(|w| w[1] == w[0] + 1);
    match faces.as_slice() {
        [one] => one.to_string(),
        [first, .., last] if run => format!("{first}–{last}"),
        many => many.iter().map(i64::to_string).collect::<Vec<_>>().join(", "),
    }
}

fn hit_location(book: &Book) -> Part {
    let rows = under(book, "artillery.hit-location.").map(|c| {
        let name = c.id["artillery.hit-location.".len()..].replacen('-', ": ", 1);
        vec![name, faces(c, "roll")]
    });
    Part::Table(vec!["section, part".into(), "die".into()], rows.collect())
}

fn loss_chart(book: &Book) -> Part {
    let rows = under(book, "morale.loss.chart-").map(|c| {
        let (die, says) = match &c.id["morale.loss.chart-".len()..] {
            "0-surrender" => ("10".to_owned(), says(c)),
            "0-otherwise" => ("else".to_owned(), says(c)),
            faces => (faces.replace('-', "–"), says(c)),
        };
        // The die stands before it already.
        let says = says.split_once(": ").map_or(says.as_str(), |(_, rest)| rest);
        vec![die, capital(says)]
    });
    Part::Table(vec!["die".into(), "".into()], rows.collect())
}

fn commanders(book: &Book) -> Part {
    let rows = under(book, "command.casualty-")
        .map(|c| vec![title(&c.id["command.casualty-".len()..]), faces(c, "killed_on")]);
    Part::Table(vec!["after".into(), "die".into()], rows.collect())
}

fn musketry(book: &Book) -> Part {
    let mut heads = vec!["yards".to_owned()];
    let mut row = vec!["hits on 1 to".to_owned()];
    for clause in under(book, "musketry.to-hit.") {
        heads.push(clause.id["musketry.to-hit.".len()..].replace('-', "–"));
        row.push(int(clause, "hit_up_to").unwrap_or(0).to_string());
    }
    Part::Table(heads, vec![row])
}

fn skirmish(book: &Book) -> Part {
    let mut lines: Vec<String> = under(book, "skirmish.")
        .filter(|c| c.id.ends_with("one-die-per-stand") || c.id.ends_with("hit-on-zero"))
        .map(says)
        .collect();
    lines.extend(under(book, "skirmish.result-").map(says));
    Part::Lines(lines)
}

fn melee(book: &Book) -> Part {
    let rows = under(book, "melee.to-hit.").map(|c| {
        let name = c.id["melee.to-hit.".len()..].replace("-v-", " against ").replace('-', " ");
        vec![name, format!("1 to {}", number(c, "hit_up_to").unwrap_or(0.0))]
    });
    Part::Table(vec!["you and your opponent".into(), "hits on".into()], rows.collect())
}
