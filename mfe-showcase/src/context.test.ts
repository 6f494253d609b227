import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { buildListing, buildOwner, buildState } from '@forecourt/search/testing';
import { hasShowcase, isSponsorPage, showcaseContext, sponsorCriteria } from './context.ts';

const input = fc.record({
  exactMatchFlag: fc.boolean(),
  isAlpha: fc.boolean(),
  matchesExactly: fc.boolean(),
});

describe('showcase context', () => {
  // rows: B4-ALPHA-08
  it('returns inventory with the exact-match flag for a non-alpha listing that matches exactly', () => {
    expect(showcaseContext({ exactMatchFlag: true, isAlpha: false, matchesExactly: true })).toBe('inventory');
  });

  // rows: B4-ALPHA-09
  it('returns owner with the exact-match flag for an alpha listing or an inexact match', () => {
    fc.assert(
      fc.property(input, (options) => {
        fc.pre(options.isAlpha || !options.matchesExactly);
        expect(showcaseContext({ ...options, exactMatchFlag: true })).toBe('owner');
      }),
    );
  });

  // rows: B4-ALPHA-10
  it('depends only on the listing without the exact-match flag', () => {
    fc.assert(
      fc.property(input, (options) => {
        expect(showcaseContext({ ...options, exactMatchFlag: false })).toBe(
          options.isAlpha ? 'owner' : 'inventory',
        );
      }),
    );
  });
});

describe('hasShowcase', () => {
  const alpha = { alphaShowcase: { isAlpha: true, listings: [buildListing()] }, ownerBean: buildOwner() };
  const { search } = buildState({ alpha });
  const onSponsorPage = { ...search, criteria: { ...search.criteria, isSponsorship: true } };

  // rows: B4-ALPHA-03
  it('returns false without an owner or without listings', () => {
    expect(hasShowcase({ ...search, alpha: null }, {})).toBe(false);
    expect(hasShowcase({ ...search, alpha: { ...alpha, ownerBean: undefined as never } }, {})).toBe(false);
    const empty = { ...alpha, alphaShowcase: { isAlpha: true, listings: [] } };
    expect(hasShowcase({ ...search, alpha: empty }, {})).toBe(false);
  });

  // rows: B4-ALPHA-04
  it('returns false only with the sponsorship-only flag on a page that is no sponsorship', () => {
    expect(hasShowcase(search, { alphaSponsorshipOnly: true })).toBe(false);
    expect(hasShowcase(onSponsorPage, { alphaSponsorshipOnly: true })).toBe(true);
    expect(hasShowcase(search, { alphaSponsorshipOnly: false })).toBe(true);
    expect(hasShowcase(search, {})).toBe(true);
  });
});

describe('isSponsorPage', () => {
  const { criteria } = buildState().search;

  it("returns true only for the sponsor's own inventory", () => {
    expect(isSponsorPage(sponsorCriteria(criteria, 'ace'), 'ace')).toBe(true);
    expect(isSponsorPage(sponsorCriteria(criteria, 'other'), 'ace')).toBe(false);
    expect(isSponsorPage({ ...criteria, showcaseOwnerId: 'ace' }, 'ace')).toBe(false);
    expect(isSponsorPage(criteria, 'ace')).toBe(false);
  });
});
