import { BRANDS, resolveFlags } from '@forecourt/search/brands';
import type { RootState, SessionState } from '@forecourt/search/state';
import { buildListing, buildOwner, buildState } from '@forecourt/search/testing';
import type { TestCalls } from '@forecourt/slots/testing';
import type { Listing, Owner } from '@forecourt/upstream/entities';
import type { SellerMapData } from '../map/mapView.ts';

const VEHICLES = [
  ['Ford', 'F-150', 'XLT', 'trucks', 'blue'],
  ['Toyota', 'Camry', 'Hybrid SE', 'sedan', 'silver'],
  ['Honda', 'CR-V', 'EX-L', 'suvcross', 'white'],
  ['Chevrolet', 'Corvette', 'Stingray 2LT', 'coupe', 'red'],
  ['Mazda', 'Mazda3', '2.5 S', 'hatch', 'black'],
] as const;

/** `count` vehicles of five makes in rotation. */
export const vehicles = (count: number, from = 1): Listing[] =>
  Array.from({ length: count }, (_, at) => {
    const [make, model, trim, style, paint] = VEHICLES[at % VEHICLES.length] ?? VEHICLES[0];
    const title = `${2018 + (at % 8)} ${make} ${model} ${trim}`;
    const price = 18_450 + at * 1_310;
    return buildListing({
      id: String(from + at),
      title,
      trim: { code: trim, name: trim },
      mileage: { value: 9_500 + at * 6_210 },
      pricingDetail: {
        salePrice: price,
        derivedPrice: price,
        ...(at % 3 === 0 && { dealIndicator: 'Great' as const }),
      },
      images: {
        primary: 0,
        sources: [{ src: `/pictures/${style}/${paint}/front.svg`, alt: title }],
      },
    });
  });

/** State of a vehicle page or a comparison. */
export const pageOf = (page: Partial<RootState['page']>, session: Partial<SessionState> = {}): RootState =>
  buildState(
    { listings: [] },
    { flags: { ...resolveFlags(BRANDS.atc), saveListing: true, reportListing: true }, ...session },
    page,
  );
export const vehiclePage: Partial<RootState['page']> = { kind: 'vehicle', url: '/cars-for-sale/vehicle/1' };
export const comparePage: Partial<RootState['page']> = {
  kind: 'compare',
  url: '/cars-for-sale/compare?listingIds=1,2,3',
};
const views = ['front', 'side', 'rear-three-quarter', 'interior'];
const priceHistogram = {
  name: 'priceRange',
  label: 'Price',
  collapsed: true,
  value: '',
  options: [],
  histogram: { min: 10_000, max: 40_000, step: 5_000, counts: [3, 9, 14, 8, 5, 2] },
};
export const vehicleCalls = (changes: Partial<Listing> = {}, owner: Partial<Owner> = {}): TestCalls => ({
  listing: ({ id }) => {
    const [listing] = vehicles(1, Number(id));
    const sources = views.map((view) => ({ src: `/pictures/trucks/blue/${view}.svg`, alt: view }));
    return {
      listing: {
        ...listing,
        images: { primary: 0, sources },
        features: ['HEATEDSEATS', 'LEDLIGHTS'],
        daysListed: 12,
        ...changes,
      },
      owner: buildOwner(owner),
    };
  },
  similar: () => ({ listings: vehicles(5, 11), owners: [buildOwner()] }),
  filterPreview: () => ({ totalResultCount: 41, filters: [priceHistogram] }),
  slugReference: () => ({ makes: [] }),
});

/** Sellers in two cities of Texas. */
export const sellerMap: SellerMapData = {
  view: '29~-99~31~-96.5',
  count: 1240,
  sellerCount: 9,
  totalCount: 5000,
  clusters: [
    {
      area: '30.1~-98~30.6~-97.5',
      latitude: 30.3,
      longitude: -97.7,
      count: 1234,
      sellers: 3,
      place: 'Austin, TX',
      isInside: true,
    },
    {
      area: '29.1~-98.9~29.2~-98.8',
      latitude: 29.2,
      longitude: -98.8,
      count: 6,
      sellers: 1,
      place: 'Cotulla, TX',
      isInside: true,
    },
  ],
  sellers: [{ id: 'd1', name: 'Lake Motors', place: 'Austin, TX', count: 1100 }],
  places: [{ name: 'Laredo', latitude: 29.9, longitude: -98.6 }],
};
