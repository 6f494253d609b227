import { createHash } from 'node:crypto';
import type { Transform } from 'node:stream';
import { promisify } from 'node:util';
import { constants, createZstdCompress, zstdCompress, zstdDecompress } from 'node:zlib';
import { CHUNK, ZSTD } from './zstdOptions.ts';

const zstd = promisify(zstdCompress);
const unzstd = promisify(zstdDecompress);

/** Begins a frame that Zstandard skips: 32 bytes with the dictionary's hash follow (RFC 9842, 5). */
const MAGIC = Buffer.from('5e2a4d1820000000', 'hex');

/**
 * Bytes that many pages contain. A browser that has them gets the rest of a page: the content coding `dcz`, Compression
 * Dictionary Transport (RFC 9842).
 */
export class PageDictionary {
  readonly bytes: Buffer;
  /** SHA-256 in base64, as in `Available-Dictionary`. */
  readonly hash: string;
  /** What a response in `dcz` begins with. */
  readonly start: Buffer;

  constructor(bytes: Buffer) {
    const hash = createHash('sha256').update(bytes).digest();
    this.bytes = bytes;
    this.hash = hash.toString('base64');
    this.start = Buffer.concat([MAGIC, hash]);
  }

  /** Compresses what follows `start`; each write is flushed. */
  createCompressor(): Transform {
    return createZstdCompress({
      ...ZSTD,
      ...CHUNK,
      flush: constants.ZSTD_e_flush,
      dictionary: this.bytes,
    });
  }

  /** The bytes in `dcz`, made in the thread pool. */
  async compress(bytes: Buffer): Promise<Buffer> {
    return Buffer.concat([this.start, await zstd(bytes, { ...ZSTD, dictionary: this.bytes })]);
  }

  /** The bytes that were compressed, in the thread pool. */
  expand(compressed: Buffer): Promise<Buffer> {
    // Node reads one frame, and `start` is one.
    return unzstd(compressed.subarray(this.start.length), { dictionary: this.bytes });
  }
}
