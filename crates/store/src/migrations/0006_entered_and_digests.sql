-- Browsers that gave the arena's token: the digest of their secret, and of the token if somebody chose it.
CREATE TABLE entered (
  client  TEXT NOT NULL,
  token   TEXT NOT NULL,
  PRIMARY KEY (client, token)
) STRICT, WITHOUT ROWID;

-- What tells a row that was changed by nobody from one that a failing disk has changed; filled in by the program.
-- In the digest of a match `record_digest` stands for the record, so that lists need not read it.
ALTER TABLE runs ADD COLUMN digest TEXT;
ALTER TABLE bots ADD COLUMN digest TEXT;
ALTER TABLE live ADD COLUMN digest TEXT;
ALTER TABLE log ADD COLUMN digest TEXT;
ALTER TABLE matches ADD COLUMN record_digest TEXT;
ALTER TABLE matches ADD COLUMN digest TEXT;
