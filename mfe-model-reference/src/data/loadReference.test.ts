import { decodeQuery } from '@forecourt/search/decode';
import { describe, expect, it, jest } from '@jest/globals';
import { type FilterValues, singleYear } from '@forecourt/search/criteria';
import { type RootState, marketplaceState } from '@forecourt/search/state';
import { renderSlot } from '@forecourt/slots/server';
import { CALLS, type CallParams } from '@forecourt/upstream/calls';
import {
  compareTrimYears,
  type ReferenceData,
  toGreatPriceCountQuery,
  shouldLoadRatings,
} from './loadReference.ts';
import { F150, sampleData, stateOf, trim, year } from '../testing/sampleData.ts';
import modelReference from '../slots/model-reference.tsx';

const years = [year('2021', 33_000), year('2022', 38_500)];
const trimLinks = [{ value: 'F150|XLT', label: 'XLT', link: '/x', count: 3, avgPrice: 30_000 }];
const spread = {
  count: 30,
  mileageMin: 10,
  mileageMax: 90_000,
  mileageMean: 40_000,
  mileagePerYearMean: 11_000,
  minYear: 2015,
  maxYear: 2025,
};

type CallResponse = (params: CallParams) => unknown;
const RESPONSES: Readonly<Record<string, CallResponse>> = {
  modelYears: () => ({ links: years }),
  newModelYears: () => ({ links: [] }),
  trims: () => ({ links: [] }),
  newTrims: () => ({ links: [] }),
  count: ({ dealType }) => ({ totalResultCount: dealType === 'greatprice' ? 7 : 9 }),
  mileageStats: () => ({
    stats: spread,
    allCars: { ...spread, mileageMean: 50_000, mileageMax: 95_000 },
    facetStats: [{ name: '2020', count: 30, mileageMin: 10, mileageMax: 80_000, mileageMean: 30_000 }],
  }),
  modelInfo: () => ({ models: [sampleData.modelInfo] }),
  referenceVehicles: ({ yearId }) => ({ items: [trim(`v${yearId}`, 'XL', { year: Number(yearId) })] }),
  safety: () => sampleData.safetyInfo,
  consumerRatings: () => sampleData.ratings,
};

/** Renders the slot on the server with `responses`; calls named in `failing` fail. */
async function load(
  state: RootState,
  {
    failing = [],
    responses = {},
  }: { failing?: readonly string[]; responses?: Record<string, CallResponse> } = {},
) {
  const sent: [name: string, params: CallParams][] = [];
  const call = jest.fn(async (name: string, params: CallParams) => {
    sent.push([name, params]);
    if (failing.includes(name)) throw new Error('down');
    return (responses[name] ?? RESPONSES[name]!)(params);
  });
  const { data, html, structuredData } = await renderSlot(marketplaceState, modelReference, {
    slot: 'model-reference',
    state,
    call: call as never,
    signal: new AbortController().signal,
  });
  const paramsOf = (name: string) =>
    sent.filter(([sentName]) => sentName === name).map(([, params]) => params);
  return { loaded: data as ReferenceData | null, html, structuredData, paramsOf, sent };
}

const OF_2020 = { ...F150, startYear: ['2020'], endYear: ['2020'] };

describe('loadReference', () => {
  // rows: B7-OTHER-09, A7-CRAWL-01, A7-CRAWL-03
  it('requests the years and trims at the search’s place', async () => {
    const state = stateOf({ ...F150, zip: ['60601'], listingType: ['USED'] });
    const { loaded, paramsOf, html } = await load(state);
    const params = {
      makeCode: 'FORD',
      modelCode: 'F150',
      listingType: 'USED',
      zip: '60601',
      searchRadius: '50',
    };
    expect(paramsOf('modelYears')).toEqual([params]);
    expect(paramsOf('trims')).toEqual([params]);
    expect(loaded).toMatchObject({ modelYearsData: years, area: { zip: '60601', radius: 50 } });
    expect(html).toContain('within 50 miles of 60601');
  });

  // rows: A7-CRAWL-02, A7-CRAWL-04
  it('requests the years and trims of new vehicles when only those are searched', async () => {
    const { loaded, paramsOf } = await load(stateOf({ ...F150, listingType: ['NEW'] }), {
      responses: { newModelYears: () => ({ links: years }), newTrims: () => ({ links: trimLinks }) },
    });
    const params = { makeCode: 'FORD', modelCode: 'F150', listingType: 'NEW' };
    expect(paramsOf('newModelYears')).toEqual([params]);
    expect(paramsOf('newTrims')).toEqual([params]);
    expect([...paramsOf('modelYears'), ...paramsOf('trims')]).toEqual([]);
    expect(loaded).toMatchObject({ modelYearsData: years, trimsData: trimLinks });
  });

  // rows: A3-PRICING-01
  it('loads the four parts of the pricing data', async () => {
    const { loaded } = await load(stateOf(), { responses: { trims: () => ({ links: trimLinks }) } });
    expect(loaded).toMatchObject({
      modelYearsData: years,
      trimsData: trimLinks,
      safetyInfo: sampleData.safetyInfo,
      greatPriceListingCount: 7,
      usedCount: 9,
    });
  });

  // rows: A7-COUNT-01, B7-OTHER-07
  it('counts great prices nationwide by the search parameters', async () => {
    const { loaded, paramsOf } = await load(stateOf({ ...F150, zip: ['60601'], extColorSimple: ['RED'] }));
    expect(CALLS.count.path).toBe('/rest/lsc/listing/count');
    expect(paramsOf('count')).toContainEqual(
      expect.objectContaining({
        makeCode: 'FORD',
        modelCode: 'F150',
        extColorSimple: 'RED',
        searchRadius: '0',
        dealType: 'greatprice',
      }),
    );
    expect(loaded).toMatchObject({ greatPriceListingCount: 7, usedCount: 9 });
  });

  // rows: A7-MILE-01, A7-YMM-01, B7-OTHER-05
  it('requests the mileages of used vehicles and the model’s facts', async () => {
    const { loaded, paramsOf } = await load(stateOf());
    expect(paramsOf('mileageStats')).toEqual([
      expect.objectContaining({ modelCode: 'F150', listingType: 'USED' }),
    ]);
    expect(paramsOf('modelInfo')).toEqual([
      { makeCode: 'FORD', modelCode: 'F150', startYear: '2026', numRecords: '1' },
    ]);
    expect(loaded?.mileage).toMatchObject({
      averageMiles: 40_000,
      difference: -10_000,
      mileageMax: 90_000,
      maxDifference: -5_000,
      highestMileageName: '2020',
    });
  });

  // rows: B9-TRIMS-03, B7-OTHER-08, B7-REF-01
  it('loads the trims of the current and the next model year', async () => {
    const { loaded, paramsOf } = await load(stateOf());
    const expectedParams = (yearId: string) => ({ yearId, atcMakeCode: 'FORD', atcModelCode: 'F150' });
    expect(paramsOf('referenceVehicles')).toEqual([expectedParams('2026'), expectedParams('2027')]);
    expect(loaded?.trims.map(({ vehicleId }) => vehicleId)).toEqual(['v2026', 'v2027']);
  });

  // rows: B7-OTHER-06
  it('loads the safety of the newest vehicle, or of the searched year', async () => {
    const newest = await load(stateOf());
    expect(newest.paramsOf('safety')).toEqual([{ vehicleId: 'v2027' }]);
    expect(newest.loaded?.researchedYear).toBe(2027);
    const ofYear = await load(stateOf(OF_2020));
    expect(ofYear.paramsOf('safety')).toEqual([{ vehicleId: 'v2020' }]);
    expect(ofYear.loaded?.researchedYear).toBe(2020);
  });

  // rows: B7-REF-03, B7-RATE-01, B5-RATING-01
  it('requests ratings for a single year only, without trim and for used vehicles', async () => {
    const { paramsOf, loaded } = await load(stateOf(OF_2020));
    expect(paramsOf('consumerRatings')).toEqual([{ vehicleId: 'v2020' }]);
    expect(loaded?.ratings?.numberOfReviews).toBe(128);
    for (const filters of [F150, { ...OF_2020, trimCode: ['F150|XL'] }, { ...OF_2020, listingType: ['NEW'] }])
      expect((await load(stateOf(filters))).paramsOf('consumerRatings')).toEqual([]);
  });

  // rows: B7-RATE-02
  it('omits Consumer Reviews without an error when the ratings call fails', async () => {
    expect((await load(stateOf(OF_2020))).html).toContain('Consumer Reviews');
    const { html } = await load(stateOf(OF_2020), { failing: ['consumerRatings'] });
    expect(html).not.toContain('Consumer Reviews');
    expect(html).toContain('Pricing');
  });

  it.each(Object.keys(RESPONSES))('renders the other parts when %s fails', async (name) => {
    const { html } = await load(stateOf(OF_2020), { failing: [name] });
    expect(html).toContain('About the Ford F-150');
  });

  it('renders the other parts when a call hangs', async () => {
    const { html, loaded } = await load(stateOf(), {
      responses: { safety: () => new Promise(() => {}), mileageStats: () => new Promise(() => {}) },
    });
    expect(loaded?.safetyInfo).toBeNull();
    expect(loaded?.mileage).toBeNull();
    expect(html).toContain('Compare Trims');
  });

  it('shares one deadline between all parts and marks late data as partial', async () => {
    jest.useFakeTimers();
    const startedAt = Date.now();
    const vehicles = RESPONSES['referenceVehicles']!;
    const loading = load(stateOf(), {
      responses: {
        referenceVehicles: (params) =>
          new Promise((resolve) => setTimeout(() => resolve(vehicles(params)), 400)),
        safety: () => new Promise(() => {}),
      },
    }).then((page) => ({ ...page, elapsedMs: Date.now() - startedAt }));
    await jest.advanceTimersByTimeAsync(2_000);
    jest.useRealTimers();
    const { loaded, elapsedMs } = await loading;
    expect(elapsedMs).toBe(600);
    expect(loaded).toMatchObject({ safetyInfo: null, trims: [{}, {}], isPartial: true });
    const { loaded: failedData } = await load(stateOf(), { failing: ['safety'] });
    expect(failedData).toMatchObject({ safetyInfo: null, isPartial: false });
  });

  it('renders nothing when all calls fail', async () => {
    const { html, structuredData } = await load(stateOf(), { failing: Object.keys(RESPONSES) });
    expect(html).toBe('');
    expect(structuredData).toBeUndefined();
  });

  it('makes no calls without a single make and model or with the flag off', async () => {
    for (const state of [stateOf({ makeCode: ['FORD'] }), stateOf(F150, {}, { modelReference: false })]) {
      const { loaded, html, sent } = await load(state);
      expect(loaded).toBeNull();
      expect(html).toBe('');
      expect(sent).toEqual([]);
      expect(modelReference.loadKey?.(state)).toBe('');
    }
  });

  it('reloads for another model, place or condition, not for another sort or page', () => {
    const key = (filters: FilterValues) => modelReference.loadKey?.(stateOf(filters));
    const base = key({ ...F150, zip: ['60601'] });
    expect(key({ ...F150, zip: ['60602'] })).not.toBe(base);
    expect(key({ ...F150, zip: ['60601'], searchRadius: ['100'] })).not.toBe(base);
    expect(key({ ...F150, zip: ['60601'], listingType: ['NEW'] })).not.toBe(base);
    const state = stateOf({ ...F150, zip: ['60601'] });
    const sorted = { ...state.search.criteria, sortBy: 'yearDESC', firstRecord: 30 } as const;
    expect(modelReference.loadKey?.({ ...state, search: { ...state.search, criteria: sorted } })).toBe(base);
  });

  it('lists the FAQs in structured data only when their tab is shown', async () => {
    const { structuredData, html } = await load(stateOf(OF_2020));
    const page = structuredData as { mainEntity: { name: string; acceptedAnswer: { text: string } }[] };
    expect(page.mainEntity.length).toBeGreaterThan(3);
    const visibleText = html.replaceAll('&#x27;', "'");
    for (const { name, acceptedAnswer } of page.mainEntity) {
      expect(visibleText).toContain(name);
      expect(visibleText).toContain(acceptedAnswer.text);
    }
    expect((await load(stateOf())).structuredData).toBeUndefined();
  });
});

const object = (params: URLSearchParams) => Object.fromEntries(params);

describe('the great-price count', () => {
  // rows: A7-COUNT-01
  it('counts great prices nationwide', () => {
    const query = toGreatPriceCountQuery(decodeQuery('makeCode=FORD&zip=30303&searchRadius=25'), {
      brand: 'atc',
    });
    expect(object(query)).toMatchObject({ makeCode: 'FORD', searchRadius: '0', dealType: 'greatprice' });
  });
});

const CAMRY = { makeCode: ['TOYOTA'], modelCode: ['CAMRY'], startYear: ['2020'], endYear: ['2020'] };

describe('the lookup of consumer ratings', () => {
  // rows: B5-RATING-01
  it('loads ratings for one make, model and year without a trim', () => {
    expect(shouldLoadRatings(CAMRY)).toBe(true);
    expect(shouldLoadRatings({ ...CAMRY, modelCode: ['CAMRY', 'COROLLA'] })).toBe(false);
    expect(shouldLoadRatings({ ...CAMRY, makeCode: ['TOYOTA', 'FORD'] })).toBe(false);
    expect(shouldLoadRatings({ ...CAMRY, endYear: ['2021'] })).toBe(false);
    expect(shouldLoadRatings({ ...CAMRY, endYear: undefined })).toBe(false);
    expect(shouldLoadRatings({ ...CAMRY, trimCode: ['CAMRY|XSE'] })).toBe(false);
    expect(singleYear(CAMRY)).toBe('2020');
    expect(singleYear({})).toBeUndefined();
  });

  // rows: B5-RATING-02
  it.each(['NEW', 'CERTIFIED'])('loads no ratings with listing type %s', (listingType) => {
    expect(shouldLoadRatings({ ...CAMRY, listingType: [listingType] })).toBe(false);
    expect(shouldLoadRatings({ ...CAMRY, listingType: ['USED', listingType] })).toBe(false);
    expect(shouldLoadRatings({ ...CAMRY, listingType: ['USED'] })).toBe(true);
  });

  // rows: B5-RATING-03
  it('loads no ratings for private sellers', () => {
    expect(shouldLoadRatings({ ...CAMRY, sellerType: ['p'] })).toBe(false);
    expect(shouldLoadRatings({ ...CAMRY, sellerType: ['d'] })).toBe(true);
  });

  // rows: B5-RATING-04
  it.each(['vehicleStyleCode', 'driveGroup', 'engineCode', 'fuelTypeGroup'] as const)(
    'loads no ratings with a single %s, but with two',
    (param) => {
      expect(shouldLoadRatings({ ...CAMRY, [param]: ['A'] })).toBe(false);
      expect(shouldLoadRatings({ ...CAMRY, [param]: ['A', 'B'] })).toBe(true);
    },
  );

  // rows: B5-RATING-05
  it('loads no ratings with only one price bound', () => {
    expect(shouldLoadRatings({ ...CAMRY, minPrice: ['10000'] })).toBe(false);
    expect(shouldLoadRatings({ ...CAMRY, maxPrice: ['20000'] })).toBe(false);
    expect(shouldLoadRatings({ ...CAMRY, minPrice: ['10000'], maxPrice: ['20000'] })).toBe(true);
  });

  // rows: B5-RATING-06
  it('loads no ratings with a fuel-economy range', () => {
    expect(shouldLoadRatings({ ...CAMRY, mpgRange: ['30-MPG'] })).toBe(false);
  });
});

// rows: B9-TRIMS-03
it('compares the current and the next model year', () => {
  expect(compareTrimYears(2024)).toEqual([2024, 2025]);
});
