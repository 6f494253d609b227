import { randomUUID } from 'node:crypto';
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
  type RegistryStorage,
  SerialQueue,
} from '../../ports.ts';
import { Bucket, type S3Options } from '@forecourt/service-kit/bucket';
import { runWithLimit, S3ReleaseStore } from './s3ReleaseStore.ts';
import { RegistryError } from '@forecourt/release-kit/registryError';
import { type PointerChange, pointerChangeSchema } from '@forecourt/release-kit/registryResponses';

/** Throws if the server ignores the conditions of writes, on which all consistency depends. */
async function verifyConditionalWrites(bucket: Bucket): Promise<void> {
  const key = `probes/${randomUUID()}`;
  try {
    const isFirst = await bucket.write(key, 'first', { ifAbsent: true });
    const isSecond = await bucket.write(key, 'second', { ifAbsent: true });
    const isWrong = await bucket.write(key, 'third', { ifEtag: '00000000000000000000000000000000' });
    const etag = (await bucket.read(key))?.etag ?? '';
    const isRight = await bucket.write(key, 'fourth', { ifEtag: etag });
    if (isFirst && !isSecond && !isWrong && isRight) return;
  } finally {
    await bucket.remove(key);
  }
  throw new Error(
    `${bucket.urlOf('')} does not honor If-None-Match and If-Match of writes; use another server, or STORAGE=file`,
  );
}

/** Opens the registry's objects below `options.prefix`, which any number of registries may share. */
export async function openS3Storage(options: S3Options): Promise<RegistryStorage> {
  const bucket = new Bucket(options);
  await verifyConditionalWrites(bucket);
  const releases = new S3ReleaseStore(bucket);
  await releases.sweep();
  return {
    releases,
    pointers: new S3PointerStore(bucket),
    access: new S3AccessStore(bucket),
    log: new S3LogStore(bucket),
    isShared: true,
  };
}

const POINTERS = 'pointers.json';
const HISTORY = 'history/';
/** 'history/0000000042.json': keys are listed by revision. */
const historyKey = (revision: number): string => `${HISTORY}${String(revision).padStart(10, '0')}.json`;
const revisionOf = (key: string): number => Number.parseInt(key.slice(HISTORY.length), 10);

/** Revisions read per step, from the newest back: one page of a listing. */
const WINDOW = 1000;
const CONCURRENT_READS = 16;

/**
 * Pointers in one object, replaced only under the ETag it was read with; each past
 * change in an object written once. Any number of processes may write.
 */
class S3PointerStore implements PointerStore {
  readonly #bucket: Bucket;
  readonly #writing = new SerialQueue();

  constructor(bucket: Bucket) {
    this.#bucket = bucket;
  }

  async readPointers(): Promise<PointerRecord> {
    return (await this.#read()).record;
  }

  async #read(): Promise<{ record: PointerRecord; etag: string | undefined }> {
    const stored = await this.#bucket.read(POINTERS);
    if (!stored) return { record: emptyPointers, etag: undefined };
    return { record: this.#parse(POINTERS, stored.text, pointerRecordSchema), etag: stored.etag };
  }

  #parse<T>(key: string, json: string, schema: { parse: (value: unknown) => T }): T {
    try {
      return schema.parse(JSON.parse(json));
    } catch (error) {
      // Starting over without pointers would remove every remote from the page; an operator must decide.
      throw new RegistryError(
        'STORAGE_DAMAGED',
        `${this.#bucket.urlOf(key)} cannot be read; restore it from a backup`,
        { cause: error },
      );
    }
  }

  /** Writes of one process are serialized, so that they do not use up each other's retries. */
  writePointers(next: PointerRecord, expectedRevision: number): Promise<void> {
    return this.#writing.run(async () => {
      const { record, etag } = await this.#read();
      const changed = (revision: number) =>
        new RegistryError(
          'REVISION_CHANGED',
          `the pointers are at revision ${revision}, not ${expectedRevision}`,
        );
      if (record.revision !== expectedRevision) throw changed(record.revision);
      // Refused if an earlier write that did not finish archived it already.
      if (record.change)
        await this.#bucket.write(historyKey(record.change.revision), JSON.stringify(record.change), {
          ifAbsent: true,
        });
      const write = randomUUID();
      const isWritten = await this.#bucket.write(
        POINTERS,
        `${JSON.stringify(next, null, 2)}\n`,
        etag === undefined ? { ifAbsent: true } : { ifEtag: etag },
        { write },
      );
      if (isWritten) return;
      // After a lost response the SDK retries, and the first request may have succeeded.
      const found = await this.#bucket.read(POINTERS);
      if (found?.metadata['write'] === write) return;
      throw changed((await this.#read()).record.revision);
    });
  }

  async readChanges(options: {
    limit: number;
    beforeRevision?: number | undefined;
  }): Promise<PointerChange[]> {
    const { limit, beforeRevision = Infinity } = options;
    const { change } = await this.readPointers();
    if (!change) return [];
    const includesNewest = change.revision < beforeRevision;
    const changes = includesNewest ? [change] : [];
    let end = Math.min(change.revision, beforeRevision);
    while (end > 1 && changes.length < limit) {
      const begin = Math.max(1, end - WINDOW);
      const keys: string[] = [];
      for await (const { key } of this.#bucket.list(HISTORY, historyKey(begin - 1))) {
        if (revisionOf(key) >= end) break;
        keys.push(key);
      }
      changes.push(
        ...(await runWithLimit(CONCURRENT_READS, keys.reverse().slice(0, limit - changes.length), (key) =>
          this.#readChange(key),
        )),
      );
      end = begin;
    }
    return changes.slice(0, limit);
  }

  async #readChange(key: string): Promise<PointerChange> {
    return this.#parse(key, (await this.#bucket.read(key))?.text ?? '', pointerChangeSchema);
  }
}

const KEY = 'access.json';

/** The access record in one object, replaced only under the ETag it was read with. */
class S3AccessStore implements AccessStore {
  readonly #bucket: Bucket;
  readonly #writing = new SerialQueue();

  constructor(bucket: Bucket) {
    this.#bucket = bucket;
  }

  async readAccess(): Promise<AccessRecord> {
    return (await this.#read()).record;
  }

  async #read(): Promise<{ record: AccessRecord; etag: string | undefined }> {
    const stored = await this.#bucket.read(KEY);
    if (!stored) return { record: emptyAccess, etag: undefined };
    try {
      return { record: accessRecordSchema.parse(JSON.parse(stored.text)), etag: stored.etag };
    } catch {
      // Without the cause: its message could quote the object.
      throw new RegistryError(
        'STORAGE_DAMAGED',
        `${this.#bucket.urlOf(KEY)} cannot be read; restore it from a backup`,
      );
    }
  }

  writeAccess(next: AccessRecord, expectedRevision: number): Promise<void> {
    return this.#writing.run(async () => {
      const { record, etag } = await this.#read();
      const changed = new RegistryError(
        'REVISION_CHANGED',
        'the credentials were changed at the same time; try again',
      );
      if (record.revision !== expectedRevision) throw changed;
      const write = randomUUID();
      const condition = etag === undefined ? { ifAbsent: true as const } : { ifEtag: etag };
      if (await this.#bucket.write(KEY, JSON.stringify(next), condition, { write })) return;
      // After a lost response the SDK retries, and the first request may have succeeded.
      if ((await this.#bucket.read(KEY))?.metadata['write'] !== write) throw changed;
    });
  }
}

const LOG = 'log/';

/** 'log/0000000042.json': keys are listed by sequence. */
const entryKey = (sequence: number): string => `${LOG}${String(sequence).padStart(10, '0')}.json`;

/** The log as one object per entry, written once, by any number of processes. */
class S3LogStore implements LogStore {
  readonly #bucket: Bucket;

  constructor(bucket: Bucket) {
    this.#bucket = bucket;
  }

  async readEntries(after: number, limit: number): Promise<string[]> {
    const keys: string[] = [];
    for await (const { key } of this.#bucket.list(LOG, entryKey(after))) {
      keys.push(key);
      if (keys.length >= limit) break;
    }
    return runWithLimit(CONCURRENT_READS, keys, async (key) => (await this.#bucket.read(key))?.text ?? '');
  }

  async appendEntry(sequence: number, text: string): Promise<boolean> {
    const key = entryKey(sequence);
    if (await this.#bucket.write(key, text, { ifAbsent: true })) return true;
    // After a lost response the SDK retries, and the first request may have succeeded.
    return (await this.#bucket.read(key))?.text === text;
  }
}
