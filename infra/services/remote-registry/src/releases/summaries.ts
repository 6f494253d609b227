import type { listSchema } from '@forecourt/release-kit/registryResponses';
import type { ReleaseId } from '@forecourt/release-kit/releaseFiles';
import semver from 'semver';
import type { z } from 'zod';
import type { ReleaseStore } from '../ports.ts';

/** One entry of a list: dates in ISO 8601, bytes of all files uncompressed. */
type ReleaseSummary = z.infer<typeof listSchema>['releases'][number];

/** Builds without a version of their own, of one package version: their order is that of their publication. */
const contentBuildOf = (version: string): string | undefined => /^(.+)-build\./.exec(version)?.[1];

/** By name, then the newest version first. */
const byNameThenNewest = (a: ReleaseSummary, b: ReleaseSummary): number => {
  if (a.name !== b.name) return a.name < b.name ? -1 : 1;
  const build = contentBuildOf(a.version);
  const areBuilds = build !== undefined && build === contentBuildOf(b.version);
  if (areBuilds && a.publishedAt !== b.publishedAt) return a.publishedAt < b.publishedAt ? 1 : -1;
  return semver.rcompare(a.version, b.version);
};

/** The releases as lists show them. */
export async function summarize(store: ReleaseStore, ids: ReleaseId[]): Promise<ReleaseSummary[]> {
  const summaries: ReleaseSummary[] = [];
  for (const { name, version } of ids) {
    const release = await store.findRelease({ name, version });
    if (!release) continue;
    const files = Object.values(release.manifest.files);
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    const { publishedAt, publisher, manifest } = release;
    summaries.push({
      name,
      version,
      publishedAt,
      bytes,
      files: files.length,
      ...publisher,
      ...(manifest.development && { development: true as const }),
    });
  }
  return summaries.sort(byNameThenNewest);
}
