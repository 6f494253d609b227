import { describe, expect, it } from '@jest/globals';
import { buildListing, buildOwner, buildState } from '@forecourt/shared-contracts/testing';
import { findListing, phoneOf, telHref } from './findListing.ts';

const listing = (id: string) => buildListing({ id });
const { search } = buildState({
  listings: [listing('grid')],
  spotlights: [
    { premium: [listing('premium')], featured: [listing('featured')], standard: [], fourthTier: [] },
    { premium: [], featured: [], standard: [listing('standard')], fourthTier: [listing('fourth')] },
  ],
  vehicleHighlight: listing('highlight'),
  boost: [listing('boost')],
  alpha: {
    alphaShowcase: { isAlpha: true, listings: [buildListing({ id: 'alpha', ownerId: 'sponsor' })] },
    ownerBean: buildOwner({ id: 'sponsor', name: 'Ace Ford' }),
  },
});

describe('finding a listing on the page', () => {
  it.each(['grid', 'premium', 'featured', 'standard', 'fourth', 'highlight', 'boost'])(
    'finds one of the %s with its seller',
    (id) => {
      const found = findListing(search, id);
      expect(found?.listing.id).toBe(id);
      expect(found?.owner?.id).toBe('d1');
    },
  );

  it("finds one of the showcase with the sponsor's own record", () => {
    expect(findListing(search, 'alpha')?.owner?.name).toBe('Ace Ford');
  });

  it('finds nothing that is not on the page', () => {
    expect(findListing(search, 'gone')).toBeUndefined();
  });

  it('keeps a listing whose seller the answer did not name', () => {
    const found = findListing({ ...search, owners: {} }, 'grid');
    expect(found?.owner).toBeUndefined();
    expect(found && phoneOf(found)).toBe('312-555-0100');
  });
});

it.each([
  ['312-555-0100', 'tel:+13125550100'],
  ['+1 (312) 555-0100', 'tel:+13125550100'],
])('dials %s as %s', (phone, href) => expect(telHref(phone)).toBe(href));
