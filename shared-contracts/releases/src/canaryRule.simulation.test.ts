import { describe, expect, it } from '@jest/globals';
import { endOfCanary, falseEnds, randomNumbers } from './testing/simulateCanary.ts';

/** A remote with a required slot and four others, each on servers and in browsers, and two vitals. */
const MEASURES = { required: 2, optional: 10 };

const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? Infinity;

describe('the rule about canaries, by simulation', () => {
  // A long run of the same is `npm run proofs -- canaryRule`.
  it.each([
    { share: 0, weight: 0.05 },
    { share: 0.001, weight: 0.05 },
    { share: 0.01, weight: 0.05 },
    { share: 0.05, weight: 0.5 },
    { share: 0.2, weight: 0.1 },
  ])(
    'ends at most 1 % of the canaries within a day that fail as often as live, $share, at a weight of $weight',
    ({ share, weight }) => {
      const random = randomNumbers(3);
      const ended = falseEnds(random, { canaries: 200, share, weight, measures: MEASURES, perDay: 4_000 });
      expect(ended / 200).toBeLessThanOrEqual(0.01);
    },
  );

  it.each([
    { weight: 0.05, share: 0.05, within: 300 },
    { weight: 0.25, share: 0.05, within: 300 },
    { weight: 0.5, share: 0.05, within: 500 },
    { weight: 0.05, share: 0.2, within: 80 },
    { weight: 0.05, share: 0.02, within: 900 },
  ])(
    'ends 95 % of the canaries within $within renders whose required slot fails in $share of them, at a weight of $weight',
    ({ weight, share, within }) => {
      const random = randomNumbers(9);
      const ends = Array.from({ length: 200 }, () =>
        endOfCanary(random, {
          canary: share,
          live: 0.001,
          weight,
          measures: MEASURES,
          kind: 'required',
          limit: within,
        }),
      );
      expect(percentile(ends, 0.95)).toBeLessThanOrEqual(within);
    },
  );

  it('is not fooled by an outage that both releases have, also right after the share was raised', () => {
    const random = randomNumbers(5);
    const ends = Array.from({ length: 100 }, () =>
      endOfCanary(random, {
        canary: 0.0005,
        live: 0.0005,
        weight: 0.05,
        measures: MEASURES,
        kind: 'required',
        limit: 2_000,
        outage: { from: 500, share: 0.5, weight: 0.5 },
      }),
    );
    expect(ends.filter((end) => end < Infinity)).toEqual([]);
  });

  it('finds a canary that becomes worse after hours', () => {
    const random = randomNumbers(4);
    const ends = Array.from({ length: 100 }, () =>
      endOfCanary(random, {
        canary: 0.001,
        live: 0.001,
        weight: 0.1,
        measures: MEASURES,
        kind: 'required',
        limit: 12_000,
        worseFrom: { after: 10_000, share: 0.1 },
      }),
    );
    expect(percentile(ends, 0.95)).toBeLessThanOrEqual(10_600);
    expect(ends.filter((end) => end < 10_000)).toEqual([]);
  });
});
