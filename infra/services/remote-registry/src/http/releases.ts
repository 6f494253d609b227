import express, { type Request, type RequestHandler } from 'express';
import { COMMIT_HEADER, commitSchema, unpackArchive } from '@forecourt/release-kit/archive';
import { RegistryError } from '@forecourt/release-kit/registryError';
import { MAX_RELEASE_BYTES, releaseIdSchema, releaseLabel } from '@forecourt/release-kit/releaseFiles';
import { SIGNATURE_HEADER } from '@forecourt/release-kit/signatures';
import { SerialQueue } from '../ports.ts';
import { publishEvent } from '../log/transparencyLog.ts';
import {
  type AppDeps,
  type AppOptions,
  callerOf,
  isNotModified,
  parseInput,
  releaseIdOf,
  remoteNameOf,
  toRegistryError,
} from './requests.ts';
import { addToStore } from '../releases/addToStore.ts';
import { z } from 'zod';
import { collectGarbage } from '../releases/garbage.ts';
import { summarize } from '../releases/summaries.ts';
import { pipeline } from 'node:stream/promises';
import { extname } from 'node:path';

/** `GET /api/releases`: every complete release, newest version of each remote first. */
export const listReleases =
  ({ releases }: AppDeps): RequestHandler =>
  async (_req, res) => {
    res.json({ releases: await summarize(releases, await releases.listReleases()) });
  };

/** `GET /api/releases/:name`: the releases of one remote. 404 UNKNOWN_RELEASE when it has none. */
export const listReleasesOfRemote =
  ({ releases }: AppDeps): RequestHandler =>
  async (req, res) => {
    const name = remoteNameOf(req);
    const ids = (await releases.listReleases()).filter((id) => id.name === name);
    if (ids.length === 0) throw new RegistryError('UNKNOWN_RELEASE', `${name} has no release`);
    res.json({ releases: await summarize(releases, ids) });
  };

/** `GET /api/releases/:name/:version`: its manifest. */
export const getRelease =
  ({ releases }: AppDeps): RequestHandler =>
  async (req, res) => {
    const id = releaseIdOf(req);
    const release = await releases.findRelease(id);
    if (!release) throw new RegistryError('UNKNOWN_RELEASE', `${id.name}@${id.version} is not published`);
    res.json(release.manifest);
  };

/** `PUT /api/releases/:name/:version`, body: gzipped tar with `release.json` and the files. 201 with the manifest. */
export function putRelease(
  { releases, keys, log, metrics }: AppDeps,
  { brotliQuality }: AppOptions,
): RequestHandler[] {
  const readBody = express.raw({ type: () => true, limit: MAX_RELEASE_BYTES, inflate: false });
  // One at a time: compression is expensive, and a burst of publishes must not slow down file serving.
  const publishing = new SerialQueue();

  const publish: RequestHandler = async (req, res) => {
    try {
      const id = releaseIdOf(req);
      const body: unknown = req.body;
      if (!Buffer.isBuffer(body)) throw new RegistryError('ARCHIVE_INVALID', 'the request has no body');
      const manifest = await publishing.run(async () => {
        const upload = await unpackArchive(body);
        const signature = await keys.check(id.name, upload.manifestBytes, req.get(SIGNATURE_HEADER));
        const commit = parseInput(commitSchema.optional(), req.get(COMMIT_HEADER));
        const publisher = { by: callerOf(res).name, ...(commit !== undefined && { commit }) };
        const added = await addToStore(releases, upload, {
          brotliQuality,
          expected: id,
          signature,
          publisher,
        });
        await log.record(publishEvent(id, { manifest: added, signature }, publisher));
        return added;
      });
      metrics.publishes.inc({ outcome: 'published' });
      req.log.info({ release: releaseLabel(id), by: callerOf(res).name }, 'release published');
      res.status(201).location(`/api/releases/${id.name}/${id.version}`).json(manifest);
    } catch (error) {
      metrics.publishes.inc({ outcome: toRegistryError(error).code });
      throw error;
    }
  };
  return [readBody, publish];
}

export const garbageBodySchema = z.object({
  keepDays: z.number().min(1).max(3650).default(30),
  keepVersions: z.number().int().min(1).max(1000).default(5),
  /** Removal must be requested explicitly. */
  dryRun: z.boolean().default(true),
});

/**
 * `POST /api/gc` `{keepDays = 30, keepVersions = 5, dryRun = true}`: removes old
 * releases that no pointer names or recently named and that are not among the
 * newest; returns `{removed: [{name, version, publishedAt}], dryRun}`.
 */
export const postGarbage =
  (deps: AppDeps): RequestHandler =>
  async (req, res) => {
    const { dryRun, ...rules } = parseInput(garbageBodySchema, req.body ?? {});
    const removed = await collectGarbage(deps, { ...rules, isDryRun: dryRun }, new Date());
    const by = callerOf(res).name;
    if (!dryRun)
      for (const release of removed)
        await deps.log.record({ action: 'remove', by, subject: releaseLabel(release), details: {} });
    if (!dryRun) req.log.info({ releases: removed.map(releaseLabel) }, 'releases removed');
    res.json({ removed, dryRun });
  };

const pathOf = (req: Request): string => {
  const segments: unknown = req.params['path'];
  return Array.isArray(segments) ? segments.join('/') : '';
};

/**
 * `GET /remotes/:name/:version/*path`: a file of a release, immutable. Only files
 * in the manifest exist; the path is a lookup key, so a request path never reaches
 * the disk.
 */
export const getRemoteFile =
  ({ releases, metrics }: AppDeps): RequestHandler =>
  async (req, res) => {
    const missing = () => new RegistryError('NOT_FOUND', `no such release file: ${req.path}`);
    const id = releaseIdSchema.safeParse(req.params);
    const release = id.success ? await releases.findRelease(id.data) : undefined;
    const path = pathOf(req);
    if (!id.success || !release || !Object.hasOwn(release.manifest.files, path)) throw missing();
    const file = release.manifest.files[path];
    if (!file) throw missing();

    const brotliBytes = Object.hasOwn(release.brotli, path) ? release.brotli[path] : undefined;
    const isBrotli = brotliBytes !== undefined && req.acceptsEncodings(['br', 'identity']) === 'br';
    const encoding = isBrotli ? 'br' : 'identity';
    const bytes = isBrotli ? brotliBytes : file.bytes;

    // Each encoding is a different byte sequence and has its own strong ETag.
    const etag = isBrotli ? `"${file.integrity}-br"` : `"${file.integrity}"`;
    res.set({
      'Cache-Control': 'public, max-age=31536000, immutable',
      'Access-Control-Allow-Origin': '*',
      'Cross-Origin-Resource-Policy': 'cross-origin',
      ETag: etag,
    });
    if (brotliBytes !== undefined) res.vary('Accept-Encoding');
    if (isNotModified(req, etag)) {
      res.status(304).end();
      return;
    }
    res.set({ 'Content-Type': contentTypeOf(path), 'Content-Length': String(bytes) });
    if (isBrotli) res.set('Content-Encoding', 'br');
    if (req.method === 'HEAD') {
      res.end();
      return;
    }
    const content = await releases.openFile(id.data, path, encoding);
    if (!content) throw missing();
    const counted = async function* (chunks: AsyncIterable<Buffer>) {
      let sent = 0;
      for await (const chunk of chunks) {
        sent += chunk.length;
        if (sent > bytes) break;
        metrics.servedBytes.inc({ encoding }, chunk.length);
        yield chunk;
      }
      // Aborts the connection, so that no client waits for the rest or caches a truncated file.
      if (sent !== bytes)
        throw new RegistryError('STORAGE_DAMAGED', `${req.path} does not have its ${bytes} bytes`);
    };
    // A client that disconnects is not an error.
    await pipeline(content, counted, res).catch((error: unknown) => {
      if (!res.destroyed || res.writableEnded) throw error;
    });
  };

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.cjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.woff': 'font/woff',
  '.wasm': 'application/wasm',
};

/** Unknown types, above all HTML, are downloads: a remote has no pages of its own. */
const contentTypeOf = (path: string): string =>
  TYPES[extname(path).toLowerCase()] ?? 'application/octet-stream';
