//! The sheet as Markdown.

use std::fmt::Write as _;

use super::{Part, Sheet};

pub(crate) fn markdown(sheet: &Sheet) -> String {
    let mut text = format!("# {}\n", sheet.title);
    for block in &sheet.blocks {
        _ = writeln!(text, "\n## {}\n", block.title);
        for part in &block.parts {
            match part {
                Part::Modifiers(lines) => {
                    for (value, words) in lines {
                        _ = writeln!(text, "- **{value}** {words}");
                    }
                }
                Part::Lines(lines) => {
                    for line in lines {
                        _ = writeln!(text, "- {line}");
                    }
                }
                Part::Result { range, name, says } => {
                    let range = if range.is_empty() { String::new() } else { format!("{range}: ") };
                    let said: Vec<String> = says
                        .iter()
                        .map(|s| match s.label.as_str() {
                            "" => s.text.clone(),
                            label => format!("*{label}.* {}", s.text),
                        })
                        .collect();
                    _ = writeln!(text, "\n**{range}{name}.** {}", said.join(" "));
                }
                Part::Table(heads, rows) => table(heads, rows, &mut text),
            }
        }
    }
    _ = writeln!(text, "\n---\n\n{}", sheet.foot);
    text
}

fn table(heads: &[String], rows: &[Vec<String>], text: &mut String) {
    let line = |cells: &[String]| {
        let cells: Vec<String> = cells.iter().map(|c| c.replace('|', "\\|")).collect();
        format!("| {} |\n", cells.join(" | "))
    };
    text.push('\n');
    text.push_str(&line(heads));
    text.push_str(&line(&vec!["---".to_owned(); heads.len()]));
    for row in rows {
        text.push_str(&line(row));
    }
    text.push('\n');
}
