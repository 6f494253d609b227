-- What a mailed link may do, once. Its secret is kept as a SHA-256 only. Times in ms since 1970.
CREATE TABLE link (
  hash TEXT PRIMARY KEY,
  purpose TEXT NOT NULL CHECK (purpose IN ('sign-up', 'reset')),
  email_key TEXT NOT NULL,
  -- JSON: what is done when it is used.
  payload TEXT NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX link_address ON link (email_key, purpose);
CREATE INDEX link_expiry ON link (expires_at);

-- Mails on their way. A mail holds a secret: it goes as soon as the mail server has it.
CREATE TABLE mail (
  id INTEGER PRIMARY KEY,
  recipient TEXT NOT NULL,
  subject TEXT NOT NULL,
  text TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0,
  next_at INTEGER NOT NULL
) STRICT;
CREATE INDEX mail_due ON mail (next_at);
