import type { Listing } from '@forecourt/shared-contracts/entities';
import { EAGER_IMAGES, placeTiles, type ClickType, type GridInput } from '@forecourt/shared-contracts/rules';
import { RELEVANCE_SORT, type SearchCriteria } from '@forecourt/shared-contracts/search';
import type { SearchState } from '@forecourt/shared-contracts/store';

export type TileKind = 'listing' | 'premium' | 'fourthTier' | 'boost' | 'extraSpotlight';

/** A tile of the grid, or a vehicle of a block below it. */
export type CardKind = TileKind | 'similar' | 'supplemental' | 'nearby';

/** One vehicle of the grid. */
export interface VehicleTile {
  readonly kind: TileKind;
  readonly listing: Listing;
  /** Zero-based index in the grid. */
  readonly position: number;
  /** Zero-based number of the loaded page it came with. */
  readonly page: number;
  /** Its picture is among the first that are seen (A9-EAGER-01, A9-EAGER-02). */
  readonly isEager: boolean;
}

export type GridSource = Pick<
  SearchState,
  'listings' | 'pageSizes' | 'spotlights' | 'boost' | 'totalResultCount'
> &
  Pick<SearchCriteria, 'sortBy'>;

/** Of each kind of card: is its place paid for, and what the link tells the detail page. */
const CARD_KINDS: Readonly<Record<CardKind, { isSponsored: boolean; clickType: ClickType }>> = {
  listing: { isSponsored: false, clickType: 'listing' },
  premium: { isSponsored: true, clickType: 'spotlight' },
  fourthTier: { isSponsored: true, clickType: 'spotlight' },
  extraSpotlight: { isSponsored: true, clickType: 'spotlight' },
  boost: { isSponsored: true, clickType: 'boost' },
  similar: { isSponsored: false, clickType: 'similar' },
  supplemental: { isSponsored: false, clickType: 'supplemental' },
  nearby: { isSponsored: false, clickType: 'nearby' },
};

/** Paid tiles say so in words. */
export const isSponsored = (kind: CardKind): boolean => CARD_KINDS[kind].isSponsored;

export const clickTypeOf = (kind: CardKind): ClickType => CARD_KINDS[kind].clickType;

/** What may stand in the grid, but for the places in `refused`: 'kind:page:id'. */
function gridInput(source: GridSource, refused: ReadonlySet<string>): GridInput<Listing> {
  const offered = (kind: TileKind, page: number, listings: readonly Listing[]) =>
    listings.filter(({ id }) => !refused.has(`${kind}:${page}:${id}`));
  let start = 0;
  const pages = source.pageSizes.map((size, page) => {
    const listings = source.listings.slice(start, (start += size));
    const spots = source.spotlights[page];
    const [fourthTier] = offered('fourthTier', page, [
      ...(spots?.fourthTier ?? []),
      ...(spots?.featured ?? []),
    ]);
    return {
      listings: offered('listing', page, listings),
      premium: offered('premium', page, spots?.premium ?? []),
      ...(fourthTier && { fourthTier }),
    };
  });
  const [first] = source.spotlights;
  return {
    pages,
    totalResultCount: source.totalResultCount,
    boosts: offered('boost', 0, source.boost),
    spareSpotlights: offered('extraSpotlight', 0, [...(first?.featured ?? []), ...(first?.standard ?? [])]),
    isRelevanceSort: source.sortBy === RELEVANCE_SORT,
  };
}

type Placed = Pick<VehicleTile, 'kind' | 'listing' | 'page'>;

function place(source: GridSource, refused: ReadonlySet<string>): readonly Placed[] {
  return placeTiles(gridInput(source, refused)).tiles.flatMap((tile): Placed[] =>
    'item' in tile ? [{ kind: tile.kind, listing: tile.item, page: tile.page }] : [],
  );
}

/** The first tile whose vehicle stands in the grid already. */
function findRepeat(tiles: readonly Placed[]): Placed | undefined {
  const seen = new Set<string>();
  return tiles.find(({ listing: { id } }) => seen.size === seen.add(id).size);
}

/**
 * The grid's vehicles in their order (AMB-033). A vehicle stands in it once:
 * where a paid place and the sort, or two pages, offer the same one, the
 * earlier place keeps it and the later goes to the next in line. So no match
 * is ever lost, and a page that is loaded later moves nothing before it.
 */
export function vehicleTiles(source: GridSource): readonly VehicleTile[] {
  const refused = new Set<string>();
  let tiles = place(source, refused);
  // Refusing a repeat changes only what stands at and behind it, so this ends.
  for (let repeat = findRepeat(tiles); repeat; repeat = findRepeat(tiles)) {
    refused.add(`${repeat.kind}:${repeat.page}:${repeat.listing.id}`);
    tiles = place(source, refused);
  }
  const eagerLeft = { listing: EAGER_IMAGES, premium: EAGER_IMAGES };
  return tiles.map((tile, position) => {
    const isEager =
      (tile.kind === 'listing' || tile.kind === 'premium') && tile.page === 0 && eagerLeft[tile.kind]-- > 0;
    return { ...tile, position, isEager };
  });
}
