-- The tables of SQLite's migrations so far, whose comments explain them.
CREATE TABLE meta (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
);
INSERT INTO meta VALUES ('change_seq', '0');

CREATE TABLE owners (
  id TEXT COLLATE "C" PRIMARY KEY,
  seq BIGINT NOT NULL,
  is_alpha BIGINT NOT NULL,
  body TEXT NOT NULL
);
CREATE INDEX owners_seq ON owners (seq);
CREATE INDEX owners_alpha ON owners (id) WHERE is_alpha = 1;

CREATE TABLE listings (
  arrival BIGINT PRIMARY KEY,
  id TEXT COLLATE "C" NOT NULL UNIQUE,
  vin TEXT NOT NULL,
  owner_id TEXT COLLATE "C" NOT NULL REFERENCES owners (id),
  source TEXT NOT NULL,
  seq BIGINT NOT NULL,
  removed_at BIGINT,
  body TEXT NOT NULL,
  row_key BIGINT,
  row_outcome TEXT,
  changed_on BIGINT NOT NULL,
  stock_key TEXT
);
CREATE INDEX listings_vin ON listings (vin);
CREATE INDEX listings_owner ON listings (owner_id);
CREATE INDEX listings_seq ON listings (seq, id);
CREATE INDEX listings_source ON listings (source, id) WHERE removed_at IS NULL;
CREATE INDEX listings_row ON listings (row_key) WHERE row_key IS NOT NULL;
CREATE INDEX listings_stock_number ON listings (stock_key) WHERE stock_key IS NOT NULL;
CREATE INDEX listings_sitemap ON listings (arrival, changed_on, id) WHERE removed_at IS NULL;

CREATE TABLE superseded (
  kind TEXT NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  until_seq BIGINT NOT NULL,
  at BIGINT NOT NULL,
  body TEXT,
  PRIMARY KEY (kind, id, until_seq)
);
CREATE INDEX superseded_at ON superseded (at);

CREATE TABLE photos (
  hash TEXT PRIMARY KEY,
  body TEXT NOT NULL
);
CREATE TABLE removed_photos (
  hash TEXT PRIMARY KEY
);
CREATE TABLE photo_urls (
  url TEXT PRIMARY KEY,
  source TEXT NOT NULL,
  hash TEXT,
  attempts BIGINT NOT NULL DEFAULT 0,
  due_at BIGINT,
  problem TEXT
);
CREATE INDEX photo_urls_due ON photo_urls (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX photo_urls_hash ON photo_urls (hash) WHERE hash IS NOT NULL;
CREATE TABLE listing_photos (
  listing_id TEXT COLLATE "C" NOT NULL,
  position BIGINT NOT NULL,
  url TEXT NOT NULL,
  PRIMARY KEY (listing_id, position)
);
CREATE INDEX listing_photos_url ON listing_photos (url);
CREATE TABLE photo_hosts (
  source TEXT PRIMARY KEY,
  hosts TEXT NOT NULL
);

CREATE TABLE imports (
  source TEXT PRIMARY KEY,
  started_at BIGINT NOT NULL,
  finished_at BIGINT,
  last_arrival BIGINT NOT NULL,
  feed TEXT,
  summary TEXT
);
CREATE TABLE import_undo (
  source TEXT NOT NULL,
  listing_id TEXT COLLATE "C" NOT NULL,
  listing_source TEXT NOT NULL,
  body TEXT NOT NULL,
  removed_at BIGINT,
  PRIMARY KEY (source, listing_id)
);
CREATE TABLE feed_runs (
  id INTEGER PRIMARY KEY,
  source TEXT NOT NULL,
  started_at BIGINT NOT NULL,
  finished_at BIGINT,
  status TEXT,
  report TEXT,
  details TEXT
);
CREATE INDEX feed_runs_source ON feed_runs (source, started_at);
