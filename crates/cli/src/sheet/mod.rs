//! The reference sheet of a book, made from its clauses.

mod discipline;
mod html;
mod markdown;
mod parts;
mod regimental;
mod rise;
mod terminal;

pub(crate) use html::html;
pub(crate) use markdown::markdown;
pub(crate) use terminal::terminal;

use engine::Book;

/// A reference sheet, before it is drawn.
#[derive(Debug)]
pub(crate) struct Sheet {
    pub(crate) title: String,
    pub(crate) foot: String,
    pub(crate) blocks: Vec<Block>,
}

/// A boxed part of the sheet.
#[derive(Debug)]
pub(crate) struct Block {
    pub(crate) title: String,
    pub(crate) parts: Vec<Part>,
}

/// Something in a block.
#[derive(Debug)]
pub(crate) enum Part {
    /// Modifiers: value and words.
    Modifiers(Vec<(String, String)>),
    /// A table: its heads and rows.
    Table(Vec<String>, Vec<Vec<String>>),
    /// Sentences.
    Lines(Vec<String>),
    /// A named result with its range and what it does, to whom.
    Result { range: String, name: String, says: Vec<Says> },
}

/// A few sentences, under a label of their own where they need one.
#[derive(Debug)]
pub(crate) struct Says {
    pub(crate) label: String,
    pub(crate) text: String,
}

impl Says {
    pub(crate) fn plain(sentences: impl IntoIterator<Item = String>) -> Vec<Self> {
        let text = sentences.into_iter().collect::<Vec<_>>().join(" ");
        vec![Self { label: String::new(), text }]
    }
}

impl Block {
    pub(crate) fn new(title: &str, parts: Vec<Part>) -> Self {
        Self { title: title.into(), parts }
    }
}

/// Makes the sheet of a book.
pub(crate) fn make(book: &Book) -> Sheet {
    let blocks = match book.family.as_str() {
        "regimental" => regimental::blocks(book),
        "rise" => rise::blocks(book),
        _ => discipline::blocks(book),
    };
    let house = if book.house_rules.is_empty() {
        String::new()
    } else {
        format!(" House rules: {}.", book.house_rules.join(", "))
    };
    let foot = format!(
        "{}.{house} Made by Linstock from its clauses, hash {}. Rulings: linstock book rulings {}.",
        book.sheet,
        book.hash(),
        book.id
    );
    let blocks = blocks.into_iter().filter(|b| !b.parts.is_empty()).collect();
    Sheet { title: book.title.clone(), foot, blocks }
}
