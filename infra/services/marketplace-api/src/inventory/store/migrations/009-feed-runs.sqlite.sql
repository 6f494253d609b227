-- Imports of each source, the newest 100: what operators and alerts read.
CREATE TABLE feed_runs (
  id INTEGER PRIMARY KEY,
  source TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  -- NULL while it runs, and when it was interrupted.
  finished_at INTEGER,
  -- 'imported', 'unchanged', 'held' or 'failed'.
  status TEXT,
  report TEXT
);
CREATE INDEX feed_runs_source ON feed_runs (source, started_at);
