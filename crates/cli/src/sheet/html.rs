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
    let turn = sheet.blocks.iter().position(|b| b.turn_over).unwrap_or(sheet.blocks.len());
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

fn write_block(block: &Block, text: &mut String) {
    _ = writeln!(text, "<article><h2>{}</h2>", escape(&block.title));
    for part in &block.parts {
        match part {
            Part::Modifiers(lines) => {
                text.push_str("<table class=\"modifiers\">");
                for (value, words) in lines {
                    _ = write!(text, "<tr><th scope=\"row\">{}</th><td>{}</td></tr>", escape(value), escape(words));
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
                let range = if range.is_empty() { String::new() } else { format!("<b>{}</b> ", escape(range)) };
                _ = writeln!(text, "<p class=\"result\">{range}<i>{}.</i> {}</p>", escape(name), escape(&says.join(" ")));
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
                        let class = if i == 0 && cell.starts_with(' ') { " class=\"sub\"" } else { "" };
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
