import { decodeQuery, normalizeUrl } from '@forecourt/search/decode';
import { describe, expect, it } from '@jest/globals';
import { BRAND_CODES, BRANDS } from '@forecourt/search/brands';
import { createLabels } from '@forecourt/search/catalog';
import {
  type FilterParam,
  type SearchCriteria,
  normalizeFilters,
  withoutParams,
} from '@forecourt/search/criteria';
import type { SearchState } from '@forecourt/search/state';
import { testReference } from '@forecourt/search/testing';
import { encodeUrl } from '@forecourt/search/url';
import fc from 'fast-check';
import { breadcrumbsOf, CRUMB_KEYS } from '../breadcrumbs.ts';
import { canonicalLinkOf, descriptionOf, headingOf, pageTitleOf } from './pageTexts.ts';

const { atc, oem } = BRANDS;

const labelOf = createLabels({ reference: testReference });

const EVERYTHING =
  'city=Atlanta&state=GA&sellerType=p&listingType=USED&vehicleStyleCode=TRUCKS&makeCode=FORD&modelCode=F150' +
  '&trimCode=F150|XLT&startYear=2019&endYear=2019&maxPrice=20000&fuelTypeGroup=GSL&mpgRange=30-MPG' +
  '&electricMileRange=200';

describe('headings and titles', () => {
  const heading = (query: string, brand = atc) => headingOf(decodeQuery(query), { brand, labelOf });

  // rows: B2-HERO-02
  it('builds the h1 from condition, make, model, style and place', () => {
    expect(heading('')).toBe('Cars for Sale');
    expect(heading(EVERYTHING)).toBe('Used Ford F150 Trucks for Sale in Atlanta, GA');
    expect(heading('makeCode=FORD&modelCode=F150')).toBe('Ford F150 Cars for Sale');
    expect(heading('vehicleStyleCode=TRUCKS')).toBe('Trucks for Sale');
    expect(heading('vehicleStyleCode=SUVCROSS', oem)).toBe('SUVs for sale');
    expect(heading('vehicleStyleCode=TRUCKS,SEDAN')).toBe('Cars for Sale');
    expect(heading('makeCodeList=FORD,BMW&zip=30303')).toBe('Cars for Sale');
  });

  // rows: A6-BRAND-02
  it("uses 'near' for the manufacturer brand and 'in' for the others", () => {
    for (const brand of [atc, BRANDS.kbb])
      expect(heading('city=Atlanta&state=GA', brand)).toBe('Cars for Sale in Atlanta, GA');
    expect(heading('city=Atlanta&state=GA', oem)).toBe('Cars for sale near Atlanta, GA');
  });

  // rows: A1-CERT-02
  it('writes condition and vehicle words in lower case for the manufacturer brand', () => {
    expect(heading('listingType=USED&makeCode=FORD&vehicleStyleCode=TRUCKS', oem)).toBe(
      'Used Ford trucks for sale',
    );
    expect(heading('listingType=CERTIFIED,USED', oem)).toBe('Used and certified cars for sale');
    expect(heading('listingType=USED')).toBe('Used Cars for Sale');
  });

  it('puts year, trim and brand into the title and the count into the description', () => {
    const context = { brand: atc, labelOf };
    const criteria = decodeQuery(EVERYTHING);
    expect(pageTitleOf(criteria, context)).toBe(
      'Used 2019 Ford F150 XLT Trucks for Sale in Atlanta, GA - Under $20,000, Gasoline, 30+ MPG, ' +
        `Private Seller, 200+ Mile Range | ${atc.name}`,
    );
    expect(descriptionOf(criteria, { ...context, totalResultCount: 1234 })).toContain(
      'Browse 1,234 Used 2019 Ford F150 XLT trucks for sale in Atlanta, GA.',
    );
    expect(descriptionOf(criteria, { ...context, totalResultCount: 0 })).toContain('Browse Used 2019');
    expect(descriptionOf(criteria, { ...context, totalResultCount: 1 })).toContain('XLT truck for sale');
  });

  it('omits visitor location, sort order and arrival parameters from the canonical link', () => {
    const query =
      'makeCode=FORD&zip=30303&searchRadius=50&sortBy=yearASC&firstRecord=30&psid=1&utm_source=x&refUrl=/a' +
      '&expiredListing=1&numRecords=10';
    const secondPage = decodeQuery('makeCode=FORD&firstRecord=30&sortBy=yearASC');
    expect(canonicalLinkOf(secondPage, testReference)).toBe('/cars-for-sale/all/ford?firstRecord=30');
    expect(pageTitleOf(secondPage, { brand: atc, labelOf })).toBe(
      `Ford Cars for Sale - Page 2 | ${atc.name}`,
    );
    expect(canonicalLinkOf(decodeQuery(query), testReference)).toBe('/cars-for-sale/all/ford');
    expect(canonicalLinkOf(decodeQuery(''), testReference)).toBe('/cars-for-sale/all-cars');
  });
});

const RUNS = { numRuns: 200 };

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
