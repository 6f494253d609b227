import { expect, it } from '@jest/globals';
import { formatLastExecuted } from './formatLastExecuted.ts';

// rows: A3-BOOKMARK-02
it("formats a bookmark's time in UTC with an unpadded day", () => {
  expect(formatLastExecuted(new Date(Date.UTC(2024, 2, 5, 14, 7, 9)))).toBe('2024/03/5 14:07:09');
});
