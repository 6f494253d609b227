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
  /** Start of the links that end a subscription; the token follows. */
  readonly unsubscribeUrl: string;
}

export const vehicleUrl = (siteUrl: string, listingId: string): string =>
  `${siteUrl}/cars-for-sale/vehicle/${encodeURIComponent(listingId)}`;

/** Name, price and mileage of a listing in one line, and its address. */
export function listingLines(listing: StockListing, siteUrl: string): string {
  const price = derivedPrice(listing);
  const facts = [
    price === undefined ? 'Call for price' : `$${withThousands(price)}`,
    listing.mileage !== undefined && `${withThousands(listing.mileage)} miles`,
  ];
  return `${vehicleName(listing)}, ${facts.filter(Boolean).join(', ')}\n${vehicleUrl(siteUrl, listing.id)}`;
}

/** A person shares a vehicle (AMB-195). It says who sends it, and comes from the site, not from them. */
export function shareMail(share: ShareListing, listing: StockListing, context: MailContext): Mail {
  const { siteUrl, siteName } = context;
  return {
    to: share.toEmail,
    replyTo: share.fromEmail,
    subject: `${share.fromEmail} shares a vehicle with you: ${vehicleName(listing)}`,
    text: [
      `${share.fromEmail} found this on ${siteName} and thinks you may like it:`,
      listingLines(listing, siteUrl),
      share.message && `Their message:\n\n${share.message}`,
      `You get this one mail because somebody entered your address; it is not kept for others.`,
    ]
      .filter(Boolean)
      .join('\n\n'),
  };
}

/** A report, for those who look after the marketplace. */
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
      `A visitor reports listing ${listing.id} of seller ${listing.ownerId}: ${REPORT_REASONS[report.reason]}.`,
      listingLines(listing, context.siteUrl),
      report.comments || '(no comment)',
      report.email && `Answer to: ${report.email}`,
    ]
      .filter(Boolean)
      .join('\n\n'),
  };
}

/** Headers by which a mail program offers to unsubscribe with one click (RFC 8058). */
export const unsubscribeHeaders = (url: string): Record<string, string> => ({
  'List-Unsubscribe': `<${url}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
});

/** Confirms an email capture. */
export function captureMail(capture: Capture, context: MailContext): Mail {
  const url = context.unsubscribeUrl + capture.unsubscribeToken;
  return {
    to: capture.email,
    subject: `You hear from ${context.siteName} from now on`,
    headers: unsubscribeHeaders(url),
    text: [
      `Hello,`,
      `this address was entered at ${context.siteUrl} to hear of new vehicles and price drops.`,
      `That was not you, or you changed your mind? ${url}`,
    ].join('\n\n'),
  };
}
