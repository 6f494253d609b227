import { memo, useState, type ReactNode, type Ref } from 'react';
import { LOAD_MORE_PLACEHOLDERS } from '@forecourt/shared-contracts/rules';
import { useEmit } from '@forecourt/shared-contracts/slots';
import { selectIsLoading, usePageState } from '@forecourt/shared-contracts/store';
import { CardSkeleton } from '../card/CardSkeleton.tsx';
import { ListingCard, type ListingCardProps } from '../card/ListingCard.tsx';
import { useCardOptions } from '../card/useCardOptions.ts';
import { ImpressionTracker, TrackerProvider, useImpression } from '../tracking/impressions.ts';
import { useDimming } from './useDimming.ts';
import type { GridContent } from './useVehicleTiles.ts';
import styles from './ResultsGrid.module.css';

/** The vehicles, three a row on large screens (B2-GRID-01), and the shape of those that are on their way. */
export function ResultsGrid({
  content,
  isPending,
  listRef,
}: {
  content: GridContent;
  /** Newer vehicles are being prepared. */
  isPending: boolean;
  listRef: Ref<HTMLUListElement>;
}): ReactNode {
  const emit = useEmit();
  const [tracker] = useState(() => new ImpressionTracker((seen) => emit('page.tracked', seen)));
  const isLoading = usePageState(selectIsLoading);
  const { isLoadingMore } = content;
  const isDimmed = useDimming(isLoading || (isPending && !isLoadingMore));
  return (
    <TrackerProvider value={tracker}>
      <ul
        ref={listRef}
        id="listings"
        tabIndex={-1}
        className={`${styles['grid']} ${isDimmed ? styles['stale'] : ''}`}
        aria-labelledby="results-heading"
        aria-busy={isLoading || isLoadingMore || isPending}
      >
        <Tiles content={content} />
        {isLoadingMore &&
          Array.from({ length: LOAD_MORE_PLACEHOLDERS }, (_, at) => (
            <li key={at} aria-hidden="true" data-placeholder>
              <CardSkeleton />
            </li>
          ))}
      </ul>
    </TrackerProvider>
  );
}

/** Tiles at the top which are always laid out: three rows on large screens. */
const NEAR_TILES = 9;

/** All tiles; a click that changes none of them passes them by. */
const Tiles = memo(function Tiles({ content }: { content: GridContent }): ReactNode {
  const options = useCardOptions();
  return content.tiles.map(({ kind, listing, position, page, isEager }) => (
    <Tile
      key={`${kind}-${page}-${listing.id}`}
      isFar={page > 0 || position >= NEAR_TILES}
      listing={listing}
      owner={content.owners[listing.ownerId]}
      kind={kind}
      position={position}
      isEager={isEager}
      {...options}
    />
  ));
});

function Tile({ isFar, ...card }: ListingCardProps & { isFar: boolean }): ReactNode {
  const ref = useImpression(card.kind, card.listing.id, card.position);
  return (
    <li ref={ref} className={isFar ? styles['far'] : undefined} data-tile={card.kind}>
      <ListingCard {...card} />
    </li>
  );
}
