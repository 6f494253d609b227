import { remoteNameSchema, versionSchema, type ReleaseManifest } from '@forecourt/releases/manifest';
import { createLruCache } from '@forecourt/service-kit/lruCache';
import type { RegistryClient } from './registryClient.ts';
import { releaseId } from '../rendering/release.ts';

export type ReleaseArchive = ReturnType<typeof createReleaseArchive>;

interface Entry {
  readonly manifest: Promise<ReleaseManifest>;
  readonly files: Map<string, Promise<Buffer>>;
}

/**
 * Files of releases that are not live in this shell, from the registry: tabs
 * opened before a deploy or by another replica still load them. Caches the most
 * recently used ones.
 */
export function createReleaseArchive(
  registry: Pick<RegistryClient, 'manifest' | 'file'>,
  { maxReleases = 20, maxPending = 8 }: { maxReleases?: number; maxPending?: number } = {},
) {
  const entries = createLruCache<Entry>({ maxEntries: maxReleases });
  let pending = 0;

  function entryOf(name: string, version: string): Entry {
    const id = releaseId(name, version);
    const cached = entries.get(id);
    if (cached) return cached;
    const entry = { manifest: registry.manifest(name, version), files: new Map() };
    entry.manifest.catch(() => entries.delete(id));
    entries.set(id, entry);
    return entry;
  }

  async function read(name: string, version: string, path: string): Promise<Buffer | undefined> {
    const { manifest, files } = entryOf(name, version);
    const release = await manifest;
    if (!Object.hasOwn(release.files, path)) return undefined;
    let file = files.get(path);
    if (!file) {
      file = registry.file(release, path);
      file.catch(() => files.delete(path));
      files.set(path, file);
    }
    return file;
  }

  return {
    /** A verified browser file; undefined if it does not exist or cannot be fetched. Never rejects. */
    async file(name: string, version: string, path: string): Promise<Buffer | undefined> {
      const isPossible =
        path.startsWith('web/') &&
        remoteNameSchema.safeParse(name).success &&
        versionSchema.safeParse(version).success;
      // Visitors can request any path; that must not load the registry.
      if (!isPossible || pending >= maxPending) return undefined;
      pending += 1;
      try {
        return await read(name, version, path);
      } catch {
        return undefined;
      } finally {
        pending -= 1;
      }
    },
  };
}
