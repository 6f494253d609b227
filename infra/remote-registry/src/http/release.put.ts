import express, { type RequestHandler } from 'express';
import { RegistryError } from '../registryError.ts';
import { addToStore } from '../releases/addToStore.ts';
import { unpackArchive } from '../releases/archive.ts';
import { MAX_RELEASE_BYTES } from '../releases/limits.ts';
import { releaseLabel } from '../releases/releaseStore.ts';
import type { AppDeps, AppOptions } from './deps.ts';
import { toRegistryError } from './errors.ts';
import { releaseIdOf } from './input.ts';

/** `PUT /api/releases/:name/:version`, body: gzip'd tar with `release.json` and the files. 201 with the manifest. */
export function putRelease({ releases, metrics }: AppDeps, { brotliQuality }: AppOptions): RequestHandler[] {
  const readBody = express.raw({ type: () => true, limit: MAX_RELEASE_BYTES, inflate: false });

  const publish: RequestHandler = async (req, res) => {
    try {
      const id = releaseIdOf(req);
      const body: unknown = req.body;
      if (!Buffer.isBuffer(body)) throw new RegistryError('ARCHIVE_INVALID', 'the request has no body');
      const upload = await unpackArchive(body);
      const manifest = await addToStore(releases, upload, { brotliQuality, expected: id });
      metrics.publishes.inc({ outcome: 'published' });
      req.log.info({ release: releaseLabel(id), files: upload.files.size }, 'release published');
      res.status(201).location(`/api/releases/${id.name}/${id.version}`).json(manifest);
    } catch (error) {
      metrics.publishes.inc({ outcome: toRegistryError(error).code });
      throw error;
    }
  };
  return [readBody, publish];
}
