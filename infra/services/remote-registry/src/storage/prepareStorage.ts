import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { MANIFEST_FILE, type ReleaseId, releaseLabel } from '@forecourt/release-kit/releaseFiles';
import { RegistryError } from '@forecourt/release-kit/registryError';
import { verifyRelease } from '@forecourt/release-kit/verifyRelease';
import type { Bucket } from '@forecourt/service-kit/bucket';
import { copyToPostgres, requireEmpty } from '@forecourt/service-kit/copyToPostgres';
import { createSqliteSql } from '@forecourt/service-kit/database';
import { FolderBucket } from '@forecourt/service-kit/folderBucket';
import { migratePostgres, openPostgres } from '@forecourt/service-kit/postgres';
import type { Sql } from '@forecourt/service-kit/sql';
import type { FileData } from '@forecourt/service-kit/start';
import type { RegistryConfig } from '../config.ts';
import { fileKey, type ReleaseRow, releaseRowSchema, uploadFolder } from './bucketReleaseStore.ts';
import {
  type BucketConfig,
  DATABASE_FILE,
  openBucket,
  openDatabaseFile,
  openLocalStorage,
  registryFolder,
  SCHEMA,
} from './openStorage.ts';
import { parseRow } from './sqlRecords.ts';
import { isTakenOver, skipTakeOver, takeOver } from './takeOver.ts';

/** Whether a registry stored its pointers in a data folder. */
const hasLocalData = (dataDir: string): boolean =>
  [DATABASE_FILE, 'pointers.json'].some((file) => existsSync(join(registryFolder(dataDir), file)));

async function mustRead(bucket: Bucket, { files, manifest }: ReleaseRow, path: string): Promise<Buffer> {
  const bytes = await bucket.readBytes(files + path);
  if (!bytes) throw new RegistryError('STORAGE_DAMAGED', `${releaseLabel(manifest)} lacks ${path}`);
  return bytes;
}

/** Reads a release, verified like a published one. @throws RegistryError RELEASE_INVALID, STORAGE_DAMAGED */
async function readFiles(from: Bucket, row: ReleaseRow): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>();
  for (const path of Object.keys(row.manifest.files)) files.set(path, await mustRead(from, row, path));
  const manifestBytes = await mustRead(from, row, MANIFEST_FILE);
  verifyRelease(manifestBytes, files);
  files.set(MANIFEST_FILE, manifestBytes);
  for (const path of Object.keys(row.brotli)) {
    const key = fileKey(path, 'br');
    files.set(key, await mustRead(from, row, key));
  }
  return files;
}

/** Verifies the files of all releases, and copies them unless the bucket is in the same folder. Returns their number. */
async function copyFiles(dataDir: string, sql: Sql, to: Bucket): Promise<number> {
  const from = await FolderBucket.open(registryFolder(dataDir));
  const rows = await sql.all<{ body: string }>('SELECT body FROM release WHERE body IS NOT NULL');
  for (const { body } of rows) {
    const row = parseRow('a release', body, releaseRowSchema);
    const files = await readFiles(from, row);
    if (!(to instanceof FolderBucket)) for (const [key, bytes] of files) await to.put(row.files + key, bytes);
  }
  return rows.length;
}

/** Copies what a stopped registry stores in a data folder to empty tables, and returns the number of releases. */
async function copyLocalData(dataDir: string, sql: Sql, bucket: Bucket): Promise<number> {
  for (const table of ['record', 'release', 'log_entry']) await requireEmpty(sql, table);
  // First what an earlier version stored in files.
  await (await openLocalStorage(dataDir)).close?.();
  const db = openDatabaseFile(dataDir);
  try {
    // The files first: a release whose row is there must be complete.
    const count = await copyFiles(dataDir, createSqliteSql(db), bucket);
    await copyToPostgres(db, sql);
    return count;
  } finally {
    db.close();
  }
}

interface FileRow {
  readonly path: string;
  readonly encoding: 'identity' | 'br';
  readonly bytes: string;
}

async function moveRelease(sql: Sql, bucket: Bucket, id: ReleaseId, body: string): Promise<void> {
  const files = uploadFolder(id);
  const rows = await sql.all<FileRow>(
    'SELECT path, encoding, bytes FROM release_file WHERE name = ? AND version = ?',
    id.name,
    id.version,
  );
  for (const { path, encoding, bytes } of rows)
    await bucket.put(files + fileKey(path, encoding), Buffer.from(bytes, 'base64'));
  // Replicas of the earlier version still read the rows of files; another migration may have been faster.
  await sql.run(
    'UPDATE release SET body = ? WHERE name = ? AND version = ? AND body = ?',
    JSON.stringify({ ...(JSON.parse(body) as object), files }),
    id.name,
    id.version,
    body,
  );
}

/** An earlier version stored the files in the database. Repeatable: a release counts as moved once its files are written. */
async function moveFilesToBucket(sql: Sql, bucket: Bucket): Promise<void> {
  const rows = await sql.all<{ name: string; version: string; body: string }>(
    'SELECT name, version, body FROM release WHERE body IS NOT NULL',
  );
  for (const { name, version, body } of rows)
    if (!Object.hasOwn(JSON.parse(body) as object, 'files'))
      await moveRelease(sql, bucket, { name, version }, body);
}

/**
 * Creates or extends the tables in PostgreSQL, before registries start; returns lines for people. Data in DATA_DIR is
 * copied, or, with `leave`, left behind.
 * @throws Error if DATA_DIR has data and `fileData` doesn't say what to do, or the tables have rows to copy into
 */
export async function prepareStorage(
  config: Pick<RegistryConfig, 'DATABASE_URL'> & BucketConfig,
  fileData?: FileData,
): Promise<string[]> {
  const { DATABASE_URL: url, DATA_DIR } = config;
  if (url === undefined)
    throw new Error('DATABASE_URL is not set; files are migrated when the service starts');
  const lines = [`the database has schema version ${await migratePostgres({ url, ...SCHEMA })}`];
  const sql = await openPostgres({ url, ...SCHEMA });
  try {
    const bucket = await openBucket(config);
    if (fileData === 'copy') lines.push(`copied ${await copyLocalData(DATA_DIR, sql, bucket)} releases`);
    else if (!(await isTakenOver(sql))) {
      const isFilled = (await sql.get('SELECT 1 FROM record LIMIT 1')) !== undefined;
      if (hasLocalData(DATA_DIR) && fileData === undefined && !isFilled)
        throw new Error(
          'DATA_DIR has data of a registry: copy it to PostgreSQL with --copy, or start without it with --empty',
        );
      if (isFilled || fileData === 'leave') await skipTakeOver(sql);
      else await takeOver(sql, bucket);
    }
    await moveFilesToBucket(sql, bucket);
    return lines;
  } finally {
    await sql.close();
  }
}
