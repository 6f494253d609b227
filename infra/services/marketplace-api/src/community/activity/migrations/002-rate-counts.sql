-- Requests that count for a rate limit, which replicas share. Keys are hashes.
CREATE TABLE rate_count (
  key TEXT PRIMARY KEY,
  hits INTEGER NOT NULL,
  reset_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX rate_count_end ON rate_count (reset_at);
