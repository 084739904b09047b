//! Builds the browser client with npm and Vite. Without Node there is a page that says so, and a
//! warning; the rest of the program is whole.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::{env, fs, io};

const SOURCES: [&str; 9] = [
    "src",
    "public",
    "index.html",
    "package.json",
    "package-lock.json",
    "vite.config.ts",
    "svelte.config.js",
    "tsconfig.json",
    "../docs/api.json",
];

enum Failed {
    NoNode,
    Said(String),
}

impl From<io::Error> for Failed {
    fn from(e: io::Error) -> Self {
        if e.kind() == io::ErrorKind::NotFound { Self::NoNode } else { Self::Said(e.to_string()) }
    }
}

fn npm(web: &Path, args: &[&OsStr]) -> Result<(), Failed> {
    let name = if cfg!(windows) { "npm.cmd" } else { "npm" };
    let out = Command::new(name)
        .args(args)
        .current_dir(web)
        .env("npm_config_update_notifier", "false")
        .output()?;
    if out.status.success() {
        return Ok(());
    }
    let text = [out.stdout, out.stderr].concat();
    let text = String::from_utf8_lossy(&text);
    let lines: Vec<&str> = text.lines().collect();
    Err(Failed::Said(lines[lines.len().saturating_sub(40)..].join(" / ")))
}

fn build(web: &Path, dist: &Path) -> Result<(), Failed> {
    // One npm at a time, whoever asks for it.
    let lock = fs::File::create(web.join(".build.lock"))?;
    lock.lock()?;
    let wanted = fs::read(web.join("package-lock.json"))?;
    let stamp = web.join("node_modules/.installed-lock");
    if fs::read(&stamp).ok().as_deref() != Some(&wanted[..]) {
        npm(web, &["ci", "--no-audit", "--no-fund", "--prefer-offline"].map(OsStr::new))?;
        fs::write(&stamp, &wanted)?;
    }
    let [run, name, dashes, out] = ["run", "build", "--", "--outDir"].map(OsStr::new);
    npm(web, &[run, name, dashes, out, dist.as_os_str(), OsStr::new("--emptyOutDir")])
}

fn main() -> ExitCode {
    println!("cargo::rerun-if-env-changed=LINSTOCK_WEB_DIST");
    if let Ok(ready) = env::var("LINSTOCK_WEB_DIST") {
        println!("cargo::rerun-if-changed={ready}");
        println!("cargo::rustc-env=WEB_DIST={ready}");
        return ExitCode::SUCCESS;
    }
    let web = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web");
    for source in SOURCES {
        println!("cargo::rerun-if-changed={}", web.join(source).display());
    }
    let dist = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default()).join("web");
    println!("cargo::rustc-env=WEB_DIST={}", dist.display());
    match build(&web, &dist) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failed::NoNode) => {
            println!(
                "cargo::warning=npm was not found: the page only says so. Install Node 20.19 or later and build again."
            );
            let page = "<!doctype html><meta charset=utf-8><title>Linstock</title><h1>No page in this build</h1><p>Linstock was built without Node. Install Node 20.19 or later and build it again; the API at /api works all the same.";
            let written =
                fs::create_dir_all(&dist).and_then(|()| fs::write(dist.join("index.html"), page));
            if written.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
        }
        Err(Failed::Said(why)) => {
            println!("cargo::error=the page in web/ does not build: {why}");
            ExitCode::FAILURE
        }
    }
}
