import { extname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { RegistryError } from '@forecourt/release-kit/registryError';
import { releaseIdSchema } from '@forecourt/release-kit/releaseFiles';
import type { Request, RequestHandler } from 'express';
import { type AppDeps, isNotModified } from './requests.ts';

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
    const noSuchFile = () => new RegistryError('NOT_FOUND', `no such release file: ${req.path}`);
    const id = releaseIdSchema.safeParse(req.params);
    const release = id.success ? await releases.findRelease(id.data) : undefined;
    const path = pathOf(req);
    if (!id.success || !release || !Object.hasOwn(release.manifest.files, path)) throw noSuchFile();
    const file = release.manifest.files[path];
    if (!file) throw noSuchFile();

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
    if (!content) throw noSuchFile();
    const countBytes = async function* (chunks: AsyncIterable<Buffer>) {
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
    await pipeline(content, countBytes, res).catch((error: unknown) => {
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
