//! The description of the API and the page's types are those of the program.
//! `LINSTOCK_WRITE=1 cargo test -p server --test described` writes them anew.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::path::Path;

use engine::view;
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
        view::Roll,
        server::ProblemBody,
        api::Mode,
        api::MakeGame,
        api::Made,
        api::BrigadeSeat,
        api::Player,
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
