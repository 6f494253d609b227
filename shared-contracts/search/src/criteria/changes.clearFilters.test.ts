import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { clearFilters } from '../criteria/changes.ts';
import { chipsOf, filterCount } from '../catalog/chips.ts';
import { encodeUrl } from '../url/encode.ts';
import { normalizeUrl } from '../url/normalizeUrl.ts';
import { testReference } from '../testing/builders.ts';
import type { SearchCriteria } from '../criteria/criteria.ts';
import { normalizeFilters } from '../criteria/filterValues.ts';
import { createLabels } from '../catalog/labels.ts';
const RUNS = { numRuns: 200 };
const labelOf = createLabels({ reference: testReference });

const some = (...values: string[]) => fc.subarray(values, { minLength: 1 });
/** A search that a shopper can make: any of the filters with a breadcrumb or a chip. */
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

function read(url: string) {
  const result = normalizeUrl(url, testReference);
  if (result.kind !== 'search') throw new Error(`${url}: ${result.reason}`);
  return result;
}

describe('Clear Filters on any search', () => {
  // rows: B4-CLEAR-01, B4-CLEAR-03
  it('leaves only a radius and the commercial experience after Clear Filters', () => {
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
