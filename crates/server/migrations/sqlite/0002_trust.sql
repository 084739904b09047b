-- What each line of the journal is sealed with: its own words and all before it. Lines from before
-- this have none, and are held by the seals that follow them.
ALTER TABLE journal ADD COLUMN seal TEXT;

-- Who made a game (a hash of his address), and how many lines it began with: a game that has no more
-- lines was never played.
ALTER TABLE game ADD COLUMN maker TEXT NOT NULL DEFAULT '';
ALTER TABLE game ADD COLUMN began INTEGER NOT NULL DEFAULT 0;
CREATE INDEX game_maker ON game (maker);
CREATE INDEX game_made ON game (made);

-- About how much room each game takes. Apart from `game`, whose rows are long and would be written
-- again with every order.
CREATE TABLE room (
    game  TEXT PRIMARY KEY REFERENCES game (id),
    bytes INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO room (game, bytes)
    SELECT id, length(scenario_text) + 1024
        + coalesce((SELECT sum(length(entry) + 64) FROM journal WHERE journal.game = game.id), 0)
    FROM game;

-- The seat that made the game, and may delete it: the first of each.
ALTER TABLE seat ADD COLUMN maker INTEGER NOT NULL DEFAULT 0;
UPDATE seat SET maker = 1 WHERE rowid IN (SELECT min(rowid) FROM seat GROUP BY game);

-- Every transaction counts one up. Another connection must see the new count before anybody is told
-- that his order is kept. The salt keeps makers' addresses from being guessed.
CREATE TABLE tally (
    one    INTEGER PRIMARY KEY CHECK (one = 1),
    writes INTEGER NOT NULL,
    salt   TEXT NOT NULL
) STRICT;
INSERT INTO tally (one, writes, salt) VALUES (1, 0, lower(hex(randomblob(16))));
