import { decodeQuery } from '@forecourt/search/decode';
import { describe, it, expect } from '@jest/globals';
import { toSupplementalQuery } from './blockRules.ts';

const object = (params: URLSearchParams) => Object.fromEntries(params);

describe('supplemental queries', () => {
  // rows: A7-SUPP-02, A7-SUPP-03, A9-LIMIT-04
  it('requests 100 supplemental listings without filters', () => {
    const criteria = decodeQuery('experience=commercial');
    expect(object(toSupplementalQuery(criteria, { brand: 'kbb' }))).toMatchObject({
      hideFilters: 'true',
      numRecords: '100',
      supplemental: 'true',
      firstRecord: '0',
      channel: 'KBB',
      experience: 'commercial',
      vehicleUseType: 'COMMERCIAL',
    });
    expect(object(toSupplementalQuery(decodeQuery('experience=best-deals'), { brand: 'atc' }))).toMatchObject(
      {
        channel: 'ATC',
        experience: 'best-deals',
        dealType: 'goodprice,greatprice',
      },
    );
    expect(object(toSupplementalQuery(criteria, { brand: 'kbb', nearby: true }))).toMatchObject({
      marketExtension: 'include',
      searchRadius: '100',
    });
  });
});
