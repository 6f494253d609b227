-- The last preview of each feed, as JSON (Preview).
CREATE TABLE previews (
  source TEXT PRIMARY KEY,
  body TEXT NOT NULL
) WITHOUT ROWID;

-- Work that one process of several does at a time: imports of a source, photos.
CREATE TABLE leases (
  name TEXT PRIMARY KEY,
  holder TEXT NOT NULL,
  until_at INTEGER NOT NULL
) WITHOUT ROWID;
