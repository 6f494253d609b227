import { expect, it } from '@jest/globals';
import { PRICE_INPUT_MAX_LENGTH } from './constants.ts';

// rows: B9-LEN-02
it('limits a price input to 10 characters', () => {
  expect(PRICE_INPUT_MAX_LENGTH).toBe(10);
});
