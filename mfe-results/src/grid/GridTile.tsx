import type { ReactNode } from 'react';
import type { Owner } from '@forecourt/shared-contracts/entities';
import { SlotOutlet } from '@forecourt/shared-contracts/slots';
import type { SearchState } from '@forecourt/shared-contracts/store';
import { LeaderboardAd, PeekabooAd, TileAd } from '../ads/AdPlace.tsx';
import { ListingCard } from '../card/ListingCard.tsx';
import { type useCardOptions } from '../card/useCardOptions.ts';
import { PromoCard } from '../promo/PromoCard.tsx';
import { useImpression } from '../tracking/impressions.ts';
import { WalletTile } from '../wallet/WalletTile.tsx';
import { SpotlightCarousel } from './SpotlightCarousel.tsx';
import { isVehicle, type GridItem, type VehicleTile } from './tiles.ts';
import notes from './NoteTile.module.css';
import styles from './ResultsGrid.module.css';

/** Tiles at the top which are always laid out: three rows on large screens. */
const NEAR_TILES = 9;

const isFar = ({ page, position }: GridItem) => page > 0 || position >= NEAR_TILES;

export type CardOptions = ReturnType<typeof useCardOptions>;

/** One item of the grid's list. */
export function GridTile(props: {
  item: GridItem;
  owners: SearchState['owners'];
  options: CardOptions;
}): ReactNode {
  const { item, owners, options } = props;
  if (isVehicle(item)) return <Vehicle item={item} owner={owners[item.listing.ownerId]} options={options} />;
  const { kind } = item;
  // Where a picture moves behind its tile, the browser must always lay it out.
  const isContained = isFar(item) && kind !== 'peekaboo';
  const isRow = kind === 'adRow' || kind === 'carousel';
  const classes = [
    isRow && styles['row'],
    isContained && !isRow && styles['far'],
    item.joinsRow && styles[item.joinsRow],
    kind === 'capture' && styles['scripted'],
  ];
  return (
    <div role="listitem" className={classes.filter(Boolean).join(' ') || undefined} data-tile={kind}>
      <Content item={item} owners={owners} />
    </div>
  );
}

function Content({ item, owners }: { item: Exclude<GridItem, VehicleTile>; owners: SearchState['owners'] }) {
  switch (item.kind) {
    case 'ad':
      return <TileAd slot={`grid-tile-${item.ad + 1}`} />;
    case 'adRow':
      return <LeaderboardAd slot={`grid-row-${item.ad + 1}`} kind="standard" />;
    case 'carousel':
      return <SpotlightCarousel listings={item.listings} owners={owners} />;
    case 'wallet':
      return <WalletTile />;
    case 'promo':
      return <PromoCard />;
    case 'peekaboo':
      return <PeekabooAd />;
    case 'capture':
      return <SlotOutlet name="email-capture" className={notes['capture'] ?? ''} />;
  }
}

function Vehicle(props: { item: VehicleTile; owner: Owner | undefined; options: CardOptions }): ReactNode {
  const { item, owner, options } = props;
  const { kind, listing, position, isEager } = item;
  const ref = useImpression(kind, listing.id, position);
  const classes = [isFar(item) && styles['far'], item.joinsRow && styles[item.joinsRow]];
  return (
    <div
      role="listitem"
      ref={ref}
      className={classes.filter(Boolean).join(' ') || undefined}
      data-tile={kind}
    >
      <ListingCard
        listing={listing}
        owner={owner}
        kind={kind}
        position={position}
        page={item.page}
        isEager={isEager}
        {...options}
      />
    </div>
  );
}
