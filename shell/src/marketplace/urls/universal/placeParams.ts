import type { FilterParam } from '@forecourt/search/criteria';

/** Where a visitor searches: kept when what they search for is replaced. */
export const PLACE_PARAMS: readonly FilterParam[] = ['zip', 'searchRadius', 'city', 'state', 'area'];
