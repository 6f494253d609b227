import { formatNumber } from '@forecourt/shared-contracts/rules';
import { createHash } from 'node:crypto';
import {
  emailCaptureSchema,
  reportListingSchema,
  shareListingSchema,
} from '@forecourt/shared-contracts/entities';
import { Router } from 'express';
import { type StockListing, derivedPrice, vehicleName } from '../domain/stock.ts';
import { ApiError } from '../http/middleware.ts';
import {
  formBody,
  idempotencyKeyOf,
  noStore,
  readBody,
  type ReportListing,
  type ShareListing,
} from '../http/requests.ts';
import type { Callers } from '../people/caller.ts';
import type { People } from '../people/people.ts';
import type { ListingStore } from '../store/listingStore.ts';
import { REPORT_REASONS } from '@forecourt/shared-contracts/entities/codes';
import type { Mail } from '../people/mailStore.ts';
import type { Capture } from '../people/subscriptionStore.ts';

/** Shares per mailbox and day, over all senders, so that the site cannot be used to flood a mailbox. */
const MAX_SHARES = 10;
const DAY_MS = 86_400_000;

export interface ContactRouteDeps {
  readonly people: People;
  readonly callers: Callers;
  readonly store: ListingStore;
  readonly mailContext: MailContext;
  /** Address of the moderators. */
  readonly reportsTo: string;
  readonly isLocal: boolean;
  readonly now: () => number;
}

/** Share or report a listing (AMB-195), sign up for email (AMB-184). Emails are queued with their cause and sent later. */
export function contactRoutes(deps: ContactRouteDeps): Router {
  const { people, callers, store, mailContext } = deps;
  const router = Router();
  const listingOf = (id: string): StockListing => {
    const [listing] = store.listings([id]);
    if (!listing) throw new ApiError(404, 'LISTING_NOT_FOUND', 'This vehicle is no longer for sale');
    return listing;
  };

  router.post('/cars-for-sale/svc/share-listing', noStore, formBody, (request, response) => {
    const share = readBody(shareListingSchema, request);
    const key = share.idempotencyKey ?? idempotencyKeyOf(request);
    const mail = shareMail(share, listingOf(share.listingId), mailContext);
    if (people.mails.countTo('share', share.toEmail, deps.now() - DAY_MS) >= MAX_SHARES)
      throw new ApiError(
        429,
        'RATE_LIMITED',
        'This address has received too many shares today; try again tomorrow',
      );
    people.mails.add('share', mail, key && `share:${createHash('sha256').update(key).digest('hex')}`);
    response.status(204).end();
  });

  router.post('/cars-for-sale/svc/report-listing', noStore, formBody, async (request, response) => {
    const form = readBody(reportListingSchema, request);
    const report = { ...form, idempotencyKey: form.idempotencyKey ?? idempotencyKeyOf(request) };
    const listing = listingOf(report.listingId);
    people.reports.add(report, await callers.visitor(request), (id) => {
      people.mails.add('report', reportMail(report, listing, deps.reportsTo, mailContext), `report:${id}`);
    });
    response.status(204).end();
  });

  router.post('/cars-for-sale/svc/email-capture', noStore, formBody, (request, response) => {
    const { emailAddress, brand } = readBody(emailCaptureSchema, request);
    const outcome = people.captures.add(emailAddress, brand, (capture) => {
      people.mails.add('capture-welcome', captureMail(capture, mailContext));
    });
    response.json({ status: outcome === 'added' ? 'success' : 'warning' });
  });

  if (deps.isLocal) {
    router.get('/cars-for-sale/svc/reports', noStore, (_, response) => {
      response.json({ reports: people.reports.all() });
    });
  }
  return router;
}

export interface MailContext {
  /** Origin of the site. */
  readonly siteUrl: string;
  readonly siteName: string;
  /** Prefix of unsubscribe links; the token follows. */
  readonly unsubscribeUrl: string;
}

const vehicleUrl = (siteUrl: string, listingId: string): string =>
  `${siteUrl}/cars-for-sale/vehicle/${encodeURIComponent(listingId)}`;

/** Name, price and mileage of a listing, and its link on a second line. */
export function listingLines(listing: StockListing, siteUrl: string): string {
  const price = derivedPrice(listing);
  const facts = [
    price === undefined ? 'Call for price' : `$${formatNumber(price)}`,
    listing.mileage !== undefined && `${formatNumber(listing.mileage)} miles`,
  ];
  return `${vehicleName(listing)}, ${facts.filter(Boolean).join(', ')}\n${vehicleUrl(siteUrl, listing.id)}`;
}

/** A shared vehicle (AMB-195). The email names the sender but comes from the site. */
function shareMail(share: ShareListing, listing: StockListing, context: MailContext): Mail {
  const { siteUrl, siteName } = context;
  return {
    to: share.toEmail,
    replyTo: share.fromEmail,
    subject: `${share.fromEmail} shared a vehicle with you: ${vehicleName(listing)}`,
    text: [
      `${share.fromEmail} found this on ${siteName} and thought you might like it:`,
      listingLines(listing, siteUrl),
      share.message && `Their message:\n\n${share.message}`,
      `You received this email because someone entered your address on ${siteName}. We won’t use it for anything else.`,
    ]
      .filter(Boolean)
      .join('\n\n'),
  };
}

/** A report, for the moderators. */
function reportMail(report: ReportListing, listing: StockListing, to: string, context: MailContext): Mail {
  return {
    to,
    ...(report.email && { replyTo: report.email }),
    subject: `Report: ${REPORT_REASONS[report.reason]} (${listing.id})`,
    text: [
      `A visitor reported listing ${listing.id} of seller ${listing.ownerId}: ${REPORT_REASONS[report.reason]}.`,
      listingLines(listing, context.siteUrl),
      report.comments || '(no comment)',
      report.email && `Reply to: ${report.email}`,
    ]
      .filter(Boolean)
      .join('\n\n'),
  };
}

/** Headers for one-click unsubscribe (RFC 8058). */
export const unsubscribeHeaders = (url: string): Record<string, string> => ({
  'List-Unsubscribe': `<${url}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
});

/** Confirms an email capture. */
function captureMail(capture: Capture, context: MailContext): Mail {
  const url = context.unsubscribeUrl + capture.unsubscribeToken;
  return {
    to: capture.email,
    subject: `You’re subscribed to ${context.siteName}`,
    headers: unsubscribeHeaders(url),
    text: [
      `Hello,`,
      `You signed up at ${context.siteUrl} for news about vehicles and price drops.`,
      `Wasn’t you, or changed your mind? Unsubscribe here: ${url}`,
    ].join('\n\n'),
  };
}
