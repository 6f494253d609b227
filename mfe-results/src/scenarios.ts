import { BRANDS, resolveFlags, type BrandCode } from '@forecourt/search/brands';
import type { RootState, SearchState, SessionState } from '@forecourt/search/state';
import { buildChip, buildOwner, buildState } from '@forecourt/search/testing';
import { defineScenarios, emitEvent, withSteps, press, waitFor } from '@forecourt/slots/testing';
import type { Owner } from '@forecourt/upstream/entities';
import compare from './slots/compare.tsx';
import footerAd from './slots/footer-ad.tsx';
import map from './slots/map.tsx';
import results from './slots/results.tsx';
import spin from './slots/spin.tsx';
import vehicle from './slots/vehicle.tsx';
import {
  comparePage,
  pageOf,
  sellerMap,
  vehicleCalls,
  vehiclePage,
  vehicles,
} from './testing/sampleVehicles.ts';

interface Parts {
  readonly search?: Partial<SearchState>;
  readonly session?: Partial<SessionState>;
  readonly brand?: BrandCode;
  readonly flags?: Readonly<Record<string, boolean>>;
}

/** The state of a brand's page; ads are off by default, because these scenarios have no ad service. */
function stateOf({ search, session, brand = 'atc', flags }: Parts = {}): RootState {
  return buildState(
    { listings: vehicles(3), totalResultCount: 41_500, ...search },
    { brand, flags: { ...resolveFlags(BRANDS[brand]), ads: false, wallet: false, ...flags }, ...session },
  );
}

const { search: defaultSearch } = stateOf();
const filters = { makeCode: ['FORD'], extColorSimple: ['PURPLE'] };
const emptySearch: Partial<SearchState> = { listings: [], pageSizes: [0], owners: {}, totalResultCount: 0 };
const ofOwner = (owner: Partial<Owner>): Partial<SearchState> => ({ owners: { d1: buildOwner(owner) } });
const LONG = '2023 Mercedes-Benz Sprinter 3500 XD Crew 170" Wheelbase Extended High Roof Cargo Van';

/** Opens the menu of a card. */
const openMenu = (at: number) => () => {
  const menu = document.querySelectorAll<HTMLDetailsElement>('#listings details')[at];
  if (!menu) throw new Error(`no menu ${at}`);
  menu.open = true;
  menu.dispatchEvent(new Event('toggle'));
};
/** Adds the first vehicles to the comparison. */
const addVehicles = (count: number): ReturnType<typeof press>[] =>
  Array.from({ length: count }, (_, at) => [
    openMenu(at),
    press('#listings details[open] button', 'Compare'),
  ]).flat();
const spinRequested = emitEvent('listing.spinRequested', { listingId: '1', title: '2018 Ford F-150 XLT' });
const spinResponse = {
  fyuseId: 'f1',
  frames: Array.from({ length: 24 }, (_, at) => ({
    degrees: at * 15,
    src: `/pictures/trucks/blue/turn-${at * 15}.svg`,
  })),
};

/** All visually distinct states of the slots. */
export default defineScenarios([
  { name: 'five-makes', module: results, state: stateOf({ search: { listings: vehicles(5) } }) },
  {
    name: 'one-result',
    module: results,
    state: stateOf({ search: { listings: vehicles(1), totalResultCount: 1 } }),
  },
  {
    name: 'map',
    module: map,
    state: stateOf({ search: { criteria: { ...defaultSearch.criteria, view: 'map' } } }),
    calls: { sellerMap: () => sellerMap },
  },
  { name: 'loading', module: results, state: stateOf({ search: { status: 'loading' } }) },
  { name: 'loading-more', module: results, state: stateOf({ search: { status: 'loadingMore' } }) },
  { name: 'error', module: results, state: stateOf({ search: { status: 'failed' } }) },
  { name: 'invalid', module: results, state: stateOf({ search: { ...emptySearch, status: 'invalid' } }) },
  { name: 'empty', module: results, state: stateOf({ search: emptySearch }) },
  {
    name: 'empty-with-near-misses',
    module: results,
    state: stateOf({
      search: {
        ...emptySearch,
        criteria: { ...defaultSearch.criteria, filters },
        chips: [buildChip('makeCode', 'FORD', 'Ford'), buildChip('extColorSimple', 'PURPLE', 'Purple')],
        suggestions: {
          ...defaultSearch.suggestions,
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
        criteria: { ...defaultSearch.criteria, filters: { fuelTypeGroup: ['ELE'] } },
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
    // With five selected, no other card offers Compare, and the drawer shows the reason.
    name: 'compare-full',
    module: withSteps(results, ...addVehicles(5)),
    state: stateOf({ search: { listings: vehicles(7) } }),
  },
  {
    name: 'compare-dialog',
    module: withSteps(results, ...addVehicles(5), press('aside button', 'Compare now')),
    state: stateOf({ search: { listings: vehicles(7) } }),
  },
  {
    name: 'spin',
    module: withSteps(spin, spinRequested, waitFor('dialog input')),
    state: stateOf(),
    calls: { spin: () => spinResponse },
  },
  {
    name: 'spin-failed',
    module: withSteps(spin, spinRequested, waitFor('dialog [role="alert"]')),
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
