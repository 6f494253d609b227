import { createReadStream, closeSync, openSync, readSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import yauzl from 'yauzl';
import { BrokenFeed } from './mapping.ts';

/** The bytes of a feed, unpacked. */
export interface FeedBytes {
  readonly chunks: AsyncIterable<Buffer>;
  /** Of the file, or of the file in the archive. */
  readonly name: () => string;
  readonly totalBytes: number;
  bytesRead(): number;
}

/** Most bytes that a packed feed may have when it is unpacked. */
const MAX_UNPACKED = 4 * 1024 ** 3;

const GZIP = Buffer.from([0x1f, 0x8b]);
const ZIP = Buffer.from('PK\u0003\u0004', 'latin1');
/** Files of an archive that are no feed: folders, resource forks of a Mac, readme files. */
const NO_FEED = /\/$|^__MACOSX\/|(?:^|\/)\.|readme/i;

function startOf(path: string): Buffer {
  const start = Buffer.alloc(4);
  const file = openSync(path, 'r');
  const length = readSync(file, start, 0, start.length, 0);
  closeSync(file);
  return start.subarray(0, length);
}

/** Stops a small file that unpacks to an endless one. */
async function* limited(chunks: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  let bytes = 0;
  try {
    for await (const chunk of chunks) {
      bytes += chunk.length;
      if (bytes > MAX_UNPACKED) throw new BrokenFeed('The feed is too large when it is unpacked');
      yield chunk;
    }
  } catch (error) {
    if (error instanceof BrokenFeed) throw error;
    throw new BrokenFeed(`The feed can't be unpacked: ${(error as Error).message}`);
  }
}

/** The first file of an archive that may be a feed. */
async function* unzipped(path: string, found: (name: string) => void): AsyncIterable<Buffer> {
  const archive = await yauzl.openPromise(path);
  try {
    for await (const entry of archive.eachEntry()) {
      if (NO_FEED.test(entry.fileName)) continue;
      found(entry.fileName);
      yield* (await archive.openReadStreamPromise(entry)) as AsyncIterable<Buffer>;
      return;
    }
  } finally {
    archive.close();
  }
  throw new Error('the archive contains no feed');
}

/** Opens a file as it is, or unpacks gzip or the first feed of a ZIP archive; by content, not by name. */
export function openFeedBytes(path: string): FeedBytes {
  const start = startOf(path);
  const totalBytes = statSync(path).size;
  let name = basename(path);
  if (start.equals(ZIP)) {
    let hasEnded = false;
    const chunks = async function* () {
      yield* limited(unzipped(path, (inner) => (name = inner)));
      hasEnded = true;
    };
    return { chunks: chunks(), name: () => name, totalBytes, bytesRead: () => (hasEnded ? totalBytes : 0) };
  }
  const file = createReadStream(path);
  const isGzip = start.subarray(0, 2).equals(GZIP);
  if (!isGzip)
    return {
      chunks: file as AsyncIterable<Buffer>,
      name: () => name,
      totalBytes,
      bytesRead: () => file.bytesRead,
    };
  name = name.replace(/\.gz$/i, '');
  const unpacked: Readable = file.pipe(createGunzip());
  file.on('error', (error) => unpacked.destroy(error));
  return { chunks: limited(unpacked), name: () => name, totalBytes, bytesRead: () => file.bytesRead };
}
