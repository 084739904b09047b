//! How far groups of stands are apart.

use table::{Footprint, Mils};

/// The nearest distance between two groups of stands. Pairs whose rectangles are farther apart
/// than the nearest so far are passed over.
pub(crate) fn gap(own: &[Footprint], other: &[Footprint]) -> Mils {
    // Those whose fronts are nearest are likely the nearest: measured first, they spare the rest.
    let apart = |a: &Footprint, b: &Footprint| {
        let d = a.pose.at - b.pose.at;
        i64::from(d.x) * i64::from(d.x) + i64::from(d.y) * i64::from(d.y)
    };
    let pairs = own.iter().flat_map(|a| other.iter().map(move |b| (a, b)));
    let Some((a, b)) = pairs.min_by_key(|(a, b)| apart(a, b)) else { return Mils::MAX };
    let near = a.distance(b);
    gap_under(own, other, near).unwrap_or(near)
}

/// The nearest distance between two groups of stands, if it is under a limit.
pub(crate) fn gap_under(own: &[Footprint], other: &[Footprint], limit: Mils) -> Option<Mils> {
    let mut least = limit;
    for a in own {
        let mut around = a.bounds().grown(least);
        for b in other {
            if around.meets(&b.bounds()) {
                let off = a.distance(b);
                if off < least {
                    least = off;
                    around = a.bounds().grown(least);
                }
            }
        }
    }
    (least < limit).then_some(least)
}
