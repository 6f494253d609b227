-- Records that are replaced as a whole, under the revision they were read with: pointers and access.
CREATE TABLE record (
  name TEXT PRIMARY KEY,
  revision INTEGER NOT NULL,
  body TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- One change of the pointers each.
CREATE TABLE change (
  revision INTEGER NOT NULL PRIMARY KEY,
  body TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- The transparency log.
CREATE TABLE log_entry (
  sequence INTEGER NOT NULL PRIMARY KEY,
  body TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Without a body the release was removed: caches may hold its files, so its version cannot be used again.
CREATE TABLE release (
  name TEXT NOT NULL,
  version TEXT NOT NULL,
  body TEXT,
  PRIMARY KEY (name, version)
) STRICT, WITHOUT ROWID;

-- `encoding` is 'identity' or 'br', `bytes` are Base64.
CREATE TABLE release_file (
  name TEXT NOT NULL,
  version TEXT NOT NULL,
  path TEXT NOT NULL,
  encoding TEXT NOT NULL,
  bytes TEXT NOT NULL,
  PRIMARY KEY (name, version, path, encoding)
) STRICT, WITHOUT ROWID;
