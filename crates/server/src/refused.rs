//! The answers that say no, as the description of the API has them.

use std::collections::BTreeMap;

use utoipa::IntoResponses;
use utoipa::openapi::{ContentBuilder, Ref, RefOr, Response, ResponseBuilder};

/// What any request may be answered with that is not answered with yes.
pub(crate) struct Refused;

/// What a request that changes something may be answered with besides.
pub(crate) struct Unchanged;

/// What every request may meet.
const ANY: [(u16, &str); 9] = [
    (400, "it makes no sense as it is; the message says what would"),
    (401, "no token, or one that opens nothing here"),
    (403, "the token is good, but not for this; or the request comes from another site"),
    (404, "there is nothing of that name"),
    (408, "its body did not come in time"),
    (413, "it holds more than a request may"),
    (
        429,
        "too much at once, or more than one address may have: `retry-after` says when to come again",
    ),
    (500, "something broke; nothing has changed"),
    (
        503,
        "the storage fails, or was too slow: of what was sent nobody knows. Look again, or send it \
         again under the same key",
    ),
];

/// What changes meet.
const CHANGES: [(u16, &str); 3] = [
    (409, "somebody else was first; `rev` says where the game is now. Nothing has changed"),
    (422, "the rules say no: `refusal` has the clause, the fact and what would be legal"),
    (507, "the disk is full; nothing has changed"),
];

fn described(all: &[(u16, &str)]) -> BTreeMap<String, RefOr<Response>> {
    let problem =
        || ContentBuilder::new().schema(Some(Ref::from_schema_name("ProblemBody"))).build();
    let answer = |why: &str| {
        ResponseBuilder::new().description(why).content("application/json", problem()).build()
    };
    all.iter().map(|(status, why)| (status.to_string(), RefOr::T(answer(why)))).collect()
}

impl IntoResponses for Refused {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        described(&ANY)
    }
}

impl IntoResponses for Unchanged {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        described(&[&ANY[..], &CHANGES].concat())
    }
}
