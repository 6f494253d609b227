import { describe, expect, it, jest } from '@jest/globals';
import { tinyRelease } from '../rendering/testing/tinyRelease.ts';
import { describeWorse, watchPredecessors, type PredecessorWatchOptions } from './predecessorWatch.ts';
import type { LiveRemotes } from './snapshot.ts';

const MINUTE = 60_000;
const live = (version: string): LiveRemotes =>
  new Map([['mfe-tiny', { live: tinyRelease({ x: '1', y: '1' }, { version }) }]]);

function rig(required: readonly string[] = []) {
  const state = { now: 0, remotes: live('1.0.0') };
  const onWorse = jest.fn<PredecessorWatchOptions['onWorse']>();
  const watch = watchPredecessors({
    live: () => state.remotes,
    requiredSlots: new Map([['mfe-tiny', new Set(required)]]),
    onWorse,
    now: () => state.now,
  });
  const record = (version: string, good: number, bad: number, name = 'x') => {
    const outcome = { remote: 'mfe-tiny', version, kind: 'server', name } as const;
    for (let at = 0; at < good; at += 1) watch.record({ ...outcome, isGood: true });
    for (let at = 0; at < bad; at += 1) watch.record({ ...outcome, isGood: false });
  };
  return { state, onWorse, record, watch };
}

describe('a live release and its predecessor', () => {
  it('are compared slot by slot, within an hour after the change', () => {
    const { state, onWorse, record, watch } = rig();
    record('1.0.0', 1_000, 1);
    record('1.0.0', 900, 100, 'y');
    state.now = 10 * MINUTE;
    state.remotes = live('1.1.0');
    record('1.1.0', 90, 10, 'y');
    record('1.1.0', 90, 0);
    expect(watch.worse()).toEqual([]);
    record('1.1.0', 0, 20);
    expect(onWorse).toHaveBeenCalledTimes(1);
    const [worse] = watch.worse();
    expect(worse).toMatchObject({ version: '1.1.0', previous: '1.0.0', slot: 'x', where: 'server' });
    expect(describeWorse(worse!)).toMatch(/^it fails on servers in \d+ of \d+, 1\.0\.0 in 1 of 1001$/);
  });

  it('are not compared later, nor without a predecessor', () => {
    const { state, onWorse, record } = rig();
    record('1.0.0', 0, 300);
    expect(onWorse).not.toHaveBeenCalled();
    state.remotes = live('1.1.0');
    record('1.1.0', 1_000, 0);
    state.remotes = live('1.2.0');
    record('1.2.0', 10, 0);
    state.now = 61 * MINUTE;
    record('1.2.0', 0, 100);
    expect(onWorse).not.toHaveBeenCalled();
  });

  it('are compared by views of browsers too, and a rollback ends the proposal', () => {
    const { state, onWorse, watch } = rig(['x']);
    const view = { remote: 'mfe-tiny', isGood: true, kind: 'browser', name: 'x' } as const;
    for (let at = 0; at < 500; at += 1) watch.record({ ...view, version: '1.0.0' });
    state.remotes = live('1.1.0');
    for (let at = 0; at < 200; at += 1) watch.record({ ...view, version: '1.1.0' });
    for (let at = 0; at < 12; at += 1) watch.recordFailedView({ ...view, version: '1.1.0' });
    expect(onWorse).toHaveBeenCalledTimes(1);
    expect(watch.worse()[0]).toMatchObject({ slot: 'x', where: 'browser' });
    state.remotes = live('1.0.0');
    expect(watch.worse()).toEqual([]);
  });
});
