import { describe, expect, it } from '@jest/globals';
import { Tally } from './tally.ts';

const MINUTE = 60_000;
const tallyOf = () => new Tally(10 * MINUTE);

describe('tally', () => {
  it('counts outcomes of exactly its window ago, and none that are older', () => {
    const tally = tallyOf();
    tally.add(false, 0);
    expect(tally.health(10 * MINUTE)).toEqual({ good: 0, bad: 1 });
    expect(tally.health(10 * MINUTE + 1)).toEqual({ good: 0, bad: 0 });
  });

  it('forgets outcomes in slices of 30 seconds', () => {
    const tally = tallyOf();
    tally.add(false, 0);
    tally.add(false, 29_999);
    tally.add(false, 30_000);
    expect(tally.health(10 * MINUTE + 20_000)).toEqual({ good: 0, bad: 1 });
  });

  it('turns a success into a failure, also one that is older than the window', () => {
    const tally = tallyOf();
    tally.add(true, 0);
    tally.add(true, 0);
    tally.turn(0);
    expect(tally.health(0)).toEqual({ good: 1, bad: 1 });
    tally.turn(11 * MINUTE);
    expect(tally.health(11 * MINUTE)).toEqual({ good: 0, bad: 1 });
  });
});
