//! Lines as they come in, however long and whatever bytes they have.

use std::io::{self, BufRead};

/// A line read.
pub(crate) enum Line {
    /// Its bytes were kept.
    Whole,
    /// It had more bytes than anybody means, and was passed over.
    TooLong,
    /// There are no more.
    End,
}

/// Reads up to the end of a line, keeping at most so many bytes.
pub(crate) fn read_line(
    input: &mut impl BufRead,
    line: &mut Vec<u8>,
    longest: usize,
) -> io::Result<Line> {
    let mut any = false;
    let mut too_long = false;
    loop {
        let available = match input.fill_buf() {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if available.is_empty() {
            return Ok(match (any, too_long) {
                (false, _) => Line::End,
                (true, true) => Line::TooLong,
                (true, false) => Line::Whole,
            });
        }
        any = true;
        let end = available.iter().position(|b| *b == b'\n');
        let part = &available[..end.unwrap_or(available.len())];
        if line.len() + part.len() > longest {
            too_long = true;
        } else {
            line.extend_from_slice(part);
        }
        let used = end.map_or(available.len(), |at| at + 1);
        input.consume(used);
        if end.is_some() {
            if line.last() == Some(&b'\r') {
                line.pop();
            }
            return Ok(if too_long { Line::TooLong } else { Line::Whole });
        }
    }
}

/// No order has more letters.
const LONGEST_ORDER: usize = 4096;

/// What a player types.
pub(crate) struct Typed(io::StdinLock<'static>);

impl Typed {
    pub(crate) fn new() -> Self {
        Self(io::stdin().lock())
    }

    /// The next line, or why it cannot be read; nothing at the end of the input.
    pub(crate) fn next(&mut self) -> io::Result<Option<Result<String, String>>> {
        let mut line = Vec::new();
        Ok(match read_line(&mut self.0, &mut line, LONGEST_ORDER)? {
            Line::End => None,
            Line::TooLong => {
                Some(Err(format!("That line has more than {LONGEST_ORDER} letters: type it again")))
            }
            Line::Whole => Some(String::from_utf8(line).map_err(|e| {
                let at = e.utf8_error().valid_up_to() + 1;
                format!("That line has a byte that is no letter (column {at}): type it again")
            })),
        })
    }
}
