-- Matches in progress: those of the pages, which go on after a restart, and those of a terminal, for whoever looks on.
-- `setting` is what their owner needs to go on; nobody else reads it.
CREATE TABLE live (
  seq           INTEGER PRIMARY KEY,
  id            TEXT    NOT NULL UNIQUE,
  kind          TEXT    NOT NULL,
  game          TEXT    NOT NULL,
  variant       TEXT    NOT NULL,
  rules         TEXT    NOT NULL,
  first_name    TEXT    NOT NULL,
  second_name   TEXT    NOT NULL,
  turns         INTEGER NOT NULL CHECK (turns >= 0),
  updated_ms    INTEGER NOT NULL,
  setting       TEXT    NOT NULL,
  record        TEXT    NOT NULL
) STRICT;
