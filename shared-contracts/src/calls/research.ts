import {
  consumerRatingsSchema,
  referenceVehiclesSchema,
  safetyInfoSchema,
  trimSpecsSchema,
} from '../entities/research.ts';
import {
  adSchema,
  certifiedContentsSchema,
  certifiedSponsorSchema,
  dealerDiffSchema,
  expertReviewsSchema,
} from '../entities/content.ts';
import { type CallDefinition, empty, nothing, read, times } from './definition.ts';
import { z } from 'zod';

const KBB = { ...read, ...times('kbbResearch'), service: 'kbb-research' } as const;

/** Facts and reviews from the valuation brand. */
export const RESEARCH_CALLS = {
  /** yearId, atcMakeCode, atcModelCode: the trims of that model year (B7-REF-01..03). */
  referenceVehicles: {
    ...KBB,
    path: '/cars-for-sale/kbbresearch/reference/vehicles',
    fallback: empty({ items: [] }),
    response: referenceVehiclesSchema,
  },
  consumerRatings: {
    ...KBB,
    ...times('ratings'),
    path: '/cars-for-sale/kbbresearch/consumer-ratings/{vehicleId}',
    fallback: empty({ ratings: [], numberOfReviews: 0, reviews: [] }),
    response: consumerRatingsSchema,
  },
  safety: {
    ...KBB,
    path: '/cars-for-sale/kbbresearch/safety/{vehicleId}',
    fallback: empty({
      vehicleId: '',
      features: { 'Safety Ratings': [], 'Safety Features': [] },
      Specifications: [],
    }),
    response: safetyInfoSchema,
  },
  specs: {
    ...KBB,
    path: '/cars-for-sale/kbbresearch/specs/{vehicleId}',
    fallback: empty([]),
    response: trimSpecsSchema,
  },
  /** Slugs or codes; trim 'all' for every trim. Send `_embed` (B7-EXPERT-01). */
  expertReviews: {
    ...read,
    ...times('expertReviews'),
    service: 'expert-review',
    path: '/expert-reviews/{year}/{make}/{model}/{trim}',
    // B7-EXPERT-01.
    always: { _embed: '1' },
    fallback: empty([]),
    response: expertReviewsSchema,
  },
} as const satisfies Record<string, CallDefinition>;

const CONTENT = { ...read, service: 'content' } as const;

/** Content and ads. */
export const CONTENT_CALLS = {
  certifiedContent: {
    ...CONTENT,
    path: '/content/static/json/atc/cpo/certifiedcontent.json',
    fallback: empty([]),
    response: certifiedContentsSchema,
  },
  certifiedSponsor: {
    ...CONTENT,
    path: '/content/static/json/atc/cpo/sponsor/{productId}.json',
    fallback: nothing,
    response: certifiedSponsorSchema.nullable(),
  },
  dealerDiff: {
    ...CONTENT,
    path: '/content/dealer_diff/{contentId}.json',
    fallback: nothing,
    response: dealerDiffSchema.nullable(),
  },
  /** Sanitized HTML. */
  dealerDiffHtml: {
    ...CONTENT,
    path: '/content/dealer_diff/{contentId}.html',
    fallback: empty(''),
    response: z.string(),
  },
  /**
   * slot, size ('728x90'), n (number of the refresh), and targeting: t.make, t.model, t.zip, t.page
   * (B7-ADS-01).
   */
  ad: {
    ...read,
    service: 'ad',
    path: '/ads/slot',
    fallback: empty({ empty: true }),
    response: adSchema,
  },
} as const satisfies Record<string, CallDefinition>;
