//! How fast the library resolves a check and counts its odds.
//!
//! `cargo bench -p engine --bench checks`
#![allow(clippy::expect_used, clippy::panic, clippy::print_stdout, clippy::unwrap_used)]

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use engine::{Library, Rules};
use rulebook::Check;
use rulebook::request::parse;

fn main() {
    divan::main();
}

fn regimental(library: &Library, book: &str) -> regimental::Rules {
    match &library.get(book).expect("a book").rules {
        Rules::Regimental(rules) => (**rules).clone(),
        _ => unreachable!("a Regimental book"),
    }
}

fn discipline(library: &Library) -> discipline::Rules {
    match &library.get("fire-and-discipline").expect("a book").rules {
        Rules::Discipline(rules) => (**rules).clone(),
        _ => unreachable!("Fire and Discipline"),
    }
}

fn rise(library: &Library) -> rise::Rules {
    match &library.get("rise-and-fight-again").expect("a book").rules {
        Rules::Rise(rules) => (**rules).clone(),
        _ => unreachable!("Rise and Fight Again"),
    }
}

const FIRE: &str = r#"{"kind":"musketry","points":8,"die":7,
    "target":{"arm":"troops","class":"veteran","charging":"cold-steel"},
    "conditions":["fire.modifier.target-enfiladed","fire.modifier.partial-cover"]}"#;
const MANEUVER: &str = r#"{"arm":"troops","order":"disordered","die":6,
    "conditions":["maneuver.modifier.veteran","maneuver.modifier.fresh","maneuver.modifier.linear-cover"]}"#;
const CHARGE: &str = r#"{"attacker":{"arm":"infantry","die":7,
    "conditions":["charge.modifier.veteran","charge.modifier.fresh","charge.modifier.cold-steel"]},
    "defender":{"arm":"infantry","die":4,"conditions":["charge.modifier.raw","charge.modifier.favorable-ground"]}}"#;
const COMBAT: &str = r#"{"sides":[{"arm":"infantry","formation":"close-order-line","score":9,"die":5,
    "conditions":["engagement.modifier.british-or-elite-charge"]},
    {"arm":"infantry","formation":"open-order-line","score":7,"die":3}]}"#;
const MORALE: &str = r#"{"castings":4,"grade":2,"arm":"foot","die":9,"loss_die":5,
    "conditions":["morale.modifier.foot-adjacent-same-unit"]}"#;
const MELEE: &str = r#"{"sides":[{"castings":36,"grade":4,"status":"charging"},
    {"castings":38,"grade":2,"status":"holding"}]}"#;

/// A whole check: conditions settled, the die read, the result told.
#[divan::bench_group]
mod single_check {
    use super::*;

    #[divan::bench]
    fn fire(bencher: Bencher<'_, '_>) {
        let rules = regimental(&Library::default(), "rff-awi-25mm");
        let request = parse(FIRE).expect("a request");
        bencher.counter(ItemsCount::new(1u32)).bench_local(|| {
            let check = regimental::fire::assess(&rules, black_box(&request)).expect("legal");
            check.resolve(check.given().expect("a die"), &mut ())
        });
    }

    #[divan::bench]
    fn maneuver(bencher: Bencher<'_, '_>) {
        let rules = regimental(&Library::default(), "rff-awi-15mm");
        let request = parse(MANEUVER).expect("a request");
        bencher.counter(ItemsCount::new(1u32)).bench_local(|| {
            let check = regimental::maneuver::assess(&rules, black_box(&request)).expect("legal");
            check.resolve(check.given().expect("a die"), &mut ())
        });
    }

    #[divan::bench]
    fn charge(bencher: Bencher<'_, '_>) {
        let rules = regimental(&Library::default(), "rff-triple-alliance");
        let json = CHARGE.replace("cold-steel", "machismo");
        let request = parse(&json).expect("a request");
        bencher.counter(ItemsCount::new(1u32)).bench_local(|| {
            let check = regimental::charge::assess(&rules, black_box(&request)).expect("legal");
            check.resolve(check.given().expect("dice"), &mut ())
        });
    }

    #[divan::bench]
    fn close_combat(bencher: Bencher<'_, '_>) {
        let rules = rise(&Library::default());
        let request = parse(COMBAT).expect("a request");
        bencher.counter(ItemsCount::new(1u32)).bench_local(|| {
            let check = rise::close_combat::assess(&rules, black_box(&request)).expect("legal");
            check.resolve(check.given().expect("dice"), &mut ())
        });
    }

    #[divan::bench]
    fn morale(bencher: Bencher<'_, '_>) {
        let rules = discipline(&Library::default());
        let request = parse(MORALE).expect("a request");
        bencher.counter(ItemsCount::new(1u32)).bench_local(|| {
            let check = discipline::morale::assess(&rules, black_box(&request)).expect("legal");
            check.resolve(check.given().expect("dice"), &mut ())
        });
    }
}

/// The exact distribution of a check, settled and counted.
#[divan::bench_group]
mod exact_odds {
    use super::*;

    #[divan::bench]
    fn fire(bencher: Bencher<'_, '_>) {
        let rules = regimental(&Library::default(), "rff-awi-25mm");
        let request = parse(FIRE).expect("a request");
        bencher.bench_local(|| {
            regimental::fire::assess(&rules, black_box(&request)).expect("legal").odds()
        });
    }

    #[divan::bench]
    fn charge(bencher: Bencher<'_, '_>) {
        let rules = regimental(&Library::default(), "rff-awi-25mm");
        let request = parse(CHARGE).expect("a request");
        bencher.bench_local(|| {
            regimental::charge::assess(&rules, black_box(&request)).expect("legal").odds()
        });
    }

    #[divan::bench]
    fn charge_until_decided(bencher: Bencher<'_, '_>) {
        let rules = regimental(&Library::default(), "rff-awi-25mm");
        let request = parse(CHARGE).expect("a request");
        bencher.bench_local(|| {
            regimental::charge::assess(&rules, black_box(&request))
                .expect("legal")
                .until_decided()
                .expect("decided")
        });
    }

    #[divan::bench]
    fn morale(bencher: Bencher<'_, '_>) {
        let rules = discipline(&Library::default());
        let request = parse(MORALE).expect("a request");
        bencher.bench_local(|| {
            discipline::morale::assess(&rules, black_box(&request)).expect("legal").odds()
        });
    }

    #[divan::bench]
    fn melee_40_against_40(bencher: Bencher<'_, '_>) {
        let rules = discipline(&Library::default());
        let request = parse(MELEE).expect("a request");
        bencher.bench_local(|| {
            discipline::melee::assess(&rules, black_box(&request)).expect("legal").odds()
        });
    }

    #[divan::bench]
    fn fire_then_charge(bencher: Bencher<'_, '_>) {
        let rules = regimental(&Library::default(), "rff-awi-25mm");
        let charge = r#"{"check":"charge","attacker":{"arm":"infantry","stands":8},
            "defender":{"arm":"infantry","stands":6}}"#;
        let steps = [("fire", FIRE), ("charge", charge)];
        bencher.bench_local(|| {
            rules.chain(black_box(&steps)).expect("legal").odds(false).expect("counted")
        });
    }
}

/// The JSON contract: a line in, a line out.
#[divan::bench_group]
mod json_line {
    use super::*;

    #[divan::bench]
    fn resolve_fire(bencher: Bencher<'_, '_>) {
        let library = Library::default();
        let line = format!(
            "{{\"book\":\"rff-awi-25mm\",\"check\":\"fire\",{}",
            &FIRE.replace('\n', "")[1..]
        );
        let mut out = Vec::new();
        bencher.counter(ItemsCount::new(1u32)).bench_local(|| {
            out.clear();
            library.resolve(black_box(&line), &mut out);
        });
    }

    #[divan::bench]
    fn odds_fire(bencher: Bencher<'_, '_>) {
        let library = Library::default();
        let line = format!(
            "{{\"book\":\"rff-awi-25mm\",\"check\":\"fire\",{}",
            &FIRE.replace('\n', "")[1..]
        );
        let mut out = Vec::new();
        bencher.counter(ItemsCount::new(1u32)).bench_local(|| {
            out.clear();
            library.odds(black_box(&line), &mut out);
        });
    }
}
