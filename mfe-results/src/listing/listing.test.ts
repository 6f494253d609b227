import { CALLS } from '@forecourt/shared-contracts/calls';
import { describe, expect, it } from '@jest/globals';
import { buildListing, buildOwner } from '@forecourt/shared-contracts/testing';
import { sellerText, vehicleFacts, primaryPicture } from './facts.ts';
import { dealText, priceText } from './price.ts';
import { remarks, urgencyText } from '../card/ListingCard.tsx';

const pricedListing = (
  pricingDetail: ReturnType<typeof buildListing>['pricingDetail'],
  isReducedPrice = false,
) => buildListing({ pricingDetail, isReducedPrice });

describe('priceText', () => {
  it('reads "Call for price" without a price', () => {
    expect(priceText(pricedListing({}), { payments: true })).toEqual({ current: 'Call for price' });
  });

  it('returns the previous price of reduced listings only', () => {
    const pricing = { derivedPrice: 31_000, previousPrice: 33_500 };
    expect(priceText(pricedListing(pricing, true), { payments: false })).toEqual({
      current: '$31,000',
      previous: '$33,500',
    });
    expect(priceText(pricedListing(pricing, false), { payments: false }).previous).toBeUndefined();
    expect(
      priceText(pricedListing({ derivedPrice: 31_000, previousPrice: 30_000 }, true), { payments: false })
        .previous,
    ).toBeUndefined();
  });

  // rows: A3-LISTING-10
  it('returns the payment only while payments are on', () => {
    const listing = pricedListing({ derivedPrice: 31_000, payments: { monthly: 512, term: 72, apr: 6.99 } });
    expect(priceText(listing, { payments: true }).payment).toBe('Est. $512/mo');
    expect(priceText(listing, { payments: false }).payment).toBeUndefined();
  });
});

describe('dealText', () => {
  // rows: B3-LISTING-03
  it('names Great and Good deals and no others', () => {
    expect(dealText(pricedListing({ dealIndicator: 'Great' }))).toBe('Great Price');
    expect(dealText(pricedListing({ dealIndicator: 'Good' }))).toBe('Good Price');
    expect(dealText(pricedListing({ dealIndicator: 'Fair' }))).toBeUndefined();
    expect(dealText(pricedListing({ dealIndicator: 'High' }))).toBeUndefined();
    expect(dealText(pricedListing({ dealIndicator: undefined }))).toBeUndefined();
  });
});

describe('vehicleFacts', () => {
  it('lists mileage, drive, fuel and fuel economy', () => {
    expect(vehicleFacts(buildListing())).toEqual(['31,250 mi', 'AWD/4WD', 'Gasoline', '21 mpg']);
  });

  it('labels the drive code', () => {
    expect(vehicleFacts(buildListing({ driveType: 'AWD4WD' }))[1]).toBe('AWD/4WD');
    expect(vehicleFacts(buildListing({ driveType: 'FWD' }))[1]).toBe('FWD');
  });

  it('lists the range of an electric vehicle instead of its economy', () => {
    const electric = buildListing({
      fuelTypeGroup: 'ELE',
      fuelType: { code: 'ELE', name: 'Electric' },
      specifications: { mpg: 120, mileRange: 303 },
    });
    expect(vehicleFacts(electric).at(-1)).toBe('303 mi range');
  });

  it('leaves out unknown facts', () => {
    const minimalListing = buildListing({ mileage: undefined, driveType: undefined, specifications: {} });
    expect(vehicleFacts(minimalListing)).toEqual(['Gasoline']);
  });
});

describe('sellerText', () => {
  it('returns name, distance, place and rating of a dealer', () => {
    expect(sellerText(buildListing(), buildOwner({ distanceFromSearch: 12.4 }))).toEqual({
      name: 'Lakeside Ford',
      distance: '12 mi away',
      place: 'Chicago, IL',
      rating: { value: '4.6', count: '210' },
    });
  });

  // rows: A3-OWNER-06
  it("returns 'Private Seller' for a private seller, regardless of the name", () => {
    const owner = CALLS.listing.response.shape.owner.parse(
      buildOwner({ privateSeller: true, ownerName: 'Jo Doe' }),
    );
    expect(sellerText(buildListing(), owner).name).toBe('Private Seller');
  });

  it('falls back to the listing when its owner is missing', () => {
    expect(sellerText(buildListing({ distance: 3 }), undefined)).toEqual({
      name: 'Lakeside Ford',
      distance: '3 mi away',
    });
  });
});

describe('remarks', () => {
  const urgent = (urgencyDriverType: string, urgencyDriverValue: number) =>
    buildListing({ vehicleHighlight: { isVehicleHighlight: true, urgencyDriverType, urgencyDriverValue } });

  // rows: B3-LISTING-14
  it('returns why a highlighted listing is urgent, or nothing for unknown reasons', () => {
    expect(urgencyText(urgent('PRICE_DROP', 1500))).toBe('Price dropped $1,500');
    expect(urgencyText(urgent('HIGH_INTEREST', 24))).toBe('24 people are viewing this');
    expect(urgencyText(urgent('NEW_LISTING', 1))).toBe('Listed 1 day ago');
    expect(urgencyText(urgent('MOON_PHASE', 1))).toBeUndefined();
    expect(urgencyText(buildListing())).toBeUndefined();
  });

  // rows: A3-LISTING-06, A3-LISTING-07
  it.each([
    [{ isHot: true }, ['In demand']],
    [{ hasSpecialOffer: true }, ['Special offer']],
    [{ isHot: true, hasSpecialOffer: true }, ['In demand', 'Special offer']],
    [{}, []],
  ])('names demand and offer of a listing with %j', (fields, texts) => {
    expect(remarks(buildListing(fields))).toEqual(texts);
  });
});

describe('primaryPicture', () => {
  const sources = [
    { src: '/a.svg', alt: 'a' },
    { src: '/b.svg', alt: 'b' },
  ];
  // rows: A3-LISTING-11, B3-LISTING-04
  it('returns the primary picture, or the first when it is missing', () => {
    expect(primaryPicture(buildListing({ images: { primary: 1, sources } }))).toEqual(sources[1]);
    expect(primaryPicture(buildListing({ images: { primary: 7, sources } }))).toEqual(sources[0]);
    expect(primaryPicture(buildListing({ images: { primary: 0, sources: [] } }))).toBeUndefined();
  });
});
