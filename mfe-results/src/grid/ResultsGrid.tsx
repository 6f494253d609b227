import { memo, useMemo, useState, type ReactNode, type Ref } from 'react';
import { useEmit } from '@forecourt/shared-contracts/slots';
import { selectIsLoading, usePageState } from '@forecourt/shared-contracts/store';
import { useCardMarks, useCardOptions } from '../card/cardState.ts';
import { ImpressionTracker, TrackerProvider } from '../browser/impressions.ts';
import { GridSegment } from './GridSegment.tsx';
import { partialPageItems, type GridContent, useDimming } from './useGrid.ts';
import { freeTileCount, SEGMENT_TILES, segmentsOf, type GridItem } from './tiles.ts';
import styles from './ResultsGrid.module.css';
import { LOAD_MORE_PLACEHOLDERS } from '../constants.ts';

/** The results, three a row on large screens (B2-GRID-01), followed by placeholders of the next page. */
export function ResultsGrid({
  content,
  isPending,
  isGrowing,
  isEndless,
  listRef,
  endRef,
}: {
  content: GridContent;
  /** Newer content is still rendering. */
  isPending: boolean;
  /** The next page is loading: its placeholders stay until its vehicles replace them. */
  isGrowing: boolean;
  /**
   * Infinite scroll: placeholders are always present, because inserting them while loading would shift what a
   * fast scroller already sees.
   */
  isEndless: boolean;
  listRef: Ref<HTMLDivElement>;
  endRef: Ref<HTMLDivElement>;
}): ReactNode {
  const emit = useEmit();
  const [tracker] = useState(() => new ImpressionTracker((impression) => emit('page.tracked', impression)));
  const isLoading = usePageState(selectIsLoading);
  // A failed search leaves vehicles that don't fit its filters.
  const hasFailed = usePageState(({ search }) => search.status === 'failed');
  const isDimmed = useDimming(isLoading || hasFailed || (isPending && !isGrowing));
  const placeholders =
    isGrowing || isEndless ? Math.max(0, LOAD_MORE_PLACEHOLDERS - partialPageItems(content)) : 0;
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
        <Segments content={content} placeholders={placeholders} endRef={endRef} />
      </div>
    </TrackerProvider>
  );
}

/** All loaded results and the placeholders after them; memoized, so that unrelated clicks skip it. */
const Segments = memo(function Segments({
  content,
  placeholders,
  endRef,
}: {
  content: GridContent;
  /** Number of placeholders. */
  placeholders: number;
  endRef: Ref<HTMLDivElement>;
}): ReactNode {
  const options = useCardOptions();
  const marks = useCardMarks();
  const { items, owners } = content;
  const segments = useMemo(() => segmentsOf(items), [items]);
  const placeholdersInLast = Math.min(placeholders, freeTileCount(items));
  const count = segments.length + Math.ceil((placeholders - placeholdersInLast) / SEGMENT_TILES);
  return Array.from({ length: count }, (_, at) => (
    <GridSegment
      key={at}
      at={at}
      items={segments[at] ?? NO_ITEMS}
      owners={owners}
      options={options}
      marks={marks}
      placeholders={placeholdersOf(at - segments.length + 1, placeholdersInLast, placeholders)}
      endRef={placeholders > 0 && at === segments.length - 1 ? endRef : undefined}
    />
  ));
});

const NO_ITEMS: readonly GridItem[] = [];

/**
 * Number of placeholders in the segment at this distance from the last one with results; 0 is the last one
 * itself.
 */
function placeholdersOf(distance: number, placeholdersInLast: number, placeholders: number): number {
  if (distance <= 0) return distance === 0 ? placeholdersInLast : 0;
  return Math.min(SEGMENT_TILES, placeholders - placeholdersInLast - (distance - 1) * SEGMENT_TILES);
}
