import { memo, useMemo, useState, type ReactNode, type Ref } from 'react';
import { LOAD_MORE_PLACEHOLDERS } from '@forecourt/shared-contracts/rules';
import { useEmit } from '@forecourt/shared-contracts/slots';
import { selectIsLoading, usePageState } from '@forecourt/shared-contracts/store';
import { useCardMarks } from '../card/useCardMarks.ts';
import { useCardOptions } from '../card/useCardOptions.ts';
import { ImpressionTracker, TrackerProvider } from '../tracking/impressions.ts';
import { GridSegment } from './GridSegment.tsx';
import { SEGMENT_TILES, segmentsOf, tileCount } from './tiles.ts';
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
  listRef: Ref<HTMLDivElement>;
}): ReactNode {
  const emit = useEmit();
  const [tracker] = useState(() => new ImpressionTracker((seen) => emit('page.tracked', seen)));
  const isLoading = usePageState(selectIsLoading);
  const isDimmed = useDimming(isLoading || (isPending && !isGrowing));
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
        <Segments content={content} isGrowing={isGrowing} />
      </div>
    </TrackerProvider>
  );
}

/** All loaded results; a click that changes none of them passes them by. */
const Segments = memo(function Segments({
  content,
  isGrowing,
}: {
  content: GridContent;
  isGrowing: boolean;
}): ReactNode {
  const options = useCardOptions();
  const marks = useCardMarks();
  const { items, owners } = content;
  const segments = useMemo(() => {
    const filled = segmentsOf(items);
    // The next page begins a segment of its own where the last one is full.
    return isGrowing && tileCount(items) % SEGMENT_TILES === 0 ? [...filled, []] : filled;
  }, [items, isGrowing]);
  const last = segments.length - 1;
  return segments.map((segment, at) => (
    <GridSegment
      key={at}
      at={at}
      items={segment}
      owners={owners}
      options={options}
      marks={marks}
      placeholders={isGrowing && at === last ? LOAD_MORE_PLACEHOLDERS : 0}
    />
  ));
});
