//! `cargo xtask`: what the project does to itself.
//!
//! `cargo xtask test` runs every check there is. `cargo xtask ledger` counts
//! the clauses that tests hold fast, and with `--mutate` proves it.

#![allow(clippy::print_stdout)]

mod ledger;
mod page;
mod sheets;
mod soak;
mod steps;

use std::process::ExitCode;

const HELP: &str = "\
cargo xtask test               every check: format, lints, tests, docs, licences, the page, printed sheets
cargo xtask ledger [--mutate]  the clauses that tests hold fast; --mutate changes each figure to prove it
cargo xtask page               the page: types, style, and played in a real browser
cargo xtask soak [--minutes N] [--memory MB]
                               a server under load: its memory is kept to its budget (an hour if not said otherwise)
cargo xtask sheets             print the reference sheets with Chromium and count their pages";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let done = match args.as_slice() {
        ["test"] => steps::test(),
        ["ledger"] => ledger::print(false),
        ["ledger", "--mutate"] => ledger::print(true),
        ["page"] => page::test(),
        ["soak", rest @ ..] => soak::soak(rest),
        ["sheets"] => sheets::print(),
        _ => Err(format!("what should be done?\n{HELP}")),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("xtask: {why}");
            ExitCode::FAILURE
        }
    }
}
