import { describe, expect, it } from '@jest/globals';
import { FigureSamples } from './figureSamples.ts';

const WINDOW_MS = 600_000;

describe('FigureSamples', () => {
  it('tells the 75th percentile of each figure and from how many views', () => {
    const samples = new FigureSamples(WINDOW_MS);
    for (const value of [400, 100, 200, 300]) samples.add({ inpMs: value }, 0);
    samples.add({ elements: 12 }, 0);
    expect(samples.summary(0)).toEqual({ inpMs: { p75: 300, views: 4 }, elements: { p75: 12, views: 1 } });
  });

  it('tells nothing of what was reported before the window', () => {
    const samples = new FigureSamples(WINDOW_MS);
    samples.add({ inpMs: 100, elements: 12 }, 0);
    samples.add({ elements: 20 }, WINDOW_MS);
    expect(samples.summary(WINDOW_MS + 1)).toEqual({ elements: { p75: 20, views: 1 } });
    expect(samples.summary(3 * WINDOW_MS)).toBeUndefined();
  });

  it('keeps the newest hundred values', () => {
    const samples = new FigureSamples(WINDOW_MS);
    for (let number = 0; number < 150; number += 1) samples.add({ elements: number < 100 ? 9_000 : 1 }, 0);
    for (let number = 0; number < 50; number += 1) samples.add({ elements: 1 }, 0);
    expect(samples.summary(0)).toEqual({ elements: { p75: 1, views: 100 } });
  });
});
