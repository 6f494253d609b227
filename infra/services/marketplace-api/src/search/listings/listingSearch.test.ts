import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { LISTING_TYPES } from '@forecourt/upstream/codes';
import {
  listingSchema,
  ownerSchema,
  type Listing,
  type Owner,
  type SearchResponse,
} from '@forecourt/upstream/entities';
import { aListing, anOwner } from '../../testing/arbitraries.ts';
import type { StockListing, StockOwner } from '../../domain/stock.ts';
import { type TestApp, generatedStock, startTestApp } from '../../testing/testApp.ts';

// Generating the inventory is slow on a shared core.
jest.setTimeout(60_000);

interface RawResponse {
  readonly listings: readonly Listing[];
  readonly owners: readonly Owner[];
  readonly totalResultCount: number;
}

describe('search response before normalization', () => {
  let app: TestApp;
  let listings: Listing[];
  let owners: Owner[];
  const stock = generatedStock(3000);
  beforeAll(async () => {
    app = await startTestApp(stock);
    const pages = await Promise.all(
      LISTING_TYPES.flatMap((type) =>
        ['d', 'p'].map((seller) =>
          search(`listingType=${type}&sellerType=${seller}&numRecords=100&zip=60601&searchRadius=0`),
        ),
      ),
    );
    listings = pages.flatMap((page) => [...page.listings]);
    owners = pages.flatMap((page) => [...page.owners]);
  });
  afterAll(() => app.stop());
  const search = async (query: string) =>
    (await (await app.get(`/rest/lsc/listing?${query}`)).json()) as RawResponse;
  const valueAt = (thing: object, path: string): unknown =>
    path
      .split('.')
      .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], thing);
  /** Values at a path of keys, of the listings that have one. */
  const valuesAt = (things: readonly object[], path: string): unknown[] =>
    things.map((thing) => valueAt(thing, path)).filter((value) => value !== undefined && value !== null);

  // rows: A3-LISTING-04, B3-LISTING-01, B3-LISTING-05, B3-LISTING-09
  it('returns each listing with its images, detail page and owner', () => {
    expect(listings.length).toBeGreaterThan(300);
    const ownerIds = new Set(owners.map(({ id }) => id));
    for (const listing of listings) {
      const { id, vin, title, vdpBaseUrl, ownerId, ownerName, listingType } = listing;
      for (const text of [id, vin, title, ownerName]) expect(text).toEqual(expect.stringMatching(/\S/));
      expect(vdpBaseUrl).toBe(`/cars-for-sale/vehicle/${id}`);
      expect(ownerIds).toContain(ownerId);
      expect(LISTING_TYPES).toContain(listingType);
      expect(listing.images.sources.length).toBeGreaterThan(0);
      expect(listingSchema.safeParse(listing)).toMatchObject({ success: true });
    }
  });

  // rows: B3-LISTING-08, B3-LISTING-10, A3-LISTING-06, A3-LISTING-07, A3-LISTING-12, A3-LISTING-13, A3-LISTING-16
  it.each([
    // Both shapes of the specs (AMB-010).
    ['make.name'],
    ['makeCode'],
    ['model.name'],
    ['modelCode'],
    ['year'],
    ['listingType'],
    ['fuelTypeGroup'],
    ['fuelType.code'],
    ['vehicleStyleCodes'],
    ['bodyStyles'],
    ['doors'],
    ['specifications.engine'],
    ['specifications.driveType'],
    ['driveType'],
    ['color.exteriorColorSimple'],
    ['color.interiorColorSimple'],
    ['viewCount'],
    ['isReducedPrice'],
    ['isHot'],
    ['hasSpecialOffer'],
  ])('returns %s for every listing', (path) => {
    expect(valuesAt(listings, path)).toHaveLength(listings.length);
  });

  // rows: B3-LISTING-02, B3-LISTING-07, B3-LISTING-11, B3-LISTING-12, B3-LISTING-13, A3-LISTING-08
  // rows: A3-LISTING-09, A3-LISTING-10, A3-LISTING-12, A3-LISTING-13
  it.each([
    ['trim.name'],
    ['mileage.value'],
    ['specifications.mileage'],
    ['specifications.mpg'],
    ['specifications.mileRange'],
    ['mpgHighway'],
    ['engine.code'],
    ['truckBedLength'],
    ['displacementUOM'],
    ['phone'],
    ['website.href'],
    ['fyuseId'],
    ['accelerate'],
    ['pricingDetail.incentive'],
    ['pricingDetail.salePrice'],
    ['pricingDetail.msrp'],
    ['pricingDetail.dealIndicator'],
    ['pricingDetail.payments.monthly'],
    ['marketExtension.parentOwnerId'],
    ['marketExtension.imeDmaMatch'],
  ])('returns %s for some listings', (path) => {
    expect(valuesAt(listings, path).length).toBeGreaterThan(0);
  });

  const isDealer = ({ sellerType }: StockOwner) => sellerType === 'd';

  // rows: B3-LISTING-01, B3-LISTING-02, B3-LISTING-05, B3-LISTING-07, B3-LISTING-08, B3-LISTING-09
  // rows: B3-LISTING-10, B3-LISTING-11, B3-LISTING-12, B3-LISTING-13
  it.each<[path: string, storedValue: (stored: StockListing, seller: StockOwner) => unknown]>([
    ['vin', ({ vin }) => vin],
    ['title', ({ year, make, model }) => expect.stringContaining(`${year} ${make.name} ${model.name}`)],
    ['pricingDetail.incentive', ({ incentive }) => incentive],
    ['pricingDetail.salePrice', ({ salePrice }) => salePrice],
    ['pricingDetail.msrp', ({ msrp }) => msrp],
    ['pricingDetail.dealIndicator', ({ dealIndicator }) => dealIndicator],
    ['phone', (_, { phone }) => phone],
    ['ownerName', (_, seller) => (isDealer(seller) ? seller.name : 'Private Seller')],
    ['website.href', (_, seller) => (isDealer(seller) ? seller.website : undefined)],
    ['viewCount', ({ viewCount }) => viewCount],
    ['isReducedPrice', ({ previousPrice }) => previousPrice !== undefined],
    ['year', ({ year }) => year],
    ['make.name', ({ make }) => make.name],
    ['makeCode', ({ make }) => make.code],
    ['model.name', ({ model }) => model.name],
    ['modelCode', ({ model }) => model.code],
    ['trim.name', ({ trim }) => trim?.name],
    ['listingType', ({ listingType }) => listingType],
    ['driveType', ({ drive }) => drive],
    ['mileage.value', ({ mileage }) => mileage],
    ['bodyStyles.0.code', ({ bodyStyle }) => bodyStyle],
    ['fuelType.code', ({ fuel }) => fuel],
    ['mpgHighway', ({ mpgHighway }) => mpgHighway],
    ['color.exteriorColorSimple', ({ extColor }) => extColor],
    ['color.interiorColorSimple', ({ intColor }) => intColor],
    ['engine.code', ({ engineCode }) => engineCode],
    ['doors', ({ doors }) => doors],
    ['accelerate', (_, seller) => isDealer(seller) && seller.homeServices.includes('BUY_ONLINE')],
    // The search is around Chicago, whose market is 602.
    [
      'marketExtension.imeDmaMatch',
      ({ extendedDelivery }, { dma }) => (extendedDelivery ? dma === '602' : undefined),
    ],
    ['marketExtension.parentOwnerId', ({ extendedDelivery }, { id }) => (extendedDelivery ? id : undefined)],
  ])('returns the stored value of each listing as %s', (path, storedValue) => {
    const listingsById = new Map(stock.listings.map((stored) => [stored.id, stored]));
    const sellersById = new Map(stock.owners.map((seller) => [seller.id, seller]));
    const storedValues = listings.map(({ id }) => {
      const stored = listingsById.get(id)!;
      return storedValue(stored, sellersById.get(stored.ownerId)!);
    });
    expect(listings.map((listing) => valueAt(listing, path))).toEqual(storedValues);
  });

  // rows: A3-OWNER-01, A3-OWNER-02, A3-OWNER-03, A3-OWNER-04
  it('returns owners with name, distance and services', () => {
    for (const owner of owners) expect(ownerSchema.safeParse(owner)).toMatchObject({ success: true });
    for (const path of ['id', 'name', 'distanceFromSearch', 'homeServices', 'images.sources'])
      expect(valuesAt(owners, path)).toHaveLength(owners.length);
    for (const path of [
      'rating.value',
      'shippingLabel',
      'website.href',
      'dealerDiff.tagline',
      'dealerDiff.contentId',
      'dealerDiff.tile',
    ])
      expect(valuesAt(owners, path).length).toBeGreaterThan(0);
  });

  // rows: A3-OWNER-02, A3-OWNER-04
  it("returns a dealer's own tagline, and a shipping label only with home delivery", () => {
    const taglines = new Map(stock.owners.map(({ id, tagline }) => [id, tagline]));
    const isOwn = ({ id, dealerDiff }: Owner) =>
      dealerDiff?.tagline === taglines.get(id) && (!dealerDiff || dealerDiff.contentId === id);
    expect(owners.filter((owner) => !isOwn(owner))).toEqual([]);
    for (const { shippingLabel, homeServices } of owners)
      expect(shippingLabel !== undefined).toBe(homeServices.includes('HOME_DELIVERY'));
  });

  // rows: B1-SCOPE-06
  it('omits the names of private sellers', async () => {
    const { listings: theirs, owners: sellers } = await search('sellerType=p&numRecords=50');
    expect(theirs.length).toBeGreaterThan(0);
    expect(
      sellers.every(({ privateSeller, ownerName }) => privateSeller && ownerName === 'Private Seller'),
    ).toBe(true);
  });

  // rows: A1-ALERT-01, A7-CALL-01
  it('returns only those of the requested VINs that are still for sale', async () => {
    const [active] = listings;
    const response = await search(`collapseFilters=true&channel=ATC&vin=${active!.vin},1GONE000000000000`);
    expect(response.listings.map(({ vin }) => vin)).toEqual([active!.vin]);
    expect(response.owners.map(({ id }) => id)).toEqual([active!.ownerId]);
  });

  // rows: A7-COUNT-01, B7-OTHER-07
  it('counts great prices nationwide', async () => {
    const count = (await (
      await app.get('/rest/lsc/listing/count?makeCode=FORD&zip=60601&searchRadius=0&dealType=greatprice')
    ).json()) as RawResponse;
    const all = await search('makeCode=FORD&dealType=greatprice&numRecords=100');
    expect(count.totalResultCount).toBe(all.totalResultCount);
    expect(all.listings.every(({ pricingDetail }) => pricingDetail.dealIndicator === 'Great')).toBe(true);
  });

  // rows: A1-ADS-01
  it('derives ad targeting from the search', async () => {
    const { pageData } = (await (
      await app.get('/rest/lsc/listing?makeCode=FORD&modelCode=F150&zip=60601')
    ).json()) as { pageData: { ad: object } };
    expect(pageData.ad).toMatchObject({ make: 'FORD', model: 'F150', zip: '60601' });
  });

  // rows: B7-OTHER-02
  it('returns the base path of listing links', async () => {
    const { basePath } = (await (await app.get('/cars-for-sale/svc/vdp-base?brand=atc')).json()) as {
      basePath: string;
    };
    expect(listings[0]!.vdpBaseUrl).toBe(`${basePath}/${listings[0]!.id}`);
  });
});

describe('search response for three vehicles', () => {
  let app: TestApp;
  let body: SearchResponse;
  beforeAll(async () => {
    const listings = [
      aListing({ id: '1', vin: 'V1', year: 2015, salePrice: 10_000 }),
      aListing({ id: '2', vin: 'V2', year: 2022, salePrice: 20_000 }),
      aListing({
        id: '3',
        vin: 'V3',
        year: 2018,
        salePrice: 30_000,
        isHot: true,
        electricRange: 300,
        engineDisplacement: '3.5',
        truckBedLength: 'SHORT',
      }),
    ];
    app = await startTestApp({ owners: [anOwner()], listings });
    const query = 'makeCode=FORD&numRecords=2&sortBy=derivedpriceDESC';
    body = await app.json<SearchResponse>(`/rest/lsc/listing?${query}`);
  });
  afterAll(() => app.stop());

  // rows: A3-RESP-05, A3-RESP-06, B7-LIST-08
  it('returns the number of all matches, and the bounds of their prices and years', () => {
    expect(body.listings.map(({ id }) => id)).toEqual(['3', '2']);
    expect(body.totalResultCount).toBe(3);
    expect(body.stats).toEqual({
      derivedprice: { min: 10_000, max: 30_000 },
      year: { min: 2015, max: 2022 },
    });
  });

  // rows: A3-RESP-09, A3-RESP-10, A3-SAVED-01
  it('returns texts about the make and the search', () => {
    const text = '3 listings for $10,000 to $30,000. Model years 2015 to 2022.';
    expect(body.makeSummaryData).toEqual({ makeCode: 'FORD', heading: 'About these Ford vehicles', text });
    expect(body.pageData.summaryContentData).toEqual({ heading: 'Ford', text });
    expect(body.pageData.saveSearchData).toEqual({
      saveSearchString: 'Ford',
      saveSearchInstrText: expect.stringContaining('Save this search'),
      textModalDisclaimer: expect.stringContaining('Without an account'),
      subscribed: false,
    });
  });

  // rows: A3-LISTING-06, A3-LISTING-07, A3-LISTING-12, A3-LISTING-13, A3-LISTING-16
  it("returns a vehicle's values in their fields", () => {
    expect(body.listings[0]).toMatchObject({
      make: { code: 'FORD', name: 'Ford' },
      model: { code: 'F150', name: 'F150' },
      viewCount: 5,
      isHot: true,
      hasSpecialOffer: false,
      specifications: {
        mileage: 31_000,
        mpg: 20,
        mileRange: 300,
        engine: '6-Cylinder',
        driveType: 'AWD4WD',
      },
      vehicleStyleCodes: ['TRUCKS'],
      fuelTypeGroup: 'GSL',
      doors: 4,
      truckBedLength: 'SHORT',
      displacementUOM: '3.5',
    });
  });
});
