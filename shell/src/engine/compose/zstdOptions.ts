import { constants } from 'node:zlib';

/** A part of a page fits into one chunk; each further one is a job of the thread pool. */
export const CHUNK = { chunkSize: 64 * 1024 };

/**
 * For pages and their contents, of 200 kB at most: tables of 2 ** `tableBits` entries, because the defaults are made for
 * megabytes, and cost 0.7 ms to set up.
 */
export const zstdOptions = (level: number, tableBits: number) => ({
  params: {
    [constants.ZSTD_c_compressionLevel]: level,
    [constants.ZSTD_c_windowLog]: 18,
    [constants.ZSTD_c_hashLog]: tableBits,
    [constants.ZSTD_c_chainLog]: tableBits,
  },
});

/** Of pages. */
export const ZSTD = zstdOptions(3, 15);
