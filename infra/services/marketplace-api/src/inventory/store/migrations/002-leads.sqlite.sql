-- One message to a seller. The key is made by the browser for one sending, so
-- a repeat of a request is not a second message.
CREATE TABLE leads (
  id INTEGER PRIMARY KEY,
  idempotency_key TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL,
  listing_id TEXT NOT NULL,
  owner_id TEXT NOT NULL,
  received_at INTEGER NOT NULL,
  body TEXT NOT NULL
);
