import { z } from 'zod';
import { anyListingSchema, anyOwnerSchema } from './wireShapes.ts';

/** An option of a filter: the union of both specs' shapes (AMB-012). */
const filterOptionSchema = z.object({
  label: z.string(),
  value: z.string(),
  /** Missing for options without counts. */
  count: z.number().int().optional(),
  selected: z.boolean().default(false),
  disabled: z.boolean().default(false),
  moreInfo: z.string().optional(),
  /** Group heading of the option (features), or the make of a model. */
  group: z.string().optional(),
});
export const filterSchema = z.object({
  name: z.string(),
  label: z.string(),
  collapsed: z.boolean().default(true),
  /** The selected values, joined by commas; empty for none. */
  value: z.string().default(''),
  options: z.array(filterOptionSchema),
  /** Counts per bucket of equal width in the current result; price and year only. */
  histogram: z
    .object({
      min: z.number(),
      max: z.number(),
      step: z.number().positive(),
      counts: z.array(z.number().int()),
      /** The first bucket also counts everything below it; the last, everything above it. */
      isOpenStart: z.boolean().optional(),
      isOpenEnd: z.boolean().optional(),
    })
    .optional(),
});
export type Filter = z.infer<typeof filterSchema>;

const range = z.object({ min: z.number(), max: z.number() });
const statsSchema = z.object({ derivedprice: range.optional(), year: range.optional() });
export type SearchStats = z.infer<typeof statsSchema>;

/** A filter that the API suggests. `name` is the label. */
export const suggestedFilterSchema = z.object({
  name: z.string(),
  count: z.number().int(),
  /** Parameter name to values, as the search codec reads them. */
  codes: z.record(z.string(), z.array(z.string())),
});
export type SuggestedFilter = z.infer<typeof suggestedFilterSchema>;

/** Dropping this filter would bring `count` results. */
const nearMissSchema = z.object({ name: z.string(), count: z.number().int() });
export type NearMiss = z.infer<typeof nearMissSchema>;

export const suggestedModelSchema = z.object({
  selectedMakeDescription: z.string(),
  selectedModelDescription: z.string(),
  suggestedMakeCode: z.string(),
  suggestedModelCode: z.string(),
  suggestedMakeDescription: z.string(),
  suggestedModelDescription: z.string(),
});
export type SuggestedModel = z.infer<typeof suggestedModelSchema>;

/** The sponsored showcase: listings of one owner and that owner. */
const alphaSchema = z.object({
  alphaShowcase: z.object({ isAlpha: z.boolean(), listings: z.array(anyListingSchema) }),
  ownerBean: anyOwnerSchema,
});
export type Alpha = z.infer<typeof alphaSchema>;

const saveSearchDataSchema = z.object({
  saveSearchString: z.string(),
  title: z.string().optional(),
  searchBookmarkDate: z.string().optional(),
  textModalDisclaimer: z.string().optional(),
  saveSearchInstrText: z.string().optional(),
  subscribed: z.boolean().default(false),
});
const pageDataSchema = z.object({
  summaryContentData: z.object({ heading: z.string(), text: z.string() }).optional(),
  saveSearchData: saveSearchDataSchema.optional(),
  marketExtensionDma: z.string().optional(),
  /** The ZIP of the search, if no place has it: the results are those without it. */
  unknownZip: z.string().optional(),
  ad: z.record(z.string(), z.string()).optional(),
  suggestedModels: z.array(suggestedModelSchema).default([]),
  /** Set by an upstream that rejects the parameters. */
  statusCode: z.number().int().optional(),
});
export type SearchPageData = z.infer<typeof pageDataSchema>;

const editorialContentSchema = z.object({
  /** Only these tabs are shown (AMB-160). */
  onlyTabs: z.array(z.string()).optional(),
  /** Editorial texts, each in an additional tab. */
  tabs: z
    .array(
      z.object({
        key: z.string(),
        label: z.string(),
        sections: z.array(z.object({ heading: z.string(), paragraphs: z.array(z.string()) })),
      }),
    )
    .default([]),
});

/** Response of `GET /rest/lsc/listing`. */
export const searchResponseSchema = z.object({
  listings: z.array(anyListingSchema),
  owners: z.array(anyOwnerSchema),
  totalResultCount: z.number().int().nonnegative(),
  filters: z.array(filterSchema).default([]),
  filterGroups: z
    .array(z.object({ name: z.string(), label: z.string(), filters: z.array(z.string()) }))
    .default([]),
  stats: statsSchema.default({}),
  requestParams: z.record(z.string(), z.string()).default({}),
  suggestedFilters: z.array(suggestedFilterSchema).default([]),
  strongAttributesFilters: z.array(suggestedFilterSchema).default([]),
  nearMisses: z.array(nearMissSchema).default([]),
  spotlights: z.array(anyListingSchema).default([]),
  featuredSpotlights: z.array(anyListingSchema).default([]),
  standardSpotlights: z.array(anyListingSchema).default([]),
  vehicleHighlight: anyListingSchema.optional(),
  boost: z.array(anyListingSchema).default([]),
  alpha: alphaSchema.optional(),
  editorialContent: editorialContentSchema.optional(),
  editorialReviews: z
    .array(z.object({ title: z.string(), link: z.string(), excerpt: z.string().optional() }))
    .default([]),
  makeSummaryData: z.object({ makeCode: z.string(), heading: z.string(), text: z.string() }).optional(),
  pageData: pageDataSchema.default({ suggestedModels: [] }),
});
export type SearchResponse = z.infer<typeof searchResponseSchema>;

/** Response of the spotlight, highlight and similar calls. */
export const listingsResponseSchema = z.object({
  listings: z.array(anyListingSchema),
  owners: z.array(anyOwnerSchema).default([]),
  totalResultCount: z.number().int().nonnegative().optional(),
});
export type ListingsResponse = z.infer<typeof listingsResponseSchema>;

/** The pictures of a vehicle's 360° view, by its `fyuseId`. */
export const spinSchema = z.object({
  fyuseId: z.string(),
  /** Evenly distributed and ascending: 0 is the front, 90 the driver's side, 180 the rear. */
  frames: z.array(z.object({ degrees: z.number().int().min(0).max(359), src: z.string() })).min(2),
});
