import type { RequestHandler } from 'express';
import semver from 'semver';
import { RegistryError, type ReleaseId } from '@forecourt/cli/release';
import type { ReleaseStore } from '../ports.ts';
import type { AppDeps } from './deps.ts';
import { releaseIdOf, remoteNameOf } from './input.ts';

const byNameThenNewest = (a: ReleaseId, b: ReleaseId): number =>
  a.name < b.name ? -1 : a.name > b.name ? 1 : semver.rcompare(a.version, b.version);

/** One entry of a list: dates in ISO 8601, bytes of all files uncompressed. */
interface ReleaseSummary extends ReleaseId {
  publishedAt: string;
  bytes: number;
  files: number;
}

async function summarize(store: ReleaseStore, ids: ReleaseId[]): Promise<ReleaseSummary[]> {
  const summaries: ReleaseSummary[] = [];
  for (const { name, version } of ids.sort(byNameThenNewest)) {
    const release = await store.findRelease({ name, version });
    if (!release) continue;
    const files = Object.values(release.manifest.files);
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    summaries.push({ name, version, publishedAt: release.publishedAt, bytes, files: files.length });
  }
  return summaries;
}

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
