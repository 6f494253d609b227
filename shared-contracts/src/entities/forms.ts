import { z } from 'zod';

/** US phone number: ten digits in any usual writing, an optional +1 before them. */
const phone = z
  .string()
  .trim()
  .regex(/^(\+?1[\s.-]?)?\(?\d{3}\)?[\s.-]?\d{3}[\s.-]?\d{4}$/, 'Enter a 10-digit phone number');

const name = (what: string) =>
  z.string().trim().min(1, `Enter your ${what}`).max(60, `At most 60 characters`);

/** Body of the email-owner call (A3-LEAD-02, AMB-180). */
export const emailOwnerSchema = z.object({
  listingId: z.string().min(1).max(64),
  ownerId: z.string().min(1).max(64),
  comments: z.string().trim().max(2000, 'At most 2,000 characters').default(''),
  firstName: name('first name'),
  lastName: name('last name'),
  fromEmailAddress: z.email('Enter a valid email address').max(254),
  phoneNumber: z.union([z.literal(''), phone]).default(''),
  /** Made by the browser for one sending: a repeat of it is stored once. */
  idempotencyKey: z.string().min(8).max(80),
});
export type EmailOwner = z.infer<typeof emailOwnerSchema>;

export const emailOwnerAnswerSchema = z.object({ status: z.enum(['SUCCESS', 'FAILURE']) });

/** Answer of the ZIP lookup (AMB-182). */
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
export type ZipLookup = z.infer<typeof zipLookupSchema>;

/** Error body of every service (AMB-174). */
export const errorBodySchema = z.object({
  error: z.object({ code: z.string(), message: z.string(), requestId: z.string().optional() }),
});
export type ErrorBody = z.infer<typeof errorBodySchema>;

/** One entry of the crawl calls, also a model year or trim of the Pricing tab (B3-YEAR-01, AMB-067). */
export const crawlLinkSchema = z.object({
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
export type ReferenceOption = z.infer<typeof referenceOptionsSchema>['options'][number];
