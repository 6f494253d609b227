import { describe, expect, it } from '@jest/globals';
import type { SearchCriteria } from '../criteria/criteria.ts';
import { decodeQuery, decodeUrl } from '../criteria/decode.ts';
import { createSlugReference } from '../criteria/slugs.ts';
import { isZip, typedZipError } from '../criteria/values.ts';
import { encodeUrl, filterPairs } from './encode.ts';
import { testReference } from '../testing/builders.ts';

const decode = (query: string): SearchCriteria => {
  const result = decodeUrl('/cars-for-sale/all-cars', query, testReference);
  if (result.kind !== 'search') throw new Error(result.reason);
  return result.criteria;
};
const filters = (query: string) => decode(query).filters;

describe('filter parameters', () => {
  // rows: A2-QP-01
  it('reads zip', () => {
    expect(filters('zip=30303')).toEqual({ zip: ['30303'] });
  });

  // rows: A2-QP-02, A2-QP-03, A2-QP-04
  it('reads state, city and searchRadius', () => {
    expect(filters('state=GA')).toEqual({ state: ['GA'] });
    expect(filters('state=ga&city=Atlanta')).toEqual({ state: ['GA'], city: ['Atlanta'] });
    expect(filters('state=XX')).toEqual({});
    expect(filters('searchRadius=50')).toEqual({ searchRadius: ['50'] });
  });

  // rows: A4-FLOW-04, A4-FLOW-05
  it('truncates a ZIP to five digits and drops an invalid one', () => {
    expect(filters('zip=30303-1234').zip).toEqual(['30303']);
    expect(filters('zip=3030')).toEqual({});
    expect(filters('zip=ABCDE')).toEqual({});
    expect(filters('zip=abc&zip=30303').zip).toEqual(['30303']);
  });

  // rows: A9-LIMIT-05
  it('clamps a radius above 100, keeps 0 and drops other text', () => {
    expect(filters('searchRadius=500').searchRadius).toEqual(['100']);
    expect(filters('searchRadius=99999999999').searchRadius).toEqual(['100']);
    expect(filters(`searchRadius=${'9'.repeat(400)}`).searchRadius).toEqual(['100']);
    expect(filters('searchRadius=0').searchRadius).toEqual(['0']);
    expect(filters('searchRadius=-5')).toEqual({});
    expect(filters('searchRadius=Any')).toEqual({});
  });

  // rows: A2-QP-08, A2-QP-09
  it('reads makeCode and makeCodeList, merged and in order', () => {
    expect(filters('makeCode=FORD').makeCode).toEqual(['FORD']);
    expect(filters('makeCodeList=FORD,BMW').makeCode).toEqual(['FORD', 'BMW']);
    expect(filters('makeCodeList=FORD,BMW&makeCode=RAM&makeCode=FORD').makeCode).toEqual([
      'RAM',
      'FORD',
      'BMW',
    ]);
  });

  // rows: B9-PAGE-06
  it('keeps at most five make groups', () => {
    expect(filters('makeCodeList=A,B,C,D,E,F').makeCode).toEqual(['A', 'B', 'C', 'D', 'E']);
  });

  // rows: A2-QP-10, A2-QP-11
  it('reads modelCode and modelCodeList', () => {
    expect(filters('makeCode=FORD&modelCode=F150').modelCode).toEqual(['F150']);
    expect(filters('modelCodeList=F150,BMW3').modelCode).toEqual(['F150', 'BMW3']);
  });

  // rows: A2-QP-12, A2-QP-13
  it('reads trimCode and trimCodeList', () => {
    expect(filters('makeCode=FORD&modelCode=F150&trimCode=F150|XLT').trimCode).toEqual(['F150|XLT']);
    expect(filters('trimCodeList=F150%7CXL,F150%7CXLT').trimCode).toEqual(['F150|XL', 'F150|XLT']);
  });

  // rows: B2-QP-01
  it("drops a trim that is not 'code|trim'", () => {
    expect(filters('trimCode=XLT')).toEqual({});
    for (const trim of ['F150|', '|XLT', '|', 'F150|XLT|'])
      expect([trim, filters(`trimCode=${trim}`)]).toEqual([trim, {}]);
  });

  // rows: B5-TRIM-01
  it('keeps a trim next to make and model only when it belongs to them', () => {
    const query = 'makeCode=FORD&modelCode=F150&trimCodeList=F150|XLT,F150|ZZZ,ESCAPE|SE';
    expect(filters(query).trimCode).toEqual(['F150|XLT']);
  });

  it("keeps trims unchanged when the model's trims are unknown", () => {
    expect(filters('makeCode=FORD&modelCode=ESCAPE&trimCode=ESCAPE|SE').trimCode).toEqual(['ESCAPE|SE']);
  });

  // rows: B5-TRIM-02, B5-TRIM-03
  it('writes one valid trim as trimCode, several as a list, and none as nothing', () => {
    const written = (trims: string) =>
      encodeUrl(decode(`makeCode=BMW&modelCode=BMW3&trimCodeList=${trims}`), testReference);
    expect(written('BMW3|A')).toBe('/cars-for-sale/all/bmw/3-series?trimCode=BMW3%7CA');
    expect(written('BMW3|A,BMW3|B')).toBe('/cars-for-sale/all/bmw/3-series?trimCodeList=BMW3%7CA,BMW3%7CB');
    expect(written('F150|A')).toBe('/cars-for-sale/all/bmw/3-series');
  });

  // rows: A2-QP-14, A2-QP-15
  it('reads body styles in the singular and the plural', () => {
    expect(filters('vehicleStyleCode=SEDAN').vehicleStyleCode).toEqual(['SEDAN']);
    expect(filters('vehicleStyleCodes=SEDAN,COUPE').vehicleStyleCode).toEqual(['COUPE', 'SEDAN']);
  });

  // rows: A2-QP-16
  it('reads fuelTypeGroup', () => {
    expect(filters('fuelTypeGroup=ELE').fuelTypeGroup).toEqual(['ELE']);
  });

  it('reads known styles and fuels in any case, and keeps unknown codes', () => {
    expect(filters('vehicleStyleCode=sedan,SEDAN,Wagon')).toEqual({ vehicleStyleCode: ['SEDAN', 'Wagon'] });
    expect(filters('fuelTypeGroup=ele,xyz')).toEqual({ fuelTypeGroup: ['ELE', 'xyz'] });
  });

  // rows: A2-QP-17, A2-QP-18, B2-QP-05
  it('reads conditions in singular and plural and in any case, known ones only', () => {
    expect(filters('listingType=USED').listingType).toEqual(['USED']);
    expect(filters('listingTypes=USED,CERTIFIED').listingType).toEqual(['CERTIFIED', 'USED']);
    expect(filters('listingType=new,3p_cert,stolen').listingType).toEqual(['3P_CERT', 'NEW']);
  });

  // rows: A2-QP-19, A2-QP-20
  it('reads seller types in singular and plural', () => {
    expect(filters('sellerType=p').sellerType).toEqual(['p']);
    expect(filters('sellerTypes=p,d,x').sellerType).toEqual(['d', 'p']);
  });

  // rows: A2-QP-21, A2-QP-22, A2-QP-23, A2-QP-24
  it('reads years and prices', () => {
    expect(filters('startYear=2019').startYear).toEqual(['2019']);
    expect(filters('endYear=2022').endYear).toEqual(['2022']);
    expect(filters('minPrice=10000').minPrice).toEqual(['10000']);
    expect(filters('maxPrice=20000').maxPrice).toEqual(['20000']);
    expect(filters('maxPrice=%2420,000').maxPrice).toEqual(['20000']);
    expect(filters('maxPrice=9999999999').maxPrice).toEqual(['999999999']);
    expect(filters('startYear=19&endYear=abc&minPrice=0&maxPrice=1e5')).toEqual({});
  });

  // rows: A2-QP-25, A2-QP-26
  it('reads mpgRange in singular and plural by its leading number', () => {
    expect(filters('mpgRange=30-MPG').mpgRange).toEqual(['30-MPG']);
    expect(filters('mpgRanges=30-MPG').mpgRange).toEqual(['30-MPG']);
    expect(filters('mpgRange=30+').mpgRange).toEqual(['30-MPG']);
    expect(filters('mpgRange=much')).toEqual({});
  });

  // rows: A2-QP-27
  it('reads electricMileRange', () => {
    expect(filters('electricMileRange=200').electricMileRange).toEqual(['200']);
  });

  // rows: A2-QP-29
  it('reads marketExtension include and off, nothing else', () => {
    expect(filters('marketExtension=include').marketExtension).toEqual(['include']);
    expect(filters('marketExtension=off').marketExtension).toEqual(['off']);
    expect(filters('marketExtension=maybe')).toEqual({});
  });

  // rows: B2-QP-03, B2-QP-04
  it('reads the numbered legacy makes and models', () => {
    expect(filters('makeCode1=FORD&makeCode2=BMW&makeCode3=KIA').makeCode).toEqual(['FORD', 'BMW', 'KIA']);
    expect(filters('modelCode1=F150&modelCode2=BMW3&modelCode3=EV6').modelCode).toEqual([
      'F150',
      'BMW3',
      'EV6',
    ]);
  });

  // rows: B2-QP-09, B2-QP-10, B2-QP-11, B2-QP-12
  it('reads drive, engine, feature and home-service codes', () => {
    expect(filters('driveGroup=AWD4WD').driveGroup).toEqual(['AWD4WD']);
    expect(filters('engineCode=6CLDR').engineCode).toEqual(['6CLDR']);
    expect(filters('featureCode=1078').featureCode).toEqual(['1078']);
    expect(filters('homeServices=X').homeServices).toEqual(['X']);
  });

  // rows: B2-QP-13
  it('reads known deal types only', () => {
    expect(filters('dealType=greatprice').dealType).toEqual(['greatprice']);
    expect(filters('dealType=finance')).toEqual({});
  });

  // rows: B2-QP-02
  it('reads the same filter from every alias', () => {
    const query =
      'makeCode=FORD&modelCode=F150&startYear=2018&endYear=2020&zip=30303&searchRadius=25&minPrice=1&maxPrice=2' +
      '&mpgRange=30-MPG&vehicleStyleCode=TRUCKS&fuelTypeGroup=GSL';
    expect(filters(query)).toEqual({
      makeCode: ['FORD'],
      modelCode: ['F150'],
      startYear: ['2018'],
      endYear: ['2020'],
      zip: ['30303'],
      searchRadius: ['25'],
      minPrice: ['1'],
      maxPrice: ['2'],
      mpgRange: ['30-MPG'],
      vehicleStyleCode: ['TRUCKS'],
      fuelTypeGroup: ['GSL'],
    });
    expect(filters('makeCodeList=FORD,BMW&modelCodeList=F150,BMW3')).toEqual({
      makeCode: ['FORD', 'BMW'],
      modelCode: ['F150', 'BMW3'],
    });
    expect(decode('experience=commercial&firstRecord=40&numRecords=20&sortBy=yearASC')).toMatchObject({
      experience: 'commercial',
      firstRecord: 40,
      numRecords: 20,
      sortBy: 'yearASC',
    });
  });
});

describe('other parameters', () => {
  // rows: A2-QP-05, A3-SORT-12
  it('reads the sort and falls back to relevance on the server', () => {
    expect(decode('sortBy=yearDESC').sortBy).toBe('yearDESC');
    expect(decode('').sortBy).toBe('relevance');
    expect(decode('sortBy=bogus').sortBy).toBe('relevance');
    expect(decodeQuery('', { serverLoaded: false }).sortBy).toBe('derivedpriceDESC');
  });

  // rows: A2-QP-06
  it('rounds the offset down to the start of a page', () => {
    expect(decode('firstRecord=30').firstRecord).toBe(30);
    expect(decode('firstRecord=44').firstRecord).toBe(30);
    expect(decode('firstRecord=-3').firstRecord).toBe(0);
  });

  // rows: A2-QP-07
  it('reads a page size of 1 to 100', () => {
    expect(decode('numRecords=30').numRecords).toBe(30);
    expect(decode('numRecords=100').numRecords).toBe(100);
    expect(decode('numRecords=101').numRecords).toBe(30);
    expect(decode('numRecords=0').numRecords).toBe(30);
  });

  // rows: B9-PAGE-02
  it('replaces a page size of 25 with 30 on the manufacturer brand only', () => {
    expect(decodeQuery('numRecords=25', { brand: 'oem' }).numRecords).toBe(30);
    expect(decodeQuery('numRecords=25', { brand: 'atc' }).numRecords).toBe(25);
  });

  it('keeps one make, model and trim on a brand with a single group', () => {
    const query = 'makeCodeList=FORD,BMW&modelCodeList=F150,BMW3';
    expect(decodeQuery(query, { brand: 'oem' }).filters).toEqual({ makeCode: ['FORD'], modelCode: ['F150'] });
  });

  // rows: A2-QP-28
  it('reads the experiences commercial and best-deals', () => {
    expect(decode('experience=commercial').experience).toBe('commercial');
    expect(decode('experience=best-deals').experience).toBe('best-deals');
    expect(decode('experience=fast')).not.toHaveProperty('experience');
  });

  // rows: A2-QP-33, A2-QP-34
  it('reads the ids of a stored search independently', () => {
    expect(decode('searchBookmarkId=9')).toMatchObject({ searchBookmarkId: '9' });
    expect(decode('searchBookmarkId=9')).not.toHaveProperty('bookmarkId');
    expect(decode('bookmarkId=9')).toMatchObject({ bookmarkId: '9' });
    expect(decode('bookmarkId=')).not.toHaveProperty('bookmarkId');
  });

  // rows: A2-QP-30, A2-QP-31, A2-QP-32, B2-QP-07
  it('reads sponsorship, campaign and bookmark ids', () => {
    expect(decode('isSponsorship=true&psid=X1&siomid=Y1&showcaseOwnerId=55&bookmarkId=9')).toMatchObject({
      isSponsorship: true,
      psid: 'X1',
      siomid: 'Y1',
      showcaseOwnerId: '55',
      bookmarkId: '9',
    });
    expect(decode('isSponsorship=no')).not.toHaveProperty('isSponsorship');
  });

  // rows: B5-URL-01
  it('keeps the first of several showcaseOwnerId values', () => {
    expect(decode('showcaseOwnerId=5&showcaseOwnerId=6').showcaseOwnerId).toBe('5');
    expect(decode('showcaseOwnerId=5,6').showcaseOwnerId).toBe('5');
  });

  // rows: A2-QP-35, A2-QP-36
  it('reads the sign-up screen and a return target on this origin only', () => {
    expect(decode('defaultScreen=signup&refUrl=%2Fcars-for-sale')).toMatchObject({
      defaultScreen: 'signup',
      refUrl: '/cars-for-sale',
    });
    expect(decode('defaultScreen=signin')).not.toHaveProperty('defaultScreen');
    for (const target of [
      'https://evil.test',
      '//evil.test',
      '/\\evil.test',
      '/%09/evil.test',
      'javascript:1',
    ])
      expect(decode(`refUrl=${encodeURIComponent(target)}`).refUrl ?? '/').toMatch(/^\/(?![/\\])/);
  });

  // rows: B2-QP-08
  it('reads a category and applies its values', () => {
    for (const [categorySearch, values] of [
      ['best-deals', { dealType: ['goodprice', 'greatprice'] }],
      ['buy-online', { homeServices: ['BUY_ONLINE'] }],
      ['by-owner', { sellerType: ['p'] }],
      ['certified', { listingType: ['CERTIFIED'] }],
    ] as const)
      expect(decode(`categorySearch=${categorySearch}`)).toMatchObject({ categorySearch, filters: values });
    for (const wider of [
      'by-owner&sellerType=d',
      'by-owner&sellerType=p,d',
      'certified&listingType=CERTIFIED,NEW',
    ])
      expect(decode(`categorySearch=${wider}`)).not.toHaveProperty('categorySearch');
    expect(decode('categorySearch=best-deals&dealType=goodprice,greatprice').categorySearch).toBe(
      'best-deals',
    );
    expect(decode('categorySearch=toys')).not.toHaveProperty('categorySearch');
  });

  it('keeps unknown parameters in order, whatever their names', () => {
    const query = 'utm_b=2&__proto__=x&zip=30303&utm_a=1&empty=';
    expect(decode(query).unknown).toEqual([
      ['utm_b', '2'],
      ['__proto__', 'x'],
      ['utm_a', '1'],
    ]);
  });

  it('limits the length of codes, lists, texts and unknown values', () => {
    const long = 'x'.repeat(5000);
    const criteria = decode(`seriesCode=${long}&keyword=${long}&utm=${long}&psid=${long}`);
    expect(criteria.filters.seriesCode?.[0]).toHaveLength(64);
    expect(criteria.filters.keyword?.[0]).toHaveLength(120);
    expect(criteria.unknown[0]?.[1]).toHaveLength(512);
    expect(criteria.psid).toHaveLength(64);
    const many = Array.from({ length: 500 }, (_, index) => `C${index}`).join(',');
    expect(filters(`featureCode=${many}`).featureCode).toHaveLength(100);
  });

  it('reads the first 300 pairs of a query and ignores the rest', () => {
    const others = (count: number) => 'makeCode=FORD&'.repeat(count);
    expect(filters(`${others(299)}zip=30303`).zip).toEqual(['30303']);
    expect(filters(`${others(300)}zip=30303`)).not.toHaveProperty('zip');
  });

  it('cleans texts of controls, white space and empty parts', () => {
    expect(filters('keyword=%20a%00b%20').keyword).toEqual(['ab']);
    expect(filters(`keyword=${'x'.repeat(119)}%20y`).keyword?.[0]).toBe('x'.repeat(119));
    expect(filters('featureCode=%20A,,B%20,').featureCode).toEqual(['A', 'B']);
    expect(filters('maxPrice=%2030%20').maxPrice).toEqual(['30']);
    expect(filters('state=%20ga%20&city=Atlanta').state).toEqual(['GA']);
    for (const state of ['AL', 'NY', 'NC', 'VI'])
      expect(filters(`state=${state}&city=X`).state).toEqual([state]);
    expect(filters('state=ZZ&city=X')).not.toHaveProperty('state');
  });

  it('keeps 30 unknown parameters, and none without a name', () => {
    const query = Array.from({ length: 40 }, (_, index) => `u${index}=1`).join('&');
    expect(decode(`=nameless&${query}`).unknown.map(([name]) => name)).toEqual(
      Array.from({ length: 30 }, (_, index) => `u${index}`),
    );
  });

  it('reads states with white space, in any case, and skips invalid ones before a valid one', () => {
    expect(decode('sortBy=bogus&sortBy=%20yearASC%20').sortBy).toBe('yearASC');
    expect(decode('experience=%20Commercial%20').experience).toBe('commercial');
    for (const value of ['1', 'true', '%20TRUE%20'])
      expect(decode(`isSponsorship=${value}&expiredListing=${value}`)).toMatchObject({
        isSponsorship: true,
        expiredListing: true,
      });
    expect(decode('isSponsorship=&expiredListing=no')).not.toHaveProperty('isSponsorship');
    expect(decode('expiredListing=no')).not.toHaveProperty('expiredListing');
    expect(decode('openSection=doorcode')).toMatchObject({ openSection: 'doorCode' });
    expect(decode('openSection=ALL')).toMatchObject({ openSection: 'all' });
    expect(decode('openSection=doors')).not.toHaveProperty('openSection');
    expect(decode('refUrl=/a%5Cb')).not.toHaveProperty('refUrl');
    expect(decode(`refUrl=/${'x'.repeat(3000)}`).refUrl).toHaveLength(2000);
  });

  it('reads offsets from 0 to 10,000,000 and page sizes from 1', () => {
    expect(decode('numRecords=1')).toMatchObject({ numRecords: 1, firstRecord: 0 });
    expect(decode('numRecords=1&firstRecord=99999999').firstRecord).toBe(10_000_000);
    expect(decode('numRecords=0').numRecords).toBe(30);
    expect(decodeQuery('numRecords=50', { brand: 'oem' }).numRecords).toBe(50);
  });

  it('limits groups for the brand with a single group only', () => {
    const query = 'modelCodeList=F150,BMW3&trimCodeList=F150%7CXL,BMW3%7CM';
    expect(decodeQuery(query, { brand: 'oem' }).filters).toEqual({
      modelCode: ['F150'],
      trimCode: ['F150|XL'],
    });
    const both = 'makeCodeList=FORD,BMW&modelCodeList=BMW3,F150&trimCodeList=F150%7CXL,F150%7CXLT';
    expect(decodeUrl('/cars-for-sale/all-cars', both, testReference, { brand: 'oem' })).toMatchObject({
      criteria: { filters: { makeCode: ['FORD'], modelCode: ['F150'], trimCode: ['F150|XL'] } },
    });
    for (const brand of ['atc', 'kbb'] as const)
      expect(decodeQuery(query, { brand }).filters.modelCode).toEqual(['F150', 'BMW3']);
  });

  it('keeps a trim that one of the makes has, and any trim without both make and model', () => {
    const model = (trimCode: string) => [
      { code: 'M', name: 'M', slug: 'm', trims: [{ code: trimCode, name: trimCode, slug: 'x' }] },
    ];
    const reference = createSlugReference({
      makes: [
        { code: 'ONE', name: 'One', slug: 'one', models: model('M|A') },
        { code: 'TWO', name: 'Two', slug: 'two', models: model('M|B') },
      ],
    });
    const trims = (query: string) => {
      const result = decodeUrl('/cars-for-sale/all-cars', query, reference);
      return result.kind === 'search' && result.criteria.filters.trimCode;
    };
    expect(trims('makeCodeList=ONE,TWO&modelCode=M&trimCodeList=M%7CA,M%7CB,M%7CC')).toEqual(['M|A', 'M|B']);
    expect(trims('makeCode=ONE&trimCode=N%7CC')).toEqual(['N|C']);
    expect(trims('modelCode=M&trimCode=N%7CC')).toEqual(['N|C']);
  });
});

describe('written parameters', () => {
  it('writes each state under its own name, in order of the names', () => {
    const query =
      'bookmarkId=b&defaultScreen=signup&experience=commercial&expiredListing=1&firstRecord=100&isSponsorship=true' +
      '&numRecords=50&psid=p&refUrl=%2Fx&searchBookmarkId=s&showcaseOwnerId=o&siomid=i&sortBy=yearASC&zip=30303' +
      '&utm=1';
    expect(encodeUrl(decode(query), testReference)).toBe(`/cars-for-sale/all-cars?${query}`);
  });

  it('sorts filters by the names that they are written with', () => {
    const pairs = filterPairs({
      zip: ['30303'],
      makeCode: ['FORD', 'BMW'],
      endYear: ['2020'],
      keyword: ['x'],
    });
    expect(pairs).toEqual([
      ['endYear', '2020'],
      ['keyword', 'x'],
      ['makeCodeList', 'FORD,BMW'],
      ['zip', '30303'],
    ]);
  });
});

describe('isZip', () => {
  it.each(['30303', '00501'])('accepts %s', (zip) => {
    expect(isZip(zip)).toBe(true);
    expect(typedZipError(zip)).toBeUndefined();
  });

  it.each(['a0303', '3030a', '3030', '303030', '3 303', ''])("refuses '%s'", (zip) => {
    expect(isZip(zip)).toBe(false);
    expect(typedZipError(zip)).toBe('Enter a valid ZIP Code');
  });

  it('refuses a value that is not text', () => {
    expect([30303, ['3', '0', '3', '0', '3'], undefined].map(isZip)).toEqual([false, false, false]);
  });
});

describe('the URL of a search', () => {
  it('keeps the section that is open', () => {
    expect(encodeUrl(decode('openSection=makeCode'), testReference)).toBe(
      '/cars-for-sale/all-cars?openSection=makeCode',
    );
  });

  it('has the slugs of the reference rather than those that the search was found by', () => {
    const search = { ...decode('makeCode=FORD'), slugs: [['FORD', 'old-ford']] as const };
    expect(encodeUrl(search, testReference)).toBe('/cars-for-sale/all/ford');
  });
});
