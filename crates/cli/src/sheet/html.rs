//! The sheet as a page that prints on two sides of A4 or Letter.

use std::fmt::Write as _;

use super::{Block, Part, Sheet};

const STYLE: &str = include_str!("sheet.css");

pub(crate) fn html(sheet: &Sheet) -> String {
    let title = escape(&sheet.title);
    let mut text = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n"
    );
    let (turn, size) = fit(&sheet.blocks);
    text = text.replace("<body>", &format!("<body style=\"--size: {size:.1}pt\">"));
    for (number, side) in [&sheet.blocks[..turn], &sheet.blocks[turn..]].into_iter().enumerate() {
        _ = writeln!(text, "<section class=\"side\">");
        if number == 0 {
            _ = writeln!(text, "<h1>{title}</h1>");
        } else {
            _ = writeln!(text, "<h1 class=\"again\">{title}</h1>");
        }
        _ = writeln!(text, "<div class=\"columns\">");
        for block in side {
            write_block(block, &mut text);
        }
        _ = writeln!(text, "</div>");
        if number == 1 {
            _ = writeln!(text, "<footer>{}</footer>", escape(&sheet.foot));
        }
        _ = writeln!(text, "</section>");
    }
    text.push_str("</body>\n</html>\n");
    text
}

/// Where to turn over, and the largest type that still fits two sides.
///
/// An estimate in points: a column is 62 mm wide, a side 255 mm high once the
/// title is set, and a letter of this face a little under half its size wide.
fn fit(blocks: &[Block]) -> (usize, f64) {
    const SIDE: f64 = 255.0 * 72.0 / 25.4;
    const LARGEST: f64 = 9.4;
    const SMALLEST: f64 = 5.2;
    let mut size = LARGEST;
    loop {
        let heights: Vec<f64> = blocks.iter().map(|b| height(b, size)).collect();
        let whole: f64 = heights.iter().sum();
        let mut turn = 0;
        let mut first = 0.0;
        while turn < heights.len() && first + heights[turn] / 2.0 < whole / 2.0 {
            first += heights[turn];
            turn += 1;
        }
        if first.max(whole - first) / 3.0 <= SIDE || size <= SMALLEST {
            return (turn, size);
        }
        size -= 0.1;
    }
}

fn height(block: &Block, size: f64) -> f64 {
    const COLUMN: f64 = 62.0 * 72.0 / 25.4;
    let line = size * 1.17;
    let lines = |text: &str, indent: f64| {
        #[allow(clippy::cast_precision_loss)] // a sentence
        let width = text.chars().count() as f64 * size * 0.455;
        (width / (COLUMN - indent)).ceil().max(1.0)
    };
    let mut points = line + 10.0;
    for part in &block.parts {
        points += 2.0;
        points += match part {
            Part::Modifiers(rows) => {
                rows.iter().map(|(_, w)| lines(w, 35.0) * line + 0.4).sum::<f64>()
            }
            Part::Lines(all) => all.iter().map(|l| lines(l, 8.0) * line + 0.6).sum(),
            Part::Result { range, name, says } => {
                let text: String =
                    says.iter().map(|s| format!("{} {} ", s.label, s.text)).collect();
                lines(&format!("{range} {name} {text}"), 5.0) * line + 1.5
            }
            Part::Table(heads, rows) => {
                // Cells of one column are as wide as the widest of them; what is left wraps.
                let wide =
                    rows.iter().map(|r| r.iter().map(|c| c.chars().count() + 2).sum::<usize>());
                let wraps = |n: usize| lines(&"x".repeat(n), 4.0) * line + 0.4;
                wide.map(wraps).sum::<f64>() + if heads.is_empty() { 0.0 } else { line + 1.0 }
            }
        };
    }
    points
}

fn write_block(block: &Block, text: &mut String) {
    _ = writeln!(text, "<article><h2>{}</h2>", escape(&block.title));
    for part in &block.parts {
        match part {
            Part::Modifiers(lines) => {
                text.push_str("<table class=\"modifiers\">");
                for (value, words) in lines {
                    _ = write!(
                        text,
                        "<tr><th scope=\"row\">{}</th><td>{}</td></tr>",
                        escape(value),
                        escape(words)
                    );
                }
                text.push_str("</table>\n");
            }
            Part::Lines(lines) => {
                text.push_str("<ul>");
                for line in lines {
                    _ = write!(text, "<li>{}</li>", escape(line));
                }
                text.push_str("</ul>\n");
            }
            Part::Result { range, name, says } => {
                let range = if range.is_empty() {
                    String::new()
                } else {
                    format!("<b>{}</b> ", escape(range))
                };
                _ = write!(text, "<p class=\"result\">{range}<i>{}.</i>", escape(name));
                for said in says {
                    if !said.label.is_empty() {
                        _ = write!(text, " <em>{}</em>", escape(&said.label));
                    }
                    _ = write!(text, " {}", escape(&said.text));
                }
                text.push_str("</p>\n");
            }
            Part::Table(heads, rows) => {
                text.push_str("<table class=\"grid\"><thead><tr>");
                for head in heads {
                    _ = write!(text, "<th scope=\"col\">{}</th>", escape(head));
                }
                text.push_str("</tr></thead><tbody>");
                for row in rows {
                    text.push_str("<tr>");
                    for (i, cell) in row.iter().enumerate() {
                        // Figures stay on one line; words may wrap.
                        let class = match i {
                            0 if cell.starts_with(' ') => " class=\"sub\"",
                            0 => "",
                            _ if cell.chars().count() <= 9 => " class=\"figure\"",
                            _ => "",
                        };
                        _ = write!(text, "<td{class}>{}</td>", escape(cell.trim()));
                    }
                    text.push_str("</tr>");
                }
                text.push_str("</tbody></table>\n");
            }
        }
    }
    text.push_str("</article>\n");
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
