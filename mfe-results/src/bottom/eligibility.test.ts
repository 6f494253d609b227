import { describe, expect, it } from '@jest/globals';
import { buildState } from '@forecourt/shared-contracts/testing';
import { wantsSimilar } from './eligibility.ts';

const found = (totalResultCount: number) => {
  const { search } = buildState();
  return { ...search, totalResultCount, criteria: { ...search.criteria, filters: { searchRadius: ['50'] } } };
};

describe('wantsSimilar', () => {
  it('counts the similar ones that are there already: 20 results and 5 are 25, 6 are too many [B9-SCROLL-02]', () => {
    expect(wantsSimilar(found(20), 5)).toBe(true);
    expect(wantsSimilar(found(20), 6)).toBe(false);
  });
});
