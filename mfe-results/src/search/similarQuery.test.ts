import { describe, expect, it } from '@jest/globals';
import { decodeQuery } from '@forecourt/shared-contracts/criteria';
import { excludedIds, similarRadius, toSimilarQuery } from './similarQuery.ts';

const similar = (query: string, shownIds: string[] = []) =>
  Object.fromEntries(toSimilarQuery(decodeQuery(query), { brand: 'atc', shownIds }));

describe('toSimilarQuery', () => {
  // rows: A5-RULE-02
  it('sends a radius of 100 when the radius is missing, 0, or 100 or more', () => {
    expect([100, 500, undefined, 0, 50].map(similarRadius)).toEqual([100, 100, 100, 100, 50]);
    expect(similar('zip=30303&searchRadius=50').searchRadius).toBe('50');
    expect(similar('').searchRadius).toBe('100');
  });

  // rows: A5-RULE-03, A9-LIMIT-06
  it('sends excluded ids only when there are 1 to 25', () => {
    const ids = (count: number) => Array.from({ length: count }, (_, index) => `id${index}`);
    expect(excludedIds([])).toBeUndefined();
    expect(excludedIds(ids(1))).toBe('id0');
    expect(excludedIds(ids(25))?.split(',')).toHaveLength(25);
    expect(excludedIds(ids(26))).toBeUndefined();
  });

  // rows: A7-SIM-01, A7-SIM-02, A7-SIM-03, A7-SIM-04, A9-LIMIT-03
  it('sends the search with body style, series and the fixed parameters', () => {
    expect(similar('makeCode=FORD&vehicleStyleCode=TRUCKS&seriesCode=F', ['a', 'b', 'c'])).toMatchObject({
      makeCode: 'FORD',
      bodyStyleCode: 'TRUCKS',
      classSeriesCode: 'F',
      numRecords: '20',
      channel: 'ATC',
      ignorePriority: 'true',
      includeVehicleHighlights: 'true',
      excludedListingId: 'a,b,c',
      vhrProvider: 'CARFAX,AUTOCHECK',
    });
  });

  // rows: A7-SIM-01
  it('sends the body styles of the shown listings when the search names none', () => {
    const context = { brand: 'atc', shownIds: [], shownStyles: ['SUVCROSS', 'TRUCKS'] } as const;
    const styleOf = (query: string) => toSimilarQuery(decodeQuery(query), context).get('bodyStyleCode');
    expect(styleOf('makeCode=FORD&modelCode=F150')).toBe('SUVCROSS,TRUCKS');
    expect(styleOf('makeCode=FORD&vehicleStyleCode=COUPE')).toBe('COUPE');
  });

  // rows: A7-SIM-05
  it('adds the extra filters of an experience to similar requests', () => {
    expect(similar('experience=best-deals')).toMatchObject({ dealType: 'goodprice,greatprice' });
  });
});
