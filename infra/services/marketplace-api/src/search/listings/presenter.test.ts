import { CALLS } from '@forecourt/upstream/calls';
import {
  type Listing,
  type ListingsResponse,
  type SearchResponse,
  listingSchema,
  ownerSchema,
} from '@forecourt/upstream/entities';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { isEcommerceEligible } from '../../domain/payments.ts';
import { vehicleName } from '../../domain/stock.ts';
import { createInventoryWriter } from '../../inventory/store/inventoryWriter.ts';
import { urgencyOf } from './badges.ts';
import { aListing, anOwner } from '../../testing/arbitraries.ts';
import { type TestApp, generatedStock, startTestApp } from '../../testing/testApp.ts';

jest.setTimeout(60_000);

describe('commerce fields of listings and owners', () => {
  let app: TestApp;
  let listings: Listing[];
  let body: SearchResponse;
  const stock = generatedStock(4000);
  beforeAll(async () => {
    app = await startTestApp(stock);
    body = await app.json<SearchResponse>('/rest/lsc/listing?numRecords=100');
    listings = body.listings.map((listing) => listingSchema.parse(listing));
  });
  afterAll(() => app.stop());

  const withOwner = (id: string) => {
    const owner = body.owners.find((candidate) => candidate.id === id);
    if (!owner) throw new Error(`No owner ${id}`);
    return owner;
  };

  // rows: A3-LISTING-14, A3-LISTING-15
  it('returns payment services for priced listings and online purchase for participating dealers only', () => {
    const online = listings.filter(({ paymentServices }) => paymentServices?.uiEnabled);
    expect(online.length).toBeGreaterThan(0);
    expect(online.length).toBeLessThan(listings.length);
    for (const { id, paymentServices, pricingDetail, ownerId, listingType } of listings) {
      if (pricingDetail.derivedPrice === undefined) {
        expect(paymentServices).toBeUndefined();
        continue;
      }
      const { paymentCalculationUrl, incentivesUrl, uiEnabled, dealerSettings, digitalRetailingType } =
        paymentServices!;
      expect(paymentCalculationUrl).toBe(
        `/payments/calculate?listingId=${id}&price=${pricingDetail.derivedPrice}`,
      );
      expect(incentivesUrl).toBe(`/payments/incentives?listingId=${id}`);
      expect(uiEnabled).toBe(withOwner(ownerId).homeServices.includes('BUY_ONLINE'));
      expect(digitalRetailingType).toBe(uiEnabled ? 'FULL' : 'NONE');
      if (dealerSettings?.leaseEnabled) expect(listingType).toBe('NEW');
    }
    expect(listings.some(({ paymentServices }) => paymentServices?.dealerSettings?.leaseEnabled)).toBe(true);
  });

  // rows: B3-LISTING-15, B3-LISTING-16
  it('returns program and tile for certified listings only', async () => {
    const certified = (
      await app.json<SearchResponse>('/rest/lsc/listing?listingType=CERTIFIED,3P_CERT&numRecords=50')
    ).listings;
    expect(certified.length).toBeGreaterThan(10);
    for (const { certifiedProduct, listingType, makeCode, productTiles, vdpBaseUrl } of certified) {
      expect(certifiedProduct).toBe(
        listingType === 'CERTIFIED' ? `${makeCode}_CERTIFIED` : 'THIRD_PARTY_CERTIFIED',
      );
      expect(productTiles[0]).toEqual({
        tileType: 'CERTIFIED',
        tileSubType: certifiedProduct,
        link: vdpBaseUrl,
        image: expect.stringMatching(/^\/pictures\/tiles\/certified\//),
      });
    }
    const others = listings.filter(({ listingType }) => ['NEW', 'USED'].includes(listingType));
    expect(others.every(({ certifiedProduct }) => certifiedProduct === undefined)).toBe(true);
    expect(
      others.some(({ productTiles }) => productTiles.some((tile) => tile.tileType === 'CERTIFIED')),
    ).toBe(false);
  });

  // rows: B3-LISTING-06
  it('embeds the seller in the listing', () => {
    for (const { owner, ownerId, phone } of listings) {
      const seller = withOwner(ownerId);
      expect(owner).toMatchObject({
        id: ownerId,
        privateSeller: seller.privateSeller,
        dealerPreferredCTA: seller.dealerPreferredCTA,
      });
      expect(owner?.phone?.value).toBe(phone);
    }
  });

  // rows: A3-RESP-03, B1-OFFER-04
  it('fills the boost slots with listings that match the filters', async () => {
    const response = await app.json<SearchResponse>('/rest/lsc/listing?listingType=USED&maxPrice=30000');
    expect(response.boost).toHaveLength(2);
    const boosted = new Set(stock.listings.filter(({ isBoosted }) => isBoosted).map(({ id }) => id));
    for (const { id, ownerId, listingType, pricingDetail } of response.boost) {
      expect(boosted.has(id)).toBe(true);
      expect(listingType).toBe('USED');
      expect(pricingDetail.derivedPrice).toBeLessThanOrEqual(30_000);
      expect(response.owners.map((owner) => owner.id)).toContain(ownerId);
    }
  });

  it('serves every tile and logo that a listing references', async () => {
    const tiles = listings.flatMap(({ productTiles }) => productTiles);
    const logos = body.owners.flatMap(({ logo }) => (logo ? [logo.src] : []));
    expect(new Set(tiles.map(({ tileType }) => tileType))).toEqual(
      new Set(['CERTIFIED', 'HISTORY', 'DEALER']),
    );
    expect(logos.length).toBeGreaterThan(10);
    for (const path of new Set([...tiles.map(({ image }) => image!), ...logos])) {
      const response = await app.get(path);
      expect([path, response.status, response.headers.get('content-type')]).toEqual([
        path,
        200,
        'image/svg+xml; charset=utf-8',
      ]);
      expect(await response.text()).toMatch(/^<svg [^]*<\/svg>$/);
    }
    expect((await app.get('/pictures/tiles/certified/nothing.svg')).status).toBe(404);
    expect((await app.get('/pictures/tiles/constructor/name.svg')).status).toBe(404);
    expect((await app.get('/pictures/logos/99/ab.svg')).status).toBe(404);
  });

  // rows: A3-OWNER-05, B3-OWNER-01
  it('returns a logo in both shapes for dealers and none for private sellers, and who takes emails', () => {
    for (const raw of body.owners) {
      expect(raw.hideEmailForm).toEqual(expect.any(Boolean));
      const owner = ownerSchema.parse(raw);
      expect(owner.images?.sources[0]?.src).toBe(owner.logo?.src);
      expect(owner.logo !== undefined).toBe(!owner.privateSeller);
    }
  });

  // rows: B3-OWNER-01, A3-OWNER-06
  it('returns the stored data of each seller, without the name and street of private ones', () => {
    const sellers = new Map(stock.owners.map((owner) => [owner.id, owner]));
    expect(new Set(body.owners.map(({ privateSeller }) => privateSeller))).toEqual(new Set([true, false]));
    for (const { id, name, phone, website, location, hideEmailForm, privateSeller } of body.owners) {
      const { sellerType, city, state, zip, ...stored } = sellers.get(id)!;
      const isPrivate = sellerType === 'p';
      expect({ id, privateSeller, name, phone, website, location, hideEmailForm }).toEqual({
        id,
        privateSeller: isPrivate,
        name: isPrivate ? 'Private Seller' : stored.name,
        phone: stored.phone && { value: stored.phone },
        website: stored.website && { href: stored.website },
        location: { address: { address1: isPrivate ? undefined : stored.address, city, state, zip } },
        hideEmailForm: stored.hideEmailForm,
      });
    }
  });

  // rows: B3-LISTING-17
  it('returns online shop fields for dealers in the program and the eligibility of a vehicle', async () => {
    const dealers = new Map(stock.owners.map((owner) => [owner.id, owner]));
    const shopListings = listings.filter(({ esntial }) => esntial);
    expect(shopListings.length).toBeGreaterThan(0);
    for (const { esntial, ownerId, vin } of listings) {
      expect(esntial !== undefined).toBe(dealers.get(ownerId)?.ecommerce !== undefined);
      if (!esntial) continue;
      expect(esntial.ecommWebsite).toBe(`${dealers.get(ownerId)?.website}/buy/${vin}`);
      expect(esntial.deemphasized).toBe(dealers.get(ownerId)?.ecommerce === 'deemphasized');
      const { eligible } = await app.json<{ eligible: boolean }>(esntial.eligibilityService!);
      expect(typeof eligible).toBe('boolean');
    }
    expect(await app.json('/cars-for-sale/svc/esntial-eligibility?listingId=gone')).toEqual({
      eligible: false,
    });
  });

  it('excludes expensive, high-mileage and unpriced vehicles and dealers without a shop from online purchase', () => {
    const shop = anOwner({ ecommerce: 'full' });
    expect(isEcommerceEligible(aListing(), shop)).toBe(true);
    expect(isEcommerceEligible(aListing(), anOwner())).toBe(false);
    expect(isEcommerceEligible(aListing({ mileage: 120_001 }), shop)).toBe(false);
    expect(isEcommerceEligible(aListing({ mileage: undefined }), shop)).toBe(false);
    expect(isEcommerceEligible(aListing({ salePrice: 150_001 }), shop)).toBe(false);
    expect(isEcommerceEligible(aListing({ salePrice: undefined, msrp: undefined }), shop)).toBe(false);
  });

  // rows: B3-LISTING-14
  it.each([
    [{ previousPrice: 40_500, reducedOn: 20_786 }, 'PRICE_DROP', 2500],
    [{ previousPrice: 40_500, reducedOn: 20_785 }, undefined, undefined],
    [{ previousPrice: 40_500, reducedOn: 20_800, viewCount: 100 }, 'PRICE_DROP', 2500],
    [{ viewCount: 100, listedOn: 20_800 }, 'HIGH_INTEREST', 100],
    [{ viewCount: 99 }, undefined, undefined],
    [{ listedOn: 20_797 }, 'NEW_LISTING', 3],
    [{ listedOn: 20_796 }, undefined, undefined],
  ])('highlights a listing with %j for %s %s', (fields, urgencyDriverType, urgencyDriverValue) => {
    const highlight = urgencyOf(aListing(fields), 20_800);
    expect(highlight).toEqual(
      urgencyDriverType && { isVehicleHighlight: true, urgencyDriverType, urgencyDriverValue },
    );
  });

  it('says of a single truck its cab, bed and seats, and of a removed one how it was listed', async () => {
    const truck = aListing({
      ...{ id: '1', year: 2016, bodyStyle: 'TRUCKS', bodySubtype: 'CREWCAB', truckBedLength: 'SHORT' },
      ...{ seats: 5, salePrice: 12_495, mileage: 27_876 },
    });
    const one = await startTestApp({ owners: [anOwner()], listings: [truck] });
    try {
      const { listing } = CALLS.listing.response.parse(await one.json('/rest/lsc/listing/1'));
      expect(listing).toMatchObject({
        seats: 5,
        truckCab: { code: 'CREWCAB', name: 'Crew Cab' },
        truckBed: { code: 'SHORT', name: 'Short Bed (under 6 ft)' },
      });
      const found = await one.json<SearchResponse>('/rest/lsc/listing');
      expect(found.listings[0]).not.toHaveProperty('truckCab');
      const model = async () =>
        CALLS.vehicleModel.response.parse(await one.json('/rest/lsc/listing/1/model'));
      expect(await model()).not.toHaveProperty('removed');
      await createInventoryWriter(one.db).expireMissing('test', () => false);
      expect((await model())?.removed).toMatchObject({
        title: vehicleName(truck),
        image: { src: expect.stringMatching(/^\/pictures\//) },
        ...{ price: 12_495, mileage: 27_876 },
      });
    } finally {
      await one.stop();
    }
  });

  describe('new-car boosts', () => {
    const boosts = async (query: string) =>
      CALLS.similar.response.parse(
        await app.json<ListingsResponse>(`/rest/lsc/newcarboost/listing?firstRecord=0&numRecords=2&${query}`),
      ).listings;

    // rows: B7-NCB-01, B7-NCB-02, B7-NCB-03
    it("boosts two new cars of the model regardless of the used search's year, mileage and price", async () => {
      const boosted = await boosts(
        'makeCode=FORD&modelCodeToBoost=F150&listingType=USED&endYear=2022&mileage=60000&maxPrice=20000',
      );
      expect(boosted).toHaveLength(2);
      for (const { listingType, makeCode, modelCode } of boosted)
        expect([listingType, makeCode, modelCode]).toEqual(['NEW', 'FORD', 'F150']);
    });

    it('boosts new cars of the requested trim first, then others of its model', async () => {
      const [first, second] = await boosts(
        'makeCode=FORD&modelCodeToBoost=F150&trimCodeToBoost=F150%7CLariat',
      );
      expect(first?.trim?.code).toBe('F150|Lariat');
      expect(second?.modelCode).toBe('F150');
    });

    it('returns no new-car boosts when the search has no make', async () => {
      expect(await boosts('modelCodeToBoost=F150')).toEqual([]);
    });
  });
});
