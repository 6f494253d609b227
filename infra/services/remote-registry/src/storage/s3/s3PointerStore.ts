import { randomUUID } from 'node:crypto';
import { type PointerChange, pointerChangeSchema, RegistryError } from '@forecourt/cli/release';
import {
  noPointers,
  type PointerRecord,
  pointerRecordSchema,
  type PointerStore,
} from '../../pointers/pointerStore.ts';
import { Turns } from '../../turns.ts';
import { atOnce } from './atOnce.ts';
import type { Bucket } from './bucket.ts';

const POINTERS = 'pointers.json';
const HISTORY = 'history/';
/** 'history/0000000042.json': keys are listed in the order of the revisions. */
const historyKey = (revision: number): string => `${HISTORY}${String(revision).padStart(10, '0')}.json`;
const revisionOf = (key: string): number => Number.parseInt(key.slice(HISTORY.length), 10);

/** Revisions looked through at one time, from the newest back: one page of a listing. */
const WINDOW = 1000;
const READS_AT_ONCE = 16;

/**
 * Pointers as one object that is only ever replaced under the entity tag it
 * was read with, past changes as objects written once. Any number of processes
 * may write at one time.
 */
export class S3PointerStore implements PointerStore {
  readonly #bucket: Bucket;
  readonly #writing = new Turns();

  constructor(bucket: Bucket) {
    this.#bucket = bucket;
  }

  async readPointers(): Promise<PointerRecord> {
    return (await this.#read()).record;
  }

  async #read(): Promise<{ record: PointerRecord; etag: string | undefined }> {
    const stored = await this.#bucket.read(POINTERS);
    if (!stored) return { record: noPointers, etag: undefined };
    return { record: this.#parse(POINTERS, stored.text, pointerRecordSchema), etag: stored.etag };
  }

  #parse<T>(key: string, json: string, schema: { parse: (value: unknown) => T }): T {
    try {
      return schema.parse(JSON.parse(json));
    } catch (error) {
      // To begin again from nothing would take every remote off the page: a person has to look.
      throw new RegistryError(
        'STORAGE_DAMAGED',
        `${this.#bucket.nameOf(key)} cannot be read; restore it from a backup`,
        { cause: error },
      );
    }
  }

  /** Writers of one process take turns, so that they do not spend their attempts on each other. */
  writePointers(next: PointerRecord, expectedRevision: number): Promise<void> {
    return this.#writing.take(async () => {
      const { record, etag } = await this.#read();
      const changed = (revision: number) =>
        new RegistryError(
          'REVISION_CHANGED',
          `the pointers are at revision ${revision}, not ${expectedRevision}`,
        );
      if (record.revision !== expectedRevision) throw changed(record.revision);
      // Refused when it is archived already: the write after it did not come to its end.
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
      // When an answer is lost the client sends the request again, and its own first one may have been written.
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
    const isNewestAsked = change.revision < beforeRevision;
    const changes = isNewestAsked ? [change] : [];
    let end = Math.min(change.revision, beforeRevision);
    while (end > 1 && changes.length < limit) {
      const begin = Math.max(1, end - WINDOW);
      const keys: string[] = [];
      for await (const { key } of this.#bucket.list(HISTORY, historyKey(begin - 1))) {
        if (revisionOf(key) >= end) break;
        keys.push(key);
      }
      changes.push(
        ...(await atOnce(READS_AT_ONCE, keys.reverse().slice(0, limit - changes.length), (key) =>
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
