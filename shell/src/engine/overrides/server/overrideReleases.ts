import { createHash } from 'node:crypto';
import { type ReleaseManifest, releaseManifestSchema } from '@forecourt/releases/manifest';
import type { overrideSchema } from '@forecourt/releases/override';
import { LOCAL_BUILD } from '@forecourt/releases/overridePaths';
import { releaseId, type LoadedRelease } from '../../rendering/release.ts';
import { createStreamingEgress } from '@forecourt/service-kit/egress';
import { EGRESS } from '../../egress.ts';
import { fetchBytes, fetchFile, ReleaseError, type RegistryClient } from '../../releases/registryClient.ts';

/** Timeout per response; ms. */
const TIMEOUT_MS = 5_000;
const MAX_MANIFEST_BYTES = 256 * 1024;
/** Per file; local builds may not be minified. */
const MAX_FILE_BYTES = 16 * 1024 * 1024;

/** Source of a release's manifest and files: the registry or a local build. */
type ReleaseSource = Pick<RegistryClient, 'file'> & {
  readonly manifest: () => Promise<ReleaseManifest>;
};

/** Parses the manifest of a build. @throws ReleaseError INVALID_RESPONSE */
export function parseManifest(text: string, remote: string): ReleaseManifest {
  let manifest: ReleaseManifest;
  try {
    manifest = releaseManifestSchema.parse(JSON.parse(text));
  } catch {
    throw new ReleaseError('INVALID_RESPONSE', 'the response is not a release.json');
  }
  if (manifest.name !== remote)
    throw new ReleaseError('INVALID_RESPONSE', `the build is ${manifest.name}, not ${remote}`);
  return manifest;
}

/**
 * Reads a build that a tester serves. `origin` must be on the allowlist. Follows no
 * redirects; size and time are limited. @throws ReleaseError
 */
export function createOriginClient(origin: string, remote: string, timeoutMs = TIMEOUT_MS): ReleaseSource {
  const send = createStreamingEgress(EGRESS.build(origin));
  const get = (path: string, limit: number) =>
    fetchBytes(send, origin + path, { limit, timeoutMs, credentials: 'omit' });
  return {
    async manifest() {
      const { body } = await get(LOCAL_BUILD.manifestPath, MAX_MANIFEST_BYTES);
      return parseManifest(body.toString('utf8'), remote);
    },
    file: (manifest, path) =>
      fetchFile(manifest, path, (limit) => get(`/${path}`, Math.min(limit, MAX_FILE_BYTES))),
  };
}

type Override = ReturnType<typeof overrideSchema.parse>;

/** Replaces the release's id in metrics: an override never counts as a published release. */
export const OVERRIDE_LABEL = 'override';

/** Maximum of loaded releases per live remote, so that two sets of them fit; each takes a process and its memory. */
const MAX_LOADED = 2;
/** Releases unused for this long are retired; ms. */
const IDLE_MS = 5 * 60_000;
/** A release used within this time is not replaced by another; ms. */
const BUSY_MS = 30_000;
/** How long a failure is cached, so that a page reload does not retry at once; ms. */
const FAILED_MS = 5_000;
/** How long a page waits while the release continues to load; ms. */
const WAIT_MS = 8_000;

/** The limit of releases is reached, or the release is still loading. */
class OverrideBusy extends Error {
  override readonly name = 'OverrideBusy';
  readonly code = 'OVERRIDE_BUSY';
}

export interface OverrideReleasesParts {
  readonly sourceOf: (override: Override) => ReleaseSource;
  /** Loads a release through the gate under this id. Rejects if it is refused. */
  readonly admit: (files: ReleaseSource, manifest: ReleaseManifest, id: string) => Promise<LoadedRelease>;
  readonly retire: (releaseId: string) => void;
  /** Number of live remotes. */
  readonly remotes: () => number;
  /** ms since any epoch. */
  readonly now: () => number;
  readonly waitMs?: number;
}

interface Entry {
  /** Identifies what is overridden: a newer build of an origin replaces the older one. */
  readonly source: string;
  readonly release: Promise<LoadedRelease>;
  usedAt: number;
  loaded?: LoadedRelease;
}

const sourceKeyOf = ({ remote, version, origin }: Override) =>
  `${remote} ${origin ?? 'registry'} ${origin === undefined ? version : ''}`;

/** Distinct from the ids of published releases, which may have the same version as a local build. */
function overrideId({ remote, origin }: Override, manifest: ReleaseManifest): string {
  const content = createHash('sha256')
    .update(JSON.stringify([origin, manifest]))
    .digest('hex');
  return `${releaseId(remote, manifest.version)}+override.${content.slice(0, 12)}`;
}

/**
 * Releases for testers, separate from the live ones: loaded on demand through
 * the same gate, a few at a time, and retired when they are unused.
 */
export class OverrideReleases {
  readonly #parts: OverrideReleasesParts;
  /** Loaded and loading releases by id. */
  readonly #entries = new Map<string, Entry>();
  /** Recent failures by override. */
  readonly #failures = new Map<string, { readonly error: unknown; readonly until: number }>();

  constructor(parts: OverrideReleasesParts) {
    this.#parts = parts;
  }

  /** The verified release. Rejects with ReleaseError, RenderFailure or OverrideBusy. */
  readonly load = async (override: Override): Promise<LoadedRelease> => {
    const { now, waitMs = WAIT_MS } = this.#parts;
    const key = JSON.stringify(override);
    const failed = this.#failures.get(key);
    if (failed && now() < failed.until) throw failed.error;
    this.#failures.delete(key);
    const loading = this.#load(override);
    loading.catch((error: unknown) => {
      this.#failures.set(key, { error, until: now() + FAILED_MS });
      // Bounds the memory that guessed overrides can take.
      if (this.#failures.size > 100) this.#failures.clear();
    });
    return withTimeout(loading, waitMs);
  };

  /** Rejects if the release is refused or the limit is reached. */
  async #load(override: Override): Promise<LoadedRelease> {
    const { version, origin } = override;
    const source = this.#parts.sourceOf(override);
    const manifest = await source.manifest();
    if (version !== undefined && manifest.version !== version)
      throw new Error(`${origin ?? 'the registry'} serves ${manifest.version}, not ${version}`);
    const id = overrideId(override, manifest);
    let entry = this.#entries.get(id);
    if (!entry) {
      const sourceKey = sourceKeyOf(override);
      this.#makeRoom(sourceKey);
      const release = this.#build(id, manifest, source, override);
      entry = { source: sourceKey, release, usedAt: this.#parts.now() };
      this.#add(id, entry);
    }
    entry.usedAt = this.#parts.now();
    return entry.release;
  }

  /** A published release that is loaded now, for its files. */
  readonly find = (name: string, version: string): LoadedRelease | undefined =>
    [...this.#entries.values()].find(
      ({ loaded }) =>
        loaded?.filesFrom === undefined &&
        loaded?.manifest.name === name &&
        loaded.manifest.version === version,
    )?.loaded;

  readonly retireIdle = (): void => {
    for (const [id, { usedAt }] of this.#entries) if (this.#parts.now() - usedAt >= IDLE_MS) this.#drop(id);
  };

  close(): void {
    for (const id of [...this.#entries.keys()]) this.#drop(id);
  }

  #drop(id: string): void {
    this.#entries.delete(id);
    this.#parts.retire(id);
  }

  #makeRoom(source: string): void {
    const entries = this.#entries;
    for (const [id, entry] of entries) if (entry.source === source) this.#drop(id);
    const limit = MAX_LOADED * Math.max(1, this.#parts.remotes());
    if (entries.size < limit) return;
    const [oldest] = [...entries].sort(([, left], [, right]) => left.usedAt - right.usedAt);
    if (!oldest || this.#parts.now() - oldest[1].usedAt < BUSY_MS)
      throw new OverrideBusy(`${limit} overrides are in use; try again in half a minute`);
    this.#drop(oldest[0]);
  }

  async #build(
    id: string,
    manifest: ReleaseManifest,
    source: ReleaseSource,
    { origin }: Override,
  ): Promise<LoadedRelease> {
    const files = { manifest: () => Promise.resolve(manifest), file: source.file };
    return {
      ...(await this.#parts.admit(files, manifest, id)),
      metricsLabel: OVERRIDE_LABEL,
      ...(origin === undefined ? {} : { filesFrom: origin }),
    };
  }

  /** Keeps the entry unless its release fails to load. */
  #add(id: string, entry: Entry): void {
    this.#entries.set(id, entry);
    entry.release.then(
      (loaded) => {
        entry.loaded = loaded;
        // Replaced by another release while it was loading.
        if (!this.#entries.has(id)) this.#parts.retire(id);
      },
      () => this.#entries.get(id) === entry && this.#entries.delete(id),
    );
  }
}

/** Rejects with OverrideBusy after `waitMs`. */
async function withTimeout(loading: Promise<LoadedRelease>, waitMs: number): Promise<LoadedRelease> {
  const timeout = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => timeout.reject(new OverrideBusy('it is still loading; reload the page')),
    waitMs,
  );
  try {
    return await Promise.race([loading, timeout.promise]);
  } finally {
    clearTimeout(timer);
  }
}
