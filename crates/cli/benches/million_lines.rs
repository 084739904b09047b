//! `linstock resolve` over a file of a million lines, and the time from start
//! to the first answer.
//!
//! `cargo bench -p cli --bench million_lines`
#![allow(clippy::expect_used, clippy::panic, clippy::print_stdout, clippy::unwrap_used)]

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const LINES: u32 = 1_000_000;

fn request(i: u32) -> String {
    let die = i % 10 + 1;
    let points = i % 30 + 1;
    match i % 5 {
        0 => format!(
            r#"{{"id":{i},"book":"rff-awi-25mm","check":"fire","kind":"musketry","points":{points},"target":{{"arm":"troops","class":"veteran","charging":"yes"}},"conditions":["fire.modifier.target-enfiladed","fire.modifier.partial-cover"],"die":{die}}}"#
        ),
        1 => format!(
            r#"{{"id":{i},"book":"rff-awi-15mm","check":"maneuver","arm":"troops","order":"disordered","conditions":["maneuver.modifier.veteran","maneuver.modifier.fresh"],"die":{die}}}"#
        ),
        2 => format!(
            r#"{{"id":{i},"book":"rff-triple-alliance","check":"charge","attacker":{{"arm":"cavalry","disordered":false,"conditions":["charge.modifier.cavalry-open-ground"],"die":{die}}},"defender":{{"arm":"infantry","disordered":true,"conditions":["charge.modifier.raw"],"die":4}}}}"#
        ),
        3 => format!(
            r#"{{"id":{i},"book":"rise-and-fight-again","check":"fire","arm":"small-arms","score":8,"conditions":["fire.modifier.small-arms-short-range"],"die":{die}}}"#
        ),
        _ => format!(
            r#"{{"id":{i},"book":"fire-and-discipline","check":"musketry","castings":6,"grade":1,"weapon":"musket","range":90,"conditions":[],"dice":[{die},3,9]}}"#
        ),
    }
}

/// The most memory a process has had, in kilobytes.
fn peak(pid: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find(|l| l.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

fn run(input: &std::path::Path, lines: u32) -> (f64, Option<u64>) {
    let start = Instant::now();
    let mut child = Command::new(env!("CARGO_BIN_EXE_linstock"))
        .arg("resolve")
        .stdin(File::open(input).expect("the file just written"))
        .stdout(Stdio::null())
        .spawn()
        .expect("linstock starts");
    let mut most = None;
    let status = loop {
        most = peak(child.id()).or(most);
        match child.try_wait().expect("a child") {
            Some(status) => break status,
            None => std::thread::sleep(Duration::from_millis(2)),
        }
    };
    assert!(status.success());
    let spent = start.elapsed().as_secs_f64();
    println!(
        "  {lines:>9} lines  {spent:>7.3} s  {:>9.0} lines a second  peak memory {} kB",
        f64::from(lines) / spent,
        most.map_or("?".into(), |k| k.to_string())
    );
    (spent, most)
}

fn main() {
    let folder = tempfile::tempdir().expect("a folder");
    println!("linstock resolve, requests of all five books");
    for lines in [1, LINES / 10, LINES] {
        let path = folder.path().join(format!("{lines}.jsonl"));
        let mut file = BufWriter::new(File::create(&path).expect("a file"));
        for i in 0..lines {
            writeln!(file, "{}", request(i)).expect("room on the disk");
        }
        file.into_inner().expect("flushed");
        run(&path, lines);
    }
    let path = folder.path().join("1.jsonl");
    let mut starts: Vec<f64> = (0..15)
        .map(|_| {
            let start = Instant::now();
            let done = Command::new(env!("CARGO_BIN_EXE_linstock"))
                .arg("resolve")
                .stdin(File::open(&path).expect("the file"))
                .output()
                .expect("linstock runs");
            assert!(done.stdout.starts_with(b"{\"total\""));
            start.elapsed().as_secs_f64() * 1e3
        })
        .collect();
    starts.sort_by(f64::total_cmp);
    println!(
        "  start to first answer: median {:.1} ms of {}",
        starts[starts.len() / 2],
        starts.len()
    );
}
