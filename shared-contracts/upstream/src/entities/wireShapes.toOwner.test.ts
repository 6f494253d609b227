import { describe, expect, it } from '@jest/globals';
import { anyOwnerSchema, toOwner } from './wireShapes.ts';

const shapeA = {
  id: 'd1',
  ownerName: 'Lakeside Ford',
  website: 'https://lakeside.example',
  images: { sources: [{ src: '/logos/lakeside.svg' }] },
  homeServices: ['HOME_DELIVERY'],
  rating: { value: 4.6, count: 210 },
  shippingLabel: 'Home Delivery',
};
const shapeB = {
  id: 'd1',
  name: 'Lakeside Ford',
  logo: { src: '/logos/lakeside.svg' },
  phone: { value: '312-555-0100' },
  website: { href: 'https://lakeside.example' },
  location: { address: { city: 'Chicago', state: 'IL' } },
  hideEmailForm: true,
};

describe('toOwner', () => {
  // rows: A3-OWNER-04, B3-OWNER-01
  it('fills the second shape from the first', () => {
    expect(toOwner(shapeA)).toMatchObject({
      ...shapeA,
      name: 'Lakeside Ford',
      logo: { src: '/logos/lakeside.svg' },
      website: { href: 'https://lakeside.example' },
    });
  });

  // rows: A3-OWNER-05, B3-OWNER-01
  it('fills the first shape from the second', () => {
    expect(toOwner(shapeB)).toMatchObject({
      ...shapeB,
      ownerName: 'Lakeside Ford',
      images: { sources: [{ src: '/logos/lakeside.svg' }] },
    });
    expect(toOwner({ id: 'd1', name: 'Lakeside Ford' }).images).toEqual({ sources: [] });
  });

  // rows: A3-OWNER-06
  it("names every private seller 'Private Seller'", () => {
    for (const shape of [shapeA, shapeB])
      expect(toOwner({ ...shape, privateSeller: true })).toMatchObject({
        name: 'Private Seller',
        ownerName: 'Private Seller',
      });
  });

  it('changes nothing when an owner is normalized twice', () => {
    for (const shape of [shapeA, shapeB]) expect(toOwner(toOwner(shape))).toEqual(toOwner(shape));
  });

  // rows: A3-OWNER-01
  it('refuses an owner without an id or a name', () => {
    for (const broken of [{ id: '' }, { id: undefined }, { ownerName: undefined }])
      expect(anyOwnerSchema.safeParse({ ...shapeA, ...broken }).success).toBe(false);
    expect(anyOwnerSchema.safeParse(null).success).toBe(false);
  });
});
