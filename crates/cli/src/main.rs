mod jsonl;
use std::io::{self, BufWriter};
fn main() {
    let question = match std::env::args().nth(1).as_deref() {
        Some("odds") => jsonl::Question::Odds,
        _ => jsonl::Question::Resolve,
    };
    let library = engine::Library::default();
    let _ = jsonl::answer_all(
        &library,
        question,
        io::stdin().lock(),
        BufWriter::new(io::stdout().lock()),
    );
}
