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
import { type CallDefinition, emptyFallback, nullFallback, optionalRead, timesOf } from './definition.ts';
import { z } from 'zod';

const KBB = { ...optionalRead, ...timesOf('kbbResearch'), service: 'kbb-research' } as const;

/** Facts and reviews from the valuation brand. */
export const RESEARCH_CALLS = {
  /** yearId, atcMakeCode, atcModelCode: the trims of that model year (B7-REF-01..03). */
  referenceVehicles: {
    ...KBB,
    path: '/cars-for-sale/kbbresearch/reference/vehicles',
    fallback: emptyFallback({ items: [] }),
    response: referenceVehiclesSchema,
  },
  consumerRatings: {
    ...KBB,
    ...timesOf('ratings'),
    path: '/cars-for-sale/kbbresearch/consumer-ratings/{vehicleId}',
    fallback: emptyFallback({ ratings: [], numberOfReviews: 0, reviews: [] }),
    response: consumerRatingsSchema,
  },
  safety: {
    ...KBB,
    path: '/cars-for-sale/kbbresearch/safety/{vehicleId}',
    fallback: emptyFallback({
      vehicleId: '',
      features: { 'Safety Ratings': [], 'Safety Features': [] },
      Specifications: [],
    }),
    response: safetyInfoSchema,
  },
  specs: {
    ...KBB,
    path: '/cars-for-sale/kbbresearch/specs/{vehicleId}',
    fallback: emptyFallback([]),
    response: trimSpecsSchema,
  },
  /** Slugs or codes; trim 'all' for every trim. Send `_embed` (B7-EXPERT-01). */
  expertReviews: {
    ...optionalRead,
    ...timesOf('expertReviews'),
    service: 'expert-review',
    path: '/expert-reviews/{year}/{make}/{model}/{trim}',
    // B7-EXPERT-01.
    always: { _embed: '1' },
    fallback: emptyFallback([]),
    response: expertReviewsSchema,
  },
} as const satisfies Record<string, CallDefinition>;

const CONTENT = { ...optionalRead, service: 'content' } as const;

/** Content and ads. */
export const CONTENT_CALLS = {
  certifiedContent: {
    ...CONTENT,
    path: '/content/static/json/atc/cpo/certifiedcontent.json',
    fallback: emptyFallback([]),
    response: certifiedContentsSchema,
  },
  certifiedSponsor: {
    ...CONTENT,
    path: '/content/static/json/atc/cpo/sponsor/{productId}.json',
    fallback: nullFallback,
    response: certifiedSponsorSchema.nullable(),
  },
  dealerDiff: {
    ...CONTENT,
    path: '/content/dealer_diff/{contentId}.json',
    fallback: nullFallback,
    response: dealerDiffSchema.nullable(),
  },
  /** Sanitized HTML. */
  dealerDiffHtml: {
    ...CONTENT,
    path: '/content/dealer_diff/{contentId}.html',
    fallback: emptyFallback(''),
    response: z.string(),
  },
  /**
   * slot, size ('728x90'), n (number of the refresh), and targeting: t.make, t.model, t.zip, t.page
   * (B7-ADS-01).
   */
  ad: {
    ...optionalRead,
    service: 'ad',
    path: '/ads/slot',
    fallback: emptyFallback({ empty: true }),
    response: adSchema,
  },
} as const satisfies Record<string, CallDefinition>;
