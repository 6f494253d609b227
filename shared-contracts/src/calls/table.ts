import { z } from 'zod';
import { CALL_TIMES } from '../rules/constants.ts';
import {
  crawlLinksSchema,
  emailOwnerAnswerSchema,
  emailOwnerSchema,
  listingsResponseSchema,
  referenceOptionsSchema,
  searchResponseSchema,
  zipLookupSchema,
  anyListingSchema,
  ownerSchema,
} from '../entities/index.ts';

const slugged = z.object({ code: z.string(), name: z.string(), slug: z.string() });
const slugReferenceSchema = z.object({
  makes: z.array(slugged.extend({ models: z.array(slugged.extend({ trims: z.array(slugged).optional() })) })),
});

/**
 * What a caller gets when a call fails or its breaker is open (AMB-168):
 * nothing may go on without it, an empty answer, or an error object whose
 * text names the call.
 */
export type CallFallback =
  | { readonly kind: 'required' }
  | { readonly kind: 'empty'; readonly value: unknown }
  | { readonly kind: 'error'; readonly tail: string };

export interface CallDefinition {
  readonly method: 'GET' | 'POST';
  /** Value of X-fwd-svc (A7-CALL-02, AMB-105). */
  readonly service: string;
  /** `{name}` parts are taken from the parameters, the rest of them becomes the query. */
  readonly path: string;
  readonly timeoutMs: number;
  /** Time an open breaker waits before one trial call. */
  readonly resetMs: number;
  readonly fallback: CallFallback;
  /** May a browser run it through the shell? */
  readonly browser: boolean;
  readonly answer: z.ZodType;
  readonly body?: z.ZodType;
}

const EMPTY_LISTINGS = { listings: [], owners: [] };
const emptyListings = { kind: 'empty', value: EMPTY_LISTINGS } as const;
const emptyLinks = { kind: 'empty', value: { links: [] } } as const;

/** Timeout and breaker reset of a row of the constants table. */
const times = (name: keyof typeof CALL_TIMES) => ({
  timeoutMs: CALL_TIMES[name].timeout,
  resetMs: CALL_TIMES[name].reset,
});
const REQUIRED = times('required');
const OPTIONAL = times('optional');
const CRAWL = times('crawl');

const get = { method: 'GET', service: 'listing', browser: false } as const;

/** Every upstream call the page makes: path, limits, fallback and the schema of its answer. */
export const CALLS = {
  search: {
    ...get,
    ...REQUIRED,
    path: '/rest/lsc/listing',
    fallback: { kind: 'required' },
    answer: searchResponseSchema,
  },
  supplemental: {
    ...get,
    path: '/rest/lsc/listing',
    ...times('supplemental'),
    fallback: emptyListings,
    browser: true,
    answer: listingsResponseSchema,
  },
  listingsByVin: {
    ...get,
    ...OPTIONAL,
    path: '/rest/lsc/listing',
    fallback: emptyListings,
    answer: listingsResponseSchema,
  },
  listing: {
    ...get,
    ...OPTIONAL,
    path: '/rest/lsc/listing/{id}',
    fallback: { kind: 'required' },
    answer: z.object({ listing: anyListingSchema, owner: ownerSchema }),
  },
  count: {
    ...get,
    ...OPTIONAL,
    path: '/rest/lsc/listing/count',
    fallback: { kind: 'empty', value: { totalResultCount: 0 } },
    browser: true,
    answer: z.object({ totalResultCount: z.number().int() }),
  },
  premiumSpotlights: {
    ...get,
    ...OPTIONAL,
    path: '/rest/lsc/listing/spotlight/premiumresults',
    fallback: emptyListings,
    answer: listingsResponseSchema,
  },
  spotlights: {
    ...get,
    ...OPTIONAL,
    path: '/rest/lsc/listing/spotlight/results',
    fallback: emptyListings,
    answer: listingsResponseSchema,
  },
  vehicleHighlight: {
    ...get,
    ...OPTIONAL,
    path: '/rest/lsc/listing/spotlight/vehiclehighlight',
    fallback: emptyListings,
    answer: listingsResponseSchema,
  },
  similar: {
    ...get,
    ...times('similar'),
    path: '/rest/lsc/listing/similar',
    fallback: emptyListings,
    browser: true,
    answer: listingsResponseSchema,
  },
  zipLookup: {
    ...get,
    ...OPTIONAL,
    service: 'zip',
    path: '/cars-for-sale/svc/zip/{zip}',
    fallback: { kind: 'empty', value: { success: false } },
    browser: true,
    answer: zipLookupSchema,
  },
  slugReference: {
    ...get,
    ...times('reference'),
    service: 'reference',
    path: '/rest/lsc/reference/slugs',
    fallback: { kind: 'required' },
    answer: slugReferenceSchema,
  },
  reference: {
    ...get,
    ...times('reference'),
    service: 'reference',
    path: '/cars-for-sale/searchoptions/reference',
    fallback: { kind: 'empty', value: { options: [] } },
    browser: true,
    answer: referenceOptionsSchema,
  },
  modelYears: {
    ...get,
    ...CRAWL,
    service: 'crawl',
    path: '/rest/lsc/crawl/modelyears',
    fallback: emptyLinks,
    browser: true,
    answer: crawlLinksSchema,
  },
  newModelYears: {
    ...get,
    ...CRAWL,
    service: 'crawl',
    path: '/rest/lsc/crawl/newmodelyears',
    fallback: emptyLinks,
    browser: true,
    answer: crawlLinksSchema,
  },
  trims: {
    ...get,
    ...CRAWL,
    service: 'crawl',
    path: '/rest/lsc/crawl/trims',
    fallback: emptyLinks,
    browser: true,
    answer: crawlLinksSchema,
  },
  newTrims: {
    ...get,
    ...CRAWL,
    service: 'crawl',
    path: '/rest/lsc/crawl/newtrims',
    fallback: emptyLinks,
    browser: true,
    answer: crawlLinksSchema,
  },
  emailOwner: {
    method: 'POST',
    service: 'lead',
    path: '/cars-for-sale/svc/email-owner',
    ...times('emailOwner'),
    fallback: { kind: 'empty', value: { status: 'FAILURE' } },
    browser: true,
    body: emailOwnerSchema,
    answer: emailOwnerAnswerSchema,
  },
} as const satisfies Record<string, CallDefinition>;
