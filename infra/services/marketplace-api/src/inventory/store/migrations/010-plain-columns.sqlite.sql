-- Plain columns of what was read from the JSON of the body: indexes on expressions parse every body that is written.
-- Day (since 1970) of the last change of a vehicle's content, for sitemaps.
ALTER TABLE listings ADD COLUMN changed_on INTEGER NOT NULL DEFAULT 0;
-- The dealer's stock number in upper case, without dashes and spaces.
ALTER TABLE listings ADD COLUMN stock_key TEXT;
DROP INDEX listings_sitemap;
DROP INDEX listings_stock_number;
UPDATE listings SET
  changed_on = max(coalesce(json_extract(body, '$.listedOn'), 0), coalesce(json_extract(body, '$.reducedOn'), 0)),
  stock_key = upper(replace(replace(json_extract(body, '$.stockNumber'), '-', ''), ' ', ''));
CREATE INDEX listings_sitemap ON listings (arrival, changed_on, id) WHERE removed_at IS NULL;
CREATE INDEX listings_stock_number ON listings (stock_key) WHERE stock_key IS NOT NULL;
