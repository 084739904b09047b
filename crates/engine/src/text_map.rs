//! The map of a battle as text: an inch and a half to a letter across, three down.

use regimental::battle::state::Unit;
use regimental::battle::terrain::{Field, Kind};
use regimental::battle::{Battle, Side};
use table::{Mils, Point, inches};

use crate::Scenario;
use crate::map::layer;

const ACROSS: Mils = 1500;
const DOWN: Mils = 3000;
/// A unit has the letters whose middle is so near to one of its stands.
const NEAR: Mils = 900;

/// The letters of a side's units, in the order of the scenario: a capital or a small one for each,
/// then other signs. Whoever comes after them is in the list below the map alone.
const LETTERS: [&str; 2] = [
    "ABCDEFGHIJKLMNOPQRSTUVWXYZÀÁÂÃÄÅÈÉÊËÌÍÎÏÒÓÔÕÖÙÚÛÜ",
    "abcdefghijklmopqrstuvwxyzàáâãäåèéêëìíîïòóôõöùúûü",
];

/// Whose letter stands in each square of the map, by the place of the unit among those shown.
struct Squares {
    across: usize,
    height: Mils,
    owners: Vec<Option<usize>>,
}

impl Squares {
    fn of(field: &Field, units: &[&Unit]) -> Self {
        let count = |length: Mils, each: Mils| usize::try_from(length / each + 1).unwrap_or(1);
        let (across, down) = (count(field.width, ACROSS), count(field.height, DOWN));
        let mut squares = Self { across, height: field.height, owners: vec![None; across * down] };
        for at in 0..squares.owners.len() {
            let middle = squares.middle(at);
            let reach = |u: &Unit| u.feet.iter().map(|f| f.distance_to(middle)).min();
            let near = units.iter().enumerate().filter_map(|(i, u)| Some((reach(u)?, i)));
            squares.owners[at] = near.filter(|n| n.0 <= NEAR).min().map(|n| n.1);
        }
        for (i, unit) in units.iter().enumerate() {
            if !squares.shown(i) {
                squares.make_room(i, unit.middle);
            }
        }
        squares
    }

    fn middle(&self, at: usize) -> Point {
        let whole = |n: usize| Mils::try_from(n).unwrap_or(0);
        let (column, row) = (whole(at % self.across), whole(at / self.across));
        Point { x: column * ACROSS + ACROSS / 2, y: self.height - (row * DOWN + DOWN / 2) }
    }

    fn shown(&self, unit: usize) -> bool {
        self.owners.contains(&Some(unit))
    }

    /// The nearest square that is nobody's, or that is not the only one of its owner.
    fn make_room(&mut self, unit: usize, at: Point) {
        let spare = |owner: Option<usize>| {
            owner.is_none_or(|o| self.owners.iter().filter(|w| **w == Some(o)).count() > 1)
        };
        let near = (0..self.owners.len()).filter(|i| spare(self.owners[*i]));
        let near = near.map(|i| (self.middle(i).distance(at), i)).min();
        // Farther off it would show the unit where it is not.
        if let Some((_, square)) = near.filter(|n| n.0 <= DOWN) {
            self.owners[square] = Some(unit);
        }
    }
}

fn ground(field: &Field, at: Point) -> char {
    let here = field.pieces.iter().filter(|k| k.shape.holds(at));
    here.max_by_key(|k| layer(k.kind)).map_or('.', |k| match k.kind {
        Kind::Woods | Kind::DenseWoods | Kind::Jungle | Kind::Brush => '^',
        Kind::Hill | Kind::SteepHill => 'n',
        Kind::Water | Kind::Stream | Kind::Marsh | Kind::Swamp => '~',
        Kind::Road | Kind::Bridge | Kind::Ford => '=',
        Kind::Building | Kind::Village => '#',
        Kind::Field | Kind::Crops => ':',
        _ => ',',
    })
}

/// The map as text, with the list of the units on it. Nobody is left out: who has no square of his
/// own is in the list, with his place.
#[must_use]
pub fn text(scenario: &Scenario, battle: &Battle) -> String {
    let field = battle.field();
    let mut units: Vec<(&Unit, Option<char>)> = Vec::new();
    for side in Side::BOTH {
        let mut letters = LETTERS[side.index()].chars();
        let here = battle.units().iter().filter(|u| u.side() == side && u.present());
        units.extend(here.map(|u| (u, letters.next())));
    }
    let lettered: Vec<&Unit> = units.iter().filter(|u| u.1.is_some()).map(|u| u.0).collect();
    let signs: Vec<char> = units.iter().filter_map(|u| u.1).collect();
    let squares = Squares::of(field, &lettered);
    let mut text = format!("{}\n{}\n\n", scenario.headline(), scenario.blurb);
    for (at, owner) in squares.owners.iter().enumerate() {
        text.push(match owner {
            Some(unit) => signs.get(*unit).copied().unwrap_or('?'),
            None => ground(field, squares.middle(at)),
        });
        if (at + 1) % squares.across == 0 {
            text.push('\n');
        }
    }
    text.push_str("\n^ woods  n hill  ~ water  = road  # building  : field  , other ground\n");
    for (unit, sign) in &units {
        let shown = lettered.iter().position(|u| u.id() == unit.id());
        let shown = shown.is_some_and(|i| squares.shown(i));
        let sign = sign.filter(|_| shown).unwrap_or('-');
        let at = unit.place.pose.at;
        text.push_str(&format!(
            "  {sign} {} ({}), {} {}, {}, at {:.1} {:.1}{}\n",
            unit.card.name,
            unit.id(),
            unit.stands,
            if unit.stands == 1 { "stand" } else { "stands" },
            unit.formation().name(),
            inches(at.x),
            inches(at.y),
            if shown { "" } else { ": no room for it on the map, others stand there" }
        ));
    }
    text
}
