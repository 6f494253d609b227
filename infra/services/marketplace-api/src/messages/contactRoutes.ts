import { createHash } from 'node:crypto';
import {
  emailCaptureSchema,
  reportListingSchema,
  shareListingSchema,
} from '@forecourt/shared-contracts/entities';
import { Router } from 'express';
import type { StockListing } from '../domain/stock.ts';
import { ApiError } from '../http/errors.ts';
import { formBody, idempotencyKeyOf, readBody, noStore } from '../http/requests.ts';
import type { Callers } from '../people/caller.ts';
import type { People } from '../people/people.ts';
import type { ListingStore } from '../store/listingStore.ts';
import { captureMail, reportMail, shareMail, type MailContext } from './contactMails.ts';

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
