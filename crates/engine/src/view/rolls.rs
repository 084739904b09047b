//! A roll before it is made: its modifiers, the exact odds, and what each result would do.

use regimental::battle::{Battle, Command, Id, Line, No, Part, Rolled, Side};
use rulebook::Book;
use serde::Serialize;

use super::plain;
use crate::game::Game;

/// A modifier.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct TallyLine {
    /// Its clause.
    pub rule: String,
    /// Its name.
    pub words: String,
    /// Its value.
    pub value: f64,
}

/// A result a roll may have.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct Outcome {
    /// Its name.
    pub name: String,
    /// Its chance in a hundred.
    pub percent: u32,
    /// How it is for whoever asks: `good`, `even` or `bad`.
    pub tone: String,
    /// What it would do, in a few words.
    pub does: String,
    /// The same as the book has it.
    pub says: Vec<String>,
}

/// What a charge comes to in all, in a hundred, to the tenth.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct Chances {
    /// It wins.
    pub wins: f64,
    /// Neither gives way at first.
    pub struggles: f64,
    /// It is beaten.
    pub loses: f64,
    /// Fire stops it on its way.
    pub stopped: f64,
}

/// A roll that an order would lead to.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct Roll {
    /// Who rolls.
    pub who: Vec<String>,
    /// Whose roll it is, in words.
    pub title: String,
    /// The modifiers; of the attacker in a combat.
    pub tally: Vec<TallyLine>,
    /// Those of the defender.
    pub against: Vec<TallyLine>,
    /// What may come of it, the best for the roller first.
    pub odds: Vec<Outcome>,
    /// What may happen besides, each in a sentence with its chance.
    pub besides: Vec<String>,
    /// What it comes to in all, where several rolls decide.
    pub headline: Option<String>,
    /// What a charge comes to in all, the fire on its way counted in.
    pub chances: Option<Chances>,
}

/// Modifiers with their names.
pub(crate) fn tally(lines: &[Line]) -> Vec<TallyLine> {
    let named = |l: &Line| {
        let last = plain(l.rule.rsplit('.').next().unwrap_or(&l.rule));
        // The last word of a clause is made to stand alone: a number is of fire points, a pair a ratio.
        let words = if l.rule.contains("points-modifier") {
            format!("for fire points, from {last}")
        } else {
            match last.strip_prefix("outnumbered ").and_then(|ratio| ratio.split_once(' ')) {
                Some((many, few)) => format!("outnumbered {many} to {few}"),
                None => last,
            }
        };
        TallyLine { rule: l.rule.to_string(), words, value: l.value }
    };
    lines.iter().map(named).collect()
}

/// Whose stands bear, how far off, and what they give.
fn bears(name: &str, part: &Part) -> String {
    let [near, far] = part.range.map(|inches| format!("{inches:.1}″"));
    let range = if near == far { near } else { format!("{near} to {far}") };
    let stands = if part.stands == 1 {
        "1 stand bears".into()
    } else {
        format!("{} stands bear", part.stands)
    };
    let points =
        if part.points == 1.0 { "1 point".into() } else { format!("{} points", part.points) };
    let halved = match part.halved.as_slice() {
        [] => String::new(),
        why => format!(", halved for {}", why.join(" and ")),
    };
    format!("{name}: {stands} at {range}, {points}{halved}")
}

/// The rolls an order would lead to at once.
///
/// # Errors
/// The refusal the order would get.
pub fn rolls(game: &Game, by: Side, order: &Command) -> Result<Vec<Roll>, No> {
    let battle = game.now();
    let book = &game.scenario.book.book;
    let name = |id: &regimental::battle::Id| {
        battle.unit(*id).map_or_else(|| id.to_string(), |u| u.card.name.to_string())
    };
    let previews = battle.preview(by, order)?;
    let made = previews.into_iter().map(|p| {
        let who = p.who.iter().map(name).collect::<Vec<_>>().join(" and ");
        let declared = matches!(order, Command::Charge { .. });
        let (title, family, state) = match &p.of {
            Rolled::Fire(target) => {
                let guns = battle.unit(*target).is_some_and(regimental::battle::Unit::is_guns);
                let state = if guns { "gun" } else { "troops" };
                // Of the charge that is weighed: the enemy's fire at it, then its own.
                let own = battle.unit(*target).is_some_and(|u| u.side() != by);
                let when = match (declared, own) {
                    (false, _) => "",
                    (true, true) => " before they meet",
                    (true, false) => " on its way",
                };
                let points = p.points.map_or(String::new(), |n| {
                    format!(" with {n} fire point{}", if n == 1.0 { "" } else { "s" })
                });
                (format!("{who} fire at {}{points}{when}", name(target)), "fire.effect", state)
            }
            Rolled::Combat(defenders) => {
                let them = defenders.iter().map(name).collect::<Vec<_>>().join(" and ");
                let when = if declared { ", if the fire does nothing" } else { "" };
                (format!("{who} charge home on {them}{when}"), "charge", "")
            }
            Rolled::Check => {
                let unit = p.who.first().and_then(|u| battle.unit(*u));
                let state = match unit.map(|u| u.order) {
                    Some(regimental::maneuver::Order::Disordered) => "disordered",
                    Some(regimental::maneuver::Order::Broken) => "broken",
                    _ => "good-order",
                };
                (format!("Maneuver check of {who}"), "maneuver", state)
            }
        };
        // Of one unit its name says who it is, of several their part in the fight.
        let called = |ids: &[regimental::battle::Id], part: &str| match ids {
            [one] => name(one),
            _ => part.to_owned(),
        };
        let hostile = p.who.first().and_then(|u| battle.unit(*u)).is_some_and(|u| u.side() != by);
        let in_all = |(what, _): &&(&str, f64)| *what == "wins-in-all";
        let odds = p.odds.iter().map(|(effect, percent, does)| Outcome {
            name: match (family, effect.as_str()) {
                ("charge", "falter" | "recoil" | "repulsed") => {
                    format!("{}: {}", called(&p.who, "attacker"), plain(effect))
                }
                ("charge", "swept" | "driven-back" | "hard-pressed") => match &p.of {
                    Rolled::Combat(them) => {
                        format!("{}: {}", called(them, "defender"), plain(effect))
                    }
                    _ => plain(effect),
                },
                _ => plain(effect),
            },
            percent: *percent,
            tone: tone(effect, does, hostile).to_owned(),
            does: by_name(battle, does),
            says: meaning(book, family, state, effect),
        });
        Roll {
            who: p.who.iter().map(ToString::to_string).collect(),
            title,
            tally: tally(&p.tally),
            against: tally(&p.against),
            odds: odds.collect(),
            chances: matches!(p.of, Rolled::Combat(_)).then(|| chances(&p.odds, &p.besides)),
            headline: p.besides.iter().find(in_all).map(|(what, n)| beside(what, *n)),
            besides: p
                .firers
                .iter()
                .map(|part| bears(&name(&part.unit), part))
                .chain(p.besides.iter().filter(|b| !in_all(b)).map(|(what, n)| beside(what, *n)))
                .collect(),
        }
    });
    Ok(made.collect())
}

/// What a combat comes to: with the fire before it where there is any, else as its dice fall.
fn chances(odds: &[(String, u32, String)], besides: &[(&'static str, f64)]) -> Chances {
    let known = |what: &str| besides.iter().find(|b| b.0 == what).map(|b| b.1);
    let of = |effects: &[&str]| {
        let among = odds.iter().filter(|o| effects.contains(&o.0.as_str()));
        f64::from(among.map(|o| o.1).sum::<u32>())
    };
    let won = known("wins-in-all").unwrap_or_else(|| of(&["swept", "driven-back", "hard-pressed"]));
    // Whoever is shot away is beaten as well.
    let wins = won + known("nobody-left-to-fight").unwrap_or(0.0);
    let struggles = known("struggles-on").unwrap_or_else(|| of(&["desperate-struggle"]));
    let stopped = known("stopped-by-fire").unwrap_or(0.0);
    let tenths = |percent: f64| (10.0 * percent).round() / 10.0;
    let loses = tenths((100.0 - wins - struggles - stopped).max(0.0));
    Chances { wins: tenths(wins), struggles: tenths(struggles), loses, stopped: tenths(stopped) }
}

/// How a result is for whoever asks: what is good for an enemy who rolls is bad for him.
fn tone(effect: &str, does: &str, hostile: bool) -> &'static str {
    match effect {
        _ if does.starts_with("nothing") => "even",
        "tardy" | "shaken" | "desperate-struggle" | "desultory" => "even",
        "fall-back" | "panic" | "wavering" | "rout" | "falter" | "recoil" | "repulsed" => {
            if hostile { "good" } else { "bad" }
        }
        _ if hostile => "bad",
        _ => "good",
    }
}

/// What a result does, with the names of those it names: each begins a part of the text, whatever
/// other words are somebody's short name.
fn by_name(battle: &Battle, does: &str) -> String {
    let part = |part: &str| {
        let ends = |c: char| c == ' ' || c == ':';
        let (first, rest) = part.split_at(part.find(ends).unwrap_or(part.len()));
        let unit = Id::new(first).and_then(|id| battle.unit(id));
        unit.map_or_else(|| part.to_owned(), |u| format!("{}{rest}", u.card.name))
    };
    let parts = does.split_inclusive([',', ';', ':']);
    parts
        .map(|text| {
            let begins = text.len() - text.trim_start().len();
            format!("{}{}", &text[..begins], part(&text[begins..]))
        })
        .collect()
}

/// What may happen besides, in a sentence.
fn beside(what: &str, percent: f64) -> String {
    let percent = told(percent);
    match what {
        "low-on-ammo" => format!("{percent}% that a unit that fires runs low on ammunition"),
        "leader-check" => format!("{percent}% that a leader with or near the target may fall"),
        "stopped-by-fire" => format!("{percent}% that the fire stops it before that"),
        "wins-in-all" => format!("{percent}% that it wins in all, fire and combat together"),
        "struggles-on" => format!("{percent}% that neither gives way at first"),
        "nobody-left-to-fight" => format!("{percent}% that its own fire leaves nobody to fight"),
        other => format!("{percent}%: {}", plain(other)),
    }
}

/// A chance in a hundred, to the tenth where it is no whole one.
fn told(percent: f64) -> String {
    let tenths = (10.0 * percent).round() / 10.0;
    format!("{tenths}")
}

/// What the book says of a result: the clauses named for it.
fn meaning(book: &Book, family: &str, state: &str, effect: &str) -> Vec<String> {
    let mut says: Vec<String> = book
        .clauses()
        .map(|(_, c)| c)
        .filter(|c| {
            let Some(rest) = c.id.strip_prefix(family).and_then(|r| r.strip_prefix('.')) else {
                return false;
            };
            if rest.ends_with(".range") {
                return false;
            }
            let mut parts = rest.split('.');
            match family {
                "maneuver" => parts.next() == Some(state) && parts.next() == Some(effect),
                "fire.effect" => {
                    parts.next() == Some(effect)
                        && parts.next().is_some_and(|p| p.starts_with(state))
                }
                _ => parts.next() == Some(effect),
            }
        })
        .map(|c| c.says.clone())
        .collect();
    says.truncate(6);
    says
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::by_name;
    use crate::{Library, Scenario};

    #[test]
    fn whom_a_result_names_is_named_and_nothing_else() {
        let scenario = Scenario::built_in(&Library::default(), "field-day-15mm").unwrap().unwrap();
        let battle = &scenario.battle;
        let unit = &battle.units()[0];
        let (id, name) = (unit.id(), &unit.card.name);
        let said =
            format!("attacker: 1 stand lost; defender: {id} broken, {id} behind it: a {id}″");
        let named =
            format!("attacker: 1 stand lost; defender: {name} broken, {name} behind it: a {id}″");
        assert_eq!(by_name(battle, &said), named);
        assert_eq!(by_name(battle, ""), "");
    }
}
