import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { buildListing, buildState } from '@forecourt/search/testing';
import { clickTypeOf, isSponsored } from '../card/cardState.ts';
import { gridItems, type GridFeatures, type GridSource } from './gridItems.ts';
import {
  itemsByPage,
  isVehicle,
  keyOf,
  SEGMENT_TILES,
  segmentsOf,
  tileCount,
  vehiclesOf,
  type GridItem,
} from './tiles.ts';

const vehicleTiles = (source: GridSource) => vehiclesOf(gridItems(source));

const vehicles = (ids: readonly (string | number)[]) => ids.map((id) => buildListing({ id: String(id) }));
const range = (from: number, count: number) => vehicles(Array.from({ length: count }, (_, at) => from + at));
const noSpots = { premium: [], featured: [], standard: [], fourthTier: [] };

const sourceOf = (overrides: Partial<GridSource>): GridSource => ({
  ...buildState({ listings: [] }).search,
  sortBy: 'relevance',
  ...overrides,
});
const idsOf = (source: GridSource) => vehicleTiles(source).map(({ listing }) => listing.id);
const placesOf = (source: GridSource, kind: string) =>
  vehicleTiles(source)
    .filter((tile) => tile.kind === kind)
    .map(({ position }) => position);

describe('vehicleTiles', () => {
  const page = sourceOf({
    listings: range(1, 30),
    pageSizes: [30],
    totalResultCount: 100,
    spotlights: [{ ...noSpots, premium: vehicles(['p1', 'p2', 'p3']), featured: vehicles(['f1', 'f2']) }],
    boost: vehicles(['b1', 'b2']),
  });

  // rows: B9-GRID-02, B9-GRID-03, B9-GRID-05
  it('puts premium spotlights first, boosts at 6 and 22 and a featured one at 23', () => {
    expect(placesOf(page, 'premium')).toEqual([0, 1, 2]);
    expect(placesOf(page, 'boost')).toEqual([6, 22]);
    expect(placesOf(page, 'fourthTier')).toEqual([23]);
  });

  it('marks the listing beyond the page, with which the next page begins without scripts', () => {
    const one = { ...page, listings: range(1, 31), pageSizes: [31], numRecords: 30 };
    const marked = (source: GridSource) =>
      vehicleTiles(source).flatMap(({ isRepeated, listing }) => (isRepeated ? [listing.id] : []));
    expect(marked(one)).toEqual(['31']);
    expect(marked({ ...one, listings: range(1, 30), pageSizes: [30] })).toEqual([]);
  });

  // rows: B9-GRID-06
  it('uses the second boost slot from 75 results on', () => {
    expect(placesOf({ ...page, totalResultCount: 74 }, 'boost')).toEqual([6]);
    expect(placesOf({ ...page, totalResultCount: 75 }, 'boost')).toEqual([6, 22]);
  });

  // rows: B9-GRID-02
  it('restarts the spotlight positions on the second page', () => {
    const two = {
      ...page,
      listings: range(1, 60),
      pageSizes: [30, 30],
      spotlights: [...page.spotlights, { ...noSpots, premium: vehicles(['p4', 'p5']) }],
    };
    const start = vehicleTiles(page).length;
    expect(placesOf(two, 'premium')).toEqual([0, 1, 2, start, start + 1]);
  });

  // rows: B9-GRID-14
  it('appends up to four unused spotlights, unless the sort is by relevance', () => {
    const spotlights = [
      { ...noSpots, featured: vehicles(['f1', 'f2', 'f3']), standard: vehicles(['s1', 's2', 's3']) },
    ];
    const byYear = { ...page, spotlights, sortBy: 'yearDESC' as const };
    expect(idsOf(byYear).slice(-4)).toEqual(['f2', 'f3', 's1', 's2']);
    expect(placesOf({ ...page, spotlights }, 'extraSpotlight')).toEqual([]);
    // A direct request for page 2 does not include the end of page 1.
    expect(placesOf({ ...byYear, firstLoadedRecord: 30 }, 'extraSpotlight')).toEqual([]);
  });

  // rows: A9-EAGER-01, A9-EAGER-02
  it('loads the first three listings and the premium spotlights eagerly', () => {
    const eager = vehicleTiles(page).filter(({ isEager }) => isEager);
    expect(eager.map(({ listing }) => listing.id)).toEqual(['p1', 'p2', 'p3', '1', '2', '3']);
  });

  // rows: B9-GRID-08
  it('shows the promo card also when one of 15 matches is in a paid place', () => {
    const source = {
      ...page,
      listings: range(1, 15),
      pageSizes: [15],
      spotlights: [{ ...noSpots, premium: vehicles(['9']) }],
      boost: [],
      features: { hasPromo: true },
    };
    expect(gridItems(source).find(({ kind }) => kind === 'promo')?.position).toBe(14);
  });

  // rows: B9-GRID-08
  it('shows no promo card between 14 listings and the next page', () => {
    const source = { listings: range(1, 44), totalResultCount: 44, features: { hasPromo: true } };
    const kinds = (pageSizes: readonly number[]) =>
      gridItems(sourceOf({ ...source, pageSizes: [...pageSizes] })).map(({ kind }) => kind);
    expect(kinds([14, 30])).not.toContain('promo');
    expect(kinds([15, 29]).indexOf('promo')).toBe(14);
  });

  it('loads the first row eagerly, whatever it contains', () => {
    const [highlight] = vehicles(['h']);
    const source = { ...page, spotlights: [], boost: [], vehicleHighlight: highlight! };
    const firstRow = vehicleTiles(source).filter(({ position }) => position < 3);
    expect(firstRow.map(({ kind }) => kind)).toEqual(['highlight', 'listing', 'listing']);
    expect(firstRow.every(({ isEager }) => isEager)).toBe(true);
  });

  it('shows a spotlight that matches the search once, at its paid place', () => {
    const source = { ...page, spotlights: [{ ...noSpots, premium: vehicles(['9']) }], boost: [] };
    expect(idsOf(source).slice(0, 4)).toEqual(['9', '1', '2', '3']);
    expect(idsOf(source)).toHaveLength(30);
  });

  it('gives a boost place to the next candidate when the vehicle is already shown above it', () => {
    const source = { ...page, boost: vehicles(['1', 'b2']) };
    expect(vehicleTiles(source)[6]?.listing.id).toBe('b2');
  });

  const pool = fc.constantFrom(...range(1, 45));
  const some = (maxLength: number) => fc.uniqueArray(pool, { maxLength, selector: ({ id }) => id });
  const sources = fc
    .record({
      pages: fc.array(some(24), { maxLength: 4 }),
      spots: fc.array(
        fc.record({ premium: some(4), featured: some(3), standard: some(3), fourthTier: some(1) }),
        {
          maxLength: 4,
        },
      ),
      boost: some(3),
      totalResultCount: fc.integer({ min: 0, max: 200 }),
      sortBy: fc.constantFrom('relevance' as const, 'yearDESC' as const),
      vehicleHighlight: fc.option(pool),
      features: fc.record<GridFeatures>({
        hasWallet: fc.boolean(),
        hasPromo: fc.boolean(),
        hasAds: fc.boolean(),
        fluidAds: fc.boolean(),
        hasPeekaboo: fc.boolean(),
        spotlightCarousel: fc.boolean(),
        // No further page follows the last of a few results.
        hasCapture: fc.constant(false),
      }),
    })
    .map(({ pages, spots, ...rest }) => {
      // The store holds each organic listing once, even when pages repeat it.
      const knownIds = new Set<string>();
      const newListings = pages.map((list) => list.filter(({ id }) => !knownIds.has(id) && knownIds.add(id)));
      return sourceOf({
        listings: newListings.flat(),
        pageSizes: newListings.map(({ length }) => length),
        spotlights: spots,
        ...rest,
      });
    });

  it('shows every vehicle once and loses no listing when vehicles are offered several times', () => {
    fc.assert(
      fc.property(sources, (source) => {
        const ids = gridItems(source).flatMap((item) => {
          if (item.kind === 'carousel') return item.listings.map(({ id }) => id);
          return isVehicle(item) ? [item.listing.id] : [];
        });
        expect(new Set(ids).size).toBe(ids.length);
        expect(source.listings.filter(({ id }) => !ids.includes(id))).toEqual([]);
      }),
    );
  });

  it('keeps the spotlights in the carousel when all later places offer the same vehicles', () => {
    const source = sourceOf({
      listings: [...range(1, 3), ...vehicles(['p1'])],
      pageSizes: [4],
      spotlights: [{ ...noSpots, premium: vehicles(['p1']) }],
      features: { spotlightCarousel: true },
    });
    expect(gridItems(source).map(({ kind }) => kind)).toEqual(['listing', 'listing', 'listing', 'carousel']);
  });

  it('keeps the listings in their order', () => {
    fc.assert(
      fc.property(sources, (source) => {
        const shown = vehicleTiles(source).filter(({ kind }) => kind === 'listing');
        const order = shown.map(({ listing }) => source.listings.indexOf(listing));
        expect(order).toEqual([...order].sort((left, right) => left - right));
      }),
    );
  });

  it('moves nothing when a further page arrives', () => {
    fc.assert(
      fc.property(sources, (source) => {
        const pageSizes = source.pageSizes.slice(0, -1);
        const loaded = pageSizes.reduce((sum, size) => sum + size, 0);
        const before = gridItems({ ...source, pageSizes, listings: source.listings.slice(0, loaded) });
        expect(gridItems(source).slice(0, before.length)).toEqual(before);
      }),
    );
  });

  it('fills every position with exactly one tile', () => {
    fc.assert(
      fc.property(sources, (source) => {
        const items = gridItems(source);
        const places = items.filter(({ kind }) => kind !== 'adRow' && kind !== 'carousel');
        expect(places.map(({ position }) => position)).toEqual(places.map((_, at) => at));
        expect(tileCount(items)).toBe(places.length);
        expect(itemsByPage(items).flat()).toEqual(items);
      }),
    );
  });

  it('returns equal grids for equal sources on the server and in the browser', () => {
    fc.assert(
      fc.property(sources, (source) => {
        expect(gridItems(structuredClone(source))).toEqual(gridItems(source));
      }),
    );
  });
});

describe('tiles between vehicles', () => {
  const features = (enabledFeatures: Partial<GridFeatures>): GridSource =>
    sourceOf({
      listings: range(1, 60),
      pageSizes: [30, 30],
      totalResultCount: 100,
      features: enabledFeatures,
    });
  const at = (source: GridSource, kind: GridItem['kind']) =>
    gridItems(source)
      .filter((item) => item.kind === kind)
      .map(({ position }) => position);

  // rows: B9-GRID-11, B9-GRID-04, B9-GRID-08
  it('places the wallet at 3, the peekaboo at 8 and the promo at 14', () => {
    const source = features({ hasWallet: true, hasPeekaboo: true, hasPromo: true });
    expect([...at(source, 'wallet'), ...at(source, 'peekaboo'), ...at(source, 'promo')]).toEqual([3, 8, 14]);
  });

  // rows: B9-GRID-09
  it('gives fluid ads precedence over the promo', () => {
    const source = features({ hasAds: true, fluidAds: true, hasPromo: true });
    expect(at(source, 'ad')).toEqual([7, 14, 19, 36, 43]);
    expect(at(source, 'promo')).toEqual([15]);
  });

  // rows: B9-GRID-10
  it('places other ads in rows of their own, counted in the grid of three and in that of four', () => {
    const rows = gridItems(features({ hasAds: true })).filter(({ kind }) => kind === 'adRow');
    const before = (columns: number) =>
      rows.flatMap((row) => ('columns' in row && row.columns === columns ? row.position / columns : []));
    expect(before(3)).toEqual([3, 7, 10, 13, 16]);
    expect(before(4)).toEqual([3, 7, 10, 13]);
  });

  // rows: B9-GRID-12
  it('places the carousel before row 1 and repeats none of its vehicles', () => {
    const source = {
      ...features({ spotlightCarousel: true }),
      spotlights: [{ ...noSpots, premium: vehicles(['p1', '2', '20']) }],
    };
    const [carousel] = gridItems(source).filter((item) => item.kind === 'carousel');
    expect(carousel).toMatchObject({ position: 3, listings: [{ id: 'p1' }, { id: '20' }] });
    expect(idsOf(source)).not.toContain('20');
    expect(idsOf(source)).toContain('2');
  });

  it('places no carousel without premium spotlights', () => {
    const source = { ...features({ spotlightCarousel: true }), spotlights: [noSpots] };
    expect(gridItems(source).some(({ kind }) => kind === 'carousel')).toBe(false);
  });

  // rows: B9-BOTTOM-03
  it('places the email capture after fewer than nine results', () => {
    const smallSource = (count: number) =>
      sourceOf({
        listings: range(1, count),
        pageSizes: [count],
        totalResultCount: count,
        features: { hasCapture: true },
      });
    expect(at(smallSource(8), 'capture')).toEqual([8]);
    expect(at(smallSource(9), 'capture')).toEqual([]);
  });

  it('places the highlighted vehicle before the matches, and nowhere else', () => {
    const source = { ...features({}), vehicleHighlight: buildListing({ id: '7' }) };
    const [first] = gridItems(source);
    expect(first).toMatchObject({ kind: 'highlight', listing: { id: '7' } });
    expect(idsOf(source).filter((id) => id === '7')).toHaveLength(1);
  });
});

describe('tile kinds', () => {
  it('marks all paid tiles as sponsored', () => {
    expect(isSponsored('listing')).toBe(false);
    for (const kind of ['premium', 'fourthTier', 'boost', 'extraSpotlight'] as const)
      expect(isSponsored(kind)).toBe(true);
  });

  // rows: B2-ROUTE-04
  it('passes the origin of the click to the vehicle page', () => {
    for (const kind of ['listing', 'boost', 'highlight', 'similar', 'supplemental', 'nearby'] as const)
      expect(clickTypeOf(kind)).toBe(kind);
    for (const kind of ['premium', 'carousel', 'fourthTier', 'extraSpotlight'] as const)
      expect(clickTypeOf(kind)).toBe('spotlight');
  });
});

describe('a tile that completes a row of the previous page', () => {
  const joinedRows = (sizes: readonly number[], features: Partial<GridFeatures> = {}) =>
    gridItems(
      sourceOf({
        listings: range(
          1,
          sizes.reduce((sum, size) => sum + size, 0),
        ),
        pageSizes: [...sizes],
        totalResultCount: 500,
        features,
      }),
    )
      .filter(({ joinsRow }) => joinsRow)
      .map(({ position, joinsRow }) => [position, joinsRow]);

  it('marks a tile that completes a row of the previous page, for two and three tiles per row', () => {
    expect(joinedRows([6, 6])).toEqual([]);
    expect(joinedRows([7, 6])).toEqual([
      [7, 'ofBoth'],
      [8, 'ofThree'],
    ]);
    expect(joinedRows([8, 6])).toEqual([[8, 'ofThree']]);
    expect(joinedRows([9, 6])).toEqual([[9, 'ofTwo']]);
  });

  it('joins only a row of the directly preceding page, and only next to a vehicle', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 35 }), { minLength: 1, maxLength: 4 }),
        fc.boolean(),
        (sizes, hasAds) => {
          const items = gridItems(
            sourceOf({
              listings: range(
                1,
                sizes.reduce((sum, size) => sum + size, 0),
              ),
              pageSizes: sizes,
              totalResultCount: 500,
              features: { hasAds, hasPromo: true, hasCapture: true },
            }),
          ).filter(({ kind }) => kind !== 'adRow');
          for (const item of items) {
            const rowNeighbors = (columns: number) =>
              items.some(
                (other) =>
                  isVehicle(other) &&
                  other.page === item.page - 1 &&
                  Math.floor(other.position / columns) === Math.floor(item.position / columns),
              );
            expect(item.joinsRow === 'ofTwo' || item.joinsRow === 'ofBoth').toBe(rowNeighbors(2));
            expect(item.joinsRow === 'ofThree' || item.joinsRow === 'ofBoth').toBe(rowNeighbors(3));
          }
        },
      ),
    );
  });
});

describe('segmentsOf', () => {
  const pagesOf = (count: number) =>
    gridItems(
      sourceOf({
        listings: range(1, 30 * count),
        pageSizes: Array.from({ length: count }, () => 30),
        totalResultCount: 500,
        features: { hasAds: true, hasPromo: true, hasCapture: true, hasWallet: true },
      }),
    );

  it('keeps the order and the whole rows of two and of three', () => {
    const items = pagesOf(5);
    const segments = segmentsOf(items);
    expect(segments.flat()).toEqual(items);
    expect(SEGMENT_TILES % 6).toBe(0);
    for (const segment of segments.slice(0, -1)) expect(tileCount(segment)).toBe(SEGMENT_TILES);
  });

  it('changes only the last segment when a page is appended', () => {
    const before = segmentsOf(pagesOf(4)).slice(0, -1);
    expect(before.length).toBeGreaterThan(2);
    expect(segmentsOf(pagesOf(5)).slice(0, before.length)).toEqual(before);
  });

  it('gives every grid item a unique key', () => {
    const keys = pagesOf(5).map(keyOf);
    expect(new Set(keys).size).toBe(keys.length);
  });
});
