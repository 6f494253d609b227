import { createHash } from 'node:crypto';
import { CALLS } from '@forecourt/upstream/calls';
import { type Request, Router } from 'express';
import type { StockListing } from '../../domain/stock.ts';
import { ApiError } from '../../http/middleware.ts';
import { formBody, idempotencyKeyOf, readBody, cacheable, noStore, ONE_MINUTE } from '../../http/requests.ts';
import type { People } from '../people/people.ts';
import type { ListingStore } from '../../inventory/index.ts';
import { calculatePayment, incentivesOf, type PaymentOptions } from '../../domain/payments.ts';

/** Percent a year; higher rates are typos. */
const MAX_APR = 40;
const MAX_DOLLARS = 10_000_000;

const textOf = (request: Request, name: string): string | undefined => {
  const value = request.query[name];
  return typeof value === 'string' ? value : undefined;
};
const isTrue = (request: Request, name: string): boolean => textOf(request, name)?.toLowerCase() === 'true';

/** A number between 0 and `max`; undefined for anything else. */
function numberOf(request: Request, name: string, max: number): number | undefined {
  const text = textOf(request, name);
  const value = text !== undefined && /^\d{1,8}(\.\d{1,4})?$/.test(text) ? Number(text) : NaN;
  return value <= max ? value : undefined;
}

function optionsOf(request: Request): PaymentOptions {
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

/** Payments, incentives and deals. */
export function paymentRoutes({ store, people, now }: PaymentRouteDeps): Router {
  const router = Router();
  const listingOf = async (request: Request): Promise<StockListing> => {
    const [listing] = await store.listings([textOf(request, 'listingId') ?? '']);
    if (!listing) throw new ApiError(404, 'LISTING_NOT_FOUND', 'This vehicle is no longer for sale');
    return listing;
  };
  const cached = cacheable(ONE_MINUTE);

  router.get('/payments/calculate', cached, async (request, response) => {
    const payment = calculatePayment(await listingOf(request), optionsOf(request));
    if (!payment) throw new ApiError(409, 'NO_PRICE', 'This vehicle has no price');
    response.json(payment);
  });
  router.get('/payments/incentives', cached, async (request, response) => {
    response.json({ incentives: incentivesOf(await listingOf(request), optionsOf(request), now()) });
  });

  const DEALS = '/my-wallet/share-dealxg/deals';
  router.post(DEALS, noStore, formBody, async (request, response) => {
    const deal = readBody(CALLS.saveDeal.body, request);
    const key = idempotencyKeyOf(request);
    const id = key && createHash('sha256').update(`deal ${key}`).digest('base64url');
    response.json(await people.deals.add(deal, id));
  });
  router.post(`${DEALS}/id/:id`, noStore, formBody, async (request, response) => {
    const deal = await people.deals.replace(
      request.params.id as string,
      readBody(CALLS.saveDeal.body, request),
    );
    if (!deal) throw new ApiError(404, 'DEAL_NOT_FOUND', 'Deal not found');
    response.json(deal);
  });
  return router;
}
