import { get } from 'node:http';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { FILTERS } from '@forecourt/search/catalog';
import { FILTER_PARAMS } from '@forecourt/search/criteria';
import { NUM_SPOTLIGHTS } from '@forecourt/search/query';
import { CALLS } from '@forecourt/upstream/calls';
import { LISTING_TYPES } from '@forecourt/upstream/codes';
import {
  type ListingsResponse,
  type SearchResponse,
  searchResponseSchema,
} from '@forecourt/upstream/entities';
import fc from 'fast-check';
import { type TestApp, generatedStock, startTestApp } from '../../testing/testApp.ts';

const CHICAGO = 'zip=60601&searchRadius=50';

// Hundreds of full responses per test are slow on a shared core.
jest.setTimeout(60_000);

/** Not fetch, which adds `Cache-Control: no-cache` to If-None-Match and so requests a full response. */
const statusOf = (url: string, headers: Record<string, string>) =>
  new Promise<number | undefined>((resolve, reject) => {
    get(url, { headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    }).on('error', reject);
  });

describe('the listing calls', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp(generatedStock(8000));
  });
  afterAll(() => app.stop());

  const search = (query = '') => app.json<SearchResponse>(`/rest/lsc/listing?${query}`);
  const total = async (query: string) =>
    (await app.json<{ totalResultCount: number }>(`/rest/lsc/listing/count?${query}`)).totalResultCount;

  it('returns only listings of the model around the ZIP code', async () => {
    const { listings, totalResultCount } = await search(`makeCode=FORD&modelCode=F150&${CHICAGO}`);
    expect(totalResultCount).toBeGreaterThan(0);
    for (const listing of listings) {
      expect([listing.makeCode, listing.modelCode]).toEqual(['FORD', 'F150']);
      expect(listing.distance).toBeLessThanOrEqual(50);
    }
  });

  it('counts on the map of sellers what a search of each part finds, whatever the place before', async () => {
    const filters = 'makeCode=FORD&listingType=USED';
    const { path, response } = CALLS.sellerMap;
    const mapOf = async (query: string) => response.parse(await app.json(`${path}?${query}`))!;
    const map = await mapOf(`${filters}&${CHICAGO}&marketExtension=include`);
    expect(map.clusters.length).toBeGreaterThan(5);
    expect(map.totalCount).toBe(await total(filters));
    expect(map.places.map(({ name }) => name)).toContain('Chicago');
    for (const { area, count } of map.clusters)
      expect([area, await total(`${filters}&zip=60601&area=${area}`)]).toEqual([area, count]);
    expect(await total(`${filters}&area=${map.view}`)).toBe(map.count);
    expect(map.clusters.reduce((sum, { count }) => sum + count, 0)).toBe(map.count);
    for (const { id, count } of map.sellers)
      expect(await total(`${filters}&isSponsorship=true&showcaseOwnerId=${id}&area=${map.view}`)).toBe(count);
    const [{ area }] = map.clusters as [(typeof map.clusters)[number]];
    const closer = await mapOf(`${filters}&zip=60601&area=${area}`);
    expect(closer.count).toBe(await total(`${filters}&area=${area}`));
    expect((await mapOf(`${filters}&mapView=40~-90~44~-84`)).view).toBe('40~-90~44~-84');
  });

  it('returns a smaller response for Prefer: return=minimal that parses to the same', async () => {
    const query = fc
      .record(
        {
          makeCode: fc.constantFrom('FORD', 'BMW', 'TESLA'),
          listingType: fc.constantFrom('NEW', 'USED', 'CERTIFIED'),
          zip: fc.constantFrom('60601', '10001'),
          sellerType: fc.constantFrom('p', 'd'),
          collapseFilters: fc.constantFrom('true'),
        },
        { requiredKeys: [] },
      )
      .map((params) => new URLSearchParams(params).toString());
    const names = ['search', 'premiumSpotlights', 'vehicleHighlight', 'similar', 'newCarBoost'] as const;
    await fc.assert(
      fc.asyncProperty(query, fc.constantFrom(...names), async (params, name) => {
        const { path, response } = CALLS[name];
        const full = await app.get(`${path}?${params}`);
        const minimal = await app.get(`${path}?${params}`, { Prefer: 'return=minimal' });
        expect(minimal.headers.get('preference-applied')).toBe('return=minimal');
        const [fullText, minimalText] = [await full.text(), await minimal.text()];
        expect(response.parse(JSON.parse(minimalText))).toEqual(response.parse(JSON.parse(fullText)));
        expect(minimalText.length).toBeLessThanOrEqual(fullText.length);
      }),
      { numRuns: 60 },
    );
    const lengthOf = async (headers: Record<string, string>) =>
      (await (await app.get('/rest/lsc/listing?makeCode=FORD', headers)).text()).length;
    expect(await lengthOf({ Prefer: 'return=minimal' })).toBeLessThan(0.9 * (await lengthOf({})));
  });

  // rows: A3-FILTER-39
  it('returns the selected values of every filter, and collapses those without any', async () => {
    const { filters } = await search('makeCode=FORD&modelCode=F150,ESCAPE');
    const chosen = new Map(filters.map(({ name, value }) => [name, value]));
    expect([...chosen.values()].every((value) => typeof value === 'string')).toBe(true);
    expect([chosen.get('makeCode'), chosen.get('sellerType')]).toEqual(['FORD', '']);
    const opened = filters.filter(({ collapsed }) => !collapsed).map(({ name }) => name);
    expect(opened).toEqual(['makeCode', 'modelCode']);
    expect(filters.every(({ collapsed }) => typeof collapsed === 'boolean')).toBe(true);
  });

  // rows: A3-RESP-01, A3-RESP-07, A3-LISTING-03
  it('returns a response that matches the contract, each listing with its owner', async () => {
    const body = await search(
      `${CHICAGO}&stats=year,derivedprice&includeSuggested=true&showStrongAttributes=true`,
    );
    expect(() => searchResponseSchema.parse(body)).not.toThrow();
    const owners = new Set(body.owners.map(({ id }) => id));
    expect(body.listings.every(({ ownerId }) => owners.has(ownerId))).toBe(true);
    const names = FILTERS.map(({ name }) => name);
    expect(body.filters.map(({ name }) => name)).toEqual(names);
    expect(body.filterGroups.flatMap(({ filters }) => filters).sort()).toEqual([...names].sort());
    expect(body.requestParams).toMatchObject({ zip: '60601', searchRadius: '50' });
  });

  // rows: A3-LISTING-12, A3-LISTING-13, A3-LISTING-16
  it('returns both shapes of a listing, equal after normalization', async () => {
    const { listings } = await search();
    for (const raw of listings) {
      const listing = CALLS.listing.response.shape.listing.parse(raw);
      expect(listing.specifications.mileage).toBe(listing.mileage?.value);
      expect(listing.vehicleStyleCodes).toEqual(listing.bodyStyles.map(({ code }) => code));
      expect(LISTING_TYPES).toContain(listing.listingType);
    }
  });

  it.each(['', CHICAGO, `makeCode=FORD,TOYOTA&${CHICAGO}`, 'makeCode=FORD&modelCode=F150&listingType=USED'])(
    'counts for each option the results of selecting it: "%s"',
    async (query) => {
      const { filters } = await search(query);
      const without = (names: readonly string[]) => {
        const params = new URLSearchParams(query);
        for (const name of names) params.delete(name);
        return params;
      };
      let checked = 0;
      for (const { name, options } of filters) {
        const dropped = name === 'makeCode' ? ['makeCode', 'modelCode', 'trimCode'] : [name];
        for (const { value, count } of options.slice(0, 12)) {
          const params = without(dropped);
          if (name === 'yearRange') {
            params.set('startYear', value);
            params.set('endYear', value);
          } else {
            params.set(name, value);
          }
          // A model narrows only its own make, so each make is requested separately.
          if (name === 'modelCode' && params.get('makeCode')?.includes(',')) continue;
          expect([name, value, await total(String(params))]).toEqual([name, value, count]);
          checked++;
        }
      }
      expect(checked).toBeGreaterThan(60);
    },
  );

  // rows: A2-QP-18
  it('treats repeated keys, comma lists, plural names and letter case alike', async () => {
    const expected = await total('listingType=NEW,USED');
    expect(expected).toBeGreaterThan(0);
    expect(await total('listingType=NEW&listingType=USED')).toBe(expected);
    expect(await total('listingTypes=new,used')).toBe(expected);
    expect(await total('listingType=NEW,STOLEN')).toBe(await total('listingType=NEW'));
  });

  it('never returns 5xx for any query', async () => {
    const names = [
      ...FILTER_PARAMS,
      'sortBy',
      'firstRecord',
      'numRecords',
      'vin',
      'showcaseOwnerId',
      'experience',
    ];
    const value = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc.constantFrom(
        '0',
        '-1',
        '1e9',
        'NaN',
        '%',
        '%00',
        ',,,',
        '60601',
        'FORD',
        '__proto__',
        'constructor',
      ),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.constantFrom(...names), value), { maxLength: 6 }),
        async (pairs) => {
          const query = pairs
            .map(([name, text]) => `${name}=${encodeURIComponent(text.toWellFormed())}`)
            .join('&');
          const response = await app.get(`/rest/lsc/listing?${query}`);
          await response.arrayBuffer();
          expect(response.status).toBeLessThan(500);
        },
      ),
      { numRuns: 100 },
    );
    expect((await app.get('/rest/lsc/listing?zip=%E0%A4%A&makeCode=%')).status).toBe(200);
    expect((await app.get('/rest/lsc/listing/%E0%A4%A')).status).toBe(400);
  });

  // rows: A8-ERR-11
  it('returns 400 when a minimum exceeds its maximum', async () => {
    const response = await app.get('/rest/lsc/listing?minPrice=30000&maxPrice=10000', {
      'X-Request-Id': 'abc-1',
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({
      error: { code: 'INVALID_PARAMETERS', message: expect.any(String), requestId: 'abc-1' },
    });
  });

  // rows: B7-LIST-11
  it('returns pages without gaps, floors offsets and clamps to the last page', async () => {
    const first = await search('sortBy=derivedpriceASC');
    const second = await search('sortBy=derivedpriceASC&firstRecord=31&numRecords=31');
    expect(second.requestParams).toMatchObject({ firstRecord: '30', numRecords: '31' });
    expect(first.requestParams).toMatchObject({ firstRecord: '0', numRecords: '30' });
    expect(first.listings.map(({ id }) => id)).not.toContain(second.listings[0]?.id);
    const last = await search('firstRecord=999999');
    expect(last.requestParams['firstRecord']).toBe('7980');
    expect(last.listings).toHaveLength(20);
  });

  // rows: A3-RESP-10
  it('returns the market of the place, and how many searches can be saved without an account', async () => {
    const { pageData } = await search(CHICAGO);
    expect(pageData.marketExtensionDma).toBe('602');
    expect(pageData.saveSearchData?.textModalDisclaimer).toMatch(/\b2 searches/);
    expect((await search()).pageData).not.toHaveProperty('marketExtensionDma');
  });

  // rows: A7-SUPP-02
  it('omits filter options on request', async () => {
    for (const flag of ['collapseFilters', 'hideFilters', 'supplemental']) {
      const { filters, listings } = await search(`${flag}=true`);
      expect(filters.flatMap(({ options }) => options)).toEqual([]);
      expect(listings).toHaveLength(30);
    }
  });

  // rows: A7-CALL-03
  it('returns listings and owners of the requested VINs', async () => {
    const { listings } = await search();
    const vins = listings.slice(0, 2).map(({ vin }) => vin);
    const response = await search(`vin=${vins.join(',')}&collapseFilters=true&channel=ATC`);
    expect(response.listings.map(({ vin }) => vin).sort()).toEqual([...vins].sort());
    expect(new Set(response.owners.map(({ id }) => id))).toEqual(
      new Set(listings.slice(0, 2).map(({ ownerId }) => ownerId)),
    );
    expect(await total('vin=11111111111111111')).toBe(0);
  });

  it("excludes listings by id and returns only a sponsor's vehicles on request", async () => {
    const { listings } = await search(CHICAGO);
    const { id, ownerId } = listings[0]!;
    expect(
      (await search(`${CHICAGO}&excludedListingId=${id}`)).listings.map((item) => item.id),
    ).not.toContain(id);
    const sponsored = await search(`isSponsorship=true&showcaseOwnerId=${ownerId}`);
    expect(new Set(sponsored.listings.map((item) => item.ownerId))).toEqual(new Set([ownerId]));
    expect(await total('isSponsorship=true')).toBe(await total(''));
  });

  // rows: A3-RESP-04
  it('returns a sponsor of the market with at most twelve matching vehicles', async () => {
    const { alpha } = await search(`makeCode=FORD&zip=10001&searchRadius=100`);
    expect(alpha?.alphaShowcase.isAlpha).toBe(true);
    expect(alpha?.alphaShowcase.listings.length).toBeGreaterThan(0);
    expect(alpha?.alphaShowcase.listings.length).toBeLessThanOrEqual(12);
    expect(new Set(alpha?.alphaShowcase.listings.map(({ ownerId }) => ownerId))).toEqual(
      new Set([alpha?.ownerBean.id]),
    );
  });

  // rows: A3-RESP-08, B3-SUGGEST-01
  it('returns correct counts in suggestions and near misses', async () => {
    const body = await search(CHICAGO);
    const offered = [...body.suggestedFilters, ...body.strongAttributesFilters];
    expect(body.suggestedFilters.length).toBeGreaterThan(0);
    expect(body.strongAttributesFilters.length).toBeGreaterThan(0);
    for (const { name: label, codes, count } of offered) {
      const [[param, [value]] = ['', ['']]] = Object.entries(codes);
      const options = body.filters.find(({ name }) => name === param)?.options;
      expect(options?.find((option) => option.value === value)?.label).toBe(label);
      const own = Object.entries(codes).map(([name, values]) => `${name}=${values.join(',')}`);
      expect(await total(`${CHICAGO}&${own.join('&')}`)).toBe(count);
    }
    const few = await search(`${CHICAGO}&makeCode=FORD&extColorSimple=PURPLE`);
    expect(few.totalResultCount).toBeLessThanOrEqual(25);
    const color = few.nearMisses.find(({ name }) => name === 'extColorSimple');
    expect(color?.count).toBe(await total(`${CHICAGO}&makeCode=FORD`));
  });

  // rows: B7-PREM-03, B7-PREM-04, B7-SPOT-01, B7-SPOT-02
  it('returns spotlights of the requested tier, and others on the next page', async () => {
    const spots = async (path: string) =>
      CALLS.similar.response.parse(await app.json<ListingsResponse>(path));
    const base = '/rest/lsc/listing/spotlight';
    const one = await spots(`${base}/premiumresults?numSpotlights=3&listingTier=premium&spotlightPage=1`);
    const two = await spots(`${base}/premiumresults?numSpotlights=3&listingTier=premium&spotlightPage=2`);
    expect(one.listings).toHaveLength(3);
    expect(two.listings.map(({ id }) => id)).not.toContain(one.listings[0]?.id);
    const featured = await spots(`${base}/results?numSpotlights=6&listingTier=featured`);
    const standard = await spots(`${base}/results?numSpotlights=6&listingTier=standard`);
    expect(featured.listings).toHaveLength(6);
    expect(standard.listings.map(({ id }) => id)).not.toContain(featured.listings[0]?.id);
    const beyond = await spots(`${base}/premiumresults?numSpotlights=3&spotlightPage=999`);
    expect(beyond.listings).toEqual([]);
    expect((await spots(`${base}/premiumresults?numSpotlights=0`)).listings).toEqual([]);
  });

  // rows: B7-SPOT-01, B7-SPOT-02
  it.each([
    ['premiumresults', NUM_SPOTLIGHTS.premiumFirstPage],
    ['results?listingTier=featured', NUM_SPOTLIGHTS.featured],
    ['results?listingTier=standard', NUM_SPOTLIGHTS.standard],
  ])('returns the usual number of spotlights when the request names none: %s', async (path, count) => {
    const { listings } = await app.json<ListingsResponse>(`/rest/lsc/listing/spotlight/${path}`);
    expect(listings).toHaveLength(count);
  });

  // rows: B9-GRID-02
  it('continues premium spotlights after the larger first page', async () => {
    const idsOf = async (query: string) => {
      const path = `/rest/lsc/listing/spotlight/premiumresults?listingTier=premium&${query}`;
      return (await app.json<ListingsResponse>(path)).listings.map(({ id }) => id);
    };
    const pages = [
      await idsOf('numSpotlights=3&spotlightPage=1'),
      await idsOf('numSpotlights=2&spotlightPage=2'),
      await idsOf('numSpotlights=2&spotlightPage=3'),
    ];
    expect(pages.flat()).toEqual(await idsOf('numSpotlights=7&spotlightPage=1'));
  });

  // rows: B7-HIGH-01, B3-LISTING-14
  it('returns one highlighted vehicle with its reason', async () => {
    const { listings } = await app.json<ListingsResponse>(
      '/rest/lsc/listing/spotlight/vehiclehighlight?includeExtendedVehicleHighlights=true',
    );
    expect(listings).toHaveLength(1);
    expect(listings[0]?.vehicleHighlight).toMatchObject({
      isVehicleHighlight: true,
      urgencyDriverType: expect.stringMatching(/^(PRICE_DROP|HIGH_INTEREST|NEW_LISTING)$/),
      urgencyDriverValue: expect.any(Number),
    });
  });

  it('returns similar vehicles without those already shown', async () => {
    const shownIds = (await search(`makeCode=FORD&modelCode=F150&${CHICAGO}`)).listings
      .map(({ id }) => id)
      .slice(0, 25);
    const { listings } = await app.json<ListingsResponse>(
      `/rest/lsc/listing/similar?makeCode=FORD&modelCode=F150&zip=60601&searchRadius=100&numRecords=20&excludedListingId=${shownIds.join(',')}`,
    );
    expect(listings).toHaveLength(20);
    expect(listings.some(({ id }) => shownIds.includes(id))).toBe(false);
    expect(listings.every(({ vehicleStyleCodes }) => vehicleStyleCodes.includes('TRUCKS'))).toBe(true);
  });

  it('returns vehicles of about the same price and age first', async () => {
    const query = 'makeCode=FORD&modelCode=F150&bodyStyleCode=TRUCKS&numRecords=20';
    const bounds = 'minPrice=30000&maxPrice=30000&startYear=2021&endYear=2021';
    const { listings } = await app.json<ListingsResponse>(`/rest/lsc/listing/similar?${query}&${bounds}`);
    const isClose = ({ year, pricingDetail: { derivedPrice = 0 } }: (typeof listings)[number]) =>
      Math.abs(year - 2021) <= 2 && derivedPrice >= 30_000 / 1.15 && derivedPrice <= 30_000 * 1.15;
    const close = listings.map(isClose);
    const closeFords = await search(
      'makeCode=FORD&modelCode=F150&minPrice=26087&maxPrice=34500&startYear=2019&endYear=2023',
    );
    expect(closeFords.totalResultCount).toBeGreaterThan(0);
    expect(close.slice(0, Math.min(20, closeFords.totalResultCount))).not.toContain(false);
    expect(close).toEqual(close.toSorted((a, b) => Number(b) - Number(a)));
  });

  it('returns one listing with its owner, and 404 when it does not exist', async () => {
    const { listings } = await search();
    const { id } = listings[0]!;
    const one = await app.json<{ listing: { id: string; ownerId: string }; owner: { id: string } }>(
      `/rest/lsc/listing/${id}`,
    );
    expect(one.listing.id).toBe(id);
    expect(one.owner.id).toBe(one.listing.ownerId);
    const near = await app.json<{ owner: { distanceFromSearch?: number } }>(
      `/rest/lsc/listing/${id}?zip=60601`,
    );
    expect(near.owner.distanceFromSearch).toEqual(expect.any(Number));
    expect(one.owner).not.toHaveProperty('distanceFromSearch');
    const gone = await app.get('/rest/lsc/listing/nothing');
    expect(gone.status).toBe(404);
    expect((await app.get('/rest/lsc/listing/nothing/model')).status).toBe(404);
  });

  it('finds the vehicle whose VIN is the keyword, wherever it is', async () => {
    const { listings } = await search('makeCode=FORD&numRecords=1');
    const { id, vin } = listings[0]!;
    for (const keyword of [vin, vin.toLowerCase()]) {
      const found = await search(`keyword=${keyword}&zip=99501&searchRadius=10`);
      expect(found.listings.map((listing) => listing.id)).toEqual([id]);
      expect(await total(`keyword=${keyword}`)).toBe(1);
    }
    expect(await total('keyword=1HGCM82633A004352')).toBe(0);
  });

  it('lists every vehicle for sale once in its sitemap files, with the day of its last change', async () => {
    const read = async (query: string) =>
      CALLS.vehicleSitemap.response.parse(await app.json(`/rest/lsc/listing/sitemap?${query}`));
    const { files } = await read('');
    const listed = (await Promise.all(files.map(({ file }) => read(`file=${file}`)))).map(
      ({ vehicles }) => vehicles,
    );
    const vehicles = listed.flat();
    expect(new Set(vehicles.map(({ id }) => id)).size).toBe(vehicles.length);
    expect(vehicles.length).toBe(await total(''));
    expect(files.map(({ changedOn }) => changedOn)).toEqual(
      listed.map((entries) =>
        entries
          .map(({ changedOn }) => changedOn)
          .sort()
          .at(-1),
      ),
    );
    expect((await read('file=999')).vehicles).toEqual([]);
  });

  it("finds the vehicles with a dealer's stock number in any spelling, wherever they are", async () => {
    const { listings } = await search('makeCode=FORD&listingType=USED&numRecords=1');
    const { id, stockNumber = '' } = listings[0]!;
    expect(stockNumber).toMatch(/^U\d{6}$/);
    const dashed = `${stockNumber.slice(0, 1)}-${stockNumber.slice(1)}`;
    for (const keyword of [stockNumber, stockNumber.toLowerCase(), dashed, `Stock # ${stockNumber}`]) {
      const found = await search(`keyword=${encodeURIComponent(keyword)}&zip=99501&searchRadius=10`);
      expect(found.listings.map((listing) => listing.id)).toContain(id);
      expect(new Set(found.listings.map((listing) => listing.stockNumber))).toEqual(new Set([stockNumber]));
    }
    expect(await total('keyword=U99999999')).toBe(0);
  });

  it('returns 304 for a matching ETag and compresses only on request', async () => {
    const plain = await app.get('/rest/lsc/listing', { 'Accept-Encoding': 'identity' });
    expect(plain.headers.get('content-encoding')).toBeNull();
    const etag = plain.headers.get('etag')!;
    expect(await statusOf(`${app.origin}/rest/lsc/listing`, { 'If-None-Match': etag })).toBe(304);
    const packed = await app.get('/rest/lsc/listing', { 'Accept-Encoding': 'br' });
    expect(packed.headers.get('content-encoding')).toBe('br');
  });

  it.each(['br', 'identity'])(
    'answers HEAD with no other length than GET, accepting %s',
    async (encoding) => {
      const url = `${app.origin}/rest/lsc/listing`;
      const [head, full] = await Promise.all(
        ['HEAD', 'GET'].map((method) => fetch(url, { method, headers: { 'Accept-Encoding': encoding } })),
      );
      expect(head!.status).toBe(200);
      expect(head!.headers.get('etag')).toBe(full!.headers.get('etag'));
      const length = head!.headers.get('content-length');
      expect([null, full!.headers.get('content-length')]).toContain(length);
      expect(await head!.text()).toBe('');
      await full!.arrayBuffer();
    },
  );

  it('returns 414 when the URL is too long', async () => {
    const response = await app.get(`/rest/lsc/listing?keyword=${'x'.repeat(9000)}`);
    expect(response.status).toBe(414);
  });
});
