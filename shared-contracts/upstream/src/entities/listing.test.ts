import { describe, expect, it } from '@jest/globals';
import { ownerSchema } from './listing.ts';
import { toListing } from './wireShapes.ts';

/** A listing from the upstream with all optional fields. */
const upstreamListing = {
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
  mpgHighway: 24,
  specifications: { mileage: 31_250, mpg: 21, mileRange: 300, engine: '3.5L V6', driveType: 'AWD4WD' },
  color: { exteriorColorSimple: 'BLUE', interiorColorSimple: 'GRAY' },
  engine: { code: '6CLDR', name: '3.5L V6' },
  doors: 4,
  truckBedLength: 'SHORT',
  displacementUOM: 'L',
  pricingDetail: {
    incentive: 31_000,
    salePrice: 32_995,
    msrp: 48_000,
    dealIndicator: 'Great',
    payments: { monthly: 512, term: 72, apr: 6.99 },
  },
  images: { primary: 1, sources: [{ src: '/a.svg', alt: 'Front' }] },
  fyuseId: 'f1',
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
const listing = toListing(upstreamListing);

describe('listing of the upstream', () => {
  // rows: B3-LISTING-01, A3-LISTING-04
  it("keeps a listing's identity and detail link", () => {
    const { id, vin, title, vdpBaseUrl } = listing;
    expect({ id, vin, title, vdpBaseUrl }).toEqual({
      id: '1001',
      vin: '1FTFW1E50MFA00001',
      title: '2021 Ford F-150 XLT',
      vdpBaseUrl: '/cars-for-sale/vehicle/1001',
    });
  });

  // rows: A3-LISTING-12, A3-LISTING-13, A3-LISTING-16, B3-LISTING-08, B3-LISTING-09, B3-LISTING-10
  it('keeps what the vehicle is, its codes in both places, its specifications and dimensions', () => {
    const { listingType, year, make, model, trim, bodyStyles, fuelType, mileage, mpgHighway, viewCount } =
      upstreamListing;
    expect(listing).toMatchObject({ listingType, year, make, model, trim, mileage, mpgHighway, viewCount });
    expect(listing).toMatchObject({ bodyStyles, fuelType, makeCode: 'FORD', modelCode: 'F150' });
    const { vehicleStyleCodes, fuelTypeGroup, driveType, doors, truckBedLength, displacementUOM } = listing;
    expect({ vehicleStyleCodes, fuelTypeGroup, driveType, doors, truckBedLength, displacementUOM }).toEqual({
      vehicleStyleCodes: ['TRUCKS'],
      fuelTypeGroup: 'GSL',
      driveType: 'AWD4WD',
      doors: 4,
      truckBedLength: 'SHORT',
      displacementUOM: 'L',
    });
    expect(listing.specifications).toEqual(upstreamListing.specifications);
  });

  // rows: A3-LISTING-10, B3-LISTING-02
  it("keeps a listing's prices and deal", () => {
    expect(listing.pricingDetail).toMatchObject(upstreamListing.pricingDetail);
    const priced = { ...upstreamListing.pricingDetail, derivedPrice: 30_500 };
    expect(toListing({ ...upstreamListing, pricingDetail: priced }).pricingDetail.derivedPrice).toBe(30_500);
  });

  // rows: A3-LISTING-08, A3-LISTING-11, B3-LISTING-04
  it('keeps the pictures with their texts and the 360° view', () => {
    expect(listing.images).toEqual(upstreamListing.images);
    expect(listing.fyuseId).toBe('f1');
  });

  // rows: A3-LISTING-09, B3-LISTING-05, B3-LISTING-06, B3-LISTING-07
  it("keeps the seller's contact data", () => {
    const { phone, ownerName, ownerId, owner, website, viewCount, isReducedPrice } = listing;
    expect({ phone, ownerName, ownerId }).toEqual({
      phone: '312-555-0100',
      ownerName: 'Lakeside Ford',
      ownerId: 'd1',
    });
    expect(owner).toEqual(upstreamListing.owner);
    expect({ website, viewCount, isReducedPrice }).toEqual({
      website: { href: 'https://dealer.example' },
      viewCount: 4,
      isReducedPrice: true,
    });
  });

  // rows: A3-LISTING-06, A3-LISTING-07, B3-LISTING-14
  it('keeps demand, special offers and what is urgent about a highlighted vehicle', () => {
    expect(listing).toMatchObject({ isHot: true, hasSpecialOffer: true });
    expect(listing.vehicleHighlight).toEqual(upstreamListing.vehicleHighlight);
  });

  // rows: A3-LISTING-05
  it('keeps each condition of a vehicle and refuses others', () => {
    for (const listingType of ['NEW', 'USED', 'CERTIFIED', '3P_CERT'])
      expect(toListing({ ...upstreamListing, listingType }).listingType).toBe(listingType);
    expect(() => toListing({ ...upstreamListing, listingType: '' })).toThrow();
  });

  // rows: B3-LISTING-11
  it('keeps colors, engine and doors', () => {
    const { color, engine, doors } = listing;
    expect({ color, code: engine.code, doors }).toEqual({
      color: upstreamListing.color,
      code: '6CLDR',
      doors: 4,
    });
  });

  // rows: B3-LISTING-12, B3-LISTING-13
  it('keeps the fields of extended delivery and online purchase', () => {
    expect(listing.marketExtension).toEqual(upstreamListing.marketExtension);
    expect(listing.accelerate).toBe(true);
  });

  // rows: B3-LISTING-15, B3-LISTING-16
  it('keeps product tiles and certified product', () => {
    expect(listing.productTiles).toEqual(upstreamListing.productTiles);
    expect(listing.certifiedProduct).toBe('FORD_BLUE');
  });

  // rows: A3-LISTING-14, A3-LISTING-15, B3-LISTING-17
  it('keeps payment services and e-commerce', () => {
    expect(listing.paymentServices).toEqual(upstreamListing.paymentServices);
    expect(listing.esntial).toEqual(upstreamListing.esntial);
  });

  it('refuses a listing without id, make or year, or with a price that is text', () => {
    for (const broken of [{ id: undefined }, { make: undefined }, { year: '2021' }])
      expect(() => toListing({ ...upstreamListing, ...broken })).toThrow();
    expect(() => toListing({ ...upstreamListing, pricingDetail: { salePrice: '32995' } })).toThrow();
  });
});

describe('owner of the upstream', () => {
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
  it('keeps all owner fields of both specs', () => {
    for (const dealerPreferredCTA of ['email', 'phone', 'website'])
      expect(ownerSchema.parse({ ...owner, dealerPreferredCTA })).toEqual({ ...owner, dealerPreferredCTA });
  });

  it('refuses an owner without id or name', () => {
    for (const broken of [{ id: undefined }, { ownerName: undefined }])
      expect(ownerSchema.safeParse({ ...owner, ...broken }).success).toBe(false);
  });
});
