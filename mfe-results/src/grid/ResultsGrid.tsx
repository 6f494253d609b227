import { memo, useMemo, useState, type ReactNode, type Ref } from 'react';
import { LOAD_MORE_PLACEHOLDERS } from '@forecourt/shared-contracts/rules';
import { useEmit } from '@forecourt/shared-contracts/slots';
import { selectIsLoading, usePageState } from '@forecourt/shared-contracts/store';
import { CardSkeleton } from '../card/CardSkeleton.tsx';
import { useCardOptions } from '../card/useCardOptions.ts';
import { ImpressionTracker, TrackerProvider } from '../tracking/impressions.ts';
import { GridPage } from './GridPage.tsx';
import { byPage } from './tiles.ts';
import { useDimming } from './useDimming.ts';
import type { GridContent } from './useGrid.ts';
import styles from './ResultsGrid.module.css';

/** The results, three a row on large screens (B2-GRID-01), and the shape of those that are on their way. */
export function ResultsGrid({
  content,
  isPending,
  isGrowing,
  listRef,
}: {
  content: GridContent;
  /** Newer vehicles are being prepared. */
  isPending: boolean;
  /** The next page comes: its placeholders stay until its vehicles take their places. */
  isGrowing: boolean;
  listRef: Ref<HTMLUListElement>;
}): ReactNode {
  const emit = useEmit();
  const [tracker] = useState(() => new ImpressionTracker((seen) => emit('page.tracked', seen)));
  const isLoading = usePageState(selectIsLoading);
  const isDimmed = useDimming(isLoading || (isPending && !isGrowing));
  return (
    <TrackerProvider value={tracker}>
      <ul
        ref={listRef}
        id="listings"
        tabIndex={-1}
        className={`${styles['grid']} ${isDimmed ? styles['stale'] : ''}`}
        aria-labelledby="results-heading"
        aria-busy={isLoading || isGrowing || isPending}
      >
        <Pages content={content} />
        {isGrowing &&
          Array.from({ length: LOAD_MORE_PLACEHOLDERS }, (_, at) => (
            <li key={at} className={styles['far']} aria-hidden="true" data-placeholder>
              <CardSkeleton />
            </li>
          ))}
      </ul>
    </TrackerProvider>
  );
}

/** All loaded pages; a click that changes none of them passes them by. */
const Pages = memo(function Pages({ content }: { content: GridContent }): ReactNode {
  const options = useCardOptions();
  const { items, owners } = content;
  const pages = useMemo(() => byPage(items), [items]);
  return pages.map((page, number) => (
    <GridPage key={number} items={page} owners={owners} options={options} />
  ));
});
