import { decodeQuery } from '@forecourt/search/decode';
import { expect, it } from '@jest/globals';
import { buildCriteria } from '../testing/mountSearchSlot.ts';
import { carriedFields } from './HiddenFields.tsx';

it('carries all criteria without a visible control, without page and category', () => {
  const criteria = buildCriteria({
    filters: { makeCode: ['FORD'], city: ['Chicago'], state: ['IL'], sellerType: ['p'] },
    sortBy: 'mileageASC',
    categorySearch: 'by-owner',
    experience: 'commercial',
    firstRecord: 60,
    unknown: [['utm_source', 'a b&c']],
  });
  const fields = carriedFields(criteria, new Set(['makeCode', 'sellerType']));
  expect(Object.fromEntries(fields)).toEqual({
    city: 'Chicago',
    state: 'IL',
    sortBy: 'mileageASC',
    experience: 'commercial',
    utm_source: 'a b&c',
  });
  const query = new URLSearchParams(fields.map(([name, value]) => [name, value]));
  expect(decodeQuery(query)).toMatchObject({ sortBy: 'mileageASC', unknown: criteria.unknown });
});
