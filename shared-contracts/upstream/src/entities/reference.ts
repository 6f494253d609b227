import { z } from 'zod';

/**
 * Suggestions for a typed keyword: filters that replace the search (parameter name to
 * values, as the search codec reads them) around its place, or the URL of a content page.
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
        /** An interpretation as a person would say it. */
        sentence: z.string().optional(),
        /** The order that the words ask for. */
        sortBy: z.string().optional(),
        /** Typed words that no filter covers. */
        leftOut: z.array(z.string()).optional(),
        /** Labels of filters that were dropped, because nothing matched with them. */
        dropped: z.array(z.string()).optional(),
        /** Nothing matched within the radius; the filters search the whole country. */
        isWidened: z.literal(true).optional(),
      }),
      z.object({ label: z.string(), kind: z.literal('content'), url: z.string() }),
    ]),
  ),
});
/** Packages of a trim. */
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
/** One entry of the crawl calls, also a model year or trim of the Pricing tab. */
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

const named = z.object({ code: z.string(), name: z.string() });
const nameValue = z.object({ name: z.string(), value: z.string() });

/** One trim of a model year from the valuation brand. Money is US dollars. */
const trimSchema = z.object({
  vehicleId: z.string(),
  trimName: z.string(),
  bodyStyle: z.string(),
  engineType: z.enum(['Electric', 'Gas']),
  /** Fuel group, for the fuel filter of Compare Trims. */
  fuelTypeGroup: z.string(),
  year: z.number().int(),
  /** Miles per gallon; missing for electric and unrated vehicles. */
  epaCity: z.number().optional(),
  epaHwy: z.number().optional(),
  /** Miles per gallon equivalent of electric and plug-in vehicles. */
  epaMpgeCity: z.number().optional(),
  epaMpgeHwy: z.number().optional(),
  nationalMSRP: z.number().optional(),
  imagePath: z.string(),
  atcMake: z.string(),
  atcModel: z.string(),
  atcMakeCode: z.string(),
  atcModelCode: z.string(),
});
export type Trim = z.infer<typeof trimSchema>;
export const referenceVehiclesSchema = z.object({ items: z.array(trimSchema) });

/** Values of a trim's specs by specId; unlisted ones are unknown. */
export const trimSpecsSchema = z.array(
  z.object({ specId: z.number().int(), value: z.enum(['Standard', 'Not Available', 'Optional']) }),
);
/** Safety info; a feature valued 'std' is standard. */
export const safetyInfoSchema = z.object({
  vehicleId: z.string(),
  features: z.object({
    'Safety Ratings': z.array(nameValue),
    'Safety Features': z.array(nameValue),
  }),
  /** Dimensions by label, legroom among them. */
  Specifications: z.array(nameValue),
});
/** Owner ratings: values 0 to 5, including 'Overall Rating'. */
export const consumerRatingsSchema = z.object({
  ratings: z.array(z.object({ name: z.string(), value: z.number().min(0).max(5) })),
  numberOfReviews: z.number().int().nonnegative(),
  reviews: z
    .array(
      z.object({
        title: z.string(),
        author: z.string(),
        /** yyyy-mm-dd. */
        date: z.string(),
        rating: z.number().min(0).max(5),
        text: z.string(),
      }),
    )
    .default([]),
});
/** A model in one year: description, new and used prices. */
export const modelInfoSchema = z.object({
  models: z.array(
    z.object({
      year: z.number().int(),
      make: named,
      model: named,
      bodyStyles: z.array(named),
      fuelTypes: z.array(named),
      trims: z.array(named),
      /** US dollars. */
      msrp: z.object({ min: z.number(), max: z.number() }).optional(),
      mpg: z.object({ min: z.number(), max: z.number() }).optional(),
      seats: z.object({ min: z.number(), max: z.number() }).optional(),
      /** Listings currently for sale. */
      count: z.number().int().nonnegative(),
    }),
  ),
});
const mileageSpread = z.object({
  count: z.number().int().nonnegative(),
  /** Miles. */
  mileageMin: z.number(),
  mileageMax: z.number(),
  mileageMean: z.number(),
  /** Miles per year of age. */
  mileagePerYearMean: z.number(),
  minYear: z.number().int(),
  maxYear: z.number().int(),
});

/**
 * Mileages of a model's listings: only those above 0 and below 250,000 count.
 * `facetStats` has one entry per model year, newest first; `allCars` covers all models, for comparison.
 */
export const mileageStatsSchema = z.object({
  stats: mileageSpread.optional(),
  allCars: mileageSpread.optional(),
  facetStats: z.array(
    z.object({
      /** The model year. */
      name: z.string(),
      count: z.number().int().nonnegative(),
      mileageMin: z.number(),
      mileageMax: z.number(),
      mileageMean: z.number(),
    }),
  ),
});
