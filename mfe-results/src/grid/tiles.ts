import type { Listing } from '@forecourt/upstream/entities';
import type { TileKind } from '../card/cardState.ts';

/** Position of an item in the grid. */
export interface Placement {
  /** Zero-based index among the tiles; a full-width row has the index of the tile after it. */
  readonly position: number;
  /** Zero-based index of the loaded page it belongs to. */
  readonly page: number;
  /** Column counts with which it shares a row with vehicles of the previous page. */
  readonly joinsRow?: 'ofTwo' | 'ofThree' | 'ofBoth';
}

/** One vehicle of the grid. */
export interface VehicleTile extends Placement {
  readonly kind: TileKind;
  readonly listing: Listing;
  /** Its picture is in the first view. */
  readonly isEager: boolean;
  /** Without scripts, which drop repeats, it would be seen again on the next page. */
  readonly isRepeated?: true;
}

/** An ad, in a tile or in a full-width row. */
interface AdItem extends Placement {
  readonly kind: 'ad' | 'adRow';
  /** Zero-based index of the ad. */
  readonly ad: number;
  /** The grid whose rows a full-width ad stands between; others hide it. */
  readonly columns?: number;
}

/** Premium spotlights in one full-width row. */
export interface CarouselItem extends Placement {
  readonly kind: 'carousel';
  readonly listings: readonly Listing[];
}

interface PlainTile extends Placement {
  readonly kind: 'wallet' | 'promo' | 'peekaboo' | 'capture';
}

export type GridItem = VehicleTile | AdItem | CarouselItem | PlainTile;

export const isVehicle = (item: GridItem): item is VehicleTile => 'listing' in item;
/** Full-width rows are between tiles and don't count as tiles. */
export const isRow = ({ kind }: GridItem): boolean => kind === 'adRow' || kind === 'carousel';

export const vehiclesOf = (items: readonly GridItem[]): readonly VehicleTile[] => items.filter(isVehicle);

/** Number of tiles, without full-width rows. */
export const tileCount = (items: readonly GridItem[]): number =>
  items.reduce((count, item) => (isRow(item) ? count : count + 1), 0);

/** React key of an item. */
export function keyOf(item: GridItem): string {
  if (isVehicle(item)) return `${item.kind} ${item.page} ${item.listing.id}`;
  return 'ad' in item ? `${item.kind} ${item.ad} ${item.columns}` : `${item.kind} ${item.page}`;
}

/** Tiles per segment: the smallest number that fills whole rows of two, of three and of four. */
export const SEGMENT_TILES = 12;

/** Zero-based index of the segment that holds an item. */
const segmentOf = ({ position }: GridItem): number => Math.floor(position / SEGMENT_TILES);

/** The items in segments of equal length. An appended page fills the last segment and adds new ones; the others stay the same. */
export function segmentsOf(items: readonly GridItem[]): readonly (readonly GridItem[])[] {
  const segments: GridItem[][] = [];
  for (const item of items) (segments[segmentOf(item)] ??= []).push(item);
  return segments;
}

/** Number of free tiles in the last segment. */
export const freeTileCount = (items: readonly GridItem[]): number =>
  (SEGMENT_TILES - (tileCount(items) % SEGMENT_TILES)) % SEGMENT_TILES;

/** The items of each loaded page. */
export function itemsByPage(items: readonly GridItem[]): readonly (readonly GridItem[])[] {
  const pages: GridItem[][] = [];
  for (const item of items) (pages[item.page] ??= []).push(item);
  return Array.from(pages, (page) => page ?? []);
}
