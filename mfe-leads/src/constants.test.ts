import { expect, it } from '@jest/globals';
import { NOTIFICATION_WINDOW_MS } from './constants.ts';

// rows: A9-LIMIT-08
it('prompts for notifications within a day of viewing a vehicle', () => {
  expect(NOTIFICATION_WINDOW_MS).toBe(86_400_000);
});
