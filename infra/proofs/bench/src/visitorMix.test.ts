import { describe, expect, it } from '@jest/globals';
import { type Visit, visits } from './visitorMix.ts';

const DRAWN = 40_000;
const SEARCHES = 1_000;
const draw = (seed: number): Visit[] => {
  const next = visits(seed, SEARCHES);
  return Array.from({ length: DRAWN }, () => next());
};

describe('visits', () => {
  it('are the same for the same seed, and others for another one', () => {
    expect(draw(1)).toEqual(draw(1));
    expect(draw(2)).not.toEqual(draw(1));
  });

  it('are by crawlers in a fifth of the cases, and by signed-in visitors in a twentieth', () => {
    const all = draw(3);
    const share = (by: Visit['by']) => all.filter((visit) => visit.by === by).length / DRAWN;
    expect(share('crawler')).toBeCloseTo(0.2, 1);
    expect(share('member')).toBeCloseTo(0.05, 1);
  });

  it('open the most popular search twice as often as the second one, except those of crawlers', () => {
    const timesOf = (rank: number, by: Visit['by'], all: readonly Visit[]) =>
      all.filter((visit) => visit.by === by && visit.rank === rank).length;
    const all = draw(4);
    expect(timesOf(0, 'shopper', all) / timesOf(1, 'shopper', all)).toBeCloseTo(2, 0);
    expect(timesOf(0, 'crawler', all)).toBeLessThan(DRAWN / 1_000);
    expect(all.every(({ rank }) => Number.isInteger(rank) && rank >= 0 && rank < SEARCHES)).toBe(true);
  });
});
