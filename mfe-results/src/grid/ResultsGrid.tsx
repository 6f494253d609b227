import { memo, useMemo, useState, type ReactNode, type Ref } from 'react';
import { LOAD_MORE_PLACEHOLDERS } from '@forecourt/shared-contracts/rules';
import { useEmit } from '@forecourt/shared-contracts/slots';
import { selectIsLoading, usePageState } from '@forecourt/shared-contracts/store';
import { useCardMarks } from '../card/useCardMarks.ts';
import { useCardOptions } from '../card/useCardOptions.ts';
import { ImpressionTracker, TrackerProvider } from '../tracking/impressions.ts';
import { GridSegment, Placeholders } from './GridSegment.tsx';
import { arrivedItems, type GridContent } from './slices.ts';
import { openPlaces, segmentsOf } from './tiles.ts';
import { useDimming } from './useDimming.ts';
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
  listRef: Ref<HTMLDivElement>;
}): ReactNode {
  const emit = useEmit();
  const [tracker] = useState(() => new ImpressionTracker((seen) => emit('page.tracked', seen)));
  const isLoading = usePageState(selectIsLoading);
  const isDimmed = useDimming(isLoading || (isPending && !isGrowing));
  const awaited = isGrowing ? Math.max(0, LOAD_MORE_PLACEHOLDERS - arrivedItems(content)) : 0;
  // The last row is filled up; the others stand behind the list, where they come and go without a look at the list.
  const inLast = Math.min(awaited, openPlaces(content.items));
  return (
    <TrackerProvider value={tracker}>
      <div
        ref={listRef}
        role="list"
        id="listings"
        tabIndex={-1}
        className={`${styles['grid']} ${isDimmed ? styles['stale'] : ''}`}
        aria-labelledby="results-heading"
        aria-busy={isLoading || isGrowing || isPending}
      >
        <Segments content={content} placeholders={inLast} />
      </div>
      <div className={`${styles['segment']} ${styles['awaited']}`} hidden={awaited === inLast}>
        <Placeholders count={awaited - inLast} />
      </div>
    </TrackerProvider>
  );
}

/** All loaded results; a click that changes none of them passes them by. */
const Segments = memo(function Segments({
  content,
  placeholders,
}: {
  content: GridContent;
  /** Number of those that fill the last segment. */
  placeholders: number;
}): ReactNode {
  const options = useCardOptions();
  const marks = useCardMarks();
  const { items, owners } = content;
  const segments = useMemo(() => segmentsOf(items), [items]);
  return segments.map((segment, at) => (
    <GridSegment
      key={at}
      at={at}
      items={segment}
      owners={owners}
      options={options}
      marks={marks}
      placeholders={at === segments.length - 1 ? placeholders : 0}
    />
  ));
});
