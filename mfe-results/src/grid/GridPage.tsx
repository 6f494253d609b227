import { memo, type ReactNode } from 'react';
import type { SearchState } from '@forecourt/shared-contracts/store';
import { isSameOwner } from '../card/ListingCard.tsx';
import { GridTile, type CardOptions } from './GridTile.tsx';
import { isVehicle, type GridItem } from './tiles.ts';

interface GridPageProps {
  readonly items: readonly GridItem[];
  readonly owners: SearchState['owners'];
  readonly options: CardOptions;
}

/** Names an item among those of its page. */
function keyOf(item: GridItem): string {
  if (isVehicle(item)) return `${item.kind} ${item.listing.id}`;
  return 'ad' in item ? `${item.kind} ${item.ad}` : item.kind;
}

/** The items of one loaded page. */
function Page({ items, owners, options }: GridPageProps): ReactNode {
  return items.map((item) => <GridTile key={keyOf(item)} item={item} owners={owners} options={options} />);
}

function isSameItem(before: GridItem | undefined, item: GridItem): boolean {
  if (before?.kind !== item.kind || before.position !== item.position) return false;
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

/** A page that is appended changes nothing of those above: not one of their tiles is looked at again. */
export const GridPage = memo(Page, (before, after) => {
  if (before.options !== after.options || before.items.length !== after.items.length) return false;
  return after.items.every((item, at) => {
    if (!isSameItem(before.items[at], item)) return false;
    if (item.kind === 'carousel') return before.owners === after.owners;
    return (
      !isVehicle(item) || isSameOwner(before.owners[item.listing.ownerId], after.owners[item.listing.ownerId])
    );
  });
});
