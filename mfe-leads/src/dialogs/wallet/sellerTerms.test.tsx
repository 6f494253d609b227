/** @jest-environment jest-fixed-jsdom */
import { afterEach, describe, expect, it } from '@jest/globals';
import { buildListing, buildOwner } from '@forecourt/search/testing';
import { amendPaymentUrl } from './sellerTerms.ts';

afterEach(() => {
  window.localStorage.clear();
  window.sessionStorage.clear();
});

describe('amendPaymentUrl', () => {
  const amended = (options: { listing?: object; owner?: object } = {}) => {
    const url = amendPaymentUrl('/payments/calculate?listingId=1&x=y', {
      listing: buildListing({ ...options.listing }),
      owner: buildOwner({ ...options.owner }),
      brand: 'kbb',
    });
    return Object.fromEntries(new URL(url, 'http://localhost').searchParams);
  };

  // rows: A7-PAY-01, A7-PAY-02, A7-PAY-03, A7-PAY-04, A7-PAY-05, A3-LISTING-14, A3-LISTING-15
  it('adds lease, incentives, special offers, dealer, partner and rate, and keeps the query', () => {
    expect(amended()).toEqual({
      listingId: '1',
      x: 'y',
      enableLease: 'false',
      disableIncentives: 'true',
      hasSpecialOffers: 'false',
      defaultRate: 'false',
      dealerId: 'd1',
      partnerId: 'kbb',
    });
    expect(
      amended({
        listing: {
          listingType: 'NEW',
          hasSpecialOffer: true,
          paymentServices: { uiEnabled: true, dealerSettings: { leaseEnabled: true } },
        },
      }),
    ).toMatchObject({ enableLease: 'true', disableIncentives: 'false', hasSpecialOffers: 'true' });
  });

  // rows: A6-ROLE-05
  it('uses the default rate, no lease and no dealer for a private seller', () => {
    const params = amended({
      owner: { privateSeller: true },
      listing: { paymentServices: { uiEnabled: true, dealerSettings: { leaseEnabled: true } } },
    });
    expect(amended()).toMatchObject({ defaultRate: 'false' });
    expect(params).toMatchObject({ defaultRate: 'true', enableLease: 'false' });
    expect(params).not.toHaveProperty('dealerId');
    expect(params).not.toHaveProperty('partnerId');
  });
});
