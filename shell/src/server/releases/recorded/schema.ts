import { CALLS, type CallName } from '@forecourt/shared-contracts/calls';
import { listingSchema, ownerSchema, searchResponseSchema } from '@forecourt/shared-contracts/entities';
import {
  anonymousSession,
  emptySearch,
  resultsPage,
  type RootState,
} from '@forecourt/shared-contracts/store';
import { z } from 'zod';

const listings = z.array(listingSchema);
const answer = searchResponseSchema.shape;

/** Every key of the store by itself, the upstream's entities by their own schemas. */
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
      filters: z.array(answer.filters.unwrap().element),
      stats: answer.stats.unwrap(),
      texts: z.object({
        heading: z.string(),
        title: z.string(),
        description: z.string(),
        canonicalUrl: z.string(),
      }),
      suggestions: z.object({
        filters: answer.suggestedFilters,
        strongAttributes: answer.strongAttributesFilters,
        nearMisses: answer.nearMisses,
        models: answer.pageData.unwrap().shape.suggestedModels,
      }),
      vehicleHighlight: listingSchema.nullable(),
      boost: listings,
      alpha: answer.alpha.unwrap().nullable(),
      pageData: answer.pageData.unwrap(),
      requestParams: answer.requestParams,
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

/** A page as the API answered it once, over which releases are tried. */
export const recordedPageSchema = z.object({
  name: z.string().regex(/^[a-z-]+$/),
  /** Path that was asked for. */
  url: z.string().startsWith('/cars-for-sale/'),
  state: stateSchema
    .refine(({ search }) => hasKeysOf(emptySearch, search), 'lacks a part of the search: record anew')
    .refine(({ session }) => hasKeysOf(anonymousSession, session), 'lacks a part of the session: record anew')
    .transform((state) => state as unknown as RootState),
  /** What calls of a slot's `load` answer, by call; any other answers its fallback. */
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
