-- People. The address is kept as typed; it is found by its lower-case form.
CREATE TABLE account (
  id TEXT PRIMARY KEY,
  email TEXT NOT NULL,
  email_key TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  -- '$scrypt$ln=14,r=8,p=5$salt$hash'
  password_hash TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

-- What the protocol keeps: sessions, grants, codes, tokens. Times in seconds since 1970.
CREATE TABLE artifact (
  model TEXT NOT NULL,
  id TEXT NOT NULL,
  payload TEXT NOT NULL,
  grant_id TEXT,
  uid TEXT,
  user_code TEXT,
  consumed_at INTEGER,
  expires_at INTEGER,
  PRIMARY KEY (model, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX artifact_grant ON artifact (grant_id) WHERE grant_id IS NOT NULL;
CREATE INDEX artifact_uid ON artifact (uid) WHERE uid IS NOT NULL;
CREATE INDEX artifact_expiry ON artifact (expires_at);
