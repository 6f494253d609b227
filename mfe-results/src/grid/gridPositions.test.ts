import { type GridPage, type GridInput, placeTiles, type Tile } from './gridPositions.ts';
import { describe, it, expect } from '@jest/globals';
import fc from 'fast-check';

const listings = (count: number, from = 0) => Array.from({ length: count }, (_, index) => `l${from + index}`);

const PREMIUM = ['p1', 'p2', 'p3'];

const page = (count: number, rest: Partial<GridPage<string>> = {}, from = 0): GridPage<string> => ({
  listings: listings(count, from),
  ...rest,
});

const grid = (input: Partial<GridInput<string>>) =>
  placeTiles({ pages: [page(30)], totalResultCount: 100, isRelevanceSort: true, ...input });

const indexesOf = (tiles: readonly Tile<string>[], kind: string) =>
  tiles.flatMap((tile, index) => (tile.kind === kind ? [index] : []));

describe('placeTiles', () => {
  // rows: B9-GRID-02
  it('puts premium spotlights first on each page of 30', () => {
    const { tiles } = grid({ pages: [page(30, { premium: PREMIUM }), page(30, { premium: PREMIUM }, 30)] });
    expect(indexesOf(tiles, 'premium')).toEqual([0, 1, 2, 33, 34, 35]);
  });

  // rows: B3-SPOT-01
  it('has three positions for premium spotlights and one for the fourth tier on each page', () => {
    const spots = { premium: [...PREMIUM, 'p4'], fourthTier: 'f' };
    const { tiles } = grid({ pages: [page(30, spots), page(30, spots, 30)] });
    const placed = tiles.flatMap((tile) =>
      tile.kind === 'premium' || tile.kind === 'fourthTier' ? [`${tile.page} ${tile.item}`] : [],
    );
    expect(placed).toEqual(['0 p1', '0 p2', '0 p3', '0 f', '1 p1', '1 p2', '1 p3', '1 f']);
  });

  it('keeps the third position organic when a page has two', () => {
    const { tiles } = grid({ pages: [page(30, { premium: ['p1', 'p2'] })] });
    expect(tiles[2]).toEqual({ kind: 'listing', item: 'l0', page: 0 });
  });

  // rows: B9-GRID-03
  it('puts the fourth tier at +23 of its page', () => {
    const pages = [page(30, { fourthTier: 'f1' }), page(30, { fourthTier: 'f2' }, 30)];
    expect(indexesOf(grid({ pages }).tiles, 'fourthTier')).toEqual([23, 31 + 23]);
  });

  // rows: B9-GRID-04
  it('puts the peekaboo at 8 or where it is configured', () => {
    expect(indexesOf(grid({ hasPeekaboo: true }).tiles, 'peekaboo')).toEqual([8]);
    expect(indexesOf(grid({ hasPeekaboo: true, peekabooPosition: 5 }).tiles, 'peekaboo')).toEqual([5]);
  });

  // rows: B9-GRID-05, B9-GRID-06
  it('puts boosts at 6 and, from 75 results, at 22', () => {
    const boosts = ['b1', 'b2', 'b3'];
    expect(indexesOf(grid({ boosts }).tiles, 'boost')).toEqual([6, 22]);
    expect(indexesOf(grid({ boosts, totalResultCount: 75 }).tiles, 'boost')).toEqual([6, 22]);
    expect(indexesOf(grid({ boosts, totalResultCount: 74 }).tiles, 'boost')).toEqual([6]);
  });

  // rows: B9-GRID-08
  it('puts the promo card at 14 of more than 14 listings', () => {
    expect(indexesOf(grid({ pages: [page(15)], hasPromo: true }).tiles, 'promo')).toEqual([14]);
    expect(indexesOf(grid({ pages: [page(14)], hasPromo: true }).tiles, 'promo')).toEqual([]);
    // One of the 15 is in a paid place: the list has the same length.
    const pageWithPaidPlace = { ...page(14, { premium: ['p1'] }), size: 15 };
    expect(indexesOf(grid({ pages: [pageWithPaidPlace], hasPromo: true }).tiles, 'promo')).toEqual([14]);
  });

  // rows: B9-GRID-09
  it('puts fluid ads at 7, 14, 19, 36 and 43 and moves the promo card aside', () => {
    const { tiles, adRows } = grid({
      pages: [page(30), page(30, {}, 30)],
      hasAds: true,
      fluidAds: true,
      hasPromo: true,
    });
    expect(indexesOf(tiles, 'ad')).toEqual([7, 14, 19, 36, 43]);
    expect(indexesOf(tiles, 'promo')).toEqual([15]);
    expect(adRows).toEqual([]);
  });

  // rows: B9-GRID-10
  it('puts other ads before the rows 3, 7, 10, 13 and 16 that exist', () => {
    expect(grid({ pages: [page(60)], hasAds: true }).adRows).toEqual([3, 7, 10, 13, 16]);
    expect(grid({ pages: [page(30)], hasAds: true }).adRows).toEqual([3, 7]);
    expect(grid({ pages: [page(9)], hasAds: true }).adRows).toEqual([]);
  });

  // rows: B9-GRID-11
  it('puts the wallet card at 3', () => {
    const { tiles } = grid({ hasWallet: true, pages: [page(30, { premium: PREMIUM })] });
    expect(indexesOf(tiles, 'wallet')).toEqual([3]);
  });

  // rows: B9-GRID-12
  it('puts the spotlight carousel before row 1 instead of the three positions', () => {
    const { tiles, carouselRow } = grid({
      pages: [page(30, { premium: PREMIUM })],
      spotlightCarousel: true,
    });
    expect(carouselRow).toBe(1);
    expect(indexesOf(tiles, 'premium')).toEqual([]);
    expect(grid({ pages: [page(30, { premium: PREMIUM })] }).carouselRow).toBeUndefined();
    const rowOf = (tiles: number) => grid({ pages: [page(tiles)], spotlightCarousel: true }).carouselRow;
    expect([2, 3].map(rowOf)).toEqual([undefined, 1]);
  });

  // rows: B9-GRID-14
  it('appends four extra spotlights to page 1 of any sort but relevance', () => {
    const spareSpotlights = ['s1', 's2', 's3', 's4', 's5'];
    const pages = [page(30), page(30, {}, 30)];
    expect(indexesOf(grid({ pages, spareSpotlights }).tiles, 'extraSpotlight')).toEqual([]);
    expect(
      indexesOf(grid({ pages, spareSpotlights, isRelevanceSort: false }).tiles, 'extraSpotlight'),
    ).toEqual([30, 31, 32, 33]);
  });

  it('starts the next page with a tile whose index the extra spotlights took', () => {
    const { tiles } = grid({
      pages: [page(30), page(30, {}, 30)],
      spareSpotlights: ['s1', 's2', 's3', 's4'],
      isRelevanceSort: false,
      hasAds: true,
      fluidAds: true,
    });
    expect(indexesOf(tiles, 'extraSpotlight')).toEqual([33, 34, 35, 36]);
    expect(indexesOf(tiles, 'ad')).toEqual([7, 14, 19, 37, 43]);
  });

  // rows: B9-BOTTOM-03
  it('ends the grid with the capture tile below 9 results', () => {
    const smallGrid = (count: number) =>
      grid({ pages: [page(count)], totalResultCount: count, hasCapture: true });
    expect(smallGrid(8).tiles.at(-1)).toEqual({ kind: 'capture' });
    expect(indexesOf(smallGrid(9).tiles, 'capture')).toEqual([]);
  });

  it('gives a contested index to premium, wallet, boost, ad, peekaboo, promo, fourth tier in this order', () => {
    const { tiles } = grid({
      pages: [page(30, { premium: PREMIUM })],
      boosts: ['b'],
      hasPeekaboo: true,
      peekabooPosition: 6,
      hasAds: true,
      fluidAds: true,
    });
    expect(tiles.slice(5, 10).map(({ kind }) => kind)).toEqual([
      'listing',
      'boost',
      'peekaboo',
      'ad',
      'listing',
    ]);
  });

  it.each([
    [
      'wallet',
      { pages: [page(2), page(30, { premium: PREMIUM }, 2)], hasWallet: true },
      2,
      ['premium', 'premium', 'wallet', 'premium'],
    ],
    [
      'boost',
      { pages: [page(5), page(30, { premium: PREMIUM }, 5)], boosts: ['b'] },
      5,
      ['premium', 'premium', 'boost', 'premium'],
    ],
    [
      'fourth tier',
      { pages: [page(30, { fourthTier: 'f' })], hasPeekaboo: true, peekabooPosition: 23 },
      22,
      ['listing', 'peekaboo', 'fourthTier', 'listing'],
    ],
  ])('moves the %s aside for a tile of higher precedence', (_, input, from, kinds) => {
    const { tiles } = grid(input);
    expect(tiles.slice(from, from + 4).map(({ kind }) => kind)).toEqual(kinds);
  });
});

const anyInput = fc
  .record({
    sizes: fc.array(
      fc.record({ count: fc.nat({ max: 32 }), premium: fc.nat({ max: 4 }), fourth: fc.boolean() }),
      {
        minLength: 1,
        maxLength: 4,
      },
    ),
    totalResultCount: fc.nat({ max: 200 }),
    boosts: fc.subarray(['b1', 'b2', 'b3']),
    spareSpotlights: fc.subarray(['s1', 's2', 's3', 's4', 's5']),
    isRelevanceSort: fc.boolean(),
    hasWallet: fc.boolean(),
    hasPromo: fc.boolean(),
    hasAds: fc.boolean(),
    fluidAds: fc.boolean(),
    hasPeekaboo: fc.boolean(),
    peekabooPosition: fc.nat({ max: 40 }),
    spotlightCarousel: fc.boolean(),
    hasCapture: fc.boolean(),
  })
  .map(({ sizes, ...rest }): GridInput<string> => {
    let from = 0;
    const pages = sizes.map(({ count, premium, fourth }, number) => {
      const built = page(
        count,
        {
          premium: Array.from({ length: premium }, (_, slot) => `p${number}-${slot}`),
          ...(fourth && { fourthTier: `f${number}` }),
        },
        from,
      );
      from += count;
      return built;
    });
    return { ...rest, pages };
  });

describe('property: placeTiles', () => {
  it('shows every listing exactly once and in its order', () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const shown = placeTiles(input).tiles.flatMap((tile) => (tile.kind === 'listing' ? [tile.item] : []));
        expect(shown).toEqual(input.pages.flatMap(({ listings: items }) => items));
      }),
      { numRuns: 5000 },
    );
  });

  it('shows no tile twice and puts none before its index', () => {
    const minIndexes: Partial<Record<Tile<string>['kind'], number>> = {
      wallet: 3,
      boost: 6,
      ad: 7,
      promo: 14,
    };
    fc.assert(
      fc.property(anyInput, (input) => {
        const { tiles } = placeTiles(input);
        expect(new Set(tiles.map((tile) => JSON.stringify(tile))).size).toBe(tiles.length);
        expect(tiles.filter((tile, index) => index < (minIndexes[tile.kind] ?? 0))).toEqual([]);
      }),
      { numRuns: 5000 },
    );
  });

  it('keeps every tile of a full page in its place when the next page is loaded', () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const full = { ...input, hasPromo: false, hasCapture: false };
        const before = placeTiles({ ...full, pages: full.pages.slice(0, -1) }).tiles;
        expect(placeTiles(full).tiles.slice(0, before.length)).toEqual(before);
      }),
      { numRuns: 5000 },
    );
  });
});
