import { decodeQuery } from '@forecourt/search/decode';
import { describe, it, expect } from '@jest/globals';
import { isNewCarBoostWanted } from './optionalParts.ts';

describe('new-car boost rule', () => {
  const wanted = (query: string, edit: Partial<Parameters<typeof isNewCarBoostWanted>[1]> = {}) =>
    isNewCarBoostWanted(decodeQuery(query).filters, {
      zip: '30303',
      currentYear: 2024,
      ...edit,
    });

  // rows: B5-BOOST-01
  it('requires a ZIP of five digits', () => {
    expect(wanted('')).toBe(true);
    for (const zip of [undefined, '3030', '303030', '3O3O3']) expect(wanted('', { zip })).toBe(false);
  });

  // rows: B5-BOOST-02
  it('excludes searches for new cars', () => {
    expect(wanted('listingType=NEW')).toBe(false);
    expect(wanted('listingType=USED')).toBe(true);
  });

  // rows: B5-BOOST-03, B9-MPG-03
  it('requires an end year within six years', () => {
    expect(wanted('endYear=2018')).toBe(false);
    expect(wanted('endYear=2019')).toBe(true);
  });

  // rows: B5-BOOST-04
  it('requires a start year before the current one', () => {
    expect(wanted('startYear=2024')).toBe(false);
    expect(wanted('startYear=2025')).toBe(false);
    expect(wanted('startYear=2023')).toBe(true);
  });

  // rows: B5-BOOST-05
  it('excludes private sellers', () => {
    expect(wanted('sellerType=p')).toBe(false);
    expect(wanted('sellerType=p,d')).toBe(true);
  });
});
