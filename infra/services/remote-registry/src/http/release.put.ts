import express, { type RequestHandler } from 'express';
import { MAX_RELEASE_BYTES, RegistryError, releaseLabel, unpackArchive } from '@forecourt/cli/release';
import { addToStore } from '../releases/addToStore.ts';
import { SerialQueue } from '../serialQueue.ts';
import type { AppDeps, AppOptions } from './deps.ts';
import { toRegistryError } from './errors.ts';
import { releaseIdOf } from './input.ts';

/** `PUT /api/releases/:name/:version`, body: gzipped tar with `release.json` and the files. 201 with the manifest. */
export function putRelease({ releases, metrics }: AppDeps, { brotliQuality }: AppOptions): RequestHandler[] {
  const readBody = express.raw({ type: () => true, limit: MAX_RELEASE_BYTES, inflate: false });
  // One at a time: compression is expensive, and a burst of publishes must not slow down file serving.
  const publishing = new SerialQueue();

  const publish: RequestHandler = async (req, res) => {
    try {
      const id = releaseIdOf(req);
      const body: unknown = req.body;
      if (!Buffer.isBuffer(body)) throw new RegistryError('ARCHIVE_INVALID', 'the request has no body');
      const manifest = await publishing.run(async () =>
        addToStore(releases, await unpackArchive(body), { brotliQuality, expected: id }),
      );
      metrics.publishes.inc({ outcome: 'published' });
      req.log.info({ release: releaseLabel(id) }, 'release published');
      res.status(201).location(`/api/releases/${id.name}/${id.version}`).json(manifest);
    } catch (error) {
      metrics.publishes.inc({ outcome: toRegistryError(error).code });
      throw error;
    }
  };
  return [readBody, publish];
}
