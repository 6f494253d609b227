import type { ReportListing, ShareListing } from '../http/callTypes.ts';
import { REPORT_REASONS } from '@forecourt/shared-contracts/entities/codes';
import { withThousands } from '@forecourt/shared-contracts/catalog';
import { type StockListing, derivedPrice, vehicleName } from '../domain/stock.ts';
import type { Mail } from '../people/mailStore.ts';
import type { Capture } from '../people/subscriptionStore.ts';

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
    price === undefined ? 'Call for price' : `$${withThousands(price)}`,
    listing.mileage !== undefined && `${withThousands(listing.mileage)} miles`,
  ];
  return `${vehicleName(listing)}, ${facts.filter(Boolean).join(', ')}\n${vehicleUrl(siteUrl, listing.id)}`;
}

/** A shared vehicle (AMB-195). The email names the sender but comes from the site. */
export function shareMail(share: ShareListing, listing: StockListing, context: MailContext): Mail {
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
export function reportMail(
  report: ReportListing,
  listing: StockListing,
  to: string,
  context: MailContext,
): Mail {
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
export function captureMail(capture: Capture, context: MailContext): Mail {
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
