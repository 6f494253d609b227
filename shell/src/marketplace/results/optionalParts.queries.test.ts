import { decodeQuery } from '@forecourt/search/decode';
import { describe, it, expect } from '@jest/globals';
import { toApiQuery } from '@forecourt/search/query';
import {
  toPremiumSpotlightQuery,
  toSpotlightQuery,
  toHighlightQuery,
  toNewCarBoostQuery,
} from './optionalParts.ts';

const object = (params: URLSearchParams) => Object.fromEntries(params);

describe('spotlight queries', () => {
  const context = { brand: 'atc' as const, page: 1 };
  const criteria = decodeQuery('makeCode=FORD');

  // rows: B7-PREM-01
  it('are the query of the listings and which spotlights', () => {
    const request = { brand: 'kbb', channel: 'MFR', pixallId: 'px1', visitorZip: '60601' } as const;
    expect(object(toPremiumSpotlightQuery(criteria, { ...request, page: 1 }))).toEqual({
      ...object(toApiQuery(criteria, request)),
      numSpotlights: '3',
      listingTier: 'premium',
      spotlightPage: '1',
    });
  });

  // rows: B7-PREM-02, B9-PAGE-03
  it('request 3 premium spotlights at first, 2 later, 10 for the carousel', () => {
    expect(toPremiumSpotlightQuery(criteria, context).get('numSpotlights')).toBe('3');
    expect(toPremiumSpotlightQuery(criteria, { ...context, page: 2 }).get('numSpotlights')).toBe('2');
    expect(toPremiumSpotlightQuery(criteria, { ...context, isCarousel: true }).get('numSpotlights')).toBe(
      '10',
    );
  });

  // rows: B7-PREM-03, B7-PREM-04
  it('contain tier and page', () => {
    expect(object(toPremiumSpotlightQuery(criteria, { ...context, page: 2 }))).toMatchObject({
      listingTier: 'premium',
      spotlightPage: '2',
    });
  });

  // rows: B9-PAGE-04, B9-PAGE-05, B7-SPOT-01, B7-SPOT-02
  it('request 6 featured and 6 standard ones', () => {
    for (const tier of ['featured', 'standard'] as const)
      expect(object(toSpotlightQuery(criteria, { ...context, tier }))).toMatchObject({
        numSpotlights: '6',
        listingTier: tier,
      });
  });

  // rows: B7-HIGH-01
  it('request extended highlights', () => {
    expect(toHighlightQuery(criteria, context).get('includeExtendedVehicleHighlights')).toBe('true');
  });
});

describe('new-car boost queries', () => {
  // rows: B7-NCB-01, B7-NCB-02
  it('contain the codes to boost', () => {
    const criteria = decodeQuery('makeCode=FORD&modelCode=F150&trimCode=F150|XLT&seriesCode=F');
    const query = object(toNewCarBoostQuery(criteria, { brand: 'atc' }));
    expect(query).toMatchObject({
      firstRecord: '0',
      numRecords: '2',
      makeCode: 'FORD',
      modelCodeToBoost: 'F150',
      trimCodeToBoost: 'F150|XLT',
      seriesCodeToBoost: 'F',
    });
    expect(query).not.toHaveProperty('modelCode');
  });
});
