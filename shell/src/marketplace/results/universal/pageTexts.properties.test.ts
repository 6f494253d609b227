import { BRAND_CODES, BRANDS } from '@forecourt/search/brands';
import { createLabels } from '@forecourt/search/catalog';
import {
  type SearchCriteria,
  normalizeFilters,
  type FilterParam,
  withoutParams,
} from '@forecourt/search/criteria';
import type { SearchState } from '@forecourt/search/state';
import { testReference } from '@forecourt/search/testing';
import { encodeUrl, normalizeUrl } from '@forecourt/search/url';
import fc from 'fast-check';
import { describe, it, expect } from '@jest/globals';
import { breadcrumbsOf, CRUMB_KEYS } from '../breadcrumbs.ts';
import { canonicalLinkOf, headingOf, pageTitleOf, descriptionOf } from './pageTexts.ts';

const RUNS = { numRuns: 200 };

const labelOf = createLabels({ reference: testReference });

const some = (...values: string[]) => fc.subarray(values, { minLength: 1 });

/** A search as a shopper makes it: any of the filters which have a crumb or a chip. */
const anyCriteria: fc.Arbitrary<SearchCriteria> = fc
  .record(
    {
      zip: some('30303'),
      searchRadius: some('50'),
      sellerType: some('p', 'd'),
      listingType: some('NEW', 'USED', '3P_CERT'),
      vehicleStyleCode: some('TRUCKS', 'VANMV', 'VANS'),
      makeCode: some('FORD', 'BMW'),
      modelCode: some('F150', 'BMW3'),
      trimCode: some('F150|XLT', 'F150|XL'),
      startYear: some('2019'),
      endYear: fc.constantFrom(['2019'], ['2022']),
      minPrice: some('10000'),
      maxPrice: some('20000'),
      fuelTypeGroup: some('ELE', 'GSL'),
      mpgRange: some('30-MPG', '40-MPG'),
      electricMileRange: some('200'),
      extColorSimple: some('RED', 'BLUE'),
      keyword: some('tow package'),
      marketExtension: some('include'),
      area: some('33.2~-84.9~34.1~-83.7'),
    },
    { requiredKeys: [] },
  )
  .chain((values) =>
    fc.record({
      filters: fc.constant(normalizeFilters(values)),
      sortBy: fc.constantFrom('relevance' as const, 'yearASC' as const),
      firstRecord: fc.constantFrom(0, 60),
      numRecords: fc.constant(30),
      experience: fc.constantFrom(undefined, 'commercial' as const, 'best-deals' as const),
      isSponsorship: fc.constantFrom(undefined, true),
      unknown: fc.constantFrom([], [['utm_source', 'x'] as const]),
    }),
  )
  .map(({ experience, isSponsorship, ...rest }) => ({
    ...rest,
    ...(experience && { experience }),
    ...(isSponsorship && { isSponsorship }),
  }))
  // As the page holds it: what no URL says does not occur.
  .map((criteria) => read(encodeUrl(criteria, testReference)).criteria);

const brands = fc.constantFrom(...BRAND_CODES.map((code) => BRANDS[code]));

function read(url: string) {
  const result = normalizeUrl(url, testReference);
  if (result.kind !== 'search') throw new Error(`${url}: ${result.reason}`);
  return result;
}

const CRUMB_PARAMS: Partial<Record<SearchState['breadcrumbs'][number]['key'], readonly FilterParam[]>> = {
  location: ['zip', 'searchRadius', 'state', 'city', 'area'],
  owner: ['sellerType'],
  condition: ['listingType'],
  style: ['vehicleStyleCode'],
  make: ['makeCode'],
  model: ['modelCode'],
  trim: ['trimCode'],
  year: ['startYear', 'endYear'],
  price: ['minPrice', 'maxPrice'],
  fuelType: ['fuelTypeGroup'],
  mpg: ['mpgRange'],
  electricRange: ['electricMileRange'],
};

describe('breadcrumbs of any search', () => {
  // rows: A2-CRUMB-01, A2-CRUMB-02
  it('keeps the order and links to the search without later parameters, without a redirect', () => {
    fc.assert(
      fc.property(anyCriteria, brands, (criteria, brand) => {
        const trail = breadcrumbsOf(criteria, { brand, reference: testReference, labelOf });
        const order = trail.map(({ key }) => CRUMB_KEYS.indexOf(key));
        expect(order).toEqual([...order].sort((left, right) => left - right));
        for (const { key, href } of trail.slice(2)) {
          const { needsRedirect, criteria: target } = read(href);
          expect(needsRedirect).toBe(false);
          const later = CRUMB_KEYS.slice(CRUMB_KEYS.indexOf(key) + 1).flatMap(
            (other) => CRUMB_PARAMS[other] ?? [],
          );
          expect(target).toEqual({
            ...criteria,
            filters: withoutParams(criteria.filters, later),
            firstRecord: 0,
          });
        }
      }),
      RUNS,
    );
  });
});

describe('canonical link of any search', () => {
  it('needs no redirect and is its own canonical link', () => {
    fc.assert(
      fc.property(anyCriteria, (criteria) => {
        const link = canonicalLinkOf(criteria, testReference);
        const target = read(link);
        expect(target.needsRedirect).toBe(false);
        expect(canonicalLinkOf(target.criteria, testReference)).toBe(link);
        expect(link).not.toMatch(/utm_|sortBy|zip=/);
        expect(target.criteria.firstRecord).toBe(criteria.firstRecord);
      }),
      RUNS,
    );
  });
});

describe('texts of any search', () => {
  it('are never empty, contain no stray separators and start the title in upper case', () => {
    fc.assert(
      fc.property(anyCriteria, brands, (criteria, brand) => {
        const context = { brand, labelOf, place: { city: 'Atlanta', state: 'GA' } };
        const texts = [
          headingOf(criteria, context),
          pageTitleOf(criteria, context),
          descriptionOf(criteria, { ...context, totalResultCount: 12 }),
        ];
        for (const text of texts) {
          expect(text.length).toBeGreaterThan(10);
          expect(text).not.toMatch(/undefined|null|\[object| {2}|^ | $/);
        }
        expect(texts[1]).toMatch(/^[A-Z0-9]/);
      }),
      RUNS,
    );
  });
});
