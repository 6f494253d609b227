import { z } from 'zod';

/** A manufacturer's or third party's certified program (B3-CERT-01). `content` is sanitized HTML. */
const certifiedContentSchema = z.object({
  makeCode: z.string(),
  productId: z.string(),
  linkText: z.string(),
  /** Path of the tile's picture. */
  cpoTile: z.string(),
  makeLabel: z.string(),
  heading: z.string(),
  content: z.string(),
});
export const certifiedContentsSchema = z.array(certifiedContentSchema);

/** A certified program's sponsor (AMB-187). Any other key, e.g. inspectionLink, is removed (B7-CERT-03). */
export const certifiedSponsorSchema = z.object({
  productId: z.string(),
  heading: z.string(),
  /** Sanitized HTML. */
  content: z.string(),
  logo: z.string(),
});
/** A dealer's benefits (B3-OWNER-02). Their HTML comes from a separate call (AMB-188). */
export const dealerDiffSchema = z.object({
  cta: z.object({ label: z.string(), offsite: z.boolean(), link: z.string() }),
  logo: z.string(),
});
/** Articles of the valuation brand about a vehicle (AMB-186); links lead to other sites. */
export const expertReviewsSchema = z.array(
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
export const adSchema = z.union([
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
