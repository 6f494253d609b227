-- The HTML form of an email; empty for one that was queued without.
ALTER TABLE mail ADD COLUMN html TEXT NOT NULL DEFAULT '';
