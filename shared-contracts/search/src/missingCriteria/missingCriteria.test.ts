import { describe, expect, it } from '@jest/globals';
import { toListing } from '@forecourt/upstream/entities';
import { chipsOf } from '../catalog/chips.ts';
import { decodeQuery } from '../criteria/decode.ts';
import { createLabels } from '../catalog/labels.ts';
import { missingCriteria } from './missingCriteria.ts';

const labelOf = createLabels({});
const listing = (edit: Record<string, unknown> = {}) =>
  toListing({
    id: '1',
    vin: '1FTFW1E50MFA00001',
    title: '2018 Ford F150',
    ownerId: 'o1',
    listingType: 'USED',
    year: 2018,
    make: 'Ford',
    makeCode: 'FORD',
    model: 'F150',
    modelCode: 'F150',
    trim: { code: 'XLT', name: 'XLT' },
    vehicleStyleCodes: ['TRUCKS'],
    fuelTypeGroup: 'GSL',
    driveType: 'AWD/4WD',
    mileage: { value: 50000 },
    specifications: { mpg: 30 },
    color: { exteriorColorSimple: 'Red' },
    pricingDetail: { salePrice: 20000, msrp: 30000 },
    features: ['1078'],
    ...edit,
  });
const missing = (
  query: string,
  edit?: Record<string, unknown>,
  owner?: Parameters<typeof missingCriteria>[2],
) =>
  missingCriteria(listing(edit), chipsOf(decodeQuery(query), { labelOf }), owner).map(({ label }) => label);

describe('missingCriteria', () => {
  // rows: B5-MISS-01
  it('returns no criteria when all chips are met and one entry for an unmet one', () => {
    const metChips =
      'makeCode=FORD&modelCode=F150&trimCode=F150|XLT&listingType=USED&driveGroup=AWD4WD&featureCode=1078';
    expect(missing(metChips)).toEqual([]);
    expect(missing(`${metChips}&fuelTypeGroup=ELE`)).toEqual(['Electric']);
  });

  // rows: B5-MISS-01, B5-MISS-06
  it("compares a filter without a field with the upstream's filter values, and otherwise misses it", () => {
    const query = 'vehicleHistoryType=NO_ACCIDENTS&bodyStyleSubtypeCode=CREWCAB';
    const filterCodes = {
      vehicleHistoryType: ['CLEAN_TITLE', 'NO_ACCIDENTS'],
      bodyStyleSubtypeCode: ['CREWCAB'],
    };
    expect(missing(query, { filterCodes })).toEqual([]);
    expect(missing(query, { filterCodes: { bodyStyleSubtypeCode: ['CREWCAB'] } })).toHaveLength(1);
    expect(missing(query)).toHaveLength(2);
  });

  // rows: B5-MISS-02
  it('misses a year outside the range, bounds included', () => {
    expect(missing('startYear=2018&endYear=2020', { year: 2015 })).toEqual(['2018 - 2020']);
    expect(missing('startYear=2018&endYear=2020', { year: 2018 })).toEqual([]);
    expect(missing('startYear=2018&endYear=2020', { year: 2020 })).toEqual([]);
    expect(missing('endYear=2017', { year: 2018 })).toEqual(['2017 or Older']);
  });

  // rows: B5-MISS-03
  it("misses a mileage above the chip's value", () => {
    expect(missing('mileage=50000', { mileage: { value: 50001 } })).toHaveLength(1);
    expect(missing('mileage=50000', { mileage: { value: 50000 } })).toEqual([]);
  });

  // rows: B5-MISS-04
  it('misses a fuel economy below the lower bound', () => {
    expect(missing('mpgRange=30-MPG', { specifications: { mpg: 29 } })).toHaveLength(1);
    expect(missing('mpgRange=30-MPG', { specifications: { mpg: 30 } })).toEqual([]);
    // Only the figure for highways is known.
    expect(missing('mpgRange=30-MPG', { specifications: {}, mpgHighway: 29 })).toHaveLength(1);
    expect(missing('mpgRange=30-MPG', { specifications: {}, mpgHighway: 30 })).toEqual([]);
  });

  // rows: B5-MISS-05
  it('compares the price of incentive, then sale price, then MSRP', () => {
    const max = 'maxPrice=25000';
    expect(missing(max, { pricingDetail: { incentive: 26000, salePrice: 20000, msrp: 20000 } })).toHaveLength(
      1,
    );
    expect(missing(max, { pricingDetail: { salePrice: 26000, msrp: 20000 } })).toHaveLength(1);
    expect(missing(max, { pricingDetail: { msrp: 26000 } })).toHaveLength(1);
    expect(missing(max, { pricingDetail: { salePrice: 20000, msrp: 26000 } })).toEqual([]);
  });

  // rows: B5-MISS-06
  it('misses a color that is not selected, once for all selected colors', () => {
    expect(missing('extColorSimple=WHITE,BLACK')).toEqual(['BLACK or WHITE']);
    expect(missing('extColorSimple=WHITE,RED')).toEqual([]);
  });

  // rows: B5-MISS-06
  it("compares each filter with the listing's field for it", () => {
    const query =
      'vehicleStyleCode=TRUCKS&driveGroup=AWD4WD&extColorSimple=RED&intColorSimple=BLACK&transmissionCode=AUT' +
      '&engineDisplacement=35&engineCode=6CLDR&dealType=goodprice&doorCode=4&truckBedLength=SHORT';
    const fields = {
      color: { exteriorColorSimple: 'RED', interiorColorSimple: 'BLACK' },
      specifications: { transmission: 'AUT' },
      displacementUOM: '35',
      engine: { code: '6CLDR' },
      pricingDetail: { dealIndicator: 'Good' },
      doors: 4,
      truckBedLength: 'SHORT',
    };
    const otherFields = {
      vehicleStyleCodes: ['SEDAN'],
      driveType: 'FWD',
      color: { exteriorColorSimple: 'BLACK', interiorColorSimple: 'RED' },
      specifications: { transmission: 'MAN' },
      displacementUOM: '50',
      engine: { code: '8CLDR' },
      pricingDetail: { dealIndicator: 'Great' },
      doors: 2,
      truckBedLength: 'LONG',
    };
    expect(missing(query, fields)).toEqual([]);
    expect(missing(query, otherFields)).toHaveLength(query.split('&').length);
  });

  it('treats unknown numbers as met and unknown text as missed', () => {
    const minimalListing = { mileage: undefined, specifications: {}, pricingDetail: {}, color: {} };
    expect(missing('mileage=5&mpgRange=30-MPG&maxPrice=5&electricMileRange=200', minimalListing)).toEqual([]);
    expect(missing('extColorSimple=RED', minimalListing)).toEqual(['RED']);
    expect(missing('vehicleHistoryType=CLEAN')).toEqual(['CLEAN']);
  });

  it('requires every selected feature', () => {
    expect(missing('featureCode=1078,2000')).toEqual(['2000']);
  });

  it('reads seller type and home services from the owner', () => {
    const dealer = { privateSeller: false, homeServices: ['BUY_ONLINE'] };
    expect(missing('sellerType=p&homeServices=BUY_ONLINE', {}, dealer)).toEqual(['Private Seller']);
  });

  it('ignores place, sponsor, experience and keyword', () => {
    expect(
      missing(
        'zip=30303&searchRadius=10&isSponsorship=true&experience=commercial&keyword=x&marketExtension=include',
      ),
    ).toEqual([]);
  });

  it('keeps the order of the chips', () => {
    expect(missing('fuelTypeGroup=ELE&listingType=NEW&maxPrice=5')).toEqual(['New', 'Under $5', 'Electric']);
  });
});
