//! The charge table, read from its clauses.

use rulebook::{Book, Bounds, Conditions, Flaw, Ladder, ModifierTable, RuleId};

use super::result::{ChargeEffect, Move, Outcome};
use super::{Arm, Side};
use crate::ten_sided;

/// A clause with a yes or no in it.
pub(super) type Flag = (bool, RuleId);

/// Losses that grow with the difference.
#[derive(Debug, Clone)]
pub(super) struct Losses {
    pub(super) stands: i32,
    pub(super) over: i32,
    pub(super) per_point: i32,
    pub(super) rule: RuleId,
}

/// An extra stand and a rout, for those beaten by cavalry or outflanked.
#[derive(Debug, Clone)]
pub(super) struct Worse {
    pub(super) stands: i32,
    pub(super) broken: bool,
    pub(super) rule: RuleId,
}

/// What a row does to each kind of defending guns.
#[derive(Debug, Clone)]
pub(super) struct GunFates {
    /// Silenced whether they get away or not.
    pub(super) all_silenced: Option<Flag>,
    pub(super) limbered: GunFate,
    pub(super) light: GunFate,
    pub(super) heavy: GunFate,
    pub(super) fixed: GunFate,
    /// Every unlimbered gun is lost to cavalry.
    pub(super) lost_to_cavalry: Option<Flag>,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum GunFate {
    /// Limbers up and is gone.
    Retreats { silenced: bool, rule: RuleId },
    /// Lost, if the clause says so.
    Lost(Flag),
}

/// When a winning attacker is disordered.
#[derive(Debug, Clone)]
pub(super) struct WinnerDisorder {
    pub(super) ground: Flag,
    pub(super) cavalry: Flag,
    pub(super) second_combat: Flag,
}

/// What a defender who holds does.
#[derive(Debug, Clone)]
pub(super) struct Holding {
    pub(super) hold: RuleId,
    pub(super) cavalry_disordered: Flag,
    pub(super) countercharge: RuleId,
}

#[derive(Debug, Clone)]
pub(super) struct Swept {
    pub(super) losses: Losses,
    pub(super) troops: Flag,
    pub(super) guns: GunFates,
    pub(super) leader: RuleId,
    pub(super) breakthrough: (f64, RuleId),
    pub(super) carry_after_second: RuleId,
    pub(super) winner: WinnerDisorder,
}

#[derive(Debug, Clone)]
pub(super) struct DrivenBack {
    pub(super) losses: (i32, RuleId),
    pub(super) troops_disordered: Flag,
    pub(super) troops_retreat: RuleId,
    pub(super) recall: RuleId,
    pub(super) by_cavalry: Worse,
    pub(super) outflanked: Worse,
    pub(super) guns: GunFates,
    pub(super) carry: RuleId,
    pub(super) cavalry_breakthrough: (f64, RuleId),
    pub(super) winner: WinnerDisorder,
}

#[derive(Debug, Clone)]
pub(super) struct HardPressed {
    pub(super) troops_disordered: Flag,
    pub(super) loss_if_disordered: (i32, RuleId),
    pub(super) gun_damaged: (i32, RuleId),
    pub(super) troops_retreat: (f64, RuleId),
    pub(super) recall: RuleId,
    pub(super) outflanked: Flag,
    pub(super) guns: GunFates,
    pub(super) hold_fortified: RuleId,
    pub(super) hold_square: Option<RuleId>,
    pub(super) carry: RuleId,
    pub(super) retreat_if_fortified: (f64, RuleId),
    pub(super) retreat_if_square: Option<(f64, RuleId)>,
    pub(super) attacker_recall: RuleId,
    pub(super) winner: WinnerDisorder,
}

#[derive(Debug, Clone)]
pub(super) struct Struggle {
    pub(super) losses: (i32, RuleId),
    pub(super) troops_disordered: Flag,
    pub(super) guns_silenced: Flag,
    pub(super) reroll: RuleId,
    /// The conditions that are gone for the new roll.
    pub(super) gone: Conditions,
}

#[derive(Debug, Clone)]
pub(super) struct Falter {
    pub(super) disordered: Flag,
    pub(super) loss_if_disordered: (i32, RuleId),
    pub(super) retreat: (f64, RuleId),
    pub(super) recall: RuleId,
    pub(super) outflanked: Flag,
    pub(super) holding: Holding,
}

#[derive(Debug, Clone)]
pub(super) struct Recoil {
    pub(super) losses: (i32, RuleId),
    pub(super) disordered: Flag,
    pub(super) retreat: RuleId,
    pub(super) recall: RuleId,
    pub(super) by_cavalry: Worse,
    pub(super) outflanked: Worse,
    pub(super) holding: Holding,
}

#[derive(Debug, Clone)]
pub(super) struct Repulsed {
    pub(super) losses: Losses,
    pub(super) retreat: Flag,
    pub(super) leader: RuleId,
    pub(super) holding: Holding,
}

/// The conditions that the results ask about.
#[derive(Debug, Clone)]
pub(crate) struct Named {
    pub(crate) fresh: Conditions,
    pub(crate) worn: Conditions,
    pub(crate) spent: Conditions,
    pub(crate) disordered_troops: Conditions,
    pub(crate) silenced_gun: Conditions,
    pub(super) leader_attached: Conditions,
    pub(super) outflanked: Conditions,
    pub(super) broken: Conditions,
    pub(super) fortified: Conditions,
    pub(super) breakthrough: Conditions,
    pub(super) hasty_square: Conditions,
    pub(super) cavalry_vs_square: Conditions,
    pub(super) cavalry_broken: Conditions,
    pub(super) cavalry_rough: Conditions,
    pub(super) cavalry_stationary: Conditions,
    pub(super) cavalry_ground: Conditions,
}

impl Named {
    pub(crate) fn freshness(&self) -> Conditions {
        self.fresh.with(self.worn).with(self.spent)
    }
}

/// The charge table.
#[derive(Debug, Clone)]
pub(crate) struct Table {
    pub(crate) modifiers: ModifierTable,
    pub(crate) named: Named,
    numbers: Vec<(i64, i64, Conditions)>, // so many to so many; the highest ratio first
    pub(super) ladder: Ladder<ChargeEffect>,
    pub(super) swept: Swept,
    pub(super) driven_back: DrivenBack,
    pub(super) hard_pressed: HardPressed,
    pub(super) struggle: Struggle,
    pub(super) falter: Falter,
    pub(super) recoil: Recoil,
    pub(super) repulsed: Repulsed,
    pub(super) any_mounted_victor: bool,
    guns_always_damaged: bool,
    /// Limbered guns are lost to cavalry like unlimbered ones.
    pub(super) limbered_lost_to_cavalry: bool,
}

/// Reads clauses whose ids begin alike.
struct Row<'b> {
    book: &'b Book,
    prefix: &'static str,
}

impl Row<'_> {
    fn id(&self, tail: &str) -> String {
        format!("charge.{}.{tail}", self.prefix)
    }

    fn rule(&self, tail: &str) -> Result<RuleId, Flaw> {
        self.book.rule(&self.id(tail))
    }

    fn has(&self, tail: &str) -> bool {
        self.book.clause(&self.id(tail)).is_some()
    }

    fn flag(&self, tail: &str, figure: &str) -> Result<Flag, Flaw> {
        let id = self.id(tail);
        Ok((self.book.flag(&id, figure)?, self.book.rule(&id)?))
    }

    fn stands(&self, tail: &str) -> Result<(i32, RuleId), Flaw> {
        self.int(tail, "stands")
    }

    fn int(&self, tail: &str, figure: &str) -> Result<(i32, RuleId), Flaw> {
        let id = self.id(tail);
        let n = self.book.int(&id, figure)?;
        if n < 0 {
            return Err(Flaw::of(&id, format!("`{figure}` may not be negative")));
        }
        Ok((n, self.book.rule(&id)?))
    }

    fn number(&self, tail: &str, figure: &str) -> Result<(f64, RuleId), Flaw> {
        let id = self.id(tail);
        Ok((self.book.number(&id, figure)?, self.book.rule(&id)?))
    }

    fn losses(&self, tail: &str) -> Result<Losses, Flaw> {
        let (stands, rule) = self.stands(tail)?;
        let over = self.int(tail, "over")?.0;
        Ok(Losses { stands, over, per_point: self.int(tail, "stands_per_point")?.0, rule })
    }

    fn worse(&self, tail: &str) -> Result<Worse, Flaw> {
        let (stands, rule) = self.stands(tail)?;
        Ok(Worse { stands, broken: self.flag(tail, "broken")?.0, rule })
    }

    fn winner(&self) -> Result<WinnerDisorder, Flaw> {
        Ok(WinnerDisorder {
            ground: self.flag("attacker.disordered-ground", "disordered")?,
            cavalry: self.flag("attacker.disordered-cavalry", "disordered")?,
            second_combat: self.flag("attacker.disordered-second-combat", "disordered")?,
        })
    }

    fn holding(&self) -> Result<Holding, Flaw> {
        Ok(Holding {
            hold: self.rule("defender.hold")?,
            cavalry_disordered: self.flag("defender.cavalry-disordered", "disordered")?,
            countercharge: self.rule("defender.countercharge")?,
        })
    }

    /// The sheets name guns in two ways: by carriage, or all alike but for
    /// siege and fixed guns.
    fn guns(&self) -> Result<GunFates, Flaw> {
        let lost = |tail: &str| self.flag(tail, "lost").map(GunFate::Lost);
        let retreats = |tail: &str| -> Result<GunFate, Flaw> {
            let id = self.id(tail);
            let rule = self.book.rule(&id)?;
            let stated = self.book.clause(&id).is_some_and(|c| c.figures.contains_key("silenced"));
            let silenced = if stated { self.book.flag(&id, "silenced")? } else { false };
            Ok(GunFate::Retreats { silenced, rule })
        };
        let silenced = "defender.guns-silenced";
        let all_silenced =
            self.has(silenced).then(|| self.flag(silenced, "silenced")).transpose()?;
        if self.has("defender.guns") {
            return Ok(GunFates {
                all_silenced,
                limbered: retreats("defender.guns")?,
                light: retreats("defender.guns")?,
                heavy: lost("defender.siege-guns")?,
                fixed: lost("defender.fixed-guns")?,
                lost_to_cavalry: None,
            });
        }
        let limbered = retreats("defender.limbered-guns")?;
        if self.has("defender.unlimbered-guns") {
            return Ok(GunFates {
                all_silenced,
                limbered,
                light: lost("defender.unlimbered-guns")?,
                heavy: lost("defender.unlimbered-guns")?,
                fixed: lost("defender.unlimbered-guns")?,
                lost_to_cavalry: None,
            });
        }
        let to_cavalry = "defender.unlimbered-guns-by-cavalry";
        Ok(GunFates {
            all_silenced,
            limbered,
            light: retreats("defender.light-carriage-guns")?,
            heavy: lost("defender.heavy-carriage-guns")?,
            fixed: lost("defender.heavy-carriage-guns")?,
            lost_to_cavalry: self
                .has(to_cavalry)
                .then(|| self.flag(to_cavalry, "lost"))
                .transpose()?,
        })
    }
}

impl Table {
    pub(crate) fn read(book: &Book) -> Result<Self, Flaw> {
        ten_sided(book, "charge.die")?;
        book.rule("charge.modifier.group-once")?;
        let modifiers = ModifierTable::read(book, "charge.modifier.", "modifier")?;
        let named = named(&modifiers);
        let mut rows = Vec::new();
        for (name, effect) in ChargeEffect::ALL {
            let id = format!("charge.result.{name}.range");
            let rule = book.rule(&id)?;
            if let Some(clause) = book.clause(&id) {
                let bounds = Bounds::read(&id, &clause.figures)?;
                rows.push((id, bounds, rule, effect));
            }
        }
        let row = |prefix| Row { book, prefix };
        Ok(Self {
            ladder: Ladder::build("the charge table", rows)?,
            numbers: numbers(book, &modifiers)?,
            swept: swept(&row("swept"))?,
            driven_back: driven_back(&row("driven-back"))?,
            hard_pressed: hard_pressed(&row("hard-pressed"))?,
            struggle: struggle(&row("desperate-struggle"), &modifiers, &named)?,
            falter: falter(&row("falter"))?,
            recoil: recoil(&row("recoil"))?,
            repulsed: repulsed(&row("repulsed"))?,
            any_mounted_victor: book.setting("defeated-by-cavalry") == "any-mounted",
            guns_always_damaged: book.setting("hard-pressed-guns") == "always",
            limbered_lost_to_cavalry: book.setting("limbered-guns-and-cavalry") == "lost",
            modifiers,
            named,
        })
    }

    /// The modifier of a side with `own` stands against `other`.
    pub(crate) fn outnumbered(&self, own: i64, other: i64) -> Conditions {
        let reached = |(many, few, _): &&(i64, i64, Conditions)| other * few >= own * many;
        self.numbers.iter().find(reached).map_or_else(Conditions::default, |(.., c)| *c)
    }

    /// Every modifier for being outnumbered.
    pub(crate) fn numbers(&self) -> Conditions {
        self.numbers.iter().fold(Conditions::default(), |all, (.., c)| all.with(*c))
    }

    /// Gun stands damaged by a result.
    pub(super) fn guns_damaged(&self, guns: &Side, effect: ChargeEffect) -> i32 {
        let silenced = guns.disordered || guns.hold.meets(self.named.silenced_gun);
        let hit = guns.arm.is_guns() && effect == ChargeEffect::HardPressed;
        if hit && (silenced || self.guns_always_damaged) {
            self.hard_pressed.gun_damaged.0
        } else {
            0
        }
    }

    /// The inches between the sides after a short retreat.
    pub(super) fn retreat_short(&self, effect: ChargeEffect, out: &Outcome) -> Option<f64> {
        let short = [out.attacker.moves, out.defender.moves].contains(&Move::RetreatShort);
        let inches = match effect {
            ChargeEffect::Falter => self.falter.retreat.0,
            ChargeEffect::HardPressed if out.attacker.moves == Move::RetreatShort => {
                match (out.held_in_square, &self.hard_pressed.retreat_if_square) {
                    (true, Some((inches, _))) => *inches,
                    _ => self.hard_pressed.retreat_if_fortified.0,
                }
            }
            ChargeEffect::HardPressed => self.hard_pressed.troops_retreat.0,
            _ => return None,
        };
        short.then_some(inches)
    }

    /// The part of a move that a breakthrough goes on.
    pub(super) fn breakthrough_fraction(&self, out: &Outcome) -> Option<f64> {
        let fraction = match out.effect {
            ChargeEffect::Swept => self.swept.breakthrough.0,
            _ => self.driven_back.cavalry_breakthrough.0,
        };
        (out.attacker.moves == Move::Breakthrough).then_some(fraction)
    }

    /// The part of a move of any breakthrough.
    pub(crate) fn breakthrough_share(&self) -> f64 {
        self.swept.breakthrough.0
    }

    pub(crate) fn beaten_by_cavalry(&self, victor: Arm, charged: bool) -> bool {
        victor == Arm::Cavalry && (charged || self.any_mounted_victor)
    }
}

fn named(modifiers: &ModifierTable) -> Named {
    let open = modifiers.named("cavalry-open-ground");
    Named {
        fresh: modifiers.named("fresh"),
        worn: modifiers.named("worn"),
        spent: modifiers.named("spent"),
        disordered_troops: modifiers.named("disordered-troops"),
        silenced_gun: modifiers.named("silenced-gun"),
        leader_attached: modifiers.named("leader-attached"),
        outflanked: modifiers.named("outflanked"),
        broken: modifiers.named("broken"),
        fortified: modifiers.named("fortified"),
        breakthrough: modifiers.named("breakthrough"),
        hasty_square: modifiers.named("hasty-square"),
        cavalry_vs_square: modifiers.named("cavalry-vs-square"),
        cavalry_broken: modifiers.named("cavalry-broken-ground"),
        cavalry_rough: modifiers.named("cavalry-rough-ground"),
        cavalry_stationary: modifiers.named("cavalry-stationary"),
        cavalry_ground: modifiers.group_of(open).with(open),
    }
}

/// The steps of being outnumbered, the worst first.
fn numbers(book: &Book, modifiers: &ModifierTable) -> Result<Vec<(i64, i64, Conditions)>, Flaw> {
    let mut steps = Vec::new();
    let ids: Vec<String> =
        modifiers.ids().filter(|id| id.contains(".outnumbered-")).map(str::to_owned).collect();
    for id in ids {
        let [many, few] = book.ints(&id, "ratio")?[..] else {
            return Err(Flaw::of(&id, "`ratio` is a pair such as [3, 2]"));
        };
        if few < 1 || many <= few {
            return Err(Flaw::of(&id, "`ratio` is more to fewer, such as [3, 2]"));
        }
        steps.push((i64::from(many), i64::from(few), modifiers.find(&id).unwrap_or_default()));
    }
    steps.sort_by(|a, b| (b.0 * a.1).cmp(&(a.0 * b.1)));
    Ok(steps)
}

fn swept(row: &Row<'_>) -> Result<Swept, Flaw> {
    Ok(Swept {
        losses: row.losses("defender.losses")?,
        troops: row.flag("defender.troops", "broken")?,
        guns: row.guns()?,
        leader: row.rule("defender.fallen-leader")?,
        breakthrough: row.number("attacker.breakthrough", "fraction_of_move")?,
        carry_after_second: row.rule("attacker.carry-after-second")?,
        winner: row.winner()?,
    })
}

fn driven_back(row: &Row<'_>) -> Result<DrivenBack, Flaw> {
    Ok(DrivenBack {
        losses: row.stands("defender.losses")?,
        troops_disordered: row.flag("defender.troops-disordered", "disordered")?,
        troops_retreat: row.rule("defender.troops-retreat")?,
        recall: row.rule("defender.cavalry-recall")?,
        by_cavalry: row.worse("defender.beaten-by-cavalry")?,
        outflanked: row.worse("defender.outflanked")?,
        guns: row.guns()?,
        carry: row.rule("attacker.carry")?,
        cavalry_breakthrough: row.number("attacker.cavalry-breakthrough", "fraction_of_move")?,
        winner: row.winner()?,
    })
}

fn hard_pressed(row: &Row<'_>) -> Result<HardPressed, Flaw> {
    let square = row.has("defender.hold-square") || row.has("attacker.retreat-if-square");
    Ok(HardPressed {
        troops_disordered: row.flag("defender.troops-disordered", "disordered")?,
        loss_if_disordered: row.stands("defender.loss-if-disordered")?,
        gun_damaged: row.int("defender.gun-damaged", "gun_stands_damaged")?,
        troops_retreat: row.number("defender.troops-retreat", "distance")?,
        recall: row.rule("defender.cavalry-recall")?,
        outflanked: row.flag("defender.outflanked", "broken")?,
        guns: row.guns()?,
        hold_fortified: row.rule("defender.hold-fortified")?,
        hold_square: square.then(|| row.rule("defender.hold-square")).transpose()?,
        carry: row.rule("attacker.carry")?,
        retreat_if_fortified: row.number("attacker.retreat-if-fortified", "distance")?,
        retreat_if_square: square
            .then(|| row.number("attacker.retreat-if-square", "distance"))
            .transpose()?,
        attacker_recall: row.rule("attacker.cavalry-recall")?,
        winner: row.winner()?,
    })
}

fn struggle(row: &Row<'_>, modifiers: &ModifierTable, named: &Named) -> Result<Struggle, Flaw> {
    // Each clause takes its own modifiers away; machismo is the cold steel of
    // the Triple Alliance (ruling.triple-alliance-cold-steel).
    row.rule("reroll.no-cold-steel")?;
    row.rule("reroll.no-breakthrough")?;
    row.rule("reroll.no-cavalry-charge")?;
    let gone = modifiers
        .named("cold-steel")
        .with(modifiers.named("machismo"))
        .with(named.breakthrough)
        .with(named.cavalry_ground);
    Ok(Struggle {
        losses: row.stands("both.losses")?,
        troops_disordered: row.flag("both.troops-disordered", "disordered")?,
        guns_silenced: row.flag("both.guns-silenced", "silenced")?,
        reroll: row.rule("reroll")?,
        gone,
    })
}

fn falter(row: &Row<'_>) -> Result<Falter, Flaw> {
    Ok(Falter {
        disordered: row.flag("attacker.disordered", "disordered")?,
        loss_if_disordered: row.stands("attacker.loss-if-disordered")?,
        retreat: row.number("attacker.retreat", "distance")?,
        recall: row.rule("attacker.cavalry-recall")?,
        outflanked: row.flag("attacker.outflanked", "broken")?,
        holding: row.holding()?,
    })
}

fn recoil(row: &Row<'_>) -> Result<Recoil, Flaw> {
    Ok(Recoil {
        losses: row.stands("attacker.losses")?,
        disordered: row.flag("attacker.disordered", "disordered")?,
        retreat: row.rule("attacker.retreat")?,
        recall: row.rule("attacker.cavalry-recall")?,
        by_cavalry: row.worse("attacker.beaten-by-cavalry")?,
        outflanked: row.worse("attacker.outflanked")?,
        holding: row.holding()?,
    })
}

fn repulsed(row: &Row<'_>) -> Result<Repulsed, Flaw> {
    Ok(Repulsed {
        losses: row.losses("attacker.losses")?,
        retreat: row.flag("attacker.retreat", "broken")?,
        leader: row.rule("attacker.fallen-leader")?,
        holding: row.holding()?,
    })
}
