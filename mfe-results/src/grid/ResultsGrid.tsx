import { memo, useMemo, type ReactNode, type Ref } from 'react';
import { selectIsLoading, type SearchState } from '@forecourt/search/state';
import { usePageState } from '@forecourt/slots';
import { useCardMarks, useCardOptions, hasSameMarks } from '../card/cardState.ts';
import { TrackerProvider, useImpressionTracker } from '../browser/resultCards.ts';
import { partialPageItems, type GridContent, useDimming } from './useGrid.ts';
import {
  freeTileCount,
  SEGMENT_TILES,
  segmentsOf,
  type GridItem,
  isVehicle,
  keyOf,
  tileCount,
} from './tiles.ts';
import styles from './ResultsGrid.module.css';
import { LOAD_MORE_PLACEHOLDERS } from '../constants.ts';
import { isSameOwner } from '../card/ListingCard.tsx';
import { GridTile, type GridTileProps } from './GridTile.tsx';
import { CardSkeleton } from '../card/CardSkeleton.tsx';
import { ListEnd } from './ListEnd.tsx';

/** Class of whole rows of tiles. */
export const segmentClass = styles['segment'];

type Owners = SearchState['owners'];

interface GridSegmentProps extends Omit<GridTileProps, 'item'> {
  /** Zero-based index of the segment. */
  readonly at: number;
  readonly items: readonly GridItem[];
  /** Number of placeholders after the items. */
  readonly placeholders: number;
  /** Number of results before them; 0 without placeholders. */
  readonly after: number;
  /** Ref of the marker at the end of the results. */
  readonly endRef: Ref<HTMLDivElement> | undefined;
}

/** Segments at the top that are always laid out: four rows on large screens. */
const NEAR_SEGMENTS = 1;

/**
 * Whether the browser may skip layout until the segment comes near. A peekaboo tile moves its picture while
 * scrolling, so its segment is always laid out. Stays constant while a segment fills: a change would restyle
 * the whole page.
 */
const canSkipLayout = (at: number, items: readonly GridItem[]): boolean =>
  at >= NEAR_SEGMENTS && items.every(({ kind }) => kind !== 'peekaboo');

/** Whole rows of results in a grid of their own, so that appended pages never re-layout earlier rows. */
function Segment({ at, items, placeholders, after, endRef, ...sharedProps }: GridSegmentProps): ReactNode {
  return (
    <div role="presentation" className={styles['place']}>
      <div
        role="presentation"
        className={`${segmentClass} ${canSkipLayout(at, items) ? styles['waiting'] : ''}`}
      >
        {items.map((item) => (
          <Tile key={keyOf(item)} item={item} {...sharedProps} />
        ))}
        <Placeholders count={placeholders} after={after} />
      </div>
      {endRef && <ListEnd tiles={tileCount(items)} endRef={endRef} />}
    </div>
  );
}

/**
 * Placeholders. They are made anew for each number of results: the rows of those that replaced some may be taller or
 * smaller, and what is new does not move.
 */
const Placeholders = ({ count, after }: { count: number; after: number }): ReactNode =>
  Array.from({ length: count }, (_, at) => (
    <div key={`${after} ${at}`} aria-hidden="true" data-placeholder>
      <CardSkeleton />
    </div>
  ));

function isSameItem(before: GridItem | undefined, item: GridItem): boolean {
  if (before?.kind !== item.kind || before.position !== item.position || before.page !== item.page)
    return false;
  if (before.joinsRow !== item.joinsRow) return false;
  if (isVehicle(item) && isVehicle(before))
    return before.listing === item.listing && before.isEager === item.isEager;
  if (item.kind === 'carousel' && before.kind === 'carousel')
    return (
      before.listings.length === item.listings.length &&
      before.listings.every((listing, at) => listing === item.listings[at])
    );
  return keyOf(before) === keyOf(item);
}

/** Whether a tile renders the same with the owners of a newer response. */
function hasSameOwners(item: GridItem, before: Owners, owners: Owners): boolean {
  if (item.kind === 'carousel') return before === owners;
  return !isVehicle(item) || isSameOwner(before[item.listing.ownerId], owners[item.listing.ownerId]);
}

/** Whether a tile renders the same after a newer response or a change by the visitor. */
function rendersSame(
  item: GridItem,
  before: Omit<GridTileProps, 'item'>,
  after: Omit<GridTileProps, 'item'>,
) {
  if (!hasSameOwners(item, before.owners, after.owners)) return false;
  return !isVehicle(item) || hasSameMarks(before.marks, after.marks, item.listing.id);
}

const Tile = memo(
  GridTile,
  (before, after) =>
    before.options === after.options &&
    isSameItem(before.item, after.item) &&
    rendersSame(after.item, before, after),
);

/** Appending a page re-renders no tile of earlier segments. */
const GridSegment = memo(
  Segment,
  (before, after) =>
    before.options === after.options &&
    before.placeholders === after.placeholders &&
    before.after === after.after &&
    before.endRef === after.endRef &&
    before.items.length === after.items.length &&
    after.items.every((item, at) => isSameItem(before.items[at], item) && rendersSame(item, before, after)),
);

/** The results, three or four a row on large screens, followed by placeholders of the next page. */
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
  const tracker = useImpressionTracker();
  const isLoading = usePageState(selectIsLoading);
  // A failed search leaves vehicles that don't fit its filters.
  const hasFailed = usePageState(({ search }) => search.status === 'failed');
  const isDimmed = useDimming(isLoading || hasFailed || (isPending && !isGrowing));
  const placeholders =
    isGrowing || isEndless
      ? Math.max(isEndless ? SEGMENT_TILES : 0, LOAD_MORE_PLACEHOLDERS - partialPageItems(content))
      : 0;
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
  return Array.from({ length: count }, (_, at) => {
    const placeholdersHere = placeholdersOf(at - segments.length + 1, placeholdersInLast, placeholders);
    return (
      <GridSegment
        key={at}
        at={at}
        items={segments[at] ?? NO_ITEMS}
        owners={owners}
        options={options}
        marks={marks}
        placeholders={placeholdersHere}
        after={placeholdersHere > 0 ? items.length : 0}
        endRef={placeholders > 0 && at === segments.length - 1 ? endRef : undefined}
      />
    );
  });
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
