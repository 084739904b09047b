//! The colonel: plans a turn by brigades, compares places by the fire given and taken, and
//! charges, fires and answers by the exact odds.

mod answer;
pub(crate) mod charge;
mod fire;
mod guns;
mod leaders;
mod march;
pub(crate) mod plan;
mod posts;
mod prepare;
mod route;

use regimental::battle::state::Pace;
use regimental::battle::{Battle, Command, Formation, Pending, Phase, Side, Step, Unit};
use regimental::maneuver::Order as Ranks;
use table::{INCH, Pose};

use self::march::Lookout;
use self::plan::Plan;
use crate::Order;
use crate::officer::{self, Officer};
use crate::seat::Seat;

/// A colonel with a plan, looking at the battle.
pub(crate) struct Colonel<'b> {
    seat: Seat<'b>,
    plan: &'b Plan,
    lookout: Lookout<'b>,
}

/// What he orders.
pub(crate) fn order(battle: &Battle, side: Side, plan: &Plan) -> Option<Order> {
    let seat = Seat { battle, side };
    officer::order(&Colonel { seat, plan, lookout: Lookout::new(&seat, plan.doctrine) })
}

/// What he orders, first, and what he might order instead.
pub(crate) fn choices(seat: &Seat<'_>, plan: &Plan) -> Vec<Order> {
    let battle = seat.battle;
    let colonel = Colonel { seat: *seat, plan, lookout: Lookout::new(seat, plan.doctrine) };
    let Some(first) = officer::order(&colonel) else { return vec![] };
    let mut orders = vec![first];
    if journal::Battle::awaiting(battle).choice.is_some() {
        return orders;
    }
    let others = match battle.phase() {
        Phase::Maneuvers => colonel.other_maneuvers(),
        Phase::Charges => colonel.other_charges(),
        _ => vec![],
    };
    for other in others {
        if orders.iter().all(|o| o.command != other.command) && seat.may(&other.command) {
            orders.push(other);
        }
    }
    orders
}

impl Officer for Colonel<'_> {
    fn seat(&self) -> &Seat<'_> {
        &self.seat
    }
    fn stirs(&self, unit: &Unit) -> bool {
        self.wants_to_stir(unit)
    }
    fn decide(&self, choice: &Pending) -> Option<Order> {
        self.answer(choice)
    }
    fn leaders(&self) -> Option<Order> {
        self.post_leaders()
    }
    fn charge(&self) -> Option<Order> {
        self.best_charge()
    }
    fn maneuver(&self) -> Option<Order> {
        self.next_maneuver()
    }
    fn ride(&self) -> Option<Order> {
        self.next_ride()
    }
}

impl Colonel<'_> {
    /// The next maneuver.
    fn next_maneuver(&self) -> Option<Order> {
        let unit = self.owing()?;
        let pace = unit.did.owes.unwrap_or(Pace::Hold);
        let (steps, reason) = self
            .steps(unit, pace)
            .unwrap_or_else(|| (vec![], format!("{} stands where it is best.", unit.card.name)));
        Some(Order::new(Command::Maneuver { unit: unit.id(), steps, disordered: false }, reason))
    }

    /// The unit whose maneuver is next; those in front first, so that they make room.
    fn owing(&self) -> Option<&Unit> {
        let owing = self.seat.own().filter(|u| u.did.owes.is_some() && u.did.charge.is_none());
        owing.min_by_key(|u| {
            let near = self.seat.nearest_enemy(u.middle).map(|e| e.middle.distance(u.middle));
            (near.unwrap_or(0), u.id())
        })
    }

    /// Other maneuvers of the unit whose turn it is.
    fn other_maneuvers(&self) -> Vec<Order> {
        let Some(unit) = self.owing() else { return vec![] };
        // Far from the enemy one place is much like another.
        let near = self.seat.battle.measures().scaled(14 * INCH);
        if !self.seat.enemies().any(|e| e.near(unit, near)) {
            return vec![];
        }
        let pace = unit.did.owes.unwrap_or(Pace::Hold);
        let mut ways = if unit.is_guns() { vec![] } else { self.other_marches(unit, pace) };
        ways.push((vec![], format!("{} stands: it is best so.", unit.card.name)));
        let order = |(steps, reason)| {
            Order::new(Command::Maneuver { unit: unit.id(), steps, disordered: false }, reason)
        };
        ways.into_iter().map(order).collect()
    }

    fn steps(&self, unit: &Unit, pace: Pace) -> Option<(Vec<Step>, String)> {
        if unit.is_guns() {
            return self.guns(unit, pace);
        }
        let name = &unit.card.name;
        let enemy = self.seat.nearest_enemy(unit.middle)?;
        let gap = enemy.distance(unit);
        if unit.low && self.seat.legal(unit, pace, &[Step::Replenish]) {
            return Some((vec![Step::Replenish], format!("{name} needs powder.")));
        }
        let barred = self.barred(unit) && !self.guarded(unit);
        let nature = unit.formation().nature();
        let column = nature.ordered && nature.wheels && !nature.line;
        if column && gap <= self.seat.battle.measures().close_range && !unit.mounted() {
            let line = unit.card.formations.iter().copied().find(|f| f.nature().line);
            let line: Vec<Step> =
                line.into_iter().map(|formation| Step::Form { formation, toward: None }).collect();
            if self.seat.legal(unit, pace, &line) {
                return Some((line, format!("{name} deploys: the enemy is near.")));
            }
        }
        if unit.formation() == Formation::MarchColumn && gap <= 16 * INCH && !barred {
            let deployed = officer::deploy(&self.seat, unit, pace);
            if deployed.is_some() {
                return deployed;
            }
        }
        if let Some(post) = self.post(unit, pace) {
            return Some(post);
        }
        let defile = if barred { self.defile(unit, pace, gap) } else { None };
        // A column on its way round waits for those before it rather than leave the way.
        if defile.is_some() || barred && unit.formation() == Formation::MarchColumn {
            return defile;
        }
        let task = self.plan.task(unit)?;
        if let Some(road) = self.by_road(unit, pace, task.aim) {
            return Some(road);
        }
        // Horse near: a square is safer than a line that is alone, and slower than any.
        if unit.formation() == Formation::Square && !self.horse_near(unit, 16 * INCH) {
            let line = vec![Step::Form { formation: Formation::Line, toward: None }];
            if self.seat.legal(unit, pace, &line) {
                return Some((line, format!("{name} forms line again: their horse is gone.")));
            }
        }
        self.march(unit, pace).or_else(|| self.refuse(unit, pace))
    }

    /// Whether something closed lies across a unit's way, or it is on a bridge still.
    fn barred(&self, unit: &Unit) -> bool {
        let battle = self.seat.battle;
        let on_bridge = || unit.feet.iter().any(|f| route::on_bridge(battle, f.centre()));
        self.plan.task(unit).is_some_and(|t| {
            t.what.is_forward()
                && (!route::open(battle, unit.place.pose.at, t.aim)
                    || unit.formation() == Formation::MarchColumn && on_bridge())
        })
    }

    /// Whether the crossing before a unit is under the muskets of an enemy in good order: then it
    /// is shot free before anybody goes over in column.
    fn guarded(&self, unit: &Unit) -> bool {
        let battle = self.seat.battle;
        let on_bridge = unit.feet.iter().any(|f| route::on_bridge(battle, f.centre()));
        // In the last turns there is no time left to wait in.
        if on_bridge || self.seat.turns_after() < 6 {
            return false;
        }
        let bridges = battle.field().pieces.iter().filter(|p| route::carries(p.kind));
        let near = bridges.min_by_key(|p| p.shape.distance_to(unit.middle));
        let reach = battle.measures().scaled(8 * INCH);
        near.is_some_and(|bridge| {
            self.seat.enemies().any(|e| {
                e.order == Ranks::Good
                    && !e.mounted()
                    && bridge.shape.distance_to(e.middle) - e.radius <= reach
            })
        })
    }

    /// Where something closed lies across the way, a unit forms column and goes round, or over
    /// the bridge.
    fn defile(&self, unit: &Unit, pace: Pace, gap: i32) -> Option<(Vec<Step>, String)> {
        let task = self.plan.task(unit).filter(|_| self.barred(unit))?;
        let from = unit.place.pose.at;
        let battle = self.seat.battle;
        let next = route::next(battle, from, task.aim);
        let name = &unit.card.name;
        if unit.formation() != Formation::MarchColumn {
            if next.is_none()
                || gap <= 10 * INCH
                || !unit.card.formations.contains(&Formation::MarchColumn)
            {
                return None;
            }
            let column = Step::Form { formation: Formation::MarchColumn, toward: None };
            let facing = next.and_then(|n| from.toward(n)).unwrap_or(unit.place.pose.facing);
            let half = unit.card.row(Formation::MarchColumn, false).full[0] / 2;
            let go = |part: i32| {
                vec![column, Step::Turn { facing }, Step::Advance { inches: half * part / 4 }]
            };
            let moves = [4, 2, 1].map(go).into_iter();
            let column = moves.chain([vec![column]]).find(|s| self.seat.legal(unit, pace, s))?;
            return Some((column, format!("{name} forms column: the way is barred here.")));
        }
        // While its tail is on the bridge a column cannot turn as it likes: it tries one bearing
        // after another, from the one it wants.
        let on_bridge = unit.feet.iter().any(|f| route::on_bridge(battle, f.centre()));
        let wanted = from.toward(next.unwrap_or(task.aim)).unwrap_or(unit.place.pose.facing);
        let fan = (0..=8).flat_map(|i| [i, -i]).map(|i| wanted.turned(1500 * i));
        let ahead = fan.map(|bearing| from + bearing.offset(0, 6 * INCH));
        let goals = next.into_iter().chain(ahead.filter(|_| on_bridge));
        goals.into_iter().find_map(|goal| {
            let plan = battle.sketch(unit, pace, Pose::new(goal, from.toward(goal)?));
            let gains = plan.end.at.distance(goal) < from.distance(goal);
            let reason = format!("{name} goes round by the way that is open.");
            gains.then_some((plan.steps, reason))
        })
    }

    fn horse_near(&self, unit: &Unit, within: i32) -> bool {
        self.seat.enemies().any(|e| e.mounted() && e.order != Ranks::Broken && e.near(unit, within))
    }
}
