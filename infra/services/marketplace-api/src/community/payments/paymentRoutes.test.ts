import { CALLS } from '@forecourt/upstream/calls';
import type { Listing } from '@forecourt/upstream/entities';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { PaymentCalculation } from '../../domain/callTypes.ts';
import fc from 'fast-check';
import { aListing, anOwner } from '../../testing/arbitraries.ts';
import { type TestApp, startTestApp } from '../../testing/testApp.ts';
import { calculatePayment, incentivesOf, rebateOf } from '../../domain/payments.ts';

const DEFAULT_OPTIONS = {
  enableLease: false,
  disableIncentives: false,
  hasSpecialOffers: false,
  defaultRate: true,
  type: 'finance',
} as const;
const fresh = aListing({
  id: 'new',
  vin: 'VIN00000000000001',
  listingType: 'NEW',
  msrp: 40_000,
  salePrice: 39_000,
  incentive: 37_500,
  hasSpecialOffer: true,
});

describe('payments', () => {
  let app: TestApp;
  beforeEach(async () => {
    app = await startTestApp({
      owners: [anOwner({ ecommerce: 'full' })],
      listings: [
        aListing(),
        fresh,
        aListing({ id: 'none', vin: 'V2', salePrice: undefined, msrp: undefined }),
      ],
    });
  });
  afterEach(() => app.stop());
  const calculate = async (query: string): Promise<PaymentCalculation> =>
    CALLS.paymentCalculation.response.unwrap().parse(await app.json(`/payments/calculate?${query}`));

  // rows: B7-OTHER-01, A3-LISTING-15
  it("returns the same payment as the listing's card", async () => {
    const { listing } = await app.json<{ listing: Listing } & Record<string, never>>(
      '/rest/lsc/listing/1000001',
    );
    const url = listing.paymentServices?.paymentCalculationUrl ?? '';
    const response = CALLS.paymentCalculation.response
      .unwrap()
      .parse(await app.json(`${url}&defaultRate=true`));
    expect(response).toEqual({
      price: 38_000,
      downPayment: 3_800,
      term: 72,
      apr: 6.99,
      type: 'finance',
      incentives: 0,
      monthlyPayment: listing.pricingDetail.payments?.monthly,
    });
    expect((await app.get(listing.paymentServices?.incentivesUrl ?? '')).status).toBe(200);
  });

  it('applies each query parameter that the page adds', async () => {
    expect(await calculate('listingId=new&defaultRate=false')).toMatchObject({
      apr: 5.49,
      price: 37_500,
      incentives: 1_500,
    });
    expect(await calculate('listingId=new&defaultRate=false&hasSpecialOffers=true')).toMatchObject({
      apr: 3.9,
    });
    expect(await calculate('listingId=new&defaultRate=true&hasSpecialOffers=true')).toMatchObject({
      apr: 6.99,
    });
    expect(await calculate('listingId=new&disableIncentives=true')).toMatchObject({
      price: 39_000,
      incentives: 0,
    });
    expect(await calculate('listingId=new&enableLease=true&type=lease')).toMatchObject({
      type: 'lease',
      term: 36,
    });
    expect(await calculate('listingId=new&enableLease=false&type=lease')).toMatchObject({ type: 'finance' });
    expect(await calculate('listingId=new&term=61&downPayment=500&apr=0')).toMatchObject({
      term: 60,
      downPayment: 500,
      apr: 0,
      monthlyPayment: Math.round(37_000 / 60),
    });
  });

  it('ignores malformed parameters and rejects only unpriced or missing vehicles', async () => {
    expect(await calculate('listingId=1000001&apr=x&term=-3&downPayment=1e9&defaultRate=true')).toMatchObject(
      { apr: 6.99, term: 72 },
    );
    expect((await app.get('/payments/calculate?listingId=gone')).status).toBe(404);
    expect((await app.get('/payments/calculate')).status).toBe(404);
    expect((await app.get('/payments/calculate?listingId=none')).status).toBe(409);
  });

  it('computes payments that cover the price plus interest over the term', () => {
    const price = fc.integer({ min: 1_000, max: 150_000 });
    fc.assert(
      fc.property(
        price,
        fc.constantFrom(36, 48, 60, 72, 84),
        fc.integer({ min: 0, max: 30 }),
        (salePrice, term, apr) => {
          const listing = aListing({ salePrice });
          const paid = calculatePayment(listing, { ...DEFAULT_OPTIONS, term, apr })!;
          const financed = salePrice - paid.downPayment;
          // Rounded to whole dollars each month.
          expect(paid.monthlyPayment * term).toBeGreaterThanOrEqual(financed - term / 2);
          expect(paid.monthlyPayment * term).toBeLessThanOrEqual(
            financed * (1 + (apr / 100) * (term / 12)) + term / 2,
          );
        },
      ),
    );
  });

  it('returns the rebate included in the price, and special rates for new vehicles only', async () => {
    const now = Date.UTC(2026, 10, 12);
    const choices = { enableLease: true, disableIncentives: false, hasSpecialOffers: true };
    expect(incentivesOf(fresh, choices, now)).toMatchObject([
      { kind: 'cash', amount: 1_500, expires: '2026-11-30' },
      { kind: 'apr', apr: 3.9 },
      { kind: 'lease' },
    ]);
    expect(rebateOf(aListing())).toBe(0);
    expect(incentivesOf(aListing({ hasSpecialOffer: true }), choices, now)).toEqual([]);
    expect(await app.json('/payments/incentives?listingId=new&disableIncentives=true')).toEqual({
      incentives: [],
    });
  });

  // rows: B7-DEAL-01, B7-DEAL-02
  it('stores a deal once per key, replaces it by id and defaults to finance', async () => {
    const DEALS = '/my-wallet/share-dealxg/deals';
    const body = { carId: '1000001', deal: { dealType: 'barter', monthlyPayment: 500 } };
    const key = { 'Idempotency-Key': 'deal-of-test' };
    const first = (await (await app.send('POST', DEALS, body, key)).json()) as { id: string };
    expect(first).toEqual({
      id: first.id,
      carId: '1000001',
      deal: { dealType: 'finance', monthlyPayment: 500 },
    });
    expect(await (await app.send('POST', DEALS, body, key)).json()).toEqual(first);
    expect(((await (await app.send('POST', DEALS, body)).json()) as { id: string }).id).not.toBe(first.id);
    const changed = await app.send('POST', `${DEALS}/id/${first.id}`, {
      carId: '1000001',
      deal: { dealType: 'cash' },
    });
    expect(await changed.json()).toEqual({ id: first.id, carId: '1000001', deal: { dealType: 'cash' } });
    expect((await app.send('POST', `${DEALS}/id/nobody`, body)).status).toBe(404);
    expect((await app.send('POST', DEALS, { deal: {} })).status).toBe(400);
  });

  it("returns whether a vehicle is eligible for the dealer's online shop", async () => {
    const eligible = (id: string) =>
      app.json<Record<string, never>>(`/cars-for-sale/svc/esntial-eligibility?listingId=${id}`);
    expect(await eligible('1000001')).toEqual({ eligible: true });
    expect(await eligible('none')).toEqual({ eligible: false });
    expect(await eligible('gone')).toEqual({ eligible: false });
  });
});
