//! The plan of a turn: what each brigade is to do, and each unit's place in its line.

use regimental::battle::{Id, Unit};
use regimental::fire::Class;
use regimental::maneuver::Order as Ranks;
use table::{Facing, INCH, Mils, Point};

use super::prepare;
use crate::Doctrine;
use crate::seat::Seat;
use crate::worth;

/// What a unit is to do.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Task {
    /// Where the middle of its front is to go, or to stay.
    pub(crate) aim: Point,
    /// The way its line faces, if it is to keep one.
    pub(crate) front: Option<Facing>,
    /// What the aim is, for the reason.
    pub(crate) what: What,
    /// How much the aim draws it, for each foot of the way.
    pub(crate) pull: f64,
    /// How much harm it does must outweigh the harm it takes: more is bolder.
    pub(crate) heat: f64,
}

/// What a brigade aims at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum What {
    /// A position to take.
    Position(Id),
    /// The enemy.
    Enemy(Id),
    /// The ground it stands on.
    Ground,
    /// A position to keep.
    Keep(Id),
    /// Out of the enemy's reach.
    Rear,
    /// Where guns bear before the fight begins.
    Battery,
    /// Out on the flank.
    Wing,
}

/// The plan of a side.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Plan {
    /// The task of each unit.
    pub(crate) tasks: Vec<(Id, Task)>,
    /// What it goes by.
    pub(crate) doctrine: Doctrine,
}

impl What {
    /// Whether it leads to the enemy.
    pub(crate) fn is_forward(self) -> bool {
        matches!(self, Self::Position(_) | Self::Enemy(_))
    }
}

impl Plan {
    /// The task of a unit.
    pub(crate) fn task(&self, unit: &Unit) -> Option<Task> {
        self.tasks.iter().find(|t| t.0 == unit.id()).map(|t| t.1)
    }

    /// The plan that follows from the points, the ground and the numbers.
    pub(crate) fn usual(seat: &Seat<'_>, doctrine: Doctrine) -> Self {
        Self::made(seat, doctrine, attacks(seat, doctrine))
    }

    /// Everybody forward.
    pub(crate) fn attack(seat: &Seat<'_>, doctrine: Doctrine) -> Self {
        Self::made(seat, doctrine, true)
    }

    fn made(seat: &Seat<'_>, doctrine: Doctrine, attack: bool) -> Self {
        // Brigades that go for the same thing form one line.
        let mut lines: Vec<(Task, Vec<&Unit>)> = Vec::new();
        for leader in brigades(seat) {
            let led = || seat.own().filter(move |u| u.card.leader == leader);
            let Some(centre) = Seat::centre(led()) else { continue };
            let task = match attack {
                true => forward(seat, doctrine, centre),
                false => stay(seat, doctrine, centre),
            };
            match lines.iter_mut().find(|l| l.0 == task && task.what.is_forward()) {
                Some(line) => line.1.extend(led()),
                None => lines.push((task, led().collect())),
            }
        }
        let mut tasks = Vec::new();
        for (task, units) in lines {
            match task.what {
                What::Position(_) | What::Enemy(_) => line_up(seat, task, &units, &mut tasks),
                What::Ground | What::Keep(_) | What::Rear | What::Battery | What::Wing => {
                    tasks.extend(
                        units.iter().map(|u| (u.id(), Task { aim: u.place.pose.at, ..task })),
                    );
                    cover_keys(seat, task, &units, &mut tasks);
                }
            }
        }
        raid(seat, doctrine, &mut tasks);
        retire(seat, &mut tasks);
        if doctrine.prepare > 0.0 && !attack {
            prepare::post(seat, &mut tasks);
        }
        Self { tasks, doctrine }
    }
}

/// The spent go out of the enemy's reach before they are destroyed; but not off a position that
/// nobody else keeps, and not in the last turns, when there is no time left to be destroyed in.
fn retire(seat: &Seat<'_>, tasks: &mut [(Id, Task)]) {
    let battle = seat.battle;
    if battle.terms().turns <= battle.turn() + 1 {
        return;
    }
    let keeps_alone = |unit: &Unit| {
        let others = |at: Point| seat.own().any(|u| u.id() != unit.id() && battle.keeps(u, at));
        battle.keys().iter().any(|k| k.value > 0 && battle.keeps(unit, k.at) && !others(k.at))
    };
    let reach = battle.measures().scaled(14 * INCH);
    let home = battle.terms().home[seat.side.index()];
    for (id, task) in tasks {
        let Some(unit) = battle.unit(*id) else { continue };
        let spent = !unit.is_guns() && unit.stands <= unit.card.spent_at;
        if spent && !keeps_alone(unit) && seat.enemies().any(|e| e.near(unit, reach)) {
            let aim = unit.place.pose.at + home.offset(0, 10 * INCH);
            *task = Task { aim, front: None, what: What::Rear, pull: 0.5, heat: 0.5 };
        }
    }
}

/// A position that nobody guards draws one unit that can walk in: the first to be there, and of
/// equals the one that is missed least.
fn raid(seat: &Seat<'_>, doctrine: Doctrine, tasks: &mut [(Id, Task)]) {
    let battle = seat.battle;
    let terms = battle.terms();
    let left = i32::from(terms.turns) - i32::from(battle.turn()) + 1;
    let clear = battle.measures().scaled(18 * INCH);
    for key in battle.keys().iter().filter(|k| k.holder != Some(seat.side) && k.value > 0) {
        let guard = seat.enemies().filter(|e| e.order != Ranks::Broken && !e.is_guns());
        let nearest = guard.map(|e| e.middle.distance(key.at)).min().unwrap_or(Mils::MAX);
        if nearest < clear {
            continue;
        }
        let turns = |u: &Unit| {
            let rate = u.card.row(u.formation(), u.place.on_foot).full[0].max(1);
            u.middle.distance(key.at) / rate + 1
        };
        let free = |u: &&Unit| {
            !u.is_guns()
                && u.order == Ranks::Good
                && u.stands > u.card.spent_at
                && turns(u) <= left
                && u.middle.distance(key.at) < nearest
                && !battle
                    .keys()
                    .iter()
                    .any(|k| k.holder == Some(seat.side) && battle.keeps(u, k.at))
        };
        let fastest = seat.own().filter(free).min_by_key(|u| (turns(u), u.stands, u.id()));
        let Some(unit) = fastest else { continue };
        if let Some(own) = tasks.iter_mut().find(|t| t.0 == unit.id()) {
            let (what, pull) = (What::Position(key.name), doctrine.raid);
            own.1 = Task { aim: key.at, front: None, what, pull, heat: own.1.heat };
        }
    }
}

/// The places of some units in a line through the aim, in the order in which they stand, so that
/// nobody crosses anybody. Horse goes to the flanks, a little back.
fn line_up(seat: &Seat<'_>, task: Task, units: &[&Unit], tasks: &mut Vec<(Id, Task)>) {
    let Some(centre) = Seat::centre(units.iter().copied()) else { return };
    let field = seat.battle.field();
    let far = centre.distance(task.aim) > 6 * INCH;
    let toward = if far { Some(task.aim) } else { Seat::centre(seat.enemies()) };
    let front = toward.and_then(|p| centre.toward(p)).unwrap_or_default();
    let aside = |u: &Unit| front.across_and_ahead(u.middle - task.aim).0;
    let mut foot: Vec<&Unit> = units.iter().copied().filter(|u| !u.mounted()).collect();
    foot.sort_by_key(|u| (aside(u), u.id()));
    let mut places: Vec<(&Unit, Mils)> = Vec::new();
    let mut edge = 0;
    for unit in &foot {
        let wide = unit.frontage() + INCH;
        places.push((unit, edge + wide / 2));
        edge += wide;
    }
    // The line is shifted so that the men walk least, and then so that one of them meets the aim.
    let n = Mils::try_from(places.len()).unwrap_or(1).max(1);
    let shift = places.iter().map(|(u, x)| aside(u) - x).sum::<Mils>() / n;
    let miss = places.iter().map(|(_, x)| x + shift).min_by_key(|x| x.abs()).unwrap_or(0);
    let place = |x: Mils, back: Mils| {
        let p = task.aim + front.offset(x + shift - miss, -back);
        let inside = |v: Mils, most: Mils| v.clamp(3 * INCH, (most - 3 * INCH).max(3 * INCH));
        Point { x: inside(p.x, field.width), y: inside(p.y, field.height) }
    };
    for (unit, x) in &places {
        tasks.push((unit.id(), Task { aim: place(*x, 0), front: Some(front), ..task }));
    }
    let (mut left, mut right) = (0, edge);
    for unit in units.iter().filter(|u| u.mounted()) {
        let wide = unit.frontage() + INCH;
        let x = if aside(unit) + miss - shift < edge / 2 {
            left -= wide;
            left + wide / 2
        } else {
            right += wide;
            right - wide / 2
        };
        let aim = place(x, 3 * INCH);
        tasks.push((unit.id(), Task { aim, front: Some(front), ..task }));
    }
}

/// A position that nobody guards draws the nearest of those who are to keep it.
fn cover_keys(seat: &Seat<'_>, task: Task, units: &[&Unit], tasks: &mut [(Id, Task)]) {
    let What::Keep(name) = task.what else { return };
    let Some(key) = seat.battle.keys().iter().find(|k| k.name == name) else { return };
    if seat.own().any(|u| seat.battle.keeps(u, key.at)) {
        return;
    }
    let foot = units.iter().filter(|u| !u.is_guns() && u.order != Ranks::Broken);
    let nearest = foot.min_by_key(|u| (u.middle.distance(key.at), u.id()));
    let Some(nearest) = nearest else { return };
    if let Some(own) = tasks.iter_mut().find(|t| t.0 == nearest.id()) {
        own.1.aim = key.at;
        own.1.pull = 0.4;
    }
}

/// The brigades on the table, by their leaders.
fn brigades(seat: &Seat<'_>) -> Vec<Option<Id>> {
    let mut all = Vec::new();
    for unit in seat.own() {
        if !all.contains(&unit.card.leader) {
            all.push(unit.card.leader);
        }
    }
    all
}

/// What a side still has to fight with, in stands of good troops.
pub(crate) fn strength<'u>(units: impl Iterator<Item = &'u Unit>) -> f64 {
    units
        .map(|u| {
            let order = match u.order {
                Ranks::Good => 1.0,
                Ranks::Disordered => 0.6,
                Ranks::Broken => 0.1,
            };
            let class = match u.card.class {
                Class::Elite => 1.3,
                Class::Veteran => 1.15,
                Class::Trained => 1.0,
                Class::Raw => 0.7,
            };
            let spent = if u.stands <= u.card.spent_at { 0.6 } else { 1.0 };
            f64::from(u.stands) * order * class * spent * if u.is_guns() { 2.0 } else { 1.0 }
        })
        .sum()
}

/// Whether a side has to go forward: it does not win as things stand.
fn attacks(seat: &Seat<'_>, doctrine: Doctrine) -> bool {
    let terms = seat.battle.terms();
    let lead = worth::lead(seat.battle, seat.side);
    let margin = f64::from(terms.margin);
    if doctrine.daring <= 0.0 {
        return false;
    }
    let (own, other) = (strength(seat.own()), strength(seat.enemies()));
    // Who is winning the fight goes on winning it.
    if own >= doctrine.finish * other && lead < 4.0 * margin {
        return true;
    }
    if lead >= margin {
        return false;
    }
    let keys = seat.battle.keys();
    let wanted = keys.iter().any(|k| k.holder != Some(seat.side) && k.value > 0);
    let kept = keys.iter().any(|k| k.holder == Some(seat.side) && k.value > 0);
    let enough = own * doctrine.daring >= other;
    let must = match (wanted, kept) {
        // Who has nothing to lose but time goes.
        (true, false) => true,
        (true, true) => lead < 0.0 || enough,
        (false, true) => false,
        (false, false) => enough || terms.first == seat.side && lead <= 0.0,
    };
    // An enemy who has to come, or may, is better met standing; until time presses.
    must && (pressing(seat, doctrine) || lead <= -margin)
}

/// Whether there is just time enough left to walk there and to fight it out.
fn pressing(seat: &Seat<'_>, doctrine: Doctrine) -> bool {
    let (Some(own), Some(other)) = (Seat::centre(seat.own()), Seat::centre(seat.enemies())) else {
        return true;
    };
    let keys = seat.battle.keys().iter().filter(|k| k.holder != Some(seat.side) && k.value > 0);
    let way = keys.map(|k| k.at.distance(own)).min().unwrap_or(own.distance(other));
    let rate = seat.battle.measures().scaled(7 * INCH);
    let walk = way / rate.max(1);
    let terms = seat.battle.terms();
    let left = i32::from(terms.turns) - i32::from(seat.battle.turn()) + 1;
    f64::from(left) <= f64::from(walk) + doctrine.fight
}

fn forward(seat: &Seat<'_>, doctrine: Doctrine, centre: Point) -> Task {
    let inches = |p: Point| f64::from(centre.distance(p)) / f64::from(INCH);
    let keys = seat.battle.keys().iter().filter(|k| k.holder != Some(seat.side) && k.value > 0);
    let worth = |v: i32, p: Point| f64::from(v) / (12.0 + inches(p));
    let best = keys.max_by(|a, b| worth(a.value, a.at).total_cmp(&worth(b.value, b.at)));
    if let Some(key) = best {
        let pull = doctrine.pull + 0.1 * f64::from(key.value);
        return Task {
            aim: key.at,
            front: None,
            what: What::Position(key.name),
            pull,
            heat: doctrine.heat,
        };
    }
    // Whom it costs least to beat: the near, the weak, the shaken.
    let dear = |e: &Unit| {
        let weak = match e.order {
            Ranks::Good => 0.0,
            Ranks::Disordered => 4.0,
            Ranks::Broken => -6.0,
        };
        inches(e.middle) + f64::from(e.stands) * 0.3 - weak
    };
    match seat.enemies().min_by(|a, b| dear(a).total_cmp(&dear(b))) {
        Some(e) => Task {
            aim: e.middle,
            front: None,
            what: What::Enemy(e.id()),
            pull: doctrine.pull,
            heat: doctrine.heat,
        },
        None => Task { aim: centre, front: None, what: What::Ground, pull: 0.0, heat: 1.0 },
    }
}

fn stay(seat: &Seat<'_>, doctrine: Doctrine, centre: Point) -> Task {
    let held = seat.battle.keys().iter().filter(|k| k.holder == Some(seat.side) && k.value > 0);
    let near = held.min_by_key(|k| (k.at.distance(centre), k.name));
    match near {
        Some(key) => Task {
            aim: key.at,
            front: None,
            what: What::Keep(key.name),
            pull: doctrine.anchor,
            heat: doctrine.coolness,
        },
        None => Task {
            aim: centre,
            front: None,
            what: What::Ground,
            pull: doctrine.anchor,
            heat: doctrine.coolness,
        },
    }
}
