//! Scratch: where the time of random battles goes.
#![allow(clippy::unwrap_used, clippy::print_stdout, missing_docs)]
use engine::{Library, Scenario, auto};
use std::collections::BTreeMap;
use std::time::Instant;
fn main() {
    let name = std::env::args().nth(1).unwrap();
    let seeds: u32 = std::env::args().nth(2).unwrap().parse().unwrap();
    let scenario = Scenario::built_in(&Library::default(), &name).unwrap().unwrap();
    let mut all: BTreeMap<String, (u32, f64, f64)> = BTreeMap::new();
    let start = Instant::now();
    let mut n = 0;
    for seed in 0..seeds {
        let seed = seed.to_string();
        let mut pick = auto::picker(&seed);
        let mut dice = dice::stream::Source::seeded(&seed);
        let mut battle = scenario.battle.clone();
        for i in 0..20000 {
            if battle.ending().is_some() { break; }
            let t = Instant::now();
            let order = battle.some_order(&mut pick).unwrap();
            let picked = t.elapsed().as_secs_f64();
            let t = Instant::now();
            journal::carry_out(&mut battle, &mut dice, &order).unwrap();
            let done = t.elapsed().as_secs_f64();
            let key = format!("{order:?}").split([' ', '{']).next().unwrap().to_owned();
            if i > 19990 { println!("{order:?} phase {:?} turn {} {:?}", battle.phase(), battle.turn(), battle.mover()); }
            let e = all.entry(key).or_default();
            e.0 += 1; e.1 += picked; e.2 += done;
            n += 1;
        }
    }
    println!("{n} orders, {:.1} ms a battle", start.elapsed().as_secs_f64() * 1000.0 / f64::from(seeds));
    for (k, (n, a, b)) in all { println!("{k:<12} {n:>6}  pick {:>8.1} us  do {:>8.1} us", a * 1e6 / f64::from(n), b * 1e6 / f64::from(n)); }
}
