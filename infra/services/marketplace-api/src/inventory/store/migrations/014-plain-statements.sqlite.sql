-- Writers keep earlier versions themselves, by statements that PostgreSQL understands too.
DROP TRIGGER listings_superseded;
DROP TRIGGER owners_superseded;
DROP TRIGGER listings_undo;

-- Replicas no longer exchange copies.
DROP TABLE shared_rows;
DELETE FROM meta WHERE key LIKE 'shared\_%' ESCAPE '\';

-- By the import that changed the listing, and with the source that it had before: another source may list it since.
CREATE TABLE undo (
  source TEXT NOT NULL,
  listing_id TEXT NOT NULL,
  listing_source TEXT NOT NULL,
  body TEXT NOT NULL,
  removed_at INTEGER,
  PRIMARY KEY (source, listing_id)
) WITHOUT ROWID;
INSERT INTO undo (source, listing_id, listing_source, body, removed_at)
  SELECT source, listing_id, source, body, removed_at FROM import_undo;
DROP TABLE import_undo;
ALTER TABLE undo RENAME TO import_undo;
