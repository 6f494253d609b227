import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { normalizeUrl } from './normalizeUrl.ts';
import { EMPTY_SLUG_REFERENCE } from '../criteria/slugs.ts';
import { FILTER_PARAMS, type FilterParam } from '../criteria/criteria.ts';
import { normalizeFilters } from '../criteria/filterValues.ts';
import { emptySearch } from '../state/searchSlice.ts';
import { encodeStoredSearch, storedSearchUrl } from './storedSearch.ts';

describe('a stored search', () => {
  it('restores a stored search at its first page', () => {
    const criteria = {
      ...emptySearch.criteria,
      filters: { makeCode: ['FORD', 'BMW'], zip: ['60601'], maxPrice: ['20000'], fuelTypeGroup: ['ELE'] },
      sortBy: 'derivedpriceASC' as const,
      experience: 'commercial' as const,
      firstRecord: 60,
    };
    const url = storedSearchUrl(encodeStoredSearch(criteria)) ?? '';
    expect(normalizeUrl(url, EMPTY_SLUG_REFERENCE)).toMatchObject({
      kind: 'search',
      criteria: { ...criteria, filters: { ...criteria.filters, makeCode: ['FORD', 'BMW'] }, firstRecord: 0 },
    });
  });

  // rows: A3-BOOKMARK-03
  it('keeps any filters of a stored search', () => {
    const values = fc.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }), {
      minLength: 1,
      maxLength: 3,
    });
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom<FilterParam>(...FILTER_PARAMS), values), (rawFilters) => {
        const { trimCode: _, ...filters } = normalizeFilters(rawFilters);
        const stored = encodeStoredSearch({ ...emptySearch.criteria, filters });
        const url = storedSearchUrl(stored) ?? '';
        expect(normalizeUrl(url, EMPTY_SLUG_REFERENCE)).toMatchObject({ criteria: { filters } });
      }),
      { numRuns: 1_000 },
    );
  });

  // rows: A3-BOOKMARK-03
  it('encodes a search as JSON by parameter name', () => {
    const stored = encodeStoredSearch({ ...emptySearch.criteria, filters: { makeCode: ['FORD'] } });
    expect(JSON.parse(decodeURIComponent(stored))).toEqual({ makeCode: 'FORD', sortBy: 'relevance' });
  });

  it.each(['relevance', 'mileageASC'] as const)('keeps the sort %s', (sortBy) => {
    const url = storedSearchUrl(encodeStoredSearch({ ...emptySearch.criteria, sortBy })) ?? '';
    expect(normalizeUrl(url, EMPTY_SLUG_REFERENCE)).toMatchObject({ criteria: { sortBy } });
  });

  it.each([{}, { sortBy: 'bogus' }, { sortBy: ['yearASC'] }])(
    'uses the highest price first when an old stored search has no valid sort: %j',
    (search) => {
      expect(storedSearchUrl(JSON.stringify(search))).toBe('/cars-for-sale/all-cars?sortBy=derivedpriceDESC');
    },
  );

  it('ignores parameters other than those of a search', () => {
    const search = {
      makeCodeList: 'FORD,BMW',
      bookmarkId: 'b1',
      searchBookmarkId: 'b2',
      psid: 'mfr-tv',
      refUrl: '/x',
      defaultScreen: 'signup',
      firstRecord: '60',
      utm_source: 'mail',
      sortBy: 'yearASC',
      experience: 'commercial',
    };
    expect(storedSearchUrl(JSON.stringify(search))).toBe(
      '/cars-for-sale/all-cars?makeCodeList=FORD,BMW&experience=commercial&sortBy=yearASC',
    );
  });

  it('returns undefined for invalid text, and never throws', () => {
    for (const text of ['', '%', 'null', '[]', '"x"', '/cars-for-sale/all', '{']) {
      expect(storedSearchUrl(text)).toBeUndefined();
    }
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json().map(encodeURIComponent)), (text) => {
        const url = storedSearchUrl(text);
        if (url !== undefined) expect(url).toMatch(/^\/cars-for-sale\/all-cars(\?|$)/);
      }),
    );
  });
});
