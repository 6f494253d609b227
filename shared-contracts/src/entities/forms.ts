import { z } from 'zod';
import { REPORT_REASONS } from './codes.ts';
import { zipLookupSchema, crawlLinkSchema, referenceOptionsSchema } from './reference.ts';

/** Characters of an email address in the capture form (B9-LEN-03). */
export const EMAIL_MAX_LENGTH = 45;

/** US phone number: ten digits in any usual writing, an optional +1 before them. */
const phone = z
  .string()
  .trim()
  .regex(/^(\+?1[\s.-]?)?\(?\d{3}\)?[\s.-]?\d{3}[\s.-]?\d{4}$/, 'Enter a 10-digit phone number');

const name = (what: string) =>
  z.string().trim().min(1, `Enter your ${what}`).max(60, `At most 60 characters`);

/** An email address of a form; empty is told apart from wrong. */
const email = z
  .string()
  .trim()
  .min(1, 'Enter your email address')
  .max(254, 'At most 254 characters')
  .pipe(z.email('Enter a valid email address'));

/** Made by the browser for one sending: a repeat of it is stored once. */
const idempotencyKey = z.string().min(8).max(80);

const listingId = z.string().min(1).max(64);

/** Body of the email-owner call (A3-LEAD-02, AMB-180). */
export const emailOwnerSchema = z.object({
  listingId: z.string().min(1).max(64),
  ownerId: z.string().min(1).max(64),
  comments: z.string().trim().max(2000, 'At most 2,000 characters').default(''),
  firstName: name('first name'),
  lastName: name('last name'),
  fromEmailAddress: email,
  phoneNumber: z.union([z.literal(''), phone]).default(''),
  /** Made by the browser for one sending: a repeat of it is stored once. */
  idempotencyKey,
});
export type EmailOwner = z.infer<typeof emailOwnerSchema>;

/** Body of the make-offer call: a message to a private seller that names a price, in US dollars. */
export const makeOfferSchema = emailOwnerSchema.extend({
  offerAmount: z
    .number('Enter your offer')
    .int('Enter whole dollars')
    .min(1, 'Enter your offer')
    .max(10_000_000, 'At most $10,000,000'),
});
export type MakeOffer = z.infer<typeof makeOfferSchema>;

/** Body of the profile call: who wants to write with one click from now on (A3-LEAD-01, AMB-103). */
export const leadProfileFormSchema = z.object({
  firstName: name('first name'),
  lastName: name('last name'),
  email,
  phone: z.union([z.literal(''), phone]).default(''),
  isOneClickOptedIn: z.boolean(),
});
export type LeadProfileForm = z.infer<typeof leadProfileFormSchema>;

/** Body of share-listing (AMB-195). */
export const shareListingSchema = z.object({
  listingId,
  toEmail: email,
  fromEmail: email,
  message: z.string().trim().max(1000, 'At most 1,000 characters').default(''),
  idempotencyKey: idempotencyKey.optional(),
});
export type ShareListing = z.infer<typeof shareListingSchema>;

/** Body of report-listing (AMB-195); the email is optional. */
export const reportListingSchema = z.object({
  listingId,
  reason: z.enum(Object.keys(REPORT_REASONS) as (keyof typeof REPORT_REASONS)[], 'Choose a reason'),
  comments: z.string().trim().max(1000, 'At most 1,000 characters').default(''),
  email: z.union([z.literal(''), email]).default(''),
  idempotencyKey: idempotencyKey.optional(),
});
export type ReportListing = z.infer<typeof reportListingSchema>;

/** An address of the capture forms: shorter than other ones (B3-FORM-01, B9-LEN-03). */
const captureEmail = z
  .string()
  .trim()
  .min(1, 'Enter your email address')
  .max(EMAIL_MAX_LENGTH, `At most ${EMAIL_MAX_LENGTH} characters`)
  .pipe(z.email('Enter a valid email address'));

const brand = z.string().min(1).max(16);

/** Body of the email capture (AMB-184). */
export const emailCaptureSchema = z.object({ emailAddress: captureEmail, brand });
export type EmailCapture = z.infer<typeof emailCaptureSchema>;

/** success = accepted, warning = subscribed already, danger = everything else (AMB-109). */
export const emailCaptureResponseSchema = z.object({ status: z.enum(['success', 'warning', 'danger']) });

/** Body of the alert subscription (AMB-183): `search` is the query of the results page. */
export const emailAlertFormSchema = z.object({
  emailAddress: captureEmail,
  brand,
  search: z.string().max(4000),
});
export type EmailAlertForm = z.infer<typeof emailAlertFormSchema>;

/** Body of the save-search call (A7-BOOK-03, AMB-099). An empty id makes a new bookmark. */
export const bookmarkFormSchema = z.object({
  bookmarkId: z.union([z.literal(''), z.string().regex(/^[\w-]{16,64}$/)]).default(''),
  bookmarkTitle: z.string().trim().min(1, 'Enter a name').max(120, 'At most 120 characters'),
  searchName: z.string().trim().max(200).default(''),
  lastExecuted: z.string().max(40).default(''),
  searchResultsURL: z.string().min(1).max(8000),
});
export type BookmarkForm = z.infer<typeof bookmarkFormSchema>;

/** Body that renames a bookmark. */
export const bookmarkTitleSchema = bookmarkFormSchema.pick({ bookmarkTitle: true });

/** Body which brings what was saved signed out into the account (AMB-194). */
export const mergeListingsSchema = z.object({ listingIds: z.array(listingId).max(100) });

export const emailOwnerResponseSchema = z.object({ status: z.enum(['SUCCESS', 'FAILURE']) });

/** Error body of every service (AMB-174). */
export const errorBodySchema = z.object({
  error: z.object({ code: z.string(), message: z.string(), requestId: z.string().optional() }),
});
export type ErrorBody = z.infer<typeof errorBodySchema>;
