import { describe, expect, it } from '@jest/globals';
import { buildListing, buildOwner, buildState } from '@forecourt/search/testing';
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

describe('findListing', () => {
  it.each(['grid', 'premium', 'featured', 'standard', 'fourth', 'highlight', 'boost'])(
    'finds a listing in the %s with its seller',
    (id) => {
      const vehicle = findListing(search, id);
      expect(vehicle?.listing.id).toBe(id);
      expect(vehicle?.owner?.id).toBe('d1');
    },
  );

  it('finds a showcase listing with the sponsor as its seller', () => {
    expect(findListing(search, 'alpha')?.owner?.name).toBe('Ace Ford');
  });

  it('returns undefined for a listing that is not on the page', () => {
    expect(findListing(search, 'gone')).toBeUndefined();
  });

  it('returns a listing without its seller when the response did not include one', () => {
    const vehicle = findListing({ ...search, owners: {} }, 'grid');
    expect(vehicle?.owner).toBeUndefined();
    expect(vehicle && phoneOf(vehicle)).toBe('312-555-0100');
  });
});

it.each([
  ['312-555-0100', 'tel:+13125550100'],
  ['+1 (312) 555-0100', 'tel:+13125550100'],
])('formats %s as %s', (phone, href) => expect(telHref(phone)).toBe(href));
