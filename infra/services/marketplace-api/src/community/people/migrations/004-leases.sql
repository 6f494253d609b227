-- Jobs that one replica runs at a time, until `until_at` (ms since 1970).
CREATE TABLE leases (
  name TEXT PRIMARY KEY,
  holder TEXT NOT NULL,
  until_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The inventory whose numbers `seen_row` counts: replicas on several machines have one each.
ALTER TABLE alerts ADD COLUMN inventory TEXT;
