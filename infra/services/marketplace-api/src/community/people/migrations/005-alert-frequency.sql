-- 'daily' or 'atOnce'.
ALTER TABLE alerts ADD COLUMN frequency TEXT NOT NULL DEFAULT 'daily';
