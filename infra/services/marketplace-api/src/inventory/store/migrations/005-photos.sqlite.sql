-- Photos that feeds name. A URL is fetched once, however many listings name it, and a picture is stored once, however
-- many URLs lead to it: `hash` is that of the fetched bytes.
CREATE TABLE photos (
  hash TEXT PRIMARY KEY,
  -- JSON (StockPhoto): what a page needs to know of it.
  body TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE photo_urls (
  url TEXT PRIMARY KEY,
  source TEXT NOT NULL,
  -- NULL until the picture is stored.
  hash TEXT,
  attempts INTEGER NOT NULL DEFAULT 0,
  -- Milliseconds since 1970 of the next attempt; NULL: none is due.
  due_at INTEGER,
  -- Code of the last failure.
  problem TEXT
) WITHOUT ROWID;
CREATE INDEX photo_urls_due ON photo_urls (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX photo_urls_hash ON photo_urls (hash) WHERE hash IS NOT NULL;

CREATE TABLE listing_photos (
  listing_id TEXT NOT NULL,
  position INTEGER NOT NULL,
  url TEXT NOT NULL,
  PRIMARY KEY (listing_id, position)
) WITHOUT ROWID;
CREATE INDEX listing_photos_url ON listing_photos (url);

-- Hosts that the photos of a feed may come from, as a JSON array.
CREATE TABLE photo_hosts (
  source TEXT PRIMARY KEY,
  hosts TEXT NOT NULL
) WITHOUT ROWID;
