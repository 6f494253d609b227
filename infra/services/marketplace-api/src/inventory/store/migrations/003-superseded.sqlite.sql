-- What a row said before its change, for those who have not taken the change
-- over: a search answers with the very listings that it found, whoever writes
-- meanwhile. A body of NULL: the listing was not on the market. Writers drop
-- what is older than a minute; readers are at most a second behind.
CREATE TABLE superseded (
  kind TEXT NOT NULL,
  id TEXT NOT NULL,
  -- The change that ended it.
  until_seq INTEGER NOT NULL,
  -- Milliseconds since 1970.
  at INTEGER NOT NULL,
  body TEXT,
  PRIMARY KEY (kind, id, until_seq)
) WITHOUT ROWID;
CREATE INDEX superseded_at ON superseded (at);

CREATE TRIGGER listings_superseded AFTER UPDATE ON listings WHEN old.seq <> new.seq BEGIN
  INSERT INTO superseded (kind, id, until_seq, at, body)
  VALUES ('listing', old.id, new.seq, unixepoch('subsec') * 1000, iif(old.removed_at IS NULL, old.body, NULL));
END;
CREATE TRIGGER owners_superseded AFTER UPDATE ON owners WHEN old.seq <> new.seq BEGIN
  INSERT INTO superseded (kind, id, until_seq, at, body)
  VALUES ('owner', old.id, new.seq, unixepoch('subsec') * 1000, old.body);
END;
