import { describe, expect, it, jest } from '@jest/globals';
import { tinyRelease } from '../rendering/testing/tinyRelease.ts';
import { type CanaryWatchOptions, type Measured, watchCanaries } from './canaryWatch.ts';
import type { LiveRemote, LiveRemotes } from './snapshot.ts';

const release = (version: string, name = 'mfe-tiny') => tinyRelease({ x: '1', y: '1' }, { name, version });
const withCanary = (version: string, name = 'mfe-tiny', weight = 5) => ({
  live: release('1.0.0', name),
  canary: { release: release(version, name), weight },
});
const REMOTES: LiveRemotes = new Map([['mfe-tiny', withCanary('1.1.0')]]);
const MINUTE = 60_000;
const X: Measured = { kind: 'server', name: 'x' };
const Y: Measured = { kind: 'server', name: 'y' };
const NONE = { good: 0, bad: 0 };

function rig(remotes = REMOTES, required: readonly string[] = []) {
  const state = { now: 0, remotes };
  const onWorse = jest.fn<CanaryWatchOptions['onWorse']>();
  const watch = watchCanaries({
    live: () => state.remotes,
    requiredSlots: new Map([['mfe-tiny', new Set(required)]]),
    onWorse,
    now: () => state.now,
  });
  const record = (
    version: string,
    good: number,
    bad: number,
    measured: Measured = X,
    remote = 'mfe-tiny',
  ) => {
    const outcome = { remote, version, ...measured };
    for (let at = 0; at < good; at += 1) watch.record({ ...outcome, isGood: true });
    for (let at = 0; at < bad; at += 1) watch.record({ ...outcome, isGood: false });
  };
  const measure = (measured: Measured) =>
    watch.evidence()[0]?.measures.find(({ kind, name }) => kind === measured.kind && name === measured.name);
  return { state, onWorse, record, watch, measure };
}

describe('canary watch', () => {
  it('reports a clearly worse canary once, with slot, place and both counts', () => {
    const { onWorse, record } = rig();
    record('1.0.0', 300, 0);
    record('1.1.0', 0, 40);
    expect(onWorse).toHaveBeenCalledTimes(1);
    expect(onWorse).toHaveBeenCalledWith({
      remote: 'mfe-tiny',
      version: '1.1.0',
      reason:
        'slot x failed on servers 5 of 5 times in the canary, 0 of 300 times in 1.0.0 within 60 minutes',
    });
  });

  it('judges each slot by itself: failures of another that both releases have hide nothing', () => {
    const { onWorse, record } = rig(new Map([['mfe-tiny', withCanary('1.1.0', 'mfe-tiny', 13)]]), ['x']);
    // As on a busy machine: y is late in a tenth of the renders of both releases.
    for (let round = 0; round < 15; round += 1) {
      record('1.0.0', 120, 14, Y);
      record('1.1.0', 18, 2, Y);
      record('1.0.0', 134, 0, X);
      record('1.1.0', 19, 1, X);
    }
    expect(onWorse).toHaveBeenCalledTimes(1);
    expect(onWorse.mock.calls[0]?.[0].reason).toMatch(/^slot x failed on servers [5-8] of \d+ times/);
  });

  it('judges servers and browsers apart', () => {
    const { onWorse, record, watch } = rig();
    record('1.0.0', 400, 0, { kind: 'browser', name: 'x' });
    record('1.1.0', 20, 0, { kind: 'browser', name: 'x' });
    record('1.1.0', 2_000, 0, X);
    const failed = { remote: 'mfe-tiny', version: '1.1.0', name: 'x' };
    for (let at = 0; at < 4; at += 1) watch.recordFailedView(failed);
    expect(onWorse).not.toHaveBeenCalled();
    watch.recordFailedView(failed);
    // Failed views were counted as good when they were sent.
    expect(onWorse.mock.calls[0]?.[0].reason).toMatch(
      /^slot x failed in browsers 5 of 20 times in the canary/,
    );
  });

  it('is stricter with required slots', () => {
    const fail = (required: readonly string[]) => {
      const { onWorse, record } = rig(undefined, required);
      for (let round = 0; round < 30; round += 1) {
        record('1.0.0', 1_900, 1);
        record('1.1.0', 99, 1);
      }
      return onWorse.mock.calls.length;
    };
    expect(fail(['x'])).toBe(1);
    expect(fail([])).toBe(0);
  });

  it('reports a canary with which pages are slower, however well it renders', () => {
    const { onWorse, record, watch } = rig();
    for (let at = 0; at < 200; at += 1) {
      record('1.0.0', 1, 0);
      record('1.1.0', 1, 0);
      record('1.0.0', at % 20 === 0 ? 0 : 1, at % 20 === 0 ? 1 : 0, { kind: 'vital', name: 'INP' });
      record('1.1.0', 1, 0, { kind: 'vital', name: 'LCP' });
    }
    expect(onWorse).not.toHaveBeenCalled();
    for (let at = 0; at < 40; at += 1)
      record('1.1.0', at % 2 === 0 ? 1 : 0, at % 2 === 0 ? 0 : 1, { kind: 'vital', name: 'INP' });
    expect(onWorse).toHaveBeenCalledTimes(1);
    expect(onWorse.mock.calls[0]?.[0]).toMatchObject({
      version: '1.1.0',
      reason: expect.stringMatching(
        /^INP was slow in \d+ of \d+ measurements with the canary, in 10 of 200 with 1\.0\.0 within 60 minutes$/,
      ),
    });
    // 200 good values of LCP don't hide a slow INP.
    const measures = watch.evidence()[0]?.measures ?? [];
    expect(measures.map(({ kind, name, goodMs }) => [kind, name, goodMs])).toEqual([
      ['server', 'x', undefined],
      ['vital', 'INP', 200],
      ['vital', 'LCP', 2500],
    ]);
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

  it('shows the outcomes of a canary beside those of the live release, required slots first', () => {
    const { record, watch, state } = rig(undefined, ['y']);
    record('1.0.0', 300, 1);
    record('1.1.0', 12, 2);
    record('1.1.0', 1, 0, Y);
    const [canary] = watch.evidence();
    expect(canary).toMatchObject({ remote: 'mfe-tiny', version: '1.1.0' });
    expect(canary?.measures).toEqual([
      expect.objectContaining({
        kind: 'server',
        name: 'y',
        isRequired: true,
        canary: { good: 1, bad: 0 },
        live: NONE,
        evidence: 1,
        // Two required measures with five parts each, two others and two vitals.
        rule: { minFailures: 5, minDifference: 0.005, minEvidence: 280 },
      }),
      expect.objectContaining({
        name: 'x',
        isRequired: false,
        canary: { good: 12, bad: 2 },
        live: { good: 300, bad: 1 },
        rule: { minFailures: 5, minDifference: 0.02, minEvidence: 1400 },
      }),
    ]);
    expect(canary?.measures[1]?.evidence).toBeGreaterThan(10);
    state.remotes = new Map([['mfe-tiny', { live: release('1.1.0') }]]);
    expect(watch.evidence()).toEqual([]);
  });

  it('compares the outcomes of the last hour', () => {
    const { record, state, measure } = rig();
    record('1.0.0', 300, 0);
    record('1.1.0', 0, 4);
    state.now = 60 * MINUTE;
    record('1.0.0', 10, 0);
    expect(measure(X)).toMatchObject({ canary: { good: 0, bad: 4 }, live: { good: 310, bad: 0 } });
    state.now = 61 * MINUTE;
    record('1.0.0', 5, 0);
    expect(measure(X)).toMatchObject({ canary: NONE, live: { good: 15, bad: 0 } });
  });

  it('judges a canary only when it fails', () => {
    const { onWorse, record } = rig();
    record('1.1.0', 0, 5);
    record('1.0.0', 300, 1);
    record('1.1.0', 1, 0);
    expect(onWorse).not.toHaveBeenCalled();
  });

  it.each<[string, LiveRemote]>([
    ['another canary', withCanary('1.2.0')],
    ['no canary', { live: release('1.0.0') }],
    ['another live release', { ...withCanary('1.1.0'), live: release('1.0.1') }],
  ])('counts from zero when a canary returns after %s', (_, between) => {
    const { onWorse, record, state, measure } = rig();
    record('1.0.0', 300, 0);
    record('1.1.0', 0, 4);
    state.remotes = new Map([['mfe-tiny', between]]);
    record('1.0.0', 7, 0);
    state.remotes = REMOTES;
    record('1.1.0', 0, 4);
    expect(onWorse).not.toHaveBeenCalled();
    expect(measure(X)).toMatchObject({ canary: { good: 0, bad: 4 }, live: NONE });
  });

  it('counts each remote on its own and ignores unknown ones', () => {
    const other = withCanary('1.1.0', 'mfe-other');
    const { onWorse, record } = rig(new Map([...REMOTES, ['mfe-other', other]]));
    record('1.0.0', 300, 0);
    record('1.1.0', 0, 4);
    record('1.0.0', 1, 1, X, 'mfe-other');
    record('1.0.0', 1, 1, X, 'mfe-unknown');
    expect(onWorse).not.toHaveBeenCalled();
    record('1.1.0', 0, 1);
    expect(onWorse).toHaveBeenCalledWith(expect.objectContaining({ remote: 'mfe-tiny' }));
    expect(onWorse.mock.calls[0]?.[0].reason).toMatch(/failed on servers 5 of 5 times/);
  });
});
