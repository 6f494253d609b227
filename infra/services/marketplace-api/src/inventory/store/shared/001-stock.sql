-- The number of the last change, and a random name of this stock: a replica that knows another one begins again.
CREATE TABLE stock (
  id INTEGER NOT NULL UNIQUE,
  name TEXT NOT NULL,
  change INTEGER NOT NULL
) STRICT;

-- What replicas have imported: owners and listings (JSON, listings without stored photos), and hosts of photos by source.
CREATE TABLE stock_rows (
  kind TEXT NOT NULL,
  id TEXT NOT NULL,
  -- The change that wrote the row last.
  change INTEGER NOT NULL,
  source TEXT NOT NULL,
  -- ms since 1970; of a listing that is no longer for sale.
  removed_at INTEGER,
  body TEXT NOT NULL,
  PRIMARY KEY (kind, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX stock_rows_change ON stock_rows (change);
