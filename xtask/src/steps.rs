//! The checks, one after the other; the first that fails ends them.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use crate::{page, sheets};

/// The root of the project, wherever the command was given.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Runs a program in the root, and says so.
pub(crate) fn run(program: &str, args: &[&str], variables: &[(&str, &str)]) -> Result<(), String> {
    println!("\n── {program} {}", args.join(" "));
    let start = Instant::now();
    let status = Command::new(program)
        .args(args)
        .envs(variables.iter().copied())
        .current_dir(root())
        .status()
        .map_err(|e| format!("{program} cannot be started: {e}"))?;
    println!("── {:.1} s", start.elapsed().as_secs_f64());
    if status.success() { Ok(()) } else { Err(format!("{program} {} failed", args.join(" "))) }
}

/// Whether a program is there.
pub(crate) fn has(program: &str, args: &[&str]) -> bool {
    let quiet =
        Command::new(program).args(args).stdout(Stdio::null()).stderr(Stdio::null()).status();
    quiet.is_ok_and(|s| s.success())
}

/// Every check there is.
pub(crate) fn test() -> Result<(), String> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".into());
    let deny = [("RUSTFLAGS", "")];
    run(&cargo, &["fmt", "--all", "--check"], &[])?;
    run(
        &cargo,
        &["clippy", "--workspace", "--all-targets", "--locked", "--", "-D", "warnings"],
        &deny,
    )?;
    run(
        &cargo,
        &["doc", "--workspace", "--no-deps", "--locked", "--document-private-items"],
        &[("RUSTDOCFLAGS", "-D warnings")],
    )?;
    if has(&cargo, &["deny", "--version"]) {
        run(&cargo, &["deny", "check", "bans", "licenses", "sources"], &[])?;
    } else {
        println!("\n── cargo-deny is not installed here: licences and sources are not checked");
    }
    if has(&cargo, &["nextest", "--version"]) {
        run(&cargo, &["nextest", "run", "--workspace", "--locked", "--no-fail-fast"], &[])?;
    } else {
        run(&cargo, &["test", "--workspace", "--locked", "--no-fail-fast"], &[])?;
    }
    page::test()?;
    sheets::print()
}
