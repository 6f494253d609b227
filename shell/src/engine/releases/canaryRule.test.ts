import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isClearlyWorse, type ReleaseHealth } from './canaryWatch.ts';

const health = (good: number, bad: number) => ({ good, bad });

describe('canary rule', () => {
  it('ends a canary that keeps failing while the live release does not', () => {
    expect(isClearlyWorse(health(0, 8), health(200, 0))).toBe(true);
    expect(isClearlyWorse(health(400, 40), health(8_000, 8))).toBe(true);
  });

  it("keeps a canary with few failures or with the live release's failures", () => {
    expect(isClearlyWorse(health(0, 4), health(10_000, 0))).toBe(false);
    expect(isClearlyWorse(health(10_000, 10), health(10_000, 0))).toBe(false);
    expect(isClearlyWorse(health(50, 50), health(1_000, 1_000))).toBe(false);
    // The upstream is down: both releases fail.
    expect(isClearlyWorse(health(0, 100), health(0, 1_000))).toBe(false);
  });

  it('never ends a canary that is as good as the live release or better', () => {
    fc.assert(
      fc.property(fc.nat(5_000), fc.nat(5_000), fc.nat(50), fc.nat(50), (good, bad, worse, times) => {
        const canary = health(good + worse, bad);
        const live = health(good * (times + 1), bad * (times + 1));
        expect(isClearlyWorse(canary, live)).toBe(false);
      }),
    );
  });

  /** The z-test as in a textbook, in which the live release has two more renders, one of them failed if any did. */
  function isWorse(canary: ReleaseHealth, live: ReleaseHealth): boolean {
    const [n1, n2] = [canary.good + canary.bad, live.good + live.bad + 2];
    const [x1, x2] = [canary.bad, live.bad > 0 ? live.bad + 1 : 0];
    const [p1, p2, p] = [x1 / n1, x2 / n2, (x1 + x2) / (n1 + n2)];
    const z = (p1 - p2) / Math.sqrt(p * (1 - p) * (1 / n1 + 1 / n2));
    return x1 >= 5 && p1 - p2 >= 0.02 && z >= 4;
  }

  it('agrees with a two-proportion z-test of four standard errors', () => {
    const counts = (maxGood: number, maxBad: number) =>
      fc.record({ good: fc.nat(maxGood), bad: fc.nat(maxBad) });
    fc.assert(
      fc.property(counts(60, 30), counts(100, 20), (canary, live) => {
        expect(isClearlyWorse(canary, live)).toBe(isWorse(canary, live));
      }),
      { numRuns: 3_000 },
    );
  });

  it.each([
    ['five failures', health(0, 5), health(200, 0), true],
    ['four standard errors', health(0, 5), health(9, 0), true],
    ['a little less than four standard errors', health(0, 5), health(8, 0), false],
    ['two more failures in a hundred', health(980, 20), health(100_000, 0), true],
    ['a little less than two more failures in a hundred', health(981, 20), health(100_000, 0), false],
    [
      'two failures in a hundred, of which live has one in a thousand',
      health(979, 21),
      health(99_900, 100),
      false,
    ],
  ])('judges a canary with %s', (_, canary, live, isEnded) => {
    expect(isClearlyWorse(canary, live)).toBe(isEnded);
  });

  it("is monotonic in the canary's failures", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 500 }),
        fc.integer({ min: 0, max: 100 }),
        fc.nat(100),
        (good, bad, more) => {
          const live = health(5_000, 5);
          if (isClearlyWorse(health(good, bad), live))
            expect(isClearlyWorse(health(good, bad + more), live)).toBe(true);
        },
      ),
    );
  });
});
