import { describe, expect, it } from '@jest/globals';
import { observeReleases } from './metrics.ts';
import { createReleaseReport, createSlotFailures } from './slotFailures.ts';

const START = Date.parse('2026-03-01T12:00:00Z');
const MINUTE = 60_000;

function rig() {
  const state = { now: START };
  const slotFailures = createSlotFailures(() => new Date(state.now));
  const metrics = slotFailures.observe({ start: () => () => {} });
  const render = (release: string, outcome: string, times = 1, message = 'no price') => {
    for (let done = 0; done < times; done += 1)
      metrics.start('grid', release)(outcome, outcome === 'ok' ? undefined : { message, stack: 'at Card' });
  };
  return { state, slotFailures, render };
}

describe('record of slots', () => {
  it('counts renders by release and slot, with the last failure', () => {
    const { slotFailures, render } = rig();
    render('mfe-x@1.0.0', 'ok', 95);
    render('mfe-x@1.0.0', 'THREW', 5);
    expect(slotFailures.slots()).toEqual([
      {
        release: 'mfe-x@1.0.0',
        slot: 'grid',
        good: 95,
        bad: 5,
        lastFailure: { at: '2026-03-01T12:00:00.000Z', code: 'THREW', message: 'no price', stack: 'at Card' },
      },
    ]);
  });

  it('ignores the slots of the shell and clients that disconnected', () => {
    const { slotFailures, render } = rig();
    render('shell', 'THREW');
    render('mfe-x@1.0.0', 'CANCELLED');
    expect(slotFailures.slots()).toEqual([]);
  });

  it('does not count what waited for the machine, but shows it', () => {
    const { slotFailures } = rig();
    const metrics = slotFailures.observe({ start: () => () => {} });
    metrics.start('grid', 'mfe-x@1.0.0')('DEADLINE', { message: 'not done in 609 ms', isOfMachine: true });
    expect(slotFailures.slots()).toMatchObject([{ good: 0, bad: 0, lastFailure: { code: 'DEADLINE' } }]);
    expect(slotFailures.recent()).toEqual({ 'mfe-x@1.0.0': { grid: 'DEADLINE' } });
  });

  it('counts ten minutes and calls a failure recent for one', () => {
    const { slotFailures, render, state } = rig();
    render('mfe-x@1.0.0', 'THREW');
    expect(slotFailures.recent()).toEqual({ 'mfe-x@1.0.0': { grid: 'THREW' } });
    state.now += 2 * MINUTE;
    expect(slotFailures.recent()).toEqual({});
    expect(slotFailures.slots()).toMatchObject([{ bad: 1 }]);
    state.now += 9 * MINUTE;
    expect(slotFailures.slots()).toMatchObject([{ bad: 0 }]);
  });

  it('bounds what a release can make it store', () => {
    const { slotFailures, render } = rig();
    render('mfe-x@1.0.0', 'THREW', 1, 'x'.repeat(10_000));
    expect(slotFailures.slots()[0]?.lastFailure?.message).toHaveLength(500);
    for (let version = 0; version < 60; version += 1) render(`mfe-y@1.0.${version}`, 'ok');
    expect(slotFailures.slots()).toHaveLength(50);
    expect(slotFailures.slots().some(({ release }) => release === 'mfe-x@1.0.0')).toBe(false);
  });
});

describe('outcomes that count for a canary', () => {
  it('are those of releases, without cancelled renders and what waited for the machine', () => {
    const recorded: object[] = [];
    const metrics = observeReleases({ start: () => () => {} }, (render) => recorded.push(render));
    metrics.start('grid', 'mfe-x@1.0.0')('ok');
    metrics.start('grid', 'mfe-x@1.0.0')('DEADLINE', { message: 'late' });
    metrics.start('grid', 'mfe-x@1.0.0')('DEADLINE', { message: 'late', isOfMachine: true });
    metrics.start('grid', 'mfe-x@1.0.0')('CANCELLED');
    metrics.start('grid', 'shell')('THREW', { message: 'own' });
    const render = { remote: 'mfe-x', version: '1.0.0', slot: 'grid' };
    expect(recorded).toEqual([
      { ...render, isGood: true },
      { ...render, isGood: false },
    ]);
  });
});

describe('report of a shell', () => {
  it('has what servers and browsers say about each slot', () => {
    const { slotFailures, render } = rig();
    render('mfe-x@1.0.0', 'ok', 3);
    const browser = { good: 5, bad: 1, phases: { hydrate: 1 } };
    const report = createReleaseReport(
      {
        releases: { live: () => new Map() },
        predecessors: { worse: () => [] },
        browsers: {
          slots: () => [
            { release: 'mfe-x@1.0.0', slot: 'grid', browser },
            { release: 'mfe-x@1.0.0', slot: 'drawn-by-browsers', browser },
          ],
        },
        clock: () => new Date(START),
      },
      () => 'ready',
      slotFailures,
    )();
    expect(report.slots).toEqual([
      { release: 'mfe-x@1.0.0', slot: 'grid', good: 3, bad: 0, browser },
      { release: 'mfe-x@1.0.0', slot: 'drawn-by-browsers', good: 0, bad: 0, browser },
    ]);
  });
});
