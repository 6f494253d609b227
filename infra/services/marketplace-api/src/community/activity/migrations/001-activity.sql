-- What visitors looked at. Nobody entered it: a power cut may lose the last
-- seconds of it.

-- The last time a consumer saw a detail page.
CREATE TABLE views (
  consumer TEXT NOT NULL,
  listing_id TEXT NOT NULL,
  vin TEXT NOT NULL,
  viewed_at INTEGER NOT NULL,
  PRIMARY KEY (consumer, listing_id)
) WITHOUT ROWID;
CREATE INDEX views_newest ON views (consumer, viewed_at);
CREATE INDEX views_age ON views (viewed_at);

-- Views a day (days since 1970-01-01 UTC) on each brand.
CREATE TABLE view_counts (
  vin TEXT NOT NULL,
  brand TEXT NOT NULL,
  day INTEGER NOT NULL,
  views INTEGER NOT NULL,
  PRIMARY KEY (vin, brand, day)
) WITHOUT ROWID;

-- Alerts that were shown for a vehicle seen before.
CREATE TABLE interests (
  id INTEGER PRIMARY KEY,
  brand TEXT NOT NULL,
  vins TEXT NOT NULL,
  consumer TEXT NOT NULL,
  email TEXT NOT NULL,
  shown_at INTEGER NOT NULL
);
