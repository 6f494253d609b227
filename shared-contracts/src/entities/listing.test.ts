import { describe, expect, it } from '@jest/globals';
import { ownerSchema } from './owner.ts';
import { toListing } from './wireShapes.ts';

/** One listing as the upstream sends it, with everything that a listing may hold. */
const sent = {
  id: '1001',
  vin: '1FTFW1E50MFA00001',
  title: '2021 Ford F-150 XLT',
  ownerId: 'd1',
  owner: { id: 'd1', privateSeller: false, phone: { value: '312-555-0100' }, dealerPreferredCTA: 'phone' },
  vdpBaseUrl: '/cars-for-sale/vehicle/1001',
  listingType: 'USED',
  year: 2021,
  make: { code: 'FORD', name: 'Ford' },
  model: { code: 'F150', name: 'F-150' },
  trim: { code: 'F150|XLT', name: 'XLT' },
  bodyStyles: [{ code: 'TRUCKS', name: 'Truck' }],
  fuelType: { code: 'GSL', name: 'Gasoline' },
  mileage: { value: 31_250 },
  specifications: { mileage: 31_250, mpg: 21, mileRange: 300, engine: '3.5L V6', driveType: 'AWD4WD' },
  color: { exteriorColorSimple: 'BLUE', interiorColorSimple: 'GRAY' },
  engine: { code: '6CLDR', name: '3.5L V6' },
  doors: 4,
  truckBedLength: 'SHORT',
  displacementUOM: 'L',
  pricingDetail: { incentive: 31_000, salePrice: 32_995, msrp: 48_000, dealIndicator: 'Great' },
  images: { primary: 1, sources: [{ src: '/a.svg', alt: 'Front' }] },
  phone: '312-555-0100',
  ownerName: 'Lakeside Ford',
  website: { href: 'https://dealer.example' },
  viewCount: 4,
  isReducedPrice: true,
  isHot: true,
  hasSpecialOffer: true,
  accelerate: true,
  certifiedProduct: 'FORD_BLUE',
  marketExtension: { imeDmaMatch: false, parentOwnerId: 'd9' },
  productTiles: [{ tileType: 'CERTIFIED', tileSubType: 'GOLD', link: '/certified', image: '/tile.svg' }],
  paymentServices: {
    digitalRetailingType: 'FULL',
    dealerSettings: { leaseEnabled: true },
    uiEnabled: true,
    paymentCalculationUrl: '/payments/calculate?vin=1',
    incentivesUrl: '/payments/incentives?vin=1',
  },
  esntial: {
    eligibilityService: '/eligible/1',
    ecommWebsite: 'https://shop.example',
    deemphasized: true,
  },
  vehicleHighlight: { isVehicleHighlight: true, urgencyDriverType: 'PRICE_DROP', urgencyDriverValue: 500 },
};
const listing = toListing(sent);

describe('a listing of the upstream', () => {
  // rows: B3-LISTING-01, A3-LISTING-04
  it('keeps its identity and its detail link', () => {
    const { id, vin, title, vdpBaseUrl } = listing;
    expect({ id, vin, title, vdpBaseUrl }).toEqual({
      id: '1001',
      vin: '1FTFW1E50MFA00001',
      title: '2021 Ford F-150 XLT',
      vdpBaseUrl: '/cars-for-sale/vehicle/1001',
    });
  });

  // rows: B3-LISTING-02
  it('keeps its prices and the deal', () => {
    expect(listing.pricingDetail).toMatchObject(sent.pricingDetail);
  });

  // rows: A3-LISTING-09, B3-LISTING-05, B3-LISTING-06, B3-LISTING-07
  it('keeps who sells it and how to reach them', () => {
    const { phone, ownerName, ownerId, owner, website, viewCount, isReducedPrice } = listing;
    expect({ phone, ownerName, ownerId }).toEqual({
      phone: '312-555-0100',
      ownerName: 'Lakeside Ford',
      ownerId: 'd1',
    });
    expect(owner).toEqual(sent.owner);
    expect({ website, viewCount, isReducedPrice }).toEqual({
      website: { href: 'https://dealer.example' },
      viewCount: 4,
      isReducedPrice: true,
    });
  });

  // rows: B3-LISTING-11
  it('keeps its colours, engine and doors', () => {
    const { color, engine, doors } = listing;
    expect({ color, code: engine.code, doors }).toEqual({ color: sent.color, code: '6CLDR', doors: 4 });
  });

  // rows: B3-LISTING-12, B3-LISTING-13
  it('keeps what belongs to extended delivery and to online purchase', () => {
    expect(listing.marketExtension).toEqual(sent.marketExtension);
    expect(listing.accelerate).toBe(true);
  });

  // rows: B3-LISTING-15, B3-LISTING-16
  it('keeps its product tiles and certified product', () => {
    expect(listing.productTiles).toEqual(sent.productTiles);
    expect(listing.certifiedProduct).toBe('FORD_BLUE');
  });

  // rows: A3-LISTING-14, A3-LISTING-15, B3-LISTING-17
  it('keeps its payment services and its e-commerce', () => {
    expect(listing.paymentServices).toEqual(sent.paymentServices);
    expect(listing.esntial).toEqual(sent.esntial);
  });

  it('is refused without an id, a make or a year, and with a price that is text', () => {
    for (const broken of [{ id: undefined }, { make: undefined }, { year: '2021' }])
      expect(() => toListing({ ...sent, ...broken })).toThrow();
    expect(() => toListing({ ...sent, pricingDetail: { salePrice: '32995' } })).toThrow();
  });
});

describe('an owner of the upstream', () => {
  const owner = {
    id: 'd1',
    name: 'Lakeside Ford',
    ownerName: 'Lakeside Ford',
    privateSeller: false,
    phone: { value: '312-555-0100' },
    logo: { src: '/logo.svg' },
    images: { sources: [{ src: '/logo.svg' }] },
    website: { href: 'https://dealer.example' },
    location: { address: { address1: '1 Main St', city: 'Chicago', state: 'IL', zip: '60601' } },
    distanceFromSearch: 12,
    dma: '602',
    rating: { value: 4.6, count: 210 },
    homeServices: ['BUY_ONLINE'],
    shippingLabel: 'Free shipping',
    dealerPreferredCTA: 'email',
    hideEmailForm: true,
    dealerDiff: { tagline: 'Why us', contentId: 'c1', tile: '/diff.svg' },
  };

  // rows: A3-OWNER-01, A3-OWNER-02, A3-OWNER-04, A3-OWNER-05, B3-OWNER-01
  it('keeps everything that both specs name of it', () => {
    expect(ownerSchema.parse(owner)).toEqual(owner);
  });

  it('is refused without an id or a name', () => {
    for (const broken of [{ id: undefined }, { ownerName: undefined }])
      expect(ownerSchema.safeParse({ ...owner, ...broken }).success).toBe(false);
  });
});
