import { describe, expect, it, jest } from '@jest/globals';
import { tinyRelease } from '../rendering/testing/tinyRelease.ts';
import { type CanaryWatchOptions, watchCanaries } from './canaryWatch.ts';
import type { LiveRemotes } from './snapshot.ts';

const release = (version: string) => tinyRelease({ x: '1' }, { name: 'mfe-tiny', version });
const REMOTES: LiveRemotes = new Map([
  ['mfe-tiny', { live: release('1.0.0'), canary: { release: release('1.1.0'), weight: 5 } }],
]);

function rig(remotes = REMOTES) {
  const state = { now: 0, remotes };
  const onWorse = jest.fn<CanaryWatchOptions['onWorse']>();
  const watch = watchCanaries({ live: () => state.remotes, onWorse, now: () => state.now });
  const record = (version: string, good: number, bad: number) => {
    for (let at = 0; at < good; at += 1) watch.record('mfe-tiny', version, true);
    for (let at = 0; at < bad; at += 1) watch.record('mfe-tiny', version, false);
  };
  return { state, onWorse, record };
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

  it('ignores live releases, withdrawn ones and remotes without a canary', () => {
    const { onWorse, record, state } = rig();
    record('1.1.0', 300, 0);
    record('1.0.0', 0, 200);
    record('0.9.0', 0, 200);
    state.remotes = new Map([['mfe-tiny', { live: release('1.1.0') }]]);
    record('1.1.0', 0, 200);
    expect(onWorse).not.toHaveBeenCalled();
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
});
