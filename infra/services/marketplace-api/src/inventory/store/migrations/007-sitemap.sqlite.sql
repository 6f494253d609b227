-- Vehicles by arrival with the day of their last change of content: sitemaps read this index alone.
CREATE INDEX listings_sitemap ON listings (
  arrival,
  max(coalesce(json_extract(body, '$.listedOn'), 0), coalesce(json_extract(body, '$.reducedOn'), 0)),
  id
) WHERE removed_at IS NULL;
