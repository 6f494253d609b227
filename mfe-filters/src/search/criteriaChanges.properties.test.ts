import { createLabels, chipsOf } from '@forecourt/shared-contracts/catalog';
import { type SearchCriteria, normalizeFilters } from '@forecourt/shared-contracts/criteria';
import { encodeUrl, normalizeUrl } from '@forecourt/shared-contracts/url';
import { testReference } from '@forecourt/shared-contracts/testing';
import fc from 'fast-check';
import { describe, it, expect } from '@jest/globals';
import { removeChip } from './criteriaChanges.ts';

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

describe('property: chips', () => {
  it('removes one chip and nothing else, except models and trims whose make or model goes', () => {
    fc.assert(
      fc.property(anyCriteria, (criteria) => {
        const chips = chipsOf(criteria, { labelOf });
        for (const chip of chips) {
          const remainingKeys = chipsOf(removeChip(criteria, chip, testReference), { labelOf }).map(
            ({ key }) => key,
          );
          expect(remainingKeys).not.toContain(chip.key);
          const otherKeys = chips
            .filter(({ key, section }) => {
              if (key === chip.key) return false;
              const depends = { makeCode: ['modelCode', 'trimCode'], modelCode: ['trimCode'] }[chip.section];
              return !depends?.includes(section);
            })
            .map(({ key }) => key);
          expect(remainingKeys).toEqual(expect.arrayContaining(otherKeys));
        }
      }),
      RUNS,
    );
  });

  it('removes every filter when all chips are removed one after the other', () => {
    fc.assert(
      fc.property(anyCriteria, (criteria) => {
        let remaining = criteria;
        for (let chips = chipsOf(remaining, { labelOf }); chips[0]; chips = chipsOf(remaining, { labelOf }))
          remaining = removeChip(remaining, chips[0], testReference);
        expect(remaining.filters).toEqual({});
        expect(remaining).not.toHaveProperty('experience');
      }),
      RUNS,
    );
  });
});
