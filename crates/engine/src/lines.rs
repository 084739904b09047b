//! The contract: one line of JSON in, one line of JSON out.

use std::borrow::Cow;
use std::sync::Arc;

use rulebook::request::explain;
use rulebook::{Code, Refusal};
use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use crate::answer::{Counting, Detail, Resolving, write_chain, write_refusal};
use crate::family::steps;
use crate::{Library, Loaded};

/// What every request has. Its other fields are for the check to read.
#[derive(Deserialize)]
struct Envelope<'a> {
    #[serde(default, borrow, deserialize_with = "given")]
    id: Option<&'a RawValue>,
    #[serde(default, borrow)]
    book: Option<Cow<'a, str>>,
    #[serde(default, borrow)]
    check: Option<Cow<'a, str>>,
    #[serde(default, borrow)]
    chain: Option<Vec<&'a RawValue>>,
    #[serde(default)]
    detail: bool,
    #[serde(default)]
    until_decided: bool,
}

/// Only the id, for answering a request that is otherwise wrong.
#[derive(Deserialize)]
struct Identified<'a> {
    #[serde(default, borrow, deserialize_with = "given")]
    id: Option<&'a RawValue>,
}

/// An id that is null is given back as well.
fn given<'de, D: Deserializer<'de>>(from: D) -> Result<Option<&'de RawValue>, D::Error> {
    <&RawValue>::deserialize(from).map(Some)
}

/// What stands beside the steps of a chain.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Chained {
    #[serde(default, rename = "id")]
    _id: IgnoredAny,
    #[serde(default, rename = "book")]
    _book: IgnoredAny,
    #[serde(rename = "chain")]
    _chain: IgnoredAny,
    #[serde(default, rename = "until_decided")]
    _until_decided: IgnoredAny,
}

impl Library {
    /// Answers a `resolve` request: appends one line, without its end.
    pub fn resolve(&self, line: &str, out: &mut Vec<u8>) {
        self.answer(line, out, |loaded, envelope, out| {
            if envelope.chain.is_some() {
                let message = "a chain has odds, not one result: resolve its steps one by one";
                return Err(Refusal::new(Code::UnknownField, message));
            }
            let detail = if envelope.detail { Detail::Clauses } else { Detail::Contract };
            let mut asker = Resolving { book: &loaded.book, detail, out };
            loaded.rules.ask(check(envelope)?, line, &mut asker)
        });
    }

    /// Answers an `odds` request: appends one line, without its end.
    pub fn odds(&self, line: &str, out: &mut Vec<u8>) {
        self.answer(line, out, |loaded, envelope, out| {
            let until_decided = envelope.until_decided;
            if let Some(chain) = &envelope.chain {
                serde_json::from_str::<Chained>(line).map_err(|e| explain(&e))?;
                let steps = steps(chain)?;
                let steps: Vec<(&str, &str)> =
                    steps.iter().map(|(c, json)| (c.as_str(), *json)).collect();
                out.push(b'{');
                write_chain(&loaded.rules.chain(&steps, until_decided)?, out)?;
                out.push(b'}');
                return Ok(());
            }
            let mut asker = Counting { book: &loaded.book, until_decided, out };
            loaded.rules.ask(check(envelope)?, line, &mut asker)
        });
    }

    fn answer(
        &self,
        line: &str,
        out: &mut Vec<u8>,
        ask: impl FnOnce(&Arc<Loaded>, &Envelope<'_>, &mut Vec<u8>) -> Result<(), Refusal>,
    ) {
        let start = out.len();
        if !line.trim_start().starts_with('{') {
            let refusal =
                Refusal::new(Code::BadJson, "not one JSON object in a line: it begins with {");
            write_refusal(&refusal, None, out);
            return;
        }
        let envelope: Envelope<'_> = match serde_json::from_str(line) {
            Ok(envelope) => envelope,
            Err(error) => {
                let id = serde_json::from_str::<Identified<'_>>(line).ok().and_then(|i| i.id);
                write_refusal(&explain(&error), id, out);
                return;
            }
        };
        let answered = self.meant(&envelope).and_then(|loaded| ask(&loaded, &envelope, out));
        match answered {
            Ok(()) => {
                if let Some(id) = envelope.id {
                    // Behind the answer, so that the answer is written once.
                    out.pop();
                    out.extend(b",\"id\":");
                    out.extend(id.get().as_bytes());
                    out.push(b'}');
                }
            }
            Err(refusal) => {
                out.truncate(start);
                write_refusal(&refusal, envelope.id, out);
            }
        }
    }

    fn meant(&self, envelope: &Envelope<'_>) -> Result<Arc<Loaded>, Refusal> {
        match (&envelope.book, self.default_book()) {
            (Some(name), _) => self.get(name),
            (None, Some(loaded)) => Ok(Arc::clone(loaded)),
            (None, None) => {
                let message =
                    format!("the field book is missing: one of {}", crate::BOOKS.join(", "));
                Err(Refusal::new(Code::MissingField, message))
            }
        }
    }
}

fn check<'e>(envelope: &'e Envelope<'_>) -> Result<&'e str, Refusal> {
    envelope.check.as_deref().ok_or_else(|| {
        Refusal::new(Code::MissingField, "the field check is missing: maneuver, fire, charge, …")
    })
}
