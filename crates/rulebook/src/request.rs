//! Reading a request: from JSON into a family's own type, with errors that
//! say what would be right.

use std::borrow::Cow;

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use crate::{Code, Refusal, nearest, reading};

/// A name in a request, borrowed where it can be.
#[derive(Debug, Clone, Deserialize, PartialEq, Eq)]
pub struct Name<'a>(#[serde(borrow)] pub Cow<'a, str>);

impl AsRef<str> for Name<'_> {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

/// Declares a request: its own fields and those that every request may have.
#[macro_export]
macro_rules! request {
    ($(#[$meta:meta])* pub struct $name:ident<'a> { $($(#[$field_meta:meta])* $field:ident: $type:ty,)* }) => {
        $(#[$meta])*
        #[derive(Debug, serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        #[allow(missing_docs)]
        pub struct $name<'a> {
            $($(#[$field_meta])* pub $field: $type,)*
            #[serde(default, rename = "id")]
            _id: serde::de::IgnoredAny,
            #[serde(default, rename = "book")]
            _book: serde::de::IgnoredAny,
            #[serde(default, rename = "check")]
            _check: serde::de::IgnoredAny,
            #[serde(default, rename = "detail")]
            _detail: serde::de::IgnoredAny,
            #[serde(default, rename = "until_decided")]
            _until_decided: serde::de::IgnoredAny,
            #[serde(default, rename = "at")]
            _at: serde::de::IgnoredAny,
            #[serde(skip)]
            _life: std::marker::PhantomData<&'a ()>,
        }

        impl $crate::request::Request for $name<'_> {
            type Of<'x> = $name<'x>;
        }
    };
}

/// A request, whatever text it is read from.
pub trait Request {
    /// The same, read from a text that lives so long.
    type Of<'x>: Deserialize<'x>;
}

/// Reads a request from JSON.
///
/// # Errors
/// A refusal in words of what is missing, unknown or of the wrong kind.
pub fn parse<'a, T: Deserialize<'a> + Request>(json: &'a str) -> Result<T, Refusal> {
    serde_json::from_str(json)
        .map_err(|error| as_a_name::<T>(&error, json).unwrap_or_else(|| explain(&error)))
}

/// A refusal of a value where a name belongs, in JSON that is good otherwise. The reader calls it a
/// fault of the JSON, and does not say which names there are; taken as a name it is an unknown one.
fn as_a_name<T: Request>(error: &serde_json::Error, json: &str) -> Option<Refusal> {
    if error.is_data() || error.line() != 1 {
        return None;
    }
    serde_json::from_str::<IgnoredAny>(json).ok()?;
    let (before, rest) = json.split_at_checked(error.column().checked_sub(1)?)?;
    let value = serde_json::Deserializer::from_str(rest).into_iter::<&RawValue>().next()?.ok()?;
    let after = rest.split_at_checked(value.get().len())?.1;
    let named = format!("{before}{}{after}", serde_json::Value::from(value.get()));
    let error = serde_json::from_str::<T::Of<'_>>(&named).err()?;
    error.is_data().then(|| explain(&error))
}

/// Turns a reader's error into a refusal.
#[must_use]
pub fn explain(error: &serde_json::Error) -> Refusal {
    let text = error.to_string();
    let message = text.split(" at line ").next().unwrap_or(&text);
    if !error.is_data() {
        let place = format!("{message} at column {}", error.column());
        return Refusal::new(Code::BadJson, format!("not one JSON object in a line: {place}"));
    }
    if let Some(rest) = message.strip_prefix("unknown field ") {
        let (written, known) = quoted(rest);
        let known: Vec<&str> = known.into_iter().filter(|k| *k != "at").collect();
        return Refusal::new(
            Code::UnknownField,
            format!("no field {written} here{}", hint(written, &known)),
        );
    }
    if let Some(rest) = message.strip_prefix("missing field ") {
        return Refusal::new(
            Code::MissingField,
            format!("the field {} is missing", quoted(rest).0),
        );
    }
    if let Some(rest) = message.strip_prefix("unknown variant ") {
        let (written, known) = quoted(rest);
        return Refusal::new(
            Code::BadValue,
            format!("{written} is not known here{}", hint(written, &known)),
        );
    }
    let message = reading::translated(message);
    Refusal::new(Code::BadValue, format!("{message} (column {})", error.column()))
}

/// The names between backquotes: the first, and the others.
fn quoted(text: &str) -> (&str, Vec<&str>) {
    let mut names = text.split('`').skip(1).step_by(2);
    (names.next().unwrap_or(text), names.collect())
}

fn hint(written: &str, known: &[&str]) -> String {
    match nearest(written, known.iter().copied()) {
        Some(near) => format!("; did you mean {near}? Known: {}", known.join(", ")),
        None => format!("; known: {}", known.join(", ")),
    }
}

/// One die of a request.
///
/// # Errors
/// A refusal if it is missing or not a face.
pub fn die(die: Option<i64>) -> Result<u8, Refusal> {
    match die {
        None => Err(Refusal::new(
            Code::MissingField,
            "the field die is missing: the number rolled, 1 to 10",
        )),
        Some(n) => face(n),
    }
}

fn face(n: i64) -> Result<u8, Refusal> {
    u8::try_from(n).ok().filter(|n| (1..=10).contains(n)).ok_or_else(|| {
        Refusal::new(
            Code::DieOutOfRange,
            format!("a die of {n}: dice are 1 to 10, and the 0 face is written 10"),
        )
    })
}

/// A pool of dice of a request: exactly as many as the rules ask for.
///
/// # Errors
/// A refusal that says how many dice there should be.
pub fn pool(dice: Option<&[i64]>, wanted: u32) -> Result<Vec<u8>, Refusal> {
    let given = dice.unwrap_or_default();
    if dice.is_none() && wanted > 0 {
        let message = format!("the field dice is missing: {wanted} to roll");
        return Err(Refusal::new(Code::MissingField, message));
    }
    let faces = given.iter().map(|n| face(*n)).collect::<Result<Vec<u8>, _>>()?;
    if u32::try_from(faces.len()).ok() != Some(wanted) {
        let message = format!("{} dice were given and the rules ask for {wanted}", faces.len());
        return Err(Refusal::new(Code::WrongNumberOfDice, message));
    }
    Ok(faces)
}

/// The hits of a pool of dice of a request: those up to `to_hit`.
///
/// # Errors
/// A refusal that says how many dice there should be.
pub fn pool_hits(dice: Option<&[i64]>, wanted: u32, to_hit: i32) -> Result<u32, Refusal> {
    let faces = pool(dice, wanted)?;
    Ok(faces.iter().map(|face| u32::from(i32::from(*face) <= to_hit)).sum())
}

/// More outcomes than anybody can read or wants to wait for.
const MOST_OUTCOMES: usize = 200_000;

/// Whether a chain of steps with so many outcomes each can be counted.
///
/// # Errors
/// A refusal of a chain that branches too often.
pub fn countable(outcomes: impl IntoIterator<Item = usize>) -> Result<(), Refusal> {
    let whole = outcomes
        .into_iter()
        .try_fold(1usize, |all, each| all.checked_mul(each.max(1)).filter(|n| *n <= MOST_OUTCOMES));
    match whole {
        Some(_) => Ok(()),
        None => {
            let message =
                format!("the chain has more than {MOST_OUTCOMES} outcomes: ask for fewer steps");
            Err(Refusal::new(Code::TooLarge, message))
        }
    }
}

/// Farther than any table or field of battle is wide.
const FARTHEST: f64 = 10_000.0;

/// A distance in the book's own measure.
///
/// # Errors
/// A refusal of a negative or absurd distance.
pub fn distance(range: f64, measure: &str) -> Result<f64, Refusal> {
    if (0.0..=FARTHEST).contains(&range) {
        return Ok(range);
    }
    let message = format!("range is {range}: {measure}, from 0 to {FARTHEST}");
    Err(Refusal::new(Code::BadValue, message))
}

/// A number that has to lie between two bounds.
///
/// # Errors
/// A refusal that names the field and the bounds.
pub fn between(field: &str, n: i64, low: i64, high: i64) -> Result<i64, Refusal> {
    if n > high {
        let message = format!("{field} is {n}: at most {high}");
        return Err(Refusal::new(Code::TooLarge, message));
    }
    if n < low {
        let message = format!("{field} is {n}: at least {low}");
        return Err(Refusal::new(Code::BadValue, message));
    }
    Ok(n)
}

/// The refusal of a name that is not known: the nearest one, and all of them.
#[must_use]
pub fn unknown(code: Code, what: &str, written: &str, known: &[&str]) -> Refusal {
    Refusal::new(code, format!("no {what} {written}{}", hint(written, known)))
}
