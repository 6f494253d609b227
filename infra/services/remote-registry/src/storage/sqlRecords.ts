import { RegistryError } from '@forecourt/release-kit/registryError';
import { type PointerChange, pointerChangeSchema } from '@forecourt/release-kit/registryResponses';
import type { Sql } from '@forecourt/service-kit/sql';
import type { z } from 'zod';
import {
  type AccessRecord,
  accessRecordSchema,
  type AccessStore,
  emptyAccess,
  emptyPointers,
  type LogStore,
  type PointerRecord,
  pointerRecordSchema,
  type PointerStore,
  SerialQueue,
} from '../ports.ts';

/** @throws RegistryError without a cause: its message could quote the row */
export function parseRow<T>(what: string, json: string, schema: z.ZodType<T>): T {
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
export class SqlPointerStore implements PointerStore {
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

export class SqlAccessStore implements AccessStore {
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

export class SqlLogStore implements LogStore {
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
