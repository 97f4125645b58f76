-- What was done to a run and what happened to it, in order; entries are never changed. `entry` is the run's own JSON.
CREATE TABLE log (
  seq           INTEGER PRIMARY KEY,
  run           TEXT    NOT NULL REFERENCES runs (id),
  at_ms         INTEGER NOT NULL,
  entry         TEXT    NOT NULL
) STRICT;

CREATE INDEX log_of_run ON log (run, seq);
