import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { tinyRelease } from '../rendering/testing/tinyRelease.ts';
import { type LiveRemotes, bucketOf, chooseSnapshot, isInCanary } from './snapshot.ts';

describe('request snapshot', () => {
  const stable = tinyRelease({ x: '1' }, { version: '1.0.0' });
  const candidate = tinyRelease({ x: '1' }, { version: '1.1.0' });
  const live = (weight: number, name = 'mfe-tiny'): LiveRemotes =>
    new Map([[name, { live: stable, canary: { release: candidate, weight } }]]);
  const isCanary = (remotes: LiveRemotes, visitor: string, name = 'mfe-tiny') =>
    chooseSnapshot(remotes, visitor).get(name) === candidate;

  it('is stable per visitor, and no visitor leaves a canary when its weight grows', () => {
    fc.assert(
      fc.property(
        fc.uuid(),
        fc.double({ min: 0, max: 100, noNaN: true }),
        fc.double({ min: 0, max: 100, noNaN: true }),
        (visitor, one, other) => {
          const [less, more] = [Math.min(one, other), Math.max(one, other)];
          expect(isCanary(live(less), visitor)).toBe(isCanary(live(less), visitor));
          if (isCanary(live(less), visitor)) expect(isCanary(live(more), visitor)).toBe(true);
        },
      ),
    );
  });

  it('gives a canary to no visitor at 0 and to all at 100', () => {
    fc.assert(
      fc.property(fc.string(), (visitor) => {
        expect(isCanary(live(0), visitor)).toBe(false);
        expect(isCanary(live(100), visitor)).toBe(true);
      }),
    );
  });

  it('gives each visitor the live release of a remote without a canary', () => {
    const remotes: LiveRemotes = new Map([['mfe-tiny', { live: stable }]]);
    expect(chooseSnapshot(remotes, 'visitor-1')).toEqual(new Map([['mfe-tiny', stable]]));
  });

  it('admits exactly the buckets below the weight, at every weight with two decimals', () => {
    for (let at = 0; at < 20_000; at += 1) {
      const visitor = `visitor-${at}`;
      const bucket = bucketOf(visitor, 'mfe-tiny');
      expect(isInCanary(visitor, 'mfe-tiny', bucket / 100)).toBe(false);
      expect(isInCanary(visitor, 'mfe-tiny', (bucket + 1) / 100)).toBe(true);
    }
  });

  it('keeps the buckets of earlier versions of the shell, which run beside it during a deploy', () => {
    const visitors = ['a', 'visitor-1', '01234567-89ab-cdef-0123-456789abcdef'];
    expect(visitors.map((visitor) => bucketOf(visitor, 'mfe-results'))).toEqual([4853, 6052, 6280]);
  });

  it('gives a canary of 0 % to none of 100,000 visitors, with an error of at most 0.3 points', () => {
    const buckets = Array.from({ length: 100_000 }, (_, at) => bucketOf(`visitor-${at}`, 'mfe-tiny'));
    const visitors = Array.from({ length: 100_000 }, (_, at) => `visitor-${at}`);
    expect(visitors.filter((visitor) => isInCanary(visitor, 'mfe-tiny', 0))).toEqual([]);
    for (const weight of [0.01, 1, 5, 25, 50, 99.99, 100]) {
      const share = (100 * buckets.filter((bucket) => bucket < weight * 100).length) / buckets.length;
      expect(Math.abs(share - weight)).toBeLessThanOrEqual(0.3);
    }
  });

  it('keeps its cohort when a patch release replaces the canary', () => {
    const patched = tinyRelease({ x: '1' }, { version: '1.1.1' });
    fc.assert(
      fc.property(fc.uuid(), fc.double({ min: 0, max: 100, noNaN: true }), (visitor, weight) => {
        const after: LiveRemotes = new Map([
          ['mfe-tiny', { live: stable, canary: { release: patched, weight } }],
        ]);
        const wasIn = isCanary(live(weight), visitor);
        expect(chooseSnapshot(after, visitor).get('mfe-tiny') === patched).toBe(wasIn);
      }),
    );
  });

  it('assigns visitors independently per remote', () => {
    const visitors = Array.from({ length: 2_000 }, (_, at) => `visitor-${at}`);
    const both = visitors.filter(
      (visitor) =>
        isCanary(live(50, 'mfe-one'), visitor, 'mfe-one') &&
        isCanary(live(50, 'mfe-two'), visitor, 'mfe-two'),
    ).length;
    expect(both / visitors.length).toBeGreaterThan(0.2);
    expect(both / visitors.length).toBeLessThan(0.3);
  });
});
