-- Whose session or token it is: what a new password ends.
ALTER TABLE artifact ADD COLUMN account_id TEXT;
CREATE INDEX artifact_account ON artifact (account_id) WHERE account_id IS NOT NULL;
