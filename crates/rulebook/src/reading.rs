//! What the reader of JSON says, in words of ours: whoever writes a bot need not know how a
//! program calls its numbers.

/// A sentence's worth, without the place, which the caller may know better.
#[must_use]
pub fn in_words(said: &str) -> String {
    // The framework puts its own words before the reader's, and the field's path between them.
    let said = [
        "Failed to parse the request body as JSON: ",
        "Failed to deserialize the JSON body into the target type: ",
    ]
    .iter()
    .fold(said, |text, before| text.strip_prefix(before).unwrap_or(text));
    let (said, place) = match said.rsplit_once(" at line ") {
        Some((said, place)) => {
            (said, format!(" (line {})", place.replace(" column ", ", column ")))
        }
        None => (said, String::new()),
    };
    // A path such as `mode.kind: ` is kept.
    let (path, what) = match said.split_once(": ") {
        Some((path, what)) if !path.contains(' ') && !path.contains('`') => {
            (format!("{path}: "), what)
        }
        _ => (String::new(), said),
    };
    let text = translated(what);
    format!("{path}{text}{place}").chars().take(400).collect()
}

pub(crate) fn translated(what: &str) -> String {
    if let Some(field) = what.strip_prefix("missing field ") {
        return format!("{field} is missing");
    }
    for (kind, no) in
        [("unknown field ", "is not known here"), ("unknown variant ", "is not one of these")]
    {
        if let Some((name, known)) = what.strip_prefix(kind).and_then(|w| w.split_once(", ")) {
            let known = known.trim_start_matches("expected ").trim_start_matches("one of ");
            let known = if known.starts_with("there are no") { "nothing is" } else { known };
            return format!("{name} {no}: {}", known.replace('`', ""));
        }
    }
    for before in ["invalid type: ", "invalid value: "] {
        if let Some((found, wanted)) =
            what.strip_prefix(before).and_then(|w| w.split_once(", expected "))
        {
            return format!("{} stands where {} belongs", self::found(found), belongs(wanted));
        }
    }
    if what.starts_with("EOF while parsing") {
        return "the JSON ends too early".to_owned();
    }
    if what.starts_with("invalid length") {
        return "a list stands where an object belongs, or it is too short".to_owned();
    }
    what.to_owned()
}

/// What was there.
fn found(found: &str) -> String {
    let (kind, value) = found.split_once(' ').unwrap_or((found, ""));
    let value = value.replace('`', "");
    match kind {
        "integer" => format!("the number {value}"),
        "floating" => format!("the number {}", value.trim_start_matches("point ")),
        "string" => format!("the text {value}"),
        "sequence" => "a list".to_owned(),
        "map" => "an object".to_owned(),
        "boolean" => value,
        "null" => "null".to_owned(),
        _ => found.to_owned(),
    }
}

/// What should be.
fn belongs(wanted: &str) -> &str {
    match wanted {
        "f64" | "f32" => "a number",
        "u8" | "u16" | "u32" | "u64" | "usize" => "a whole number, not below 0,",
        "i8" | "i16" | "i32" | "i64" => "a whole number",
        "a string" | "string" | "borrowed string" => "a text",
        "a sequence" => "a list",
        _ if wanted.starts_with("tuple struct") || wanted.starts_with("a tuple") => "a list",
        "a boolean" => "true or false",
        _ if wanted.starts_with("struct ")
            || wanted.starts_with("internally tagged")
            || wanted == "a map" =>
        {
            "an object"
        }
        _ if wanted.contains("enum") => "a text",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::in_words;

    #[test]
    fn what_the_reader_says_is_said_plainly() {
        for (said, words) in [
            ("missing field `units`", "`units` is missing"),
            (
                "mode: missing field `side` at line 1 column 54",
                "mode: `side` is missing (line 1, column 54)",
            ),
            (
                "invalid type: string \"33rd\", expected a sequence",
                "the text \"33rd\" stands where a list belongs",
            ),
            (
                "after: invalid value: integer `-1`, expected u64",
                "after: the number -1 stands where a whole number, not below 0, belongs",
            ),
            (
                "unknown variant `fly`, expected one of `advance`, `wheel`",
                "`fly` is not one of these: advance, wheel",
            ),
            ("unknown field `x`, expected `units`", "`x` is not known here: units"),
            (
                "EOF while parsing an object at line 1 column 1",
                "the JSON ends too early (line 1, column 1)",
            ),
            ("`Q` is no id: 1 to 16 small letters", "`Q` is no id: 1 to 16 small letters"),
        ] {
            assert_eq!(in_words(said), words);
        }
        // Whatever the reader is asked for, none of the program's own words come out.
        for wrong in
            ["{\"a\":\"x\"}", "{\"a\":1.5}", "[]", "{", "{\"a\":-1}", "{\"b\":1}", "{\"a\":null}"]
        {
            #[derive(serde::Deserialize)]
            #[serde(deny_unknown_fields)]
            struct A {
                #[allow(dead_code)]
                a: u8,
            }
            let no = in_words(&serde_json::from_str::<A>(wrong).err().unwrap().to_string());
            for word in ["u8", "struct", "EOF", "variant", "field"] {
                assert!(!no.contains(word), "{wrong}: {no}");
            }
        }
    }
}
