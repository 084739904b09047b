//! House-rule files on disk.

use std::fs;
use std::path::Path;

use engine::Shelf;

/// Reads house-rule files from the file system, relative to where we are and
/// to each other.
#[derive(Debug)]
pub(crate) struct Disk;

/// House rules are small. Anything larger is not one.
const LARGEST: u64 = 4 << 20;

impl Shelf for Disk {
    fn fetch(&self, path: &str) -> Result<String, String> {
        let size = fs::metadata(path).map_err(|e| format!("{path} cannot be read: {e}"))?.len();
        if size > LARGEST {
            return Err(format!("{path} has {size} bytes: too large for a house-rule file"));
        }
        let bytes = fs::read(path).map_err(|e| format!("{path} cannot be read: {e}"))?;
        String::from_utf8(bytes).map_err(|_| format!("{path} is not a text in UTF-8"))
    }

    fn beside(&self, path: &str, extends: &str) -> String {
        let folder = Path::new(path).parent().unwrap_or_else(|| Path::new(""));
        folder.join(extends).to_string_lossy().into_owned()
    }
}
