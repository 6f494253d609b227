import { z } from 'zod';
import { anyListingSchema, anyOwnerSchema } from '../entities/wireShapes.ts';
import { listingsResponseSchema, searchResponseSchema, spinSchema } from '../entities/searchResponse.ts';
import type { CallDefinition } from './callDefinition.ts';
import { emptyFallback, nullFallback, timesOf } from './definition.ts';

const get = { method: 'GET', service: 'listing', browser: false, ...timesOf('optional') } as const;
const noListings = emptyFallback({ listings: [], owners: [] });
const total = z.object({ totalResultCount: z.number().int() });

const degrees = z.number().min(-180).max(180);
const amount = z.number().int().nonnegative();
/** 'south~west~north~east' in degrees, as the parameter `area`. */
const area = z.string();

const sellerMap = z.object({
  /** The part of the map that is described, 4:3. */
  view: area,
  /** Vehicles and sellers of the searched area; of the view without one, and of a `mapView`. */
  count: amount,
  sellerCount: amount,
  /** Vehicles anywhere. */
  totalCount: amount,
  /** Sellers side by side. Searching a cluster's `area` finds its `count` vehicles. */
  clusters: z.array(
    z.object({
      area,
      latitude: degrees,
      longitude: degrees,
      count: amount,
      sellers: amount,
      /** 'Austin, TX' */
      place: z.string(),
      /** In the searched area. */
      isInside: z.boolean(),
      /** Whole US dollars; missing if none of its vehicles has a price. */
      lowestPrice: amount.optional(),
    }),
  ),
  /** The dealers with most vehicles there. */
  sellers: z.array(z.object({ id: z.string(), name: z.string(), place: z.string(), count: amount })),
  /** Names of the largest cities in the view. */
  places: z.array(z.object({ name: z.string(), latitude: degrees, longitude: degrees })),
});

/** Search, spotlights, one listing. */
export const LISTINGS_CALLS = {
  search: {
    ...get,
    ...timesOf('required'),
    path: '/rest/lsc/listing',
    fallback: { kind: 'required' },
    response: searchResponseSchema,
  },
  supplemental: {
    ...get,
    path: '/rest/lsc/listing',
    ...timesOf('supplemental'),
    fallback: noListings,
    browser: true,
    response: listingsResponseSchema,
  },
  listingsByVin: {
    ...get,
    path: '/rest/lsc/listing',
    always: { collapseFilters: 'true' },
    fallback: noListings,
    browser: true,
    response: listingsResponseSchema,
  },
  listing: {
    ...get,
    path: '/rest/lsc/listing/{id}',
    fallback: { kind: 'required' },
    response: z.object({ listing: anyListingSchema, owner: anyOwnerSchema }),
  },
  /** The same for browsers, with fallback null: dialogs are also about vehicles outside the results. */
  vehicle: {
    ...get,
    path: '/rest/lsc/listing/{id}',
    browser: true,
    fallback: nullFallback,
    response: z.object({ listing: anyListingSchema, owner: anyOwnerSchema }).nullable(),
  },
  /** Make and model of a vehicle that is or was for sale, and how a removed one was listed; null for an unknown id (AMB-149). */
  vehicleModel: {
    ...get,
    path: '/rest/lsc/listing/{id}/model',
    browser: true,
    fallback: nullFallback,
    response: z
      .object({
        makeCode: z.string(),
        modelCode: z.string(),
        /** Days since it is no longer for sale. */
        removedDays: z.number().int().optional(),
        removed: z
          .object({
            title: z.string(),
            image: z.object({ src: z.string(), alt: z.string() }).optional(),
            /** US dollars, the last one. */
            price: z.number().optional(),
            mileage: z.number().int().optional(),
          })
          .optional(),
      })
      .nullable(),
  },
  /** Sitemap files of vehicles for sale, or the vehicles of one `file`; `changedOn` is their last change, YYYY-MM-DD. */
  vehicleSitemap: {
    ...get,
    path: '/rest/lsc/listing/sitemap',
    fallback: { kind: 'required' },
    response: z.object({
      files: z.array(z.object({ file: z.number().int(), changedOn: z.string() })),
      vehicles: z.array(z.object({ id: z.string(), changedOn: z.string() })),
    }),
  },
  /** The 360° view of a vehicle; null if it has none. */
  spin: {
    ...get,
    path: '/rest/lsc/listing/{id}/spin',
    browser: true,
    fallback: nullFallback,
    response: spinSchema.nullable(),
  },
  /** Options and total of a search that is not applied yet, for the filter dialog on small screens. */
  filterPreview: {
    ...get,
    path: '/rest/lsc/listing',
    fallback: { kind: 'required' },
    browser: true,
    response: searchResponseSchema.pick({ totalResultCount: true, filters: true }),
  },
  count: {
    ...get,
    path: '/rest/lsc/listing/count',
    fallback: emptyFallback({ totalResultCount: 0 }),
    browser: true,
    response: total,
  },
  /** The sellers of a search by place, for its map; `mapView` is the part of the map. */
  sellerMap: {
    ...get,
    path: '/rest/lsc/listing/sellers',
    browser: true,
    fallback: nullFallback,
    response: sellerMap.nullable(),
  },
  /** The great-price count: search parameters, searchRadius=0, dealType=greatprice. */
  greatPriceCount: {
    ...get,
    path: '/rest/lsc/listing/count',
    always: { searchRadius: '0', dealType: 'greatprice' },
    fallback: emptyFallback({ totalResultCount: 0 }),
    browser: true,
    response: total,
  },
  premiumSpotlights: {
    ...get,
    path: '/rest/lsc/listing/spotlight/premiumresults',
    fallback: noListings,
    response: listingsResponseSchema,
  },
  spotlights: {
    ...get,
    path: '/rest/lsc/listing/spotlight/results',
    fallback: noListings,
    response: listingsResponseSchema,
  },
  vehicleHighlight: {
    ...get,
    path: '/rest/lsc/listing/spotlight/vehiclehighlight',
    fallback: noListings,
    response: listingsResponseSchema,
  },
  newCarBoost: {
    ...get,
    path: '/rest/lsc/newcarboost/listing',
    fallback: noListings,
    browser: true,
    response: listingsResponseSchema,
  },
  similar: {
    ...get,
    ...timesOf('similar'),
    path: '/rest/lsc/listing/similar',
    fallback: noListings,
    browser: true,
    response: listingsResponseSchema,
  },
} as const satisfies Record<string, CallDefinition>;
