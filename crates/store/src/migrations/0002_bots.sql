-- What is known of a bot beyond the name and hash that every match carries itself.
CREATE TABLE bots (
  seq           INTEGER PRIMARY KEY,
  hash          TEXT    NOT NULL UNIQUE,
  name          TEXT    NOT NULL,
  game          TEXT    NOT NULL,
  protocol      TEXT    NOT NULL,
  language      TEXT    NOT NULL,
  first_seen_ms INTEGER NOT NULL
) STRICT;
