import type { Listing, Owner } from '../entities/listing.ts';
import type { Chip } from '../catalog/chips.ts';
import type { FilterParam } from '../criteria/criteria.ts';
import { resultsPage } from '../store/createStore.ts';
import { emptySearch, anonymousSession } from '../store/slices.ts';
import type { PageState, RootState, SearchState, SessionState } from '../store/state.ts';
import { type SlugData, createSlugReference } from '../criteria/slugs.ts';

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
      sources: [{ src: '/pictures/trucks/blue/front-three-quarter.svg', alt: '2021 Ford F-150 XLT' }],
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

/** The chip of one selected value. */
export const buildChip = (param: FilterParam, value: string, label: string): Chip => ({
  key: `${param}:${value}`,
  label,
  kind: 'value',
  section: param,
  param,
  params: [param],
  values: [value],
});

/** The state of a page; by default with one listing of one dealer. */
export function buildState(
  search: Partial<SearchState> = {},
  session: Partial<SessionState> = {},
  page: Partial<PageState> = {},
): RootState {
  const listings = search.listings ?? [buildListing()];
  return {
    page: { ...resultsPage, ...page },
    search: {
      ...emptySearch,
      requestId: 'r1',
      listings,
      owners: { d1: buildOwner() },
      pageSizes: [listings.length],
      totalResultCount: listings.length,
      ...search,
    },
    session: { ...anonymousSession, today: '2026-06-15', ...session },
  };
}

const trims = (...names: string[]) =>
  names.map((name) => ({ code: name.toUpperCase(), name, slug: name.toLowerCase() }));

/** A small reference with edge cases: a model named like a year, a duplicate slug, a shared model code. */
const DATA: SlugData = {
  makes: [
    {
      code: 'FORD',
      name: 'Ford',
      slug: 'ford',
      models: [
        { code: 'F150', name: 'F150', slug: 'f150', trims: trims('XL', 'XLT') },
        { code: 'ESCAPE', name: 'Escape', slug: 'escape' },
        { code: 'TRANVAN', name: 'Transit Van', slug: 'van' },
      ],
    },
    { code: 'BMW', name: 'BMW', slug: 'bmw', models: [{ code: 'BMW3', name: '3 Series', slug: '3-series' }] },
    {
      code: 'RAM',
      name: 'Ram',
      slug: 'ram',
      models: [
        { code: 'RM2019', name: '2019', slug: '2019' },
        { code: 'RMCA', name: 'Santa Fe Ca', slug: 'santa-fe-ca' },
        { code: 'RMCB', name: 'Second Santa Fe', slug: 'santa-fe-ca' },
      ],
    },
    {
      code: 'MERC',
      name: 'Mercury',
      slug: 'mercury',
      models: [{ code: 'ESCAPE', name: 'Escape (Mercury)', slug: 'escape' }],
    },
    { code: 'ODD', name: 'Odd', slug: 'electric', models: [] },
  ],
};

export const testReference = createSlugReference(DATA);
