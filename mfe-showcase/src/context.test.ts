import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { buildListing, buildOwner, buildState } from '@forecourt/shared-contracts/testing';
import { hasShowcase, showcaseContext } from './context.ts';

const input = fc.record({
  exactMatchFlag: fc.boolean(),
  isAlpha: fc.boolean(),
  matchesExactly: fc.boolean(),
});

describe('the context of the showcase', () => {
  // rows: B4-ALPHA-08
  it('is inventory with the exact-match flag for a listing that is not alpha and matches exactly', () => {
    expect(showcaseContext({ exactMatchFlag: true, isAlpha: false, matchesExactly: true })).toBe('inventory');
  });

  // rows: B4-ALPHA-09
  it('is owner with the exact-match flag for an alpha listing or a match that is not exact', () => {
    fc.assert(
      fc.property(input, (given) => {
        fc.pre(given.isAlpha || !given.matchesExactly);
        expect(showcaseContext({ ...given, exactMatchFlag: true })).toBe('owner');
      }),
    );
  });

  // rows: B4-ALPHA-10
  it('follows the listing alone without the exact-match flag', () => {
    fc.assert(
      fc.property(input, (given) => {
        expect(showcaseContext({ ...given, exactMatchFlag: false })).toBe(
          given.isAlpha ? 'owner' : 'inventory',
        );
      }),
    );
  });
});

describe('whether there is a showcase', () => {
  const alpha = { alphaShowcase: { isAlpha: true, listings: [buildListing()] }, ownerBean: buildOwner() };
  const { search } = buildState({ alpha });
  const onSponsorPage = { ...search, criteria: { ...search.criteria, isSponsorship: true } };

  it('has none without an owner or without listings', () => {
    expect(hasShowcase({ ...search, alpha: null }, {})).toBe(false);
    const empty = { ...alpha, alphaShowcase: { isAlpha: true, listings: [] } };
    expect(hasShowcase({ ...search, alpha: empty }, {})).toBe(false);
  });

  // rows: B4-ALPHA-04
  it('hides it with the sponsorship-only flag on any page but a sponsorship, with either alone it shows', () => {
    expect(hasShowcase(search, { alphaSponsorshipOnly: true })).toBe(false);
    expect(hasShowcase(onSponsorPage, { alphaSponsorshipOnly: true })).toBe(true);
    expect(hasShowcase(search, { alphaSponsorshipOnly: false })).toBe(true);
    expect(hasShowcase(search, {})).toBe(true);
  });
});
