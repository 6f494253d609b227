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
});
