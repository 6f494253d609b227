-- The row of a feed from which a listing was imported last: a hash of its words and mapping, and what became of it. An
-- unchanged row is not converted again.
ALTER TABLE listings ADD COLUMN row_key INTEGER;
ALTER TABLE listings ADD COLUMN row_outcome TEXT;
CREATE INDEX listings_row ON listings (row_key) WHERE row_key IS NOT NULL;

-- The last import of each source, so that it can be undone.
CREATE TABLE imports (
  source TEXT PRIMARY KEY,
  started_at INTEGER NOT NULL,
  -- NULL while it runs, and when it was interrupted.
  finished_at INTEGER,
  -- Listings that arrived later are new.
  last_arrival INTEGER NOT NULL,
  -- Hash of the whole feed with its mapping, and its summary as JSON: an unchanged feed is not read again.
  feed TEXT,
  summary TEXT
) WITHOUT ROWID;

-- What the listings were before the last import of their source changed or expired them.
CREATE TABLE import_undo (
  listing_id TEXT PRIMARY KEY,
  source TEXT NOT NULL,
  body TEXT NOT NULL,
  removed_at INTEGER
) WITHOUT ROWID;
CREATE INDEX import_undo_source ON import_undo (source);
CREATE TRIGGER listings_undo AFTER UPDATE OF body, removed_at ON listings
WHEN EXISTS (SELECT 1 FROM imports WHERE source = old.source AND finished_at IS NULL) BEGIN
  INSERT OR IGNORE INTO import_undo (listing_id, source, body, removed_at)
  VALUES (old.id, old.source, old.body, old.removed_at);
END;
