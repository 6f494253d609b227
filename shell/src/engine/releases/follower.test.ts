import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import type { Refusal } from '@forecourt/releases/gate';
import { textSlot, tinyRelease } from '../rendering/testing/tinyRelease.ts';
import type { FollowerOptions, ReleaseFollower } from './follower.ts';
import type { ReleaseStore } from './releaseStore.ts';
import { ReleaseError } from './registryClient.ts';
import { followerRig, until } from './testing/followerRig.ts';

const following: ReleaseFollower[] = [];
afterEach(() => Promise.all(following.splice(0).map((follower) => follower.stop())));

function rig(options?: Partial<FollowerOptions>) {
  const made = followerRig(options);
  following.push(made.follower);
  return made;
}

describe('release follower', () => {
  it('has the first snapshot after start, with each side of a release rendered once', async () => {
    const { follower, point, liveVersion, renderer } = rig();
    point('1.0.0');
    await follower.start();
    expect(liveVersion()).toBe('1.0.0');
    expect(renderer.render.mock.calls.map(([{ release }]) => release.half)).toEqual([undefined, 'browser']);
  });

  it('follows a pointer change and keeps the previous release for requests in flight', async () => {
    const { follower, point, liveVersion } = rig();
    point('1.0.0');
    await follower.start();
    point('1.1.0');
    await until(() => liveVersion() === '1.1.0');
    expect(follower.find('mfe-tiny', '1.0.0')).toBeDefined();
  });

  it('refuses a failing release, logs it and keeps the previous one', async () => {
    const { follower, point, liveVersion, bad, events, renderer } = rig();
    point('1.0.0');
    await follower.start();
    bad.add('1.1.0');
    point('1.1.0');
    await until(() => events.includes('refused mfe-tiny@1.1.0'));
    expect(liveVersion()).toBe('1.0.0');
    expect(renderer.retire).toHaveBeenCalledWith('mfe-tiny@1.1.0');
  });

  it('retries a refused release with backoff and adopts it once it works', async () => {
    const { follower, point, liveVersion, bad, manifests } = rig({ retryMs: 40, pollSeconds: 0.01 });
    bad.add('1.0.0');
    point('1.0.0');
    await follower.start();
    await pause(1_300);
    // 40, 80, 160, 320, 640 ms after one another; not 30 times.
    expect(manifests.length).toBeGreaterThanOrEqual(2);
    expect(manifests.length).toBeLessThanOrEqual(6);
    bad.clear();
    await until(() => liveVersion() === '1.0.0');
  });

  it('follows other changes at once while a refused release backs off', async () => {
    const { follower, point, liveVersion, bad, events } = rig({ retryMs: 60_000 });
    bad.add('1.0.0');
    point('1.0.0');
    await follower.start();
    expect(events).toEqual(['refused mfe-tiny@1.0.0']);
    point('1.0.1');
    await until(() => liveVersion() === '1.0.1');
  });

  it('rolls back at once to a release that is still loaded', async () => {
    const { follower, point, liveVersion, manifests } = rig();
    point('1.0.0');
    await follower.start();
    point('1.1.0');
    await until(() => liveVersion() === '1.1.0');
    point('1.0.0');
    await until(() => liveVersion() === '1.0.0');
    expect(manifests).toEqual(['1.0.0', '1.1.0']);
  });

  it('keeps the last snapshot while the registry is unreachable, and follows again afterwards', async () => {
    const { follower, point, liveVersion, state, events } = rig();
    point('1.0.0');
    await follower.start();
    state.isAway = true;
    point('1.1.0');
    await until(() => events.includes('registry-unreachable'));
    expect(liveVersion()).toBe('1.0.0');
    state.isAway = false;
    await until(() => liveVersion() === '1.1.0');
  });

  it('goes on following, and warns, when its log throws', async () => {
    const warn = jest.spyOn(process, 'emitWarning').mockImplementation(() => {});
    const events: string[] = [];
    const { follower, point, liveVersion, state } = rig({
      log({ event }) {
        events.push(event);
        throw new Error('the log is full');
      },
    });
    point('1.0.0');
    await follower.start();
    expect(liveVersion()).toBe('1.0.0');
    state.isAway = true;
    point('1.1.0');
    await until(() => events.includes('registry-unreachable'));
    state.isAway = false;
    await until(() => liveVersion() === '1.1.0');
    expect(warn).toHaveBeenCalledWith('release event registry-unreachable: the log is full');
    warn.mockRestore();
  });

  it('goes on following when a renderer cannot retire a release', async () => {
    const { follower, point, liveVersion, renderer, events } = rig({ retireAfterMs: 0 });
    renderer.retire.mockImplementation((id) => {
      if (id === 'mfe-tiny@1.0.0') throw new Error('no such process');
    });
    point('1.0.0');
    await follower.start();
    point('1.1.0');
    await until(
      () => liveVersion() === '1.1.0' && renderer.retire.mock.calls.flat().includes('mfe-tiny@1.0.0'),
    );
    point('1.2.0');
    await until(() => liveVersion() === '1.2.0');
    expect(events).toContain('poll-failed');
  });

  it('starts without a registry and adopts releases once it is reachable', async () => {
    const { follower, point, liveVersion, state } = rig();
    state.isAway = true;
    point('1.0.0');
    await follower.start();
    expect(follower.live().size).toBe(0);
    state.isAway = false;
    await until(() => liveVersion() === '1.0.0');
  });

  it('adopts a canary beside the live release, and drops a failing one without touching the live one', async () => {
    const { follower, point, bad } = rig();
    point('1.0.0', { version: '1.1.0', weight: 5 });
    await follower.start();
    expect(follower.live().get('mfe-tiny')).toMatchObject({ canary: { weight: 5 } });
    bad.add('1.2.0');
    point('1.0.0', { version: '1.2.0', weight: 50 });
    await until(() => follower.live().get('mfe-tiny')?.canary === undefined);
    expect(follower.live().get('mfe-tiny')?.live.manifest.version).toBe('1.0.0');
  });

  it('retires releases that no pointer names after their retirement period', async () => {
    const { follower, point, renderer, events } = rig({ retireAfterMs: 30, pollSeconds: 0.05 });
    point('1.0.0');
    await follower.start();
    point('1.1.0');
    await until(() => events.includes('retired mfe-tiny@1.0.0'));
    expect(renderer.retire).toHaveBeenCalledWith('mfe-tiny@1.0.0');
    expect(follower.find('mfe-tiny', '1.0.0')).toBeUndefined();
    expect(follower.find('mfe-tiny', '1.1.0')).toBeDefined();
  });

  it('retires the oldest early when many releases are retiring', async () => {
    const { follower, point, events, liveVersion } = rig({ retireAfterMs: 5_000, pollSeconds: 0.05 });
    point('1.0.0');
    await follower.start();
    for (let patch = 1; patch <= 6; patch += 1) {
      point(`1.0.${patch}`);
      await until(() => liveVersion() === `1.0.${patch}`);
    }
    // Six are abandoned, one more than may wait.
    await until(() => follower.find('mfe-tiny', '1.0.0') === undefined);
    expect(events.filter((event) => event.startsWith('retired'))).toEqual(['retired mfe-tiny@1.0.0']);
    expect(follower.find('mfe-tiny', '1.0.1')).toBeDefined();
  });

  it('restores the releases from before a restart while the registry is unreachable', async () => {
    const store = {
      lastGood: async () => ({ revision: 0, remotes: { 'mfe-tiny': { live: '1.2.0' } } }),
      save: async () => {},
    };
    const { follower, state, liveVersion, point } = rig({ store });
    state.isAway = true;
    await follower.start();
    expect(liveVersion()).toBe('1.2.0');
    state.isAway = false;
    point('1.3.0');
    await until(() => liveVersion() === '1.3.0');
  });

  it('keeps the release from before a restart when the live one is refused, and saves it', async () => {
    const save = jest.fn<ReleaseStore['save']>(async () => {});
    const store = {
      lastGood: async () => ({ revision: 0, remotes: { 'mfe-tiny': { live: '1.2.0' } } }),
      save,
    };
    const { follower, bad, liveVersion, point } = rig({ store });
    bad.add('1.3.0');
    point('1.3.0');
    await follower.start();
    expect(liveVersion()).toBe('1.2.0');
    expect(save).toHaveBeenLastCalledWith({ revision: 1, remotes: { 'mfe-tiny': { live: '1.2.0' } } });
    point('1.4.0', { version: '1.5.0', weight: 5 });
    await until(() => liveVersion() === '1.4.0');
    expect(save).toHaveBeenLastCalledWith({
      revision: 2,
      remotes: { 'mfe-tiny': { live: '1.4.0', canary: { version: '1.5.0', weight: 5 } } },
    });
  });

  it('stores a withdrawn canary as ended', async () => {
    const save = jest.fn<ReleaseStore['save']>(async () => {});
    const { follower, point } = rig({
      store: { lastGood: async () => ({ revision: 0, remotes: {} }), save },
    });
    point('1.0.0', { version: '1.1.0', weight: 5 });
    await follower.start();
    follower.withdrawCanary('mfe-tiny', '1.1.0');
    expect(save).toHaveBeenLastCalledWith({ revision: 1, remotes: { 'mfe-tiny': { live: '1.0.0' } } });
  });

  it('does not serve a withdrawn canary until the pointers name another', async () => {
    const { follower, point, liveVersion } = rig();
    const canary = () => follower.live().get('mfe-tiny')?.canary?.release.manifest.version;
    point('1.0.0', { version: '1.1.0', weight: 5 });
    await follower.start();
    expect(canary()).toBe('1.1.0');
    follower.withdrawCanary('mfe-tiny', '1.1.0');
    expect(canary()).toBeUndefined();
    point('1.0.0', { version: '1.1.0', weight: 50 });
    await pause(60);
    expect(canary()).toBeUndefined();
    point('1.0.0', { version: '1.2.0', weight: 5 });
    await until(() => canary() === '1.2.0');
    expect(liveVersion()).toBe('1.0.0');
  });

  it('lists refused releases by rule until the pointers name others', async () => {
    const { follower, point, bad, events } = rig();
    bad.add('1.0.0');
    point('1.0.0');
    await follower.start();
    expect([...follower.refused().keys()]).toEqual(['mfe-tiny@1.0.0']);
    expect(
      follower
        .refused()
        .get('mfe-tiny@1.0.0')
        ?.map(({ rule }) => rule),
    ).toContain('SLOT_RENDER');
    point('1.1.0');
    await until(() => events.includes('adopted mfe-tiny@1.1.0'));
    await until(() => follower.refused().size === 0);
  });

  describe('with a layout that has one more slot', () => {
    const lacking: Refusal = { rule: 'SLOT_MISSING', expected: 'slot new', found: 'tiny', remedy: 'add it' };
    /** Every version below 2.0.0 lacks the new slot. */
    const load: FollowerOptions['load'] = (name, version, { mayLackSlots = false } = {}) =>
      version < '2.0.0' && !mayLackSlots
        ? Promise.reject(new ReleaseError('NOT_ACCEPTED', 'it lacks a slot', [lacking]))
        : Promise.resolve(tinyRelease({ tiny: textSlot(version) }, { name, version }));

    it('starts with an incomplete release if there is no better one', async () => {
      const { follower, point, liveVersion } = rig({ load });
      point('1.0.0');
      await follower.start();
      expect(liveVersion()).toBe('1.0.0');
      point('2.0.0');
      await until(() => liveVersion() === '2.0.0');
    });

    it('keeps a better release', async () => {
      const { follower, point, liveVersion, events } = rig({ load });
      point('2.0.0');
      await follower.start();
      point('1.9.0');
      await until(() => events.includes('refused mfe-tiny@1.9.0'));
      await pause(50);
      expect(liveVersion()).toBe('2.0.0');
    });
  });
});
