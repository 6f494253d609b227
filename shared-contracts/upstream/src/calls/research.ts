import {
  consumerRatingsSchema,
  referenceVehiclesSchema,
  safetyInfoSchema,
  trimSpecsSchema,
} from '../entities/reference.ts';
import type { CallDefinition } from './callDefinition.ts';
import { emptyFallback, nullFallback, optionalRead, timesOf } from './definition.ts';
import { parseRichText } from '../richText/parseRichText.ts';
import { z } from 'zod';

/** HTML of editors and dealers, which is read as rich text. */
const richTextSchema = z
  .string()
  .transform((html, context) => {
    try {
      return parseRichText(html);
    } catch (error) {
      context.addIssue(error instanceof Error ? error.message : 'no rich text');
      return z.NEVER;
    }
  })
  .meta({ type: 'string', contentMediaType: 'text/html' });

/** A manufacturer's or third party's certified program. */
const certifiedContentSchema = z.object({
  makeCode: z.string(),
  productId: z.string(),
  linkText: z.string(),
  /** Path of the tile's picture. */
  cpoTile: z.string(),
  makeLabel: z.string(),
  heading: z.string(),
  content: richTextSchema,
});
export const certifiedContentsSchema = z.array(certifiedContentSchema);

/** A certified program's sponsor (AMB-187). Any other key, e.g. inspectionLink, is removed. */
const certifiedSponsorSchema = z.object({
  productId: z.string(),
  heading: z.string(),
  content: richTextSchema,
  logo: z.string(),
});
/** A dealer's benefits. Their HTML comes from a separate call (AMB-188). */
export const dealerDiffSchema = z.object({
  cta: z.object({ label: z.string(), offsite: z.boolean(), link: z.string() }),
  logo: z.string(),
});
/** Articles of the valuation brand about a vehicle (AMB-186); links lead to other sites. */
const expertReviewsSchema = z.array(
  z.object({
    title: z.string(),
    link: z.string(),
    excerpt: z.string(),
    _embedded: z
      .object({
        author: z.array(z.object({ name: z.string() })).default([]),
        'wp:featuredmedia': z.array(z.object({ source_url: z.string(), alt_text: z.string() })).default([]),
      })
      .optional(),
  }),
);
/**
 * An ad for a slot, or none (AMB-193). `src` is the path of the creative, a document for a sandboxed frame of
 * `width` by `height` px; `html` is the same document as text.
 */
const adSchema = z.union([
  z.object({
    html: z.string(),
    src: z.string(),
    width: z.number().int().positive(),
    height: z.number().int().positive(),
    /** The advertiser. */
    advertiser: z.string(),
  }),
  z.object({ empty: z.literal(true) }),
]);

const KBB = { ...optionalRead, ...timesOf('kbbResearch'), service: 'kbb-research' } as const;

/** Facts and reviews from the valuation brand. */
export const RESEARCH_CALLS = {
  /** yearId, atcMakeCode, atcModelCode: the trims of that model year. */
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
  /** Slugs or codes; trim 'all' for every trim. Send `_embed`. */
  expertReviews: {
    ...optionalRead,
    ...timesOf('expertReviews'),
    service: 'expert-review',
    path: '/expert-reviews/{year}/{make}/{model}/{trim}',
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
  dealerDiffHtml: {
    ...CONTENT,
    path: '/content/dealer_diff/{contentId}.html',
    fallback: nullFallback,
    response: richTextSchema.nullable(),
  },
  /**
   * slot, size ('728x90'), n (number of the refresh), and targeting: t.make, t.model, t.zip, t.page.
   */
  ad: {
    ...optionalRead,
    service: 'ad',
    path: '/ads/slot',
    fallback: emptyFallback({ empty: true }),
    response: adSchema,
  },
} as const satisfies Record<string, CallDefinition>;
