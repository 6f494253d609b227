import { expect, it } from '@jest/globals';
import { CALL_TIMES } from './definition.ts';

// rows: A9-TIMEOUT-08
it('resets every breaker after 30 to 300 seconds', () => {
  for (const { reset } of Object.values(CALL_TIMES)) {
    expect(reset).toBeGreaterThanOrEqual(30_000);
    expect(reset).toBeLessThanOrEqual(300_000);
  }
});
