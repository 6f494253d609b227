import { describe, expect, it } from '@jest/globals';
import { readMapArea } from '@forecourt/search/criteria';
import fc from 'fast-check';
import { anOwner } from '../../testing/arbitraries.ts';
import { areaAround } from './mapClusters.ts';
import { defaultView, mapOfSellers, viewOf } from './sellerMap.ts';

const VIEW = { south: 30, west: -98, north: 33, east: -94 };
/** Of a circle with its margin; degrees. */
const SIDE = { latitude: 0.146 * 3, longitude: 0.11 * 4 };

/** Few coordinates, most of them on the lines of hundredths of a degree and some on the edges. */
const coordinate = (low: number, high: number) =>
  fc.oneof(
    fc.double({ min: low - 0.5, max: high + 0.5, noNaN: true }),
    fc.integer({ min: low * 100 - 20, max: high * 100 + 20 }).map((steps) => steps / 100),
    fc.constantFrom(low, high, low + 1, low + 1.01),
  );

const sellers = fc
  .array(
    fc.record({
      latitude: coordinate(VIEW.south, VIEW.north),
      longitude: coordinate(VIEW.west, VIEW.east),
      count: fc.integer({ min: 1, max: 40 }),
      sellerType: fc.constantFrom('d' as const, 'p' as const),
    }),
    { maxLength: 60 },
  )
  .map((list) =>
    list.map(({ count, ...place }, n) => ({
      count,
      owner: anOwner({ ...place, id: `o${n}`, name: `Seller ${n}` }),
    })),
  );

const areas = fc.option(
  fc
    .record({
      south: fc.integer({ min: 2900, max: 3290 }),
      west: fc.integer({ min: -9900, max: -9410 }),
      height: fc.integer({ min: 1, max: 400 }),
      width: fc.integer({ min: 1, max: 500 }),
    })
    .map(({ south, west, height, width }) => ({
      south: south / 100,
      west: west / 100,
      north: (south + height) / 100,
      east: (west + width) / 100,
    })),
  { nil: undefined },
);

/** Vehicles in the area, counted one by one. */
const countIn = (
  { south, west, north, east }: typeof VIEW,
  list: readonly { owner: { latitude: number; longitude: number }; count: number }[],
) =>
  list
    .filter(({ owner }) => owner.latitude >= south && owner.latitude < north)
    .filter(({ owner }) => owner.longitude >= west && owner.longitude < east)
    .reduce((sum, { count }) => sum + count, 0);

describe('the map of sellers', () => {
  it('has in each cluster as many vehicles as a search of its area finds, and in all of them those of the view', () => {
    fc.assert(
      fc.property(sellers, areas, (list, area) => {
        const map = mapOfSellers(list, { view: VIEW, area });
        for (const { area: text, count } of map.clusters)
          expect([text, count]).toEqual([text, countIn(readMapArea(text)!, list)]);
        const inView = map.clusters.reduce((sum, { count }) => sum + count, 0);
        expect(inView).toBe(countIn(VIEW, list));
        expect(map.count).toBe(countIn(area ?? VIEW, list));
        expect(map.totalCount).toBe(list.reduce((sum, { count }) => sum + count, 0));
      }),
      { numRuns: 500 },
    );
  });

  it('puts no circle over another, and each near its sellers', () => {
    fc.assert(
      fc.property(sellers, (list) => {
        const { clusters } = mapOfSellers(list, { view: VIEW, area: undefined });
        clusters.forEach((one, index) => {
          for (const other of clusters.slice(index + 1)) {
            const across = Math.abs(one.longitude - other.longitude) / (VIEW.east - VIEW.west);
            const along = Math.abs(one.latitude - other.latitude) / (VIEW.north - VIEW.south);
            expect(across >= 0.1099 || along >= 0.1459).toBe(true);
          }
          const { south, west, north, east } = readMapArea(one.area)!;
          // Half a circle for the edge of the map, and one for a neighbor.
          expect(one.latitude).toBeGreaterThan(south - 1.5 * SIDE.latitude);
          expect(one.latitude).toBeLessThan(north + 1.5 * SIDE.latitude);
          expect(one.longitude).toBeGreaterThan(west - 1.5 * SIDE.longitude);
          expect(one.longitude).toBeLessThan(east + 1.5 * SIDE.longitude);
        });
      }),
      { numRuns: 500 },
    );
  });

  it('marks clusters inside the searched area, and never joins sellers across its border', () => {
    const at = (id: string, longitude: number) => ({
      owner: anOwner({ id, latitude: 31.5, longitude }),
      count: 2,
    });
    const area = { south: 31, west: -96, north: 32, east: -95.5 };
    const { clusters, count, sellerCount } = mapOfSellers([at('a', -96.01), at('b', -96), at('c', -95.5)], {
      view: VIEW,
      area,
    });
    expect(clusters.map(({ isInside }) => isInside).sort()).toEqual([false, false, true]);
    expect([count, sellerCount]).toEqual([2, 1]);
    const list = [at('a', -96.01), at('b', -96), at('c', -95.5)];
    expect(mapOfSellers(list, { view: VIEW, area, isMoved: true })).toMatchObject({
      count: 6,
      sellerCount: 3,
    });
  });

  it('separates two cities and names each by its largest seller', () => {
    const { clusters } = mapOfSellers(
      [
        {
          owner: anOwner({ id: 'a', city: 'Austin', state: 'TX', latitude: 30.27, longitude: -97.74 }),
          count: 9,
          lowestPrice: 21_500,
        },
        {
          owner: anOwner({ id: 'b', city: 'Kyle', state: 'TX', latitude: 30.0, longitude: -97.87 }),
          count: 2,
          lowestPrice: 18_900,
        },
        {
          owner: anOwner({ id: 'c', city: 'Dallas', state: 'TX', latitude: 32.78, longitude: -96.8 }),
          count: 5,
        },
      ],
      { view: VIEW, area: undefined },
    );
    expect(clusters.map(({ place, count, sellers: number }) => [place, count, number]).sort()).toEqual([
      ['Austin, TX', 11, 2],
      ['Dallas, TX', 5, 1],
    ]);
    expect(clusters.map(({ lowestPrice }) => lowestPrice)).toEqual(
      expect.arrayContaining([18_900, undefined]),
    );
  });

  it('names the dealers with most vehicles of the searched area, and no private seller', () => {
    const at = (name: string, count: number, overrides = {}) => ({
      owner: anOwner({ id: name, name, latitude: 31, longitude: -96, ...overrides }),
      count,
    });
    const list = [
      at('Few', 1),
      at('Many', 7),
      at('Al Private', 9, { sellerType: 'p' }),
      at('Beyond', 50, { latitude: 40 }),
    ];
    const map = mapOfSellers(list, { view: VIEW, area: undefined });
    expect(map.sellers.map(({ name, count }) => [name, count])).toEqual([
      ['Many', 7],
      ['Few', 1],
    ]);
    expect([map.count, map.sellerCount, map.totalCount]).toEqual([17, 3, 67]);
  });
});

describe('the view of a search', () => {
  const ratioOf = ({ south, west, north, east }: typeof VIEW) =>
    ((east - west) * Math.cos((((south + north) / 2) * Math.PI) / 180)) / (north - south);

  it('has the proportions of the map around any area', () => {
    for (const area of [VIEW, { ...VIEW, north: 30.1 }, { ...VIEW, east: -97.9 }]) {
      const view = viewOf(area);
      expect(ratioOf(view)).toBeCloseTo(4 / 3, 1);
      expect(viewOf(view)).toEqual(view);
      expect(view.south <= area.south && view.north >= area.north).toBe(true);
      expect(view.west <= area.west && view.east >= area.east).toBe(true);
    }
  });

  it('is never so small that only one seller is seen', () => {
    const view = viewOf(areaAround([{ latitude: 30.27, longitude: -97.74 }])!);
    expect(view.east - view.west).toBeCloseTo(0.3, 1);
  });

  it('is the area, the circle, the sellers of a state, or the contiguous states', () => {
    const seller = { owner: anOwner({ latitude: 31, longitude: -96 }), count: 1 };
    const center = { latitude: 31, longitude: -96 };
    expect(defaultView({ area: VIEW, center, radius: 10 }, [])).toEqual(viewOf(VIEW));
    const circle = defaultView({ center, radius: 50 }, []);
    expect(circle.north - circle.south).toBeCloseTo((2 * 50 * 1.12) / 69.1, 1);
    expect(defaultView({ state: 'TX' }, [seller]).west).toBeCloseTo(-96.15, 1);
    expect(defaultView({ center, radius: 0 }, []).west).toBeLessThan(-124);
  });
});
