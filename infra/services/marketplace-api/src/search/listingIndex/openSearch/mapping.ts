import { createHash } from 'node:crypto';
import {
  combinedMpg,
  derivedPrice,
  plugsInWithoutRange,
  type StockListing,
  type StockOwner,
} from '../../../domain/stock.ts';
import { paidTierOf, PRICE_BUCKET } from '../documents.ts';
import {
  codesOf,
  ELECTRIC_RANGE_STEPS,
  FACET_NAMES,
  type FacetName,
  MILEAGE_STEPS,
  MPG_STEPS,
} from '../listingIndex.ts';
import { unitVector } from '../../../domain/places/index.ts';
import { listingQuality } from '../relevance.ts';
import { vehicleKey } from '../vehicleTree.ts';
import { bundleOf, BUNDLES, bundlesOfListing } from './bundles.ts';
import { DEFAULT_LIMITS, priceStep } from './priceSteps.ts';
import { term } from './vocabulary.ts';

/** Name of a filter's field. */
export const facetField = (name: FacetName): string => `facets.${name}`;

const KEYWORD = { type: 'keyword' } as const;
/** Counted in most searches: ordinals are built when changes become visible, not by the first search after. */
const COUNTED = { type: 'keyword', eager_global_ordinals: true } as const;
const INTEGER = { type: 'integer' } as const;
/** For sorting and scripts only. */
const VALUE_ONLY = { index: false, doc_values: true } as const;

/** Settings and fields of an index. Documents have no source: the store is the source of everything. */
export const INDEX_DEFINITION = {
  settings: {
    number_of_replicas: 0,
    // Changes become visible together, when the adapter refreshes.
    refresh_interval: '-1',
    max_terms_count: 65_536,
    // A delayed write of what was deleted since is refused as long.
    gc_deletes: '10m',
  },
  mappings: {
    dynamic: 'strict',
    _source: { enabled: false },
    properties: {
      /** Of a document that isn't a listing: an entry of the vocabulary, as JSON. */
      entry: { ...KEYWORD, index: false },
      id: KEYWORD,
      ownerId: KEYWORD,
      make: KEYWORD,
      /** Make, model and trim. */
      vehicle: COUNTED,
      facets: {
        properties: Object.fromEntries(FACET_NAMES.map((name) => [name, bundleOf(name) ? KEYWORD : COUNTED])),
      },
      /** Codes that are counted together. */
      bundles: {
        properties: Object.fromEntries(BUNDLES.map((name) => [name, { ...COUNTED, index: false }])),
      },
      year: INTEGER,
      price: INTEGER,
      /** Of the price, to count its options. */
      priceStep: { ...COUNTED, index: false },
      mileage: INTEGER,
      mpg: INTEGER,
      electricRange: INTEGER,
      /** Plugs in, but doesn't state its range. */
      isRangeUnspecified: { type: 'boolean' },
      listedOn: { type: 'integer', ...VALUE_ONLY },
      quality: { type: 'integer', ...VALUE_ONLY },
      extendedDelivery: { type: 'boolean' },
      tier: KEYWORD,
      state: KEYWORD,
      city: KEYWORD,
      /** To find candidates; rounded to about 1 cm. */
      location: { type: 'geo_point' },
      /** Exact, for map areas. */
      latitude: { type: 'double' },
      longitude: { type: 'double' },
      /** The seller on the unit sphere: exact distances. */
      x: { type: 'double', ...VALUE_ONLY },
      y: { type: 'double', ...VALUE_ONLY },
      z: { type: 'double', ...VALUE_ONLY },
    },
  },
} as const;

const STEPS = { ELECTRIC_RANGE_STEPS, MILEAGE_STEPS, MPG_STEPS, PRICE_BUCKET, DEFAULT_LIMITS };

/** Changes with the definition: an index of another version is replaced. */
export const DEFINITION_VERSION = createHash('sha256')
  .update(JSON.stringify([INDEX_DEFINITION, FACET_NAMES.map(bundleOf), bundleOf('year'), STEPS]))
  .digest('hex')
  .slice(0, 12);

/** The version of an index of several shards: another number of them is another index. */
export const definitionOf = (shards: number): string =>
  shards === 1 ? DEFINITION_VERSION : `${DEFINITION_VERSION}-${shards}`;

/** Id of the document whose version is the change of the stock up to which searches find everything. */
export const POSITION_ID = '#position';
/** Of that up to which everything is written. */
export const PROGRESS_ID = '#progress';
/** All listings, and nothing else. */
export const STOCK = { exists: { field: 'id' } } as const;

/** The document of a listing. */
export function documentOf(listing: StockListing, owner: StockOwner) {
  const [x, y, z] = unitVector(owner);
  const price = derivedPrice(listing);
  return {
    id: listing.id,
    ownerId: listing.ownerId,
    make: term(listing.make.code),
    vehicle: term(vehicleKey(listing)),
    facets: Object.fromEntries(FACET_NAMES.map((name) => [name, codesOf(name, listing, owner).map(term)])),
    bundles: bundlesOfListing(listing, owner),
    year: listing.year,
    price,
    priceStep: price === undefined ? undefined : String(priceStep(price)),
    mileage: listing.mileage,
    mpg: combinedMpg(listing),
    electricRange: listing.electricRange,
    isRangeUnspecified: plugsInWithoutRange(listing),
    listedOn: listing.listedOn,
    quality: listingQuality(listing),
    extendedDelivery: listing.extendedDelivery,
    tier: paidTierOf(listing),
    state: term(owner.state),
    city: term(owner.city),
    location: { lat: owner.latitude, lon: owner.longitude },
    latitude: owner.latitude,
    longitude: owner.longitude,
    x,
    y,
    z,
  };
}
