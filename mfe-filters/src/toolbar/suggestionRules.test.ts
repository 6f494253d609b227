import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { FilterParam } from '@forecourt/shared-contracts/criteria';
import { buildCriteria } from '../testing/mountSearchSlot.ts';
import { offeredSuggestions } from './Suggestions.tsx';

const suggestion = fc.record({
  name: fc.string(),
  count: fc.nat(),
  codes: fc.dictionary(
    fc.constantFrom<FilterParam>('dealType', 'featureCode', 'sellerType'),
    fc.uniqueArray(fc.constantFrom<string>('a', 'b', 'c'), { minLength: 1 }),
    { minKeys: 1 },
  ),
});
const list = fc.array(suggestion);

describe('offered suggestions', () => {
  it('offers each suggestion once, in order, without selected ones', () => {
    const anyCodes = fc.uniqueArray(fc.constantFrom<string>('a', 'b', 'c'));
    fc.assert(
      fc.property(list, list, anyCodes, (filters, strongAttributes, featureCode) => {
        const criteria = buildCriteria({ filters: { featureCode } });
        const result = offeredSuggestions({ filters, strongAttributes }, criteria);
        const all = [...filters, ...strongAttributes];
        const places = result.map((offer) => all.indexOf(offer));
        expect(places).toEqual([...places].sort((left, right) => left - right));
        const isAllChosen = ({ codes }: (typeof all)[number]) =>
          Object.keys(codes).join() === 'featureCode' &&
          (codes.featureCode ?? []).every((value) => featureCode.includes(value));
        expect(result.some(isAllChosen)).toBe(false);
        // Repeated suggestions add nothing.
        const again = { filters: [...filters, ...all], strongAttributes };
        expect(offeredSuggestions(again, criteria)).toHaveLength(result.length);
      }),
    );
  });
});
