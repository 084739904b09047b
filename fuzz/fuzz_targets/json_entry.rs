//! Whatever line comes in, one JSON object comes out.
//!
//! `cargo fuzz run -s none json_entry` (cargo install cargo-fuzz)
#![no_main]

use std::sync::OnceLock;

use engine::Library;
use libfuzzer_sys::fuzz_target;

static LIBRARY: OnceLock<Library> = OnceLock::new();

fuzz_target!(|line: &str| {
    let library = LIBRARY.get_or_init(Library::default);
    for odds in [false, true] {
        let mut out = Vec::new();
        if odds { library.odds(line, &mut out) } else { library.resolve(line, &mut out) }
        let answer: serde_json::Value = serde_json::from_slice(&out).expect("an answer is JSON");
        assert!(answer.is_object());
    }
});
