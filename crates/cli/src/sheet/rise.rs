//! The sheet of Rise and Fight Again.

use engine::Book;
use rulebook::Figure;

use super::parts::{capital, int, lines, modifiers, number, title, under};
use super::{Block, Part, Says};

pub(super) fn blocks(book: &Book) -> Vec<Block> {
    vec![
        Block::new("Turn sequence", vec![lines(under(book, "sequence."))]),
        Block::new("Move segments", vec![movement(book)]),
        Block::new("Commanders", vec![lines(under(book, "commanders."))]),
        Block::new("Formation changes", vec![changes(book)]),
        Block::new("Terrain", vec![lines(under(book, "terrain."))]),
        Block::new("Small arms: inches", vec![ranges(book, "weapons.")]),
        Block::new("Artillery: inches", vec![ranges(book, "artillery-ranges.")]),
        Block::new("Firing factors", vec![modifiers(book, "fire.modifier.", "modifier")]),
        Block::new(
            "Firing factors of artillery",
            vec![modifiers(book, "artillery-fire.modifier.", "modifier")],
        ),
        Block::new("Hit table: natural rolls for hits", vec![hits(book)]),
        Block::new("Combat Fatigue Score", vec![lines(under(book, "combat-fatigue."))]),
        Block::new(
            "Engagement factors",
            vec![modifiers(book, "engagement.modifier.", "modifier"), inspiration(book)],
        ),
        Block::new("Combat results", results(book)),
    ]
}

fn inspiration(book: &Book) -> Part {
    lines(under(book, "engagement.modifier.commander-inspiration"))
}

fn movement(book: &Book) -> Part {
    let mut rows = Vec::new();
    for clause in under(book, "movement.") {
        let Some(segments) = clause.figures.get("segments").and_then(Figure::list) else {
            continue;
        };
        let inches: Vec<String> = segments.iter().map(|s| format!("{s}″")).collect();
        let tires =
            book.clause(&format!("{}-fatigue", clause.id)).and_then(|c| int(c, "fatigue_segment"));
        let tires = tires.map_or_else(|| "–".to_owned(), |n| n.to_string());
        let name = clause.id["movement.".len()..].replace('.', ", ").replace('-', " ");
        rows.push(vec![name, inches.join(" "), tires]);
    }
    Part::Table(["", "segments", "tires in"].map(String::from).to_vec(), rows)
}

fn changes(book: &Book) -> Part {
    let rows = under(book, "formation-change.").map(|c| {
        let text =
            |key: &str| c.figures.get(key).and_then(Figure::text).unwrap_or("").replace('-', " ");
        let to = c.figures.get("to").and_then(Figure::list).unwrap_or_default();
        let to: Vec<String> =
            to.iter().filter_map(Figure::text).map(|t| t.replace('-', " ")).collect();
        let arm = c.id.split('.').nth(1).unwrap_or("").replace('-', " ");
        let both = c.figures.get("reversible").and_then(Figure::bool) == Some(true);
        let arrow = if both { "↔" } else { "→" };
        let words = format!("{arm}: {} {arrow} {}", text("from"), to.join(" or "));
        vec![words, int(c, "segments").unwrap_or(0).to_string()]
    });
    Part::Table(vec!["".into(), "segments".into()], rows.collect())
}

fn ranges(book: &Book, prefix: &str) -> Part {
    let guns = prefix.starts_with("artillery");
    let rows = under(book, prefix).filter(|c| c.figures.contains_key("maximum")).map(|c| {
        let cell = |key: &str| {
            number(c, key).filter(|n| *n > 0.0).map_or_else(|| "–".to_owned(), |n| format!("{n}"))
        };
        let name = c.id[prefix.len()..].replace('-', " ");
        if guns {
            vec![name, cell("canister"), cell("short"), cell("maximum")]
        } else {
            let short = if c.figures.contains_key("canister") {
                format!("{} canister", cell("canister"))
            } else {
                cell("short")
            };
            vec![name, short, cell("maximum")]
        }
    });
    let heads: &[&str] =
        if guns { &["", "canister", "short", "most"] } else { &["", "short", "most"] };
    Part::Table(heads.iter().map(|h| (*h).to_owned()).collect(), rows.collect())
}

fn hits(book: &Book) -> Part {
    let mut rows = Vec::new();
    for clause in under(book, "hit-table.required-") {
        let required = match (int(clause, "required"), int(clause, "required_max")) {
            (Some(n), _) => n.to_string(),
            (_, Some(n)) => format!("{n} or less"),
            _ => continue,
        };
        let cell = |key: &str| {
            let faces = clause.figures.get(key).and_then(Figure::list).unwrap_or_default();
            let faces: Vec<i64> = faces.iter().filter_map(Figure::int).collect();
            match (faces.iter().min(), faces.iter().max()) {
                (Some(a), Some(b)) if a == b => a.to_string(),
                (Some(a), Some(b)) => format!("{a}–{b}"),
                _ => "–".to_owned(),
            }
        };
        rows.push(vec![required, cell("one"), cell("two"), cell("three")]);
    }
    Part::Table(["required", "1 hit", "2 hits", "3 hits"].map(String::from).to_vec(), rows)
}

fn results(book: &Book) -> Vec<Part> {
    ["infantry", "cavalry", "artillery"]
        .iter()
        .map(|list| {
            let prefix = format!("combat-results.{list}.");
            let says = Says::plain(under(book, &prefix).map(|c| {
                let said = super::parts::says(c);
                let bare = said.strip_prefix(&format!("{}, ", title(list)));
                capital(bare.unwrap_or(&said))
            }));
            Part::Result { range: String::new(), name: format!("{} results", title(list)), says }
        })
        .collect()
}
