import type { Request, RequestHandler, Response } from 'express';
import { type ShellAssets, SHELL_FILES } from '../compose/shellAssets.ts';
import type { ReleaseArchive } from '../releases/archive.ts';
import type { LoadedRelease } from '../rendering/release.ts';
import { sendError } from '../http/responses.ts';
import { contextOf } from '../http/requestContext.ts';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';

const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  json: 'application/json; charset=utf-8',
};
const typeOf = (path: string): string =>
  TYPES[path.slice(path.lastIndexOf('.') + 1)] ?? 'application/octet-stream';

/** Sends immutable files. */
function createFileSender() {
  const send = createCompressedSender();
  return (request: Request, response: Response, path: string, bytes: Buffer) => {
    response.set({
      'Cache-Control': 'public, max-age=31536000, immutable',
      'Content-Type': typeOf(path),
      'Access-Control-Allow-Origin': '*',
      'Cross-Origin-Resource-Policy': 'cross-origin',
    });
    return send(request, response, bytes);
  };
}

/** `/assets/{build}/{file}`: the shell's own files. */
export function shellFiles({ files, build }: ShellAssets): RequestHandler {
  const send = createFileSender();
  return async (request, response) => {
    const [hash, name = ''] = request.path.slice(SHELL_FILES.length + 1).split('/');
    const bytes = hash === build ? files.get(name) : undefined;
    if (!bytes) return sendError(response, 404, 'NOT_FOUND', 'no such file', contextOf(request).requestId);
    return send(request, response, name, bytes);
  };
}

/**
 * `/remotes/{name}/{version}/web/…`: files of releases on the page's own
 * origin, from the verified copies which pages are composed of. They go on
 * being served while the registry is away. Those of other releases, which open
 * tabs may still load from, come from the archive.
 */
export function releaseFiles({
  find,
  archive,
}: {
  readonly find: (name: string, version: string) => LoadedRelease | undefined;
  readonly archive?: ReleaseArchive | undefined;
}): RequestHandler {
  const send = createFileSender();
  return async (request, response) => {
    const [, , name = '', version = '', ...rest] = request.path.split('/');
    const path = rest.join('/');
    const bytes = find(name, version)?.webFiles.get(path) ?? (await archive?.file(name, version, path));
    if (!bytes) return sendError(response, 404, 'NOT_FOUND', 'no such file', contextOf(request).requestId);
    return send(request, response, path, bytes);
  };
}

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
