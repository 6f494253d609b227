/** @jest-environment jest-fixed-jsdom */
import { afterEach, beforeEach, expect, it, jest, describe } from '@jest/globals';
import { act, renderHook } from '@testing-library/react';
import { useDimming, partialPageItems, nextSlice, type GridContent } from './useGrid.ts';
import fc from 'fast-check';
import { buildListing } from '@forecourt/search/testing';
import { gridItems } from './gridItems.ts';
import { keyOf, tileCount } from './tiles.ts';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

it('dims stale results only when the response is late', () => {
  const { result, rerender } = renderHook((isStale: boolean) => useDimming(isStale), { initialProps: true });
  expect(result.current).toBe(false);
  act(() => jest.advanceTimersByTime(100));
  expect(result.current).toBe(true);
  rerender(false);
  expect(result.current).toBe(false);
  rerender(true);
  act(() => jest.advanceTimersByTime(50));
  rerender(false);
  act(() => jest.advanceTimersByTime(500));
  expect(result.current).toBe(false);
});

const ALL = Array.from({ length: 200 }, (_, at) => buildListing({ id: `l${at}` }));

/** Content of the grid for pages of these sizes. */
function content(pageSizes: readonly number[], hasAds = true): GridContent {
  const listings = ALL.slice(
    0,
    pageSizes.reduce((sum, size) => sum + size, 0),
  );
  const items = gridItems({
    listings,
    pageSizes,
    spotlights: [],
    boost: [],
    vehicleHighlight: null,
    totalResultCount: 500,
    sortBy: 'relevance',
    features: { hasAds, hasWallet: true },
  });
  return { items, owners: {}, first: listings[0], pageCount: pageSizes.length };
}

/** All contents shown on the way. */
function steps(from: GridContent, to: GridContent): GridContent[] {
  const shown: GridContent[] = [];
  for (let at = from; at !== to; shown.push(at)) at = nextSlice(at, to);
  return shown;
}

/** Tiles of a slice, and after how many one is complete, however full it was. */
const SLICE = 6;
const NEAR = 2 * SLICE;

const anySizes = fc.array(fc.integer({ min: 1, max: 35 }), { minLength: 1, maxLength: 4 });

describe('nextSlice', () => {
  it('appends one tile at a time near the screen, then in slices', () => {
    const partialCounts = steps(content([30]), content([30, 30])).map(partialPageItems);
    expect(partialCounts.slice(0, 6)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(partialCounts.at(-1)).toBe(0);
    const partialContents = steps(content([30]), content([30, 30])).slice(6, -1);
    for (const { items } of partialContents.filter((shown) => partialPageItems(shown) > NEAR))
      expect(tileCount(items) % SLICE).toBe(0);
  });

  it('moves no shown tile and ends with all of them', () => {
    fc.assert(
      fc.property(anySizes, fc.integer({ min: 1, max: 35 }), fc.boolean(), (sizes, nextSize, hasAds) => {
        const to = content([...sizes, nextSize], hasAds);
        const keys = to.items.map(keyOf);
        let length = 0;
        for (const { items } of steps(content(sizes, hasAds), to)) {
          expect(items.map(keyOf)).toEqual(keys.slice(0, items.length));
          expect(items.length).toBeGreaterThan(length);
          ({ length } = items);
        }
        expect(length).toBe(keys.length);
      }),
    );
  });

  it('shows another response, or a changed tile, at once', () => {
    const shown = content([30]);
    const other = { ...content([30, 30]), first: buildListing({ id: 'other' }) };
    expect(nextSlice(shown, other)).toBe(other);
    const changedContent = content([30, 30], false);
    expect(nextSlice(content([20], true), changedContent)).toBe(changedContent);
    const owners = { ...shown, owners: { d1: undefined as never } };
    expect(nextSlice(shown, owners)).toBe(owners);
  });
});
