import { memo, type ReactNode } from 'react';
import type { SearchState } from '@forecourt/shared-contracts/store';
import { CardSkeleton } from '../card/CardSkeleton.tsx';
import { isSameOwner } from '../card/ListingCard.tsx';
import { GridTile, type CardOptions } from './GridTile.tsx';
import { isVehicle, keyOf, type GridItem } from './tiles.ts';
import styles from './ResultsGrid.module.css';

type Owners = SearchState['owners'];

interface GridSegmentProps {
  readonly items: readonly GridItem[];
  readonly owners: Owners;
  readonly options: CardOptions;
  /** Number of cards on their way which go on behind the items. */
  readonly placeholders: number;
}

/** Whole rows of the results, in a grid of their own: what comes later lays out none of them again. */
function Segment({ items, owners, options, placeholders }: GridSegmentProps): ReactNode {
  return (
    <div role="presentation" className={styles['segment']}>
      {items.map((item) => (
        <Tile key={keyOf(item)} item={item} owners={owners} options={options} />
      ))}
      {Array.from({ length: placeholders }, (_, at) => (
        <div key={at} className={styles['far']} aria-hidden="true" data-placeholder>
          <CardSkeleton />
        </div>
      ))}
    </div>
  );
}

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

const Tile = memo(
  GridTile,
  (before, after) =>
    before.options === after.options &&
    isSameItem(before.item, after.item) &&
    hasSameOwners(after.item, before.owners, after.owners),
);

/** A page that is appended changes nothing of the segments above: not one of their tiles is looked at again. */
export const GridSegment = memo(
  Segment,
  (before, after) =>
    before.options === after.options &&
    before.placeholders === after.placeholders &&
    before.items.length === after.items.length &&
    after.items.every(
      (item, at) => isSameItem(before.items[at], item) && hasSameOwners(item, before.owners, after.owners),
    ),
);
