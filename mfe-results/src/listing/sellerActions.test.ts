import { describe, expect, it } from '@jest/globals';
import { buildListing, buildOwner } from '@forecourt/shared-contracts/testing';
import { sellerActions, telUrl } from './sellerActions.ts';

const kinds = (owner: Parameters<typeof buildOwner>[0], listing: Parameters<typeof buildListing>[0] = {}) => {
  const { primary, secondary, smallScreenCall } = sellerActions(buildListing(listing), buildOwner(owner));
  return [primary?.kind, secondary?.kind, smallScreenCall?.kind];
};
const website = { href: 'https://dealer.example/cars' };

describe('sellerActions', () => {
  // rows: B1-OFFER-08, A1-ROLE-02, B6-ROLE-05
  it('offers Make Offer alone for a private seller', () => {
    expect(kinds({ privateSeller: true })).toEqual(['offer', undefined, undefined]);
  });

  // rows: B1-OFFER-09, A1-ROLE-02, B6-ROLE-05
  it('offers a dealer email, and a call on small screens', () => {
    expect(kinds({})).toEqual(['email', undefined, 'call']);
  });

  it("puts the dealer's preferred way first and keeps the email", () => {
    expect(kinds({ dealerPreferredCTA: 'phone' })).toEqual(['call', 'email', undefined]);
    expect(kinds({ dealerPreferredCTA: 'website', website })).toEqual(['website', 'email', 'call']);
  });

  it('turns email into phone or website for a dealer who takes none', () => {
    expect(kinds({ hideEmailForm: true, website })).toEqual(['call', undefined, undefined]);
    expect(kinds({ hideEmailForm: true, phone: undefined, website }, { phone: undefined })).toEqual([
      'website',
      undefined,
      undefined,
    ]);
  });

  it('never links an address that is no web page', () => {
    expect(kinds({ dealerPreferredCTA: 'website', website: { href: 'javascript:alert(1)' } })[0]).toBe(
      'email',
    );
  });
});

describe('sellerActions of the online-commerce program', () => {
  const listing = (deemphasized: boolean) =>
    buildListing({
      esntial: {
        eligibilityService: '/eligible',
        ecommWebsite: 'https://shop.example/buy/1',
        deemphasized,
      },
    });
  const looks = (deemphasized: boolean, isEligible: boolean, owner = buildOwner()) => {
    const { primary, secondary } = sellerActions(listing(deemphasized), owner, { isEligible });
    return [primary?.label, secondary?.label];
  };

  // rows: B4-ESN-01
  it('holds the place of the shop, which is primary or deemphasized', () => {
    expect(looks(false, false)).toEqual(['Email Seller', 'View Details']);
    expect(looks(false, true)).toEqual(['Buy Online', 'Email Seller']);
    expect(looks(true, false)).toEqual(['Email Seller', 'View Details']);
    expect(looks(true, true)).toEqual(['Email Seller', 'Buy Online']);
    expect(sellerActions(listing(false), buildOwner()).isShopPossible).toBe(true);
    expect(sellerActions(buildListing({}), buildOwner()).isShopPossible).toBe(false);
  });

  // rows: B4-ESN-02
  it("keeps the dealer's preferred way where there is no shop for the vehicle", () => {
    expect(looks(false, false, buildOwner({ dealerPreferredCTA: 'phone' }))).toEqual([
      'Call Seller',
      'Email Seller',
    ]);
  });
});

describe('telUrl', () => {
  // rows: A1-SCOPE-10
  it("is a tel: link with the listing's phone", () => {
    expect(telUrl('(312) 555-0100')).toBe('tel:+13125550100');
    expect(telUrl('+1 312-555-0100')).toBe('tel:+13125550100');
  });
});
