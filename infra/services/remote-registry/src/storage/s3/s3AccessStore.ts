import { randomUUID } from 'node:crypto';
import { RegistryError } from '@forecourt/cli/release';
import { type AccessRecord, accessRecordSchema, type AccessStore, emptyAccess } from '../../ports.ts';
import { SerialQueue } from '../../serialQueue.ts';
import type { Bucket } from './bucket.ts';

const KEY = 'access.json';

/** The access record in one object, replaced only under the ETag it was read with. */
export class S3AccessStore implements AccessStore {
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
