import { describe, expect, it, jest } from '@jest/globals';
import { tinyRelease } from '../rendering/testing/tinyRelease.ts';
import { type CanaryWatchOptions, watchCanaries } from './canaryWatch.ts';
import type { LiveRemote, LiveRemotes } from './snapshot.ts';

const release = (version: string, name = 'mfe-tiny') => tinyRelease({ x: '1' }, { name, version });
const withCanary = (version: string, name = 'mfe-tiny') => ({
  live: release('1.0.0', name),
  canary: { release: release(version, name), weight: 5 },
});
const REMOTES: LiveRemotes = new Map([['mfe-tiny', withCanary('1.1.0')]]);
const MINUTE = 60_000;

function rig(remotes = REMOTES) {
  const state = { now: 0, remotes };
  const onWorse = jest.fn<CanaryWatchOptions['onWorse']>();
  const watch = watchCanaries({ live: () => state.remotes, onWorse, now: () => state.now });
  const record = (version: string, good: number, bad: number, remote = 'mfe-tiny') => {
    for (let at = 0; at < good; at += 1) watch.record(remote, version, true);
    for (let at = 0; at < bad; at += 1) watch.record(remote, version, false);
  };
  return { state, onWorse, record, evidence: watch.evidence };
}

describe('canary watch', () => {
  it('reports a clearly worse canary once, with both counts', () => {
    const { onWorse, record } = rig();
    record('1.0.0', 300, 0);
    record('1.1.0', 0, 40);
    expect(onWorse).toHaveBeenCalledTimes(1);
    expect(onWorse).toHaveBeenCalledWith({
      remote: 'mfe-tiny',
      version: '1.1.0',
      reason: 'the canary failed 5 of 5 times, 1.0.0 0 of 300 times within 10 minutes',
    });
  });

  it('reports a canary with which pages are slower, however well it renders', () => {
    const state = { now: 0 };
    const onWorse = jest.fn<CanaryWatchOptions['onWorse']>();
    const watch = watchCanaries({ live: () => REMOTES, onWorse, now: () => state.now });
    for (let at = 0; at < 200; at += 1) {
      watch.record('mfe-tiny', '1.0.0', true);
      watch.record('mfe-tiny', '1.1.0', true);
      watch.record('mfe-tiny', '1.0.0', at % 20 !== 0, 'INP');
      watch.record('mfe-tiny', '1.1.0', true, 'LCP');
    }
    expect(onWorse).not.toHaveBeenCalled();
    for (let at = 0; at < 40; at += 1) watch.record('mfe-tiny', '1.1.0', at % 2 === 0, 'INP');
    expect(onWorse).toHaveBeenCalledTimes(1);
    expect(onWorse.mock.calls[0]?.[0]).toMatchObject({
      version: '1.1.0',
      reason: expect.stringMatching(
        /^INP was slow in \d+ of \d+ measurements with the canary, in 10 of 200 with 1\.0\.0 within 10 minutes$/,
      ),
    });
    // Failures and each vital are counted apart: 200 good values of LCP don't hide a slow INP.
    expect(watch.evidence()[0]).toMatchObject({
      canary: { good: 200, bad: 0 },
      live: { good: 200, bad: 0 },
      speed: [
        { name: 'LCP', goodMs: 2500, canary: { good: 200, bad: 0 }, live: { good: 0, bad: 0 } },
        { name: 'INP', goodMs: 200, canary: { good: 20, bad: 20 }, live: { good: 190, bad: 10 } },
      ],
    });
  });

  it('ignores live releases, withdrawn ones and remotes without a canary', () => {
    const { onWorse, record, state } = rig();
    record('1.1.0', 300, 0);
    record('1.0.0', 0, 200);
    record('0.9.0', 0, 200);
    state.remotes = new Map([['mfe-tiny', { live: release('1.1.0') }]]);
    record('1.1.0', 0, 200);
    expect(onWorse).not.toHaveBeenCalled();
  });

  it('shows the outcomes of a canary beside those of the live release', () => {
    const { record, evidence, state } = rig();
    record('1.0.0', 300, 1);
    record('1.1.0', 12, 2);
    expect(evidence()).toEqual([
      {
        remote: 'mfe-tiny',
        version: '1.1.0',
        canary: { good: 12, bad: 2 },
        live: { good: 300, bad: 1 },
        speed: [
          { name: 'LCP', goodMs: 2500, canary: { good: 0, bad: 0 }, live: { good: 0, bad: 0 } },
          { name: 'INP', goodMs: 200, canary: { good: 0, bad: 0 }, live: { good: 0, bad: 0 } },
        ],
        rule: { minFailures: 5, minDifference: 0.02, minZ: 4 },
      },
    ]);
    state.remotes = new Map([['mfe-tiny', { live: release('1.1.0') }]]);
    expect(evidence()).toEqual([]);
  });

  it('ignores outcomes older than ten minutes', () => {
    const { onWorse, record, state } = rig();
    record('1.0.0', 300, 0);
    record('1.1.0', 0, 4);
    state.now = 11 * 60_000;
    record('1.0.0', 300, 0);
    record('1.1.0', 100, 4);
    expect(onWorse).not.toHaveBeenCalled();
    record('1.1.0', 0, 30);
    expect(onWorse).toHaveBeenCalledTimes(1);
  });

  it('ignores old outcomes of a live release that had none since', () => {
    const { onWorse, record, state } = rig();
    record('1.0.0', 300, 0);
    state.now = 11 * MINUTE;
    record('1.1.0', 0, 5);
    expect(onWorse).not.toHaveBeenCalled();
  });

  it('counts outcomes of exactly ten minutes ago', () => {
    const { onWorse, record, state } = rig();
    record('1.1.0', 0, 4);
    state.now = 10 * MINUTE;
    record('1.0.0', 300, 0);
    record('1.1.0', 0, 1);
    expect(onWorse).toHaveBeenCalledTimes(1);
  });

  it('forgets outcomes in slices of 30 seconds', () => {
    const { onWorse, record, state } = rig();
    record('1.1.0', 0, 2);
    state.now = 30_000;
    record('1.1.0', 0, 4);
    state.now = 10 * MINUTE + 20_000;
    record('1.0.0', 300, 0);
    record('1.1.0', 0, 1);
    expect(onWorse.mock.calls[0]?.[0].reason).toMatch(/^the canary failed 5 of 5 times/);
  });

  it('judges a canary only when it fails', () => {
    const { onWorse, record } = rig();
    record('1.1.0', 0, 5);
    record('1.0.0', 300, 1);
    record('1.1.0', 1, 0);
    expect(onWorse).not.toHaveBeenCalled();
    record('1.1.0', 0, 1);
    expect(onWorse.mock.calls[0]?.[0].reason).toMatch(/failed 6 of 7 times, 1\.0\.0 1 of 301 times/);
  });

  it.each<[string, LiveRemote]>([
    ['another canary', withCanary('1.2.0')],
    ['no canary', { live: release('1.0.0') }],
  ])('counts from zero when a canary returns after %s', (_, between) => {
    const { onWorse, record, state } = rig();
    record('1.0.0', 300, 0);
    record('1.1.0', 0, 4);
    state.remotes = new Map([['mfe-tiny', between]]);
    record('1.0.0', 7, 0);
    state.remotes = REMOTES;
    record('1.1.0', 0, 4);
    expect(onWorse).not.toHaveBeenCalled();
    record('1.0.0', 100, 0);
    record('1.1.0', 0, 1);
    const live = between.canary ? 407 : 100;
    expect(onWorse.mock.calls[0]?.[0].reason).toMatch(`failed 5 of 5 times, 1.0.0 0 of ${live} times`);
  });

  it('counts each remote on its own and ignores unknown ones', () => {
    const other = withCanary('1.1.0', 'mfe-other');
    const { onWorse, record } = rig(new Map([...REMOTES, ['mfe-other', other]]));
    record('1.0.0', 300, 0);
    record('1.1.0', 0, 4);
    record('1.0.0', 1, 1, 'mfe-other');
    record('1.0.0', 1, 1, 'mfe-unknown');
    expect(onWorse).not.toHaveBeenCalled();
    record('1.1.0', 0, 1);
    expect(onWorse).toHaveBeenCalledWith(expect.objectContaining({ remote: 'mfe-tiny' }));
    expect(onWorse.mock.calls[0]?.[0].reason).toMatch(/failed 5 of 5 times, 1\.0\.0 0 of 300 times/);
  });
});
