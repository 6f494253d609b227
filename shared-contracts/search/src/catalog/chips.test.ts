import { describe, expect, it } from '@jest/globals';
import { emptySearch } from '../state/searchSlice.ts';
import type { SearchCriteria } from '../criteria/criteria.ts';
import { chipsOf, recoveries } from './chips.ts';

const criteria: SearchCriteria = {
  ...emptySearch.criteria,
  filters: { makeCode: ['FORD'], modelCode: ['F150'], trimCode: ['F150|XL'], zip: ['60601'] },
};

describe('chips', () => {
  const labels = (changes: Partial<SearchCriteria>, ownerName?: string) =>
    chipsOf(
      { ...emptySearch.criteria, ...changes },
      { labelOf: (_, value) => value, ...(ownerName !== undefined && { ownerName }) },
    ).map(({ label }) => label);

  // rows: B4-ALPHA-11
  it('name the sponsor, if it is known, and none without its id', () => {
    const sponsored = { isSponsorship: true, showcaseOwnerId: 'ace' };
    expect(labels(sponsored, 'Ace Ford')).toEqual(['Viewing Ace Ford inventory']);
    expect(labels(sponsored)).toEqual(["Viewing this dealer's inventory"]);
    expect(labels({ isSponsorship: true }, 'Ace Ford')).toEqual([]);
    expect(labels({ showcaseOwnerId: 'ace' }, 'Ace Ford')).toEqual([]);
  });

  it.each([
    ['commercial', 'Commercial Vehicles'],
    ['best-deals', 'Best Deals'],
  ] as const)('name the experience %s', (experience, label) => {
    expect(labels({ experience })).toEqual([label]);
  });
});

describe('recoveries', () => {
  it('drops models and trims with their make, and trims with their model', () => {
    const [make, model] = recoveries(
      [
        { name: 'makeCode', count: 9 },
        { name: 'modelCode', count: 4 },
      ],
      criteria,
    );
    expect(make?.apply(criteria).filters).toEqual({ zip: ['60601'] });
    expect(model?.apply(criteria).filters).toEqual({ makeCode: ['FORD'], zip: ['60601'] });
  });

  it('omits filters that are unknown, not set, or without results', () => {
    const nearMisses = ['elsewhere', 'priceRange', 'location'].map((name) => ({ name, count: 9 }));
    expect(recoveries(nearMisses, criteria).map(({ label }) => label)).toEqual(['Location']);
    expect(recoveries([{ name: 'makeCode', count: 0 }], criteria)).toEqual([]);
  });
});
