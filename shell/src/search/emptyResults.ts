import type { SearchCriteria } from '@forecourt/shared-contracts/criteria';
import { emptySearch, type SearchState } from '@forecourt/shared-contracts/store';

/** State of a search whose parameters the upstream refused: the message in the grid area, status 200 (AMB-018). */
export const emptyResults = (criteria: SearchCriteria, url: string, requestId: string): SearchState => ({
  ...emptySearch,
  criteria,
  url,
  requestId,
  status: 'invalid',
  texts: {
    heading: 'Cars for Sale',
    title: 'Cars for Sale',
    description: '',
    canonicalUrl: '/cars-for-sale/all-cars',
  },
});
