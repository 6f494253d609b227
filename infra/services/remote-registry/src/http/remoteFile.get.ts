import { pipeline } from 'node:stream/promises';
import type { Request, RequestHandler } from 'express';
import { RegistryError, releaseIdSchema } from '@forecourt/cli/release';
import { contentTypeOf } from './contentType.ts';
import type { AppDeps } from './deps.ts';
import { isNotModified } from './notModified.ts';

const pathOf = (req: Request): string => {
  const segments: unknown = req.params['path'];
  return Array.isArray(segments) ? segments.join('/') : '';
};

/**
 * `GET /remotes/:name/:version/*path`: a file of a release, for ever the same.
 * Only what the manifest lists exists; the path is a key to look up there, and
 * reaches the disk as the manifest's own spelling.
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

    // The two encodings are two byte sequences, so each has a strong ETag of its own.
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
      // The connection breaks off, so that nobody waits for the rest or keeps what is there for a year.
      if (sent !== bytes)
        throw new RegistryError('STORAGE_DAMAGED', `${req.path} does not have its ${bytes} bytes`);
    };
    // A visitor who leaves in the middle is no failure of the registry.
    await pipeline(content, counted, res).catch((error: unknown) => {
      if (!res.destroyed || res.writableEnded) throw error;
    });
  };
