import { memo, type ReactNode, type Ref, type CSSProperties } from 'react';
import type { SearchState } from '@forecourt/shared-contracts/store';
import { CardSkeleton } from '../card/ListingCard.tsx';
import { isSameOwner } from '../card/ListingCard.tsx';
import { hasSameMarks } from '../card/cardState.ts';
import { GridTile, type GridTileProps } from './GridTile.tsx';
import { isVehicle, keyOf, tileCount, type GridItem, SEGMENT_TILES } from './tiles.ts';
import styles from './ResultsGrid.module.css';
import endStyles from './ListEnd.later.module.css';

type Owners = SearchState['owners'];

interface GridSegmentProps extends Omit<GridTileProps, 'item'> {
  /** Zero-based number among the segments. */
  readonly at: number;
  readonly items: readonly GridItem[];
  /** Number of cards on their way which go on behind the items. */
  readonly placeholders: number;
  /** What stands where its items end. */
  readonly endRef: Ref<HTMLDivElement> | undefined;
}

/** Segments at the top which are always laid out: four rows on large screens. */
const NEAR_SEGMENTS = 2;

/**
 * May the browser leave it until it comes near? Where a picture moves behind its
 * tile, it must always be laid out. The answer stays the same while a segment
 * fills: a change would visit every element of the page.
 */
const mayWait = (at: number, items: readonly GridItem[]): boolean =>
  at >= NEAR_SEGMENTS && items.every(({ kind }) => kind !== 'peekaboo');

/** Whole rows of the results, in a grid of their own: what comes later lays out none of them again. */
function Segment({ at, items, placeholders, endRef, ...shared }: GridSegmentProps): ReactNode {
  return (
    <div role="presentation" className={styles['place']}>
      <div
        role="presentation"
        className={`${styles['segment']} ${mayWait(at, items) ? styles['waiting'] : ''}`}
      >
        {items.map((item) => (
          <Tile key={keyOf(item)} item={item} {...shared} />
        ))}
        <Placeholders count={placeholders} />
      </div>
      {endRef && <ListEnd tiles={tileCount(items)} endRef={endRef} />}
    </div>
  );
}

/** Cards that are on their way: the first go first, so that no other one moves for it. */
const Placeholders = ({ count }: { count: number }): ReactNode =>
  Array.from({ length: count }, (_, at) => (
    <div key={count - at} aria-hidden="true" data-placeholder>
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

/** Does a tile look the same with the owners of a newer answer? */
function hasSameOwners(item: GridItem, before: Owners, owners: Owners): boolean {
  if (item.kind === 'carousel') return before === owners;
  return !isVehicle(item) || isSameOwner(before[item.listing.ownerId], owners[item.listing.ownerId]);
}

/** Does a tile look the same with what a newer answer or the visitor has changed? */
function looksSame(item: GridItem, before: Omit<GridTileProps, 'item'>, after: Omit<GridTileProps, 'item'>) {
  if (!hasSameOwners(item, before.owners, after.owners)) return false;
  return !isVehicle(item) || hasSameMarks(before.marks, after.marks, item.listing.id);
}

const Tile = memo(
  GridTile,
  (before, after) =>
    before.options === after.options &&
    isSameItem(before.item, after.item) &&
    looksSame(after.item, before, after),
);

/** A page that is appended changes nothing of the segments above: not one of their tiles is looked at again. */
export const GridSegment = memo(
  Segment,
  (before, after) =>
    before.options === after.options &&
    before.placeholders === after.placeholders &&
    before.endRef === after.endRef &&
    before.items.length === after.items.length &&
    after.items.every((item, at) => isSameItem(before.items[at], item) && looksSame(item, before, after)),
);

/**
 * Stands beside the last segment with results, where these end: of what is
 * inside of a segment that is far away the browser tells nothing.
 *
 * @param tiles number of the segment's tiles
 */
export function ListEnd({ tiles, endRef }: { tiles: number; endRef: Ref<HTMLDivElement> }): ReactNode {
  // How much of the segment is filled, by the number of columns.
  const [one, two, three] = [1, 2, 3].map(
    (columns) => (Math.floor(tiles / columns) * columns) / SEGMENT_TILES,
  );
  const style = { '--one': one, '--two': two, '--three': three } as CSSProperties;
  return <div ref={endRef} aria-hidden="true" className={endStyles['end']} style={style} />;
}
