-- A game is its scenario, its seed and its journal. Everything else follows from these.
CREATE TABLE game (
    id            TEXT PRIMARY KEY,
    scenario      TEXT NOT NULL,
    title         TEXT NOT NULL,
    scenario_text TEXT NOT NULL,
    seed          TEXT NOT NULL,
    committed     INTEGER NOT NULL,
    made          INTEGER NOT NULL
) STRICT;

-- Who may do what. Of a token only its hash is kept.
CREATE TABLE seat (
    game       TEXT NOT NULL REFERENCES game (id),
    token_hash TEXT NOT NULL,
    role       TEXT NOT NULL,
    name       TEXT NOT NULL,
    PRIMARY KEY (game, token_hash)
) STRICT;

-- Sides that a computer general plays.
CREATE TABLE general (
    game  TEXT NOT NULL REFERENCES game (id),
    side  TEXT NOT NULL,
    level TEXT NOT NULL,
    PRIMARY KEY (game, side)
) STRICT;

-- The journal. `entry` is a record of the battle, or `undo`, or `redo`.
CREATE TABLE journal (
    game  TEXT NOT NULL REFERENCES game (id),
    rev   INTEGER NOT NULL,
    key   TEXT,
    entry TEXT NOT NULL,
    made  INTEGER NOT NULL,
    PRIMARY KEY (game, rev)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX journal_key ON journal (game, key) WHERE key IS NOT NULL;
