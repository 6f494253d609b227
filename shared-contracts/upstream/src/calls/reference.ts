import { z } from 'zod';
import {
  crawlLinksSchema,
  keywordSuggestionsSchema,
  packagesSchema,
  referenceOptionsSchema,
  zipLookupSchema,
  mileageStatsSchema,
  modelInfoSchema,
} from '../entities/reference.ts';
import type { CallDefinition } from './callDefinition.ts';
import { emptyFallback, errorFallback, optionalRead, timesOf } from './definition.ts';

const CRAWL = {
  ...optionalRead,
  ...timesOf('crawl'),
  service: 'crawl',
  fallback: emptyFallback({ links: [] }),
} as const;

const slugEntry = z.object({ code: z.string(), name: z.string(), slug: z.string() });
const slugReferenceSchema = z.object({
  makes: z.array(
    slugEntry.extend({ models: z.array(slugEntry.extend({ trims: z.array(slugEntry).optional() })) }),
  ),
});

/** Places, filter options, links and suggestions. */
export const REFERENCE_CALLS = {
  zipLookup: {
    ...optionalRead,
    service: 'zip',
    path: '/cars-for-sale/svc/zip/{zip}',
    fallback: emptyFallback({ success: false }),
    response: zipLookupSchema,
  },
  slugReference: {
    ...optionalRead,
    ...timesOf('reference'),
    service: 'reference',
    path: '/rest/lsc/reference/slugs',
    fallback: { kind: 'required' },
    browser: false,
    response: slugReferenceSchema,
  },
  reference: {
    ...optionalRead,
    ...timesOf('reference'),
    service: 'reference',
    path: '/cars-for-sale/searchoptions/reference',
    fallback: emptyFallback({ options: [] }),
    response: referenceOptionsSchema,
  },
  packages: {
    ...optionalRead,
    ...timesOf('packages'),
    service: 'reference',
    path: '/cars-for-sale/searchoptions/packages',
    fallback: errorFallback('/searchoptions/packages'),
    response: packagesSchema,
  },
  modelYears: {
    ...CRAWL,
    path: '/rest/lsc/crawl/modelyears',
    response: crawlLinksSchema,
  },
  newModelYears: {
    ...CRAWL,
    path: '/rest/lsc/crawl/newmodelyears',
    response: crawlLinksSchema,
  },
  trims: {
    ...CRAWL,
    path: '/rest/lsc/crawl/trims',
    response: crawlLinksSchema,
  },
  newTrims: {
    ...CRAWL,
    path: '/rest/lsc/crawl/newtrims',
    response: crawlLinksSchema,
  },
  modelInfo: {
    ...optionalRead,
    ...timesOf('modelInfo'),
    service: 'model-info',
    path: '/rest/lsc/modelinfo/ymm',
    always: { numRecords: '1' },
    fallback: errorFallback('/modelinfo/ymm'),
    response: modelInfoSchema,
  },
  mileageStats: {
    ...CRAWL,
    path: '/rest/lsc/crawl/stats/mileage',
    fallback: emptyFallback({ facetStats: [] }),
    response: mileageStatsSchema,
  },
  suggestedKeywords: {
    ...optionalRead,
    service: 'keyword',
    path: '/rest/lsc/marketplace/suggested/keywords/{term}',
    fallback: emptyFallback({ suggestions: [] }),
    response: keywordSuggestionsSchema,
  },
  vdpBase: {
    ...optionalRead,
    ...timesOf('vdpBase'),
    service: 'vdp',
    path: '/cars-for-sale/svc/vdp-base',
    fallback: emptyFallback({ basePath: '/cars-for-sale/vehicle' }),
    response: z.object({ basePath: z.string().regex(/^\//) }),
  },
} as const satisfies Record<string, CallDefinition>;
