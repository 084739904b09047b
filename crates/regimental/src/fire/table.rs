//! The fire table, read from its clauses.

use rulebook::{Book, Bounds, Code, Flaw, Ladder, Modifier, ModifierTable, Refusal, RuleId};

use super::{CLASSES, Class, FireEffect};
use crate::ten_sided;

/// The rows that Telling Fire is printed in, by what becomes of a charge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TellingRow {
    ChargeChecked,
    ColdSteel,
    ChargeHome,
}

pub(super) const TELLING: [(&str, TellingRow); 3] = [
    ("telling-charge-checked", TellingRow::ChargeChecked),
    ("telling-cold-steel", TellingRow::ColdSteel),
    ("telling-charge-home", TellingRow::ChargeHome),
];

#[derive(Debug, Clone)]
pub(super) struct Column {
    pub(super) effects: Ladder<FireEffect>,
    pub(super) telling: Vec<(Bounds, RuleId, TellingRow)>,
}

impl Column {
    fn read(book: &Book, class: &str) -> Result<Option<Self>, Flaw> {
        if book.clause(&format!("fire.result.withering.{class}")).is_none() {
            return Ok(None); // this sheet has no such column
        }
        let row = |name: &str| -> Result<Option<(String, Bounds, RuleId)>, Flaw> {
            let id = format!("fire.result.{name}.{class}");
            let rule = book.rule(&id)?;
            let Some(clause) = book.clause(&id) else {
                return Ok(None);
            };
            if clause.figures.contains_key("none") && book.flag(&id, "none")? {
                return Ok(None);
            }
            Ok(Some((id.clone(), Bounds::read(&id, &clause.figures)?, rule)))
        };
        let mut rows = Vec::new();
        for (name, effect) in FireEffect::ALL {
            rows.extend(row(name)?.map(|(id, bounds, rule)| (id, bounds, rule, effect)));
        }
        let whole = rows.iter().find(|(.., e)| *e == FireEffect::Telling).cloned();
        let effects = Ladder::build(&format!("the fire table for {class} targets"), rows)?;
        let mut telling = Vec::new();
        if book.clause(&format!("fire.result.telling-charge-home.{class}")).is_some() {
            for (name, kind) in TELLING {
                telling.extend(row(name)?.map(|(id, bounds, rule)| (id, bounds, rule, kind)));
            }
            Self::check_telling(class, whole.as_ref().map(|(id, b, ..)| (id, *b)), &telling)?;
        }
        let telling = telling.into_iter().map(|(_, b, rule, kind)| (b, rule, kind)).collect();
        Ok(Some(Self { effects, telling }))
    }

    /// The three charge rows together must be Telling Fire, no more, no less.
    fn check_telling(
        class: &str,
        whole: Option<(&String, Bounds)>,
        rows: &[(String, Bounds, RuleId, TellingRow)],
    ) -> Result<(), Flaw> {
        let Some((id, Bounds { min: Some(low), max: Some(high) })) = whole else {
            return Ok(());
        };
        let mut clauses: Vec<String> = rows.iter().map(|(id, ..)| id.clone()).collect();
        clauses.push(id.clone());
        for total in low - 5..=high + 5 {
            let covering = rows.iter().filter(|(_, b, ..)| b.holds(total)).count();
            if covering != usize::from((low..=high).contains(&total)) {
                let message = format!(
                    "the charge rows of Telling Fire on {class} targets and Telling Fire itself differ at {total}"
                );
                return Err(Flaw { clauses, message });
            }
        }
        Ok(())
    }
}

/// The scale that turns fire points into a modifier.
#[derive(Debug, Clone)]
pub(super) struct PointsScale {
    pub(super) steps: Vec<(f64, i32, RuleId)>, // from, modifier; the lowest first
    pub(super) beyond: Option<(f64, i32, RuleId)>, // every so many points over the last step
}

impl PointsScale {
    fn read(book: &Book) -> Result<Self, Flaw> {
        let mut rows = Vec::new();
        let mut beyond = None;
        for (rule, clause) in book.clauses() {
            let id = &clause.id;
            if !id.starts_with("fire.points-modifier.") {
                continue;
            }
            if clause.figures.contains_key("step_points") {
                let every = book.number(id, "step_points")?;
                if every <= 0.0 {
                    return Err(Flaw::of(id, "`step_points` must be more than 0"));
                }
                beyond = Some((every, book.int(id, "step_modifier")?, rule));
                continue;
            }
            let has = |key: &str| clause.figures.contains_key(key);
            let from = if has("min_points") { book.number(id, "min_points")? } else { 0.0 };
            let to = if has("below_points") {
                Some(book.number(id, "below_points")?)
            } else if has("max_points") {
                Some(book.number(id, "max_points")? + 1.0)
            } else {
                None
            };
            rows.push((id.clone(), from, to, book.int(id, "modifier")?, rule));
        }
        rows.sort_by(|a, b| a.1.total_cmp(&b.1));
        let mut reached = Some(0.0);
        for (id, from, to, ..) in &rows {
            if reached.is_none_or(|r: f64| (r - from).abs() > f64::EPSILON) {
                let at = reached.unwrap_or(*from);
                return Err(Flaw::of(
                    id,
                    format!("the fire point scale has a hole or an overlap at {at}"),
                ));
            }
            reached = *to;
        }
        if rows.is_empty() || reached.is_some() {
            return Err(Flaw::of("fire.points-modifier.1", "the fire point scale has no open end"));
        }
        Ok(Self {
            steps: rows.into_iter().map(|(_, from, _, m, rule)| (from, m, rule)).collect(),
            beyond,
        })
    }

    /// The modifiers of a number of points: the highest step not above it,
    /// and where the scale goes on, the step for points beyond it.
    pub(super) fn read_off(&self, points: f64) -> [Option<Modifier>; 2] {
        let step = self.steps.iter().rev().find(|(from, ..)| points >= *from);
        let (from, value, rule) = *step.unwrap_or(&self.steps[0]);
        let last = self.steps.last().is_some_and(|(.., r)| *r == rule);
        let more = self.beyond.filter(|_| last).and_then(|(every, each, rule)| {
            #[allow(clippy::cast_possible_truncation)] // points are bounded
            let times = ((points - from) / every).floor() as i32;
            (times > 0).then_some(Modifier { rule, value: times * each })
        });
        [Some(Modifier { rule, value }), more]
    }
}

/// What each effect does, from its clauses.
#[derive(Debug, Clone)]
pub(super) struct Effects {
    pub(super) withering_troops: (u32, bool, RuleId),
    pub(super) withering_wrecked: (u32, RuleId),
    pub(super) withering_silenced: RuleId,
    pub(super) additional: Additional,
    pub(super) telling_troops: (u32, bool, RuleId),
    pub(super) telling_damaged: (u32, RuleId),
    pub(super) telling_silenced: (u32, RuleId),
    /// Whether the stand that is silenced is the one that is damaged.
    pub(super) telling_same: bool,
    pub(super) galling_disordered: (bool, RuleId),
    pub(super) galling_already: (u32, RuleId),
    pub(super) galling_silenced: (u32, RuleId),
    pub(super) lively_troops: (bool, RuleId),
    pub(super) lively_guns: (u32, RuleId),
    pub(super) lively_musketry: RuleId,
    pub(super) desultory: RuleId,
    pub(super) low_on_ammo: (i32, RuleId),
    pub(super) fallen_leader: (i32, RuleId),
    pub(super) fallen_leader_within: (f64, RuleId),
    pub(super) massed: (f64, u32, RuleId),
    /// None on a sheet where fire never stops a charge.
    pub(super) charges: Option<Charges>,
}

/// How fire decides a charge, on the sheets where it can.
#[derive(Debug, Clone)]
pub(super) struct Charges {
    pub(super) withering: RuleId,
    pub(super) telling: [RuleId; 3],
    pub(super) home: [RuleId; 3], // galling, lively, desultory
    pub(super) checked_retreat: (f64, RuleId),
    pub(super) recall: RuleId,
    pub(super) goes_home: RuleId,
}

/// Further stands lost on a high Withering total.
#[derive(Debug, Clone)]
pub(super) enum Additional {
    From { total: i32, stands: u32, rule: RuleId },
    PerPoint { over: i32, stands: u32, rule: RuleId },
}

impl Effects {
    fn read(book: &Book) -> Result<Self, Flaw> {
        let id = |tail: &str| format!("fire.effect.{tail}");
        let troops = |tail: &str| -> Result<(u32, bool, RuleId), Flaw> {
            let id = id(tail);
            Ok((book.count(&id, "stands")?, book.flag(&id, "disordered")?, book.rule(&id)?))
        };
        let count = |tail: &str, figure: &str| -> Result<(u32, RuleId), Flaw> {
            let id = id(tail);
            Ok((book.count(&id, figure)?, book.rule(&id)?))
        };
        let disorder = |tail: &str| -> Result<(bool, RuleId), Flaw> {
            let id = id(tail);
            Ok((book.flag(&id, "disordered")?, book.rule(&id)?))
        };
        let extra = id("withering.additional-loss");
        let rule = book.rule(&extra)?;
        let additional = if book.clause(&extra).is_some_and(|c| c.figures.contains_key("min")) {
            Additional::From {
                total: book.int(&extra, "min")?,
                stands: book.count(&extra, "stands")?,
                rule,
            }
        } else {
            let stands = book.count(&extra, "stands_per_point")?;
            Additional::PerPoint { over: book.int(&extra, "over")?, stands, rule }
        };
        let trigger = |tail: &str| -> Result<(i32, RuleId), Flaw> {
            let id = format!("fire.additional.{tail}");
            let face = book.int(&id, "base_die")?;
            if !(1..=10).contains(&face) {
                return Err(Flaw::of(&id, format!("no die shows {face}")));
            }
            Ok((face, book.rule(&id)?))
        };
        let distance = |id: &str| -> Result<(f64, RuleId), Flaw> {
            Ok((book.number(id, "distance")?, book.rule(id)?))
        };
        let silenced = id("telling.gun-silenced");
        let massed = "fire.additional.massed-target";
        let charges = if book.clause(&id("withering.charge-checked")).is_some()
            || book.clause(&id("telling.charge-checked")).is_some()
        {
            let rule = |tail: &str| book.rule(&id(tail));
            Some(Charges {
                withering: rule("withering.charge-checked")?,
                telling: [
                    rule("telling.charge-checked")?,
                    rule("telling.cold-steel")?,
                    rule("telling.charge-home")?,
                ],
                home: [
                    rule("galling.charge-home")?,
                    rule("lively.charge-home")?,
                    rule("desultory.charge-home")?,
                ],
                checked_retreat: distance("fire.additional.charge-checked.retreat")?,
                recall: book.rule("fire.additional.charge-checked.cavalry-recall")?,
                goes_home: book.rule("fire.additional.charge-home")?,
            })
        } else {
            None
        };
        Ok(Self {
            withering_troops: troops("withering.troops")?,
            withering_wrecked: count("withering.gun-wrecked", "gun_stands_wrecked")?,
            withering_silenced: book.rule(&id("withering.guns-silenced"))?,
            additional,
            telling_troops: troops("telling.troops")?,
            telling_damaged: count("telling.gun-damaged", "gun_stands_damaged")?,
            telling_silenced: count("telling.gun-silenced", "gun_stands_silenced")?,
            telling_same: match book.clause(&silenced) {
                Some(c) if c.figures.contains_key("same_stand") => {
                    book.flag(&silenced, "same_stand")?
                }
                _ => false,
            },
            galling_disordered: disorder("galling.troops-disordered")?,
            galling_already: count("galling.troops-already-disordered", "stands")?,
            galling_silenced: count("galling.gun-silenced", "gun_stands_silenced")?,
            lively_troops: disorder("lively.cannonade-troops")?,
            lively_guns: count("lively.cannonade-guns", "gun_stands_silenced")?,
            lively_musketry: book.rule(&id("lively.musketry"))?,
            desultory: book.rule(&id("desultory.none"))?,
            low_on_ammo: trigger("low-on-ammo.trigger")?,
            fallen_leader: trigger("fallen-leader.trigger")?,
            fallen_leader_within: distance("fire.additional.fallen-leader.who")?,
            massed: {
                let (within, rule) = distance(massed)?;
                (within, book.count(massed, "rows_lower")?, rule)
            },
            charges,
        })
    }
}

/// The fire table.
#[derive(Debug, Clone)]
pub(crate) struct Table {
    pub(crate) modifiers: ModifierTable,
    pub(super) points: PointsScale,
    pub(super) columns: [Option<Column>; 4],
    pub(super) effects: Effects,
    /// Whether the two unnamed Telling rows decide only the charge.
    pub(super) telling_charge_only: bool,
    /// Whether guns that are all silenced are damaged where they would be silenced.
    pub(super) silenced_are_damaged: bool,
}

impl Table {
    /// Whether Telling Fire silences and damages one and the same gun stand.
    pub(crate) fn one_stand_suffers(&self) -> bool {
        self.effects.telling_same
    }

    pub(crate) fn read(book: &Book) -> Result<Self, Flaw> {
        ten_sided(book, "fire.die")?;
        book.rule("fire.modifier.group-once")?;
        let mut columns = [const { None }; 4];
        for (slot, (class, _)) in columns.iter_mut().zip(CLASSES) {
            *slot = Column::read(book, class)?;
        }
        Ok(Self {
            modifiers: ModifierTable::read(book, "fire.modifier.", "modifier")?,
            points: PointsScale::read(book)?,
            columns,
            effects: Effects::read(book)?,
            telling_charge_only: book.setting("telling-fire-rows") == "charge-only",
            silenced_are_damaged: book.setting("silenced-again") != "as-printed",
        })
    }

    /// Whether the table has a column for a class.
    pub(crate) fn has_class(&self, class: Class) -> bool {
        self.column(class).is_ok()
    }

    pub(super) fn column(&self, class: Class) -> Result<&Column, Refusal> {
        self.columns[class as usize].as_ref().ok_or_else(|| {
            let known: Vec<&str> = CLASSES
                .iter()
                .zip(&self.columns)
                .filter(|(_, column)| column.is_some())
                .map(|((name, _), _)| *name)
                .collect();
            let message =
                format!("this sheet has no such class of target; it has {}", known.join(", "));
            Refusal::new(Code::BadValue, message)
        })
    }
}
