import { BRANDS, resolveFlags, type BrandCode } from '@forecourt/shared-contracts/brands';
import {
  buildChip,
  buildListing,
  buildOwner,
  buildState,
  defineScenarios,
  emitEvent,
  withSteps,
  press,
  waitFor,
  type TestCalls,
} from '@forecourt/shared-contracts/testing';
import type { Listing, Owner } from '@forecourt/shared-contracts/entities';
import type { RootState, SearchState, SessionState } from '@forecourt/shared-contracts/store';
import compare from './slots/compare.tsx';
import footerAd from './slots/footer-ad.tsx';
import results from './slots/results.tsx';
import spin from './slots/spin.tsx';
import vehicle from './slots/vehicle.tsx';

const VEHICLES = [
  ['Ford', 'F-150', 'XLT', 'trucks', 'blue'],
  ['Toyota', 'Camry', 'Hybrid SE', 'sedan', 'silver'],
  ['Honda', 'CR-V', 'EX-L', 'suvcross', 'white'],
  ['Chevrolet', 'Corvette', 'Stingray 2LT', 'coupe', 'red'],
  ['Mazda', 'Mazda3', '2.5 S', 'hatch', 'black'],
] as const;

/** `count` vehicles of five makes in turn. */
const vehicles = (count: number, from = 1): Listing[] =>
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
        sources: [{ src: `/pictures/${style}/${paint}/front-three-quarter.svg`, alt: title }],
      },
    });
  });

interface Parts {
  readonly search?: Partial<SearchState>;
  readonly session?: Partial<SessionState>;
  readonly brand?: BrandCode;
  readonly flags?: Readonly<Record<string, boolean>>;
}

/** A page of a brand; without ads unless its flags say so, for nobody answers for them here. */
function stateOf({ search, session, brand = 'atc', flags }: Parts = {}): RootState {
  return buildState(
    { listings: vehicles(3), totalResultCount: 41_500, ...search },
    { brand, flags: { ...resolveFlags(BRANDS[brand]), ads: false, wallet: false, ...flags }, ...session },
  );
}

const { search: plain } = stateOf();
const filters = { makeCode: ['FORD'], extColorSimple: ['PURPLE'] };
const nothing: Partial<SearchState> = { listings: [], pageSizes: [0], owners: {}, totalResultCount: 0 };
const ofOwner = (owner: Partial<Owner>): Partial<SearchState> => ({ owners: { d1: buildOwner(owner) } });
const LONG = '2023 Mercedes-Benz Sprinter 3500 XD Crew 170" Wheelbase Extended High Roof Cargo Van';

/** Each time the first card that still offers to compare its vehicle. */
const chosen = (count: number): ReturnType<typeof press>[] =>
  Array.from({ length: count }, () => press('#listings button', 'Compare'));
const turned = emitEvent('listing.spinRequested', { listingId: '1', title: '2018 Ford F-150 XLT' });
const turn = {
  fyuseId: 'f1',
  frames: Array.from({ length: 24 }, (_, at) => ({
    degrees: at * 15,
    src: `/pictures/trucks/blue/turn-${at * 15}.svg`,
  })),
};

/** The page of one vehicle or of a comparison, and the calls that answer it. */
const pageOf = (page: Partial<RootState['page']>, session: Partial<SessionState> = {}): RootState =>
  buildState(
    { listings: [] },
    { flags: { ...resolveFlags(BRANDS.atc), saveListing: true, reportListing: true }, ...session },
    page,
  );
const vehiclePage: Partial<RootState['page']> = { kind: 'vehicle', url: '/cars-for-sale/vehicle/1' };
const comparePage: Partial<RootState['page']> = {
  kind: 'compare',
  url: '/cars-for-sale/compare?listingIds=1,2,3',
};
const views = ['front-three-quarter', 'side', 'rear-three-quarter', 'interior'];
const priceHistogram = {
  name: 'priceRange',
  label: 'Price',
  collapsed: true,
  value: '',
  options: [],
  histogram: { min: 10_000, max: 40_000, step: 5_000, counts: [3, 9, 14, 8, 5, 2] },
};
const vehicleCalls = (changes: Partial<Listing> = {}, owner: Partial<Owner> = {}): TestCalls => ({
  listing: ({ id }) => {
    const [listing] = vehicles(1, Number(id));
    const sources = views.map((view) => ({ src: `/pictures/trucks/blue/${view}.svg`, alt: view }));
    return {
      listing: {
        ...listing,
        images: { primary: 0, sources },
        features: ['HEATED_SEATS', 'LED'],
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

/** Every state of the results that is worth looking at. */
export default defineScenarios([
  { name: 'five-makes', module: results, state: stateOf({ search: { listings: vehicles(5) } }) },
  {
    name: 'one-result',
    module: results,
    state: stateOf({ search: { listings: vehicles(1), totalResultCount: 1 } }),
  },
  { name: 'loading', module: results, state: stateOf({ search: { status: 'loading' } }) },
  { name: 'loading-more', module: results, state: stateOf({ search: { status: 'loadingMore' } }) },
  { name: 'error', module: results, state: stateOf({ search: { status: 'failed' } }) },
  { name: 'invalid', module: results, state: stateOf({ search: { ...nothing, status: 'invalid' } }) },
  { name: 'empty', module: results, state: stateOf({ search: nothing }) },
  {
    name: 'empty-with-near-misses',
    module: results,
    state: stateOf({
      search: {
        ...nothing,
        criteria: { ...plain.criteria, filters },
        chips: [buildChip('makeCode', 'FORD', 'Ford'), buildChip('extColorSimple', 'PURPLE', 'Purple')],
        suggestions: {
          ...plain.suggestions,
          nearMisses: [
            { name: 'makeCode', count: 1 },
            { name: 'extColorSimple', count: 1_240 },
          ],
        },
      },
    }),
  },
  {
    name: 'long-text',
    module: results,
    state: stateOf({
      search: {
        listings: vehicles(3).map((listing) => ({ ...listing, title: LONG, trim: undefined })),
        ...ofOwner({
          ownerName:
            'The Original Lakeside Chrysler Dodge Jeep Ram & Commercial Truck Center of Greater Chicago',
          dealerDiff: { tagline: 'Lifetime powertrain warranty with every vehicle we sell', contentId: 'd' },
          shippingLabel: 'Delivered to your door anywhere in the lower forty-eight states',
        }),
      },
    }),
  },
  {
    name: 'electric-only',
    module: results,
    state: stateOf({
      search: {
        criteria: { ...plain.criteria, filters: { fuelTypeGroup: ['ELE'] } },
        listings: vehicles(3).map((listing) => ({
          ...listing,
          fuelType: { code: 'ELE', name: 'Electric' },
          fuelTypeGroup: 'ELE',
          specifications: { ...listing.specifications, mpg: undefined, mileRange: 310 },
        })),
      },
    }),
  },
  {
    name: 'private-sellers',
    module: results,
    state: stateOf({ search: ofOwner({ privateSeller: true, rating: undefined }) }),
  },
  {
    name: 'all-that-a-card-can-say',
    module: results,
    state: stateOf({
      search: {
        listings: vehicles(3).map((listing) => ({
          ...listing,
          fyuseId: 'f1',
          isHot: true,
          hasSpecialOffer: true,
          isReducedPrice: true,
          pricingDetail: { ...listing.pricingDetail, previousPrice: 60_000 },
          vehicleHighlight: {
            isVehicleHighlight: true,
            urgencyDriverType: 'PRICE_DROP',
            urgencyDriverValue: 1_500,
          },
          productTiles: [{ tileType: 'HISTORY', tileSubType: 'ONE_OWNER' }],
        })),
        ...ofOwner({ homeServices: ['HOME_DELIVERY', 'TEST_DRIVE'] }),
      },
    }),
  },
  {
    name: 'without-pictures-and-prices',
    module: results,
    state: stateOf({
      search: {
        listings: vehicles(3).map((listing) => ({
          ...listing,
          images: { primary: 0, sources: [] },
          pricingDetail: {},
          mileage: undefined,
        })),
      },
    }),
  },
  {
    // Five are chosen: no other card offers to compare, and the drawer says why (AMB-004).
    name: 'compare-full',
    module: withSteps(results, ...chosen(5)),
    state: stateOf({ search: { listings: vehicles(7) } }),
  },
  {
    name: 'compare-dialog',
    module: withSteps(results, ...chosen(5), press('aside button', 'Compare now')),
    state: stateOf({ search: { listings: vehicles(7) } }),
  },
  {
    name: 'spin',
    module: withSteps(spin, turned, waitFor('dialog input')),
    state: stateOf(),
    calls: { spin: () => turn },
  },
  {
    name: 'spin-failed',
    module: withSteps(spin, turned, waitFor('dialog [role="alert"]')),
    state: stateOf(),
    calls: { spin: () => null },
  },
  {
    name: 'spotlights-ads-and-boosts',
    module: results,
    state: stateOf({
      search: {
        listings: vehicles(6),
        spotlights: [
          {
            premium: vehicles(3, 101),
            featured: vehicles(2, 201),
            standard: vehicles(1, 301),
            fourthTier: [],
          },
        ],
        boost: vehicles(1, 401),
      },
      flags: { ads: true, wallet: true },
    }),
    calls: { ad: () => ({}) },
  },
  {
    name: 'spotlight-carousel',
    module: results,
    state: stateOf({
      search: {
        listings: vehicles(6),
        spotlights: [{ premium: vehicles(4, 101), featured: [], standard: [], fourthTier: [] }],
      },
      flags: { spotlightCarousel: true },
    }),
  },
  { name: 'vehicle', module: vehicle, state: pageOf(vehiclePage), calls: vehicleCalls() },
  {
    name: 'vehicle-saved-with-spin',
    module: vehicle,
    state: pageOf(vehiclePage, { savedListingIds: ['1'] }),
    calls: vehicleCalls({ fyuseId: 'f1' }),
  },
  {
    name: 'vehicle-without-pictures-and-price',
    module: vehicle,
    state: pageOf(vehiclePage),
    calls: vehicleCalls({ images: { primary: 0, sources: [] }, pricingDetail: {}, features: [] }),
  },
  {
    name: 'vehicle-of-private-seller',
    module: vehicle,
    state: pageOf(vehiclePage),
    calls: vehicleCalls(
      { title: LONG, isReducedPrice: true, pricingDetail: { derivedPrice: 18_450, previousPrice: 19_900 } },
      { privateSeller: true, rating: undefined },
    ),
  },
  {
    name: 'compare-page',
    module: compare,
    state: pageOf(comparePage),
    calls: { listing: ({ id }) => ({ listing: vehicles(4)[Number(id)], owner: buildOwner() }) },
  },
  {
    name: 'compare-page-empty',
    module: compare,
    state: pageOf({ kind: 'compare', url: '/cars-for-sale/compare' }),
  },
  { name: 'brand-kbb', module: results, state: stateOf({ brand: 'kbb' }) },
  { name: 'brand-oem', module: results, state: stateOf({ brand: 'oem' }) },
  {
    name: 'footer-ad',
    module: footerAd,
    state: stateOf({ flags: { ads: true } }),
    calls: { ad: () => ({}) },
  },
]);
