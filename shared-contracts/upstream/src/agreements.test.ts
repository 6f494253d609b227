import { expect, it } from '@jest/globals';
import { VIEW_COUNT_DAYS } from './agreements.ts';

// rows: A9-LIMIT-09
it('counts views of the last seven days', () => {
  expect(VIEW_COUNT_DAYS).toBe(7);
});
