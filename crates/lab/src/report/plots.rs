//! The plots of a report. The one place that knows the plotting library.

use kuva::plot::{BarPlot, ForestPlot, LinePlot};
use kuva::render::layout::Layout;
use kuva::render::plots::Plot;

use crate::audit::Audit;
use crate::interval::count;
use crate::tally::Summary;
use crate::what_if::Effect;

const INK: &str = "#4a3a22";
const FONT: &str = "Georgia, 'Times New Roman', serif";

fn drawn(name: &str, plots: Vec<Plot>, layout: Layout) -> String {
    let layout = layout.with_font_family(FONT).with_show_grid(true).with_tick_size(11);
    let layout = layout.with_label_size(12).with_title_size(14);
    scaled(named(name, &kuva::render_to_svg(plots, layout)))
}

/// The library numbers its clipping paths through the life of the program; here they are named
/// after their plot, so that the same report is the same text.
fn named(name: &str, svg: &str) -> String {
    let mut parts = svg.split("kuva-clip-");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        out.push_str(name);
        out.push_str(part.trim_start_matches(|c: char| c.is_ascii_digit()));
    }
    out
}

/// The library gives a picture of fixed size; with a view box the page may scale it.
fn scaled(svg: String) -> String {
    let number = |name: &str| {
        let from = svg.find(&format!("{name}=\""))? + name.len() + 2;
        let to = from + svg[from..].find('"')?;
        svg[from..to].trim_end_matches("px").parse::<f64>().ok()
    };
    match (number("width"), number("height")) {
        (Some(w), Some(h)) if !svg.contains("viewBox") => {
            svg.replacen("<svg", &format!("<svg viewBox=\"0 0 {w} {h}\""), 1)
        }
        _ => svg,
    }
}

/// How clear the victories were: battles by the lead of the first side, in the winner's colour.
pub(super) fn margins(summary: &Summary, colors: [&str; 2], margin: i32) -> String {
    let step = step(summary.margins.iter().map(|m| m.0));
    // Bins end where a victory begins: the draws are one of them.
    let bin = |lead: i32| match lead {
        l if l >= margin => 1 + (l - margin) / step,
        l if l <= -margin => -1 - (-l - margin) / step,
        _ => 0,
    };
    let mut bins: std::collections::BTreeMap<i32, u64> = std::collections::BTreeMap::new();
    for (lead, battles) in &summary.margins {
        *bins.entry(bin(*lead)).or_default() += battles;
    }
    let (Some(first), Some(last)) = (bins.keys().next(), bins.keys().last()) else {
        return String::new();
    };
    let mut bars = BarPlot::new().with_width(0.9);
    for bin in *first..=*last {
        let near = margin + (bin.abs() - 1) * step;
        let ends = match bin.signum() {
            1 => (near, near + step - 1),
            -1 => (-near - step + 1, -near),
            _ => (1 - margin, margin - 1),
        };
        let label = match ends {
            (a, b) if a == b => format!("{a:+}"),
            (a, b) => format!("{a:+} to {b:+}"),
        };
        let color = match bin.signum() {
            1 => colors[0],
            -1 => colors[1],
            _ => "#b9a888",
        };
        let battles = bins.get(&bin).copied().unwrap_or(0);
        bars = bars.with_colored_bar(label, count(battles), color);
    }
    let plots: Vec<Plot> = vec![bars.into()];
    let layout = Layout::auto_from_plots(&plots)
        .with_width(620.0)
        .with_height(280.0)
        .with_x_label(format!("Lead of {} at the end, in points", summary.sides[0]))
        .with_y_label("Battles")
        .with_x_tick_rotate(-45.0);
    drawn("margins", plots, layout)
}

/// Bins so wide that there are not many more than two dozen.
fn step(values: impl Iterator<Item = i32> + Clone) -> i32 {
    let low = values.clone().min().unwrap_or(0);
    let high = values.max().unwrap_or(0);
    ((high - low) / 24 + 1).max(1)
}

/// How the lead goes over the turns: half of the battles below the line, eight of ten in the band.
pub(super) fn leads(summary: &Summary) -> String {
    let turns: Vec<&crate::tally::Lead> = summary.leads.iter().filter(|l| l.battles > 0).collect();
    let at = |l: &&crate::tally::Lead| f64::from(u32::try_from(l.turn).unwrap_or(0));
    let line = LinePlot::new()
        .with_data(turns.iter().map(|l| (at(l), f64::from(l.middle))))
        .with_band(turns.iter().map(|l| f64::from(l.low)), turns.iter().map(|l| f64::from(l.high)))
        .with_color(INK)
        .with_stroke_width(2.0);
    let level = LinePlot::new()
        .with_data([(1.0, 0.0), (turns.last().map_or(1.0, at), 0.0)])
        .with_color("#a08a60")
        .with_dashed();
    let plots: Vec<Plot> = vec![line.into(), level.into()];
    let layout = Layout::auto_from_plots(&plots)
        .with_width(620.0)
        .with_height(280.0)
        .with_x_label("Turn")
        .with_x_tick_step(1.0)
        .with_y_label(format!("Lead of {}", summary.sides[0]));
    drawn("leads", plots, layout)
}

/// Battles by turn.
pub(super) fn by_turn(id: &str, turns: &[(u8, u64)], what: &str, color: &str) -> String {
    let bars = BarPlot::new()
        .with_width(0.9)
        .with_bars(turns.iter().map(|(t, n)| (t.to_string(), count(*n))))
        .with_color(color);
    let plots: Vec<Plot> = vec![bars.into()];
    let layout = Layout::auto_from_plots(&plots)
        .with_width(420.0)
        .with_height(230.0)
        .with_x_label(what.to_owned())
        .with_y_label("Battles");
    drawn(id, plots, layout)
}

/// What each change does to the share of victories, in points of a hundred.
pub(super) fn effects(effects: &[Effect]) -> String {
    let mut forest = ForestPlot::new().with_color(INK).with_null_value(0.0);
    for effect in effects {
        let f = effect.wins_more.times(100.0);
        let change = effect.change.clone();
        forest = forest.with_row(change, f.value, f.low.max(-100.0), f.high.min(100.0));
    }
    let plots: Vec<Plot> = vec![forest.into()];
    let rows = count(u64::try_from(effects.len()).unwrap_or(1));
    let layout = Layout::auto_from_plots(&plots)
        .with_width(760.0)
        .with_height(120.0 + 34.0 * rows)
        .with_x_label("Victories of the first side more or fewer, in a hundred battles");
    drawn("effects", plots, layout)
}

/// The lead, and what the dice alone have given, from throw to throw.
pub(super) fn course(audit: &Audit) -> String {
    let (mut lead, mut dice) = (audit.start, 0.0);
    let (mut leads, mut lucks) = (vec![(0.0, lead)], vec![(0.0, 0.0)]);
    for t in &audit.throws {
        lead += t.actual;
        dice += t.luck();
        let at = count(u64::try_from(t.order).unwrap_or(0));
        leads.push((at, lead));
        lucks.push((at, dice));
    }
    let lead = LinePlot::new()
        .with_data(leads)
        .with_color(INK)
        .with_stroke_width(2.0)
        .with_legend("The lead");
    let dice = LinePlot::new()
        .with_data(lucks)
        .with_color("#b0641c")
        .with_stroke_width(2.0)
        .with_dashed()
        .with_legend("Given by the dice");
    let plots: Vec<Plot> = vec![lead.into(), dice.into()];
    let layout = Layout::auto_from_plots(&plots)
        .with_width(900.0)
        .with_height(300.0)
        .with_x_label("Orders")
        .with_y_label(format!("Points for {}", audit.sides[0]));
    drawn("course", plots, layout)
}
