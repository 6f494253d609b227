import { renderEmail } from '@forecourt/service-kit/email';
import { REPORT_REASONS } from '@forecourt/upstream/codes';
import { emailCaptureSchema, reportListingSchema, shareListingSchema } from '@forecourt/upstream/entities';
import { createHash } from 'node:crypto';
import { Router } from 'express';
import { createElement } from 'react';
import { type StockListing, vehicleName } from '../../domain/stock.ts';
import { ApiError } from '../../http/middleware.ts';
import type { ReportListing } from '../../domain/callTypes.ts';
import { formBody, idempotencyKeyOf, noStore, readBody } from '../../http/requests.ts';
import type { Caller, Callers } from '../people/caller.ts';
import type { People } from '../people/people.ts';
import type { ListingStore } from '../../inventory/index.ts';
import { ConfirmEmail } from '../mail/emails/ConfirmEmail.ts';
import { ReportEmail } from '../mail/emails/ReportEmail.ts';
import { ShareEmail } from '../mail/emails/ShareEmail.ts';
import type { EmailVehicle } from '../mail/emails/VehicleLines.ts';
import { WelcomeEmail } from '../mail/emails/WelcomeEmail.ts';
import type { Mail } from '../people/mailStore.ts';
import type { Capture } from '../people/captureStore.ts';

export interface ContactRouteDeps {
  readonly people: People;
  readonly callers: Callers;
  readonly store: ListingStore;
  readonly mailContext: MailContext;
  /** Address of the moderators. */
  readonly reportsTo: string;
  readonly isLocal: boolean;
}

/** Share or report a listing, sign up for email. Emails are queued with their cause and sent later. */
export function contactRoutes(deps: ContactRouteDeps): Router {
  const { people, callers, store, mailContext } = deps;
  const router = Router();
  const listingOf = async (id: string): Promise<StockListing> => {
    const [listing] = await store.listings([id]);
    if (!listing) throw new ApiError(404, 'LISTING_NOT_FOUND', 'This vehicle is no longer for sale');
    return listing;
  };

  // Accounts only: their address is verified, so the site cannot be used to email strangers.
  router.post('/cars-for-sale/svc/share-listing', noStore, formBody, async (request, response) => {
    const { account, verifiedEmail } = await callers.account(request);
    const share = readBody(shareListingSchema, request);
    if (verifiedEmail === undefined)
      throw new ApiError(403, 'EMAIL_NOT_VERIFIED', 'Confirm the email address of your account first');
    const key = share.idempotencyKey ?? idempotencyKeyOf(request);
    const mail = shareMail(share.toEmail, verifiedEmail, await listingOf(share.listingId), {
      ...mailContext,
      optOutToken: await people.mails.optOutToken(share.toEmail),
    });
    const dedupeKey = key && `share:${account}:${createHash('sha256').update(key).digest('hex')}`;
    if ((await people.mails.add('share', mail, dedupeKey, account)) === 'limited')
      throw new ApiError(429, 'RATE_LIMITED', 'Too many vehicles were shared today; try again tomorrow');
    // A mailbox that takes no emails is not told apart.
    response.status(204).end();
  });

  router.post('/cars-for-sale/svc/report-listing', noStore, formBody, async (request, response) => {
    const form = readBody(reportListingSchema, request);
    const report = { ...form, idempotencyKey: form.idempotencyKey ?? idempotencyKeyOf(request) };
    const listing = await listingOf(report.listingId);
    const caller = await callers.visitor(request);
    const mail = reportMail(report, listing, deps.reportsTo, mailContext);
    await people.reports.add(report, caller, (id) => people.mails.add('report', mail, `report:${id}`));
    response.status(204).end();
  });

  router.post('/cars-for-sale/svc/email-capture', noStore, formBody, async (request, response) => {
    const { emailAddress: email, brand } = readBody(emailCaptureSchema, request);
    const caller = await callers.visitor(request);
    const isVerified = isOwnAddress(email, caller);
    const outcome = await people.captures.add({ email, brand, isVerified }, async (capture) => {
      if (!isVerified) {
        const mail = confirmCaptureMail(capture, mailContext);
        await people.mails.add('capture-confirm', mail, undefined, caller.account);
      } else {
        await people.mails.unsuppress(email);
        await people.mails.add('capture-welcome', captureMail(capture, mailContext));
      }
    });
    response.json({ status: outcome === 'added' ? 'success' : 'warning' });
  });

  if (deps.isLocal) {
    router.get('/cars-for-sale/svc/reports', noStore, async (_, response) => {
      response.json({ reports: await people.reports.all() });
    });
  }
  return router;
}

export interface MailContext {
  /** Origin of the site. */
  readonly siteUrl: string;
  readonly siteName: string;
}

const siteOf = ({ siteUrl, siteName }: MailContext) => ({ siteUrl, siteName });

/** Links of a subscription's emails. Opening one changes nothing, because mail scanners open links too. */
const confirmUrl = ({ siteUrl }: MailContext, token: string): string =>
  `${siteUrl}/cars-for-sale/svc/confirm/${token}`;
export const unsubscribeUrl = ({ siteUrl }: MailContext, token: string): string =>
  `${siteUrl}/cars-for-sale/svc/unsubscribe/${token}`;

/** Whether an address is the caller's own, so that nothing is left to confirm. */
export const isOwnAddress = (address: string, { verifiedEmail }: Caller): boolean =>
  verifiedEmail !== undefined && address.trim().toLowerCase() === verifiedEmail.toLowerCase();

/** A shared vehicle: the email comes from the site, and replies go to the sender's verified address. */
export function shareMail(
  to: string,
  from: string,
  listing: EmailVehicle,
  context: MailContext & { readonly optOutToken: string },
): Mail {
  const url = unsubscribeUrl(context, context.optOutToken);
  return {
    to,
    replyTo: from,
    subject: `${from} shared a vehicle with you: ${vehicleName(listing)}`,
    headers: unsubscribeHeaders(url),
    ...renderEmail(createElement(ShareEmail, { ...siteOf(context), from, listing, unsubscribeUrl: url })),
  };
}

/** A report, for the moderators. */
export function reportMail(
  report: ReportListing,
  listing: EmailVehicle,
  to: string,
  context: MailContext,
): Mail {
  const { email: replyTo, comments } = report;
  const reason = REPORT_REASONS[report.reason];
  return {
    to,
    ...(replyTo && { replyTo }),
    subject: `Report: ${reason} (${listing.id})`,
    ...renderEmail(createElement(ReportEmail, { ...siteOf(context), reason, comments, replyTo, listing })),
  };
}

/** Headers for one-click unsubscribe (RFC 8058). */
export const unsubscribeHeaders = (url: string): Record<string, string> => ({
  'List-Unsubscribe': `<${url}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
});

/** Asks for the confirmation of an address that someone typed in. */
export function confirmMail(
  subscription: { readonly to: string; readonly token: string; readonly what: string },
  context: MailContext,
): Mail {
  const { to, token, what } = subscription;
  const { siteName } = context;
  const url = unsubscribeUrl(context, token);
  return {
    to,
    subject: `Confirm your email address for ${siteName}`,
    headers: unsubscribeHeaders(url),
    ...renderEmail(
      createElement(ConfirmEmail, {
        ...{ siteName, what },
        confirmUrl: confirmUrl(context, token),
        unsubscribeUrl: url,
      }),
    ),
  };
}

const confirmCaptureMail = ({ email, unsubscribeToken }: Capture, context: MailContext): Mail =>
  confirmMail({ to: email, token: unsubscribeToken, what: 'news about vehicles and price drops' }, context);

/** Confirms an email capture. */
export function captureMail(capture: Capture, context: MailContext): Mail {
  const { siteName, siteUrl } = context;
  const url = unsubscribeUrl(context, capture.unsubscribeToken);
  return {
    to: capture.email,
    subject: `You’re subscribed to ${siteName}`,
    headers: unsubscribeHeaders(url),
    ...renderEmail(
      createElement(WelcomeEmail, {
        siteName,
        about: `You signed up at ${siteUrl} for news about vehicles and price drops.`,
        action: { href: siteUrl, label: 'Find a vehicle' },
        unsubscribeUrl: url,
      }),
    ),
  };
}
