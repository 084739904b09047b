//! The map of a battle as a picture (SVG) and as text.

use std::fmt::Write as _;

use regimental::battle::card::Branch;
use regimental::battle::state::Unit;
use regimental::battle::terrain::{Kind, Piece};
use regimental::battle::{Battle, Side};
use regimental::maneuver::Order;
use table::{Outline, Point, inches};

use crate::Scenario;

pub use crate::text_map::text;

/// Pixels of an inch at the usual size.
const SCALE: f64 = 14.0;
const MARGIN: f64 = 2.0;

fn esc(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

struct Sheet<'s> {
    battle: &'s Battle,
    height: f64,
    svg: String,
}

impl Sheet<'_> {
    fn xy(&self, p: Point) -> (f64, f64) {
        (inches(p.x), self.height - inches(p.y))
    }

    fn path(&self, points: &[Point], closed: bool) -> String {
        let mut d = String::new();
        for (i, p) in points.iter().enumerate() {
            let (x, y) = self.xy(*p);
            let _ = write!(d, "{}{x:.3} {y:.3}", if i == 0 { "M" } else { "L" });
        }
        if closed {
            d.push('Z');
        }
        d
    }

    /// A closed outline, true to its corners but for the last half inch.
    fn soft(&self, points: &[Point]) -> String {
        let n = points.len();
        let toward = |from: Point, to: Point| {
            let way = (from.distance(to) / 2).min(table::INCH * 3 / 5);
            self.xy(from.on_the_way(to, way))
        };
        let mut d = String::new();
        for i in 0..n {
            let (before, at, after) = (points[(i + n - 1) % n], points[i], points[(i + 1) % n]);
            let (a, c, b) = (toward(at, before), self.xy(at), toward(at, after));
            let start = if i == 0 { 'M' } else { 'L' };
            let _ = write!(
                d,
                "{start}{:.2} {:.2}Q{:.2} {:.2} {:.2} {:.2}",
                a.0, a.1, c.0, c.1, b.0, b.1
            );
        }
        d.push('Z');
        d
    }

    fn piece(&mut self, piece: &Piece) {
        let points = piece.shape.points().to_vec();
        let id = piece.id;
        let d = match piece.shape.outline() {
            Outline::Area(_) => self.soft(&points),
            Outline::Line(..) => self.path(&points, false),
        };
        let hard = self.path(&points, true);
        let width = match piece.shape.outline() {
            Outline::Line(_, half) => inches(*half) * 2.0,
            Outline::Area(_) => 0.0,
        };
        let svg = &mut self.svg;
        let _ = match piece.kind {
            Kind::Hill | Kind::SteepHill => {
                let steep = if piece.kind == Kind::SteepHill { 0.5 } else { 0.32 };
                write!(
                    svg,
                    "<path class=\"hill\" data-id=\"{id}\" d=\"{d}\" fill-opacity=\"{steep}\"/><path d=\"{d}\" class=\"hachure\"/>"
                )
            }
            Kind::Woods => write!(
                svg,
                "<path data-id=\"{id}\" d=\"{d}\" class=\"wood\" fill=\"url(#trees)\"/>"
            ),
            Kind::DenseWoods => write!(
                svg,
                "<path data-id=\"{id}\" d=\"{d}\" class=\"wood\" fill=\"url(#dense)\"/>"
            ),
            Kind::Jungle => write!(
                svg,
                "<path data-id=\"{id}\" d=\"{d}\" class=\"wood\" fill=\"url(#jungle)\"/>"
            ),
            Kind::Brush => write!(svg, "<path data-id=\"{id}\" d=\"{d}\" fill=\"url(#brush)\"/>"),
            Kind::Field => write!(svg, "<path data-id=\"{id}\" d=\"{hard}\" class=\"field\"/>"),
            Kind::Crops => write!(
                svg,
                "<path data-id=\"{id}\" d=\"{hard}\" class=\"field\" fill=\"url(#crops)\"/>"
            ),
            Kind::Marsh | Kind::Swamp => {
                write!(svg, "<path data-id=\"{id}\" d=\"{d}\" fill=\"url(#marsh)\"/>")
            }
            Kind::Rocky => write!(svg, "<path data-id=\"{id}\" d=\"{d}\" fill=\"url(#rocks)\"/>"),
            Kind::Ravine => write!(svg, "<path data-id=\"{id}\" d=\"{d}\" class=\"ravine\"/>"),
            Kind::Water => write!(svg, "<path data-id=\"{id}\" d=\"{d}\" class=\"water\"/>"),
            Kind::Stream => write!(
                svg,
                "<path data-id=\"{id}\" d=\"{d}\" class=\"bank\" stroke-width=\"{:.2}\"/><path d=\"{d}\" class=\"stream\" stroke-width=\"{:.2}\"/>",
                width.max(0.4),
                (width - 0.25).max(0.3)
            ),
            Kind::Ford => write!(
                svg,
                "<path data-id=\"{id}\" d=\"{d}\" class=\"ford\" stroke-width=\"{:.2}\"/>",
                width.max(0.8)
            ),
            Kind::Bridge => write!(
                svg,
                "<path data-id=\"{id}\" d=\"{d}\" class=\"bridge\" stroke-width=\"{:.2}\"/>",
                width.max(0.8)
            ),
            Kind::Road => {
                let class = if piece.good { "road" } else { "road poor" };
                write!(
                    svg,
                    "<path data-id=\"{id}\" d=\"{d}\" class=\"road-edge\" stroke-width=\"{:.2}\"/><path d=\"{d}\" class=\"{class}\" stroke-width=\"{:.2}\"/>",
                    width * 0.62,
                    width * 0.5
                )
            }
            Kind::Wall => write!(svg, "<path data-id=\"{id}\" d=\"{d}\" class=\"wall\"/>"),
            Kind::Fence => write!(
                svg,
                "<path data-id=\"{id}\" d=\"{d}\" class=\"fence\"/><path d=\"{d}\" class=\"posts\"/>"
            ),
            Kind::Hedge => write!(svg, "<path data-id=\"{id}\" d=\"{d}\" class=\"hedge\"/>"),
            Kind::Works => write!(
                svg,
                "<path data-id=\"{id}\" d=\"{d}\" class=\"works\"/><path d=\"{d}\" class=\"teeth\"/>"
            ),
            Kind::Abatis => write!(svg, "<path data-id=\"{id}\" d=\"{d}\" class=\"abatis\"/>"),
            Kind::Crest => write!(svg, "<path d=\"{d}\" class=\"crest\"/>"),
            Kind::Building | Kind::Village => {
                write!(svg, "<path data-id=\"{id}\" d=\"{hard}\" class=\"house\"/>")
            }
        };
    }

    /// All terrain, and the names on the map.
    fn terrain(&mut self, scenario: &Scenario) {
        let mut pieces: Vec<&Piece> = self.battle.field().pieces.iter().collect();
        pieces.sort_by_key(|p| layer(p.kind));
        for piece in pieces {
            self.piece(piece);
        }
        for (text, at) in scenario.looks.values().filter_map(|look| look.name.as_ref()) {
            let (x, y) = self.xy(*at);
            // Names do not run off the table.
            #[allow(clippy::cast_precision_loss)] // letters of a name
            let half = 0.27 * text.chars().count() as f64 + 0.3;
            let width = inches(self.battle.field().width);
            let x = x.clamp(half.min(width / 2.0), (width - half).max(width / 2.0));
            let _ = write!(
                self.svg,
                "<text class=\"place\" x=\"{x:.2}\" y=\"{y:.2}\">{}</text>",
                esc(text)
            );
        }
    }

    fn unit(&mut self, unit: &Unit) {
        let side = unit.side().index();
        let mut marks = String::new();
        let mut body = String::new();
        for (i, foot) in unit.feet.iter().enumerate() {
            let c = foot.corners.map(|p| self.xy(p));
            let gun = unit.is_guns();
            let class = if unit.order == Order::Broken { "stand broken" } else { "stand" };
            let _ = write!(
                body,
                "<path class=\"{class}\" d=\"M{:.3} {:.3}L{:.3} {:.3}L{:.3} {:.3}L{:.3} {:.3}Z\"/>",
                c[0].0, c[0].1, c[1].0, c[1].1, c[2].0, c[2].1, c[3].0, c[3].1
            );
            // The front edge is white: that is the way it faces.
            let _ = write!(
                body,
                "<path class=\"front\" d=\"M{:.3} {:.3}L{:.3} {:.3}\"/>",
                c[0].0, c[0].1, c[1].0, c[1].1
            );
            let mid =
                |a: (f64, f64), b: (f64, f64)| (f64::midpoint(a.0, b.0), f64::midpoint(a.1, b.1));
            if unit.card.branch == Branch::Cavalry && !unit.place.on_foot {
                let _ = write!(
                    body,
                    "<path class=\"slash\" d=\"M{:.3} {:.3}L{:.3} {:.3}\"/>",
                    c[3].0, c[3].1, c[1].0, c[1].1
                );
            } else if gun {
                let (a, b) = (mid(c[0], c[1]), mid(c[2], c[3]));
                let _ = write!(
                    body,
                    "<path class=\"barrel\" d=\"M{:.3} {:.3}L{:.3} {:.3}\"/>",
                    a.0, a.1, b.0, b.1
                );
                if unit.guns.get(i).is_some_and(|g| g.silenced) {
                    let m = mid(a, b);
                    let _ = write!(
                        marks,
                        "<circle class=\"silenced\" cx=\"{:.3}\" cy=\"{:.3}\" r=\"0.3\"/>",
                        m.0, m.1
                    );
                }
            }
        }
        let (x, y) = self.xy(unit.middle);
        if unit.order == Order::Disordered {
            let _ = write!(
                marks,
                "<circle class=\"disorder\" cx=\"{x:.3}\" cy=\"{y:.3}\" r=\"0.42\"/>"
            );
        }
        let label = esc(&unit.id().to_string());
        let half = inches(unit.bounds.high.y - unit.bounds.low.y) / 2.0;
        let middle = inches(i32::midpoint(unit.bounds.low.y, unit.bounds.high.y));
        let facing = unit.place.pose.facing.in_degrees();
        // Behind the unit, so that the way it faces stays free.
        let up = (91.0..269.0).contains(&facing);
        let ty = self.height - middle + if up { -half - 0.25 } else { half + 0.95 };
        let _ = write!(
            self.svg,
            "<g class=\"unit s{side}\" data-id=\"{label}\"><title>{}: {} stands, {}, {}</title>{body}{marks}<text class=\"name\" x=\"{x:.3}\" y=\"{ty:.3}\">{label} <tspan class=\"n\">{}</tspan></text></g>",
            esc(&unit.card.name),
            unit.stands,
            unit.formation().name().replace('-', " "),
            order_words(unit.order),
            unit.stands
        );
    }

    fn furniture(&mut self, width: f64) {
        let keys: Vec<_> = self.battle.keys().to_vec();
        for key in keys {
            let (x, y) = self.xy(key.at);
            let class = key.holder.map_or("none".to_owned(), |h| format!("s{}", h.index()));
            let _ = write!(
                self.svg,
                "<g class=\"key {class}\"><title>{}: {} points</title><path d=\"M{x:.2} {:.2}l0.35 0.72 0.8 0.11-0.58 0.56 0.14 0.79-0.71-0.37-0.71 0.37 0.14-0.79-0.58-0.56 0.8-0.11z\"/></g>",
                esc(&key.name.to_string()),
                key.value,
                y - 1.1
            );
        }
        for leader in self.battle.leaders().iter().filter(|l| l.present()) {
            let (x, y) = self.xy(self.battle.leader_at(leader));
            let _ = write!(
                self.svg,
                "<g class=\"leader s{}\"><title>{} ({:?})</title><circle cx=\"{x:.3}\" cy=\"{y:.3}\" r=\"0.5\"/><text class=\"who\" x=\"{:.3}\" y=\"{:.3}\">{}</text></g>",
                leader.card.side.index(),
                esc(&leader.card.name),
                leader.rating,
                x + 0.65,
                y + 0.25,
                esc(leader.card.name.rsplit(' ').next().unwrap_or_default())
            );
        }
        // A scale of ten inches and a north arrow.
        let (sx, sy) = (1.0, self.height - 1.0);
        let _ = write!(
            self.svg,
            "<g class=\"scale\"><path d=\"M{sx} {sy}h10M{sx} {:.2}v0.6M{:.2} {:.2}v0.6M{:.2} {:.2}v0.6\"/><text x=\"{:.2}\" y=\"{:.2}\">10 inches</text></g>",
            sy - 0.3,
            sx + 5.0,
            sy - 0.3,
            sx + 10.0,
            sy - 0.3,
            sx,
            sy - 0.55
        );
        let (nx, ny) = (width - 1.6, 2.4);
        let _ = write!(
            self.svg,
            "<g class=\"north\"><path d=\"M{nx} {:.2}l0.55 1.7-0.55-0.35-0.55 0.35z\"/><text x=\"{nx}\" y=\"{:.2}\">N</text></g>",
            ny - 1.6,
            ny + 0.75
        );
    }
}

fn order_words(order: Order) -> &'static str {
    match order {
        Order::Good => "good order",
        Order::Disordered => "disordered",
        Order::Broken => "broken",
    }
}

const STYLE: &str = "\
text{font-family:'EB Garamond','Garamond','Georgia','Times New Roman',serif}\
.hill{fill:#b9925a}.hachure{fill:none;stroke:#8a6a3c;stroke-width:.55;stroke-dasharray:.09 .32;opacity:.75}\
.wood{stroke:#6f8450;stroke-width:.12}.field{fill:#e3d29a;stroke:#b79f5e;stroke-width:.08}\
.ravine{fill:#9a7a4c;opacity:.55}.water{fill:#8fb3c4;stroke:#4f7f96;stroke-width:.15}\
.bank{fill:none;stroke:#4f7f96;stroke-linecap:round;stroke-linejoin:round}.stream{fill:none;stroke:#9dc0cf;stroke-linecap:round;stroke-linejoin:round}\
.ford{fill:none;stroke:#d9c48f;stroke-dasharray:.3 .25}.bridge{fill:none;stroke:#6b4a2a}\
.road-edge{fill:none;stroke:#8f6f45;stroke-linejoin:round}.road{fill:none;stroke:#efdfb4;stroke-linejoin:round}.poor{stroke-dasharray:.9 .35}\
.wall{fill:none;stroke:#6d6a63;stroke-width:.34}.fence{fill:none;stroke:#7b5632;stroke-width:.14}.posts{fill:none;stroke:#7b5632;stroke-width:.42;stroke-dasharray:.12 .68}\
.hedge{fill:none;stroke:#57763b;stroke-width:.45;stroke-dasharray:.5 .12}.works{fill:none;stroke:#7a5a30;stroke-width:.5}.teeth{fill:none;stroke:#7a5a30;stroke-width:.9;stroke-dasharray:.15 .4}\
.abatis{fill:none;stroke:#5e4a2c;stroke-width:.8;stroke-dasharray:.12 .22}.crest{fill:none;stroke:#8a6a3c;stroke-width:.16;stroke-dasharray:.6 .3}\
.house{fill:#7c3f33;stroke:#3f221c;stroke-width:.14}\
.stand{stroke:#20160f;stroke-width:.07;stroke-linejoin:round}.broken{fill-opacity:.45}.front{stroke:#fff8e6;stroke-width:.16;stroke-linecap:round}\
.slash,.barrel{stroke:#fff8e6;stroke-width:.12}.barrel{stroke-width:.22}\
.disorder{fill:#f2c230;stroke:#20160f;stroke-width:.08}.silenced{fill:#20160f;stroke:#fff8e6;stroke-width:.08}\
.name{font-size:.92px;text-anchor:middle;fill:#20160f;paint-order:stroke;stroke:#f3e8cb;stroke-width:.22;stroke-linejoin:round}.n{font-weight:700}\
.who{font-size:.9px;font-style:italic;fill:#20160f;paint-order:stroke;stroke:#f3e8cb;stroke-width:.2}.leader circle{stroke:#fff8e6;stroke-width:.14}\
.place{font-size:1.15px;font-style:italic;text-anchor:middle;fill:#5b4526;letter-spacing:.06em;paint-order:stroke;stroke:#f3e8cb;stroke-width:.25}\
.key path{stroke:#20160f;stroke-width:.08;fill:#d8b64a}.scale path,.north path{stroke:#5b4526;stroke-width:.12;fill:none}.north path{fill:#5b4526}\
.scale text,.north text{font-size:.9px;fill:#5b4526}.north text{text-anchor:middle;font-size:1.1px}\
.title{font-size:2px;fill:#3a2a17;letter-spacing:.04em}.sub{font-size:1px;fill:#5b4526;font-style:italic}";

const PATTERNS: &str = "\
<pattern id=\"trees\" width=\"2.2\" height=\"2\" patternUnits=\"userSpaceOnUse\"><rect width=\"2.2\" height=\"2\" fill=\"#cfd8ac\"/><g fill=\"#8ba268\" stroke=\"#5f7a44\" stroke-width=\".06\"><circle cx=\".6\" cy=\".55\" r=\".36\"/><circle cx=\"1.7\" cy=\"1.45\" r=\".42\"/></g></pattern>\
<pattern id=\"dense\" width=\"1.3\" height=\"1.2\" patternUnits=\"userSpaceOnUse\"><rect width=\"1.3\" height=\"1.2\" fill=\"#b3c48c\"/><g fill=\"#6d8a50\" stroke=\"#4c6737\" stroke-width=\".06\"><circle cx=\".35\" cy=\".35\" r=\".32\"/><circle cx=\"1\" cy=\".9\" r=\".34\"/></g></pattern>\
<pattern id=\"jungle\" width=\"1.1\" height=\"1\" patternUnits=\"userSpaceOnUse\"><rect width=\"1.1\" height=\"1\" fill=\"#9db574\"/><path d=\"M.2 .7l.2-.5.2.5M.7 .95l.2-.5.2.5\" fill=\"none\" stroke=\"#48682f\" stroke-width=\".12\"/></pattern>\
<pattern id=\"brush\" width=\"1.8\" height=\"1.6\" patternUnits=\"userSpaceOnUse\"><rect width=\"1.8\" height=\"1.6\" fill=\"#dcdcb2\"/><path d=\"M.3 .6q.2-.4.4 0M1.1 1.3q.2-.4.4 0\" fill=\"none\" stroke=\"#8a9a5c\" stroke-width=\".1\"/></pattern>\
<pattern id=\"crops\" width=\".7\" height=\".7\" patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(20)\"><rect width=\".7\" height=\".7\" fill=\"#e6d08a\"/><path d=\"M0 .35h.7\" stroke=\"#c2a656\" stroke-width=\".12\"/></pattern>\
<pattern id=\"marsh\" width=\"2.4\" height=\"1.2\" patternUnits=\"userSpaceOnUse\"><rect width=\"2.4\" height=\"1.2\" fill=\"#d3dcc0\"/><path d=\"M.2 .4h.9M.5 .55h.4M1.3 1h.9M1.6 1.12h.3\" stroke=\"#6d97a3\" stroke-width=\".1\"/></pattern>\
<pattern id=\"rocks\" width=\"1.6\" height=\"1.4\" patternUnits=\"userSpaceOnUse\"><rect width=\"1.6\" height=\"1.4\" fill=\"#d5cab0\"/><path d=\"M.3 .7l.25-.4.3.25.05.3zM1 1.3l.2-.35.3.2z\" fill=\"#9c9078\"/></pattern>";

/// The order in which terrain is drawn, the ground first.
pub(crate) fn layer(kind: Kind) -> u8 {
    match kind {
        Kind::Hill | Kind::SteepHill => 0,
        Kind::Field | Kind::Crops | Kind::Marsh | Kind::Swamp | Kind::Ravine => 1,
        Kind::Woods | Kind::DenseWoods | Kind::Jungle | Kind::Brush | Kind::Rocky => 2,
        Kind::Water | Kind::Stream => 3,
        Kind::Ford => 4,
        Kind::Road => 5,
        Kind::Bridge => 6,
        _ => 7,
    }
}

/// The map as a picture.
#[must_use]
pub fn svg(scenario: &Scenario, battle: &Battle) -> String {
    let field = battle.field();
    let (width, height) = (inches(field.width), inches(field.height));
    let mut sheet = Sheet { battle, height, svg: String::new() };
    let head = 4.2;
    let (w, h) = (width + 2.0 * MARGIN, height + 2.0 * MARGIN + head);
    let colors = Side::BOTH.map(|s| scenario.side(s).color.clone());
    let _ = write!(
        sheet.svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{:.2} {:.2} {w:.2} {h:.2}\" width=\"{:.0}\" height=\"{:.0}\" role=\"img\" aria-label=\"{}\"><style>{STYLE}.s0 .stand,.leader.s0 circle{{fill:{}}}.s1 .stand,.leader.s1 circle{{fill:{}}}.key.s0 path{{fill:{}}}.key.s1 path{{fill:{}}}</style><defs>{PATTERNS}</defs>",
        -MARGIN,
        -MARGIN - head,
        w * SCALE,
        h * SCALE,
        esc(&scenario.title),
        colors[0],
        colors[1],
        colors[0],
        colors[1]
    );
    let _ = write!(
        sheet.svg,
        "<rect x=\"{:.2}\" y=\"{:.2}\" width=\"{w:.2}\" height=\"{h:.2}\" fill=\"#f7efd9\"/><rect width=\"{width}\" height=\"{height}\" fill=\"#ece0bd\"/>",
        -MARGIN,
        -MARGIN - head
    );
    let date = match scenario.date.as_str() {
        "" => String::new(),
        date => format!("{}. ", esc(date)),
    };
    let turn = if battle.turn() > 0 {
        format!("Turn {} of {}", battle.turn(), battle.terms().turns)
    } else {
        String::new()
    };
    let _ = write!(
        sheet.svg,
        "<text class=\"title\" x=\"0\" y=\"{:.2}\">{}</text><text class=\"sub\" x=\"0\" y=\"{:.2}\">{date}{} against {}. {turn}</text>",
        -head + 1.4,
        esc(&scenario.title),
        -head + 3.0,
        esc(&scenario.sides[0].name),
        esc(&scenario.sides[1].name)
    );
    let _ = write!(
        sheet.svg,
        "<clipPath id=\"edge\"><rect width=\"{width}\" height=\"{height}\"/></clipPath><g clip-path=\"url(#edge)\">"
    );
    sheet.terrain(scenario);
    for unit in battle.units().iter().filter(|u| u.present()) {
        sheet.unit(unit);
    }
    sheet.svg.push_str("</g>");
    sheet.furniture(width);
    let _ = write!(
        sheet.svg,
        "<rect width=\"{width}\" height=\"{height}\" fill=\"none\" stroke=\"#5b4526\" stroke-width=\".25\"/><rect x=\"-.45\" y=\"-.45\" width=\"{:.2}\" height=\"{:.2}\" fill=\"none\" stroke=\"#5b4526\" stroke-width=\".08\"/></svg>",
        width + 0.9,
        height + 0.9
    );
    sheet.svg
}

/// The ground alone, as the inside of a picture whose unit is the inch.
#[must_use]
pub fn ground(scenario: &Scenario) -> String {
    let battle = &scenario.battle;
    let field = battle.field();
    let (width, height) = (inches(field.width), inches(field.height));
    let mut sheet = Sheet { battle, height, svg: String::new() };
    let _ = write!(
        sheet.svg,
        "<style>.ground{{{STYLE}}}</style><defs>{PATTERNS}<clipPath id=\"edge\"><rect width=\"{width}\" height=\"{height}\"/></clipPath></defs><rect width=\"{width}\" height=\"{height}\" fill=\"#ece0bd\"/><g class=\"ground\" clip-path=\"url(#edge)\">"
    );
    sheet.terrain(scenario);
    sheet.svg.push_str("</g>");
    sheet.svg
}
