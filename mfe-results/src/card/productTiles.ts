import type { Listing } from '@forecourt/shared-contracts/entities';
import { MAX_CERTIFIED_TILES } from '../constants.ts';

type ProductTile = Listing['productTiles'][number];

/** The tiles of a card: of the CERTIFIED ones two at most (B9-MISC-01, AMB-036). */
export function shownTiles(tiles: readonly ProductTile[]): readonly ProductTile[] {
  let certified = 0;
  return tiles.filter(({ tileType }) => tileType !== 'CERTIFIED' || ++certified <= MAX_CERTIFIED_TILES);
}

const WORDS: Readonly<Record<string, string>> = {
  ONE_OWNER: 'One owner',
  NO_ACCIDENTS: 'No accidents reported',
  TOP_RATED: 'Top rated dealer',
  HOME_DELIVERY: 'Home delivery',
};

/** What a tile's picture says. */
export const tileText = ({ tileType, tileSubType = '' }: ProductTile): string =>
  tileType === 'CERTIFIED'
    ? 'Certified program'
    : (WORDS[tileSubType] ?? tileSubType.replaceAll('_', ' ').toLowerCase());
