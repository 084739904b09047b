//! A book with the settings that an example is played with.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

use crate::{Library, Loaded, Shelf};

/// One file of house rules.
struct Switched(String);

impl Switched {
    const FILE: &str = "example.toml";
}

impl Shelf for Switched {
    fn fetch(&self, path: &str) -> Result<String, String> {
        if path == Self::FILE { Ok(self.0.clone()) } else { Err(format!("no file {path}")) }
    }

    fn beside(&self, _: &str, extends: &str) -> String {
        extends.to_owned()
    }
}

/// A book with other settings than the usual ones; the book itself if there are none.
pub(super) fn with(
    loaded: &Arc<Loaded>,
    rulings: &BTreeMap<String, String>,
) -> Result<Arc<Loaded>, String> {
    if rulings.is_empty() {
        return Ok(Arc::clone(loaded));
    }
    let mut text = format!("extends = \"{}\"\n[rulings]\n", loaded.book.id);
    for (name, value) in rulings {
        let _ = writeln!(text, "{name} = \"{value}\"");
    }
    let library = Library::new(Box::new(Switched(text)));
    library.get(Switched::FILE).map_err(|refusal| refusal.message)
}
