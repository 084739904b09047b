//! The same pool question, exactly, by Linstock and by the Python library
//! icepool, in one run: who loses a melee of 40 dice against 40?
//!
//! `cargo bench -p engine --bench beside_icepool`. Without icepool
//! (`pip install icepool`) it says so and shows only our own time.
#![allow(clippy::expect_used, clippy::panic, clippy::print_stdout, clippy::unwrap_used)]

use std::process::Command;
use std::time::Instant;

use engine::{Library, Rules};
use rulebook::Check;
use rulebook::request::parse;

const MELEE: &str = r#"{"sides":[{"castings":36,"grade":4,"status":"charging"},
    {"castings":38,"grade":2,"status":"holding"}]}"#;

/// icepool keeps results between calls, so its time is that of a first call
/// in a process that has its imports done; the median of several processes.
const SCRIPT: &str = r"
import time, icepool
from fractions import Fraction
start = time.perf_counter()
a = (icepool.d10 <= 2).simplify() if hasattr(icepool.d10 <= 2, 'simplify') else (icepool.d10 <= 2)
b = icepool.d10 <= 3
hits_a, hits_b = 40 @ a, 40 @ b
joint = icepool.tupleize(hits_a, hits_b)
table = [joint.probability(x) for x in joint.outcomes()]
spent = time.perf_counter() - start
lost = hits_a < hits_b
print(spent, float(lost.probability(True)), len(table))
";

fn main() {
    let library = Library::default();
    let Rules::Discipline(rules) = &library.get("fire-and-discipline").expect("a book").rules
    else {
        unreachable!("Fire and Discipline");
    };
    let request = parse(MELEE).expect("a request");
    let check = discipline::melee::assess(rules, &request).expect("legal");
    let mut times: Vec<f64> = (0..101)
        .map(|_| {
            let start = Instant::now();
            std::hint::black_box(check.odds());
            start.elapsed().as_secs_f64()
        })
        .collect();
    times.sort_by(f64::total_cmp);
    let ours = times[times.len() / 2];
    let odds = check.odds();
    let lost = odds.chance(|out| out.loser == Some(0));
    println!("melee of 40 dice against 40, the whole exact table of {} outcomes", odds.len());
    println!("  linstock  {:>10.1} µs   the attacker loses {lost:.6}", ours * 1e6);

    let mut theirs = Vec::new();
    for _ in 0..5 {
        let run = Command::new("python3").args(["-c", SCRIPT]).output();
        let Some(text) = run.ok().filter(|o| o.status.success()).map(|o| o.stdout) else {
            break;
        };
        let text = String::from_utf8_lossy(&text).into_owned();
        let numbers: Vec<f64> = text.split_whitespace().filter_map(|w| w.parse().ok()).collect();
        if let [spent, chance, _] = numbers[..] {
            assert!((chance - lost).abs() < 1e-9, "icepool says {chance} and we say {lost}");
            theirs.push(spent);
        }
    }
    theirs.sort_by(f64::total_cmp);
    match theirs.get(theirs.len() / 2) {
        Some(spent) => {
            println!("  icepool   {:>10.1} µs   the same", spent * 1e6);
            println!("  ratio     {:>10.1}", spent / ours);
        }
        None => println!("  icepool is not installed here (pip install icepool): not compared"),
    }
}
