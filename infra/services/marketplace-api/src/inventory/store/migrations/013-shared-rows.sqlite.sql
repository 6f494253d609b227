-- Of rows that replicas share: a hash of what was sent or received last. Only other content is sent.
CREATE TABLE shared_rows (
  kind TEXT NOT NULL,
  id TEXT NOT NULL,
  digest TEXT NOT NULL,
  PRIMARY KEY (kind, id)
) WITHOUT ROWID;
