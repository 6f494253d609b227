import { anonymousSession, emptySearch, resultsPage, type RootState } from '@forecourt/search/state';
import { CALLS, type CallName } from '@forecourt/upstream/calls';
import { listingSchema, ownerSchema, searchResponseSchema } from '@forecourt/upstream/entities';
import { z } from 'zod';

const listings = z.array(listingSchema);
const response = searchResponseSchema.shape;

/** The store's state, with the upstream's entities checked by their own schemas. */
const stateSchema = z.object({
  page: z
    .object({ kind: z.literal('results'), url: z.string(), referrer: z.null() })
    .default(resultsPage as { kind: 'results'; url: string; referrer: null }),
  search: z
    .object({
      criteria: z.object({
        filters: z.record(z.string(), z.array(z.string())),
        sortBy: z.string(),
        firstRecord: z.number().int(),
        numRecords: z.number().int().positive(),
        unknown: z.array(z.tuple([z.string(), z.string()])),
      }),
      url: z.string().startsWith('/cars-for-sale/'),
      status: z.literal('ready'),
      listings,
      spotlights: z.array(
        z.object({ premium: listings, featured: listings, standard: listings, fourthTier: listings }),
      ),
      pageSizes: z.array(z.number().int()),
      owners: z.record(z.string(), ownerSchema),
      totalResultCount: z.number().int().nonnegative(),
      filters: z.array(response.filters.unwrap().element),
      stats: response.stats.unwrap(),
      texts: z.object({
        heading: z.string(),
        title: z.string(),
        description: z.string(),
        canonicalUrl: z.string(),
      }),
      suggestions: z.object({
        filters: response.suggestedFilters,
        strongAttributes: response.strongAttributesFilters,
        nearMisses: response.nearMisses,
        models: response.pageData.unwrap().shape.suggestedModels,
      }),
      vehicleHighlight: listingSchema.nullable(),
      boost: listings,
      alpha: response.alpha.unwrap().nullable(),
      pageData: response.pageData.unwrap(),
      requestParams: response.requestParams,
    })
    .loose(),
  session: z
    .object({
      brand: z.enum(['atc', 'kbb', 'oem']),
      flags: z.record(z.string(), z.boolean()),
      today: z.iso.date(),
      savedListingIds: z.array(z.string()),
    })
    .loose(),
});

const hasKeysOf = (expected: object, found: object) =>
  Object.keys(expected).every((key) => Object.hasOwn(found, key));

/** A recorded page on which the gate renders slots. */
export const recordedPageSchema = z.object({
  name: z.string().regex(/^[a-z-]+$/),
  /** Path and query of the page. */
  url: z.string().startsWith('/cars-for-sale/'),
  state: stateSchema
    .refine(({ search }) => hasKeysOf(emptySearch, search), 'lacks a part of the search: record it again')
    .refine(
      ({ session }) => hasKeysOf(anonymousSession, session),
      'lacks a part of the session: record it again',
    )
    .transform((state) => state as unknown as RootState),
  /** Results of calls by name; other calls resolve to their fallback. */
  answers: z
    .partialRecord(z.enum(Object.keys(CALLS) as [CallName, ...CallName[]]), z.unknown())
    .superRefine((answers, context) => {
      for (const [name, value] of Object.entries(answers)) {
        const parsed = CALLS[name as CallName].response.safeParse(value);
        if (!parsed.success)
          context.addIssue({ code: 'custom', message: `${name}: ${parsed.error.message}` });
      }
    }),
});
export type RecordedPage = z.infer<typeof recordedPageSchema>;
