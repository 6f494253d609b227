import { createHash } from 'node:crypto';
import type { ReleaseManifest } from '@forecourt/shared-contracts/slots/release';
import { releaseId, type LoadedRelease } from '../../../server/rendering/release.ts';
import type { ReleaseSource } from './originClient.ts';
import type { overrideSchema } from '@forecourt/shared-contracts/slots/override';

/** Instead of the release's id in metrics: an override never counts as the release of its version. */
export const OVERRIDE_LABEL = 'override';

/** Loaded at the same time; each takes a thread and its memory. */
const MAX_LOADED = 4;
/** Releases unused for this long are retired; ms. */
const IDLE_MS = 5 * 60_000;
/** A release used within this time is not replaced by another; ms. */
const BUSY_MS = 30_000;
/** How long a failure is cached, so that reloading a page does not load the release again; ms. */
const FAILED_MS = 5_000;
/** How long a page waits; the release continues to load. */
const WAIT_MS = 8_000;

/** No room for another release, or none yet. */
export class OverrideBusy extends Error {
  override readonly name = 'OverrideBusy';
  readonly code = 'OVERRIDE_BUSY';
}

export interface OverrideReleasesParts {
  readonly sourceOf: (override: ReturnType<typeof overrideSchema.parse>) => ReleaseSource;
  /** Puts a release through the gate, under this id: checked, verified, running, each slot rendered. Rejects when it is refused. */
  readonly admit: (files: ReleaseSource, manifest: ReleaseManifest, id: string) => Promise<LoadedRelease>;
  readonly retire: (releaseId: string) => void;
  /** ms since any epoch. */
  readonly now: () => number;
  readonly waitMs?: number;
}

export interface OverrideReleases {
  /** The verified, proven release. Rejects with ReleaseError, RenderFailure or OverrideBusy. */
  readonly load: (override: ReturnType<typeof overrideSchema.parse>) => Promise<LoadedRelease>;
  /** A published one that is loaded now, for its files. */
  readonly find: (name: string, version: string) => LoadedRelease | undefined;
  readonly retireIdle: () => void;
  readonly close: () => void;
}

interface Entry {
  /** What it replaces: a newer build of the same origin replaces the older one. */
  readonly place: string;
  readonly release: Promise<LoadedRelease>;
  usedAt: number;
  loaded?: LoadedRelease;
}

const placeOf = ({ remote, version, origin }: ReturnType<typeof overrideSchema.parse>) =>
  `${remote} ${origin ?? 'registry'} ${origin === undefined ? version : ''}`;

/**
 * Releases for testers, separate from the live ones: loaded on demand through
 * the same gate, a few at a time, and retired when they are unused.
 */
export function createOverrideReleases(parts: OverrideReleasesParts): OverrideReleases {
  const { sourceOf, admit, now } = parts;
  /** By id. */
  const entries = new Map<string, Entry>();
  const failures = new Map<string, { readonly error: unknown; readonly until: number }>();

  function drop(id: string): void {
    entries.delete(id);
    parts.retire(id);
  }

  function makeRoom(place: string): void {
    for (const [id, entry] of entries) if (entry.place === place) drop(id);
    if (entries.size < MAX_LOADED) return;
    const [oldest] = [...entries].sort(([, left], [, right]) => left.usedAt - right.usedAt);
    if (!oldest || now() - oldest[1].usedAt < BUSY_MS)
      throw new OverrideBusy(`${MAX_LOADED} overrides are in use; try again in half a minute`);
    drop(oldest[0]);
  }

  const build = async (
    id: string,
    manifest: ReleaseManifest,
    source: ReleaseSource,
    { origin }: ReturnType<typeof overrideSchema.parse>,
  ): Promise<LoadedRelease> => ({
    ...(await admit({ manifest: () => Promise.resolve(manifest), file: source.file }, manifest, id)),
    metricsLabel: OVERRIDE_LABEL,
    ...(origin === undefined ? {} : { filesFrom: origin }),
  });

  async function load(override: ReturnType<typeof overrideSchema.parse>): Promise<LoadedRelease> {
    const { remote, version, origin } = override;
    const source = sourceOf(override);
    const manifest = await source.manifest();
    if (version !== undefined && manifest.version !== version)
      throw new Error(`${origin ?? 'the registry'} serves ${manifest.version}, not ${version}`);
    // A local build may have the version of a published release; its id must differ.
    const content = createHash('sha256')
      .update(JSON.stringify([origin, manifest]))
      .digest('hex');
    const id = `${releaseId(remote, manifest.version)}+override.${content.slice(0, 12)}`;
    let entry = entries.get(id);
    if (!entry) {
      const place = placeOf(override);
      makeRoom(place);
      entry = { place, release: build(id, manifest, source, override), usedAt: now() };
      entries.set(id, entry);
      const started = entry;
      entry.release.then(
        (loaded) => {
          started.loaded = loaded;
          // Replaced by another release while it was loading.
          if (!entries.has(id)) parts.retire(id);
        },
        () => entries.get(id) === started && entries.delete(id),
      );
    }
    entry.usedAt = now();
    return entry.release;
  }

  return {
    async load(override) {
      const key = JSON.stringify(override);
      const failed = failures.get(key);
      if (failed && now() < failed.until) throw failed.error;
      failures.delete(key);
      const loading = load(override);
      loading.catch((error: unknown) => {
        failures.set(key, { error, until: now() + FAILED_MS });
        // Bounds the memory that guessed overrides can take.
        if (failures.size > 100) failures.clear();
      });
      const waited = Promise.withResolvers<never>();
      const timer = setTimeout(
        () => waited.reject(new OverrideBusy('it is still being loaded; load the page again')),
        parts.waitMs ?? WAIT_MS,
      );
      try {
        return await Promise.race([loading, waited.promise]);
      } finally {
        clearTimeout(timer);
      }
    },
    find: (name, version) =>
      [...entries.values()].find(
        ({ loaded }) =>
          loaded?.filesFrom === undefined &&
          loaded?.manifest.name === name &&
          loaded.manifest.version === version,
      )?.loaded,
    retireIdle() {
      for (const [id, { usedAt }] of entries) if (now() - usedAt >= IDLE_MS) drop(id);
    },
    close() {
      for (const id of [...entries.keys()]) drop(id);
    },
  };
}
