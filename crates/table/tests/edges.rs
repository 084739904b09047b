//! The table is exact on its edges, and the same whichever way it lies.
#![allow(clippy::expect_used, clippy::unwrap_used)]

use proptest::prelude::*;
use table::{
    Corner, Facing, Feature, Footprint, Outline, Point, Pose, Size, TOUCH, hollow_square, laid_out,
    mils, ranks, wheel, wheel_between,
};

const STAND: Size = Size { width: 1000, depth: 750 };

fn stand(x: f64, y: f64, degrees: f64) -> Footprint {
    Footprint::of(Pose::new(Point::at(x, y), Facing::degrees(degrees)), STAND)
}

#[test]
fn touching_is_not_overlapping() {
    let (a, b) = (stand(10.0, 10.0, 0.0), stand(11.0, 10.0, 0.0));
    assert!(!a.overlaps(&b) && a.touches(&b));
    assert_eq!(a.distance(&b), 0);
    let apart = stand(11.011, 10.0, 0.0);
    assert!(!a.touches(&apart));
    assert_eq!(a.distance(&apart), 11);
    let into = stand(10.989, 10.0, 0.0);
    assert!(a.overlaps(&into));
}

#[test]
fn a_distance_is_measured_to_the_mil() {
    let (a, b) = (stand(10.0, 10.0, 0.0), stand(10.0, 14.75, 0.0));
    assert_eq!(a.distance(&b), 4000);
    let corner = stand(14.0, 14.75, 0.0); // 3 across and 4 up
    assert_eq!(a.distance(&corner), 5000);
}

#[test]
fn a_stand_on_the_line_of_the_arc_is_not_in_it() {
    let front = Pose::new(Point::at(10.0, 10.0), Facing::NORTH);
    // The right line runs from 10.5 at 45 degrees: at 4 ahead it is at 14.5.
    let beside = Footprint::of(Pose::new(Point::at(15.0, 14.0), Facing::NORTH), STAND);
    assert!(!beside.in_arc_of(front, 1000));
    let inside = Footprint::of(Pose::new(Point::at(14.9, 14.0), Facing::NORTH), STAND);
    assert!(inside.in_arc_of(front, 1000));
    let behind = Footprint::of(Pose::new(Point::at(10.0, 10.0), Facing::NORTH), STAND);
    assert!(!behind.in_arc_of(front, 1000));
    let level = Footprint::of(Pose::new(Point::at(10.0, 10.75), Facing::NORTH), STAND);
    assert!(level.in_arc_of(front, 1000));
}

#[test]
fn a_wheel_turns_on_its_corner_and_costs_the_way_of_the_other() {
    let front = Pose::new(Point::at(10.0, 10.0), Facing::NORTH);
    let (turned, way) = wheel(front, 4000, Corner::Right, 9000);
    assert_eq!(turned.at, Point::at(12.0, 12.0));
    assert_eq!(way, mils(4.0 * std::f64::consts::FRAC_PI_2));
    let plan = wheel_between(front, turned.shifted(0, 3000), 4000).unwrap();
    assert_eq!((plan.before, plan.after, plan.turn), (0, 3000, 9000));
}

#[test]
fn ranks_and_squares_hold_their_stands_without_overlap() {
    for n in 1..=25 {
        for slots in
            [ranks(n, n.div_ceil(2), STAND, 0), ranks(n, 2, STAND, 0), ranks(n, 1, STAND, 0)]
        {
            no_overlap(n, &slots);
        }
        no_overlap(n, &hollow_square(n, STAND));
    }
}

fn no_overlap(n: usize, slots: &[table::Slot]) {
    assert_eq!(slots.len(), n);
    let front = Pose::new(Point::at(50.0, 50.0), Facing::degrees(33.0));
    let poses = laid_out(front, slots);
    let feet = Footprint::of_all(&poses, STAND);
    // Stands that face one way are the same, moved.
    let each: Vec<Footprint> = poses.iter().map(|p| Footprint::of(*p, STAND)).collect();
    assert_eq!(feet, each);
    for (i, a) in feet.iter().enumerate() {
        assert!(feet[..i].iter().all(|b| !a.overlaps(b)), "{n} stands");
    }
}

#[test]
fn a_line_beside_a_wood_is_not_in_it() {
    let wood = Feature::new(Outline::Area(vec![
        Point::at(5.0, 5.0),
        Point::at(9.5, 5.0),
        Point::at(9.5, 15.0),
        Point::at(5.0, 15.0),
    ]))
    .unwrap();
    assert!(!wood.under(&stand(10.0, 10.0, 0.0)));
    assert!(wood.under(&stand(9.95, 10.0, 0.0)));
    assert_eq!(wood.length_inside(Point::at(0.0, 10.0), Point::at(20.0, 10.0)), 4500);
    assert_eq!(wood.length_inside(Point::at(7.0, 10.0), Point::at(20.0, 10.0)), 2500);
}

#[test]
fn positions_come_back_from_text_to_the_bit() {
    for n in -20_000..20_000 {
        let pose = Pose::new(Point { x: n * 7, y: n * 3 + 1 }, Facing::hundredths(n));
        let text = serde_json::to_string(&pose).unwrap();
        assert_eq!(serde_json::from_str::<Pose>(&text).unwrap(), pose);
    }
}

/// A pose turned by a right angle about the origin, mirrored, or moved.
fn turned(p: Pose) -> Pose {
    Pose::new(Point { x: p.at.y, y: -p.at.x }, p.facing.turned(9000))
}

fn mirrored(p: Pose) -> Pose {
    Pose::new(Point { x: -p.at.x, y: p.at.y }, Facing::hundredths(p.facing.turn_to(Facing::NORTH)))
}

fn pose() -> impl Strategy<Value = Pose> {
    (0..40_000_i32, 0..40_000_i32, 0..36_000_i32)
        .prop_map(|(x, y, f)| Pose::new(Point { x, y }, Facing::hundredths(f)))
}

proptest! {
    #[test]
    fn within_a_distance_is_what_the_distance_says(a in pose(), b in pose(), more in -2..=2_i32, far in 0..30_000_i32) {
        let off = a.at.distance(b.at);
        for limit in [far, off + more] {
            prop_assert_eq!(a.at.is_within(limit, b.at), off <= limit, "{} of {}", off, limit);
        }
        let (p, q) = (Footprint::of(a, STAND), Footprint::of(b, STAND));
        let off = p.distance(&q);
        for limit in [far, (off + more).max(0)] {
            prop_assert_eq!(p.is_within(limit, &q), off <= limit, "{} of {}", off, limit);
        }
    }

    #[test]
    fn how_far_places_reach_is_how_far_each_is_seen(a in pose(), b in pose(), c in pose()) {
        let seen = [b.at, c.at].map(|p| a.sees(p));
        let [across, along] = a.extent([b.at, c.at]);
        prop_assert_eq!(across, (seen[0].0.min(seen[1].0), seen[0].0.max(seen[1].0)));
        prop_assert_eq!(along, (seen[0].1.min(seen[1].1), seen[0].1.max(seen[1].1)));
        prop_assert_eq!(a.at.farthest([b.at, c.at]), a.at.distance(b.at).max(a.at.distance(c.at)));
    }

    #[test]
    fn what_of_a_line_lies_in_an_area_is_what_its_pieces_do(a in pose(), b in pose(), corners in prop::collection::vec(pose(), 3..9)) {
        let area = Feature::new(Outline::Area(corners.iter().map(|c| c.at).collect())).unwrap();
        let long = a.at.distance(b.at);
        // Walked in pieces of twenty mils, each inside or not by its middle.
        let pieces = long / 20 + 1;
        let middle = |i: i32| a.at.on_the_way(b.at, (2 * i + 1) * long / (2 * pieces));
        let inside = (0..pieces).filter(|i| area.holds(middle(*i))).count();
        let walked = i32::try_from(inside).unwrap() * long / pieces;
        let measured = area.stretch(a.at, b.at).inside;
        prop_assert!((walked - measured).abs() <= 20 * 20, "walked {walked}, measured {measured}");
    }

    #[test]
    fn measures_do_not_change_when_the_table_is_turned_mirrored_or_moved(a in pose(), b in pose(), x in -9999..9999_i32, y in -9999..9999_i32) {
        let measure = |a: Pose, b: Pose| {
            let (p, q) = (Footprint::of(a, STAND), Footprint::of(b, STAND));
            (p.overlaps(&q), p.distance(&q), p.in_arc_of(b, STAND.width), q.in_arc_of(a, STAND.width), p.touches(&q))
        };
        let plain = measure(a, b);
        prop_assert_eq!(plain, measure(turned(a), turned(b)));
        prop_assert_eq!(plain, measure(mirrored(a), mirrored(b)));
        let moved = |p: Pose| Pose::new(p.at + Point { x, y }, p.facing);
        prop_assert_eq!(plain, measure(moved(a), moved(b)));
    }

    #[test]
    fn the_way_until_two_stands_meet_is_where_sweeping_begins(a in pose(), b in pose(), to in 0..36_000_i32) {
        let (a, b) = (Footprint::of(a, STAND), Footprint::of(b, STAND));
        let to = Facing::hundredths(to);
        let swept = |way: i32| a.sweeps_over(to.offset(0, way), &b);
        match a.way_until(to, &b) {
            Some(way) => {
                // Ends are rounded to the mil, and a slanting glance lasts longer than it is deep.
                let way = way as i32;
                prop_assert!(swept(way + 500) || !swept(way + 60_000));
                prop_assert!(way < 5 || !swept(way - 5));
            }
            None => prop_assert!(!a.overlaps(&b)),
        }
    }

    /// The hull of a turning stand is the same as the library's.
    #[test]
    fn a_turning_way_enters_what_its_hull_meets(a in pose(), turn in 1..2000_i32, b in pose()) {
        use geo::{ConvexHull, Intersects};
        let from = Footprint::of(a, STAND);
        let to = Footprint::of(Pose::new(a.place(300, 200), a.facing.turned(turn)), STAND);
        let wood = Footprint::of(b, Size { width: 3000, depth: 2000 });
        let feature = Feature::new(Outline::Area(wood.corners.to_vec())).unwrap();
        let coord = |p: Point| geo::Point::new(f64::from(p.x), f64::from(p.y));
        let hull = geo::MultiPoint::from_iter(from.corners.iter().chain(&to.corners).map(|p| coord(*p))).convex_hull();
        let area = geo::Polygon::new(wood.corners.iter().map(|p| coord(*p).0).collect(), vec![]);
        let entered = feature.entered(&table::Swept::between(&from, &to));
        let meets = area.intersects(&hull);
        // Touching is not entering: what enters meets; what meets by more than a touch enters.
        prop_assert!(!entered || meets);
        let deep = geo::MultiPoint::from_iter(hull.exterior().coords().map(|c| {
            let middle = from.centre();
            let (x, y) = (f64::from(middle.x), f64::from(middle.y));
            geo::Point::new(x + (c.x - x) * 0.9, y + (c.y - y) * 0.9)
        })).convex_hull();
        prop_assert!(entered || !area.intersects(&deep));
    }

    #[test]
    fn a_swept_way_meets_what_stands_on_it(a in pose(), way in 0..10_000_i32, share in 0..100_i32) {
        let stand = Footprint::of(a, STAND);
        let by = a.facing.offset(0, way);
        let on_it = Footprint::of(a.shifted(0, way * share / 100), STAND);
        prop_assert!(stand.sweeps_over(by, &on_it));
        let beside = Footprint::of(a.shifted(STAND.width + TOUCH, way * share / 100), STAND);
        prop_assert!(!stand.sweeps_over(by, &beside));
    }
}
