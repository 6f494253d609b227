import { buildListing, buildOwner } from '@forecourt/search/testing';
import { CALLS } from '@forecourt/upstream/calls';
import { describe, expect, it } from '@jest/globals';
import { sellerText, vehicleFacts, primaryPicture } from './facts.ts';

describe('vehicleFacts', () => {
  it('lists mileage, drive and fuel economy', () => {
    expect(vehicleFacts(buildListing())).toEqual(['31,250 mi', 'AWD/4WD', '21 mpg']);
  });

  it('labels the drive code', () => {
    expect(vehicleFacts(buildListing({ driveType: 'AWD4WD' }))[1]).toBe('AWD/4WD');
    expect(vehicleFacts(buildListing({ driveType: 'FWD' }))[1]).toBe('FWD');
  });

  it('lists the range of an electric vehicle instead of its economy', () => {
    const electric = buildListing({
      fuelTypeGroup: 'ELE',
      fuelType: { code: 'ELE', name: 'Electric' },
      specifications: { mpg: 120, mileRange: 303 },
    });
    expect(vehicleFacts(electric).at(-1)).toBe('303 mi range');
  });

  it('leaves out unknown facts, and names the fuel instead of an unknown economy', () => {
    const minimalListing = buildListing({ mileage: undefined, driveType: undefined, specifications: {} });
    expect(vehicleFacts(minimalListing)).toEqual(['Gasoline']);
  });
});

describe('sellerText', () => {
  it('returns name, distance, place and rating of a dealer', () => {
    expect(sellerText(buildListing(), buildOwner({ distanceFromSearch: 12.4 }))).toEqual({
      name: 'Lakeside Ford',
      distance: '12 mi away',
      place: 'Chicago, IL',
      rating: { value: '4.6', count: '210' },
    });
  });

  // rows: A3-OWNER-06
  it("returns 'Private Seller' for a private seller, regardless of the name", () => {
    const owner = CALLS.listing.response.shape.owner.parse(
      buildOwner({ privateSeller: true, ownerName: 'Jo Doe' }),
    );
    expect(sellerText(buildListing(), owner).name).toBe('Private Seller');
  });

  it('names the city of a seller in the searched place', () => {
    const { distance } = sellerText(buildListing(), buildOwner({ distanceFromSearch: 0.3 }));
    expect(distance).toBe('In Chicago');
  });

  it('falls back to the listing when its owner is missing', () => {
    expect(sellerText(buildListing({ distance: 3 }), undefined)).toEqual({
      name: 'Lakeside Ford',
      distance: '3 mi away',
    });
  });
});

describe('primaryPicture', () => {
  const sources = [
    { src: '/a.svg', alt: 'a' },
    { src: '/b.svg', alt: 'b' },
  ];
  // rows: A3-LISTING-11, B3-LISTING-04
  it('returns the primary picture, or the first when it is missing', () => {
    expect(primaryPicture(buildListing({ images: { primary: 1, sources } }))).toEqual(sources[1]);
    expect(primaryPicture(buildListing({ images: { primary: 7, sources } }))).toEqual(sources[0]);
    expect(primaryPicture(buildListing({ images: { primary: 0, sources: [] } }))).toBeUndefined();
  });
});
