import type { ReactNode } from 'react';
import type { SearchState } from '@forecourt/search/state';
import { SlotOutlet } from '@forecourt/slots';
import type { Owner } from '@forecourt/upstream/entities';
import { LeaderboardAd, PeekabooAd, TileAd } from '../ads/AdPlace.tsx';
import { ListingCard } from '../card/ListingCard.tsx';
import { type CardMarks, type CardOptions, marksOf } from '../card/cardState.ts';
import { useImpression } from '../browser/resultCards.ts';
import { type GridItem, type VehicleTile, isRow, isVehicle } from './tiles.ts';
import { WIDE_GRID_COLUMNS } from '../constants.ts';
import joined from './GridTile.later.module.css';
import styles from './GridTile.module.css';
import { SpotlightCarousel } from './SpotlightCarousel.tsx';
import { PromoCard } from './PromoCard.tsx';
import { WalletTile } from './WalletTile.tsx';

export interface GridTileProps {
  readonly item: GridItem;
  readonly owners: SearchState['owners'];
  readonly options: CardOptions;
  readonly marks: CardMarks;
}

/** One item of the grid's list. */
export function GridTile({ item, owners, options, marks }: GridTileProps): ReactNode {
  if (isVehicle(item))
    return <Vehicle item={item} owner={owners[item.listing.ownerId]} options={options} marks={marks} />;
  const { kind } = item;
  const classes = [
    isRow(item) && styles['row'],
    item.kind === 'adRow' && styles[item.columns === WIDE_GRID_COLUMNS ? 'ofFour' : 'ofThree'],
    item.joinsRow && joined[item.joinsRow],
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
      return <SlotOutlet name="email-capture" className={styles['capture'] ?? ''} />;
  }
}

function Vehicle(props: {
  item: VehicleTile;
  owner: Owner | undefined;
  options: CardOptions;
  marks: CardMarks;
}): ReactNode {
  const { item, owner, options, marks } = props;
  const { kind, listing, position, isEager } = item;
  const ref = useImpression(kind, listing.id, position);
  const className = item.isRepeated ? styles['scripted'] : item.joinsRow && joined[item.joinsRow];
  return (
    <div role="listitem" ref={ref} className={className} data-tile={kind}>
      <ListingCard
        listing={listing}
        owner={owner}
        kind={kind}
        position={position}
        page={item.page}
        isEager={isEager}
        {...options}
        {...marksOf(marks, listing.id)}
      />
    </div>
  );
}
