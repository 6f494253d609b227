import { describe, expect, it } from '@jest/globals';
import { alternating } from './alternating.ts';

describe('alternating', () => {
  it('measures each subject once per round, alternating the first', async () => {
    const order: string[] = [];
    const results = await alternating({ a: 'A', b: 'B' }, 2, async (subject) => {
      order.push(subject);
      return order.length;
    });
    expect(order).toEqual(['A', 'B', 'B', 'A']);
    expect(results).toEqual({ a: [1, 4], b: [2, 3] });
  });
});
