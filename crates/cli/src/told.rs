//! What a game in plain text tells: the prompt, what may be done, and answers to questions. Every
//! line makes sense read aloud, one after the other.

use std::io::{self, Write};

use engine::game::{Game, Refused, command};
use engine::view::{self, Offer};
use engine::{anytime, nearest, phrase, words};
use regimental::battle::state::Pace;
use regimental::battle::{
    Battle, Command, Id, Line, No, Pending, Phase, Preview, Side, Unit, phase_name,
};
use serde::Serialize;
use table::{Point, Pose, inches};

use crate::style::wrap;

/// The word a value is written with.
fn word(value: &impl Serialize) -> String {
    let word = serde_json::to_value(value).ok();
    word.and_then(|v| v.as_str().map(str::to_owned)).unwrap_or_default()
}

fn place(at: Point) -> String {
    format!("{:.1} {:.1}", inches(at.x), inches(at.y))
}

/// Whose turn it is, what for, and who may act. A choice that is owed is shown with its answers,
/// by number.
pub(crate) fn prompt(out: &mut impl Write, game: &Game, shown: &mut Vec<Offer>) -> io::Result<()> {
    let battle = game.now();
    let awaiting = journal::Battle::awaiting(battle);
    let Some(side) = awaiting.side else {
        write!(out, "The battle is over. > ")?;
        return out.flush();
    };
    let step = match &awaiting.choice {
        Some(choice) => {
            writeln!(out, "{}", owed(choice))?;
            *shown = view::choice_offers(game);
            options(out, shown)?;
            format!("a choice for {}", choice.unit())
        }
        None => {
            format!("{}{}", phase_name(awaiting.phase), listed(battle, side))
        }
    };
    write!(out, "Turn {}, {}: {step} > ", battle.turn(), game.scenario.side(side).name)?;
    out.flush()
}

/// What a choice is about.
fn owed(choice: &Pending) -> String {
    match choice {
        Pending::Answer { unit, charger } => {
            format!(
                "{unit} is charged by {charger}. Type stand, a word of an option, or its number:"
            )
        }
        Pending::GoBack { unit, .. } => {
            format!("{unit} is beaten and goes back. Type stand to go as the result says, or:")
        }
        Pending::GoOn { unit, .. } => {
            format!("{unit} has won its combat. Type stand, carry, recall, or a number:")
        }
        Pending::Breakthrough { unit, .. } => {
            format!("{unit} has broken through. Type stand, advance INCHES, or a number:")
        }
        Pending::Widen { unit } => {
            format!("{unit} has gone back in open order. Type stand, widen INCHES, or a number:")
        }
        Pending::ChargeMove { unit } | Pending::Forced { unit } => format!("{unit} has a choice:"),
    }
}

/// Those who may act in this step.
fn listed(battle: &Battle, side: Side) -> String {
    let fits = |u: &Unit| match battle.phase() {
        Phase::Checks => u.did.checked.is_none() && !u.did.stood,
        Phase::Charges | Phase::Maneuvers => u.did.owes.is_some(),
        Phase::DefensiveFire | Phase::OffensiveFire => battle.could_fire(u),
        Phase::Combat | Phase::Breakthrough => {
            u.did.charge.as_ref().is_some_and(|c| c.home) && !u.did.fought
        }
        _ => false,
    };
    let here = battle.units().iter().filter(|u| u.present() && u.side() == side);
    let mut names: Vec<String> = here
        .filter(|u| fits(u))
        .map(|u| match u.did.owes {
            Some(pace) => format!("{} ({})", u.id(), word(&pace)),
            None => u.id().to_string(),
        })
        .collect();
    if battle.phase() == Phase::LeaderMoves {
        let rides = |l: &&regimental::battle::Leader| {
            l.card.side == side && l.present() && l.attached.is_none() && !l.moved
        };
        names.extend(battle.leaders().iter().filter(rides).map(|l| l.card.id.to_string()));
    }
    if names.is_empty() { String::new() } else { format!(" [{}]", names.join(", ")) }
}

/// Options by number; what is not legal has no number but says why.
fn options(out: &mut impl Write, offers: &[Offer]) -> io::Result<()> {
    for (i, offer) in offers.iter().enumerate() {
        match &offer.no {
            None => writeln!(out, "  {} {}", i + 1, offer.label)?,
            Some(no) => writeln!(out, "  not {}: {} ({})", offer.label, no.fact, no.rule)?,
        }
    }
    Ok(())
}

/// What may be done now, or what a unit or leader may do, by number.
pub(crate) fn what_may_be_done(
    out: &mut impl Write,
    game: &Game,
    name: &str,
    shown: &mut Vec<Offer>,
) -> io::Result<()> {
    *shown = match (name, Id::new(name)) {
        ("", _) => [view::choice_offers(game), view::step_offers(game)].concat(),
        (_, Some(id)) => view::offers(game, id),
        _ => vec![],
    };
    if shown.is_empty() {
        return writeln!(
            out,
            "{} has nothing to do in this step.",
            if name.is_empty() { "Nobody" } else { name }
        );
    }
    options(out, shown)?;
    if name.is_empty() {
        writeln!(out, "Type options UNIT for what a unit may do.")?;
    }
    Ok(())
}

/// The order that is typed: in words, or the number of an option shown.
pub(crate) fn meant(game: &Game, line: &str, shown: &[Offer]) -> Result<Command, String> {
    let Ok(number) = line.parse::<usize>() else { return phrase::order(game.now(), line) };
    let offer = number.checked_sub(1).and_then(|i| shown.get(i));
    let Some(offer) = offer.filter(|o| o.no.is_none()) else {
        return Err(format!("no option has the number {number}: type options"));
    };
    command(offer.order.clone()).map_err(|no| no.to_string())
}

/// All that is known of a unit or a leader.
pub(crate) fn about(out: &mut impl Write, game: &Game, name: &str) -> io::Result<()> {
    let battle = game.now();
    let id = Id::new(name);
    if let Some(unit) = id.and_then(|id| battle.unit(id)) {
        return of_unit(out, game, unit);
    }
    match id.and_then(|id| battle.leader(id)) {
        Some(leader) => leader_line(out, game, leader),
        None => writeln!(out, "There is no unit and no leader {name}."),
    }
}

fn of_unit(out: &mut impl Write, game: &Game, unit: &Unit) -> io::Result<()> {
    let battle = game.now();
    let card = &unit.card;
    let weapon = card.weapon.as_ref().map_or("no firearms".to_owned(), |w| {
        format!("{} reaching {} inches", w.code, inches(unit.reach()))
    });
    let traits: Vec<String> = card.traits.iter().map(word).collect();
    writeln!(
        out,
        "{}: {} {}, {} of {} stands, {}, {}, {weapon}{}",
        card.name,
        word(&card.class),
        word(&card.branch),
        unit.stands,
        card.strength,
        word(&unit.order),
        word(&unit.freshness),
        if traits.is_empty() { String::new() } else { format!(", {}", traits.join(", ")) }
    )?;
    if !unit.present() {
        return writeln!(out, "  not on the table");
    }
    let commanded = battle.commanded(unit).map_or("out of command".to_owned(), |c| {
        let how = if c.provisional { ", provisionally" } else { "" };
        format!("commanded by {}{how}", c.leader)
    });
    writeln!(
        out,
        "  {}, at {} facing {:.0}, {commanded}{}",
        unit.formation().name(),
        place(unit.place.pose.at),
        unit.place.pose.facing.in_degrees(),
        if unit.low { ", low on ammunition" } else { "" }
    )?;
    let enemies = battle.units().iter().filter(|e| e.present() && e.side() != unit.side());
    if let Some(enemy) = enemies.min_by_key(|e| (e.distance(unit), e.id())) {
        let off = inches(enemy.distance(unit));
        writeln!(out, "  the nearest enemy is {}, {off:.1} inches off", enemy.id())?;
    }
    let targets = battle.targets(unit);
    if matches!(battle.phase(), Phase::DefensiveFire | Phase::OffensiveFire) && !targets.is_empty()
    {
        let each = targets.iter().map(|(e, r)| format!("{e} at {:.1} inches", inches(*r)));
        writeln!(out, "  may fire at {}", each.collect::<Vec<_>>().join(", "))?;
    }
    Ok(())
}

fn leader_line(
    out: &mut impl Write,
    game: &Game,
    leader: &regimental::battle::Leader,
) -> io::Result<()> {
    let at = place(game.now().leader_at(leader));
    let where_to = match leader.attached {
        _ if !leader.present() => "not on the table".to_owned(),
        Some(unit) => format!("with {unit} at {at}"),
        None => format!("alone at {at}"),
    };
    let (card, side) = (&leader.card, &game.scenario.side(leader.card.side).name);
    writeln!(
        out,
        "{} ({}), {side}: {}, {}, {where_to}",
        card.name,
        card.id,
        word(&leader.rating),
        word(&leader.state)
    )
}

pub(crate) fn leaders(out: &mut impl Write, game: &Game) -> io::Result<()> {
    game.now().leaders().iter().try_for_each(|l| leader_line(out, game, l))
}

/// Key positions, and the points of both sides.
pub(crate) fn positions(out: &mut impl Write, game: &Game) -> io::Result<()> {
    let battle = game.now();
    for key in battle.keys() {
        let holder = key.holder.map_or("nobody", |side| &game.scenario.side(side).name);
        writeln!(out, "{} at {}: worth {}, held by {holder}", key.name, place(key.at), key.value)?;
    }
    let points = battle.points();
    for side in Side::BOTH {
        let n = points[side.index()];
        writeln!(out, "{} has {n} points", game.scenario.side(side).name)?;
    }
    Ok(())
}

/// The terrain, each piece with the ground it lies on.
pub(crate) fn terrain(out: &mut impl Write, game: &Game) -> io::Result<()> {
    let field = game.now().field();
    writeln!(out, "The table is {} by {} inches.", inches(field.width), inches(field.height))?;
    for piece in &field.pieces {
        let around = piece.shape.bounds();
        writeln!(
            out,
            "{} {}: from {} to {}",
            word(&piece.kind),
            piece.id,
            place(around.low),
            place(around.high)
        )?;
    }
    Ok(())
}

/// How far a unit could get, in each direction, and why no farther.
pub(crate) fn reach(out: &mut impl Write, game: &Game, name: &str) -> io::Result<()> {
    let battle = game.now();
    let unit = Id::new(name).and_then(|id| battle.unit(id)).filter(|u| u.present());
    let Some(unit) = unit else { return writeln!(out, "There is no unit {name} on the table.") };
    let pace = unit.did.owes.unwrap_or(Pace::WellHandled);
    writeln!(out, "If {}, the front of {name} could come as far as", word(&pace))?;
    for pose in battle.reach(unit, pace, false).outline {
        let way = inches(unit.place.pose.at.distance(pose.at));
        writeln!(out, "  {}, {way:.1} inches from here", place(pose.at))?;
    }
    // Straight on, past all that any table holds: what stops it is the limit.
    let here = unit.place.pose;
    let ahead = Pose::new(here.place(0, 200 * table::INCH), here.facing);
    match battle.plan(unit, pace, ahead, false).stopped {
        Some(no) => {
            writeln!(out, "Straight on it goes no farther because: {}.", no.fact)?;
            says(out, game, &no.rule)?;
            rate(out, game, unit)
        }
        None => Ok(()),
    }
}

/// Every roll of an order with its modifiers and chances, before it is made; if its step has not
/// come yet, as if it had.
pub(crate) fn odds(out: &mut impl Write, game: &Game, command: &Command) -> io::Result<()> {
    let battle = game.now();
    if battle.awaited().is_none() {
        return writeln!(out, "The battle is over.");
    }
    let foretold = match anytime::odds(battle, command) {
        Err(no) => return refusal(out, game, command, &no),
        Ok(foretold) if foretold.rolls.is_empty() => {
            return writeln!(out, "No die is thrown for that.");
        }
        Ok(foretold) => foretold,
    };
    if let Some(supposed) = foretold.supposed {
        writeln!(out, "Its step is not now. These are the odds {supposed}:")?;
    }
    foretold.rolls.iter().try_for_each(|roll| one_roll(out, roll))
}

fn one_roll(out: &mut impl Write, roll: &Preview) -> io::Result<()> {
    let who: Vec<String> = roll.who.iter().map(ToString::to_string).collect();
    let tally = |lines: &[Line]| {
        let each = lines.iter().map(|l| format!("{} {:+}", l.rule, l.value));
        if lines.is_empty() { "no modifiers".into() } else { each.collect::<Vec<_>>().join(", ") }
    };
    writeln!(out, "{}: {}", who.join(" and "), tally(&roll.tally))?;
    if let Some(points) = roll.points {
        let part = |p: &regimental::battle::Part| {
            let stands = if p.stands == 1 { "stand" } else { "stands" };
            let halved = p.halved.join(" and ");
            let halved =
                if halved.is_empty() { halved } else { format!(", halved because {halved}") };
            format!("{} with {} {stands} {}{halved}", p.unit, p.stands, p.points)
        };
        let parts: Vec<String> = roll.firers.iter().map(part).collect();
        writeln!(out, "  {points} fire points: {}", parts.join(", "))?;
    }
    if !roll.against.is_empty() {
        writeln!(out, "  against: {}", tally(&roll.against))?;
    }
    for (effect, chance, does) in &roll.odds {
        writeln!(out, "  {chance:>3} % {effect}: {does}")?;
    }
    for (what, chance) in &roll.besides {
        writeln!(out, "  {chance:>3} % {}", what.replace('-', " "))?;
    }
    Ok(())
}

/// Why an order did nothing, what the clause says that forbids it, and what could be ordered.
pub(crate) fn refused(
    out: &mut impl Write,
    game: &Game,
    command: &Command,
    refused: &Refused,
) -> io::Result<()> {
    match refused {
        Refused::Rules(no) => refusal(out, game, command, no),
        other => writeln!(out, "No: {other}"),
    }
}

fn refusal(out: &mut impl Write, game: &Game, command: &Command, no: &No) -> io::Result<()> {
    let battle = game.now();
    let instead = no.instead.as_ref().map_or_else(String::new, |words| format!("; {words}"));
    writeln!(out, "No: {}{instead}.", no.fact)?;
    says(out, game, &no.rule)?;
    if no.rule.starts_with("sequence.") {
        writeln!(out, "Now it is this: {}", view::prompt(&game.scenario, battle))?;
    }
    let (Command::Go { unit, .. } | Command::Maneuver { unit, .. } | Command::Charge { unit, .. }) =
        command
    else {
        return Ok(());
    };
    let Some(unit) = battle.unit(*unit) else { return Ok(()) };
    if ["ruling.charge-declaration", "troop-maneuvers.well-handled.full-move"].contains(&&*no.rule)
        || no.rule.contains("half-move")
    {
        rate(out, game, unit)?;
    }
    if let (Command::Go { to, disordered, .. }, Some(pace)) = (command, unit.did.owes) {
        let plan = battle.plan(unit, pace, *to, *disordered);
        if !plan.steps.is_empty() {
            let (at, facing) = (plan.end.at, plan.end.facing.in_degrees());
            writeln!(out, "The nearest it gets: go {} {} {facing:.0}", unit.id(), place(at))?;
        }
    }
    Ok(())
}

/// The clause with the rate of a unit, in the formation it has.
fn rate(out: &mut impl Write, game: &Game, unit: &Unit) -> io::Result<()> {
    let name = format!("movement.{}.{}.open", word(&unit.card.branch), unit.formation().name());
    match game.scenario.book.book.clause(&name) {
        Some(_) => says(out, game, &name),
        None => Ok(()),
    }
}

/// The words of a clause or a ruling, under its name.
fn says(out: &mut impl Write, game: &Game, rule: &str) -> io::Result<()> {
    let book = &game.scenario.book.book;
    let ruling = || book.rulings().iter().find(|r| r.id == rule).map(|r| r.text.as_str());
    let text = book.clause(rule).map(|c| c.says.as_str()).or_else(ruling);
    match text {
        None => writeln!(out, "  ({rule})"),
        Some(text) => {
            let lines = wrap(&format!("{rule}: {text}"), 96);
            lines.iter().try_for_each(|line| writeln!(out, "  {line}"))
        }
    }
}

/// What a clause or a ruling says, by its name or the end of it.
pub(crate) fn rule(out: &mut impl Write, game: &Game, name: &str) -> io::Result<()> {
    let book = &game.scenario.book.book;
    let name = name.trim_matches(['[', ']', '(', ')']);
    if name.is_empty() {
        return writeln!(out, "rule: say which clause, such as `rule musketry.close-range`");
    }
    let clauses = || book.clauses().map(|(_, c)| c.id.as_str());
    let ids = || clauses().chain(book.rulings().iter().map(|r| r.id.as_str()));
    if ids().any(|id| id == name) {
        return says(out, game, name);
    }
    let end = format!(".{name}");
    let found: Vec<&str> = ids().filter(|id| id.ends_with(&end)).take(12).collect();
    if found.is_empty() {
        let near = nearest(name, ids());
        let near = near.map_or_else(String::new, |near| format!(": did you mean {near}?"));
        return writeln!(out, "No clause and no ruling is called `{name}`{near}");
    }
    found.iter().try_for_each(|id| says(out, game, id))
}

/// What a `done` would leave undone now, in words; nothing if nobody could do anything, or if the
/// step may not end yet.
pub(crate) fn left(game: &Game) -> Option<String> {
    let battle = game.now();
    let side = battle.awaited()?;
    journal::Battle::check(battle, side, &Command::Done).ok()?;
    let idle = |u: &&Unit| {
        u.side() == side && u.did.owes != Some(Pace::Hold) && view::has_to_do(battle, u)
    };
    let names: Vec<String> = match battle.phase() {
        Phase::Leaders => {
            let offers = view::step_offers(game).into_iter();
            let enter = offers.filter(|o| o.order["do"] == "enter" && o.no.is_none());
            enter.filter_map(|o| o.order["unit"].as_str().map(str::to_owned)).collect()
        }
        Phase::Checks | Phase::Maneuvers | Phase::DefensiveFire | Phase::OffensiveFire => {
            battle.units().iter().filter(idle).map(|u| u.id().to_string()).collect()
        }
        _ => vec![],
    };
    let (last, others) = names.split_last()?;
    let one = others.is_empty();
    let who = if one { last.clone() } else { format!("{} and {last}", others.join(", ")) };
    let either = |a: &'static str, b: &'static str| if one { a } else { b };
    Some(match battle.phase() {
        Phase::Leaders => format!("{who} could enter the table now."),
        Phase::Checks => format!(
            "{who} {} not checked: unchecked, {} where {} and may only fire.",
            either("has", "have"),
            either("it stays", "they stay"),
            either("it is", "they are")
        ),
        Phase::Maneuvers => format!(
            "{who} {} not moved: {} where {}.",
            either("has", "have"),
            either("it stays", "they stay"),
            either("it is", "they are")
        ),
        _ => format!("{who} could still fire."),
    })
}

/// What happened.
pub(crate) fn happened(
    out: &mut impl Write,
    game: &Game,
    events: &[regimental::battle::Event],
) -> io::Result<()> {
    let lines: Vec<String> =
        events.iter().filter_map(|e| words::describe(&game.scenario, e)).collect();
    if lines.is_empty() {
        return writeln!(out, "Done.");
    }
    lines.iter().try_for_each(|line| writeln!(out, "{line}"))
}
