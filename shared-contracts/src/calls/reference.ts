import { z } from 'zod';
import {
  crawlLinksSchema,
  keywordSuggestionsSchema,
  mileageStatsSchema,
  modelInfoSchema,
  packagesSchema,
  referenceOptionsSchema,
  zipLookupSchema,
} from '../entities/index.ts';
import { empty, failed, read, times, type CallDefinition } from './definition.ts';

const CRAWL = { ...read, ...times('crawl'), service: 'crawl', fallback: empty({ links: [] }) } as const;

const slugged = z.object({ code: z.string(), name: z.string(), slug: z.string() });
const slugReferenceSchema = z.object({
  makes: z.array(slugged.extend({ models: z.array(slugged.extend({ trims: z.array(slugged).optional() })) })),
});

/** Places, option lists, links and suggestions. */
export const REFERENCE_CALLS = {
  zipLookup: {
    ...read,
    service: 'zip',
    path: '/cars-for-sale/svc/zip/{zip}',
    fallback: empty({ success: false }),
    answer: zipLookupSchema,
  },
  slugReference: {
    ...read,
    ...times('reference'),
    service: 'reference',
    path: '/rest/lsc/reference/slugs',
    fallback: { kind: 'required' },
    browser: false,
    answer: slugReferenceSchema,
  },
  reference: {
    ...read,
    ...times('reference'),
    service: 'reference',
    path: '/cars-for-sale/searchoptions/reference',
    fallback: empty({ options: [] }),
    answer: referenceOptionsSchema,
  },
  packages: {
    ...read,
    ...times('packages'),
    service: 'reference',
    path: '/cars-for-sale/searchoptions/packages',
    fallback: failed('/searchoptions/packages'),
    answer: packagesSchema,
  },
  modelYears: {
    ...CRAWL,
    path: '/rest/lsc/crawl/modelyears',
    answer: crawlLinksSchema,
  },
  newModelYears: {
    ...CRAWL,
    path: '/rest/lsc/crawl/newmodelyears',
    answer: crawlLinksSchema,
  },
  trims: {
    ...CRAWL,
    path: '/rest/lsc/crawl/trims',
    answer: crawlLinksSchema,
  },
  newTrims: {
    ...CRAWL,
    path: '/rest/lsc/crawl/newtrims',
    answer: crawlLinksSchema,
  },
  modelInfo: {
    ...read,
    ...times('modelInfo'),
    service: 'model-info',
    path: '/rest/lsc/modelinfo/ymm',
    // A7-YMM-01.
    always: { numRecords: '1' },
    fallback: failed('/modelinfo/ymm'),
    answer: modelInfoSchema,
  },
  mileageStats: {
    ...CRAWL,
    path: '/rest/lsc/crawl/stats/mileage',
    fallback: empty({ facetStats: [] }),
    answer: mileageStatsSchema,
  },
  suggestedKeywords: {
    ...read,
    service: 'keyword',
    path: '/rest/lsc/marketplace/suggested/keywords/{term}',
    fallback: empty({ suggestions: [] }),
    answer: keywordSuggestionsSchema,
  },
  vdpBase: {
    ...read,
    ...times('vdpBase'),
    service: 'vdp',
    path: '/cars-for-sale/svc/vdp-base',
    fallback: empty({ basePath: '/cars-for-sale/vehicle' }),
    answer: z.object({ basePath: z.string().regex(/^\//) }),
  },
} as const satisfies Record<string, CallDefinition>;
