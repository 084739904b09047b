//! The sheet in the terminal.

use std::fmt::Write as _;

use super::{Part, Sheet};
use crate::style::{faint, heading, wrap};

const WIDTH: usize = 92;

pub(crate) fn terminal(sheet: &Sheet) -> String {
    let mut text = format!("{}\n", heading(&sheet.title));
    for block in &sheet.blocks {
        _ = writeln!(text, "\n{}", heading(&block.title.to_uppercase()));
        for part in &block.parts {
            write_part(part, &mut text);
        }
    }
    text.push('\n');
    for line in wrap(&sheet.foot, WIDTH) {
        _ = writeln!(text, "{}", faint(&line));
    }
    text
}

fn write_part(part: &Part, text: &mut String) {
    match part {
        Part::Modifiers(lines) => {
            let width =
                lines.iter().map(|(value, _)| value.chars().count()).max().unwrap_or(0).max(5);
            for (value, words) in lines {
                indented(words, &format!("  {value:>width$}  "), text);
            }
        }
        Part::Lines(lines) => {
            for line in lines {
                indented(line, "  · ", text);
            }
        }
        Part::Result { range, name, says } => {
            let range = if range.is_empty() { String::new() } else { format!("{range}  ") };
            _ = writeln!(text, "  {range}{}", heading(name));
            for said in says {
                let label =
                    if said.label.is_empty() { String::new() } else { format!("{}: ", said.label) };
                indented(&format!("{label}{}", said.text), "      ", text);
            }
        }
        Part::Table(heads, rows) => {
            let all = || std::iter::once(heads).chain(rows);
            let columns = heads.len();
            let widths: Vec<usize> = (0..columns)
                .map(|c| {
                    all().filter_map(|r| r.get(c)).map(|t| t.chars().count()).max().unwrap_or(0)
                })
                .collect();
            for (number, row) in all().enumerate() {
                let cells: Vec<String> = row
                    .iter()
                    .zip(&widths)
                    .map(|(cell, width)| {
                        format!("{cell}{}", " ".repeat(width - cell.chars().count()))
                    })
                    .collect();
                let line = format!("  {}", cells.join("  "));
                let line = line.trim_end();
                _ = writeln!(text, "{}", if number == 0 { faint(line) } else { line.to_owned() });
            }
        }
    }
}

/// A sentence with something before its first line and room before the rest.
fn indented(words: &str, first: &str, text: &mut String) {
    let room = first.chars().count();
    for (i, line) in wrap(words, WIDTH - room).iter().enumerate() {
        let lead = if i == 0 { first.to_owned() } else { " ".repeat(room) };
        _ = writeln!(text, "{lead}{line}");
    }
}
