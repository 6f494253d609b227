-- Photos that no listing uses any more, until their files are deleted: a storage that fails is asked again.
CREATE TABLE removed_photos (
  hash TEXT PRIMARY KEY
) WITHOUT ROWID;
