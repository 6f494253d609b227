import { useMemo, useState } from 'react';
import { usePageState } from '@forecourt/shared-contracts/store';
import { vehicleTiles, type VehicleTile } from './tiles.ts';

/**
 * The tiles on screen. A changed search empties the spotlights at once while
 * the old listings stay: until its answer the grid keeps what it showed, so
 * that nothing jumps twice.
 */
export function useVehicleTiles(): readonly VehicleTile[] {
  const listings = usePageState(({ search }) => search.listings);
  const pageSizes = usePageState(({ search }) => search.pageSizes);
  const spotlights = usePageState(({ search }) => search.spotlights);
  const boost = usePageState(({ search }) => search.boost);
  const totalResultCount = usePageState(({ search }) => search.totalResultCount);
  const sortBy = usePageState(({ search }) => search.criteria.sortBy);
  const isCurrent = usePageState(
    ({ search }) => search.status === 'ready' || search.status === 'loadingMore',
  );
  const placed = useMemo(
    () => vehicleTiles({ listings, pageSizes, spotlights, boost, totalResultCount, sortBy }),
    [listings, pageSizes, spotlights, boost, totalResultCount, sortBy],
  );
  const [kept, setKept] = useState(placed);
  if (isCurrent && kept !== placed) setKept(placed);
  return isCurrent ? placed : kept;
}
