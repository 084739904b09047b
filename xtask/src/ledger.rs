//! The ledger, and its proof.

use engine::ledger::Ledger;
use engine::mutation::mutate;
use engine::{BOOKS, Library};

pub(crate) fn print(prove: bool) -> Result<(), String> {
    let library = Library::default();
    let mut unnoticed = 0;
    for id in BOOKS {
        let loaded = library.get(id).map_err(|refusal| refusal.message)?;
        let counts = Ledger::of(&loaded.book)?.counts();
        let of = |key: &str| counts.get(key).copied().unwrap_or(0);
        println!(
            "{id:<22} {:>4} tested  {:>4} waiting  {:>3} untestable  {:>3} missing",
            of("tested"),
            of("waiting"),
            of("untestable"),
            of("missing")
        );
        if prove {
            let report = mutate(&loaded)?;
            println!(
                "{:<22} {} changes: {} noticed by a cited case, {} limits moved and noticed, {} refused at \
                 load, {} unnoticed",
                "",
                report.changes,
                report.noticed,
                report.moved,
                report.refused,
                report.unnoticed.len()
            );
            for change in &report.unnoticed {
                println!("{:<22} {} {} changed to {}", "", change.clause, change.figure, change.to);
            }
            unnoticed += report.unnoticed.len();
        }
    }
    if unnoticed > 0 {
        return Err(format!("{unnoticed} changes of figures were not noticed"));
    }
    Ok(())
}
