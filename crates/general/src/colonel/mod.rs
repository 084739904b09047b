//! The colonel: plans a turn by brigades, compares places by the fire given and taken, and
//! charges, fires and answers by the exact odds.

mod answer;
pub(crate) mod charge;
mod fire;
mod guns;
mod leaders;
mod march;
pub(crate) mod plan;
mod route;

use regimental::battle::state::Pace;
use regimental::battle::{Battle, Command, Formation, Phase, Side, Step, Unit};
use regimental::maneuver::Order as Ranks;
use table::{Corner, INCH, Pose};

use self::march::Lookout;
use self::plan::Plan;
use crate::Order;
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
    let colonel = Colonel { seat, plan, lookout: Lookout::new(&seat, plan.doctrine) };
    if let Some(choice) = journal::Battle::awaiting(battle).choice {
        return colonel.decide(&choice);
    }
    match battle.phase() {
        Phase::Leaders => colonel.leaders(),
        Phase::Checks => colonel.check(),
        Phase::Charges => colonel.charge(),
        Phase::Maneuvers => colonel.maneuver(),
        Phase::LeaderMoves => colonel.ride(),
        Phase::DefensiveFire | Phase::OffensiveFire => seat.fire(),
        Phase::Combat | Phase::Breakthrough => seat.fight(),
        Phase::Over => None,
    }
    .or_else(|| Some(Order::new(Command::Done, "Nothing more is worth doing in this step.")))
}

impl Colonel<'_> {
    /// Brigades that have something to do check together, the shaken with them.
    fn check(&self) -> Option<Order> {
        let open: Vec<&Unit> = self.seat.unchecked().filter(|u| self.stirs(u)).collect();
        let first = open.first()?;
        let units = self.seat.group(first, &open);
        let many = Command::Check { units: units.clone() };
        if units.len() > 1 && self.seat.may(&many) {
            let leader =
                self.seat.battle.commanded(first).and_then(|c| {
                    self.seat.battle.leader(c.leader).map(|l| l.card.name.to_string())
                });
            let whose = leader.map_or_else(String::new, |l| format!(" of {l}"));
            return Some(Order::new(many, format!("The brigade{whose} moves together.")));
        }
        let command = Command::Check { units: vec![first.id()] };
        let reason = match first.order {
            Ranks::Good => format!("{} has something to do.", first.card.name),
            _ => format!("{} must be brought to order.", first.card.name),
        };
        self.seat.may(&command).then(|| Order::new(command, reason))
    }

    /// The next unit that owes a maneuver; those in front first, so that they make room.
    fn maneuver(&self) -> Option<Order> {
        let owing = self.seat.own().filter(|u| u.did.owes.is_some() && u.did.charge.is_none());
        let unit = owing.min_by_key(|u| {
            let near = self.seat.nearest_enemy(u.middle).map(|e| e.middle.distance(u.middle));
            (near.unwrap_or(0), u.id())
        })?;
        let pace = unit.did.owes.unwrap_or(Pace::Hold);
        let (steps, reason) = self
            .steps(unit, pace)
            .unwrap_or_else(|| (vec![], format!("{} stands where it is best.", unit.card.name)));
        Some(Order::new(Command::Maneuver { unit: unit.id(), steps, disordered: false }, reason))
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
        let barred = self.barred(unit);
        if unit.formation() == Formation::MarchColumn && gap <= 16 * INCH && !barred {
            let deployed = self.deploy(unit, pace);
            if deployed.is_some() {
                return deployed;
            }
        }
        if let Some(defile) = self.defile(unit, pace, gap) {
            return Some(defile);
        }
        // Horse near: a square is safer than a line that is alone, and slower than any.
        if unit.formation() == Formation::Square && !self.horse_near(unit, 16 * INCH) {
            let line = vec![Step::Form { formation: Formation::Line, toward: None }];
            if self.seat.legal(unit, pace, &line) {
                return Some((line, format!("{name} forms line again: their horse is gone.")));
            }
        }
        self.march(unit, pace)
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

    /// Where something closed lies across the way, a unit forms column and goes round, or over
    /// the bridge.
    fn defile(&self, unit: &Unit, pace: Pace, gap: i32) -> Option<(Vec<Step>, String)> {
        let task = self.plan.task(unit).filter(|_| self.barred(unit))?;
        let from = unit.place.pose.at;
        let battle = self.seat.battle;
        let next = route::next(battle, from, task.aim)?;
        let name = &unit.card.name;
        if unit.formation() != Formation::MarchColumn {
            if gap <= 10 * INCH || !unit.card.formations.contains(&Formation::MarchColumn) {
                return None;
            }
            let toward = [Some(Corner::Left), Some(Corner::Right), None];
            let column = toward
                .map(|t| vec![Step::Form { formation: Formation::MarchColumn, toward: t }])
                .into_iter()
                .find(|s| self.seat.legal(unit, pace, s))?;
            return Some((column, format!("{name} forms column: the way is barred here.")));
        }
        let facing = from.toward(next)?;
        let plan = battle.sketch(unit, pace, Pose::new(next, facing));
        let gains = plan.end.at.distance(next) < from.distance(next);
        gains.then(|| (plan.steps, format!("{name} goes round by the way that is open.")))
    }

    fn horse_near(&self, unit: &Unit, within: i32) -> bool {
        self.seat.enemies().any(|e| e.mounted() && e.order != Ranks::Broken && e.near(unit, within))
    }

    /// A march column near the enemy forms for the fight.
    fn deploy(&self, unit: &Unit, pace: Pace) -> Option<(Vec<Step>, String)> {
        let formed = unit
            .card
            .formations
            .iter()
            .copied()
            .find(|f| matches!(f, Formation::Line | Formation::OpenOrder))?;
        let forms = [Corner::Left, Corner::Right]
            .map(|c| vec![Step::Form { formation: formed, toward: Some(c) }]);
        let mut ways = std::iter::once(vec![Step::DeployToTheFront]).chain(forms);
        let steps = ways.find(|s| self.seat.legal(unit, pace, s))?;
        Some((steps, format!("{} deploys: the enemy is near.", unit.card.name)))
    }
}
