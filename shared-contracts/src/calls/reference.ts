import { z } from 'zod';
import {
  crawlLinksSchema,
  keywordSuggestionsSchema,
  packagesSchema,
  referenceOptionsSchema,
  zipLookupSchema,
} from '../entities/reference.ts';
import { mileageStatsSchema, modelInfoSchema } from '../entities/research.ts';
import { empty, failed, read, times, type CallDefinition } from './definition.ts';

const CRAWL = { ...read, ...times('crawl'), service: 'crawl', fallback: empty({ links: [] }) } as const;

const slugged = z.object({ code: z.string(), name: z.string(), slug: z.string() });
const slugReferenceSchema = z.object({
  makes: z.array(slugged.extend({ models: z.array(slugged.extend({ trims: z.array(slugged).optional() })) })),
});

/** Places, filter options, links and suggestions. */
export const REFERENCE_CALLS = {
  zipLookup: {
    ...read,
    service: 'zip',
    path: '/cars-for-sale/svc/zip/{zip}',
    fallback: empty({ success: false }),
    response: zipLookupSchema,
  },
  slugReference: {
    ...read,
    ...times('reference'),
    service: 'reference',
    path: '/rest/lsc/reference/slugs',
    fallback: { kind: 'required' },
    browser: false,
    response: slugReferenceSchema,
  },
  reference: {
    ...read,
    ...times('reference'),
    service: 'reference',
    path: '/cars-for-sale/searchoptions/reference',
    fallback: empty({ options: [] }),
    response: referenceOptionsSchema,
  },
  packages: {
    ...read,
    ...times('packages'),
    service: 'reference',
    path: '/cars-for-sale/searchoptions/packages',
    fallback: failed('/searchoptions/packages'),
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
    ...read,
    ...times('modelInfo'),
    service: 'model-info',
    path: '/rest/lsc/modelinfo/ymm',
    // A7-YMM-01.
    always: { numRecords: '1' },
    fallback: failed('/modelinfo/ymm'),
    response: modelInfoSchema,
  },
  mileageStats: {
    ...CRAWL,
    path: '/rest/lsc/crawl/stats/mileage',
    fallback: empty({ facetStats: [] }),
    response: mileageStatsSchema,
  },
  suggestedKeywords: {
    ...read,
    service: 'keyword',
    path: '/rest/lsc/marketplace/suggested/keywords/{term}',
    fallback: empty({ suggestions: [] }),
    response: keywordSuggestionsSchema,
  },
  vdpBase: {
    ...read,
    ...times('vdpBase'),
    service: 'vdp',
    path: '/cars-for-sale/svc/vdp-base',
    fallback: empty({ basePath: '/cars-for-sale/vehicle' }),
    response: z.object({ basePath: z.string().regex(/^\//) }),
  },
} as const satisfies Record<string, CallDefinition>;
