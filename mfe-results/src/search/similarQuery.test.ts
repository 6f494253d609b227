import { decodeQuery } from '@forecourt/search/decode';
import { describe, expect, it } from '@jest/globals';
import { buildListing } from '@forecourt/search/testing';
import { similarRadius, toSimilarQuery } from './similarQuery.ts';

const similar = (query: string, shownIds: string[] = []) =>
  Object.fromEntries(toSimilarQuery(decodeQuery(query), { brand: 'atc', shownIds }));

describe('toSimilarQuery', () => {
  // rows: A5-RULE-02, A7-SIM-02
  it('sends a radius of 100 when the radius is missing, 0, or 100 or more', () => {
    expect([100, 500, undefined, 0, 50].map(similarRadius)).toEqual([100, 100, 100, 100, 50]);
    expect(similar('zip=30303&searchRadius=50').searchRadius).toBe('50');
    for (const query of ['', 'zip=30303', 'zip=30303&searchRadius=0', 'zip=30303&searchRadius=500'])
      expect([query, similar(query).searchRadius]).toEqual([query, '100']);
  });

  // rows: A5-RULE-03, A9-LIMIT-06
  it('sends excluded ids only when there are 1 to 25', () => {
    const ids = (count: number) => Array.from({ length: count }, (_, index) => `id${index}`);
    const sent = [0, 1, 25, 26].map((count) => similar('', ids(count)));
    expect(sent.map(({ excludedListingId }) => excludedListingId)).toEqual([
      undefined,
      'id0',
      ids(25).join(','),
      undefined,
    ]);
  });

  // rows: A7-SIM-01, A7-SIM-02, A7-SIM-03, A7-SIM-04, A9-LIMIT-03
  it('sends the search with body style, series and the fixed parameters', () => {
    expect(similar('makeCode=FORD&vehicleStyleCode=TRUCKS&seriesCode=F', ['a', 'b', 'c'])).toMatchObject({
      makeCode: 'FORD',
      bodyStyleCode: 'TRUCKS',
      classSeriesCode: 'F',
      searchRadius: '100',
      numRecords: '20',
      channel: 'ATC',
      ignorePriority: 'true',
      includeVehicleHighlights: 'true',
      excludedListingId: 'a,b,c',
      vhrProvider: 'CARFAX,AUTOCHECK',
    });
  });

  // rows: A7-SIM-01
  it('sends the body styles and series of the shown listings when a search for a model names none', () => {
    const listings = [
      buildListing({ vehicleStyleCodes: ['TRUCKS'], seriesCode: 'SUPERDUTY' }),
      buildListing({ vehicleStyleCodes: ['SUVCROSS', 'TRUCKS'], seriesCode: 'SUPERDUTY' }),
      buildListing({ vehicleStyleCodes: ['TRUCKS'] }),
    ];
    const codesOf = (query: string) => {
      const sent = toSimilarQuery(decodeQuery(query), { brand: 'atc', shownIds: [], listings });
      return [sent.get('bodyStyleCode'), sent.get('classSeriesCode')];
    };
    expect(codesOf('makeCode=FORD&modelCode=F250')).toEqual(['SUVCROSS,TRUCKS', 'SUPERDUTY']);
    expect(codesOf('makeCode=FORD&modelCode=F250&vehicleStyleCode=COUPE&seriesCode=F')).toEqual([
      'COUPE',
      'F',
    ]);
    expect(codesOf('makeCode=FORD')).toEqual([null, null]);
  });

  // rows: A7-SIM-05
  it('adds the extra filters of an experience to similar requests', () => {
    expect(similar('experience=best-deals')).toMatchObject({
      experience: 'best-deals',
      dealType: 'goodprice,greatprice',
    });
    expect(similar('experience=commercial')).toMatchObject({
      experience: 'commercial',
      vehicleUseType: 'COMMERCIAL',
    });
  });
});
