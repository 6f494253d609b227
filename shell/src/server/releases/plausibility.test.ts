import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import type { FollowerOptions, ReleaseFollower } from './follower.ts';
import type { ReleaseStore } from './releaseStore.ts';
import { followerRig, until } from './testing/followerRig.ts';

const following: ReleaseFollower[] = [];
afterEach(() => Promise.all(following.splice(0).map((follower) => follower.stop())));

function rig(options?: Partial<FollowerOptions>) {
  const made = followerRig(options);
  following.push(made.follower);
  return made;
}

describe('implausible pointers', () => {
  it.each([
    ['an empty registry', { revision: 9, remotes: {} }, /has no remotes/],
    [
      'an older registry',
      { revision: 6, remotes: { 'mfe-tiny': { live: '0.9.0' } } },
      /older than revision 7/,
    ],
    [
      'a registry without a required remote',
      { revision: 8, remotes: { 'mfe-o': { live: '1.0.0' } } },
      /tiny/,
    ],
  ])('keeps its releases and stores nothing when it sees %s, until the right one is back', async (...row) => {
    const [, wrong, reason] = row;
    const save = jest.fn<ReleaseStore['save']>(async () => {});
    const stored = { revision: 7, remotes: { 'mfe-tiny': { live: '1.2.0' } } };
    const requiredRemotes = new Set(['mfe-tiny']);
    const { follower, state, liveVersion, events } = rig({
      store: { lastGood: async () => stored, save },
      requiredRemotes,
    });
    state.pointers = wrong;
    await follower.start();
    expect(liveVersion()).toBe('1.2.0');
    expect(follower.distrusted()).toMatchObject({ revision: wrong.revision });
    expect(follower.distrusted()?.reason).toMatch(reason);
    await pause(60);
    expect(save).not.toHaveBeenCalled();
    expect(events.filter((event) => event === 'implausible')).toHaveLength(1);
    state.pointers = stored;
    await until(() => follower.distrusted() === undefined);
    expect(liveVersion()).toBe('1.2.0');
  });

  it('follows pointers of the revision that an operator confirmed', async () => {
    const { follower, state, liveVersion } = rig({
      store: {
        lastGood: async () => ({ revision: 7, remotes: { 'mfe-tiny': { live: '1.2.0' } } }),
        save: async () => {},
      },
      confirmedRevision: 3,
    });
    state.pointers = { revision: 3, remotes: { 'mfe-tiny': { live: '1.1.0' } } };
    await follower.start();
    expect(liveVersion()).toBe('1.1.0');
    expect(follower.distrusted()).toBeUndefined();
  });

  it('keeps live releases when the registry becomes empty', async () => {
    const { follower, state, point, liveVersion } = rig({ pollSeconds: 0.05 });
    point('1.0.0');
    await follower.start();
    state.pointers = { revision: 0, remotes: {} };
    await until(() => follower.distrusted() !== undefined);
    expect(liveVersion()).toBe('1.0.0');
  });

  it('does not store fewer releases when one from before the restart cannot be loaded', async () => {
    const save = jest.fn<ReleaseStore['save']>(async () => {});
    const remotes = { 'mfe-tiny': { live: '1.2.0' }, 'mfe-other': { live: '1.0.0' } };
    const { follower, state, bad, liveVersion } = rig({
      store: { lastGood: async () => ({ revision: 7, remotes }), save },
    });
    bad.add('1.0.0');
    state.isAway = true;
    await follower.start();
    expect(liveVersion()).toBe('1.2.0');
    expect(save).not.toHaveBeenCalled();
    state.pointers = { revision: 7, remotes };
    state.isAway = false;
    await until(() => save.mock.calls.length > 0);
    expect(save).toHaveBeenLastCalledWith({ revision: 7, remotes });
  });
});
