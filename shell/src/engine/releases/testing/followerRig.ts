import { setTimeout as pause } from 'node:timers/promises';
import { jest } from '@jest/globals';
import type { ReleaseManifest } from '@forecourt/releases/manifest';
import type { Pointers } from '@forecourt/releases/pointers';
import type { SlotRenderer } from '../../rendering/slotRenderer.ts';
import { textSlot, tinyRelease } from '../../rendering/testing/tinyRelease.ts';
import { ReleaseFollower, type FollowerOptions } from '../follower.ts';
import { shellProvides, createReleaseLoader } from '../releaseLoader.ts';
import { LIBRARY_PLAN } from '../../testing/libraryPlan.ts';
import type { RegistryClient } from '../registryClient.ts';

/** The library with one recorded page: each release is rendered once. */
const SITE = {
  ...LIBRARY_PLAN,
  recordedPages: () => LIBRARY_PLAN.recordedPages().filter(({ isShown }) => isShown),
};

/** A follower of an in-memory registry. `bad` versions fail their smoke render; `isAway` fails every request. */
export function followerRig(options: Partial<FollowerOptions> = {}) {
  const state: { isAway: boolean; pointers: Pointers } = {
    isAway: false,
    pointers: { revision: 0, remotes: {} },
  };
  const bad = new Set<string>();
  let changed: () => void = () => {};
  const manifests: string[] = [];
  const registry: RegistryClient = {
    async pointers(revision, waitSeconds, signal) {
      if (state.isAway) throw new Error('away');
      if (revision === state.pointers.revision) {
        await Promise.race([
          new Promise<void>((resolve) => (changed = resolve)),
          pause(waitSeconds * 1000, undefined, { ref: false }),
          new Promise((resolve) => signal.addEventListener('abort', resolve)),
        ]);
        if (state.isAway) throw new Error('away');
      }
      return revision === state.pointers.revision ? undefined : state.pointers;
    },
    manifest(name, version) {
      manifests.push(version);
      const { manifest } = tinyRelease(
        { tiny: textSlot(version) },
        { name, version, reads: ['shelf.entries'] },
      );
      const files: ReleaseManifest['files'] = {
        'web/remoteEntry.js': { integrity: `sha384-${'A'.repeat(64)}`, bytes: 1 },
        'node/remoteEntry.cjs': { integrity: `sha384-${'A'.repeat(64)}`, bytes: 1 },
      };
      return Promise.resolve({ ...manifest, files });
    },
    file: () => Promise.resolve(Buffer.from('x')),
    endCanary: () => Promise.resolve(),
    rollBack: () => Promise.resolve(),
  };
  const renderer = {
    prepare: jest.fn(() => Promise.resolve()),
    render: jest.fn<SlotRenderer['render']>(({ release }) =>
      bad.has(release.manifest.version)
        ? Promise.reject(new Error('boom'))
        : Promise.resolve({ html: '', data: null }),
    ),
    retire: jest.fn<SlotRenderer['retire']>(),
    close: () => Promise.resolve(),
  };
  const events: string[] = [];
  const follower = new ReleaseFollower({
    registry,
    renderer,
    load: createReleaseLoader({
      registry,
      renderer,
      provides: shellProvides(LIBRARY_PLAN),
      site: SITE,
    }).load,
    retryMs: 20,
    log: ({ event, release = '' }) => events.push(`${event} ${release}`.trim()),
    ...options,
  });
  const point = (live: string, canary?: { version: string; weight: number }) => {
    state.pointers = {
      revision: state.pointers.revision + 1,
      remotes: { 'mfe-tiny': { live, ...(canary ? { canary } : {}) } },
    };
    changed();
  };
  const liveVersion = () => follower.live().get('mfe-tiny')?.live.manifest.version;
  return { follower, state, bad, point, liveVersion, renderer, events, manifests };
}

export async function until(isTrue: () => boolean): Promise<void> {
  const end = Date.now() + 3_000;
  while (!isTrue()) {
    if (Date.now() > end) throw new Error('it did not happen');
    await pause(5);
  }
}
