import { describe, expect, it } from '@jest/globals';
import { buildState } from '@forecourt/shared-contracts/testing';
import { nextRecord, previousRecord } from './pages.ts';

const at = (firstRecord: number, totalResultCount: number, firstLoadedRecord = 0) => {
  const { search } = buildState();
  return { ...search, totalResultCount, firstLoadedRecord, criteria: { ...search.criteria, firstRecord } };
};

describe('nextRecord', () => {
  it('is told by the offset of the last page, not by what is on it: a page may repeat listings', () => {
    expect(nextRecord({ ...at(0, 60), listings: [], pageSizes: [0] } as ReturnType<typeof at>)).toBe(30);
    expect(nextRecord(at(30, 60))).toBeUndefined();
    expect(nextRecord(at(30, 61))).toBe(60);
  });
});

describe('previousRecord', () => {
  it('is the page before the first that is loaded', () => {
    expect(previousRecord(at(60, 90, 60))).toBe(30);
    expect(previousRecord(at(60, 90, 10))).toBe(0);
    expect(previousRecord(at(60, 90))).toBeUndefined();
  });
});
