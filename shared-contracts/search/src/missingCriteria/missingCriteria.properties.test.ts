import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Listing } from '@forecourt/upstream/entities';
import { chipsOf } from '../catalog/chips.ts';
import type { FilterParam, FilterValues, SearchCriteria } from '../criteria/criteria.ts';
import { normalizeFilters } from '../criteria/filterValues.ts';
import { createLabels } from '../catalog/labels.ts';
import { emptySearch } from '../state/searchSlice.ts';
import { buildListing, buildOwner } from '@forecourt/upstream/testing';
import { missingCriteria } from './missingCriteria.ts';

const labelOf = createLabels({});
const owner = buildOwner({ homeServices: ['BUY_ONLINE'] });
const chipsFor = (filters: FilterValues) => {
  const criteria: SearchCriteria = { ...emptySearch.criteria, filters: normalizeFilters(filters) };
  return chipsOf(criteria, { labelOf });
};
const missing = (listing: Listing, filters: FilterValues) =>
  missingCriteria(listing, chipsFor(filters), owner);

const anyListing = fc
  .record({
    year: fc.integer({ min: 2010, max: 2026 }),
    makeCode: fc.constantFrom('FORD', 'BMW'),
    modelCode: fc.constantFrom('F150', 'BMW3'),
    listingType: fc.constantFrom('NEW' as const, 'USED' as const),
    fuelTypeGroup: fc.constantFrom('GSL', 'ELE'),
    exterior: fc.constantFrom('RED', 'BLUE', undefined),
    miles: fc.option(fc.nat(200_000), { nil: undefined }),
    mpg: fc.option(fc.integer({ min: 10, max: 60 }), { nil: undefined }),
    price: fc.option(fc.integer({ min: 1, max: 90_000 }), { nil: undefined }),
    features: fc.subarray(['1', '2', '3']),
  })
  .map(({ exterior, miles, mpg, price, ...rest }) =>
    buildListing({
      ...rest,
      color: { exteriorColorSimple: exterior },
      mileage: miles === undefined ? undefined : { value: miles },
      specifications: { mpg },
      mpgHighway: undefined,
      pricingDetail: { salePrice: price },
    }),
  );

const some = (...values: string[]) => fc.subarray(values, { minLength: 1 });
const anyFilters: fc.Arbitrary<FilterValues> = fc.record(
  {
    makeCode: some('FORD', 'BMW'),
    listingType: some('NEW', 'USED', 'CERTIFIED'),
    fuelTypeGroup: some('GSL', 'ELE', 'HYB'),
    extColorSimple: some('RED', 'BLUE', 'WHITE'),
    featureCode: some('1', '2', '4'),
    sellerType: some('p', 'd'),
    startYear: some('2015'),
    endYear: some('2020'),
    minPrice: some('10000'),
    maxPrice: some('40000'),
    mileage: some('75000'),
    mpgRange: some('20-MPG', '30-MPG'),
    zip: some('60601'),
    keyword: some('red'),
  },
  { requiredKeys: [] },
);

describe('property: missingCriteria', () => {
  // rows: B5-MISS-01
  it('returns chips of the search, each once and in order', () => {
    fc.assert(
      fc.property(anyListing, anyFilters, (listing, filters) => {
        const chips = chipsFor(filters);
        const values = chips.flatMap((chip) => chip.values.map((value) => `${chip.section} ${value}`));
        const positions = missing(listing, filters).flatMap((entry) =>
          entry.values.map((value) => values.indexOf(`${entry.section} ${value}`)),
        );
        expect(positions).not.toContain(-1);
        expect(positions).toEqual([...new Set(positions)].sort((left, right) => left - right));
      }),
    );
  });

  // rows: B5-MISS-01
  it('returns nothing for a search for the listing itself', () => {
    fc.assert(
      fc.property(anyListing, (listing) => {
        const { salePrice } = listing.pricingDetail;
        const own: FilterValues = {
          makeCode: [listing.makeCode],
          modelCode: [listing.modelCode],
          listingType: [listing.listingType],
          fuelTypeGroup: [listing.fuelTypeGroup],
          extColorSimple: [listing.color.exteriorColorSimple ?? []].flat(),
          featureCode: listing.features,
          sellerType: ['d'],
          startYear: [String(listing.year)],
          endYear: [String(listing.year)],
          ...(salePrice && { minPrice: [String(salePrice)], maxPrice: [String(salePrice)] }),
          ...(listing.mileage && { mileage: [String(listing.mileage.value)] }),
          ...(listing.specifications.mpg && { mpgRange: [`${listing.specifications.mpg}-MPG`] }),
        };
        expect(missing(listing, own)).toEqual([]);
      }),
    );
  });

  // rows: B5-MISS-06
  it('never returns more when a filter gets another value, except for features', () => {
    const wider: readonly (readonly [FilterParam, string])[] = [
      ['makeCode', 'BMW'],
      ['listingType', 'NEW'],
      ['fuelTypeGroup', 'ELE'],
      ['extColorSimple', 'BLUE'],
      ['mpgRange', '10-MPG'],
    ];
    const sections = (listing: Listing, filters: FilterValues) =>
      new Set(missing(listing, filters).map(({ section }) => section));
    fc.assert(
      fc.property(anyListing, anyFilters, fc.constantFrom(...wider), (listing, filters, [param, value]) => {
        const values = filters[param];
        fc.pre(values !== undefined);
        const before = sections(listing, filters);
        for (const section of sections(listing, { ...filters, [param]: [...(values ?? []), value] }))
          expect(before).toContain(section);
      }),
    );
  });

  // rows: B5-MISS-02, B5-MISS-03, B5-MISS-04, B5-MISS-05
  it('compares the bounds of a range exactly, and treats unknown numbers as met', () => {
    fc.assert(
      fc.property(anyListing, anyFilters, (listing, filters) => {
        const failedSections = missing(listing, filters).map(({ section }) => section);
        const { salePrice } = listing.pricingDetail;
        const isOutsideRange = (value: number | undefined, min?: string, max?: string) =>
          value !== undefined && ((!!min && value < Number(min)) || (!!max && value > Number(max)));
        expect(failedSections.includes('yearRange')).toBe(
          isOutsideRange(listing.year, filters.startYear?.[0], filters.endYear?.[0]),
        );
        expect(failedSections.includes('priceRange')).toBe(
          isOutsideRange(salePrice, filters.minPrice?.[0], filters.maxPrice?.[0]),
        );
        expect(failedSections.includes('mileage')).toBe(
          isOutsideRange(listing.mileage?.value, undefined, filters.mileage?.[0]),
        );
        const lowestMpg = filters.mpgRange && Math.min(...filters.mpgRange.map((code) => parseInt(code, 10)));
        expect(failedSections.includes('mpgRange')).toBe(
          isOutsideRange(listing.specifications.mpg, lowestMpg === undefined ? undefined : String(lowestMpg)),
        );
      }),
    );
  });
});
