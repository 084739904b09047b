//! Who commands a side in the lab: a level, with a temper, a budget and a doctrine of its own.

use std::fmt;
use std::fs;
use std::path::Path;

use general::{Doctrine, LEVELS, Limit, Mind, Temper};

/// Orders a general tries out for a decision, if nothing else is said. Counted, not timed: so that
/// the same seed is the same battle on every machine.
pub const NODES: u64 = 8_000;

/// Who commands a side, as written: `colonel`, `general:20000`, `colonel/bold`,
/// `colonel@doctrine.toml`.
#[derive(Debug, Clone, PartialEq)]
pub struct Player {
    written: String,
    level: String,
    temper: Option<Temper>,
    nodes: u64,
    doctrine: Option<Doctrine>,
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.written)
    }
}

impl Player {
    /// Reads a player.
    ///
    /// # Errors
    /// What is wrong with it, and what would be right.
    pub fn read(written: &str) -> Result<Self, String> {
        let (rest, doctrine) = match written.split_once('@') {
            Some((rest, file)) => (rest, Some(read_doctrine(Path::new(file))?)),
            None => (written, None),
        };
        let (rest, nodes) = match rest.split_once(':') {
            Some((rest, nodes)) => {
                let nodes = nodes
                    .replace('_', "")
                    .parse()
                    .map_err(|_| format!("`{nodes}` is no number of nodes: write general:20000"))?;
                (rest, nodes)
            }
            None => (rest, NODES),
        };
        let (level, temper) = match rest.split_once('/') {
            Some((level, temper)) => {
                let names = Temper::ALL.map(|t| t.0).join(", ");
                let found = Temper::named(temper)
                    .ok_or_else(|| format!("there is no temper `{temper}`: {names}"))?;
                (level, Some(found))
            }
            None => (rest, None),
        };
        if !LEVELS.iter().any(|l| l.id == level) {
            let names: Vec<&str> = LEVELS.iter().map(|l| l.id).collect();
            return Err(format!("there is no level `{level}`: {}", names.join(", ")));
        }
        let level = level.to_owned();
        Ok(Self { written: written.to_owned(), level, temper, nodes, doctrine })
    }

    /// The mind that plays, with its own dice, in the temper the scenario gives the side unless
    /// the player has one.
    #[must_use]
    pub fn mind(&self, seed: &str, of_scenario: Temper) -> Mind {
        let mind = Mind::new(&self.level, seed);
        let mind = match self.doctrine {
            Some(doctrine) => mind.with_doctrine(doctrine),
            None => mind,
        };
        mind.with_temper(self.temper.unwrap_or(of_scenario)).with_limit(Limit::Nodes(self.nodes))
    }

    /// Everything that decides how it plays, for telling two runs apart.
    #[must_use]
    pub fn fingerprint(&self) -> String {
        format!("{} {} {:?} {:?}", self.level, self.nodes, self.temper, self.doctrine)
    }
}

fn read_doctrine(file: &Path) -> Result<Doctrine, String> {
    let text = fs::read_to_string(file).map_err(|e| format!("{}: {e}", file.display()))?;
    toml::from_str(&text).map_err(|e| format!("{}: {e}", file.display()))
}
