//! What the table costs: overlap, distance, sight against terrain.
#![allow(clippy::unwrap_used)]

use divan::{Bencher, black_box};
use table::{Facing, Feature, Footprint, Outline, Point, Pose, Size};

fn main() {
    divan::main();
}

fn stand(x: f64, y: f64, degrees: f64) -> Footprint {
    let size = Size { width: 1000, depth: 750 };
    Footprint::of(Pose::new(Point::at(x, y), Facing::degrees(degrees)), size)
}

#[divan::bench]
fn overlap(bencher: Bencher) {
    let (a, b) = (stand(10.0, 10.0, 20.0), stand(10.6, 10.4, 75.0));
    bencher.bench(|| black_box(&a).overlaps(black_box(&b)));
}

#[divan::bench]
fn distance(bencher: Bencher) {
    let (a, b) = (stand(10.0, 10.0, 20.0), stand(14.0, 12.0, 75.0));
    bencher.bench(|| black_box(&a).distance(black_box(&b)));
}

#[divan::bench]
fn arc_of_fire(bencher: Bencher) {
    let (a, b) = (stand(10.0, 10.0, 20.0), stand(14.0, 18.0, 75.0));
    bencher.bench(|| black_box(&b).in_arc_of(black_box(a.pose), 1000));
}

/// A sight line against 40 woods of eight corners each.
#[divan::bench]
fn sight_line_against_forty_woods(bencher: Bencher) {
    let wood = |i: i32| {
        let (x, y) = (f64::from(i % 8) * 12.0, f64::from(i / 8) * 12.0);
        let corner = |k: i32| {
            let a = f64::from(k) * std::f64::consts::TAU / 8.0;
            Point::at(x + 5.0 + 4.0 * a.cos(), y + 5.0 + 4.0 * a.sin())
        };
        Feature::new(Outline::Area((0..8).map(corner).collect())).unwrap()
    };
    let woods: Vec<Feature> = (0..40).map(wood).collect();
    let (from, to) = (Point::at(3.0, 3.0), Point::at(20.0, 14.0));
    bencher.bench(|| woods.iter().map(|w| w.length_inside(black_box(from), to)).sum::<i32>());
}
