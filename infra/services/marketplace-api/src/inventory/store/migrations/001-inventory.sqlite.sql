-- What the service knows about itself: change sequence, generation key.
CREATE TABLE meta (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) WITHOUT ROWID;
INSERT INTO meta VALUES ('change_seq', '0');

-- `seq` is the change that wrote the row last: readers ask for what is newer
-- than what they have. Bodies are JSON (StockOwner, StockListing).
CREATE TABLE owners (
  id TEXT PRIMARY KEY,
  seq INTEGER NOT NULL,
  is_alpha INTEGER NOT NULL,
  body TEXT NOT NULL
);
CREATE INDEX owners_seq ON owners (seq);
CREATE INDEX owners_alpha ON owners (id) WHERE is_alpha = 1;

-- A listing that is gone keeps its row with the time it went, so that a
-- running server learns of it.
CREATE TABLE listings (
  id TEXT PRIMARY KEY,
  vin TEXT NOT NULL,
  owner_id TEXT NOT NULL REFERENCES owners (id),
  source TEXT NOT NULL,
  seq INTEGER NOT NULL,
  removed_at INTEGER,
  body TEXT NOT NULL
);
CREATE INDEX listings_vin ON listings (vin);
CREATE INDEX listings_owner ON listings (owner_id);
CREATE INDEX listings_seq ON listings (seq);
