//! The command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum, ValueHint};

use crate::battle::{Auto, Play, Replay, Run, ScenarioCommand, Verify};
use crate::games::{Backup, Games};
use crate::lab::{AuditArgs, Simulate, TournamentArgs};
use crate::serve::Serve;

/// Black-powder miniature wargames with the rules exact.
#[derive(Debug, Parser)]
#[command(name = "linstock", version, max_term_width = 100, arg_required_else_help = true)]
#[command(after_help = "\
Examples:
  What does a 7 mean?
    linstock resolve fire --book rff-awi-25mm --points 8 --target veteran --if enfiladed --die 7
  How likely is it that they break?
    linstock odds charge --book rff-awi-15mm --attacker infantry,veteran,fresh,cold-steel \\
        --defender infantry,raw,fresh,outnumbered-3-2 --until-decided
  A battle now, in the browser or in plain text:
    linstock serve
    linstock play training-15mm
  How balanced is it?
    linstock simulate cowpens --battles 1000
  The sheet for the table:
    linstock book sheet rff-awi-15mm --format html --output sheet.html")]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Say what a roll means: conditions and dice in, the rulebook's result out
    ///
    /// Without a check, reads requests as JSON lines and answers each with a line.
    Resolve(Ask),
    /// Say how likely each result is, exactly, before anybody rolls
    ///
    /// Without a check, reads requests as JSON lines and answers each with a line.
    Odds(Ask),
    /// Look into the rulebooks: clauses, rulings, reference sheets, differences
    #[command(subcommand)]
    Book(BookCommand),
    /// Check, list and show scenarios
    #[command(subcommand)]
    Scenario(ScenarioCommand),
    /// Play a battle with random legal orders, or by computer generals, and tell how it went
    Auto(Auto),
    /// Tell a saved battle again
    Replay(Replay),
    /// Play orders from a file: JSON lines in, events or refusals out
    Run(Run),
    /// Serve the page: battles in the browser, against the computer, a friend, or by link
    Serve(Serve),
    /// The games of a server, for its operator: list, show, export, delete
    Games(Games),
    /// Copy all games of a server into one file, whole, while it runs
    Backup(Backup),
    /// Play a battle in plain text, orders typed in words
    Play(Play),
    /// Check every die of a save against its seed
    Verify(Verify),
    /// Fight a scenario many times and report how balanced it is, and why
    Simulate(Simulate),
    /// Let generals fight each other and rate them
    Tournament(TournamentArgs),
    /// Say how much of a saved battle was dice, and how much generalship
    Audit(AuditArgs),
    /// Print a completion script for your shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Write the manual pages into a folder
    Man {
        /// The folder
        #[arg(value_hint = ValueHint::DirPath)]
        folder: PathBuf,
    },
}

/// A check and what is known about it. Each check takes some of these; it says
/// which if it is given another.
#[derive(Debug, Args)]
pub(crate) struct Ask {
    /// The check: fire, charge, maneuver, melee, morale … (none: read JSON lines)
    pub(crate) check: Option<String>,
    /// The rulebook: its id, or the path of a house-rule file
    #[arg(long, short, value_name = "BOOK")]
    pub(crate) book: Option<String>,
    /// Something that holds and counts as a modifier; may be shortened, may be repeated
    #[arg(long = "if", value_name = "CONDITION")]
    pub(crate) conditions: Vec<String>,
    /// Read JSON lines from this file instead of standard input
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) input: Option<PathBuf>,
    /// Answer with a line of JSON instead of a table
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) dice: Dice,
    #[command(flatten)]
    pub(crate) sides: Sides,
    #[command(flatten)]
    pub(crate) fields: Fields,
}

/// What was rolled.
#[derive(Debug, Args)]
#[command(next_help_heading = "What was rolled (for resolve)")]
pub(crate) struct Dice {
    /// The die: 1 to 10, the 0 face is 10
    #[arg(long, value_name = "N")]
    pub(crate) die: Option<i64>,
    /// Several dice, with commas between them
    #[arg(long, value_name = "N,N,…", value_delimiter = ',')]
    pub(crate) dice: Vec<i64>,
    /// The second die of a failed morale check
    #[arg(long, value_name = "N")]
    pub(crate) loss_die: Option<i64>,
}

/// The two sides of a combat.
#[derive(Debug, Args)]
#[command(next_help_heading = "Two sides (charge, close-combat, melee)")]
pub(crate) struct Sides {
    /// The attacker in words with commas between them: arm, state, conditions, name=number
    ///
    /// Regimental: infantry,veteran,fresh,cold-steel,disordered,die=7.
    /// Rise and Fight Again: infantry,column,score=9,elite-charge.
    /// Fire and Discipline: castings=8,grade=3,charging,mounted,lance
    #[arg(long, value_name = "WORDS")]
    pub(crate) attacker: Option<String>,
    /// The defender, in the same way
    #[arg(long, value_name = "WORDS")]
    pub(crate) defender: Option<String>,
    /// Roll a Desperate Struggle again until somebody gives way
    #[arg(long)]
    pub(crate) until_decided: bool,
}

/// Everything else a check may want to know.
#[derive(Debug, Args)]
#[command(next_help_heading = "What the check is about")]
pub(crate) struct Fields {
    /// Who checks or fires: troops, guns; small-arms, artillery; foot, mounted, artillery
    #[arg(long)]
    pub(crate) arm: Option<String>,
    /// State of the unit that maneuvers: good, disordered, broken
    #[arg(long)]
    pub(crate) order: Option<String>,
    /// The unit is out of command (Triple Alliance)
    #[arg(long)]
    pub(crate) out_of_command: bool,
    /// Fire points in all
    #[arg(long, value_name = "N")]
    pub(crate) points: Option<f64>,
    /// Stands that fire, as WEAPON:STANDS@INCHES, with :halved behind it if they are; may be repeated
    #[arg(long, value_name = "M:6@4")]
    pub(crate) firer: Vec<String>,
    /// Fire of small arms or with guns in it: musketry, cannonade
    #[arg(long)]
    pub(crate) kind: Option<String>,
    /// Experience of the target: elite, veteran, trained, raw
    #[arg(long, value_name = "CLASS")]
    pub(crate) target: Option<String>,
    /// The target is guns with so many stands, not troops
    #[arg(long, value_name = "STANDS")]
    pub(crate) gun_stands: Option<i64>,
    /// Of those gun stands, so many are silenced already
    #[arg(long, value_name = "STANDS")]
    pub(crate) silenced: Option<i64>,
    /// The target is disordered already
    #[arg(long)]
    pub(crate) disordered: bool,
    /// The target is charging: yes, cold-steel
    #[arg(long)]
    pub(crate) charging: Option<String>,
    /// Morale level: spirited, reliable, unreliable, dispirited
    #[arg(long)]
    pub(crate) morale: Option<String>,
    /// Stands at the start; or the skirmishing stands: musket,rifle,combined
    #[arg(long, value_name = "N or LIST")]
    pub(crate) stands: Option<String>,
    /// Stands lost so far
    #[arg(long, value_name = "N")]
    pub(crate) lost: Option<i64>,
    /// Current Fatigue Score
    #[arg(long, value_name = "N")]
    pub(crate) score: Option<i64>,
    /// Castings on the stand
    #[arg(long, value_name = "N")]
    pub(crate) castings: Option<i64>,
    /// Morale grade, 0 to 4
    #[arg(long, value_name = "N")]
    pub(crate) grade: Option<i64>,
    /// Weapon: musket, rifle, carbine …
    #[arg(long)]
    pub(crate) weapon: Option<String>,
    /// Range, in the book's own measure: inches or yards
    #[arg(long, value_name = "N")]
    pub(crate) range: Option<f64>,
    /// Weight of the gun's shot
    #[arg(long, value_name = "N")]
    pub(crate) pounder: Option<i64>,
    /// Howitzers and mortars: shell
    #[arg(long)]
    pub(crate) shell: bool,
    /// Guns in the section
    #[arg(long, value_name = "N")]
    pub(crate) guns: Option<i64>,
    /// Gun hits the section has taken
    #[arg(long, value_name = "N")]
    pub(crate) gun_hits: Option<i64>,
    /// The section that is hit is limbered
    #[arg(long)]
    pub(crate) limbered: bool,
    /// An enemy stand is within 100 yards
    #[arg(long)]
    pub(crate) enemy_within_100: bool,
    /// What the commander's stand went through: fire, melee-passed, melee-failed
    #[arg(long)]
    pub(crate) situation: Option<String>,
    /// Troops of the movement table, such as infantry.line
    #[arg(long)]
    pub(crate) troops: Option<String>,
    /// Ground: open, broken, rough, road
    #[arg(long)]
    pub(crate) ground: Option<String>,
    /// Year of the battle
    #[arg(long, value_name = "YEAR")]
    pub(crate) year: Option<i64>,
    /// Pace: field, charge, road, skirmish, tactical, prolong
    #[arg(long)]
    pub(crate) pace: Option<String>,
    /// Formation to change from
    #[arg(long, value_name = "FORMATION")]
    pub(crate) from: Option<String>,
    /// Formation to change to
    #[arg(long, value_name = "FORMATION")]
    pub(crate) to: Option<String>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum BookCommand {
    /// List the books
    List,
    /// Show a clause: its words, its figures, where it is printed
    Show {
        /// The id of the clause or ruling, or the end of it
        clause: String,
        /// Only in this book
        #[arg(long, short)]
        book: Option<String>,
    },
    /// Find clauses and rulings by their words
    Search {
        /// The words
        #[arg(required = true)]
        words: Vec<String>,
        /// Only in this book
        #[arg(long, short)]
        book: Option<String>,
    },
    /// Make the reference sheet of a book
    Sheet {
        /// The book, or a house-rule file
        book: String,
        /// What to make
        #[arg(long, short, value_enum, default_value_t = Format::Terminal)]
        format: Format,
        /// Write to this file instead of the screen
        #[arg(long, short, value_name = "FILE", value_hint = ValueHint::FilePath)]
        output: Option<PathBuf>,
    },
    /// Compare two books: clauses that differ, and the odds that move
    Diff {
        /// The one book, or a house-rule file
        a: String,
        /// The other
        b: String,
    },
    /// List what the sheet leaves open and how it is ruled here
    Rulings {
        /// The book
        book: String,
        /// Only those that a house-rule file can switch
        #[arg(long)]
        settings: bool,
    },
    /// Count the clauses that tests hold fast, those that wait, and those no test can reach
    Ledger {
        /// Name the clauses that wait and cannot be tested
        #[arg(long)]
        all: bool,
    },
}

/// How a reference sheet is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For reading in the terminal
    Terminal,
    /// Markdown
    Markdown,
    /// A page that prints on two sides of A4 or Letter
    Html,
}
