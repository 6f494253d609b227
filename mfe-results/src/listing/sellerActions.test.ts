import { describe, expect, it } from '@jest/globals';
import { buildListing, buildOwner } from '@forecourt/search/testing';
import { sellerActions, type Shop, telUrl } from './sellerActions.ts';

const kinds = (owner: Parameters<typeof buildOwner>[0], listing: Parameters<typeof buildListing>[0] = {}) => {
  const { primary, more, smallScreenCall } = sellerActions(buildListing(listing), buildOwner(owner));
  return [primary?.kind, more[0]?.kind, smallScreenCall?.kind];
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
      return sellerActions(buildListing({ website, ...listing }), owner, { shop: 'open' }).primary?.label;
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
  const labels = (deemphasized: boolean, shop: Shop, owner = buildOwner()) => {
    const { primary, more } = sellerActions(listing(deemphasized), owner, { shop });
    return [primary, ...more].map((action) => action?.label);
  };

  // rows: B4-ESN-01
  it('puts the shop of an eligible vehicle first or, when deemphasized, second', () => {
    expect(labels(false, 'none')).toEqual(['Email Seller']);
    expect(labels(false, 'open')).toEqual(['Buy Online', 'Email Seller']);
    expect(labels(true, 'none')).toEqual(['Email Seller']);
    expect(labels(true, 'open')).toEqual(['Email Seller', 'Buy Online']);
  });

  it.each([
    {},
    { dealerPreferredCTA: 'phone' },
    { dealerPreferredCTA: 'website', website },
    { hideEmailForm: true },
    { hideEmailForm: true, phone: undefined },
  ] as const)('keeps the main button when the shop of %j answers late, and adds the shop', (seller) => {
    for (const deemphasized of [false, true]) {
      const [main, ...others] = labels(deemphasized, 'none', buildOwner(seller));
      expect(labels(deemphasized, 'late', buildOwner(seller))).toEqual([main, 'Buy Online', ...others]);
    }
  });

  it('keeps a deemphasized shop second to a call, and before the email', () => {
    expect(labels(true, 'open', buildOwner({ hideEmailForm: true }))).toEqual(['Call Seller', 'Buy Online']);
    expect(labels(true, 'open', buildOwner({ dealerPreferredCTA: 'phone' }))).toEqual([
      'Call Seller',
      'Buy Online',
      'Email Seller',
    ]);
  });

  // rows: B4-ESN-02
  it('never links the website of the vehicle while it is not eligible', () => {
    const offered = { ...listing(false), website };
    const owner = buildOwner({ dealerPreferredCTA: 'website', website });
    const kindsWith = (shop: Shop) => {
      const { primary, more } = sellerActions(offered, owner, { shop });
      return [primary, ...more].map((action) => action?.kind);
    };
    expect(kindsWith('none')).toEqual(['email']);
    expect(kindsWith('open')).toEqual(['website', 'email']);
  });

  // rows: B4-ESN-02
  it('keeps the preferred action when there is no shop for the vehicle', () => {
    expect(labels(false, 'none', buildOwner({ dealerPreferredCTA: 'phone' }))).toEqual([
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
