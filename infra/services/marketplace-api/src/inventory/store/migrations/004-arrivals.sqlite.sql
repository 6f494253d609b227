-- A number for each listing by the order of its arrival, which alerts remember.
-- The row number that SQLite gives by itself may change when the file is packed (VACUUM).
CREATE TABLE arrived (
  arrival INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  vin TEXT NOT NULL,
  owner_id TEXT NOT NULL REFERENCES owners (id),
  source TEXT NOT NULL,
  seq INTEGER NOT NULL,
  removed_at INTEGER,
  body TEXT NOT NULL
);
INSERT INTO arrived (arrival, id, vin, owner_id, source, seq, removed_at, body)
  SELECT rowid, id, vin, owner_id, source, seq, removed_at, body FROM listings ORDER BY rowid;
DROP TABLE listings;
ALTER TABLE arrived RENAME TO listings;
CREATE INDEX listings_vin ON listings (vin);
CREATE INDEX listings_owner ON listings (owner_id);
CREATE INDEX listings_seq ON listings (seq);
CREATE TRIGGER listings_superseded AFTER UPDATE ON listings WHEN old.seq <> new.seq BEGIN
  INSERT INTO superseded (kind, id, until_seq, at, body)
  VALUES ('listing', old.id, new.seq, unixepoch('subsec') * 1000, iif(old.removed_at IS NULL, old.body, NULL));
END;
