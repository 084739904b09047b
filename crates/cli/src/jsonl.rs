//! Reading and answering JSON lines, however many there are.

use std::io::{self, BufReader, Read, Write};

use engine::Library;

use crate::typed::{Line, read_line};

/// A request has a few hundred bytes. A line past this is no request; it is
/// answered with an error and passed over without being kept.
const LONGEST_LINE: usize = 1 << 20;

/// Which question the lines ask.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Question {
    /// What does this roll mean?
    Resolve,
    /// How likely is each result?
    Odds,
}

/// Answers every line of `input` with one line of `output`, in order.
pub(crate) fn answer_all(
    library: &Library,
    question: Question,
    input: impl Read,
    mut output: impl Write,
) -> io::Result<()> {
    let mut input = BufReader::with_capacity(1 << 16, input);
    let mut line = Vec::with_capacity(1024);
    let mut answer = Vec::with_capacity(4096);
    loop {
        line.clear();
        answer.clear();
        if input.buffer().is_empty() {
            // Whoever sends a line and waits for its answer must get it now.
            output.flush()?;
        }
        let whole = match read_line(&mut input, &mut line, LONGEST_LINE)? {
            Line::End => return output.flush(),
            Line::Whole => std::str::from_utf8(&line).map_err(|e| {
                error("bad-json", &format!("not UTF-8: the byte at column {}", e.valid_up_to() + 1))
            }),
            Line::TooLong => Err(error(
                "too-large",
                &format!("a line of more than {LONGEST_LINE} bytes is no request"),
            )),
        };
        match whole {
            Ok(text) => match question {
                Question::Resolve => library.resolve(text, &mut answer),
                Question::Odds => library.odds(text, &mut answer),
            },
            Err(refused) => answer.extend(refused.as_bytes()),
        }
        answer.push(b'\n');
        output.write_all(&answer)?;
    }
}

fn error(code: &str, message: &str) -> String {
    serde_json::json!({ "error": { "code": code, "message": message } }).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answers(input: &[u8]) -> Vec<String> {
        let mut out = Vec::new();
        let done = answer_all(&Library::default(), Question::Resolve, input, &mut out);
        assert!(done.is_ok());
        String::from_utf8_lossy(&out).lines().map(str::to_owned).collect()
    }

    const GOOD: &str = r#"{"book":"rff-awi-25mm","check":"fallen-leader","die":7}"#;

    #[test]
    fn bad_lines_are_answered_in_place_and_the_run_goes_on() {
        let mut input = Vec::new();
        input.extend(GOOD.as_bytes());
        input.extend(b"\n{\"book\":\"\xff\"}\n\n");
        input.extend(vec![b'x'; LONGEST_LINE + 5]);
        input.extend(b"\r\n");
        input.extend(GOOD.as_bytes());
        let lines = answers(&input);
        assert_eq!(lines.len(), 5);
        assert!(lines[0].contains("out-one-turn") && lines[4].contains("out-one-turn"));
        assert!(lines[1].contains("not UTF-8"));
        assert!(lines[2].contains("bad-json"));
        assert!(lines[3].contains("too-large"));
    }

    #[test]
    fn an_empty_file_has_an_empty_answer() {
        assert!(answers(b"").is_empty());
    }
}
