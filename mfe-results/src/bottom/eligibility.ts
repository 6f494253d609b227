import { BOTTOM_BLOCK_MAX_RESULTS } from '@forecourt/shared-contracts/rules';
import type { SearchState } from '@forecourt/shared-contracts/store';
import { nextRecord } from '../paging/pages.ts';
import { NEARBY_BELOW_RESULTS, SIMILAR_MAX_RESULTS } from '../constants.ts';

type Settled = Pick<SearchState, 'criteria' | 'status' | 'totalResultCount' | 'firstLoadedRecord'>;

/**
 * Similar vehicles are looked for around a place, when the search has settled
 * and found 25 at most, with the `loaded` similar ones (B4-PAGING-09..11, B9-SCROLL-02, AMB-021).
 */
export const wantsSimilar = ({ criteria, status, totalResultCount }: Settled, loaded: number): boolean =>
  criteria.filters.searchRadius !== undefined &&
  status === 'ready' &&
  totalResultCount + loaded <= SIMILAR_MAX_RESULTS;

/** Supplemental vehicles follow the last page of 25 results or fewer (B9-BOTTOM-01, AMB-022, AMB-150). */
export const wantsSupplemental = (search: Settled): boolean =>
  search.status === 'ready' &&
  search.totalResultCount <= BOTTOM_BLOCK_MAX_RESULTS &&
  nextRecord(search) === undefined;

/** The nearby market follows the last page of fewer than 25 results (B9-BOTTOM-02, AMB-022). */
export const wantsNearby = (search: Settled): boolean =>
  search.status === 'ready' &&
  search.totalResultCount < NEARBY_BELOW_RESULTS &&
  nextRecord(search) === undefined;

/** Few results have the email-subscribe form below them (B2-BOTTOM-05, AMB-022). */
export const hasBottomBlock = ({ status, totalResultCount }: Settled): boolean =>
  status === 'ready' && totalResultCount <= BOTTOM_BLOCK_MAX_RESULTS;
