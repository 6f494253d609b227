import { describe, expect, it } from '@jest/globals';
import { buildListing, buildOwner } from '@forecourt/search/testing';
import { sellerActions, telUrl } from './sellerActions.ts';

const kinds = (owner: Parameters<typeof buildOwner>[0], listing: Parameters<typeof buildListing>[0] = {}) => {
  const { primary, secondary, smallScreenCall } = sellerActions(buildListing(listing), buildOwner(owner));
  return [primary?.kind, secondary?.kind, smallScreenCall?.kind];
};
const website = { href: 'https://dealer.example/cars' };

describe('sellerActions', () => {
  // rows: B1-OFFER-08, A1-ROLE-02, B6-ROLE-05
  it('offers only Make Offer for a private seller', () => {
    expect(kinds({ privateSeller: true }, { website })).toEqual(['offer', undefined, undefined]);
  });

  // rows: B1-OFFER-09, B1-OFFER-10, B6-CTA-02, A1-ROLE-02, B6-ROLE-05
  it('offers email for a dealer, and a call on small screens', () => {
    expect(kinds({})).toEqual(['email', undefined, 'call']);
  });

  it('puts the preferred action of the dealer first and keeps email', () => {
    expect(kinds({ dealerPreferredCTA: 'phone' })).toEqual(['call', 'email', undefined]);
    expect(kinds({ dealerPreferredCTA: 'website', website })).toEqual(['website', 'email', 'call']);
  });

  it("links a listing's own website when its dealer has none", () => {
    const { primary } = sellerActions(
      buildListing({ website }),
      buildOwner({ dealerPreferredCTA: 'website' }),
    );
    expect(primary).toEqual({ kind: 'website', label: 'Visit Website', ...website });
  });

  it('replaces email by phone or website when the dealer takes no email', () => {
    expect(kinds({ hideEmailForm: true, website })).toEqual(['call', undefined, undefined]);
    expect(kinds({ hideEmailForm: true, phone: undefined, website }, { phone: undefined })).toEqual([
      'website',
      undefined,
      undefined,
    ]);
  });

  it("names the link to a dealer's own website and the one to the shop of a vehicle", () => {
    const labelOf = (listing: Parameters<typeof buildListing>[0]) => {
      const owner = buildOwner({ dealerPreferredCTA: 'website' });
      return sellerActions(buildListing({ website, ...listing }), owner, { isEligible: true }).primary?.label;
    };
    expect(labelOf({})).toBe('Visit Website');
    expect(labelOf({ esntial: { ecommWebsite: 'https://shop.example/buy/1' } })).toBe('Buy Online');
  });

  it('never links a website that is not http(s)', () => {
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
  const actionKinds = (deemphasized: boolean, isEligible: boolean, owner = buildOwner()) => {
    const { primary, secondary } = sellerActions(listing(deemphasized), owner, { isEligible });
    return [primary?.label, secondary?.label];
  };

  // rows: B4-ESN-01
  it('puts the shop of an eligible vehicle first or, when deemphasized, second', () => {
    expect(actionKinds(false, false)).toEqual(['Email Seller', undefined]);
    expect(actionKinds(false, true)).toEqual(['Buy Online', 'Email Seller']);
    expect(actionKinds(true, false)).toEqual(['Email Seller', undefined]);
    expect(actionKinds(true, true)).toEqual(['Email Seller', 'Buy Online']);
  });

  it('keeps a deemphasized shop second to a call, when the dealer takes no email', () => {
    const owner = buildOwner({ hideEmailForm: true });
    expect(actionKinds(true, false, owner)).toEqual(['Call Seller', undefined]);
    expect(actionKinds(true, true, owner)).toEqual(['Call Seller', 'Buy Online']);
    expect(actionKinds(false, false, owner)).toEqual(['Call Seller', undefined]);
    expect(actionKinds(false, true, owner)).toEqual(['Buy Online', undefined]);
  });

  // rows: B4-ESN-02
  it('never links the website of the vehicle while it is not eligible', () => {
    const offered = { ...listing(false), website };
    const owner = buildOwner({ dealerPreferredCTA: 'website', website });
    const actionsOf = (isEligible: boolean) => {
      const { primary, secondary } = sellerActions(offered, owner, { isEligible });
      return [primary, secondary].map((action) => action?.kind);
    };
    expect(actionsOf(false)).toEqual(['email', undefined]);
    expect(actionsOf(true)).toEqual(['website', 'email']);
  });

  // rows: B4-ESN-02
  it('keeps the preferred action when there is no shop for the vehicle', () => {
    expect(actionKinds(false, false, buildOwner({ dealerPreferredCTA: 'phone' }))).toEqual([
      'Call Seller',
      'Email Seller',
    ]);
  });
});

describe('telUrl', () => {
  // rows: A1-SCOPE-10
  it('builds a tel: link from the phone of the listing', () => {
    expect(telUrl('(312) 555-0100')).toBe('tel:+13125550100');
    expect(telUrl('+1 312-555-0100')).toBe('tel:+13125550100');
  });
});
