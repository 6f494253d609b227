import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { pageOfKeys } from './ranking.ts';

describe('pageOfKeys', () => {
  it('returns the same keys from a heap as from a full sort', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 500 }), { maxLength: 600 }),
        fc.nat({ max: 300 }),
        fc.integer({ min: 1, max: 100 }),
        (values, first, size) => {
          const keys = Float64Array.from(values);
          const expected = [...keys].sort((a, b) => a - b).slice(first, first + size);
          expect([...pageOfKeys(keys, first, size)]).toEqual(expected);
          expect([...keys]).toEqual(values);
        },
      ),
    );
  });
});
