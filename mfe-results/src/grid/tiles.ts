import type { Listing } from '@forecourt/shared-contracts/entities';
import type { ClickType } from '@forecourt/shared-contracts/url';
import { RELEVANCE_SORT, type SearchCriteria } from '@forecourt/shared-contracts/criteria';
import type { SearchState } from '@forecourt/shared-contracts/store';
import { EAGER_IMAGES, GRID_COLUMNS, PROMO_POSITION } from '../constants.ts';
import { placeTiles, type Grid, type GridInput } from './gridPositions.ts';

export type TileKind = 'listing' | 'premium' | 'fourthTier' | 'boost' | 'extraSpotlight' | 'highlight';

/** A tile of the grid, or a vehicle of a row or block of its own. */
export type CardKind = TileKind | 'carousel' | 'similar' | 'supplemental' | 'nearby';

interface Placed {
  /** Zero-based index among the grid's tiles; a full-width row has that of the tile behind it. */
  readonly position: number;
  /** Zero-based number of the loaded page it belongs to. */
  readonly page: number;
  /** With so many tiles a row it stands beside vehicles of the page before. */
  readonly joinsRow?: 'ofTwo' | 'ofThree' | 'ofBoth';
}

/** One vehicle of the grid. */
export interface VehicleTile extends Placed {
  readonly kind: TileKind;
  readonly listing: Listing;
  /** Its picture is among the first that are seen (A9-EAGER-01, A9-EAGER-02). */
  readonly isEager: boolean;
}

/** An ad, in a tile or in a full-width row (AMB-134). */
export interface AdItem extends Placed {
  readonly kind: 'ad' | 'adRow';
  /** Zero-based number of the ad. */
  readonly ad: number;
}

/** Premium spotlights in one full-width row (AMB-135). */
export interface CarouselItem extends Placed {
  readonly kind: 'carousel';
  readonly listings: readonly Listing[];
}

export interface PlainTile extends Placed {
  readonly kind: 'wallet' | 'promo' | 'peekaboo' | 'capture';
}

export type GridItem = VehicleTile | AdItem | CarouselItem | PlainTile;

export const isVehicle = (item: GridItem): item is VehicleTile => 'listing' in item;
/** Full-width rows stand between tiles and are none. */
export const isRow = ({ kind }: GridItem) => kind === 'adRow' || kind === 'carousel';

/** What the page's brand, flags and visitor let into the grid besides vehicles. */
export interface GridFeatures {
  readonly hasWallet: boolean;
  readonly hasPromo: boolean;
  readonly hasAds: boolean;
  readonly fluidAds: boolean;
  readonly hasPeekaboo: boolean;
  /** Where its brand wants it. */
  readonly peekabooPosition?: number | undefined;
  readonly spotlightCarousel: boolean;
  readonly hasCapture: boolean;
}

export type GridSource = Pick<
  SearchState,
  'listings' | 'pageSizes' | 'spotlights' | 'boost' | 'vehicleHighlight' | 'totalResultCount'
> &
  Partial<Pick<SearchState, 'firstLoadedRecord'>> &
  Pick<SearchCriteria, 'sortBy'> & { readonly features?: Partial<GridFeatures> };

/** Of each kind of card: is its place paid for, and what the link tells the detail page. */
const CARD_KINDS: Readonly<Record<CardKind, { isSponsored: boolean; clickType: ClickType }>> = {
  listing: { isSponsored: false, clickType: 'listing' },
  premium: { isSponsored: true, clickType: 'spotlight' },
  carousel: { isSponsored: true, clickType: 'spotlight' },
  fourthTier: { isSponsored: true, clickType: 'spotlight' },
  extraSpotlight: { isSponsored: true, clickType: 'spotlight' },
  boost: { isSponsored: true, clickType: 'boost' },
  highlight: { isSponsored: true, clickType: 'highlight' },
  similar: { isSponsored: false, clickType: 'similar' },
  supplemental: { isSponsored: false, clickType: 'supplemental' },
  nearby: { isSponsored: false, clickType: 'nearby' },
};

/** Paid tiles say so in words. */
export const isSponsored = (kind: CardKind): boolean => CARD_KINDS[kind].isSponsored;

export const clickTypeOf = (kind: CardKind): ClickType => CARD_KINDS[kind].clickType;

/** Kinds that are offered for the whole list, not by each page. */
const OFFERED_ONCE: ReadonlySet<TileKind> = new Set(['boost', 'extraSpotlight', 'highlight']);

/** Names a vehicle at one of the places where it is offered. */
const offerOf = (kind: TileKind, page: number, { id }: Listing) =>
  OFFERED_ONCE.has(kind) ? `${kind} ${id}` : `${kind} ${page} ${id}`;

/** The vehicle's id by the name of each offer that is refused. */
type RefusedOffers = ReadonlyMap<string, string>;

/** What may stand in the grid, but for the refused offers. */
function gridInput(
  source: GridSource,
  highlight: Listing | undefined,
  refused: RefusedOffers,
): GridInput<Listing> {
  const refusedIds = new Set(refused.values());
  // A vehicle is offered once for one kind of place, so a refused offer takes nothing else with it.
  const offered = (kind: TileKind, page: number, listings: readonly Listing[]) => {
    const seen = new Set<string>();
    return listings.filter((listing) => {
      const { id } = listing;
      const { size } = seen;
      if (seen.add(id).size === size) return false;
      return !refusedIds.has(id) || !refused.has(offerOf(kind, page, listing));
    });
  };
  const { features = {} } = source;
  let start = 0;
  const pages = source.pageSizes.map((size, page) => {
    const listings = offered('listing', page, source.listings.slice(start, (start += size)));
    const spots = source.spotlights[page];
    const [fourthTier] = offered('fourthTier', page, [
      ...(spots?.fourthTier ?? []),
      ...(spots?.featured ?? []),
    ]);
    return {
      listings: page === 0 && highlight ? [highlight, ...listings] : listings,
      size,
      premium: offered('premium', page, spots?.premium ?? []),
      ...(fourthTier && { fourthTier }),
    };
  });
  const [first] = source.spotlights;
  return {
    ...features,
    // The first page alone decides, or a second one would put it between tiles that are there already.
    hasPromo: features.hasPromo && (source.pageSizes[0] ?? 0) > PROMO_POSITION,
    pages,
    totalResultCount: source.totalResultCount,
    boosts: offered('boost', 0, source.boost),
    // They follow page 1 (AMB-136), which a direct request for a later one does not show.
    spareSpotlights:
      (source.firstLoadedRecord ?? 0) > 0
        ? []
        : offered('extraSpotlight', 0, [...(first?.featured ?? []), ...(first?.standard ?? [])]),
    isRelevanceSort: source.sortBy === RELEVANCE_SORT,
  };
}

/** Tiles and rows in their order on the page; `highlight` leads the first page's matches. */
function inOrder(
  { tiles, adRows, carouselRow }: Grid<Listing>,
  source: GridSource,
  highlight: Listing | undefined,
): GridItem[] {
  const items: GridItem[] = [];
  let page = 0;
  let isFirstMatch = true;
  const addCarouselAt = (position: number) => {
    if (carouselRow !== undefined && position === carouselRow * GRID_COLUMNS)
      items.push(carousel(items, source, { position, page }));
  };
  for (const [position, tile] of tiles.entries()) {
    addCarouselAt(position);
    // A boost of the first page may have had to wait for a later one.
    if ('page' in tile) page = Math.max(page, tile.page);
    const place = { position, page };
    if (position % GRID_COLUMNS === 0) {
      const row = position / GRID_COLUMNS;
      if (adRows.includes(row)) items.push({ kind: 'adRow', ad: adRows.indexOf(row), ...place });
    }
    if (tile.kind === 'ad') items.push({ kind: 'ad', ad: tile.ad, ...place });
    else if ('item' in tile) {
      const isMatch = tile.kind === 'listing';
      const kind = isMatch && isFirstMatch && tile.item === highlight ? 'highlight' : tile.kind;
      if (isMatch) isFirstMatch = false;
      items.push({ kind, listing: tile.item, isEager: false, ...place });
    } else items.push({ kind: tile.kind, ...place });
  }
  addCarouselAt(tiles.length);
  return items;
}

/** The carousel of the first page's premium spotlights, without those that stand above it. */
function carousel(before: readonly GridItem[], source: GridSource, place: Placed): CarouselItem {
  const above = new Set(before.filter(isVehicle).map(({ listing }) => listing.id));
  const listings = (source.spotlights[0]?.premium ?? []).filter(({ id }) => !above.has(id));
  return { kind: 'carousel', listings, ...place };
}

/**
 * Refuses every offer whose vehicle stands for good above its place, and says
 * whether there was one. What stands above the first repeat will not move any
 * more; what is behind it may.
 */
function refuseRepeats(items: readonly GridItem[], refused: Map<string, string>): boolean {
  const settled = new Set<string>();
  let found = false;
  for (const item of items) {
    if (item.kind === 'carousel') {
      if (!found) for (const { id } of item.listings) settled.add(id);
    } else if (isVehicle(item)) {
      const { id } = item.listing;
      if (settled.has(id)) {
        found = true;
        refused.set(offerOf(item.kind, item.page, item.listing), id);
      } else if (!found) settled.add(id);
    }
  }
  return found;
}

/**
 * Everything in the grid in its order (AMB-033): a pure function of what the
 * page holds, so the server and the browser agree. A vehicle stands in it once:
 * where a paid place and the sort, or two pages, offer the same one, the
 * earlier place keeps it and the later goes to the next in line. So no match
 * is ever lost, and a page that is loaded later moves nothing before it.
 */
export function gridItems(source: GridSource): readonly GridItem[] {
  const refused = new Map<string, string>();
  let items: GridItem[];
  // Each round settles at least one more vehicle, so this ends.
  do {
    const { vehicleHighlight } = source;
    const isOffered = vehicleHighlight && !refused.has(offerOf('highlight', 0, vehicleHighlight));
    const highlight = isOffered ? vehicleHighlight : undefined;
    items = inOrder(placeTiles(gridInput(source, highlight, refused)), source, highlight);
  } while (refuseRepeats(items, refused));
  const eagerLeft = { listing: EAGER_IMAGES, premium: EAGER_IMAGES };
  const ends = endsOfPages(items);
  return items.map((item) => {
    if (item.page > 0) return withJoinedRow(item, ends[item.page - 1]);
    if (!isVehicle(item)) return item;
    // What a phone shows first may be any paid place: the largest paint must not wait to be looked for.
    const isFirstRow = item.position < GRID_COLUMNS;
    const isCounted = item.kind === 'listing' || item.kind === 'premium';
    const isEager = (isCounted && eagerLeft[item.kind]-- > 0) || isFirstRow;
    return isEager ? { ...item, isEager } : item;
  });
}

/** The last three tiles of each page. */
function endsOfPages(items: readonly GridItem[]): readonly (readonly GridItem[])[] {
  return byPage(items).map((page) => page.filter((item) => !isRow(item)).slice(-GRID_COLUMNS));
}

/**
 * Says whether a tile completes a row that the page before began. Its vehicles
 * have been seen: the row keeps the height that they gave it.
 */
function withJoinedRow(item: GridItem, before: readonly GridItem[] = []): GridItem {
  const last = before.at(-1);
  if (!last || item.position - last.position >= GRID_COLUMNS) return item;
  const joins = (columns: number) => {
    const row = Math.floor(item.position / columns);
    return before.some((other) => isVehicle(other) && Math.floor(other.position / columns) === row);
  };
  if (isRow(item)) return item;
  const [ofTwo, ofThree] = [joins(2), joins(GRID_COLUMNS)];
  if (ofTwo && ofThree) return { ...item, joinsRow: 'ofBoth' };
  if (ofTwo) return { ...item, joinsRow: 'ofTwo' };
  return ofThree ? { ...item, joinsRow: 'ofThree' } : item;
}

/** The vehicles among the items. */
export const vehiclesOf = (items: readonly GridItem[]): readonly VehicleTile[] => items.filter(isVehicle);

/** Number of tiles, without full-width rows. */
export const tileCount = (items: readonly GridItem[]): number =>
  items.reduce((count, item) => (isRow(item) ? count : count + 1), 0);

/** Names an item of the grid. */
export function keyOf(item: GridItem): string {
  if (isVehicle(item)) return `${item.kind} ${item.page} ${item.listing.id}`;
  return 'ad' in item ? `${item.kind} ${item.ad}` : `${item.kind} ${item.page}`;
}

/** Tiles of a segment: the fewest that are whole rows of two and of three. */
export const SEGMENT_TILES = 6;

/** Zero-based number of the segment in which an item stands. */
export const segmentOf = ({ position }: GridItem): number => Math.floor(position / SEGMENT_TILES);

/**
 * The items by their places in stretches of equal length. An appended page
 * goes on in the last one and begins new ones; the others stay as they are.
 */
export function segmentsOf(items: readonly GridItem[]): readonly (readonly GridItem[])[] {
  const segments: GridItem[][] = [];
  for (const item of items) (segments[segmentOf(item)] ??= []).push(item);
  return segments;
}

/** Number of tiles that the last segment lacks. */
export const openPlaces = (items: readonly GridItem[]): number =>
  (SEGMENT_TILES - (tileCount(items) % SEGMENT_TILES)) % SEGMENT_TILES;

/** The items of each loaded page. */
export function byPage(items: readonly GridItem[]): readonly (readonly GridItem[])[] {
  const pages: GridItem[][] = [];
  for (const item of items) (pages[item.page] ??= []).push(item);
  return Array.from(pages, (page) => page ?? []);
}
