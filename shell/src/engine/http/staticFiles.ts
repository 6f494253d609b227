import type { Request, RequestHandler, Response } from 'express';
import type { ShellAssets } from '../compose/shellAssets.ts';
import type { PageDictionary } from '../compose/pageDictionary.ts';
import { SHELL_FILES } from '../universal/paths.ts';
import type { ReleaseArchive } from '../releases/archive.ts';
import { createLruCache } from '@forecourt/service-kit/lruCache';
import { ownBytes } from '@forecourt/service-kit/ownBytes';
import { joinScripts, type LoadedRelease, partsOf } from '../rendering/release.ts';
import { sendError } from './responses.ts';
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

const IMMUTABLE = 'public, max-age=31536000, immutable';
/** A cache in front of the shell asks again in a minute, for the best compression. */
const QUICKLY_COMPRESSED = 'public, max-age=31536000, s-maxage=60, immutable';

function setFileHeaders(response: Response, path: string): void {
  response.set({
    'Cache-Control': IMMUTABLE,
    'Content-Type': typeOf(path),
    'Access-Control-Allow-Origin': '*',
    'Cross-Origin-Resource-Policy': 'cross-origin',
  });
}

/** `/assets/{build}/{file}`: the shell's own files. */
export function shellFiles({ files, build }: ShellAssets, send: CompressedSender): RequestHandler {
  return async (request, response) => {
    const [hash, name = ''] = request.path.slice(SHELL_FILES.length + 1).split('/');
    const bytes = hash === build ? files.get(name) : undefined;
    if (!bytes) return sendError(response, 404, 'NOT_FOUND', 'no such file');
    setFileHeaders(response, name);
    return send(request, response, bytes);
  };
}

/** `/assets/dictionary/{hash}`: for browsers that fetch more documents below `root` (RFC 9842). */
export function dictionaryFiles(
  find: (hash: string) => PageDictionary | undefined,
  root: string,
  send: CompressedSender,
): RequestHandler<{ hash: string }> {
  const use = `match="${root}/*", match-dest=("document")`;
  return async (request, response) => {
    const dictionary = find(request.params.hash);
    if (!dictionary) return sendError(response, 404, 'NOT_FOUND', 'no such dictionary');
    setFileHeaders(response, 'dictionary');
    response.set('Use-As-Dictionary', use);
    return send(request, response, dictionary.bytes);
  };
}

/** Joined files that are held, with their compressed bytes. */
const MAX_JOINED = 128;
/** The build preset's name. */
const ARCHIVED_ENTRY = 'web/remoteEntry.js';

/**
 * `/remotes/{name}/{version}/web/…`: verified release files from memory, on the
 * page's own origin, also two joined. Files of older releases, which open tabs may need, come from
 * the archive.
 */
export function releaseFiles({
  find,
  archive,
  send,
}: {
  readonly find: (name: string, version: string) => LoadedRelease | undefined;
  readonly archive?: ReleaseArchive | undefined;
  readonly send: CompressedSender;
}): RequestHandler {
  const joinedFiles = createLruCache<Buffer>({ maxEntries: MAX_JOINED });

  const read = async (name: string, version: string, path: string) =>
    find(name, version)?.webFiles.get(path) ?? (await archive?.file(name, version, path));

  /** Only a chunk with the entry: each combination is compressed. */
  async function readJoined(name: string, version: string, path: string): Promise<Buffer | undefined> {
    const [chunkPath, entryPath] = partsOf(path) ?? [];
    if (chunkPath === undefined || entryPath === undefined) return read(name, version, path);
    if (entryPath !== (find(name, version)?.manifest.entry.web ?? ARCHIVED_ENTRY)) return undefined;
    const key = `${name}/${version}/${path}`;
    const known = joinedFiles.get(key);
    if (known) return known;
    const [chunk, entry] = await Promise.all([
      read(name, version, chunkPath),
      read(name, version, entryPath),
    ]);
    if (!chunk || !entry) return undefined;
    const bytes = joinScripts(chunk, entry);
    joinedFiles.set(key, bytes);
    return bytes;
  }

  return async (request, response) => {
    const [, , name = '', version = '', ...rest] = request.path.split('/');
    const path = rest.join('/');
    const bytes = await readJoined(name, version, path);
    if (!bytes) return sendError(response, 404, 'NOT_FOUND', 'no such file');
    setFileHeaders(response, path);
    return send(request, response, bytes);
  };
}

const brotli = promisify(brotliCompress);
const compress = async (bytes: Buffer, quality: number) =>
  ownBytes(await brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } }));

const QUICK_QUALITY = 5;
/** Takes a second for the largest script, in the thread pool; 8 % smaller than quality 9. */
const BEST_QUALITY = constants.BROTLI_MAX_QUALITY;

interface CompressedFile {
  readonly body: Buffer;
  /** False until the best quality is there. */
  readonly isBest: boolean;
}

/**
 * Compresses each immutable file once at the best quality, one file after another, because pages and quick versions need
 * the threads too. Requests before that is done get a quick version. Entries are garbage-collected with their file.
 */
export function createCompressOnce(): (bytes: Buffer) => Promise<CompressedFile> {
  const quick = new WeakMap<Buffer, Promise<Buffer>>();
  const best = new WeakMap<Buffer, Buffer>();
  let lastBest: Promise<unknown> = Promise.resolve();
  const begin = (bytes: Buffer): Promise<Buffer> => {
    const first = compress(bytes, QUICK_QUALITY);
    quick.set(bytes, first);
    // If it fails, the quick version stays in use.
    lastBest = Promise.allSettled([first, lastBest])
      .then(() => compress(bytes, BEST_QUALITY))
      .then(
        (body) => best.set(bytes, body),
        () => {},
      );
    return first;
  };
  return async (bytes) => {
    const body = best.get(bytes);
    if (body) return { body, isBest: true };
    return { body: await (quick.get(bytes) ?? begin(bytes)), isBest: false };
  };
}

/** Sends bytes with brotli if accepted, compressed once per buffer. The caller sets the headers. One serves all routes. */
export function createCompressedSender() {
  const compressOnce = createCompressOnce();
  return async (request: Request, response: Response, bytes: Buffer): Promise<Response> => {
    response.vary('Accept-Encoding');
    if (!request.acceptsEncodings('br')) return response.send(bytes);
    const { body, isBest } = await compressOnce(bytes);
    if (!isBest && response.get('Cache-Control') === IMMUTABLE)
      response.set('Cache-Control', QUICKLY_COMPRESSED);
    return response.set('Content-Encoding', 'br').send(body);
  };
}

export type CompressedSender = ReturnType<typeof createCompressedSender>;
