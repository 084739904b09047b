//! How the terminal output looks. Colour is dropped where there is no
//! terminal: `anstream` sees to that.

use owo_colors::OwoColorize;

/// A heading.
pub(crate) fn heading(text: &str) -> String {
    text.bold().to_string()
}

/// Something a reader may skip.
pub(crate) fn faint(text: &str) -> String {
    text.dimmed().to_string()
}

/// A clause id.
pub(crate) fn clause(text: &str) -> String {
    text.cyan().to_string()
}

/// A modifier with its sign.
pub(crate) fn signed(value: f64) -> String {
    let text = if value > 0.0 { format!("+{value}") } else { format!("{value}") };
    match value {
        v if v > 0.0 => text.green().to_string(),
        v if v < 0.0 => text.red().to_string(),
        _ => text,
    }
}

/// A bar whose length is a share of `width`, in eighths of a character.
pub(crate) fn bar(share: f64, width: usize) -> String {
    const PARTS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss)]
    let eighths = (share.clamp(0.0, 1.0) * width as f64 * 8.0).round() as usize;
    let text = format!("{}{}", "█".repeat(eighths / 8), PARTS[eighths % 8]);
    text.yellow().to_string()
}

/// A probability as people write it: never "0%" for what can happen.
pub(crate) fn percent(p: f64) -> String {
    match p * 100.0 {
        x if x <= 0.0 => "0%".into(),
        x if x < 0.01 => "<0.01%".into(),
        x if x < 10.0 && (x * 10.0).fract().abs() > 1e-9 => format!("{x:.2}%"),
        x if (x - x.round()).abs() < 1e-9 => format!("{x:.0}%"),
        x if x > 99.99 && x < 100.0 => ">99.99%".into(),
        x => format!("{x:.1}%"),
    }
}

/// Parts of ids that are written otherwise in a sentence.
const SPOKEN: [(&str, &str); 6] = [
    ("bua", "built-up area"),
    ("british", "British"),
    ("indians", "Indians"),
    ("mmg", "morale grade (MMG)"),
    ("v", "against"),
    ("vs", "against"),
];

/// The words of an id's last part. Two numbers in a row are a ratio: 3-2 is
/// read 3:2.
pub(crate) fn words(id: &str) -> String {
    let mut words = String::new();
    let mut last_was_number = false;
    for word in id.rsplit('.').next().unwrap_or(id).split('-') {
        let number = !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit());
        if !words.is_empty() {
            words.push(if number && last_was_number { ':' } else { ' ' });
        }
        let spoken = SPOKEN.iter().find(|(written, _)| *written == word);
        words.push_str(spoken.map_or(word, |(_, spoken)| spoken));
        last_was_number = number;
    }
    words
}

/// Text broken into lines of at most `width` characters.
pub(crate) fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let last = lines.len() - 1;
        let used = lines[last].chars().count();
        if used > 0 && used + 1 + word.chars().count() > width {
            lines.push(word.to_owned());
        } else {
            if used > 0 {
                lines[last].push(' ');
            }
            lines[last].push_str(word);
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_reads_like_the_sheet() {
        assert_eq!(words("charge.modifier.outnumbered-3-2"), "outnumbered 3:2");
        assert_eq!(words("fire.modifier.small-arms-bua-brick"), "small arms built-up area brick");
        assert_eq!(words("engagement.modifier.infantry-v-artillery"), "infantry against artillery");
    }

    #[test]
    fn percentages_say_what_can_happen() {
        assert_eq!(percent(0.3), "30%");
        assert_eq!(percent(0.125), "12.5%");
        assert_eq!(percent(0.0125), "1.25%");
        assert_eq!(percent(0.00001), "<0.01%");
        assert_eq!(percent(1.0), "100%");
        assert_eq!(percent(0.0), "0%");
    }
}
