import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { referenceTabs } from './tabs.ts';

const keys = (context: Parameters<typeof referenceTabs>[0]) => referenceTabs(context).map(({ key }) => key);

describe('the tabs of the section', () => {
  it('have Pricing exactly when there are years or trims [B4-MR-01]', () => {
    fc.assert(
      fc.property(fc.nat(30), fc.nat(30), (yearCount, trimCount) => {
        expect(keys({ yearCount, trimCount })).toEqual(yearCount + trimCount > 0 ? ['pricing'] : []);
      }),
    );
  });

  it('are only those that editorial content names, when it names any', () => {
    expect(keys({ yearCount: 3, trimCount: 0, onlyTabs: ['safety'] })).toEqual([]);
    expect(keys({ yearCount: 3, trimCount: 0, onlyTabs: ['pricing', 'safety'] })).toEqual(['pricing']);
    expect(keys({ yearCount: 3, trimCount: 0, onlyTabs: [] })).toEqual(['pricing']);
    expect(keys({ yearCount: 0, trimCount: 0, onlyTabs: ['pricing'] })).toEqual([]);
  });
});
