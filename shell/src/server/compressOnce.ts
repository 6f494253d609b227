import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import type { Request, Response } from 'express';

const brotli = promisify(brotliCompress);
const compress = (bytes: Buffer, quality: number) =>
  brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } });

const QUICK = 5;
/** A second for the largest script, in a thread of the pool; 8 % fewer bytes than quality 9. */
const BEST = constants.BROTLI_MAX_QUALITY;

export type CompressOnce = (bytes: Buffer) => Promise<Buffer>;

/**
 * Compresses immutable files, each as well as it can be and once. Whoever asks
 * before that is done gets a quick version rather than a second's wait. A file
 * that nobody holds any more is forgotten with its versions.
 */
export function createCompressOnce(): CompressOnce {
  const quick = new WeakMap<Buffer, Promise<Buffer>>();
  const best = new WeakMap<Buffer, Buffer>();
  return async (bytes) => {
    const done = best.get(bytes);
    if (done) return done;
    const started = quick.get(bytes);
    if (started) return started;
    const first = compress(bytes, QUICK);
    quick.set(bytes, first);
    // A failure leaves the quick version in use.
    void compress(bytes, BEST).then(
      (body) => best.set(bytes, body),
      () => {},
    );
    return first;
  };
}

/** Sends bytes whose type and caching are set, in brotli to whoever takes it, compressed once per content. */
export function createCompressedSender() {
  const compressOnce = createCompressOnce();
  return async (request: Request, response: Response, bytes: Buffer): Promise<Response> => {
    response.vary('Accept-Encoding');
    if (!request.acceptsEncodings('br')) return response.send(bytes);
    const body = await compressOnce(bytes);
    return response.set('Content-Encoding', 'br').send(body);
  };
}
