import { decodeQuery, decodeUrl, normalizeUrl } from '@forecourt/search/decode';
import { createLabels, chipsOf } from '@forecourt/search/catalog';
import {
  clearFilters,
  addFilters,
  leaveSponsorship,
  selectCategory,
  type SearchCriteria,
  type FilterValues,
  normalizeFilters,
} from '@forecourt/search/criteria';
import { testReference } from '@forecourt/search/testing';
import { encodeUrl } from '@forecourt/search/url';
import {
  removeChip,
  toggleValue,
  setLocation,
  setValues,
  setRange,
  replaceFilters,
  undoLabel,
  undoMessage,
} from './criteriaChanges.ts';
import { describe, it, expect } from '@jest/globals';
import fc from 'fast-check';
import { buildFilters } from '../testing/builders.ts';
import { buildCriteria } from '../testing/mountSearchSlot.ts';

const labelOf = createLabels({ reference: testReference });

const chipNamed = (query: string, key: string) => {
  const criteria = decodeQuery(query);
  const chip = chipsOf(criteria, { labelOf }).find((entry) => entry.key === key);
  if (!chip) throw new Error(`No chip ${key}`);
  return removeChip(criteria, chip, testReference);
};

describe('search edits', () => {
  // rows: B4-PANEL-07, B4-LOC-03
  it('starts again at the first page after any change', () => {
    const page3 = decodeQuery('firstRecord=60&makeCode=FORD');
    expect(page3.firstRecord).toBe(60);
    expect(toggleValue(page3, 'extColorSimple', 'RED').firstRecord).toBe(0);
    expect(setLocation(page3, { zip: '30303' }).firstRecord).toBe(0);
    expect(clearFilters(page3).firstRecord).toBe(0);
  });

  it('toggles a value in the normal form of the URL', () => {
    const one = toggleValue(decodeQuery('extColorSimple=RED'), 'extColorSimple', 'BLUE');
    expect(one.filters.extColorSimple).toEqual(['BLUE', 'RED']);
    expect(toggleValue(one, 'extColorSimple', 'RED').filters.extColorSimple).toEqual(['BLUE']);
    expect(setValues(one, 'extColorSimple', []).filters).toEqual({});
  });

  // rows: A3-FILTER-07, A3-FILTER-10
  it('sets a range, which is open where a bound is missing', () => {
    expect(setRange(decodeQuery(''), 'yearRange', { min: 2018, max: 2020 }).filters).toEqual({
      startYear: ['2018'],
      endYear: ['2020'],
    });
    expect(
      setRange(decodeQuery('minPrice=10000&maxPrice=20000'), 'priceRange', { max: 15000 }).filters,
    ).toEqual({ maxPrice: ['15000'] });
  });

  it('removes models and trims together with their make', () => {
    const both = decodeQuery('makeCodeList=FORD,BMW&modelCodeList=F150,BMW3&trimCode=F150|XLT&packages=X');
    expect(toggleValue(both, 'makeCode', 'FORD', testReference).filters).toEqual({
      makeCode: ['BMW'],
      modelCode: ['BMW3'],
    });
    expect(setValues(both, 'makeCode', [], testReference).filters).toEqual({});
  });

  // rows: A5-RULE-11
  it('assigns an unknown model to the first make', () => {
    const both = decodeQuery('makeCodeList=FORD,BMW&modelCode=SECRET');
    expect(toggleValue(both, 'makeCode', 'BMW', testReference).filters.modelCode).toEqual(['SECRET']);
    expect(toggleValue(both, 'makeCode', 'FORD', testReference).filters.modelCode).toBeUndefined();
  });

  it('keeps a model that another selected make has too', () => {
    const both = decodeQuery('makeCodeList=FORD,MERC&modelCode=ESCAPE');
    expect(toggleValue(both, 'makeCode', 'FORD', testReference).filters.modelCode).toEqual(['ESCAPE']);
  });

  // rows: B4-LOC-02
  it('replaces the place and applies the radius', () => {
    const before = decodeQuery('city=Atlanta&state=GA&makeCode=FORD');
    expect(setLocation(before, { zip: '30303', searchRadius: 50 }).filters).toEqual({
      makeCode: ['FORD'],
      zip: ['30303'],
      searchRadius: ['50'],
    });
    expect(setLocation(before, { zip: 'nope' }).filters).toEqual({ makeCode: ['FORD'] });
  });
});

describe('category of an edited search', () => {
  it('ends the category when another value of its filter is added', () => {
    const wider = toggleValue(decodeQuery('categorySearch=certified'), 'listingType', 'NEW');
    expect(wider.filters.listingType).toEqual(['CERTIFIED', 'NEW']);
    expect(wider).not.toHaveProperty('categorySearch');
  });

  // rows: B4-CAT-04
  it('ends the category when the chip of its value is removed', () => {
    expect(chipNamed('categorySearch=by-owner', 'sellerType:p')).not.toHaveProperty('categorySearch');
    expect(chipNamed('categorySearch=by-owner&makeCode=FORD', 'makeCode:FORD').categorySearch).toBe(
      'by-owner',
    );
  });
});

// rows: B8-ERR-11
it('treats a make that is not a list as a list of one', () => {
  const broken = { ...decodeQuery('modelCode=F150'), filters: { makeCode: 'FORD', modelCode: ['F150'] } };
  const criteria = broken as unknown as ReturnType<typeof decodeQuery>;
  const [ford] = chipsOf(criteria, { labelOf: (_, value) => value });
  expect(ford?.label).toBe('FORD');
  const filtersOf = (next: ReturnType<typeof decodeQuery>) => next.filters;
  expect(filtersOf(toggleValue(criteria, 'makeCode', 'BMW', testReference)).makeCode).toEqual([
    'FORD',
    'BMW',
  ]);
  expect(filtersOf(toggleValue(criteria, 'extColorSimple', 'RED', testReference)).makeCode).toEqual(['FORD']);
  expect(filtersOf(addFilters(criteria, { makeCode: ['BMW'] })).makeCode).toEqual(['FORD', 'BMW']);
  expect(filtersOf(removeChip(criteria, ford!, testReference))).toEqual({});
});

describe('removing a chip', () => {
  it('removes one value, a whole range, the place or the experience with a chip', () => {
    expect(chipNamed('extColorSimple=RED,BLUE', 'extColorSimple:RED').filters).toEqual({
      extColorSimple: ['BLUE'],
    });
    expect(chipNamed('minPrice=1&maxPrice=5', 'priceRange').filters).toEqual({});
    expect(chipNamed('zip=30303&searchRadius=50', 'location').filters).toEqual({});
    expect(chipNamed('experience=commercial', 'experience')).not.toHaveProperty('experience');
  });

  it('removes the sponsor and its parameters with the sponsorship chip', () => {
    const query = 'isSponsorship=true&showcaseOwnerId=5&psid=X&siomid=Y&makeCode=FORD';
    const withoutSponsor = chipNamed(query, 'sponsorship');
    for (const name of ['isSponsorship', 'showcaseOwnerId', 'psid', 'siomid'])
      expect(withoutSponsor).not.toHaveProperty(name);
    expect(withoutSponsor.filters).toEqual({ makeCode: ['FORD'] });
    expect(leaveSponsorship(decodeQuery(query))).toEqual(withoutSponsor);
  });
});

describe('keywords', () => {
  // rows: B4-KEY-03
  it('replaces all filters but the place with a keyword, keeps the order and starts at the first page', () => {
    const before = decodeQuery(
      'makeCode=FORD&zip=60601&searchRadius=25&categorySearch=certified&firstRecord=30&sortBy=yearASC',
    );
    const replaced = replaceFilters(before, { fuelTypeGroup: ['ELE'], listingType: ['CERTIFIED'] });
    expect(replaced).toMatchObject({ firstRecord: 0, sortBy: 'yearASC' });
    expect(replaced.filters).toEqual({
      zip: ['60601'],
      searchRadius: ['25'],
      fuelTypeGroup: ['ELE'],
      listingType: ['CERTIFIED'],
    });
    expect(replaced).not.toHaveProperty('categorySearch');
    expect(replaceFilters(before, {}, 'derivedpriceASC').sortBy).toBe('derivedpriceASC');
  });

  it.each([
    ['a city', { city: ['Austin'], state: ['TX'] }, { city: ['Austin'], state: ['TX'] }],
    ['a ZIP', { zip: ['78701'] }, { zip: ['78701'] }],
    ['no end', { searchRadius: ['0'] }, { zip: ['60601'], searchRadius: ['0'] }],
  ])('leaves the place of the search when the words name %s', (_, words, place) => {
    const before = decodeQuery('zip=60601&searchRadius=25&area=29~-98~30~-97');
    expect(replaceFilters(before, { ...words, makeCode: ['FORD'] }).filters).toEqual({
      ...place,
      makeCode: ['FORD'],
    });
  });

  // rows: B4-KEY-03
  it('searches for a keyword beyond the sponsor and the best deals, but within commercial vehicles', () => {
    const searchFor = (query: string) => replaceFilters(decodeQuery(query), { keyword: ['toyota'] });
    const everywhere = searchFor('');
    expect(searchFor('isSponsorship=true&showcaseOwnerId=5&psid=X&siomid=Y')).toEqual(everywhere);
    expect(searchFor('experience=best-deals')).toEqual(everywhere);
    expect(searchFor('experience=commercial')).toEqual({ ...everywhere, experience: 'commercial' });
  });
});

it('leaves every edit in a form that its URL decodes to', () => {
  const start = 'makeCodeList=FORD,BMW&modelCode=F150&trimCode=F150|XLT&zip=30303&categorySearch=by-owner';
  const change = fc.oneof(
    fc
      .tuple(
        fc.constantFrom('makeCode', 'modelCode', 'sellerType', 'listingType', 'extColorSimple' as const),
        fc.constantFrom('FORD', 'BMW', 'F150', 'BMW3', 'p', 'd', 'NEW', 'CERTIFIED', 'RED'),
      )
      .map(
        ([param, value]) =>
          (criteria: ReturnType<typeof decodeQuery>) =>
            toggleValue(criteria, param as 'makeCode', value, testReference),
      ),
    fc
      .constantFrom<SearchCriteria['categorySearch']>(
        'best-deals',
        'buy-online',
        'by-owner',
        'certified',
        undefined,
      )
      .map((category) => (criteria: ReturnType<typeof decodeQuery>) => selectCategory(criteria, category)),
    fc.constant((criteria: ReturnType<typeof decodeQuery>) => clearFilters(criteria)),
  );
  fc.assert(
    fc.property(fc.array(change, { maxLength: 8 }), (steps) => {
      const criteria = steps.reduce((current, step) => step(current), decodeQuery(start));
      const [path = '', query = ''] = encodeUrl(criteria, testReference).split('?');
      expect(decodeUrl(path, query, testReference)).toEqual({ kind: 'search', criteria });
    }),
    { numRuns: 2000 },
  );
});

const search = (filters: FilterValues) => buildCriteria({ filters });

const fords = search({ makeCode: ['FORD'], modelCode: ['F150'], minPrice: ['9000'] });

describe('undo message', () => {
  const labelOf = createLabels({ filters: buildFilters() });

  it.each([
    ['a chip', toggleValue(fords, 'modelCode', 'F150'), 'chip:modelCode:F150', 'F150 removed.'],
    ['all filters', clearFilters(fords), 'clearFilters', 'Filters cleared.'],
    ['a make with its model', setValues(fords, 'makeCode', []), 'filter:makeCode', '2 filters removed.'],
    ['a replaced bound', setRange(fords, 'priceRange', { min: 5000 }), 'filter:priceRange', 'Price changed.'],
  ])('has an undo message for %s', (_, after, cause, message) => {
    expect(undoMessage(fords, after, cause, labelOf)).toBe(message);
  });

  it.each([
    [{ city: ['Austin'], state: ['TX'] }, 'Now searching near Austin, TX.', 'Stay near 60601'],
    [{}, 'Now searching the whole country.', 'Stay near 60601'],
    [{ zip: ['60601'], searchRadius: ['0'] }, 'Now searching the whole country.', 'Undo'],
    [{ zip: ['60601'], searchRadius: ['50'] }, 'Now searching within 50 miles.', 'Undo'],
  ])('says where a search around %j looks now', (place, message, label) => {
    const before = search({ zip: ['60601'], ...('searchRadius' in place && { searchRadius: ['25'] }) });
    const after = search(place);
    expect([undoMessage(before, after, 'location', labelOf), undoLabel(before, after)]).toEqual([
      message,
      label,
    ]);
  });

  it('says that a replaced map area has changed, not that it is gone', () => {
    const near = search({ area: ['41.5~-88.2~42.1~-87.3'] });
    const moved = search({ area: ['40.5~-88.2~41.1~-87.3'] });
    expect(undoMessage(near, moved, 'map', labelOf)).toBe('Map area changed.');
    expect(undoMessage(near, search({}), 'chip:area', labelOf)).toBe('Map area removed.');
  });

  it.each([
    ['an added filter', addFilters(fords, { doorCode: ['4'] }), 'suggestion'],
    ['a checkbox that is clicked again', toggleValue(fords, 'modelCode', 'F150'), 'filter:modelCode'],
    ['another order', { ...fords, sortBy: 'yearDESC' as const }, 'sort'],
    ['an undo', clearFilters(fords), 'undo'],
  ])('has no undo message for %s', (_, after, cause) => {
    expect(undoMessage(fords, after, cause, labelOf)).toBeUndefined();
  });
});

const RUNS = { numRuns: 200 };

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
        // Without a place, a radius has no effect and no chip.
        const { searchRadius: _, ...others } = remaining.filters;
        expect(others).toEqual({});
        expect(remaining).not.toHaveProperty('experience');
      }),
      RUNS,
    );
  });
});
