import { memo, useMemo, useState, type ReactNode, type Ref } from 'react';
import { useEmit } from '@forecourt/shared-contracts/slots';
import { selectIsLoading, usePageState } from '@forecourt/shared-contracts/store';
import { useCardMarks, useCardOptions } from '../card/cardState.ts';
import { ImpressionTracker, TrackerProvider } from '../browser/impressions.ts';
import { GridSegment } from './GridSegment.tsx';
import { arrivedItems, type GridContent } from './slices.ts';
import { openPlaces, SEGMENT_TILES, segmentsOf, type GridItem } from './tiles.ts';
import { useDimming } from './useGrid.ts';
import styles from './ResultsGrid.module.css';
import { LOAD_MORE_PLACEHOLDERS } from '../constants.ts';

/** The results, three a row on large screens (B2-GRID-01), and the shape of those that are on their way. */
export function ResultsGrid({
  content,
  isPending,
  isGrowing,
  isEndless,
  listRef,
  endRef,
}: {
  content: GridContent;
  /** Newer vehicles are being prepared. */
  isPending: boolean;
  /** The next page comes: its placeholders stay until its vehicles take their places. */
  isGrowing: boolean;
  /**
   * The next page comes by scrolling. Its placeholders stand all the time: were
   * they set up when it is asked for, they would push away what somebody who
   * scrolls fast has come to meanwhile.
   */
  isEndless: boolean;
  listRef: Ref<HTMLDivElement>;
  endRef: Ref<HTMLDivElement>;
}): ReactNode {
  const emit = useEmit();
  const [tracker] = useState(() => new ImpressionTracker((seen) => emit('page.tracked', seen)));
  const isLoading = usePageState(selectIsLoading);
  const isDimmed = useDimming(isLoading || (isPending && !isGrowing));
  const awaited = isGrowing || isEndless ? Math.max(0, LOAD_MORE_PLACEHOLDERS - arrivedItems(content)) : 0;
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
        <Segments content={content} awaited={awaited} endRef={endRef} />
      </div>
    </TrackerProvider>
  );
}

/** All loaded results, and behind them those which are awaited; a click that changes none of them passes them by. */
const Segments = memo(function Segments({
  content,
  awaited,
  endRef,
}: {
  content: GridContent;
  /** Number of placeholders. */
  awaited: number;
  endRef: Ref<HTMLDivElement>;
}): ReactNode {
  const options = useCardOptions();
  const marks = useCardMarks();
  const { items, owners } = content;
  const segments = useMemo(() => segmentsOf(items), [items]);
  const inLast = Math.min(awaited, openPlaces(items));
  const count = segments.length + Math.ceil((awaited - inLast) / SEGMENT_TILES);
  return Array.from({ length: count }, (_, at) => (
    <GridSegment
      key={at}
      at={at}
      items={segments[at] ?? NONE}
      owners={owners}
      options={options}
      marks={marks}
      placeholders={placesOf(at - segments.length + 1, inLast, awaited)}
      endRef={awaited > 0 && at === segments.length - 1 ? endRef : undefined}
    />
  ));
});

const NONE: readonly GridItem[] = [];

/** Number of placeholders in the segment that is so many behind the last one with results; 0 is that one itself. */
function placesOf(behind: number, inLast: number, awaited: number): number {
  if (behind <= 0) return behind === 0 ? inLast : 0;
  return Math.min(SEGMENT_TILES, awaited - inLast - (behind - 1) * SEGMENT_TILES);
}
