//! The description of the API and the page's types are those of the program.
//! `LINSTOCK_WRITE=1 cargo test -p server --test described` writes them anew.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::collections::BTreeSet;
use std::path::Path;

use engine::view;
use regimental::battle::Command;
use serde_json::{Value, json};
use server::api;
use ts_rs::{Config, TS};

fn same(path: &str, wanted: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
    if std::env::var_os("LINSTOCK_WRITE").is_some() {
        std::fs::write(&path, wanted).unwrap();
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        found == wanted,
        "{} is not what the program says: LINSTOCK_WRITE=1 cargo test -p server --test described",
        path.display()
    );
}

#[test]
fn the_description_of_the_api_is_up_to_date() {
    let text = server::openapi() + "\n";
    assert!(text.contains("/api/games/{id}/orders"));
    same("docs/api.json", &text);
}

/// Every order that docs/commands.md shows, and every step and choice.
fn examples() -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/commands.md");
    let text = std::fs::read_to_string(path).unwrap();
    let text = text.split_once("## Commands").unwrap().1.split_once("## Questions").unwrap().0;
    let spans: Vec<&str> = text.split('`').skip(1).step_by(2).collect();
    let steps = text.split_once("### Steps").unwrap().1.split_once("Formations").unwrap().0;
    let bare =
        steps.split('`').skip(1).step_by(2).filter(|w| !w.contains(['{', '"']) && *w != "to");
    let bare = bare.filter(|w| !["turn", "toward", "form"].contains(w));
    let choices = text.split_once("### Choices").unwrap().1;
    let choices = choices.split('`').skip(1).step_by(2).filter(|w| !w.contains('{'));
    let whole = |part: Value| match (part.get("step"), part.get("choice")) {
        (Some(_), _) => json!({"do": "maneuver", "unit": "23rd", "steps": [part]}),
        (_, Some(_)) => json!({"do": "decide", "unit": "23rd", "decision": part}),
        _ => part,
    };
    let read = spans.iter().filter_map(|s| serde_json::from_str(s).ok());
    read.chain(bare.map(|w| json!({"step": w})))
        .chain(choices.map(|w| json!({"choice": w})))
        .map(whole)
        .filter(|v: &Value| v.get("do").is_some())
        .collect()
}

/// The orders of the description are those the rules read: what one takes the other takes, and what
/// one refuses the other refuses.
#[test]
fn orders_are_described_as_they_are_read() {
    let (mut orders, mut parts) = (BTreeSet::new(), BTreeSet::new());
    for order in examples() {
        let rules = serde_json::from_value::<Command>(order.clone());
        let ours = serde_json::from_value::<server::orders::Order>(order.clone());
        assert!(rules.is_ok() && ours.is_ok(), "{order}: {rules:?} {ours:?}");
        for (key, _) in order.as_object().unwrap() {
            let mut less = order.clone();
            less.as_object_mut().unwrap().remove(key);
            let mut other = order.clone();
            other[key] = json!({"nobody": 1});
            for changed in [less, other] {
                let rules = serde_json::from_value::<Command>(changed.clone()).is_ok();
                let ours = serde_json::from_value::<server::orders::Order>(changed.clone()).is_ok();
                assert_eq!(rules, ours, "{changed}");
            }
        }
        orders.insert(order["do"].as_str().unwrap().to_owned());
        let part = |v: &Value| v["step"].as_str().or(v["choice"].as_str()).map(str::to_owned);
        parts.extend(order["steps"].as_array().into_iter().flatten().filter_map(part));
        parts.extend(part(&order["decision"]));
    }
    // None is left out: the description names as many as there are examples.
    let api: Value = serde_json::from_str(&server::openapi()).unwrap();
    let named = |name: &str| api["components"]["schemas"][name]["oneOf"].as_array().unwrap().len();
    assert_eq!(orders.len(), named("Order"), "{orders:?}");
    assert_eq!(
        parts.len(),
        named("Step") + named("Decision") - 1,
        "{parts:?}, of which advance is both"
    );
}

/// Every request says how it is answered when it is refused, and each that needs a seat says so.
#[test]
fn every_refusal_is_described() {
    let api: Value = serde_json::from_str(&server::openapi()).unwrap();
    for (path, methods) in api["paths"].as_object().unwrap() {
        for (method, what) in methods.as_object().unwrap() {
            let answers = what["responses"].as_object().unwrap();
            assert!(!answers.keys().any(|k| k.contains("XX")), "{method} {path}: {answers:?}");
            if path.contains("/games/{id}") {
                for status in ["401", "403", "404", "429", "503"] {
                    assert!(answers.contains_key(status), "{method} {path} has no {status}");
                }
                assert_eq!(what["security"], json!([{"seat": []}]), "{method} {path}");
            }
            if path.ends_with("/orders") {
                assert!(["409", "422", "507"].iter().all(|s| answers.contains_key(*s)), "{path}");
            }
        }
    }
    let live = &api["paths"]["/api/games/{id}/live"]["get"]["parameters"];
    assert!(live.to_string().contains("last-event-id"), "{live}");
}

macro_rules! declared {
    ($($t:ty),* $(,)?) => {{
        let config = Config::default();
        let mut text = String::from("// Made from the program's own types; do not edit.\n");
        $(text.push_str(&format!("\nexport {}\n", <$t>::decl(&config)));)*
        text
    }};
}

#[test]
fn the_types_of_the_page_are_up_to_date() {
    let text = declared![
        view::ScenarioCard,
        view::Balance,
        view::Brigade,
        view::SideCard,
        view::Board,
        view::Land,
        view::CoatView,
        view::View,
        view::Choice,
        view::Ending,
        view::Stand,
        view::GunView,
        view::WeaponView,
        view::Piece,
        view::LeaderView,
        view::KeyView,
        view::Scored,
        view::Refusal,
        view::Offer,
        view::Ghost,
        view::Entry,
        view::LogLine,
        view::TallyLine,
        view::Outcome,
        view::Chances,
        view::Roll,
        view::ChargeView,
        view::Term,
        server::ProblemBody,
        api::Mode,
        api::MakeGame,
        api::Made,
        api::BrigadeSeat,
        api::Player,
        api::Laid,
        api::Opened,
        api::Settled,
        api::Concede,
        api::DrawWord,
        api::Draw,
        api::Rematch,
        api::Update,
        api::GiveOrder,
        api::Done,
        api::StepBack,
        api::AskOdds,
        api::Odds,
        api::There,
        api::AskWay,
        api::Way,
        api::Offers,
        api::Seen,
        api::Luck,
        api::LuckyThrow,
        api::Branch,
        api::Rename,
        api::Scenarios,
        api::Level,
        api::BookText,
        api::Section,
        api::ClauseText,
        api::RulingText,
    ];
    same("web/src/api.ts", &text);
}
