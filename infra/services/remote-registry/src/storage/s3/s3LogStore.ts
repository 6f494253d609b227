import type { LogStore } from '../../ports.ts';
import type { Bucket } from './bucket.ts';
import { runWithLimit } from './s3ReleaseStore.ts';

const LOG = 'log/';
const CONCURRENT_READS = 16;

/** 'log/0000000042.json': keys are listed by sequence. */
const entryKey = (sequence: number): string => `${LOG}${String(sequence).padStart(10, '0')}.json`;

/** The log as one object per entry, written once, by any number of processes. */
export class S3LogStore implements LogStore {
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
