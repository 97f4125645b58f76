-- Released steps are never edited: a change of the format is a new step.
-- 'AGON' in ASCII: tells our files from those of other programs.
PRAGMA application_id = 0x41474F4E;

-- seq is the order of saving; it outlives VACUUM, which a bare rowid does not.
CREATE TABLE runs (
  seq           INTEGER PRIMARY KEY,
  id            TEXT    NOT NULL UNIQUE,
  created_ms    INTEGER NOT NULL,
  kind          TEXT    NOT NULL,
  configuration TEXT    NOT NULL
) STRICT;

-- The record comes last: SQLite reads a row from the left, so a query without it never touches its pages.
CREATE TABLE matches (
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
  result        TEXT    NOT NULL CHECK (result IN ('1-0', '0-1', '1/2-1/2')),
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
