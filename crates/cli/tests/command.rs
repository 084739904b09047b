//! The `linstock` command as a person or a script uses it.
#![allow(clippy::expect_used, clippy::panic)]

use std::fs;
use std::io::Write;
use std::process::{Command, Output, Stdio};

fn linstock(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_linstock"))
        .args(args)
        .stdin(Stdio::null())
        .output()
        .expect("linstock runs")
}

fn piped(args: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_linstock"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("linstock starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let input = input.to_owned();
    let writer = std::thread::spawn(move || stdin.write_all(&input));
    let output = child.wait_with_output().expect("linstock ends");
    let _ = writer.join();
    output
}

fn said(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

fn complained(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty());
    String::from_utf8(output.stderr.clone()).expect("UTF-8")
}

const FIRE: [&str; 10] = [
    "odds",
    "fire",
    "--book",
    "rff-awi-25mm",
    "--points",
    "8",
    "--target",
    "veteran",
    "--charging",
    "cold-steel",
];

#[test]
fn the_odds_of_a_volley_in_words() {
    let text =
        said(&linstock(&[&FIRE[..], &["--if", "enfiladed", "--if", "partial-cover"]].concat()));
    // Eight points 0, enfiladed +2, partial cover -1: a 10 is an 11, Withering; an 8 is a 9, home with cold steel.
    assert!(text.contains("+1  in all"), "{text}");
    assert!(text.contains("fire.modifier.target-enfiladed"), "{text}");
    let row = |name: &str| {
        text.lines().find(|l| l.contains(name)).unwrap_or_else(|| panic!("{name} in {text}"))
    };
    assert!(row("withering fire").contains("10%"), "{text}");
    assert!(row("1 stand lost, disordered, charge goes home").contains("30%"), "{text}");
    assert!(!text.contains('\u{1b}'), "no colour where there is no terminal");
}

#[test]
fn a_name_with_two_meanings_follows_the_target() {
    let guns = said(&linstock(&[
        "odds",
        "fire",
        "--book",
        "rff-awi-25mm",
        "--points",
        "8",
        "--target",
        "raw",
        "--gun-stands",
        "2",
        "--if",
        "enfiladed",
    ]));
    assert!(guns.contains("fire.modifier.gun-enfiladed"), "{guns}");
}

#[test]
fn what_goes_without_saying_is_counted_and_shown() {
    let text = said(&linstock(&[
        "odds",
        "fire",
        "--book",
        "rff-awi-15mm",
        "--points",
        "6",
        "--target",
        "raw",
        "--if",
        "open-order",
        "--if",
        "partial-cover",
    ]));
    assert!(text.contains("fire.modifier.open-order-in-partial-cover"), "{text}");
    assert!(text.contains("-2  in all"), "{text}");
    let charge = said(&linstock(&[
        "resolve",
        "charge",
        "--book",
        "rff-awi-15mm",
        "--attacker",
        "infantry,disordered,die=5",
        "--defender",
        "infantry,die=5",
    ]));
    assert!(charge.contains("charge.modifier.disordered-troops"), "{charge}");
    assert!(charge.contains("falter"), "{charge}");
}

#[test]
fn mistakes_get_a_sentence_and_change_nothing() {
    let typo = complained(&linstock(&[&FIRE[..], &["--if", "partial-covr"]].concat()));
    assert!(typo.contains("did you mean fire.modifier.partial-cover?"), "{typo}");
    let many = complained(&linstock(&[
        "odds",
        "maneuver",
        "--book",
        "rff-awi-25mm",
        "--arm",
        "troops",
        "--order",
        "good",
        "--if",
        "indians",
    ]));
    assert!(many.contains("indians-in-woods or"), "{many}");
    let book = complained(&linstock(&["odds", "fire", "--points", "8"]));
    assert!(book.contains("--book") && book.contains("rff-awi-25mm"), "{book}");
    let check = complained(&linstock(&["odds", "fir", "--book", "rff-awi-25mm"]));
    assert!(check.contains("did you mean fire"), "{check}");
    let field = complained(&linstock(&[
        "odds",
        "fallen-leader",
        "--book",
        "rff-awi-25mm",
        "--points",
        "3",
    ]));
    assert!(field.contains("no field points"), "{field}");
    let flag = complained(&linstock(&["resolve", "fire", "--book", "rff-awi-25mm"]));
    assert!(flag.contains("--target"), "{flag}");
    let die = complained(&linstock(&[
        "resolve",
        "charge",
        "-b",
        "rff-awi-25mm",
        "--attacker",
        "infantry",
        "--defender",
        "infantry",
        "--die",
        "7",
    ]));
    assert!(die.contains("--attacker …,die=7"), "{die}");
    let twice = complained(&linstock(&[
        "odds",
        "charge",
        "-b",
        "rff-awi-25mm",
        "--attacker",
        "infantry,cavalry",
        "--defender",
        "infantry",
    ]));
    assert!(twice.contains("said already"), "{twice}");
    let file = complained(&linstock(&["resolve", "--book", "no-such.toml"]));
    assert!(file.contains("no-such.toml cannot be read"), "{file}");
}

#[test]
fn json_lines_in_and_out() {
    let input = b"{\"book\":\"rff-awi-25mm\",\"check\":\"fallen-leader\",\"die\":7,\"id\":1}\nnonsense\n\xff\n{\"book\":\"rff-awi-25mm\",\"check\":\"fallen-leader\",\"die\":2,\"id\":2}";
    let text = said(&piped(&["resolve"], input));
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 4);
    assert!(lines[0].contains("\"id\":1") && lines[3].contains("\"id\":2"));
    assert!(lines[1].contains("bad-json") && lines[2].contains("not UTF-8"));
    assert_eq!(said(&piped(&["resolve"], b"")), "");
    let odds =
        said(&piped(&["odds"], b"{\"book\":\"rff-awi-25mm\",\"check\":\"fallen-leader\"}\n"));
    assert!(odds.contains("\"ways\":3,\"of\":10"), "{odds}");
}

/// A bot that writes a line and waits for its answer gets it.
#[test]
fn an_answer_comes_before_the_input_ends() {
    use std::io::{BufRead, BufReader};
    let mut child = Command::new(env!("CARGO_BIN_EXE_linstock"))
        .arg("resolve")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("linstock starts");
    let mut input = child.stdin.take().expect("a pipe");
    let mut output = BufReader::new(child.stdout.take().expect("a pipe"));
    for (die, effect) in [(7, "out-one-turn"), (2, "none")] {
        writeln!(input, "{{\"book\":\"rff-awi-25mm\",\"check\":\"fallen-leader\",\"die\":{die}}}")
            .expect("a reader");
        let mut line = String::new();
        output.read_line(&mut line).expect("an answer");
        assert!(line.contains(effect), "{line}");
    }
    drop(input);
    assert!(child.wait().expect("linstock ends").success());
}

#[test]
fn a_line_of_ten_megabytes_is_passed_over() {
    let mut input = vec![b'['; 10 << 20];
    input.extend(b"\n{\"book\":\"rff-awi-25mm\",\"check\":\"fallen-leader\",\"die\":7}\n");
    let text = said(&piped(&["resolve"], &input));
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 2);
    assert!(lines[0].contains("too-large") && lines[1].contains("out-one-turn"));
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let line = "{\"book\":\"rff-awi-25mm\",\"check\":\"fallen-leader\",\"die\":7}\n";
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("many.jsonl");
    fs::write(&path, line.repeat(200_000)).expect("room");
    let mut child = Command::new(env!("CARGO_BIN_EXE_linstock"))
        .args(["resolve", "--input"])
        .arg(&path)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("linstock starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("linstock ends");
    assert!(output.status.success());
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn house_rules_from_a_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("club.toml");
    fs::write(&path, "extends = \"rff-awi-25mm\"\nname = \"club night\"\n[[change]]\nrule = \"fire.modifier.fortified\"\nfigures = { modifier = -4 }\n").expect("room");
    let name = path.to_str().expect("UTF-8");
    let line = b"{\"book\":\"rff-awi-25mm\",\"check\":\"fire\",\"kind\":\"musketry\",\"points\":6,\"die\":8,\"target\":{\"arm\":\"troops\",\"class\":\"raw\"},\"conditions\":[\"fire.modifier.fortified\"]}\n";
    assert!(said(&piped(&["resolve"], line)).contains("\"total\":5"));
    assert!(said(&piped(&["resolve", "--book", name], line)).contains("\"total\":4"));
    let words = said(&linstock(&[
        "odds",
        "fire",
        "--book",
        name,
        "--points",
        "6",
        "--target",
        "raw",
        "--if",
        "fortified",
    ]));
    assert!(words.contains("with house rules: club night") && words.contains("-4"), "{words}");
    let diff = said(&linstock(&["book", "diff", "rff-awi-25mm", name]));
    assert!(diff.contains("modifier -3 → -4"), "{diff}");
    assert!(diff.contains("with fortified") && diff.contains('%'), "{diff}");
    let sheet = said(&linstock(&["book", "sheet", name]));
    assert!(
        sheet.contains("−4  fortified") && sheet.contains("House rules: club night"),
        "{sheet}"
    );

    fs::write(&path, "extends = \"rff-awi-25mm\"\n\n[[change]]\nrule = \"charge.result.swept.range\"\nfigures = { min = 10 }\n").expect("room");
    let hole = complained(&linstock(&["resolve", "--book", name]));
    assert!(hole.contains("club.toml:4:8") && hole.contains("no row for 9"), "{hole}");
    assert!(hole.contains("rule = \"charge.result.swept.range\""), "the line is shown: {hole}");
}

#[test]
fn the_books_can_be_read() {
    let list = said(&linstock(&["book", "list"]));
    for book in engine::BOOKS {
        assert!(list.contains(book), "{list}");
        let sheet = said(&linstock(&["book", "sheet", book, "--format", "markdown"]));
        assert!(sheet.starts_with("# ") && sheet.lines().count() > 100);
        assert!(said(&linstock(&["book", "rulings", book])).contains("Ruling"));
    }
    let show = said(&linstock(&["book", "show", "fire.modifier.fortified"]));
    assert_eq!(show.matches("fire.modifier.fortified").count(), 3, "{show}");
    let ruling = said(&linstock(&["book", "show", "fire-modifier-stacking"]));
    assert!(ruling.contains("higher-only"), "{ruling}");
    let found = said(&linstock(&["book", "search", "cold", "steel", "--book", "rff-awi-15mm"]));
    assert!(found.contains("charge.modifier.cold-steel"), "{found}");
    let none = complained(&linstock(&["book", "search", "zeppelin"]));
    assert!(none.contains("zeppelin"), "{none}");
    let near = complained(&linstock(&["book", "show", "fire.modifier.fortifed"]));
    assert!(near.contains("did you mean fire.modifier.fortified?"), "{near}");
    let ledger = said(&linstock(&["book", "ledger"]));
    assert!(ledger.contains("untestable") && ledger.contains("rff-triple-alliance"), "{ledger}");
    let same = said(&linstock(&["book", "diff", "rff-awi-25mm", "rff-awi-25mm"]));
    assert!(same.contains("no clause and no setting differs"), "{same}");
    let apart = said(&linstock(&["book", "diff", "rff-awi-25mm", "rise-and-fight-again"]));
    assert!(apart.contains("different families"), "{apart}");
}

#[test]
fn every_check_can_be_asked_in_words() {
    for args in [
        "odds maneuver -b rff-triple-alliance --arm troops --order good --out-of-command --if machismo",
        "resolve fire-points -b rff-awi-15mm --firer M:6@4 --firer LG:2@12:halved",
        "odds fallen-leader -b rff-awi-25mm",
        "resolve effectiveness -b rff-awi-25mm --morale dispirited --stands 12 --lost 1",
        "resolve movement-rate -b rff-awi-15mm --troops infantry.line --ground broken",
        "resolve scale -b rff-awi-15mm",
        "odds charge -b rff-triple-alliance --attacker cavalry,veteran,open-ground --defender infantry,raw,hasty-square",
        "odds fire -b rise-and-fight-again --arm small-arms --score 9 --if arms-short-range --if initial-volley",
        "odds fire -b rise-and-fight-again --arm artillery --score 7 --if canister",
        "odds close-combat -b rise-and-fight-again --attacker infantry,line,score=9,british --defender infantry,skirmish,score=6",
        "resolve range -b rise-and-fight-again --pounder 6 --range 12",
        "resolve formation-change -b rise-and-fight-again --arm infantry --from column-road --to skirmish",
        "odds artillery -b fire-and-discipline --pounder 6 --range 150 --guns 2 --if target-adjacent",
        "odds artillery -b fire-and-discipline --shell --range 150 --guns 1",
        "odds hit-location -b fire-and-discipline --limbered",
        "odds musketry -b fire-and-discipline --castings 9 --grade 2 --weapon musket --range 90",
        "odds skirmish -b fire-and-discipline --stands musket,rifle,combined",
        "odds melee -b fire-and-discipline --attacker castings=6,grade=2,charging --defender castings=6,grade=1,holding,firers=6",
        "odds morale -b fire-and-discipline --castings 4 --grade 1 --arm mounted",
        "odds commander -b fire-and-discipline --situation melee-failed",
    ] {
        let words: Vec<&str> = args.split(' ').collect();
        let text = said(&linstock(&words));
        assert!(text.lines().count() >= 3, "{args}: {text}");
    }
}

#[test]
fn completions_and_manual_pages() {
    for shell in ["bash", "zsh", "fish"] {
        assert!(said(&linstock(&["completions", shell])).contains("linstock"));
    }
    let folder = tempfile::tempdir().expect("a folder");
    let output = linstock(&["man", folder.path().to_str().expect("UTF-8")]);
    assert!(output.status.success());
    assert!(
        folder.path().join("linstock.1").exists() && folder.path().join("linstock-odds.1").exists()
    );
}
