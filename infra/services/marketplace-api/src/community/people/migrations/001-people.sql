-- What people entered. A commit is on the disk before it is acknowledged.

-- What this installation knows of itself: keys it made for itself.
CREATE TABLE settings (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) WITHOUT ROWID;

-- One message to a seller. The key is made by the browser for one sending, so
-- a repeat of a request is not a second message.
CREATE TABLE leads (
  id INTEGER PRIMARY KEY,
  idempotency_key TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL,
  listing_id TEXT NOT NULL,
  owner_id TEXT NOT NULL,
  account TEXT,
  consumer TEXT,
  received_at INTEGER NOT NULL,
  body TEXT NOT NULL
);
CREATE INDEX leads_account ON leads (account) WHERE account IS NOT NULL;
CREATE INDEX leads_consumer ON leads (consumer) WHERE consumer IS NOT NULL;

-- Mails on their way: written with what causes them, in one transaction.
-- state: pending, sent, dead (given up), outbox (no mail server is configured).
CREATE TABLE mails (
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  dedupe_key TEXT UNIQUE,
  recipient TEXT NOT NULL,
  subject TEXT NOT NULL,
  message TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  state TEXT NOT NULL DEFAULT 'pending',
  attempts INTEGER NOT NULL DEFAULT 0,
  next_at INTEGER NOT NULL,
  last_error TEXT,
  sent_at INTEGER
);
CREATE INDEX mails_due ON mails (next_at) WHERE state = 'pending';
CREATE INDEX mails_state ON mails (state, id);

CREATE TABLE bookmarks (
  bookmark_id TEXT PRIMARY KEY,
  account TEXT NOT NULL,
  title TEXT NOT NULL,
  search_name TEXT NOT NULL,
  last_executed TEXT NOT NULL,
  search_results_url TEXT NOT NULL,
  created_at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX bookmarks_account ON bookmarks (account, created_at);

-- `notified_price` is the price of which the account knows: the one when it
-- saved the listing, or of the last notification.
CREATE TABLE saved_listings (
  account TEXT NOT NULL,
  listing_id TEXT NOT NULL,
  saved_at INTEGER NOT NULL,
  saved_price INTEGER,
  notified_price INTEGER,
  PRIMARY KEY (account, listing_id)
) WITHOUT ROWID;

-- Searches whose new matches are mailed. `seen_row` is the newest listing row
-- that a mail (or the subscription) has taken into account.
CREATE TABLE alerts (
  alert_id TEXT PRIMARY KEY,
  account TEXT,
  consumer TEXT,
  email TEXT NOT NULL,
  email_key TEXT NOT NULL,
  brand TEXT NOT NULL,
  search TEXT NOT NULL,
  title TEXT NOT NULL,
  unsubscribe_token TEXT NOT NULL UNIQUE,
  created_at INTEGER NOT NULL,
  seen_row INTEGER NOT NULL,
  last_run_at INTEGER NOT NULL,
  ended_at INTEGER
);
CREATE UNIQUE INDEX alerts_once ON alerts (email_key, search) WHERE ended_at IS NULL;
CREATE INDEX alerts_consumer ON alerts (consumer) WHERE ended_at IS NULL;
CREATE INDEX alerts_account ON alerts (account) WHERE ended_at IS NULL;
CREATE INDEX alerts_due ON alerts (last_run_at) WHERE ended_at IS NULL;

CREATE TABLE captures (
  email_key TEXT NOT NULL,
  brand TEXT NOT NULL,
  email TEXT NOT NULL,
  unsubscribe_token TEXT NOT NULL UNIQUE,
  created_at INTEGER NOT NULL,
  ended_at INTEGER,
  PRIMARY KEY (email_key, brand)
) WITHOUT ROWID;

-- Browsers that may be sent notifications, by the hash of their token.
CREATE TABLE devices (
  token_hash TEXT PRIMARY KEY,
  token TEXT NOT NULL,
  brand TEXT NOT NULL,
  pixall_id TEXT NOT NULL,
  account TEXT,
  registered_at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX devices_account ON devices (account) WHERE account IS NOT NULL;

-- How to write to sellers with one click, by 'account:…' or 'consumer:…'.
CREATE TABLE profiles (
  owner TEXT PRIMARY KEY,
  body TEXT NOT NULL,
  updated_at INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE reports (
  id INTEGER PRIMARY KEY,
  idempotency_key TEXT UNIQUE,
  listing_id TEXT NOT NULL,
  reason TEXT NOT NULL,
  comments TEXT NOT NULL,
  email TEXT NOT NULL,
  account TEXT,
  consumer TEXT,
  received_at INTEGER NOT NULL
);

CREATE TABLE deals (
  id TEXT PRIMARY KEY,
  body TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) WITHOUT ROWID;
