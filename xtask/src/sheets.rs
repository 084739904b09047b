//! The reference sheets, printed by a real browser: two sides each, on A4
//! and on Letter.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use engine::BOOKS;

use crate::steps::{has, root, run};

const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "chrome"];

/// The sizes of paper, as a style that asks for them.
const PAPERS: [&str; 2] = ["A4", "Letter"];

pub(crate) fn print() -> Result<(), String> {
    let browser = browser()?;
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".into());
    run(&cargo, &["build", "--package", "cli", "--locked"], &[])?;
    println!("\n── the reference sheets, printed by {browser}");
    let folder = root().join("target/sheets");
    fs::create_dir_all(&folder).map_err(|e| e.to_string())?;
    for book in BOOKS {
        let page = folder.join(format!("{book}.html"));
        let made = Command::new(root().join("target/debug/linstock"))
            .args(["book", "sheet", book, "--format", "html", "--output"])
            .arg(&page)
            .stderr(Stdio::null())
            .status()
            .map_err(|e| format!("linstock cannot be started: {e}"))?;
        if !made.success() {
            return Err(format!("no sheet for {book}"));
        }
        let text = fs::read_to_string(&page).map_err(|e| e.to_string())?;
        for paper in PAPERS {
            let sized = folder.join(format!("{book}-{paper}.html"));
            let style = format!("<style>@page {{ size: {paper}; margin: 7mm; }}</style></head>");
            fs::write(&sized, text.replace("</head>", &style)).map_err(|e| e.to_string())?;
            let pages = pages(&browser, &sized)?;
            println!("   {book:<22} {paper:<6} {pages} sides");
            if pages != 2 {
                return Err(format!("the sheet of {book} takes {pages} sides of {paper}, not two"));
            }
        }
    }
    println!("{} passed, 0 failed", BOOKS.len() * PAPERS.len());
    Ok(())
}

/// Prints a page and counts the sides.
fn pages(browser: &str, page: &Path) -> Result<usize, String> {
    let pdf = page.with_extension("pdf");
    let profile = page.with_extension("profile");
    let page = page.canonicalize().map_err(|e| e.to_string())?;
    let status = Command::new(browser)
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--no-pdf-header-footer",
        ])
        .arg(format!("--user-data-dir={}", profile.display()))
        .arg(format!("--print-to-pdf={}", pdf.display()))
        .arg(format!("file://{}", page.display()))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .map_err(|e| format!("{browser} cannot be started: {e}"))?;
    _ = fs::remove_dir_all(&profile);
    if !status.success() {
        return Err(format!("{browser} did not print {}", page.display()));
    }
    let bytes = fs::read(&pdf).map_err(|e| format!("{browser} printed nothing: {e}"))?;
    // Each side is an object of its own, written in plain text.
    let text = String::from_utf8_lossy(&bytes);
    Ok(text.matches("/Type /Page\n").count().max(text.matches("/Type/Page/").count()))
}

/// The browser that is there, or the one that can be installed.
pub(crate) fn browser() -> Result<String, String> {
    let named = std::env::var("CHROMIUM").ok();
    let known = named.iter().map(String::as_str).chain(BROWSERS);
    if let Some(found) = known.into_iter().find(|b| has(b, &["--version"])) {
        return Ok(found.to_owned());
    }
    println!("\n── no Chromium here: installing Debian's package");
    let installed = run("apt-get", &["update", "-qq"], &[]).and_then(|()| {
        run(
            "apt-get",
            &["install", "-y", "-qq", "chromium"],
            &[("DEBIAN_FRONTEND", "noninteractive")],
        )
    });
    match installed {
        Ok(()) if has("chromium", &["--version"]) => Ok("chromium".into()),
        _ => {
            Err("the printed sheets need Chromium or Chrome: install it, or name it in CHROMIUM"
                .into())
        }
    }
}
