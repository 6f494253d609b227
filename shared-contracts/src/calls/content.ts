import { z } from 'zod';
import {
  adSchema,
  certifiedContentsSchema,
  certifiedSponsorSchema,
  dealerDiffSchema,
} from '../entities/content.ts';
import { empty, nothing, read, type CallDefinition } from './definition.ts';

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
  /** Sanitised HTML. */
  dealerDiffHtml: {
    ...CONTENT,
    path: '/content/dealer_diff/{contentId}.html',
    fallback: empty(''),
    response: z.string(),
  },
  /** slot, size ('728x90'), n (the refresh), and targeting: t.make, t.model, t.zip, t.page (B7-ADS-01). */
  ad: {
    ...read,
    service: 'ad',
    path: '/ads/slot',
    fallback: empty({ empty: true }),
    response: adSchema,
  },
} as const satisfies Record<string, CallDefinition>;
