import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import type { ReleaseFiles } from './releaseStore.ts';

const compress = promisify(brotliCompress);

const COMPRESSIBLE = /\.(?:js|css|json|svg)$/;
/** From this size on, quality 11 costs seconds for a percent or two. */
const LARGE_BYTES = 1_000_000;
const LARGE_QUALITY = 9;
export const DEFAULT_BROTLI_QUALITY = 11;

/**
 * Brotli forms of the text files, made once at publish so that serving costs
 * nothing. A form that is not smaller than its original is left out. zlib
 * spreads the work over its thread pool.
 * @param quality 0–11; 5 is about fifty times faster than 11, for development
 */
export async function precompress(
  files: ReleaseFiles,
  quality: number = DEFAULT_BROTLI_QUALITY,
): Promise<ReleaseFiles> {
  const forms = await Promise.all(
    [...files]
      .filter(([path]) => COMPRESSIBLE.test(path))
      .map(async ([path, bytes]) => {
        const form = await compress(bytes, {
          params: {
            [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
            [constants.BROTLI_PARAM_QUALITY]:
              bytes.length < LARGE_BYTES ? quality : Math.min(quality, LARGE_QUALITY),
            [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
          },
        });
        return form.length < bytes.length ? ([path, form] as const) : undefined;
      }),
  );
  return new Map(forms.filter((form) => form !== undefined));
}
