import type { ReactNode } from 'react';
import { defineSlot } from '@forecourt/slots';
import { mapQuery, paramsOf, type SellerMapData } from '../map/mapView.ts';
import { SellerMap } from '../map/SellerMap.tsx';

/** The map of sellers beside the results, on pages with `view=map`. */
export default defineSlot<SellerMapData | null>({
  reads: ['search.criteria', 'session'],
  load: ({ state, call, signal }) => call('sellerMap', paramsOf(mapQuery(state)), { signal }),
  loadKey: mapQuery,
  isComplete: (data) => data !== null,
  view: ({ data }): ReactNode => <SellerMap data={data} />,
});
