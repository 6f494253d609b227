import { describe, expect, it } from '@jest/globals';
import { anyListingSchema, toListing } from './wireShapes.ts';

const shapeA = {
  id: '1',
  vin: '1FTFW1E50MFA00001',
  title: '2021 Ford F150 XLT w/ Tow Package',
  ownerId: 'o1',
  listingType: 'used',
  year: 2021,
  make: 'Ford',
  makeCode: 'FORD',
  model: 'F-150',
  modelCode: 'F150',
  trim: 'XLT',
  trimCode: 'F150|XLT',
  vehicleStyleCodes: ['TRUCKS'],
  fuelTypeGroup: 'GSL',
  specifications: { mileage: 31000, driveType: 'AWD4WD' },
  pricingDetail: { salePrice: 30000, msrp: 40000 },
};

describe('toListing', () => {
  // rows: A3-LISTING-02
  it("truncates the title before ' w/'", () => {
    expect(toListing(shapeA).title).toBe('2021 Ford F150 XLT');
    expect(toListing({ ...shapeA, title: ' w/ Tow Package' }).title).toBe('w/ Tow Package');
  });

  // rows: A3-LISTING-05
  it('reads conditions case-insensitively', () => {
    expect(toListing(shapeA).listingType).toBe('USED');
    expect(() => toListing({ ...shapeA, listingType: 'stolen' })).toThrow();
  });

  // rows: A3-LISTING-12, B3-LISTING-08, B3-LISTING-09, B3-LISTING-10
  it('fills the second shape from the first', () => {
    const listing = toListing(shapeA);
    expect(listing.make).toEqual({ code: 'FORD', name: 'Ford' });
    expect(listing.model).toEqual({ code: 'F150', name: 'F-150' });
    expect(listing.trim).toEqual({ code: 'F150|XLT', name: 'XLT' });
    expect(listing.mileage).toEqual({ value: 31000 });
    expect(listing.driveType).toBe('AWD4WD');
    expect(listing.bodyStyles[0]?.code).toBe('TRUCKS');
    expect(listing.fuelType.code).toBe('GSL');
  });

  // rows: A3-LISTING-16
  it('fills the first shape from the second', () => {
    const { vehicleStyleCodes: _, specifications: __, ...rest } = shapeA;
    const listing = toListing({
      ...rest,
      make: { code: 'FORD', name: 'Ford' },
      bodyStyles: [{ code: 'TRUCKS', name: 'Truck' }],
      mileage: { value: 31000 },
      driveType: 'AWD4WD',
      specifications: {},
    });
    expect([listing.driveType, listing.specifications.driveType]).toEqual(['AWD4WD', 'AWD4WD']);
    expect(listing.vehicleStyleCodes).toEqual(['TRUCKS']);
    expect(listing.specifications.mileage).toBe(31000);
    expect(listing.makeCode).toBe('FORD');
  });

  // rows: A3-LISTING-12, B3-LISTING-11
  it("returns the engine's name in both places", () => {
    const specified = toListing({
      ...shapeA,
      specifications: { engine: '3.5L V6' },
      engine: { code: '6CLDR' },
    });
    expect(specified.engine).toEqual({ code: '6CLDR', name: '3.5L V6' });
    const named = toListing({ ...shapeA, engine: { code: '6CLDR', name: '3.5L V6' } });
    expect(named.specifications.engine).toBe('3.5L V6');
  });

  // rows: A3-OWNER-06
  it("removes a private seller's name", () => {
    const sold = (privateSeller: boolean) =>
      toListing({ ...shapeA, ownerName: 'Jo Doe', owner: { id: 'o1', privateSeller } }).ownerName;
    expect([sold(true), sold(false)]).toEqual(['Private Seller', 'Jo Doe']);
  });

  // rows: A3-LISTING-01
  it('refuses values that are no listing', () => {
    for (const broken of [{ id: '' }, { vin: '' }, { bodyStyles: {} }, { vehicleStyleCodes: 'TRUCKS' }])
      expect(anyListingSchema.safeParse({ ...shapeA, ...broken }).success).toBe(false);
    expect(anyListingSchema.safeParse(null).success).toBe(false);
  });

  // rows: A3-RESP-05
  it('derives the price from incentive, sale price, then MSRP', () => {
    expect(toListing(shapeA).pricingDetail.derivedPrice).toBe(30000);
    expect(
      toListing({ ...shapeA, pricingDetail: { incentive: 28000, salePrice: 30000 } }).pricingDetail
        .derivedPrice,
    ).toBe(28000);
    expect(toListing({ ...shapeA, pricingDetail: { msrp: 40000 } }).pricingDetail.derivedPrice).toBe(40000);
  });
});
