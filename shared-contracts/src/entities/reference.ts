import { z } from 'zod';

/**
 * Suggestions for a typed keyword (B7-KEY-01, AMB-090): filters that replace the search (parameter name to
 * values, as the search codec reads them), or the URL of a content page.
 */
export const keywordSuggestionsSchema = z.object({
  suggestions: z.array(
    z.union([
      z.object({
        label: z.string(),
        kind: z.literal('filters'),
        filters: z.record(z.string(), z.array(z.string())),
        /** Number of matching listings. */
        count: z.number().int().optional(),
        /** The typed words as filters, not a completion of them. */
        isInterpretation: z.literal(true).optional(),
        /** Typed words that the filters leave out, because no vehicle matches them. */
        unreadWords: z.string().optional(),
      }),
      z.object({ label: z.string(), kind: z.literal('content'), url: z.string() }),
    ]),
  ),
});
/** Packages of a trim (A7-PACK-02). */
export const packagesSchema = z.object({
  results: z.object({
    packageNames: z.array(z.object({ name: z.string(), code: z.string() })),
  }),
});
/** Response of the ZIP lookup (AMB-182). */
export const zipLookupSchema = z.discriminatedUnion('success', [
  z.object({
    success: z.literal(true),
    city: z.string(),
    state: z.string(),
    dma: z.string().optional(),
    latitude: z.number().optional(),
    longitude: z.number().optional(),
  }),
  z.object({ success: z.literal(false) }),
]);
/** One entry of the crawl calls, also a model year or trim of the Pricing tab (B3-YEAR-01, AMB-067). */
const crawlLinkSchema = z.object({
  value: z.string(),
  label: z.string(),
  link: z.string(),
  count: z.number().int(),
  avgPrice: z.number().optional(),
  startingPrice: z.number().optional(),
  maxPrice: z.number().optional(),
});

export type CrawlLink = z.infer<typeof crawlLinkSchema>;

export const crawlLinksSchema = z.object({ links: z.array(crawlLinkSchema) });

/** Reference options (AMB-176). */
export const referenceOptionsSchema = z.object({
  options: z.array(
    z.object({
      label: z.string(),
      value: z.string(),
      count: z.number().int().optional(),
      makeCode: z.string().optional(),
    }),
  ),
});
