import { describe, it, expect } from '@jest/globals';
import { toGreatPriceCountQuery } from './data/loadReference.ts';
import { decodeQuery } from '@forecourt/shared-contracts/criteria';

const object = (params: URLSearchParams) => Object.fromEntries(params);

describe('the great-price count', () => {
  // rows: A7-COUNT-01
  it('counts great prices nationwide', () => {
    const query = toGreatPriceCountQuery(decodeQuery('makeCode=FORD&zip=30303&searchRadius=25'), {
      brand: 'atc',
    });
    expect(object(query)).toMatchObject({ makeCode: 'FORD', searchRadius: '0', dealType: 'greatprice' });
  });
});
