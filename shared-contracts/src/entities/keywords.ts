import { z } from 'zod';

/**
 * What typed words may mean (B7-KEY-01, AMB-090): filters that replace the
 * search (parameter name to values, as the search codec reads them), or the
 * address of a page with content.
 */
export const keywordSuggestionsSchema = z.object({
  suggestions: z.array(
    z.union([
      z.object({
        label: z.string(),
        kind: z.literal('filters'),
        filters: z.record(z.string(), z.array(z.string())),
        /** Listings it would find. */
        count: z.number().int().optional(),
      }),
      z.object({ label: z.string(), kind: z.literal('content'), url: z.string() }),
    ]),
  ),
});
export type KeywordSuggestion = z.infer<typeof keywordSuggestionsSchema>['suggestions'][number];

/** Packages of a trim (A7-PACK-02). */
export const packagesSchema = z.object({
  results: z.object({
    packageNames: z.array(z.object({ name: z.string(), code: z.string() })),
  }),
});
export type PackageName = z.infer<typeof packagesSchema>['results']['packageNames'][number];
