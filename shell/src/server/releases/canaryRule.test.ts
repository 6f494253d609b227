import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isClearlyWorse } from './canaryWatch.ts';

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
    // The upstream is down: everybody fails.
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
