import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { SORT_VALUES } from '@forecourt/search/criteria';
import { BODY_STYLES, FUEL_GROUPS, LISTING_TYPES } from '@forecourt/upstream/codes';
import {
  type ListingsResponse,
  type SearchResponse,
  searchResponseSchema,
} from '@forecourt/upstream/entities';
import { type TestApp, generatedStock, startTestApp } from '../../testing/testApp.ts';

jest.setTimeout(60_000);

describe('listing calls on the generated inventory', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp(generatedStock(6000));
  });
  afterAll(() => app.stop());

  const search = (query = '') => app.json<SearchResponse>(`/rest/lsc/listing?${query}`);
  const similar = (query: string) => app.json<ListingsResponse>(`/rest/lsc/listing/similar?${query}`);
  const labelsOf = async (name: string) => {
    const { filters } = await search();
    const options = filters.find((filter) => filter.name === name)?.options ?? [];
    return Object.fromEntries(options.map(({ value, label }) => [value, label]));
  };

  // rows: A1-SCOPE-01, A3-LISTING-05, B1-SCOPE-02, B2-QP-05
  it.each(LISTING_TYPES)('returns only %s listings when filtered by condition', async (type) => {
    const all = await search();
    const { listings, totalResultCount } = await search(`listingType=${type}`);
    expect(totalResultCount).toBeGreaterThan(0);
    expect(totalResultCount).toBeLessThan(all.totalResultCount);
    expect(new Set(listings.map(({ listingType }) => listingType))).toEqual(new Set([type]));
  });

  // rows: A1-SCOPE-02, A3-SORT-02, A3-SORT-03, A3-SORT-04, A3-SORT-05, A3-SORT-06, A3-SORT-07, A3-SORT-08
  // rows: A3-SORT-09, A3-SORT-10
  it.each(SORT_VALUES)('sorts listings by %s across pages', async (sortBy) => {
    const query = `zip=60601&searchRadius=100&sortBy=${sortBy}`;
    const pages = [await search(query), await search(`${query}&firstRecord=30`)];
    const listings = pages.flatMap((page) => page.listings);
    expect(new Set(listings.map(({ id }) => id)).size).toBe(60);
    const valueOf = (listing: (typeof listings)[number]): number => {
      if (/^derivedprice|^monthlyPayment/.test(sortBy)) return listing.pricingDetail.derivedPrice ?? Infinity;
      if (sortBy.startsWith('mileage')) return listing.mileage?.value ?? Infinity;
      if (sortBy.startsWith('year')) return listing.year;
      if (sortBy.startsWith('datelisted')) return -(listing.daysListed ?? 0);
      return sortBy === 'distanceASC' ? (listing.distance ?? Infinity) : 0;
    };
    const values = listings.map(valueOf);
    const sign = sortBy.endsWith('DESC') ? -1 : 1;
    expect(values).toEqual(values.toSorted((a, b) => sign * (a - b)));
  });

  // rows: A3-CODES-01, A3-CODES-02, A3-CODES-03, A3-CODES-04, A3-CODES-05, A3-CODES-06
  it('returns a label for each fuel', async () => {
    const names = {
      ELE: 'Electric',
      GSL: 'Gasoline',
      DSL: 'Diesel',
      HYB: 'Hybrid',
      ALT: 'Alternative',
      HYD: 'Hydrogen',
    };
    expect(FUEL_GROUPS).toMatchObject(names);
    const labels = Object.entries(await labelsOf('fuelTypeGroup'));
    expect(labels.length).toBeGreaterThanOrEqual(5);
    for (const [code, label] of labels) expect(label).toBe(FUEL_GROUPS[code as keyof typeof FUEL_GROUPS]);
  });

  // rows: A3-CODES-07
  it('offers every body style of both the regular and the commercial set', async () => {
    const labels = await labelsOf('vehicleStyleCode');
    for (const [code, { label }] of Object.entries(BODY_STYLES))
      expect([code, labels[code]]).toEqual([code, label]);
  });

  // rows: B1-SCOPE-06, B2-QP-06
  it('returns private sellers for sellerType p and dealers for d', async () => {
    const { owners, totalResultCount } = await search('sellerType=p');
    expect(totalResultCount).toBeGreaterThan(0);
    expect(owners.every(({ privateSeller }) => privateSeller)).toBe(true);
    expect((await search('sellerType=d')).owners.some(({ privateSeller }) => privateSeller)).toBe(false);
  });

  // rows: B1-OFFER-01, B1-SCOPE-05
  it("returns a dealer's vehicles for sponsor and seller searches", async () => {
    const { alpha } = searchResponseSchema.parse(await search('zip=60601&searchRadius=50'));
    const sponsor = alpha!.ownerBean.id;
    const sponsorListings = await search(`isSponsorship=true&showcaseOwnerId=${sponsor}`);
    expect(sponsorListings.totalResultCount).toBeGreaterThan(0);
    expect(sponsorListings.listings.every(({ ownerId }) => ownerId === sponsor)).toBe(true);
  });

  // rows: A3-RESP-02
  it('includes three empty spotlight lists in the search response', async () => {
    const response = await search();
    expect([response.spotlights, response.featuredSpotlights, response.standardSpotlights]).toEqual([
      [],
      [],
      [],
    ]);
  });

  // rows: B7-PREM-01
  it('applies the filters of the search to premium spotlights', async () => {
    const { listings } = await app.json<ListingsResponse>(
      '/rest/lsc/listing/spotlight/premiumresults?listingType=USED&maxPrice=30000&numSpotlights=10',
    );
    expect(listings.length).toBeGreaterThan(3);
    for (const { listingType, pricingDetail } of listings) {
      expect(listingType).toBe('USED');
      expect(pricingDetail.derivedPrice).toBeLessThanOrEqual(30_000);
    }
  });

  // rows: A7-SUPP-01, A7-SUPP-02, A7-SUPP-04
  it('returns up to a hundred supplemental listings without filter options', async () => {
    const query = 'vehicleStyleCode=SUVCROSS&hideFilters=true&supplemental=true&numRecords=100&channel=ATC';
    const first = await search(`${query}&firstRecord=0`);
    const second = await search(`${query}&firstRecord=100`);
    expect(first.listings).toHaveLength(100);
    expect(first.listings.every(({ vehicleStyleCodes }) => vehicleStyleCodes.includes('SUVCROSS'))).toBe(
      true,
    );
    expect(first.filters.flatMap(({ options }) => options)).toEqual([]);
    expect(first.totalResultCount).toBe((await search('vehicleStyleCode=SUVCROSS')).totalResultCount);
    expect(first.owners.map(({ id }) => id)).toEqual(
      expect.arrayContaining(first.listings.map(({ ownerId }) => ownerId)),
    );
    expect(second.listings.some(({ id }) => first.listings.some((listing) => listing.id === id))).toBe(false);
  });

  // rows: B2-BOTTOM-03
  it('appends the nearest results of a wider search when there are few supplemental listings', async () => {
    const few = 'makeCode=FORD&modelCode=F150&zip=60601&searchRadius=10&maxPrice=30000';
    const ownIds = (await search(few)).listings.map(({ id }) => id);
    expect(ownIds.length).toBeLessThan(25);
    const { listings, totalResultCount } = await search(`${few}&supplemental=true&numRecords=100`);
    expect(listings.map(({ id }) => id).slice(0, ownIds.length)).toEqual(ownIds);
    const added = listings.slice(ownIds.length);
    expect(added).toHaveLength(18);
    expect(totalResultCount).toBe(listings.length);
    expect(new Set(listings.map(({ id }) => id)).size).toBe(listings.length);
    expect(added.every(({ make, model }) => `${make.name} ${model.name}` === 'Ford F-150')).toBe(true);
    expect(added.some(({ distance = 0 }) => distance > 10)).toBe(true);
    const distances = added.map(({ distance = 0 }) => distance);
    expect(distances).toEqual([...distances].sort((a, b) => a - b));

    // Filters without results fall back to make and model.
    const none = await search(
      'makeCode=FORD&modelCode=F150&keyword=zeppelin&supplemental=true&numRecords=100',
    );
    expect(none.listings).toHaveLength(18);
    // The call for other markets sets its own radius (AMB-151).
    const nearby = await search(`${few}&supplemental=true&marketExtension=include`);
    expect(nearby.totalResultCount).toBe((await search(`${few}&marketExtension=include`)).totalResultCount);
  });

  // rows: A7-SIM-01, A7-SIM-02, A7-SIM-03, A7-SIM-04
  it('returns similar nearby vehicles by style and series without those already shown', async () => {
    const base =
      'makeCode=TOYOTA&zip=60601&searchRadius=100&numRecords=20&channel=ATC&ignorePriority=true&includeVehicleHighlights=true&vhrProvider=CARFAX';
    const { listings } = await similar(`${base}&bodyStyleCode=SEDAN`);
    expect(listings).toHaveLength(20);
    expect(listings.every(({ vehicleStyleCodes }) => vehicleStyleCodes.includes('SEDAN'))).toBe(true);
    expect(listings.every(({ distance = Infinity }) => distance <= 100)).toBe(true);
    const shownIds = listings.slice(0, 3).map(({ id }) => id);
    const others = await similar(`${base}&bodyStyleCode=SEDAN&excludedListingId=${shownIds.join(',')}`);
    expect(others.listings.some(({ id }) => shownIds.includes(id))).toBe(false);

    const { filters } = await search('makeCode=BMW');
    const ofMake = filters.find(({ name }) => name === 'seriesCode')?.options;
    const series = ofMake?.find(({ count }) => (count ?? 0) > 0);
    expect(ofMake?.find(({ value }) => value === '3SERIES')?.label).toBe('3 Series');
    const alike = await similar(`makeCode=BMW&classSeriesCode=${series!.value}&numRecords=20`);
    const ofSeries = await search(`makeCode=BMW&seriesCode=${series!.value}&numRecords=100`);
    expect(ofSeries.listings.map(({ id }) => id)).toContain(alike.listings[0]?.id);
    expect(alike.listings[0]?.seriesCode).toBe(series?.value);
  });

  it('applies the default filters of a page mode unless the shopper chose narrower ones', async () => {
    const count = async (query: string) => (await search(query)).totalResultCount;
    expect(await count('experience=commercial')).toBe(await count('vehicleUseType=COMMERCIAL'));
    expect(await count('experience=best-deals')).toBe(await count('dealType=greatprice,goodprice'));
    expect(await count('experience=best-deals&dealType=greatprice')).toBe(await count('dealType=greatprice'));
    expect(await count('experience=unheard')).toBe(await count(''));
  });

  // rows: A2-QP-29
  it('returns as many listings as the option counts when extended delivery is included', async () => {
    const near = await search('zip=60601&searchRadius=25');
    const option = near.filters.find(({ name }) => name === 'marketExtension')?.options[0];
    const extended = await search(
      'zip=60601&searchRadius=25&marketExtension=include&sortBy=distanceASC&numRecords=100',
    );
    expect(extended.totalResultCount).toBe(option?.count);
    expect(extended.totalResultCount).toBeGreaterThan(near.totalResultCount);
    const far = await search(
      'zip=60601&searchRadius=25&marketExtension=include&sortBy=distanceASC&firstRecord=99999',
    );
    expect(far.listings.every(({ marketExtension }) => marketExtension !== undefined)).toBe(true);
    expect(await search('zip=60601&searchRadius=25&marketExtension=off')).toMatchObject({
      totalResultCount: near.totalResultCount,
    });
  });

  it('returns only series of the selected makes', async () => {
    const series = async (query: string) =>
      (await search(query)).filters
        .find(({ name }) => name === 'seriesCode')
        ?.options.map(({ value }) => value) ?? [];
    const bmw = await series('makeCode=BMW');
    const mercedes = await series('makeCode=MERCEDESBENZ');
    expect(bmw.length).toBeGreaterThan(0);
    expect(mercedes.length).toBeGreaterThan(0);
    expect(bmw.filter((value) => mercedes.includes(value))).toEqual([]);
    expect(new Set(await series('makeCode=BMW,MERCEDESBENZ'))).toEqual(new Set([...bmw, ...mercedes]));
  });
});
