import {
  SECOND_BOOST_MIN_RESULTS,
  WALLET_POSITION,
  PEEKABOO_POSITION,
  PROMO_POSITION,
  FLUID_AD_POSITIONS,
  PREMIUM_OFFSETS,
  FOURTH_TIER_OFFSET,
  EXTRA_SPOTLIGHTS,
  CAPTURE_TILE_BELOW_RESULTS,
  GRID_COLUMNS,
  WIDE_GRID_COLUMNS,
  AD_ROWS,
  SPOTLIGHT_CAROUSEL_ROW,
} from '../constants.ts';
import { BOOST_POSITIONS } from '@forecourt/upstream/agreements';

/** One loaded page of results with the spotlights that came with it. */
export interface GridPage<Item> {
  readonly listings: readonly Item[];
  /** Listings that it was loaded with, including those in paid places; default: all `listings`. */
  readonly size?: number;
  readonly premium?: readonly Item[];
  readonly fourthTier?: Item;
}

export interface GridInput<Item> {
  readonly pages: readonly GridPage<Item>[];
  readonly totalResultCount: number;
  /** New-car boosts first, then the response's own. */
  readonly boosts?: readonly Item[];
  /** Unused featured, then standard spotlights. */
  readonly spareSpotlights?: readonly Item[];
  readonly isRelevanceSort: boolean;
  readonly hasWallet?: boolean;
  readonly hasPromo?: boolean;
  readonly hasAds?: boolean;
  /** Ads take one tile each instead of a full row. */
  readonly fluidAds?: boolean;
  readonly hasPeekaboo?: boolean;
  readonly peekabooPosition?: number;
  /** Premium spotlights are in one full-width carousel instead. */
  readonly spotlightCarousel?: boolean;
  readonly hasCapture?: boolean;
}

export type Tile<Item> =
  | {
      readonly kind: 'listing' | 'premium' | 'boost' | 'fourthTier' | 'extraSpotlight';
      readonly item: Item;
      /** Zero-based index of its page. */
      readonly page: number;
    }
  | { readonly kind: 'ad'; /** Zero-based number of the ad. */ readonly ad: number }
  | { readonly kind: 'wallet' | 'peekaboo' | 'promo' | 'capture' };

export interface Grid<Item> {
  readonly tiles: readonly Tile<Item>[];
  /** Zero-based rows preceded by a full-width ad; empty with fluid ads. */
  readonly adRows: readonly number[];
  /** The same in the rows of a wide grid. */
  readonly wideAdRows: readonly number[];
  /** Zero-based row preceded by the spotlight carousel. */
  readonly carouselRow?: number;
}

/** Precedence when two tiles want one index. */
const PRECEDENCE = ['premium', 'wallet', 'boost', 'ad', 'peekaboo', 'promo', 'fourthTier'] as const;

interface TileRequest<Item> {
  readonly index: number;
  readonly tile: Tile<Item> & { readonly kind: (typeof PRECEDENCE)[number] };
}

/** Tiles positioned from the start of the whole list. */
function listRequests<Item>(input: GridInput<Item>): TileRequest<Item>[] {
  const listings = input.pages.reduce((sum, page) => sum + (page.size ?? page.listings.length), 0);
  const boosts = (input.boosts ?? []).slice(0, input.totalResultCount >= SECOND_BOOST_MIN_RESULTS ? 2 : 1);
  const requests: TileRequest<Item>[] = boosts.map((item, slot) => ({
    index: BOOST_POSITIONS[slot] ?? 0,
    tile: { kind: 'boost', item, page: 0 },
  }));
  if (input.hasWallet) requests.push({ index: WALLET_POSITION, tile: { kind: 'wallet' } });
  if (input.hasPeekaboo)
    requests.push({ index: input.peekabooPosition ?? PEEKABOO_POSITION, tile: { kind: 'peekaboo' } });
  if (input.hasPromo && listings > PROMO_POSITION)
    requests.push({ index: PROMO_POSITION, tile: { kind: 'promo' } });
  if (input.hasAds && input.fluidAds)
    requests.push(...FLUID_AD_POSITIONS.map((index, ad) => ({ index, tile: { kind: 'ad' as const, ad } })));
  return requests;
}

/** Tiles positioned from the start of their page. */
function pageRequests<Item>(page: GridPage<Item>, number: number, start: number, isCarousel: boolean) {
  const premium = isCarousel ? [] : (page.premium ?? []).slice(0, PREMIUM_OFFSETS.length);
  const requests: TileRequest<Item>[] = premium.map((item, slot) => ({
    index: start + (PREMIUM_OFFSETS[slot] ?? 0),
    tile: { kind: 'premium', item, page: number },
  }));
  if (page.fourthTier !== undefined)
    requests.push({
      index: start + FOURTH_TIER_OFFSET,
      tile: { kind: 'fourthTier', item: page.fourthTier, page: number },
    });
  return requests;
}

/** Gives each tile its index or the next free one, by index, then precedence. */
function assignIndexes<Item>(requests: readonly TileRequest<Item>[]): Map<number, TileRequest<Item>> {
  const rank = (request: TileRequest<Item>) => PRECEDENCE.indexOf(request.tile.kind);
  const tilesByIndex = new Map<number, TileRequest<Item>>();
  for (const request of [...requests].sort((a, b) => a.index - b.index || rank(a) - rank(b))) {
    let { index } = request;
    while (tilesByIndex.has(index)) index++;
    tilesByIndex.set(index, request);
  }
  return tilesByIndex;
}

/**
 * The tiles of the results grid in order. Every listing appears once and in order;
 * an inserted tile takes its index unless one of higher precedence has it, and is dropped when the list is too
 * short. An appended page never moves earlier tiles: its spotlight positions start again with the page.
 */
export function placeTiles<Item>(input: GridInput<Item>): Grid<Item> {
  const tiles: Tile<Item>[] = [];
  let pendingRequests = listRequests(input);
  for (const [number, page] of input.pages.entries()) {
    const start = tiles.length;
    const movedRequests = pendingRequests.map((request) => ({
      ...request,
      index: Math.max(request.index, start),
    }));
    const tilesByIndex = assignIndexes([
      ...movedRequests,
      ...pageRequests(page, number, start, input.spotlightCarousel ?? false),
    ]);
    const placedTiles = new Set<Tile<Item>>();
    const listings = page.listings.values();
    for (;;) {
      const tile = tilesByIndex.get(tiles.length)?.tile ?? toTile(listings.next(), number);
      if (!tile) break;
      tiles.push(tile);
      placedTiles.add(tile);
    }
    pendingRequests = pendingRequests.filter((request) => !placedTiles.has(request.tile));
    if (number === 0 && !input.isRelevanceSort)
      for (const item of (input.spareSpotlights ?? []).slice(0, EXTRA_SPOTLIGHTS))
        tiles.push({ kind: 'extraSpotlight', item, page: 0 });
  }
  if (input.hasCapture && input.totalResultCount < CAPTURE_TILE_BELOW_RESULTS)
    tiles.push({ kind: 'capture' });

  const adRowsOf = (columns: number) =>
    input.hasAds && !input.fluidAds ? AD_ROWS.filter((row) => row < Math.ceil(tiles.length / columns)) : [];
  return {
    tiles,
    adRows: adRowsOf(GRID_COLUMNS),
    wideAdRows: adRowsOf(WIDE_GRID_COLUMNS),
    // Depends only on the rows above, because later offers may still be refused.
    ...(input.spotlightCarousel &&
      tiles.length >= SPOTLIGHT_CAROUSEL_ROW * GRID_COLUMNS && { carouselRow: SPOTLIGHT_CAROUSEL_ROW }),
  };
}

function toTile<Item>(next: IteratorResult<Item, undefined>, page: number): Tile<Item> | undefined {
  return next.done ? undefined : { kind: 'listing', item: next.value, page };
}
