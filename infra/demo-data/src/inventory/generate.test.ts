import { describe, expect, it } from '@jest/globals';
import { catalog } from '../catalog/catalog.ts';
import { isSoldIn } from '@forecourt/marketplace-api/catalog';
import { COLORS, PACKAGES } from '@forecourt/marketplace-api/labels';
import { FEATURES } from '@forecourt/upstream/features';
import { createZipDirectory, milesBetween } from '@forecourt/marketplace-api/places';
import { generateInventory, generateOwners, type InventoryOptions } from './generate.ts';
import { isValidVin } from './vin.ts';

const zips = createZipDirectory();
const options: InventoryOptions = { size: 20_000, seed: 7, today: new Date('2026-11-21T12:00:00Z'), zips };
const owners = new Map([...generateOwners(options)].map((owner) => [owner.id, owner]));
const listings = [...generateInventory(options)];
const share = (count: number): number => count / listings.length;

describe('generated inventory', () => {
  it('generates the same inventory for the same seed and a different one for another seed', () => {
    const few = { ...options, size: 300 };
    expect([...generateInventory(few)]).toEqual([...generateInventory(few)]);
    expect([...generateOwners(few)]).toEqual([...generateOwners(few)]);
    expect([...generateInventory({ ...few, seed: 8 })]).not.toEqual([...generateInventory(few)]);
  });

  // rows: A3-LISTING-01
  it('gives every listing a unique id and a valid VIN', () => {
    expect(new Set(listings.map((listing) => listing.id)).size).toBe(listings.length);
    expect(new Set(listings.map((listing) => listing.vin)).size).toBe(listings.length);
    expect(listings.filter((listing) => !isValidVin(listing.vin))).toEqual([]);
  });

  it('references only existing sellers, places and catalog entries', () => {
    // One expectation for all: a hundred thousand of them take longer than the inventory.
    const dangling = listings.filter((listing) => {
      const { make, model, trim, year, ownerId, features, packages, extColor = '' } = listing;
      const seller = owners.get(ownerId);
      const sold = catalog
        .findModel(make.code, model.code)
        ?.trims.find(({ code }) => code === trim?.code)?.variants;
      return !(
        seller &&
        zips.find(seller.zip) &&
        catalog.findMake(make.code)?.name === make.name &&
        catalog.findModel(make.code, model.code)?.name === model.name &&
        sold?.some((variant) => isSoldIn(variant, year)) &&
        features.every((code) => code in FEATURES) &&
        packages.every((code) => code in PACKAGES) &&
        extColor in COLORS
      );
    });
    expect(dangling).toEqual([]);
  });

  it('certifies only cars up to six years old with less than 80,000 miles', () => {
    const certified = listings.filter((listing) => listing.listingType === 'CERTIFIED');
    expect(certified.length).toBeGreaterThan(1_000);
    expect(certified.filter(({ year, mileage = 0 }) => year < 2020 || mileage >= 80_000)).toEqual([]);
  });

  it('generates realistic shares of conditions and sellers', () => {
    const of = (type: string): number =>
      share(listings.filter((listing) => listing.listingType === type).length);
    expect(of('NEW')).toBeGreaterThan(0.26);
    expect(of('NEW')).toBeLessThan(0.36);
    expect(of('USED')).toBeGreaterThan(0.42);
    expect(of('CERTIFIED')).toBeGreaterThan(0.11);
    expect(of('3P_CERT')).toBeGreaterThan(0.03);
    const privately = share(
      listings.filter((listing) => owners.get(listing.ownerId)?.sellerType === 'p').length,
    );
    expect(privately).toBeGreaterThan(0.07);
    expect(privately).toBeLessThan(0.09);
  });

  it.each(['NEW', 'CERTIFIED'])("sells %s cars only of the dealer's makes", (type) => {
    const makesOf = new Map<string, Set<string>>();
    for (const listing of listings.filter(
      ({ listingType, isCommercial }) => listingType === type && !isCommercial,
    )) {
      makesOf.set(listing.ownerId, (makesOf.get(listing.ownerId) ?? new Set()).add(listing.make.code));
    }
    expect(Math.max(...[...makesOf.values()].map((makes) => makes.size))).toBeLessThanOrEqual(4);
  });

  it('puts power tailgates on SUVs and vans for passengers only, of every style', () => {
    const equipped = listings.filter(({ features }) => features.includes('POWERLIFTGATE'));
    expect(new Set(equipped.map(({ bodyStyle }) => bodyStyle))).toEqual(
      new Set(['SUVCROSS', 'VANMV', 'SUV']),
    );
  });

  it('generates dealers who take emails and a few who do not', () => {
    const dealers = [...owners.values()].filter(({ sellerType }) => sellerType === 'd');
    const refusing = dealers.filter(({ hideEmailForm }) => hideEmailForm);
    expect(new Set(dealers.map(({ hideEmailForm }) => hideEmailForm))).toEqual(new Set([true, false]));
    expect(refusing.length).toBeLessThan(0.1 * dealers.length);
  });

  it('prices older and high-mileage cars lower', () => {
    const medianPrice = (test: (year: number, mileage: number) => boolean): number => {
      const prices = listings
        .filter(
          ({ listingType, year, mileage = 0, salePrice }) =>
            listingType !== 'NEW' && salePrice && test(year, mileage),
        )
        .map(({ salePrice = 0 }) => salePrice)
        .sort((a, b) => a - b);
      return prices[prices.length >> 1] ?? 0;
    };
    expect(medianPrice((year) => year >= 2024)).toBeGreaterThan(1.5 * medianPrice((year) => year <= 2018));
    expect(medianPrice((_, mileage) => mileage < 30_000)).toBeGreaterThan(
      1.5 * medianPrice((_, mileage) => mileage > 100_000),
    );
  });

  it('generates F-150s and several spotlights of every tier around Chicago', () => {
    const chicago = zips.find('60601');
    if (!chicago) throw new Error('Chicago is gone');
    const near = listings.filter((listing) => {
      const seller = owners.get(listing.ownerId);
      return seller && milesBetween(chicago, seller) <= 50;
    });
    expect(near.filter((listing) => listing.model.code === 'F150').length).toBeGreaterThan(5);
    for (const tier of ['premium', 'featured', 'standard']) {
      expect(near.filter((listing) => listing.spotlightTier === tier).length).toBeGreaterThanOrEqual(2);
    }
  });

  it('generates one or two alpha dealers in each large market', () => {
    const alphas = [...owners.values()].filter((owner) => owner.isAlpha && owner.dma === '602');
    expect(alphas.length).toBeGreaterThanOrEqual(1);
    expect(alphas.length).toBeLessThanOrEqual(2);
  });

  it('generates sponsors of both showcases: a card of the dealer, and its inventory', () => {
    const alphas = [...owners.values()].filter((owner) => owner.isAlpha);
    const withInventory = alphas.filter((owner) => owner.hasInventoryShowcase);
    expect(withInventory.length).toBeGreaterThan(5);
    expect(alphas.length - withInventory.length).toBeGreaterThan(5);
  });
});

describe('incentives', () => {
  it('sets incentives slightly below the asking price, for new vehicles only', () => {
    const listings = [...generateInventory({ ...options, size: 4000 })].filter(
      ({ incentive }) => incentive !== undefined,
    );
    expect(listings.length).toBeGreaterThan(50);
    for (const { incentive = 0, salePrice = 0, listingType } of listings) {
      expect(listingType).toBe('NEW');
      expect(incentive).toBeLessThan(salePrice);
      expect(incentive).toBeGreaterThan(salePrice - 3000);
    }
  });
});
