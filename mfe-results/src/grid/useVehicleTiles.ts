import { useDeferredValue, useMemo, useState } from 'react';
import { selectSearch, usePageState, type SearchState } from '@forecourt/shared-contracts/store';
import { vehicleTiles, type VehicleTile } from './tiles.ts';

/** What the grid shows of one answer. */
export interface GridContent {
  readonly tiles: readonly VehicleTile[];
  readonly owners: SearchState['owners'];
  /** The next page is on its way. */
  readonly isLoadingMore: boolean;
}

interface VehicleTiles {
  /** The store's vehicles. */
  readonly newest: GridContent;
  /** Those on screen: they follow the newest in slices, so that neither a click nor typing waits for cards. */
  readonly shown: GridContent;
}

/**
 * The vehicles of the grid. A changed search empties the spotlights at once
 * while the old listings stay: until its answer the grid keeps what it showed,
 * so that nothing jumps twice.
 */
export function useVehicleTiles(): VehicleTiles {
  const search = usePageState(selectSearch);
  const isCurrent = search.status === 'ready' || search.status === 'loadingMore';
  const [kept, setKept] = useState(search);
  if (isCurrent && kept !== search) setKept(search);
  const { listings, pageSizes, spotlights, boost, totalResultCount, criteria, owners, status } = isCurrent
    ? search
    : kept;
  const { sortBy } = criteria;
  const tiles = useMemo(
    () => vehicleTiles({ listings, pageSizes, spotlights, boost, totalResultCount, sortBy }),
    [listings, pageSizes, spotlights, boost, totalResultCount, sortBy],
  );
  const isLoadingMore = isCurrent && status === 'loadingMore';
  const newest = useMemo(() => ({ tiles, owners, isLoadingMore }), [tiles, owners, isLoadingMore]);
  return { newest, shown: useDeferredValue(newest) };
}
