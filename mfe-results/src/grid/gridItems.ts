import { RELEVANCE_SORT, type SearchCriteria } from '@forecourt/search/criteria';
import type { SearchState } from '@forecourt/search/state';
import type { Listing } from '@forecourt/upstream/entities';
import { EAGER_IMAGES, GRID_COLUMNS, PROMO_POSITION, WIDE_GRID_COLUMNS } from '../constants.ts';
import { placeTiles, type Grid, type GridInput } from './gridPositions.ts';
import type { TileKind } from '../card/cardState.ts';
import { itemsByPage, isRow, isVehicle, type CarouselItem, type GridItem, type Placement } from './tiles.ts';

/** Tiles that the grid may contain besides vehicles, by brand, flags and visitor. */
export interface GridFeatures {
  readonly hasWallet: boolean;
  readonly hasPromo: boolean;
  readonly hasAds: boolean;
  readonly fluidAds: boolean;
  readonly hasPeekaboo: boolean;
  /** Set by the brand. */
  readonly peekabooPosition?: number | undefined;
  readonly spotlightCarousel: boolean;
  readonly hasCapture: boolean;
}

export type GridSource = Pick<
  SearchState,
  'listings' | 'pageSizes' | 'spotlights' | 'boost' | 'vehicleHighlight' | 'totalResultCount'
> &
  Partial<Pick<SearchState, 'firstLoadedRecord'>> &
  Partial<Pick<SearchCriteria, 'numRecords'>> &
  Pick<SearchCriteria, 'sortBy'> & { readonly features?: Partial<GridFeatures> };

/** Kinds that are offered once for the whole list instead of once per page. */
const ONCE_PER_LIST: ReadonlySet<TileKind> = new Set(['boost', 'extraSpotlight', 'highlight']);

/** Identifies the offer of a vehicle for one kind of place. */
const offerKey = (kind: TileKind, page: number, { id }: Listing) =>
  ONCE_PER_LIST.has(kind) ? `${kind} ${id}` : `${kind} ${page} ${id}`;

/** Vehicle id by the key of each refused offer. */
type RefusedOffers = ReadonlyMap<string, string>;

/** Drops refused and repeated offers. */
function acceptedOffers(refused: RefusedOffers) {
  const refusedIds = new Set(refused.values());
  // A vehicle is offered once for each kind of place, so refusing an offer removes nothing else.
  return (kind: TileKind, page: number, listings: readonly Listing[]) => {
    const seenIds = new Set<string>();
    return listings.filter((listing) => {
      const { id } = listing;
      const { size } = seenIds;
      if (seenIds.add(id).size === size) return false;
      return !refusedIds.has(id) || !refused.has(offerKey(kind, page, listing));
    });
  };
}

/** The grid's input without the refused offers. */
function gridInput(
  source: GridSource,
  highlight: Listing | undefined,
  refused: RefusedOffers,
): GridInput<Listing> {
  const accept = acceptedOffers(refused);
  const { features = {} } = source;
  let start = 0;
  const pages = source.pageSizes.map((size, page) => {
    const listings = accept('listing', page, source.listings.slice(start, (start += size)));
    const spots = source.spotlights[page];
    const [fourthTier] = accept('fourthTier', page, [
      ...(spots?.fourthTier ?? []),
      ...(spots?.featured ?? []),
    ]);
    return {
      listings: page === 0 && highlight ? [highlight, ...listings] : listings,
      size,
      premium: accept('premium', page, spots?.premium ?? []),
      ...(fourthTier && { fourthTier }),
    };
  });
  const [first] = source.spotlights;
  return {
    ...features,
    // Only the first page decides: a second page must not insert the promo between tiles that are shown already.
    hasPromo: features.hasPromo && (source.pageSizes[0] ?? 0) > PROMO_POSITION,
    pages,
    totalResultCount: source.totalResultCount,
    boosts: accept('boost', 0, source.boost),
    // Extra spotlights follow page 1, which a direct request for a later page doesn't show.
    spareSpotlights:
      (source.firstLoadedRecord ?? 0) > 0
        ? []
        : accept('extraSpotlight', 0, [...(first?.featured ?? []), ...(first?.standard ?? [])]),
    isRelevanceSort: source.sortBy === RELEVANCE_SORT,
  };
}

/** Tiles and rows in page order; `highlight` comes before the first page's matches. */
function orderedItems(
  { tiles, adRows, wideAdRows, carouselRow }: Grid<Listing>,
  source: GridSource,
  highlight: Listing | undefined,
): GridItem[] {
  const items: GridItem[] = [];
  let page = 0;
  let isFirstMatch = true;
  const addCarouselAt = (position: number) => {
    if (carouselRow === undefined || position !== carouselRow * GRID_COLUMNS) return;
    const carousel = carouselItem(items, source, { position, page });
    if (carousel.listings.length > 0) items.push(carousel);
  };
  for (const [position, tile] of tiles.entries()) {
    addCarouselAt(position);
    // A boost of the first page may have moved to a later page.
    if ('page' in tile) page = Math.max(page, tile.page);
    const place = { position, page };
    for (const [rows, columns] of [
      [adRows, GRID_COLUMNS],
      [wideAdRows, WIDE_GRID_COLUMNS],
    ] as const) {
      const ad = rows.indexOf(position / columns);
      if (ad >= 0) items.push({ kind: 'adRow', ad, columns, ...place });
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

/** The carousel of the first page's premium spotlights, without vehicles shown above it. */
function carouselItem(above: readonly GridItem[], source: GridSource, place: Placement): CarouselItem {
  const shownIds = new Set(above.filter(isVehicle).map(({ listing }) => listing.id));
  const listings = (source.spotlights[0]?.premium ?? []).filter(({ id }) => !shownIds.has(id));
  return { kind: 'carousel', listings, ...place };
}

/**
 * Refuses every offer of a vehicle that is already shown above it; returns whether there was one. Items above
 * the first repeat are final, later ones may still move.
 */
function refuseRepeats(items: readonly GridItem[], refused: Map<string, string>): boolean {
  const finalIds = new Set<string>();
  let hasRepeat = false;
  for (const item of items) {
    if (item.kind === 'carousel') {
      if (!hasRepeat) for (const { id } of item.listings) finalIds.add(id);
    } else if (isVehicle(item)) {
      const { id } = item.listing;
      if (finalIds.has(id)) {
        hasRepeat = true;
        refused.set(offerKey(item.kind, item.page, item.listing), id);
      } else if (!hasRepeat) finalIds.add(id);
    }
  }
  return hasRepeat;
}

/**
 * All items of the grid in order: a pure function of the page's state, so that server and browser
 * agree. Each vehicle appears once: when two places offer the same one, the earlier place shows it and the
 * later one takes its next candidate. So no match is lost, and an appended page moves no earlier item.
 */
export function gridItems(source: GridSource): readonly GridItem[] {
  const refusedListings = new Map<string, string>();
  let items: GridItem[];
  // Each round settles at least one more vehicle, so the loop ends.
  do {
    const { vehicleHighlight } = source;
    const isOffered = vehicleHighlight && !refusedListings.has(offerKey('highlight', 0, vehicleHighlight));
    const highlight = isOffered ? vehicleHighlight : undefined;
    items = orderedItems(placeTiles(gridInput(source, highlight, refusedListings)), source, highlight);
  } while (refuseRepeats(items, refusedListings));
  // The one beside a highlight (AMB-201), with which the next page begins.
  const repeated = source.listings.slice(source.numRecords, source.pageSizes[0]);
  const remainingEager = { listing: EAGER_IMAGES, premium: EAGER_IMAGES };
  const lastTiles = lastTilesOfPages(items);
  return items.map((item) => {
    if (item.page > 0) return withJoinedRow(item, lastTiles[item.page - 1]);
    if (!isVehicle(item)) return item;
    // The first row may contain any paid place, and the largest contentful paint of a phone must not load
    // lazily.
    const isFirstRow = item.position < GRID_COLUMNS;
    const isCounted = item.kind === 'listing' || item.kind === 'premium';
    const isEager = (isCounted && remainingEager[item.kind]-- > 0) || isFirstRow;
    const isRepeated = item.kind === 'listing' && repeated.includes(item.listing);
    return isEager || isRepeated ? { ...item, isEager, ...(isRepeated && { isRepeated }) } : item;
  });
}

/** The last three tiles of each page. */
function lastTilesOfPages(items: readonly GridItem[]): readonly (readonly GridItem[])[] {
  return itemsByPage(items).map((page) => page.filter((item) => !isRow(item)).slice(-GRID_COLUMNS));
}

/**
 * Marks a tile that completes a row of the previous page. That row is already on screen, so it keeps its
 * height.
 */
function withJoinedRow(item: GridItem, before: readonly GridItem[] = []): GridItem {
  const last = before.at(-1);
  if (!last || item.position - last.position >= GRID_COLUMNS) return item;
  const sharesRow = (columns: number) => {
    const row = Math.floor(item.position / columns);
    return before.some((other) => isVehicle(other) && Math.floor(other.position / columns) === row);
  };
  if (isRow(item)) return item;
  const [ofTwo, ofThree] = [sharesRow(2), sharesRow(GRID_COLUMNS)];
  if (ofTwo && ofThree) return { ...item, joinsRow: 'ofBoth' };
  if (ofTwo) return { ...item, joinsRow: 'ofTwo' };
  return ofThree ? { ...item, joinsRow: 'ofThree' } : item;
}
