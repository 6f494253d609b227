import type { Listing } from '@forecourt/upstream/entities';
import type { PictureSource, TileKind } from '../content/pictureRoutes.ts';
import { slugFromName } from '../../domain/catalog.ts';
import { derivedPrice, type StockListing, type StockOwner } from '../../domain/stock.ts';

/** Rating from which a dealer counts as top rated, and the reviews it needs. */
const TOP_RATING = { value: 4.7, count: 100 } as const;

const HISTORY_TILES = [
  ['ONE_OWNER', 'one-owner'],
  ['NO_ACCIDENTS', 'no-accidents'],
] as const;

/** The certified program of a listing: its maker's, or a third party's. */
export function certifiedProductOf({ listingType, make }: StockListing): string | undefined {
  if (listingType === 'CERTIFIED') return `${make.code}_CERTIFIED`;
  return listingType === '3P_CERT' ? 'THIRD_PARTY_CERTIFIED' : undefined;
}

interface Tile {
  readonly kind: TileKind;
  readonly code: string;
  /** Name of its image. */
  readonly name: string;
}

function certifiedTile(stock: StockListing): Tile | undefined {
  const code = certifiedProductOf(stock);
  if (!code) return undefined;
  const name = stock.listingType === 'CERTIFIED' ? slugFromName(stock.make.name) : 'third-party';
  return { kind: 'certified', code, name };
}

function historyTile({ history }: StockListing): Tile | undefined {
  const best = HISTORY_TILES.find(([code]) => history.includes(code));
  return best && { kind: 'history', code: best[0], name: best[1] };
}

function dealerTile({ sellerType, rating, homeServices }: StockOwner): Tile | undefined {
  if (sellerType !== 'd') return undefined;
  if (rating && rating.value >= TOP_RATING.value && rating.count >= TOP_RATING.count)
    return { kind: 'dealer', code: 'TOP_RATED', name: 'top-rated' };
  return homeServices.includes('HOME_DELIVERY')
    ? { kind: 'dealer', code: 'HOME_DELIVERY', name: 'home-delivery' }
    : undefined;
}

/** Small tiles of a listing: its program, its history, its dealer. */
export function productTilesOf(
  stock: StockListing,
  owner: StockOwner,
  link: string,
  pictures: PictureSource,
): Listing['productTiles'] {
  return [certifiedTile(stock), historyTile(stock), dealerTile(owner)]
    .filter((tile) => tile !== undefined)
    .map(({ kind, code, name }) => {
      const image = pictures.tile(kind, name);
      return { tileType: kind.toUpperCase(), tileSubType: code, link, ...(image && { image }) };
    });
}

/** Days for which a price reduction or a new listing is news. */
const REDUCED_RECENTLY_DAYS = 14;
const NEW_LISTING_DAYS = 3;
/** Views from which interest is high. */
const HIGH_INTEREST_VIEWS = 100;

/** Why to hurry: a recent price drop in dollars, views, or days listed. */
export function urgencyOf(stock: StockListing, today: number): Listing['vehicleHighlight'] {
  const price = derivedPrice(stock);
  const { previousPrice, reducedOn, viewCount, listedOn } = stock;
  const isRecent = reducedOn !== undefined && today - reducedOn <= REDUCED_RECENTLY_DAYS;
  const highlight = (urgencyDriverType: string, urgencyDriverValue: number) => ({
    isVehicleHighlight: true,
    urgencyDriverType,
    urgencyDriverValue,
  });
  if (isRecent && price !== undefined && previousPrice !== undefined && previousPrice > price)
    return highlight('PRICE_DROP', previousPrice - price);
  if (viewCount >= HIGH_INTEREST_VIEWS) return highlight('HIGH_INTEREST', viewCount);
  if (today - listedOn <= NEW_LISTING_DAYS) return highlight('NEW_LISTING', Math.max(0, today - listedOn));
  return undefined;
}
