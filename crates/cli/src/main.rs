//! The `linstock` command.

mod args;
mod ask;
mod battle;
mod books;
mod failure;
mod games;
mod jsonl;
mod keeping;
mod lab;
mod play;
mod serve;
mod sheet;
mod shelf;
mod show;
mod style;
mod told;
mod typed;

use std::io::{self, BufWriter, IsTerminal, Write};
use std::process::ExitCode;

use args::{Ask, Cli, Command};
use clap::{CommandFactory, Parser};
use engine::Library;
use failure::Failure;
use jsonl::Question;

/// Games and battles are many small pieces of memory on several threads: a server answers a third
/// more orders with it than with the system's.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let cli = Cli::parse();
    match run(cli.command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => ExitCode::from(failure.report()),
    }
}

fn run(command: Command) -> Result<(), Failure> {
    let mut library = Library::new(Box::new(shelf::Disk));
    match command {
        Command::Resolve(asked) => question(&mut library, Question::Resolve, &asked),
        Command::Odds(asked) => question(&mut library, Question::Odds, &asked),
        Command::Book(command) => books::run(&library, command),
        Command::Scenario(command) => battle::scenario(&library, &command),
        Command::Auto(asked) => battle::auto(&library, &asked),
        Command::Replay(asked) => battle::replay(&library, &asked),
        Command::Run(asked) => battle::run(&library, &asked),
        Command::Serve(asked) => serve::serve(&library, &asked),
        Command::Games(asked) => games::games(&library, asked),
        Command::Backup(asked) => games::backup(&asked),
        Command::Play(asked) => play::play(&library, &asked),
        Command::Verify(asked) => battle::verify(&library, &asked),
        Command::Simulate(asked) => lab::run_simulate(&library, &asked),
        Command::Tournament(asked) => lab::run_tournament(&library, &asked),
        Command::Audit(asked) => lab::run_audit(&library, &asked),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "linstock", &mut script);
            Ok(io::stdout().lock().write_all(&script)?)
        }
        Command::Man { folder } => {
            std::fs::create_dir_all(&folder)?;
            clap_mangen::generate_to(Cli::command(), &folder)?;
            anstream::eprintln!("manual pages written to {}", folder.display());
            Ok(())
        }
    }
}

/// A question in words, or many as JSON lines.
fn question(library: &mut Library, question: Question, asked: &Ask) -> Result<(), Failure> {
    if let Some(check) = &asked.check {
        return ask::answer(library, question, check, asked);
    }
    if let Some(book) = &asked.book {
        library.load(book)?;
        library.set_default(book)?;
    }
    let output = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    match &asked.input {
        Some(path) => {
            let file = std::fs::File::open(path)
                .map_err(|e| Failure::Said(format!("{} cannot be read: {e}", path.display())))?;
            jsonl::answer_all(library, question, file, output)?;
        }
        None => {
            if io::stdin().is_terminal() {
                anstream::eprintln!(
                    "linstock: reading requests as JSON lines; for a question in words name a check, \
                     see linstock odds --help"
                );
            }
            jsonl::answer_all(library, question, io::stdin().lock(), output)?;
        }
    }
    Ok(())
}
