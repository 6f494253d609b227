-- When an operator disabled the account; NULL if it can sign in.
ALTER TABLE account ADD COLUMN disabled_at INTEGER;
