//! The server with its page.

use std::collections::BTreeMap;
use std::io::{IsTerminal, Write};
use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use clap::{Args, ValueHint};
use engine::Library;
use server::{Config, IpNet, Limits};

use crate::failure::Failure;
use crate::sheet;

#[derive(Debug, Args)]
pub(crate) struct Serve {
    /// The address to listen on; 0.0.0.0 lets others in your network play
    #[arg(long, default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    pub(crate) host: IpAddr,
    /// The port; 0 takes any that is free
    #[arg(long, default_value_t = 8088)]
    pub(crate) port: u16,
    /// A name a proxy before this server calls it by; may be repeated
    #[arg(long = "name", value_name = "NAME")]
    pub(crate) names: Vec<String>,
    /// The folder the games are kept in [default: Linstock's folder among your data]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) data: Option<PathBuf>,
    /// Do not open a browser
    #[arg(long)]
    pub(crate) no_open: bool,
    /// Requests a second from one address
    #[arg(long, default_value_t = Limits::default().rate)]
    pub(crate) rate: u32,
    /// A proxy before this server that is believed when it says who asks: its address, or a range
    /// such as 10.0.0.0/8; may be repeated
    #[arg(long = "trust-proxy", value_name = "ADDRESS", value_parser = network)]
    pub(crate) proxies: Vec<IpNet>,
    /// Memory for games, in MB; those nobody asks for are let go, and read again from disk
    #[arg(long, default_value_t = Limits::default().memory >> 20, value_name = "MB")]
    pub(crate) memory: usize,
    /// Disk for games, in MB
    #[arg(long, default_value_t = Limits::default().disk >> 20, value_name = "MB")]
    pub(crate) disk: u64,
    /// Games one address may make in an hour
    #[arg(long, default_value_t = Limits::default().games_an_hour, value_name = "N")]
    pub(crate) games_an_hour: u32,
    /// Games of one address that are kept
    #[arg(long, default_value_t = Limits::default().games_of_one, value_name = "N")]
    pub(crate) games_of_one: u64,
    /// Disk that games of one address may take before it can make no more, in MB
    #[arg(long, default_value_t = Limits::default().bytes_of_one >> 20, value_name = "MB")]
    pub(crate) space_of_one: u64,
    /// Connections of one address at once
    #[arg(long, default_value_t = Limits::default().connections_of_one, value_name = "N")]
    pub(crate) connections_of_one: usize,
    /// Seconds a general that searches may think about a decision
    #[arg(long, default_value_t = 2.0, value_name = "SECONDS")]
    pub(crate) think: f64,
    /// Logs as JSON lines
    #[arg(long)]
    pub(crate) json_logs: bool,
}

/// An address, or a range of them.
fn network(text: &str) -> Result<IpNet, String> {
    let one = || text.parse::<IpAddr>().map(IpNet::from);
    let why = |_| "an address such as 10.0.0.1, or a range such as 10.0.0.0/8".to_owned();
    text.parse::<IpNet>().or_else(|_| one()).map_err(why)
}

/// The folder for a program's data on this system.
pub(crate) fn data_folder() -> PathBuf {
    let var = |name| std::env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from);
    let home = || var("HOME").unwrap_or_else(|| PathBuf::from("."));
    let base = if cfg!(windows) {
        var("APPDATA").unwrap_or_else(|| PathBuf::from("."))
    } else if cfg!(target_os = "macos") {
        home().join("Library/Application Support")
    } else {
        var("XDG_DATA_HOME").unwrap_or_else(|| home().join(".local/share"))
    };
    base.join("linstock")
}

/// The reference sheets of the books, as pages that print on two sides.
fn sheets(library: &Library) -> Result<BTreeMap<String, String>, Failure> {
    let page = |id: &&str| {
        let loaded = library.load(id)?;
        Ok(((*id).to_owned(), sheet::html(&sheet::make(&loaded.book))))
    };
    engine::BOOKS.iter().map(page).collect()
}

pub(crate) fn serve(library: &Library, asked: &Serve) -> Result<(), Failure> {
    let filter = tracing_subscriber::EnvFilter::try_from_default_env()
        .unwrap_or_else(|_| tracing_subscriber::EnvFilter::new("info,sqlx=warn"));
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    if asked.json_logs {
        log.json().init();
    } else {
        log.with_ansi(std::io::stderr().is_terminal()).init();
    }
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|e| Failure::Said(format!("the server cannot begin: {e}")))?;
    let config = Config {
        host: asked.host,
        port: asked.port,
        names: asked.names.clone(),
        proxies: asked.proxies.clone(),
        data: asked.data.clone().unwrap_or_else(data_folder),
        limits: Limits {
            rate: asked.rate,
            memory: asked.memory.saturating_mul(1 << 20),
            disk: asked.disk.saturating_mul(1 << 20),
            games_an_hour: asked.games_an_hour,
            games_of_one: asked.games_of_one,
            bytes_of_one: asked.space_of_one.saturating_mul(1 << 20),
            connections_of_one: asked.connections_of_one,
            think: std::time::Duration::from_secs_f64(if asked.think.is_finite() {
                asked.think.clamp(0.01, 600.0)
            } else {
                2.0
            }),
            ..Limits::default()
        },
        sheets: sheets(library)?,
    };
    runtime.block_on(async {
        let data = config.data.clone();
        #[cfg(unix)]
        let _oversize = survive_oversize();
        let stop = told_to_stop();
        let running = server::start(config).await.map_err(Failure::Said)?;
        let address = format!("http://{}", running.address);
        let mut out = std::io::stdout();
        let _ = writeln!(out, "Linstock is at {address} (games in {})", data.display());
        let _ = writeln!(out, "Press Ctrl-C to stop; nothing is lost.");
        let _ = out.flush();
        if !asked.no_open {
            open_browser(&address);
        }
        stop.await;
        let _ = writeln!(out, "Stopping.");
        running.stop().await;
        Ok(())
    })
}

/// Where files may not grow beyond a size, the system would end the program that tries. The server
/// lives on, and answers that there is no room.
#[cfg(unix)]
fn survive_oversize() -> Option<tokio::signal::unix::Signal> {
    const SIGXFSZ: i32 = 25;
    tokio::signal::unix::signal(tokio::signal::unix::SignalKind::from_raw(SIGXFSZ)).ok()
}

/// Ctrl-C, or the system asking the program to end. It listens from the call on, not only from
/// when it is waited for.
fn told_to_stop() -> impl Future<Output = ()> {
    #[cfg(unix)]
    let end = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate());
    async move {
        #[cfg(unix)]
        if let Ok(mut end) = end {
            tokio::select! {
                _ = tokio::signal::ctrl_c() => {}
                _ = end.recv() => {}
            }
            return;
        }
        let _ = tokio::signal::ctrl_c().await;
    }
}

/// Opens the page where there is a browser; otherwise the address is on the terminal.
fn open_browser(address: &str) {
    let screen = cfg!(any(windows, target_os = "macos"))
        || std::env::var_os("DISPLAY").is_some()
        || std::env::var_os("WAYLAND_DISPLAY").is_some();
    if !screen {
        return;
    }
    let opener: &[&str] = if cfg!(windows) {
        &["cmd", "/C", "start", ""]
    } else if cfg!(target_os = "macos") {
        &["open"]
    } else {
        &["xdg-open"]
    };
    let _ = Command::new(opener[0])
        .args(&opener[1..])
        .arg(address)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
}
