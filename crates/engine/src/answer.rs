//! Writing answers as JSON.

use dice::{BigUint, Distribution, ratio};
use rulebook::{Asker, Book, Check, Code, Counted, Reached, Refusal};
use serde::Serialize;
use serde_json::value::RawValue;

/// How much an answer says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Detail {
    /// The fields of the contract.
    Contract,
    /// Also every clause that was applied, and figures for the table.
    Clauses,
}

/// Writes the answer to a check whose dice are given.
///
/// # Errors
/// A refusal of the dice.
pub fn write_resolved<C: Check>(
    check: &C,
    book: &Book,
    detail: Detail,
    out: &mut Vec<u8>,
) -> Result<(), Refusal> {
    let roll = check.given()?;
    match detail {
        Detail::Contract => {
            let outcome = check.resolve(roll, &mut ());
            object(out, |out| {
                fields(out, &outcome)?;
                modifiers(out, book, &check.modifiers())
            })
        }
        Detail::Clauses => {
            let mut cited = Vec::new();
            let outcome = check.resolve(roll, &mut cited);
            let names: Vec<&str> = cited.iter().map(|rule| book.name(*rule)).collect();
            object(out, |out| {
                fields(out, &outcome)?;
                modifiers(out, book, &check.modifiers())?;
                out.extend(b",\"rules\":");
                json(out, &names)?;
                for (key, value) in check.details(roll) {
                    out.push(b',');
                    json(out, key)?;
                    out.push(b':');
                    json(out, &value)?;
                }
                Ok(())
            })
        }
    }
}

/// Writes the odds of a check.
///
/// # Errors
/// A refusal if it is asked to be decided and cannot be.
pub fn write_odds<C: Check>(
    check: &C,
    book: &Book,
    until_decided: bool,
    out: &mut Vec<u8>,
) -> Result<(), Refusal> {
    if until_decided {
        let decided = check.until_decided()?;
        return outcomes(out, &decided, |out, (outcome, counted): &Reached<C::Outcome>| {
            object(out, |out| {
                fields(out, outcome)?;
                modifiers(out, book, counted)
            })
        });
    }
    let mut shown = Vec::new();
    modifiers(&mut shown, book, &check.modifiers())?;
    outcomes(out, &check.odds(), |out, outcome| {
        object(out, |out| {
            fields(out, outcome)?;
            out.extend(&shown);
            Ok(())
        })
    })
}

/// Writes the odds of a chain, whose outcomes are JSON already.
pub(crate) fn write_chain(odds: &Distribution<String>, out: &mut Vec<u8>) -> Result<(), Refusal> {
    outcomes(out, odds, |out, steps| {
        out.extend(b"{\"steps\":");
        out.extend(steps.as_bytes());
        out.push(b'}');
        Ok(())
    })
}

fn outcomes<T>(
    out: &mut Vec<u8>,
    odds: &Distribution<T>,
    mut write: impl FnMut(&mut Vec<u8>, &T) -> Result<(), Refusal>,
) -> Result<(), Refusal> {
    // Exact counts where they fit in 64 bits; the probability always.
    let of = u64::try_from(odds.of()).ok();
    out.extend(b"\"outcomes\":[");
    for (i, (outcome, ways)) in odds.iter().enumerate() {
        if i > 0 {
            out.push(b',');
        }
        out.extend(b"{\"probability\":");
        json(out, &ratio(ways, odds.of()))?;
        if let Some((ways, of)) = whole(ways).zip(of) {
            out.extend(b",\"ways\":");
            json(out, &ways)?;
            out.extend(b",\"of\":");
            json(out, &of)?;
        }
        out.extend(b",\"result\":");
        write(out, outcome)?;
        out.push(b'}');
    }
    out.push(b']');
    Ok(())
}

fn whole(n: &BigUint) -> Option<u64> {
    u64::try_from(n).ok()
}

fn object(
    out: &mut Vec<u8>,
    write: impl FnOnce(&mut Vec<u8>) -> Result<(), Refusal>,
) -> Result<(), Refusal> {
    out.push(b'{');
    write(out)?;
    out.push(b'}');
    Ok(())
}

/// The fields of a struct, without its braces.
fn fields(out: &mut Vec<u8>, value: &impl Serialize) -> Result<(), Refusal> {
    let start = out.len();
    json(out, value)?;
    out.remove(start);
    out.pop();
    Ok(())
}

fn modifiers(out: &mut Vec<u8>, book: &Book, counted: &[Counted]) -> Result<(), Refusal> {
    out.extend(b",\"modifiers\":[");
    for (i, modifier) in counted.iter().enumerate() {
        if i > 0 {
            out.push(b',');
        }
        out.extend(b"{\"rule\":");
        json(out, book.name(modifier.rule))?;
        out.extend(b",\"value\":");
        json(out, &modifier.value)?;
        if let Some(side) = modifier.side {
            out.extend(b",\"side\":");
            // The sides of the symmetric checks are numbers.
            match side {
                "0" | "1" => out.extend(side.as_bytes()),
                name => json(out, name)?,
            }
        }
        out.push(b'}');
    }
    out.push(b']');
    Ok(())
}

pub(crate) fn json<T: Serialize + ?Sized>(out: &mut Vec<u8>, value: &T) -> Result<(), Refusal> {
    serde_json::to_writer(out, value).map_err(|error| {
        Refusal::new(Code::BadValue, format!("cannot be written as JSON: {error}"))
    })
}

/// Writes a refusal as an answer, with the id of the request if it has one.
pub(crate) fn write_refusal(refusal: &Refusal, id: Option<&RawValue>, out: &mut Vec<u8>) {
    #[derive(Serialize)]
    struct Answer<'a> {
        #[serde(skip_serializing_if = "Option::is_none")]
        id: Option<&'a RawValue>,
        error: &'a Refusal,
    }
    let start = out.len();
    if json(out, &Answer { id, error: refusal }).is_err() {
        out.truncate(start);
        out.extend(br#"{"error":{"code":"bad-json","message":"the answer cannot be written"}}"#);
    }
}

/// Resolves whatever check it is given.
pub(crate) struct Resolving<'a> {
    pub(crate) book: &'a Book,
    pub(crate) detail: Detail,
    pub(crate) out: &'a mut Vec<u8>,
}

impl Asker for Resolving<'_> {
    fn take<C: Check>(&mut self, check: &C) -> Result<(), Refusal> {
        write_resolved(check, self.book, self.detail, self.out)
    }
}

/// Counts the odds of whatever check it is given.
pub(crate) struct Counting<'a> {
    pub(crate) book: &'a Book,
    pub(crate) until_decided: bool,
    pub(crate) out: &'a mut Vec<u8>,
}

impl Asker for Counting<'_> {
    fn take<C: Check>(&mut self, check: &C) -> Result<(), Refusal> {
        self.out.push(b'{');
        write_odds(check, self.book, self.until_decided, self.out)?;
        self.out.push(b'}');
        Ok(())
    }
}
