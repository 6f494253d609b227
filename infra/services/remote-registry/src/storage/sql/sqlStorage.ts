import { join } from 'node:path';
import { Readable } from 'node:stream';
import { RegistryError } from '@forecourt/release-kit/registryError';
import { type PointerChange, pointerChangeSchema } from '@forecourt/release-kit/registryResponses';
import {
  MANIFEST_FILE,
  type ReleaseId,
  releaseIdSchema,
  releaseLabel,
} from '@forecourt/release-kit/releaseFiles';
import { signedManifestSchema } from '@forecourt/release-kit/signatures';
import { migratePostgres, openPostgres, type PostgresOptions } from '@forecourt/service-kit/postgres';
import type { Sql } from '@forecourt/service-kit/sql';
import { releaseManifestSchema } from '@forecourt/shared-contracts/slots/release';
import { z } from 'zod';
import {
  type AccessRecord,
  accessRecordSchema,
  type AccessStore,
  type CompressedRelease,
  emptyAccess,
  emptyPointers,
  type LogStore,
  type PointerRecord,
  pointerRecordSchema,
  type PointerStore,
  publisherSchema,
  type RegistryStorage,
  type ReleaseStore,
  SerialQueue,
  type StoredRelease,
} from '../../ports.ts';

/** A database that registries may share with other services. */
export type DatabaseOptions = Pick<PostgresOptions, 'url' | 'maxConnections' | 'onError'>;

const SCHEMA = { schema: 'registry', migrations: join(import.meta.dirname, 'migrations') };

/** Creates or extends the tables, and returns the version of the schema. */
export const migrateSqlStorage = (options: DatabaseOptions): Promise<number> =>
  migratePostgres({ ...options, ...SCHEMA });

/** Opens migrated tables, which any number of registries may share. */
export const openSqlStorage = async (options: DatabaseOptions): Promise<RegistryStorage> =>
  storageIn(await openTables(options));

export const openTables = (options: DatabaseOptions): Promise<Sql> => openPostgres({ ...options, ...SCHEMA });

export const storageIn = (sql: Sql): RegistryStorage => ({
  releases: new SqlReleaseStore(sql),
  pointers: new SqlPointerStore(sql),
  access: new SqlAccessStore(sql),
  log: new SqlLogStore(sql),
  isShared: true,
  close: sql.close,
});

/** @throws RegistryError without a cause: its message could quote the row */
function parseRow<T>(what: string, json: string, schema: z.ZodType<T>): T {
  try {
    return schema.parse(JSON.parse(json));
  } catch {
    throw new RegistryError(
      'STORAGE_DAMAGED',
      `${what} in the database cannot be read; restore it from a backup`,
    );
  }
}

/** Replaces a record if it still has the expected revision; 0 is that of a missing one. */
async function replaceRecord(
  sql: Sql,
  name: string,
  next: { readonly revision: number },
  expectedRevision: number,
): Promise<boolean> {
  const body = JSON.stringify(next);
  const changes = await sql.run(
    'UPDATE record SET revision = ?, body = ? WHERE name = ? AND revision = ?',
    next.revision,
    body,
    name,
    expectedRevision,
  );
  if (changes === 1 || expectedRevision !== 0) return changes === 1;
  const insert = 'INSERT INTO record (name, revision, body) VALUES (?, ?, ?) ON CONFLICT DO NOTHING';
  return (await sql.run(insert, name, next.revision, body)) === 1;
}

const readRecord = (sql: Sql, name: string) =>
  sql.get<{ body: string }>('SELECT body FROM record WHERE name = ?', name);

/** Pointers in one row; each change is stored in the transaction that makes it. */
class SqlPointerStore implements PointerStore {
  readonly #sql: Sql;
  readonly #writing = new SerialQueue();

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  async readPointers(): Promise<PointerRecord> {
    const row = await readRecord(this.#sql, 'pointers');
    return row ? parseRow('the row of pointers', row.body, pointerRecordSchema) : emptyPointers;
  }

  /** Writes of one process are serialized, so that they do not use up each other's retries. */
  writePointers(next: PointerRecord, expectedRevision: number): Promise<void> {
    return this.#writing.run(() =>
      this.#sql.transaction(async () => {
        if (!(await replaceRecord(this.#sql, 'pointers', next, expectedRevision)))
          throw new RegistryError(
            'REVISION_CHANGED',
            `the pointers are no longer at revision ${expectedRevision}`,
          );
        if (next.change)
          await this.#sql.run(
            'INSERT INTO change (revision, body) VALUES (?, ?) ON CONFLICT DO NOTHING',
            next.change.revision,
            JSON.stringify(next.change),
          );
      }),
    );
  }

  async readChanges(options: {
    limit: number;
    beforeRevision?: number | undefined;
  }): Promise<PointerChange[]> {
    const { limit, beforeRevision = Number.MAX_SAFE_INTEGER } = options;
    const rows = await this.#sql.all<{ revision: number; body: string }>(
      'SELECT revision, body FROM change WHERE revision < ? ORDER BY revision DESC LIMIT ?',
      beforeRevision,
      limit,
    );
    return rows.map(({ revision, body }) => parseRow(`change ${revision}`, body, pointerChangeSchema));
  }
}

class SqlAccessStore implements AccessStore {
  readonly #sql: Sql;
  readonly #writing = new SerialQueue();

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  async readAccess(): Promise<AccessRecord> {
    const row = await readRecord(this.#sql, 'access');
    return row ? parseRow('the row of credentials', row.body, accessRecordSchema) : emptyAccess;
  }

  writeAccess(next: AccessRecord, expectedRevision: number): Promise<void> {
    return this.#writing.run(async () => {
      if (!(await replaceRecord(this.#sql, 'access', next, expectedRevision)))
        throw new RegistryError(
          'REVISION_CHANGED',
          'the credentials were changed at the same time; try again',
        );
    });
  }
}

class SqlLogStore implements LogStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  async readEntries(after: number, limit: number): Promise<string[]> {
    const rows = await this.#sql.all<{ body: string }>(
      'SELECT body FROM log_entry WHERE sequence > ? ORDER BY sequence LIMIT ?',
      after,
      limit,
    );
    return rows.map(({ body }) => body);
  }

  async appendEntry(sequence: number, text: string): Promise<boolean> {
    const insert = 'INSERT INTO log_entry (sequence, body) VALUES (?, ?) ON CONFLICT DO NOTHING';
    return (await this.#sql.run(insert, sequence, text)) === 1;
  }
}

const releaseSchema = z.object({
  manifest: releaseManifestSchema,
  publishedAt: z.iso.datetime(),
  brotli: z.record(z.string(), z.number().int().nonnegative()),
  signature: signedManifestSchema.optional(),
  publisher: publisherSchema.optional(),
});

/** Releases with their files; one transaction makes a release visible, and its key decides between publishers. */
class SqlReleaseStore implements ReleaseStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  async listReleases(): Promise<ReleaseId[]> {
    const rows = await this.#sql.all('SELECT name, version FROM release WHERE body IS NOT NULL');
    return z.array(releaseIdSchema).parse(rows);
  }

  async findRelease(id: ReleaseId): Promise<StoredRelease | undefined> {
    const text = 'SELECT body FROM release WHERE name = ? AND version = ? AND body IS NOT NULL';
    const row = await this.#sql.get<{ body: string }>(text, id.name, id.version);
    return row && parseRow(releaseLabel(id), row.body, releaseSchema);
  }

  addRelease(release: CompressedRelease): Promise<void> {
    const { manifest, signature, publisher } = release;
    const { name, version } = manifest;
    const brotli = Object.fromEntries([...release.brotli].map(([path, bytes]) => [path, bytes.length]));
    const stored = { manifest, publishedAt: new Date().toISOString(), brotli, signature, publisher };
    const files: (readonly [path: string, encoding: string, bytes: Buffer])[] = [
      [MANIFEST_FILE, 'identity', release.manifestBytes],
      ...[...release.files].map(([path, bytes]) => [path, 'identity', bytes] as const),
      ...[...release.brotli].map(([path, bytes]) => [path, 'br', bytes] as const),
    ];
    return this.#sql.transaction(async () => {
      const insert = 'INSERT INTO release (name, version, body) VALUES (?, ?, ?) ON CONFLICT DO NOTHING';
      if ((await this.#sql.run(insert, name, version, JSON.stringify(stored))) === 0)
        throw new RegistryError(
          'RELEASE_EXISTS',
          (await this.findRelease(manifest))
            ? `${releaseLabel(manifest)} is already published`
            : `${releaseLabel(manifest)} was published and removed; a version is used once`,
        );
      for (const [path, encoding, bytes] of files)
        await this.#sql.run(
          'INSERT INTO release_file (name, version, path, encoding, bytes) VALUES (?, ?, ?, ?, ?)',
          name,
          version,
          path,
          encoding,
          bytes.toString('base64'),
        );
    });
  }

  removeRelease({ name, version }: ReleaseId): Promise<void> {
    return this.#sql.transaction(async () => {
      await this.#sql.run('UPDATE release SET body = NULL WHERE name = ? AND version = ?', name, version);
      await this.#sql.run('DELETE FROM release_file WHERE name = ? AND version = ?', name, version);
    });
  }

  async openFile(id: ReleaseId, path: string, encoding: 'identity' | 'br'): Promise<Readable | undefined> {
    const row = await this.#sql.get<{ bytes: string }>(
      'SELECT bytes FROM release_file WHERE name = ? AND version = ? AND path = ? AND encoding = ?',
      id.name,
      id.version,
      path,
      encoding,
    );
    return row && Readable.from([Buffer.from(row.bytes, 'base64')]);
  }
}
