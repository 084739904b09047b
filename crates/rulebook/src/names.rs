//! Finding the name somebody meant.

/// The known name nearest to what was written, if any is near enough to be
/// meant. Dotted ids are also compared by their last part, because that is
/// what people remember.
#[must_use]
pub fn nearest<'a>(written: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let mut best: Option<(usize, &str)> = None;
    for name in known {
        if name.eq_ignore_ascii_case(written) {
            return Some(name);
        }
        if written.chars().count() < 3 {
            continue; // too short to be like anything
        }
        let tail = name.rsplit('.').next().unwrap_or(name);
        let written_tail = written.rsplit('.').next().unwrap_or(written);
        let whole = strsim::damerau_levenshtein(written, name);
        let tails = strsim::damerau_levenshtein(written_tail, tail);
        let distance = whole.min(tails);
        let allowed = 1 + tail.chars().count().min(written_tail.chars().count()) / 3;
        if (distance <= allowed || contains_word(name, written_tail))
            && best.is_none_or(|(d, _)| distance < d)
        {
            best = Some((distance, name));
        }
    }
    best.map(|(_, name)| name)
}

fn contains_word(name: &str, written: &str) -> bool {
    written.len() >= 4 && name.split(['.', '-']).any(|w| w == written)
}

/// What a shortened name stands for.
#[derive(Debug, PartialEq, Eq)]
pub enum Shorthand<'a> {
    /// Exactly one known name.
    One(&'a str),
    /// Several known names.
    Many(Vec<&'a str>),
    /// None; the nearest known name, if any.
    None(Option<&'a str>),
}

/// Finds the known name a person means by `written`: the whole name, its last
/// part, the beginning of that, some of its words together, or some of its
/// words in order.
#[must_use]
pub fn shorthand<'a>(written: &str, known: &[&'a str]) -> Shorthand<'a> {
    let tail = |name: &'a str| name.rsplit('.').next().unwrap_or(name);
    let rounds: [&dyn Fn(&'a str) -> bool; 5] = [
        &|name| name == written,
        &|name| tail(name) == written,
        &|name| tail(name).starts_with(written),
        &|name| format!("-{}-", tail(name)).contains(&format!("-{written}-")),
        &|name| words_in_order(tail(name), written),
    ];
    for fits in rounds {
        let found: Vec<&str> = known.iter().copied().filter(|n| fits(n)).collect();
        match found.as_slice() {
            [] => {}
            [one] => return Shorthand::One(one),
            _ => return Shorthand::Many(found),
        }
    }
    Shorthand::None(nearest(written, known.iter().copied()))
}

fn words_in_order(name: &str, written: &str) -> bool {
    let mut words = name.split('-');
    !written.is_empty() && written.split('-').all(|w| words.any(|word| word.starts_with(w)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNOWN: &[&str] = &[
        "fire.modifier.target-enfiladed",
        "fire.modifier.gun-enfiladed",
        "fire.modifier.partial-cover",
        "fire.modifier.open-order",
        "fire.modifier.open-order-in-partial-cover",
    ];

    #[test]
    fn a_shortened_name_is_taken_while_it_is_unique() {
        assert_eq!(shorthand("partial-cover", KNOWN), Shorthand::One(KNOWN[2]));
        assert_eq!(shorthand("open-order", KNOWN), Shorthand::One(KNOWN[3]));
        assert_eq!(shorthand("gun", KNOWN), Shorthand::One(KNOWN[1]));
        assert_eq!(shorthand("enfiladed", KNOWN), Shorthand::Many(vec![KNOWN[0], KNOWN[1]]));
        assert_eq!(shorthand("target-enf", KNOWN), Shorthand::One(KNOWN[0]));
    }

    #[test]
    fn a_typo_suggests_and_nonsense_does_not() {
        assert_eq!(shorthand("partial-covr", KNOWN), Shorthand::None(Some(KNOWN[2])));
        assert_eq!(shorthand("zeppelin", KNOWN), Shorthand::None(None));
        assert_eq!(nearest("fire.modifier.partial-cove", KNOWN.iter().copied()), Some(KNOWN[2]));
    }
}
