-- Shoppers type a dealer's stock number with or without its dashes and spaces.
CREATE INDEX IF NOT EXISTS listings_stock_number ON listings (
  upper(replace(replace(json_extract(body, '$.stockNumber'), '-', ''), ' ', ''))
) WHERE removed_at IS NULL;
