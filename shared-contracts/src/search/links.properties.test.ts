import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { BRANDS, BRAND_CODES } from '../brands/brands.ts';
import { breadcrumbsOf, CRUMB_KEYS, type CrumbKey } from './breadcrumbs.ts';
import { clearFilters, removeChip } from './changes.ts';
import { chipsOf, filterCount } from './chips.ts';
import { encodeUrl } from './codec/encode.ts';
import { normalizeUrl } from './codec/normalize.ts';
import { testReference } from './codec/testReference.ts';
import type { FilterParam, SearchCriteria } from './criteria.ts';
import { normalizeFilters, withoutParams } from './filterValues.ts';
import { createLabels } from './labels.ts';
import { canonicalLinkOf, descriptionOf, headingOf, pageTitleOf } from './titles.ts';

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

const CRUMB_PARAMS: Partial<Record<CrumbKey, readonly FilterParam[]>> = {
  location: ['zip', 'searchRadius', 'state', 'city'],
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

describe('the crumbs of any search', () => {
  // rows: A2-CRUMB-01, A2-CRUMB-02
  it('stand in order, and each leads without a redirect to the search without all later ones', () => {
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

describe('the canonical link of any search', () => {
  it('asks for no redirect, and is its own canonical link', () => {
    fc.assert(
      fc.property(anyCriteria, (criteria) => {
        const link = canonicalLinkOf(criteria, testReference);
        const target = read(link);
        expect(target.needsRedirect).toBe(false);
        expect(canonicalLinkOf(target.criteria, testReference)).toBe(link);
        expect(link).not.toMatch(/utm_|firstRecord|sortBy|zip=/);
      }),
      RUNS,
    );
  });
});

describe('the chips of any search', () => {
  it('are each of them removed alone, except for models and trims whose make or model goes', () => {
    fc.assert(
      fc.property(anyCriteria, (criteria) => {
        const chips = chipsOf(criteria, { labelOf });
        for (const chip of chips) {
          const left = chipsOf(removeChip(criteria, chip, testReference), { labelOf }).map(({ key }) => key);
          expect(left).not.toContain(chip.key);
          const others = chips
            .filter(({ key, section }) => {
              if (key === chip.key) return false;
              const depends = { makeCode: ['modelCode', 'trimCode'], modelCode: ['trimCode'] }[chip.section];
              return !depends?.includes(section);
            })
            .map(({ key }) => key);
          expect(left).toEqual(expect.arrayContaining(others));
        }
      }),
      RUNS,
    );
  });

  it('are gone when all were removed one after the other, and with them every filter', () => {
    fc.assert(
      fc.property(anyCriteria, (criteria) => {
        let left = criteria;
        for (let chips = chipsOf(left, { labelOf }); chips[0]; chips = chipsOf(left, { labelOf }))
          left = removeChip(left, chips[0], testReference);
        expect(left.filters).toEqual({});
        expect(left).not.toHaveProperty('experience');
      }),
      RUNS,
    );
  });

  // rows: B4-CLEAR-01, B4-CLEAR-03
  it('are only a radius and the commercial experience after Clear Filters', () => {
    fc.assert(
      fc.property(anyCriteria, (criteria) => {
        const cleared = clearFilters(criteria);
        const { searchRadius } = criteria.filters;
        expect(cleared.filters).toEqual(searchRadius ? { searchRadius } : {});
        const isCommercial = criteria.experience === 'commercial';
        expect(filterCount(chipsOf(cleared, { labelOf }))).toBe(isCommercial ? 1 : 0);
        expect(cleared.sortBy).toBe(criteria.sortBy);
      }),
      RUNS,
    );
  });
});

describe('the words of any search', () => {
  it('are never empty, hold no loose ends, and begin the title in upper case', () => {
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
