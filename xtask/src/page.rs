//! The page: its types, its style, and the page itself in a real browser.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use crate::sheets;
use crate::steps::{has, root, run};

/// Checks the page's source and plays it in a browser.
pub(crate) fn test() -> Result<(), String> {
    if !has("npm", &["--version"]) {
        return Err("the page is built and tested with Node 20.19 or later: install it".into());
    }
    let npm = |script: &str| {
        let folder = root().join("web");
        let folder = folder.to_string_lossy().into_owned();
        run("npm", &["--prefix", &folder, "run", "--silent", script], &[])
    };
    npm("check")?;
    npm("lint")?;
    npm("test")?;
    browser()
}

/// A server for the tests, ended with them.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Plays the page in a real browser, against a real server on a free port.
pub(crate) fn browser() -> Result<(), String> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".into());
    run(&cargo, &["build", "--locked"], &[])?;
    let chromium = whole_path(&sheets::browser()?);
    let program = root().join("target/debug/linstock");
    let data = std::env::temp_dir().join(format!("linstock-browser-{}", std::process::id()));
    let mut child = Command::new(&program)
        .args(["serve", "--no-open", "--port", "0", "--rate", "5000"])
        // The page is also opened by a name that browsers do not trust as they trust this computer.
        .args(["--name", "linstock.test", "--data"])
        .arg(&data)
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|e| format!("the server cannot be started: {e}"))?;
    let out = child.stdout.take();
    let server = Server(child);
    let mut line = String::new();
    if let Some(out) = out {
        BufReader::new(out).read_line(&mut line).map_err(|e| e.to_string())?;
    }
    let url = line.split_whitespace().find(|w| w.starts_with("http://"));
    let url = url.ok_or("the server did not say where it is")?;
    let folder = root().join("web").to_string_lossy().into_owned();
    let program = program.to_string_lossy().into_owned();
    let done = run(
        "npm",
        &["--prefix", &folder, "run", "--silent", "browser"],
        &[("LINSTOCK_URL", url), ("LINSTOCK", &program), ("CHROMIUM", &chromium)],
    );
    drop(server);
    let _ = std::fs::remove_dir_all(&data);
    done
}

/// Where a program is, if it was found by its name.
fn whole_path(program: &str) -> String {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found =
        std::env::split_paths(&path).map(|folder| folder.join(program)).find(|p| p.is_file());
    found.map_or_else(|| program.to_owned(), |p| p.to_string_lossy().into_owned())
}
