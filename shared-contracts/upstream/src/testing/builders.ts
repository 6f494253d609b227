import type { Listing, Owner } from '../entities/listing.ts';

/** A used pickup of a dealer; `overrides` replace whole fields. */
export function buildListing(overrides: Partial<Listing> = {}): Listing {
  const id = overrides.id ?? '1001';
  return {
    id,
    vin: '1FTFW1E50MFA00001',
    title: '2021 Ford F-150 XLT',
    ownerId: 'd1',
    vdpBaseUrl: `/cars-for-sale/vehicle/${id}`,
    listingType: 'USED',
    year: 2021,
    make: { code: 'FORD', name: 'Ford' },
    model: { code: 'F150', name: 'F-150' },
    trim: { code: 'F150|XLT', name: 'XLT' },
    makeCode: 'FORD',
    modelCode: 'F150',
    bodyStyles: [{ code: 'TRUCKS', name: 'Truck' }],
    vehicleStyleCodes: ['TRUCKS'],
    fuelType: { code: 'GSL', name: 'Gasoline' },
    fuelTypeGroup: 'GSL',
    driveType: 'AWD/4WD',
    mileage: { value: 31_250 },
    specifications: {
      mileage: 31_250,
      mpg: 21,
      engine: '3.5L V6',
      driveType: 'AWD/4WD',
      transmission: 'Automatic',
    },
    mpgCity: 18,
    mpgHighway: 24,
    color: { exteriorColorSimple: 'BLUE', interiorColorSimple: 'GRAY' },
    engine: { code: '6CLDR', name: '3.5L V6' },
    doors: 4,
    pricingDetail: { salePrice: 32_995, msrp: 48_000, derivedPrice: 32_995, dealIndicator: 'Great' },
    images: {
      primary: 0,
      sources: [{ src: '/pictures/trucks/blue/front.svg', alt: '2021 Ford F-150 XLT' }],
    },
    phone: '312-555-0100',
    ownerName: 'Lakeside Ford',
    viewCount: 4,
    isReducedPrice: false,
    isHot: false,
    hasSpecialOffer: false,
    features: [],
    productTiles: [],
    ...overrides,
  };
}

export function buildOwner(overrides: Partial<Owner> = {}): Owner {
  return {
    id: 'd1',
    name: 'Lakeside Ford',
    ownerName: 'Lakeside Ford',
    privateSeller: false,
    phone: { value: '312-555-0100' },
    location: { address: { city: 'Chicago', state: 'IL', zip: '60601' } },
    distanceFromSearch: 12,
    rating: { value: 4.6, count: 210 },
    homeServices: [],
    dealerPreferredCTA: 'email',
    hideEmailForm: false,
    ...overrides,
  };
}
