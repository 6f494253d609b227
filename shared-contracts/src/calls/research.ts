import {
  consumerRatingsSchema,
  referenceVehiclesSchema,
  safetyInfoSchema,
  trimSpecsSchema,
} from '../entities/research.ts';
import { expertReviewsSchema } from '../entities/content.ts';
import { empty, read, times, type CallDefinition } from './definition.ts';

const KBB = { ...read, ...times('kbbResearch'), service: 'kbb-research' } as const;

/** Facts and opinions of the valuation brand. */
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
