//! The rows of the charge table: what each does to both sides.

use rulebook::{Cite, RuleId};
use serde::{Deserialize, Serialize};

use super::table::{Flag, GunFate, GunFates, Holding, Losses, WinnerDisorder, Worse};
use super::{Arm, Assessment, Ground, Side};

/// What a charge comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ChargeEffect {
    /// The defender is swept from the field.
    Swept,
    /// The defender is driven back.
    DrivenBack,
    /// The defender is hard pressed.
    HardPressed,
    /// Nobody gives way: both lose and roll again.
    DesperateStruggle,
    /// The attacker falters.
    Falter,
    /// The attacker recoils.
    Recoil,
    /// The attacker is repulsed.
    Repulsed,
}

impl ChargeEffect {
    pub(super) const ALL: [(&'static str, Self); 7] = [
        ("swept", Self::Swept),
        ("driven-back", Self::DrivenBack),
        ("hard-pressed", Self::HardPressed),
        ("desperate-struggle", Self::DesperateStruggle),
        ("falter", Self::Falter),
        ("recoil", Self::Recoil),
        ("repulsed", Self::Repulsed),
    ];
}

/// The state a result puts a side in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum State {
    /// As it was.
    Unchanged,
    /// Disordered.
    Disordered,
    /// Silenced.
    Silenced,
    /// Broken.
    Broken,
    /// Gone.
    Eliminated,
}

/// The move a result makes a side go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Move {
    /// None.
    Hold,
    /// Onto the ground of the beaten.
    Carry,
    /// On against the closest enemy.
    Breakthrough,
    /// A few inches back.
    RetreatShort,
    /// Back out of close range.
    RetreatBeyondCloseRange,
    /// A full move to the rear.
    FullRetreat,
}

/// What a result does to one side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
pub struct SideOutcome {
    /// Stands lost.
    pub stands_lost: i32,
    /// The state it is put in.
    pub state: State,
    /// The move it makes.
    #[serde(rename = "move")]
    pub moves: Move,
    /// Whether, being cavalry, it may recall instead.
    pub may_recall: bool,
    /// Whether a leader with it has to check.
    pub leader_check: bool,
}

impl SideOutcome {
    /// A side cannot lose more stands than it has, and without any it is gone; what is gone has lost
    /// all it had.
    fn of_stands(mut self, stands: Option<i64>) -> Self {
        if let Some(stands) = stands.and_then(|s| i32::try_from(s).ok())
            && (self.stands_lost >= stands || self.state == State::Eliminated)
        {
            self.stands_lost = stands;
            self.state = State::Eliminated;
            self.moves = Move::Hold;
            self.may_recall = false;
        }
        self
    }

    fn hold() -> Self {
        Self {
            stands_lost: 0,
            state: State::Unchanged,
            moves: Move::Hold,
            may_recall: false,
            leader_check: false,
        }
    }
}

/// What a charge came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
pub struct Outcome {
    /// Dice and modifiers of attacker and defender.
    pub totals: [i32; 2],
    /// The attacker's total less the defender's.
    pub difference: i32,
    /// The effect.
    pub effect: ChargeEffect,
    /// What it does to the attacker.
    pub attacker: SideOutcome,
    /// What it does to the defender.
    pub defender: SideOutcome,
    #[serde(skip)]
    pub(crate) held_in_square: bool,
}

/// What the conditions say about the combat, beyond their modifiers. Kept
/// from the first roll: a struggle takes modifiers away, not what happened.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Facts {
    /// A second combat, after a breakthrough.
    pub(crate) second: bool,
    /// The defender is cavalry that countercharged.
    pub(crate) countercharge: bool,
    pub(crate) fortified: bool,
    pub(crate) square: bool,
    /// The attacker crossed broken or rough ground.
    pub(crate) bad_ground: bool,
    /// Who is beaten by the attackers, or by the defenders, is beaten by cavalry.
    pub(crate) on_horse: [bool; 2],
}

impl Facts {
    pub(super) fn find(charge: &Assessment<'_>) -> Self {
        let named = &charge.table.named;
        let (attacker, defender) = (charge.attacker, charge.defender);
        let charging = named.cavalry_ground.without(named.cavalry_stationary);
        let bad = named.cavalry_broken.with(named.cavalry_rough);
        let countercharge = defender.arm == Arm::Cavalry
            && defender.hold.meets(charging)
            && !defender.hold.meets(named.cavalry_stationary);
        Self {
            second: attacker.hold.meets(named.breakthrough),
            countercharge,
            on_horse: [
                charge.table.beaten_by_cavalry(attacker.arm, true),
                charge.table.beaten_by_cavalry(defender.arm, countercharge),
            ],
            fortified: defender.hold.meets(named.fortified),
            square: defender.square
                || defender.hold.meets(named.hasty_square)
                || attacker.hold.meets(named.cavalry_vs_square),
            bad_ground: matches!(attacker.ground, Some(Ground::Broken | Ground::Rough))
                || (attacker.arm == Arm::Cavalry && attacker.hold.meets(bad)),
        }
    }
}

/// Applies the row that a pair of totals falls on.
pub(super) fn read(charge: &Assessment<'_>, totals: [i32; 2], cited: &mut impl Cite) -> Outcome {
    let difference = totals[0] - totals[1];
    let (rule, effect) = charge.table.ladder.read(difference.into());
    cited.cite(rule);
    let row = Row { charge, difference };
    let (attacker, defender) = match effect {
        ChargeEffect::Swept => row.swept(cited),
        ChargeEffect::DrivenBack => row.driven_back(cited),
        ChargeEffect::HardPressed => row.hard_pressed(cited),
        ChargeEffect::DesperateStruggle => row.struggle(cited),
        ChargeEffect::Falter => row.falter(cited),
        ChargeEffect::Recoil => row.recoil(cited),
        ChargeEffect::Repulsed => row.repulsed(cited),
    };
    let attacker = attacker.of_stands(charge.attacker.stands);
    let defender = defender.of_stands(charge.defender.stands);
    Outcome { totals, difference, effect, attacker, defender, held_in_square: charge.facts.square }
}

struct Row<'c, 'r> {
    charge: &'c Assessment<'r>,
    difference: i32,
}

type Both = (SideOutcome, SideOutcome);

impl Row<'_, '_> {
    fn swept(&self, cited: &mut impl Cite) -> Both {
        let rules = &self.charge.table.swept;
        let losses = losses(&rules.losses, self.difference, cited);
        let defender = &self.charge.defender;
        let mut lost = SideOutcome { stands_lost: losses, ..SideOutcome::hold() };
        if defender.arm.is_guns() {
            self.guns(&rules.guns, &mut lost, cited);
        } else {
            lost.state = told(rules.troops, State::Broken, cited);
            lost.moves = Move::FullRetreat;
        }
        lost.leader_check = self.leader(defender, rules.leader, cited);
        let mut won =
            SideOutcome { state: self.winner(&rules.winner, cited), ..SideOutcome::hold() };
        if self.charge.facts.second {
            cited.cite(rules.carry_after_second);
            won.moves = Move::Carry;
        } else {
            cited.cite(rules.breakthrough.1);
            won.moves = Move::Breakthrough;
        }
        (won, lost)
    }

    fn driven_back(&self, cited: &mut impl Cite) -> Both {
        let rules = &self.charge.table.driven_back;
        let defender = &self.charge.defender;
        cited.cite(rules.losses.1);
        let by_cavalry = self.charge.facts.on_horse[0];
        let reasons =
            [(by_cavalry, &rules.by_cavalry), (self.outflanked(defender), &rules.outflanked)];
        let worse = self.worse(reasons, cited);
        let mut lost = SideOutcome { stands_lost: rules.losses.0 + worse.0, ..SideOutcome::hold() };
        if defender.arm.is_guns() {
            self.guns(&rules.guns, &mut lost, cited);
        } else if worse.1 {
            lost.state = State::Broken;
            lost.moves = Move::FullRetreat;
        } else {
            lost.state = told(rules.troops_disordered, State::Disordered, cited);
            lost.moves = Move::RetreatBeyondCloseRange;
            cited.cite(rules.troops_retreat);
            lost.may_recall = self.recall(defender, rules.recall, cited);
        }
        let mut won =
            SideOutcome { state: self.winner(&rules.winner, cited), ..SideOutcome::hold() };
        if self.charge.attacker.arm == Arm::Cavalry && !self.charge.facts.second {
            cited.cite(rules.cavalry_breakthrough.1);
            won.moves = Move::Breakthrough;
        } else {
            cited.cite(rules.carry);
            won.moves = Move::Carry;
        }
        (won, lost)
    }

    fn hard_pressed(&self, cited: &mut impl Cite) -> Both {
        let rules = &self.charge.table.hard_pressed;
        let (attacker, defender) = (&self.charge.attacker, &self.charge.defender);
        let held = match (self.charge.facts.fortified, self.charge.facts.square, rules.hold_square)
        {
            (true, ..) => Some((rules.hold_fortified, rules.retreat_if_fortified.1)),
            (_, true, Some(hold)) => {
                Some((hold, rules.retreat_if_square.map_or(hold, |(_, rule)| rule)))
            }
            _ => None,
        };
        let mut lost = SideOutcome::hold();
        if defender.arm.is_guns() {
            if self.charge.table.guns_damaged(defender, ChargeEffect::HardPressed) > 0 {
                cited.cite(rules.gun_damaged.1);
            }
            if held.is_some() {
                lost.state = rules
                    .guns
                    .all_silenced
                    .map_or(State::Silenced, |f| told(f, State::Silenced, cited));
            } else {
                self.guns(&rules.guns, &mut lost, cited);
            }
        } else {
            lost.state = told(rules.troops_disordered, State::Disordered, cited);
            if defender.disordered {
                cited.cite(rules.loss_if_disordered.1);
                lost.stands_lost = rules.loss_if_disordered.0;
            }
            if held.is_none() {
                lost.moves = Move::RetreatShort;
                self.routed(defender, rules.outflanked, &mut lost, cited);
                if lost.moves == Move::RetreatShort {
                    cited.cite(rules.troops_retreat.1);
                    lost.may_recall = self.recall(defender, rules.recall, cited);
                }
            }
        }
        let mut won =
            SideOutcome { state: self.winner(&rules.winner, cited), ..SideOutcome::hold() };
        if let Some((hold, back)) = held {
            cited.cite(hold);
            cited.cite(back);
            won.moves = Move::RetreatShort;
        } else {
            cited.cite(rules.carry);
            won.moves = Move::Carry;
        }
        won.may_recall = self.recall(attacker, rules.attacker_recall, cited);
        (won, lost)
    }

    fn struggle(&self, cited: &mut impl Cite) -> Both {
        let rules = &self.charge.table.struggle;
        cited.cite(rules.losses.1);
        cited.cite(rules.reroll);
        let mut side = |side: &Side| {
            let state = if side.arm.is_guns() {
                told(rules.guns_silenced, State::Silenced, cited)
            } else {
                told(rules.troops_disordered, State::Disordered, cited)
            };
            SideOutcome { stands_lost: rules.losses.0, state, ..SideOutcome::hold() }
        };
        (side(&self.charge.attacker), side(&self.charge.defender))
    }

    fn falter(&self, cited: &mut impl Cite) -> Both {
        let rules = &self.charge.table.falter;
        let attacker = &self.charge.attacker;
        let mut lost = SideOutcome { moves: Move::RetreatShort, ..SideOutcome::hold() };
        if attacker.disordered {
            cited.cite(rules.loss_if_disordered.1);
            lost.stands_lost = rules.loss_if_disordered.0;
        } else {
            lost.state = told(rules.disordered, State::Disordered, cited);
        }
        self.routed(attacker, rules.outflanked, &mut lost, cited);
        if lost.moves == Move::RetreatShort {
            cited.cite(rules.retreat.1);
            lost.may_recall = self.recall(attacker, rules.recall, cited);
        }
        (lost, self.holding(&rules.holding, cited))
    }

    fn recoil(&self, cited: &mut impl Cite) -> Both {
        let rules = &self.charge.table.recoil;
        let attacker = &self.charge.attacker;
        cited.cite(rules.losses.1);
        let by_cavalry = self.charge.facts.on_horse[1];
        let reasons =
            [(by_cavalry, &rules.by_cavalry), (self.outflanked(attacker), &rules.outflanked)];
        let worse = self.worse(reasons, cited);
        let mut lost = SideOutcome { stands_lost: rules.losses.0 + worse.0, ..SideOutcome::hold() };
        if worse.1 {
            lost.state = State::Broken;
            lost.moves = Move::FullRetreat;
        } else {
            lost.state = told(rules.disordered, State::Disordered, cited);
            lost.moves = Move::RetreatBeyondCloseRange;
            cited.cite(rules.retreat);
            lost.may_recall = self.recall(attacker, rules.recall, cited);
        }
        (lost, self.holding(&rules.holding, cited))
    }

    fn repulsed(&self, cited: &mut impl Cite) -> Both {
        let rules = &self.charge.table.repulsed;
        let attacker = &self.charge.attacker;
        let lost = SideOutcome {
            stands_lost: losses(&rules.losses, -self.difference, cited),
            state: told(rules.retreat, State::Broken, cited),
            moves: Move::FullRetreat,
            may_recall: false,
            leader_check: self.leader(attacker, rules.leader, cited),
        };
        (lost, self.holding(&rules.holding, cited))
    }

    /// The extra stands, and whether the unit is broken, of a side beaten by
    /// cavalry or outflanked: one extra in all, even if both.
    fn worse(&self, reasons: [(bool, &Worse); 2], cited: &mut impl Cite) -> (i32, bool) {
        let mut extra = (0, false);
        for (_, worse) in reasons.into_iter().filter(|(holds, _)| *holds) {
            cited.cite(worse.rule);
            extra = (extra.0.max(worse.stands), extra.1 || worse.broken);
        }
        extra
    }

    fn outflanked(&self, side: &Side) -> bool {
        side.hold.meets(self.charge.table.named.outflanked)
    }

    /// An outflanked side makes a full retreat, broken.
    fn routed(&self, side: &Side, rule: Flag, out: &mut SideOutcome, cited: &mut impl Cite) {
        if self.outflanked(side) {
            cited.cite(rule.1);
            if rule.0 {
                out.state = State::Broken;
            }
            out.moves = Move::FullRetreat;
        }
    }

    /// Cavalry may recall after a first combat, unless it is broken.
    fn recall(&self, side: &Side, rule: RuleId, cited: &mut impl Cite) -> bool {
        let may = side.arm == Arm::Cavalry
            && !self.charge.facts.second
            && !side.hold.meets(self.charge.table.named.broken);
        if may {
            cited.cite(rule);
        }
        may
    }

    fn leader(&self, side: &Side, rule: RuleId, cited: &mut impl Cite) -> bool {
        let attached = side.hold.meets(self.charge.table.named.leader_attached);
        if attached {
            cited.cite(rule);
        }
        attached
    }

    fn winner(&self, rules: &WinnerDisorder, cited: &mut impl Cite) -> State {
        let facts = &self.charge.facts;
        let cavalry = self.charge.attacker.arm == Arm::Cavalry;
        let mut state = State::Unchanged;
        for (holds, (disordered, rule)) in [
            (facts.bad_ground, rules.ground),
            (cavalry, rules.cavalry),
            (facts.second, rules.second_combat),
        ] {
            if holds {
                cited.cite(rule);
                if disordered {
                    state = State::Disordered;
                }
            }
        }
        state
    }

    fn holding(&self, rules: &Holding, cited: &mut impl Cite) -> SideOutcome {
        let mut out = SideOutcome::hold();
        cited.cite(rules.hold);
        if self.charge.defender.arm == Arm::Cavalry {
            out.state = told(rules.cavalry_disordered, State::Disordered, cited);
        }
        if self.charge.facts.countercharge {
            cited.cite(rules.countercharge);
            out.may_recall = true;
        }
        out
    }

    fn guns(&self, fates: &GunFates, out: &mut SideOutcome, cited: &mut impl Cite) {
        let arm = self.charge.defender.arm;
        let fate = match arm {
            Arm::GunsLimbered => &fates.limbered,
            Arm::GunsHeavy => &fates.heavy,
            Arm::GunsFixed => &fates.fixed,
            _ => &fates.light,
        };
        if let Some(flag) = fates.all_silenced {
            out.state = told(flag, State::Silenced, cited);
        }
        out.moves = Move::FullRetreat;
        let harnessed = arm == Arm::GunsLimbered && !self.charge.table.limbered_lost_to_cavalry;
        let by_cavalry = self.charge.attacker.arm == Arm::Cavalry && !harnessed;
        let to_cavalry = fates.lost_to_cavalry.filter(|_| by_cavalry);
        let mut lost = false;
        match (*fate, to_cavalry) {
            // Guns that are lost do not limber up.
            (GunFate::Retreats { .. }, Some((true, _))) => {}
            (GunFate::Retreats { silenced, rule }, _) => {
                cited.cite(rule);
                if silenced {
                    out.state = State::Silenced;
                }
            }
            (GunFate::Lost((is, rule)), _) => {
                cited.cite(rule);
                lost = is;
            }
        }
        if let Some((is, rule)) = to_cavalry {
            cited.cite(rule);
            lost = lost || is;
        }
        if lost {
            out.state = State::Eliminated;
            out.moves = Move::Hold;
        }
    }
}

fn losses(rules: &Losses, margin: i32, cited: &mut impl Cite) -> i32 {
    cited.cite(rules.rule);
    rules.stands + rules.per_point * (margin - rules.over).max(0)
}

fn told((is, rule): Flag, state: State, cited: &mut impl Cite) -> State {
    cited.cite(rule);
    if is { state } else { State::Unchanged }
}
