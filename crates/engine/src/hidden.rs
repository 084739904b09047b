//! Characters that are not seen, or that change how those around them are seen. Two names that look
//! the same would be different, and a name could be shown in another order than it is written.

/// From and to, with both ends.
const HIDDEN: [(char, char); 18] = [
    // The soft hyphen, and the joiner of marks.
    ('\u{ad}', '\u{ad}'),
    ('\u{34f}', '\u{34f}'),
    ('\u{61c}', '\u{61c}'),
    // Fillers, which are as wide as a letter and empty.
    ('\u{115f}', '\u{1160}'),
    ('\u{17b4}', '\u{17b5}'),
    ('\u{180b}', '\u{180f}'),
    // No width, and marks of direction.
    ('\u{200b}', '\u{200f}'),
    // Ends of lines and paragraphs; more marks of direction.
    ('\u{2028}', '\u{202e}'),
    ('\u{2060}', '\u{206f}'),
    ('\u{2800}', '\u{2800}'),
    ('\u{3164}', '\u{3164}'),
    ('\u{fe00}', '\u{fe0f}'),
    ('\u{feff}', '\u{feff}'),
    ('\u{ffa0}', '\u{ffa0}'),
    ('\u{fff0}', '\u{fffb}'),
    ('\u{1bca0}', '\u{1bca3}'),
    ('\u{1d173}', '\u{1d17a}'),
    ('\u{e0000}', '\u{e0fff}'),
];

/// Whether a character has no place in a name: it is not seen, or steers a terminal, or turns what
/// stands around it.
#[must_use]
pub fn is_hidden(c: char) -> bool {
    c.is_control() || HIDDEN.iter().any(|(from, to)| (*from..=*to).contains(&c))
}

#[cfg(test)]
mod tests {
    use super::is_hidden;

    #[test]
    fn what_is_seen_may_be_in_a_name_and_what_is_not_may_not() {
        for seen in ['a', 'É', 'ß', 'ж', '李', ' ', '\'', '-', '🎲', '\u{301}'] {
            assert!(!is_hidden(seen), "{seen:?}");
        }
        let unseen = ['\n', '\u{7}', '\u{9b}', '\u{200b}', '\u{202e}', '\u{2066}', '\u{feff}'];
        for unseen in unseen.into_iter().chain(['\u{ad}', '\u{e0041}', '\u{3164}']) {
            assert!(is_hidden(unseen), "{unseen:?}");
        }
    }
}
