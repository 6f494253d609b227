-- What an import counted and refused, as JSON (ImportDetails).
ALTER TABLE feed_runs ADD COLUMN details TEXT;
