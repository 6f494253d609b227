import { describe, expect, it, jest } from '@jest/globals';
import { decodeQuery } from '../criteria/decode.ts';
import { FILTER_PARAMS, type SearchCriteria } from '../criteria/criteria.ts';
import { toApiQuery } from './searchQuery.ts';

const main = (query: string, context: Partial<Parameters<typeof toApiQuery>[1]> = {}) =>
  Object.fromEntries(toApiQuery(decodeQuery(query), { brand: 'atc', ...context }));

describe('the main listing query', () => {
  // rows: B7-LIST-02
  it('sends the filters of the URL and the channel', () => {
    expect(main('makeCodeList=FORD,BMW&maxPrice=5000')).toMatchObject({
      makeCodeList: 'FORD,BMW',
      maxPrice: '5000',
      channel: 'ATC',
    });
    expect(main('', { channel: 'MFR' })).toMatchObject({ channel: 'MFR' });
  });

  // rows: B7-LIST-02
  it('sends every filter of the URL', () => {
    const filters = {
      zip: '30303',
      searchRadius: '25',
      state: 'GA',
      city: 'Atlanta',
      marketExtension: 'include',
      area: '29.9~-98.1~30.6~-97.3',
      vehicleUseType: 'COMMERCIAL',
      vehicleExchange: 'true',
      startYear: '2019',
      endYear: '2022',
      listingType: 'USED',
      driveGroup: 'AWD4WD',
      minPrice: '5000',
      maxPrice: '20000',
      monthlyPayment: '400-3000-60-5.9',
      mileage: '60000',
      vehicleStyleCode: 'TRUCKS',
      seatCount: '7',
      fuelTypeGroup: 'GSL',
      mpgRange: '30-MPG',
      makeCode: 'FORD',
      modelCode: 'F150',
      seriesCode: 'F',
      trimCode: 'F150|XLT',
      packages: 'TOW',
      extColorSimple: 'RED',
      intColorSimple: 'GRAY',
      transmissionCode: 'AUT',
      engineDisplacement: '3.5L',
      vehicleHistoryType: 'CLEAN_TITLE',
      homeServices: 'BUY_ONLINE',
      featureCode: '1327',
      engineCode: '6CLDR',
      dealType: 'greatprice',
      doorCode: '4',
      sellerType: 'd',
      electricMileRange: '200',
      truckBedLength: 'SHORT',
      bodyStyleSubtypeCode: 'CREW',
      suvSubtypeCode: 'COMPACT',
      vanSubtypeCode: 'CARGO',
      sedanSubtypeCode: 'LUXURY',
      keyword: 'tow hitch',
    };
    expect(Object.keys(filters)).toEqual(FILTER_PARAMS);
    expect(main(new URLSearchParams(filters).toString())).toMatchObject(filters);
  });

  // rows: B7-LIST-06, B7-LIST-08, B7-LIST-09, B7-LIST-10, B7-LIST-12
  it('sends the default parameters', () => {
    expect(main('')).toEqual({
      channel: 'ATC',
      sortBy: 'relevance',
      firstRecord: '0',
      numRecords: '30',
      stats: 'year,derivedprice',
      showStrongAttributes: 'true',
      includeSuggested: 'true',
      vhrProviders: 'CARFAX,AUTOCHECK',
      relevanceConfig: 'relevance-v3',
    });
    expect(main('zip=30303').searchRadius).toBe('50');
    expect(main('zip=30303&searchRadius=0').searchRadius).toBe('0');
  });

  it('sends the filter that the brand excludes, and that it ignores priority', () => {
    const queryOf = (brand: 'atc' | 'oem', search = '') => toApiQuery(decodeQuery(search), { brand });
    expect(queryOf('oem').get('excludedFilter')).toBe('vehicleExchange');
    expect(queryOf('oem').get('ignorePriority')).toBe('true');
    for (const name of ['excludedFilter', 'ignorePriority']) expect(queryOf('atc').has(name)).toBe(false);
  });

  it("ignores priority among a sponsor's own vehicles", () => {
    const sponsor = toApiQuery(decodeQuery('isSponsorship=true&showcaseOwnerId=5'), { brand: 'atc' });
    expect(sponsor.get('ignorePriority')).toBe('true');
  });

  // rows: B7-LIST-05, B9-GRID-16
  it('sends the version of the relevance formula with the relevance sort only', () => {
    expect(main('').relevanceConfig).toBe('relevance-v3');
    expect(main('', { relevanceConfig: 'relevance-v4' }).relevanceConfig).toBe('relevance-v4');
    expect(main('sortBy=yearASC')).not.toHaveProperty('relevanceConfig');
  });

  // rows: B7-LIST-07
  it("sends the visitor's pixallId", () => {
    expect(main('', { pixallId: 'px1' }).pixallId).toBe('px1');
  });

  // rows: B7-LIST-11, B9-PAGE-01
  it('pages by offset and size', () => {
    expect(main('firstRecord=30')).toMatchObject({ firstRecord: '30', numRecords: '30' });
  });

  // rows: B9-PAGE-02
  it('requests 30 instead of 25 listings for the manufacturer brand', () => {
    const criteria = decodeQuery('numRecords=25');
    expect(toApiQuery(criteria, { brand: 'oem' }).get('numRecords')).toBe('30');
    expect(toApiQuery(criteria, { brand: 'atc' }).get('numRecords')).toBe('25');
  });

  it('requests one more listing with a highlight', () => {
    expect(main('', { hasExtraRecord: true })).toMatchObject({ firstRecord: '0', numRecords: '31' });
    expect(main('', { hasExtraRecord: false }).numRecords).toBe('30');
  });

  it("uses the visitor's ZIP as the center when the search names no place", () => {
    expect(main('', { visitorZip: '60601-22' })).toMatchObject({ zip: '60601', searchRadius: '50' });
    expect(main('searchRadius=10', { visitorZip: '60601' })).toMatchObject({
      zip: '60601',
      searchRadius: '10',
    });
    expect(main('zip=30303', { visitorZip: '60601' }).zip).toBe('30303');
    expect(main('state=GA', { visitorZip: '60601' })).not.toHaveProperty('zip');
  });

  it('adds the extra filters of an experience', () => {
    expect(main('experience=commercial')).toMatchObject({
      experience: 'commercial',
      vehicleUseType: 'COMMERCIAL',
    });
    expect(main('experience=best-deals')).toMatchObject({
      experience: 'best-deals',
      dealType: 'goodprice,greatprice',
    });
    expect(main('experience=best-deals&dealType=greatprice').dealType).toBe('greatprice');
  });

  // rows: A2-QP-30, B2-QP-07
  it('sends the showcase owner and drops the landing parameters', () => {
    const query = main('showcaseOwnerId=55&isSponsorship=true&refUrl=/a&expiredListing=1&utm_source=x');
    expect(query).toMatchObject({ showcaseOwnerId: '55', isSponsorship: 'true' });
    for (const name of ['refUrl', 'expiredListing', 'utm_source', 'defaultScreen'])
      expect(query).not.toHaveProperty(name);
  });

  // rows: A2-QP-31, A2-QP-32
  it('forwards the campaign codes', () => {
    expect(main('psid=X1&siomid=Y1')).toMatchObject({ psid: 'X1', siomid: 'Y1' });
    expect(main('siomid=Y1')).not.toHaveProperty('psid');
  });

  // rows: B8-ERR-11
  it('reports a make that is not a list once and continues', () => {
    const report = jest.fn<(code: string) => void>();
    const broken = { ...decodeQuery(''), filters: { makeCode: 'FORD' } } as unknown as SearchCriteria;
    expect(toApiQuery(broken, { brand: 'atc', report }).get('makeCode')).toBe('FORD');
    expect(report.mock.calls).toEqual([['MAKE_NOT_A_LIST']]);
  });
});
