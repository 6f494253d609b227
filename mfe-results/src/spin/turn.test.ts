import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { loadingOrder, nearestLoaded, viewName } from './turn.ts';

const turns = fc
  .integer({ min: 2, max: 72 })
  .chain((count) => fc.record({ count: fc.constant(count), first: fc.integer({ min: 0, max: count - 1 }) }));

describe('loading order and views', () => {
  it('loads every picture once, the first one first', () => {
    fc.assert(
      fc.property(turns, ({ count, first }) => {
        const order = loadingOrder(count, first);
        expect(order[0]).toBe(first);
        expect([...order].sort((a, b) => a - b)).toEqual(Array.from({ length: count }, (_, index) => index));
      }),
    );
  });

  it('loads pictures all around before close neighbors', () => {
    expect(loadingOrder(24, 3).slice(0, 8)).toEqual([3, 15, 9, 21, 6, 12, 18, 0]);
  });

  it('falls back to the nearest loaded picture, across the end of the turn too', () => {
    expect(nearestLoaded(new Set(), 5, 24)).toBeUndefined();
    expect(nearestLoaded(new Set([3, 20]), 23, 24)).toBe(20);
    expect(nearestLoaded(new Set([3, 12]), 23, 24)).toBe(3);
    fc.assert(
      fc.property(
        turns,
        fc.uniqueArray(fc.integer({ min: 0, max: 71 }), { minLength: 1 }),
        ({ count, first }, indices) => {
          const loaded = new Set(indices.map((index) => index % count));
          const away = (index: number) =>
            Math.min((index - first + count) % count, (first - index + count) % count);
          const nearest = nearestLoaded(loaded, first, count);
          expect(away(nearest ?? NaN)).toBe(Math.min(...[...loaded].map(away)));
        },
      ),
    );
  });

  it('names each view', () => {
    expect([0, 45, 90, 180, 270, 345].map(viewName)).toEqual([
      'front',
      "front and driver's side",
      "driver's side",
      'rear',
      "passenger's side",
      'front',
    ]);
  });
});
