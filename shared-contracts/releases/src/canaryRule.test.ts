import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  badShareOf,
  type CanaryVerdict,
  intervalOf,
  judgeCanary,
  type Outcomes,
  outcomesUntilFine,
} from './canaryRule.ts';

const health = (good: number, bad: number) => ({ good, bad });
const isClearlyWorse = (canary: Outcomes, live: Outcomes): boolean => judgeCanary(canary, live) === 'worse';

/** Property: any outcomes, up to so many of each kind. */
const outcomes = (maxGood = 5_000, maxBad = 5_000) =>
  fc.record({ good: fc.nat(maxGood), bad: fc.nat(maxBad) });

/** From the best to the worst. */
const ORDER: readonly CanaryVerdict[] = ['fine', 'undecided', 'suspect', 'worse'];

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
  function isWorse(canary: Outcomes, live: Outcomes): boolean {
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

  it.each([
    [
      'fails in 8 % of 100 renders, and the live release in 2 % of 1,000',
      health(92, 8),
      health(980, 20),
      'suspect',
    ],
    ['failed twice in few renders', health(53, 2), health(95, 0), 'suspect'],
    ['did not fail in many renders', health(400, 0), health(5_000, 2), 'fine'],
    ['fails as often as the live release', health(950, 50), health(4_750, 250), 'fine'],
    [
      'fails as often as a live release of which little is known',
      health(950, 50),
      health(19, 1),
      'undecided',
    ],
    ['has a few good renders', health(20, 0), health(5_000, 0), 'undecided'],
    ['has no renders', health(0, 0), health(5_000, 0), 'undecided'],
  ] as const)('says of a canary that %s: %s against %s is %s', (_, canary, live, verdict) => {
    expect(judgeCanary(canary, live)).toBe(verdict);
  });

  it('decides nothing without outcomes of the canary', () => {
    fc.assert(
      fc.property(outcomes(), (live) => {
        expect(judgeCanary(health(0, 0), live)).toBe('undecided');
      }),
    );
  });

  it('never says of both of two releases that they are worse, nor of equal ones that one is', () => {
    fc.assert(
      fc.property(outcomes(), outcomes(), (one, other) => {
        expect([judgeCanary(one, other), judgeCanary(other, one)]).not.toEqual(['worse', 'worse']);
        expect(['fine', 'undecided']).toContain(judgeCanary(one, one));
      }),
    );
  });

  it('never gets better by more failures of the canary, nor worse by more failures of the live release', () => {
    fc.assert(
      fc.property(outcomes(2_000, 300), outcomes(5_000, 500), fc.nat(50), (canary, live, more) => {
        fc.pre(canary.good + canary.bad > 0);
        const rank = (one: Outcomes) => ORDER.indexOf(judgeCanary(one, live));
        expect(rank({ ...canary, bad: canary.bad + more })).toBeGreaterThanOrEqual(rank(canary));
        const moreLive = { ...live, bad: live.bad + more };
        if (isClearlyWorse(canary, moreLive)) expect(isClearlyWorse(canary, live)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  it('needs so many outcomes until a canary is fine', () => {
    expect(outcomesUntilFine(health(100, 0), health(5_000, 0))).toBe(189);
    expect(outcomesUntilFine(health(90, 10), health(5_000, 0))).toBe(Infinity);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 500 }), outcomes(5_000, 100), (good, live) => {
        const needed = outcomesUntilFine(health(good, 0), live);
        fc.pre(needed < Infinity);
        expect(judgeCanary(health(needed, 0), live)).toBe('fine');
      }),
    );
  });
});

describe('the interval of the bad share', () => {
  it('gives the interval that Wilson’s formula gives', () => {
    // Values of the R function prop.test(5, 100, correct = FALSE).
    const { low, high } = intervalOf(health(95, 5));
    expect(low).toBeCloseTo(0.0215, 3);
    expect(high).toBeCloseTo(0.1118, 3);
    expect(intervalOf(health(0, 0))).toEqual({ low: 0, high: 1 });
  });

  it('always has the measured rate in the interval', () => {
    fc.assert(
      fc.property(fc.nat(5000), fc.nat(5000), (good, bad) => {
        fc.pre(good + bad > 0);
        const { low, high } = intervalOf(health(good, bad));
        const rate = badShareOf({ good, bad });
        expect(low).toBeLessThanOrEqual(rate + 1e-12);
        expect(high).toBeGreaterThanOrEqual(rate - 1e-12);
        expect(low).toBeGreaterThanOrEqual(0);
        expect(high).toBeLessThanOrEqual(1);
      }),
    );
  });
});

/** Uniform numbers from 0 to 1 (mulberry32), the same in every run. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function binomial(random: () => number, count: number, probability: number): number {
  let hits = 0;
  for (let at = 0; at < count; at += 1) if (random() < probability) hits += 1;
  return hits;
}

/** Outcomes of a canary that a window holds; ten minutes of a busy site. */
const WINDOW = 1_000;

/**
 * After how many of its outcomes a canary is ended, if a shell looks after each bad one; `Infinity` if it is not ended
 * within `limit`. `ratio` is how many outcomes the live release has for each of the canary's.
 */
function endOf(
  random: () => number,
  { canary, live, ratio, limit }: { canary: number; live: number; ratio: number; limit: number },
): number {
  const slices: { canaryBad: number; liveCount: number; liveBad: number }[] = [];
  const [tried, current] = [
    { good: 0, bad: 0 },
    { good: 0, bad: 0 },
  ];
  let due = 0;
  for (let count = 1; count <= limit; count += 1) {
    due += ratio;
    const liveCount = Math.floor(due);
    due -= liveCount;
    const slice = {
      canaryBad: random() < canary ? 1 : 0,
      liveCount,
      liveBad: binomial(random, liveCount, live),
    };
    slices.push(slice);
    const old = slices[count - 1 - WINDOW] ?? { canaryBad: 0, liveCount: 0, liveBad: 0 };
    tried.bad += slice.canaryBad - old.canaryBad;
    tried.good = Math.min(count, WINDOW) - tried.bad;
    current.bad += slice.liveBad - old.liveBad;
    current.good += slice.liveCount - slice.liveBad - (old.liveCount - old.liveBad);
    if (slice.canaryBad === 1 && isClearlyWorse(tried, current)) return count;
  }
  return Infinity;
}

const times = <T>(count: number, work: () => T): T[] => Array.from({ length: count }, work);

describe('what the rule promises', () => {
  it.each([
    { ratio: 19, share: 0.001, allowed: 0 },
    { ratio: 19, share: 0.01, allowed: 0.015 },
    { ratio: 19, share: 0.05, allowed: 0.015 },
    { ratio: 19, share: 0.2, allowed: 0.015 },
    { ratio: 1, share: 0.01, allowed: 0.015 },
    { ratio: 1, share: 0.05, allowed: 0.015 },
    { ratio: 1, share: 0.5, allowed: 0.015 },
    { ratio: 0.1, share: 0.05, allowed: 0.015 },
  ])(
    'ends at most $allowed of the canaries that fail as often as live, $share, with $ratio times the outcomes',
    ({ ratio, share, allowed }) => {
      const random = randomNumbers(3);
      const ends = times(400, () => endOf(random, { canary: share, live: share, ratio, limit: 2_000 }));
      expect(ends.filter((end) => end < Infinity).length / ends.length).toBeLessThanOrEqual(allowed);
    },
  );

  it.each([
    { share: 1, within: 5 },
    { share: 0.5, within: 20 },
    { share: 0.1, within: 120 },
    { share: 0.05, within: 250 },
    { share: 0.03, within: 600 },
  ])(
    'ends 95 % of the canaries that fail in $share of their outcomes within $within',
    ({ share, within }) => {
      const random = randomNumbers(9);
      const ends = times(200, () => endOf(random, { canary: share, live: 0.001, ratio: 20, limit: within }));
      expect(ends.filter((end) => end <= within).length / ends.length).toBeGreaterThanOrEqual(0.95);
    },
  );

  it.each([0.001, 0.01, 0.05, 0.2])(
    'calls at most 4 %% of the canaries fine that are two points worse than a live share of %d',
    (share) => {
      const random = randomNumbers(5);
      for (const [liveCount, canaryCount] of [
        [20_000, 300],
        [1_000, 1_000],
        [400, 4_000],
      ] as const) {
        const verdicts = times(500, () => {
          const bad = binomial(random, canaryCount, share + 0.02);
          const liveBad = binomial(random, liveCount, share);
          return judgeCanary(health(canaryCount - bad, bad), health(liveCount - liveBad, liveBad));
        });
        const fine = verdicts.filter((verdict) => verdict === 'fine');
        expect(fine.length / verdicts.length).toBeLessThanOrEqual(0.04);
      }
    },
  );
});
