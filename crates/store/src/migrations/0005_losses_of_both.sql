-- A match that both sides lost has the result '0-0'. SQLite cannot change a CHECK, so the table is copied.
CREATE TABLE matches_of_5 (
  seq           INTEGER PRIMARY KEY,
  id            TEXT    NOT NULL UNIQUE,
  run           TEXT    NOT NULL REFERENCES runs (id),
  battle        INTEGER NOT NULL CHECK (battle >= 0),
  half          INTEGER NOT NULL CHECK (half IN (0, 1)),
  game          TEXT    NOT NULL,
  variant       TEXT    NOT NULL,
  rules         TEXT    NOT NULL,
  first_name    TEXT    NOT NULL,
  first_hash    TEXT    NOT NULL,
  second_name   TEXT    NOT NULL,
  second_hash   TEXT    NOT NULL,
  result        TEXT    NOT NULL CHECK (result IN ('1-0', '0-1', '1/2-1/2', '0-0')),
  first_points  REAL    NOT NULL,
  second_points REAL    NOT NULL,
  termination   TEXT    NOT NULL,
  turns         INTEGER NOT NULL CHECK (turns >= 0),
  started_ms    INTEGER NOT NULL,
  duration_ms   INTEGER NOT NULL CHECK (duration_ms >= 0),
  evidence      TEXT    NOT NULL,
  record        TEXT    NOT NULL,
  UNIQUE (run, battle, half)
) STRICT;

INSERT INTO matches_of_5 (seq, id, run, battle, half, game, variant, rules, first_name, first_hash, second_name,
  second_hash, result, first_points, second_points, termination, turns, started_ms, duration_ms, evidence, record)
SELECT seq, id, run, battle, half, game, variant, rules, first_name, first_hash, second_name,
  second_hash, result, first_points, second_points, termination, turns, started_ms, duration_ms, evidence, record
FROM matches ORDER BY seq;

DROP TABLE matches;
ALTER TABLE matches_of_5 RENAME TO matches;
