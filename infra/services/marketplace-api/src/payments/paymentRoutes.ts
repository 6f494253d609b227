import { CALLS } from '@forecourt/shared-contracts/calls';
import { createHash } from 'node:crypto';
import { type Request, Router } from 'express';
import type { StockListing } from '../domain/stock.ts';
import { ApiError } from '../http/errors.ts';
import { formBody, idempotencyKeyOf, readBody, cacheable, noStore, ONE_MINUTE } from '../http/requests.ts';
import type { People } from '../people/people.ts';
import type { ListingStore } from '../store/listingStore.ts';
import { calculatePayment, incentivesOf, type PaymentWish } from './payments.ts';

/** Percent a year; beyond that a rate is a typing error. */
const MAX_APR = 40;
const MAX_DOLLARS = 10_000_000;

const textOf = (request: Request, name: string): string | undefined => {
  const value = request.query[name];
  return typeof value === 'string' ? value : undefined;
};
const isTrue = (request: Request, name: string): boolean => textOf(request, name)?.toLowerCase() === 'true';

/** A number between 0 and a maximum; anything else is not there. */
function numberOf(request: Request, name: string, max: number): number | undefined {
  const text = textOf(request, name);
  const value = text !== undefined && /^\d{1,8}(\.\d{1,4})?$/.test(text) ? Number(text) : NaN;
  return value <= max ? value : undefined;
}

function wishOf(request: Request): PaymentWish {
  return {
    enableLease: isTrue(request, 'enableLease'),
    disableIncentives: isTrue(request, 'disableIncentives'),
    hasSpecialOffers: isTrue(request, 'hasSpecialOffers'),
    defaultRate: isTrue(request, 'defaultRate'),
    type: textOf(request, 'type') === 'lease' ? 'lease' : 'finance',
    downPayment: numberOf(request, 'downPayment', MAX_DOLLARS),
    term: numberOf(request, 'term', 120),
    apr: numberOf(request, 'apr', MAX_APR),
  };
}

export interface PaymentRouteDeps {
  readonly store: ListingStore;
  readonly people: People;
  readonly now: () => number;
}

/** Payments (AMB-189), incentives and deals (B7-DEAL-01, B7-DEAL-02). */
export function paymentRoutes({ store, people, now }: PaymentRouteDeps): Router {
  const router = Router();
  const listingOf = (request: Request): StockListing => {
    const [listing] = store.listings([textOf(request, 'listingId') ?? '']);
    if (!listing) throw new ApiError(404, 'LISTING_NOT_FOUND', 'This vehicle is not for sale any more');
    return listing;
  };
  const kept = cacheable(ONE_MINUTE);

  router.get('/payments/calculate', kept, (request, response) => {
    const payment = calculatePayment(listingOf(request), wishOf(request));
    if (!payment) throw new ApiError(409, 'NO_PRICE', 'This vehicle has no price to calculate with');
    response.json(payment);
  });
  router.get('/payments/incentives', kept, (request, response) => {
    response.json({ incentives: incentivesOf(listingOf(request), wishOf(request), now()) });
  });

  const DEALS = '/my-wallet/share-dealxg/deals';
  router.post(DEALS, noStore, formBody, (request, response) => {
    const deal = readBody(CALLS.saveDeal.body, request);
    const key = idempotencyKeyOf(request);
    const id = key && createHash('sha256').update(`deal ${key}`).digest('base64url');
    response.json(people.deals.add(deal, id));
  });
  router.post(`${DEALS}/id/:id`, noStore, formBody, (request, response) => {
    const deal = people.deals.replace(request.params.id as string, readBody(CALLS.saveDeal.body, request));
    if (!deal) throw new ApiError(404, 'DEAL_NOT_FOUND', 'There is no such deal');
    response.json(deal);
  });
  return router;
}
