import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import type { ReleaseFiles } from '@forecourt/cli/release';

const compress = promisify(brotliCompress);

const COMPRESSIBLE = /\.(?:js|css|json|svg)$/;
/** From this size on, quality 11 costs seconds for a percent or two. */
const LARGE_BYTES = 1_000_000;
const LARGE_QUALITY = 9;
export const DEFAULT_BROTLI_QUALITY = 11;

/** zlib and the file system share one pool of four threads: some must stay free for those who serve files. */
const AT_ONCE = 2;

const compressFile = (bytes: Buffer, quality: number): Promise<Buffer> =>
  compress(bytes, {
    params: {
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_QUALITY]:
        bytes.length < LARGE_BYTES ? quality : Math.min(quality, LARGE_QUALITY),
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  });

/**
 * Brotli forms of the text files, made once at publish so that serving costs
 * nothing. A form that is not smaller than its original is left out.
 * @param quality 0–11; 5 is about fifty times faster than 11, for development
 */
export async function precompress(
  files: ReleaseFiles,
  quality: number = DEFAULT_BROTLI_QUALITY,
): Promise<ReleaseFiles> {
  const forms = new Map<string, Buffer>();
  const queue = [...files].filter(([path]) => COMPRESSIBLE.test(path)).values();
  const work = async (): Promise<void> => {
    // All workers draw from the one iterator.
    for (const [path, bytes] of queue) {
      const form = await compressFile(bytes, quality);
      if (form.length < bytes.length) forms.set(path, form);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return forms;
}
