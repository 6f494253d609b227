import express, { type RequestHandler } from 'express';
import { COMMIT_HEADER, commitSchema, unpackArchive } from '@forecourt/release-kit/archive';
import { RegistryError } from '@forecourt/release-kit/registryError';
import { MAX_RELEASE_BYTES, releaseLabel } from '@forecourt/release-kit/releaseFiles';
import { SIGNATURE_HEADER } from '@forecourt/release-kit/signatures';
import { SerialQueue } from '../ports.ts';
import { publishEvent } from '../log/transparencyLog.ts';
import {
  type AppDeps,
  type AppOptions,
  callerOf,
  parseInput,
  releaseIdOf,
  remoteNameOf,
  toRegistryError,
} from './requests.ts';
import { addToStore } from '../releases/addToStore.ts';
import { z } from 'zod';
import { collectGarbage } from '../releases/garbage.ts';
import { summarize } from '../releases/summaries.ts';

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
