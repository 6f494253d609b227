import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  badShareOf,
  CANARY_STATES,
  canaryRules,
  type CanaryVerdict,
  Evidence,
  evidenceOf,
  intervalOf,
  judgeCanary,
  measureName,
  type Outcomes,
  outcomesUntilFine,
} from './canaryRule.ts';
import { binomial, randomNumbers } from './testing/simulateCanary.ts';

const health = (good: number, bad: number) => ({ good, bad });
const RULES = canaryRules({ required: 2, optional: 10 });
/** The verdict about outcomes of which the canary's share is the same all the time. */
const judge = (canary: Outcomes, live: Outcomes, kind: 'required' | 'optional' = 'optional') =>
  judgeCanary({ canary, live, evidence: evidenceOf(canary, live) }, RULES[kind]);

/** Property: any outcomes, up to so many of each kind. */
const outcomes = (maxGood = 5_000, maxBad = 5_000) =>
  fc.record({ good: fc.nat(maxGood), bad: fc.nat(maxBad) });

/** From the best to the worst. */
const ORDER: readonly CanaryVerdict[] = ['fine', 'undecided', 'suspect', 'worse'];

describe('the rules for the measures of a canary', () => {
  it('share one hundredth among all measures, required slots five times as much as others', () => {
    fc.assert(
      fc.property(fc.nat(5), fc.integer({ min: 1, max: 20 }), (required, optional) => {
        const rules = canaryRules({ required, optional });
        const falseEnds = required / rules.required.minEvidence + optional / rules.optional.minEvidence;
        expect(falseEnds).toBeCloseTo(0.01, 10);
        expect(rules.optional.minEvidence / rules.required.minEvidence).toBeCloseTo(5, 10);
        expect(rules.required.minDifference).toBeLessThan(rules.optional.minDifference);
      }),
    );
  });

  it('have words for each verdict', () => {
    expect(Object.keys(CANARY_STATES).sort()).toEqual(ORDER.toSorted());
    // It was said of a canary that failed.
    expect(CANARY_STATES.suspect.advice).toContain('do not raise the share');
  });

  it('name each measure', () => {
    const names = (['server', 'browser'] as const).map((kind) =>
      measureName({ kind, name: 'results', isRequired: true }),
    );
    expect(names).toEqual(['results (required) on servers', 'results (required) in browsers']);
    expect(measureName({ kind: 'vital', name: 'LCP', goodMs: 2500, isRequired: false })).toBe(
      'LCP above 2500 ms',
    );
  });
});

describe('the evidence that a canary is worse', () => {
  it('begins at 1, and grows with failures of the canary only', () => {
    const evidence = new Evidence(0);
    expect(evidence.value()).toBe(1);
    for (let at = 0; at < 95; at += 1) evidence.add('live', true, 0.05, 0);
    for (let at = 0; at < 5; at += 1) evidence.add('canary', true, 0.05, 0);
    expect(evidence.value()).toBe(1);
    evidence.add('canary', false, 0.05, 0);
    const once = evidence.value();
    expect(once).toBeGreaterThan(3);
    evidence.add('live', false, 0.05, 0);
    expect(evidence.value()).toBeLessThan(once);
  });

  it('is none while every outcome is the canary\u2019s', () => {
    const evidence = new Evidence(0);
    for (let at = 0; at < 100; at += 1) evidence.add('canary', false, 1, 0);
    expect(evidence.value()).toBe(1);
  });

  it('takes the larger of weight and observed share for the canary\u2019s', () => {
    const grown = (weight: number, canaryViews: number) => {
      const evidence = new Evidence(0);
      for (let at = 0; at < 100; at += 1) evidence.add(at < canaryViews ? 'canary' : 'live', true, weight, 0);
      for (let at = 0; at < 4; at += 1) evidence.add('canary', false, weight, 0);
      return evidence.value();
    };
    expect(grown(0.05, 5)).toBeGreaterThan(grown(0.3, 5));
    expect(grown(0.05, 5)).toBeGreaterThan(grown(0.05, 30));
  });

  it('is at most 1 on average over what may come next, so that looking often changes nothing', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom('canary' as const, 'live' as const), fc.boolean()), {
          maxLength: 60,
        }),
        fc.double({ min: 0.01, max: 0.99, noNaN: true }),
        (history, weight) => {
          const after = (next: 'canary' | 'live') => {
            const evidence = new Evidence(0);
            for (const [release, isGood] of history) evidence.add(release, isGood, weight, 0);
            const before = evidence.value();
            evidence.add(next, false, weight, 0);
            return evidence.value() / before;
          };
          // A failure of equally good releases is the canary's with the probability of its share.
          const average = weight * after('canary') + (1 - weight) * after('live');
          expect(average).toBeLessThanOrEqual(1 + 1e-9);
        },
      ),
    );
  });

  it('starts again every ten minutes, so that a long good time hides nothing', () => {
    const failing = (from: number) => {
      const evidence = new Evidence(0);
      for (let at = 0; at < 400; at += 1) evidence.add('live', false, 0.05, 0);
      for (let at = 0; at < 12; at += 1) evidence.add('canary', false, 0.05, from);
      return evidence.value();
    };
    expect(failing(0)).toBeLessThan(100);
    expect(failing(11 * 60_000)).toBeGreaterThan(1_000);
  });

  it('is a number of JSON, however many failures there are', () => {
    const evidence = new Evidence(0);
    for (let at = 0; at < 2_000; at += 1) {
      evidence.add('live', true, 0.01, 0);
      evidence.add('canary', false, 0.01, 0);
    }
    expect(Number.isFinite(evidence.value())).toBe(true);
    expect(Number.isFinite(evidenceOf(health(0, 5_000), health(5_000, 0)))).toBe(true);
  });
});

describe('canary rule', () => {
  it('ends a canary that keeps failing while the live release does not', () => {
    expect(judge(health(0, 8), health(200, 0))).toBe('worse');
    expect(judge(health(400, 40), health(8_000, 8))).toBe('worse');
  });

  it("keeps a canary with few failures or with the live release's failures", () => {
    expect(judge(health(0, 4), health(10_000, 0))).not.toBe('worse');
    expect(judge(health(10_000, 10), health(10_000, 0))).not.toBe('worse');
    expect(judge(health(50, 50), health(1_000, 1_000))).not.toBe('worse');
    // The upstream is down: both releases fail.
    expect(judge(health(0, 100), health(0, 1_000))).not.toBe('worse');
  });

  it.each([
    // A required slot with 5 % failures at a weight of 20 %.
    [health(285, 15), health(1_199, 1), 'required', 'worse'],
    [health(285, 15), health(1_199, 1), 'optional', 'worse'],
    // One that fails in 1 %: worth a rollback in a required slot only.
    [health(1_980, 20), health(19_980, 20), 'required', 'worse'],
    [health(1_980, 20), health(19_980, 20), 'optional', 'fine'],
    // Almost: at half of the visitors a failure of the canary says little.
    [health(1_020, 23), health(977, 4), 'required', 'suspect'],
    [health(1_020, 23), health(977, 4), 'optional', 'undecided'],
    [health(1_016, 27), health(977, 4), 'required', 'worse'],
  ] as const)('says of %j against %j in a slot that is %s: %s', (canary, live, kind, verdict) => {
    expect(judge(canary, live, kind)).toBe(verdict);
  });

  it('never ends a canary that is as good as the live release or better', () => {
    fc.assert(
      fc.property(fc.nat(5_000), fc.nat(5_000), fc.nat(50), fc.nat(50), (good, bad, worse, times) => {
        const canary = health(good + worse, bad);
        const live = health(good * (times + 1), bad * (times + 1));
        expect(judge(canary, live, 'required')).not.toBe('worse');
      }),
    );
  });

  it.each([
    ['five failures', health(0, 5), 1e6, 'worse'],
    ['four failures', health(10, 4), 1e6, 'suspect'],
    ['as much evidence as the rule needs', health(0, 5), RULES.optional.minEvidence, 'worse'],
    ['a little less evidence', health(0, 5), RULES.optional.minEvidence - 1, 'suspect'],
    ['two more failures in a hundred', health(980, 20), 1e6, 'worse'],
    ['a little less than two more failures in a hundred', health(981, 20), 1e6, 'undecided'],
  ] as const)('judges a canary with %s', (_, canary, evidence, verdict) => {
    expect(judgeCanary({ canary, live: health(100_000, 0), evidence }, RULES.optional)).toBe(verdict);
  });

  it.each([
    [
      'fails in 8 % of 100 renders, and the live release in 4 % of 1,000',
      health(92, 8),
      health(960, 40),
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
    expect(judge(canary, live)).toBe(verdict);
  });

  it('decides nothing without outcomes of the canary', () => {
    fc.assert(
      fc.property(outcomes(), (live) => {
        expect(judge(health(0, 0), live)).toBe('undecided');
      }),
    );
  });

  it('never says of both of two releases that they are worse, nor of equal ones that one is', () => {
    fc.assert(
      fc.property(outcomes(), outcomes(), (one, other) => {
        expect([judge(one, other), judge(other, one)]).not.toEqual(['worse', 'worse']);
        expect(['fine', 'undecided']).toContain(judge(one, one));
      }),
    );
  });

  it('needs so many outcomes until a canary is fine', () => {
    expect(outcomesUntilFine(health(100, 0), health(5_000, 0), RULES.optional)).toBe(189);
    expect(outcomesUntilFine(health(100, 0), health(5_000, 0), RULES.required)).toBeGreaterThan(700);
    expect(outcomesUntilFine(health(90, 10), health(5_000, 0), RULES.optional)).toBe(Infinity);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 500 }), outcomes(5_000, 100), (good, live) => {
        const needed = outcomesUntilFine(health(good, 0), live, RULES.optional);
        fc.pre(needed < Infinity);
        expect(judge(health(needed, 0), live)).toBe('fine');
      }),
    );
  });

  it.each([0.001, 0.01, 0.05, 0.2])(
    'calls at most 4 %% of the canaries fine that are two points worse than a live share of %d',
    (share) => {
      const random = randomNumbers(5);
      for (const [liveCount, canaryCount] of [
        [20_000, 300],
        [1_000, 1_000],
        [400, 4_000],
      ] as const) {
        const verdicts = Array.from({ length: 500 }, () => {
          const bad = binomial(random, canaryCount, share + 0.02);
          const liveBad = binomial(random, liveCount, share);
          return judge(health(canaryCount - bad, bad), health(liveCount - liveBad, liveBad));
        });
        const fine = verdicts.filter((verdict) => verdict === 'fine');
        expect(fine.length / verdicts.length).toBeLessThanOrEqual(0.04);
      }
    },
  );
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
