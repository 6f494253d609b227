import { describe, expect, it } from '@jest/globals';
import { buildListing } from '@forecourt/search/testing';
import { dealText, priceLines } from './price.ts';

const pricedListing = (
  pricingDetail: ReturnType<typeof buildListing>['pricingDetail'],
  isReducedPrice = false,
) => buildListing({ pricingDetail, isReducedPrice });

describe('priceLines', () => {
  it('reads "Call for price" without a price', () => {
    expect(priceLines(pricedListing({}), { payments: true })).toEqual({ current: 'Call for price' });
  });

  it('returns the previous price of reduced listings only', () => {
    const pricing = { derivedPrice: 31_000, previousPrice: 33_500 };
    expect(priceLines(pricedListing(pricing, true), { payments: false })).toEqual({
      current: '$31,000',
      previous: '$33,500',
    });
    expect(priceLines(pricedListing(pricing, false), { payments: false }).previous).toBeUndefined();
    expect(
      priceLines(pricedListing({ derivedPrice: 31_000, previousPrice: 30_000 }, true), { payments: false })
        .previous,
    ).toBeUndefined();
  });

  // rows: A3-LISTING-10
  it('returns the payment only while payments are on', () => {
    const listing = pricedListing({ derivedPrice: 31_000, payments: { monthly: 512, term: 72, apr: 6.99 } });
    expect(priceLines(listing, { payments: true }).payment).toBe('Est. $512/mo');
    expect(priceLines(listing, { payments: false }).payment).toBeUndefined();
  });

  it('says that the down payment covers a price instead of $0 a month', () => {
    const { payment } = priceLines(pricedListing({ derivedPrice: 3_000 }), {
      payments: true,
      terms: { down: 4_000 },
    });
    expect(payment).toBe('Covered by your down payment');
  });
});

describe('dealText', () => {
  // rows: B3-LISTING-03
  it('names Great and Good deals and no others', () => {
    expect(dealText(pricedListing({ dealIndicator: 'Great' }))).toBe('Great Price');
    expect(dealText(pricedListing({ dealIndicator: 'Good' }))).toBe('Good Price');
    expect(dealText(pricedListing({ dealIndicator: 'Fair' }))).toBeUndefined();
    expect(dealText(pricedListing({ dealIndicator: 'High' }))).toBeUndefined();
    expect(dealText(pricedListing({ dealIndicator: undefined }))).toBeUndefined();
  });

  it('says a good deal in dollars, as far as similar vehicles cost more', () => {
    const deal = (derivedPrice: number, dealIndicator: 'Great' | 'Fair' = 'Great') =>
      dealText(pricedListing({ derivedPrice, dealIndicator, market: { average: 30_040, similar: 24 } }));
    expect(deal(28_100)).toBe('$1,900 below market');
    // An average says nothing about a difference of its own size.
    expect(deal(29_950)).toBe('Great Price');
    expect(deal(30_100)).toBe('Great Price');
    // Elsewhere the page says that it is above the market.
    expect(deal(31_000)).toBeUndefined();
    expect(deal(20_000, 'Fair')).toBeUndefined();
  });
});
