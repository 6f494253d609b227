import type { Listing } from '@forecourt/shared-contracts/entities';
import { slugFromName } from '../catalogue/naming.ts';
import type { StockListing, StockOwner } from '../domain/stock.ts';
import { tilePath } from '../pictures/badges.ts';

/** From this rating, given by at least so many, a dealer bears the tile of the top rated. */
const TOP_RATING = { value: 4.7, count: 100 } as const;

const HISTORY_TILES = [
  ['ONE_OWNER', 'one-owner'],
  ['NO_ACCIDENTS', 'no-accidents'],
] as const;

/** The certified program of a listing (B3-LISTING-16): its maker's by make code, or a third party's. */
export function certifiedProductOf({ listingType, make }: StockListing): string | undefined {
  if (listingType === 'CERTIFIED') return `${make.code}_CERTIFIED`;
  return listingType === '3P_CERT' ? 'THIRD_PARTY_CERTIFIED' : undefined;
}

function certifiedTile(stock: StockListing, link: string): Listing['productTiles'] {
  const product = certifiedProductOf(stock);
  if (!product) return [];
  const name = stock.listingType === 'CERTIFIED' ? slugFromName(stock.make.name) : 'third-party';
  return [{ tileType: 'CERTIFIED', tileSubType: product, link, image: tilePath('certified', name) }];
}

function dealerTile({ sellerType, rating, homeServices }: StockOwner, link: string): Listing['productTiles'] {
  if (sellerType !== 'd') return [];
  const isTopRated = rating && rating.value >= TOP_RATING.value && rating.count >= TOP_RATING.count;
  const [code, name] = isTopRated
    ? ['TOP_RATED', 'top-rated']
    : homeServices.includes('HOME_DELIVERY')
      ? ['HOME_DELIVERY', 'home-delivery']
      : [];
  return code && name
    ? [{ tileType: 'DEALER', tileSubType: code, link, image: tilePath('dealer', name) }]
    : [];
}

/** Small tiles of a listing (B3-LISTING-15, AMB-036): its program, what its history says best, its dealer. */
export function productTilesOf(
  stock: StockListing,
  owner: StockOwner,
  link: string,
): Listing['productTiles'] {
  const history = HISTORY_TILES.find(([code]) => stock.history.includes(code));
  return [
    ...certifiedTile(stock, link),
    ...(history
      ? [{ tileType: 'HISTORY', tileSubType: history[0], link, image: tilePath('history', history[1]) }]
      : []),
    ...dealerTile(owner, link),
  ];
}
