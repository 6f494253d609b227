import { expect, it } from '@jest/globals';
import { BROWSING_HISTORY_REFETCH_MS } from './constants.ts';

// rows: A9-LIMIT-07
it('fetches the browsing history at most every two minutes', () => {
  expect(BROWSING_HISTORY_REFETCH_MS).toBe(120_000);
});
