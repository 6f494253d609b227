import { promisify } from 'node:util';
import {
  brotliCompress,
  constants,
  createBrotliCompress,
  createGzip,
  createZstdCompress,
  gzip,
  zstdCompress,
  zstdDecompress,
} from 'node:zlib';
import type { Transform } from 'node:stream';

/** Content codings of pages, besides identity. */
export const CODINGS = ['br', 'zstd', 'gzip'] as const;
type Compressed = (typeof CODINGS)[number];
export type Coding = Compressed | 'identity';

/** A compressor of streams, for pages that are sent while they are written; `flush` sends what it has. */
export type Compressor = Transform & { flush: (callback?: () => void) => void };

const brotliOptions = (quality: number, windowBits: number) => ({
  params: {
    [constants.BROTLI_PARAM_QUALITY]: quality,
    [constants.BROTLI_PARAM_LGWIN]: windowBits,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
  },
});
// Windows of 256 and 512 KB hold most of a page; the defaults take some megabytes of memory per page.
const QUICK_BROTLI = brotliOptions(5, 18);
const ZSTD = { params: { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_windowLog]: 19 } };
const GZIP = { level: 6 };

/** A part of a page fits into one chunk; each further one is a job of the thread pool. */
const CHUNK = { chunkSize: 64 * 1024 };

/** Codings made while the page is written, once for all its readers (ADR 21 has the figures). */
export const createCompressor: Readonly<Record<Compressed, () => Compressor>> = {
  br: () => createBrotliCompress({ ...QUICK_BROTLI, ...CHUNK }),
  zstd: () => createZstdCompress({ ...ZSTD, ...CHUNK }) as Compressor,
  gzip: () => createGzip({ ...GZIP, ...CHUNK }),
};

const brotli = promisify(brotliCompress);
const zstd = promisify(zstdCompress);
const gzipped = promisify(gzip);

/** The same for a page that is whole, in the thread pool. */
export const compressWhole: Readonly<Record<Compressed, (bytes: Buffer) => Promise<Buffer>>> = {
  br: (bytes) => brotli(bytes, QUICK_BROTLI),
  zstd: (bytes) => zstd(bytes, ZSTD),
  gzip: (bytes) => gzipped(bytes, GZIP),
};

/** The bytes that were compressed with zstd, in the thread pool. */
export const expandZstd: (compressed: Buffer) => Promise<Buffer> = promisify(zstdDecompress);

/** Takes tens of milliseconds in the thread pool: for pages that are requested again. */
export const compressWell = (bytes: Buffer): Promise<Buffer> => brotli(bytes, brotliOptions(9, 20));
