import { describe, expect, it } from '@jest/globals';
import { decodeUrl } from '../criteria/decode.ts';
import { normalizeUrl } from './normalizeUrl.ts';
import { DEFAULT_PATH, RESULTS_PATH } from '../criteria/path.ts';
import { createSlugReference, EMPTY_SLUG_REFERENCE } from '../criteria/slugs.ts';
import { testReference } from '../testing/builders.ts';

const filtersOf = (path: string, query = '') => {
  const result = decodeUrl(path, query, testReference);
  return result.kind === 'search' ? result.criteria.filters : result.reason;
};
const normal = (url: string) => {
  const result = normalizeUrl(url, testReference);
  return result.kind === 'search' ? [result.canonicalUrl, result.needsRedirect] : result.reason;
};

describe('paths', () => {
  // rows: A2-ROUTE-02
  it('reads make and model', () => {
    expect(filtersOf('/cars-for-sale/all/ford/f150')).toEqual({ makeCode: ['FORD'], modelCode: ['F150'] });
  });

  // rows: A2-ROUTE-03, A2-ROUTE-04
  it('reads body style and make', () => {
    expect(filtersOf('/cars-for-sale/all/truck/ford')).toEqual({
      vehicleStyleCode: ['TRUCKS'],
      makeCode: ['FORD'],
    });
    expect(filtersOf('/cars-for-sale/all/suv-crossover/ford')).toEqual({
      vehicleStyleCode: ['SUVCROSS'],
      makeCode: ['FORD'],
    });
  });

  // rows: A2-ROUTE-05
  it('reads a fuel group', () => {
    expect(filtersOf('/cars-for-sale/all/electric')).toEqual({ fuelTypeGroup: ['ELE'] });
  });

  it.each([
    ['gasoline', 'fuelTypeGroup', 'GSL'],
    ['diesel', 'fuelTypeGroup', 'DSL'],
    ['hybrid', 'fuelTypeGroup', 'HYB'],
    ['plug-in-hybrid', 'fuelTypeGroup', 'PIH'],
    ['alternative', 'fuelTypeGroup', 'ALT'],
    ['hydrogen', 'fuelTypeGroup', 'HYD'],
    ['van-minivan', 'vehicleStyleCode', 'VANMV'],
    ['coupe', 'vehicleStyleCode', 'COUPE'],
  ])('reads and writes %s', (slug, param, code) => {
    expect(filtersOf(`/cars-for-sale/all/${slug}`)).toEqual({ [param]: [code] });
    expect(normal(`/cars-for-sale/all-cars?${param}=${code}`)).toEqual([`/cars-for-sale/all/${slug}`, true]);
  });

  it.each([
    ['new', 'NEW'],
    ['used', 'USED'],
    ['certified', 'CERTIFIED'],
  ])('reads and writes the condition %s', (slug, code) => {
    expect(filtersOf(`/cars-for-sale/${slug}`)).toEqual({ listingType: [code] });
    expect(normal(`/cars-for-sale/all-cars?listingType=${code}`)).toEqual([`/cars-for-sale/${slug}`, true]);
    expect(normal(`/cars-for-sale/all-cars?listingType=${code},3P_CERT`)).toEqual(
      expect.arrayContaining([expect.stringMatching(/^\/cars-for-sale\/all-cars\?listingType=/)]),
    );
  });

  it('writes a year, a trim and a city when they are single', () => {
    const path = '/cars-for-sale/all/2020/ford/f150';
    expect(
      normal('/cars-for-sale/all-cars?startYear=2020&endYear=2020&makeCode=FORD&modelCode=F150'),
    ).toEqual([path, true]);
    expect(normal('/cars-for-sale/all-cars?makeCode=FORD&modelCode=F150&trimCode=F150%7CXLT')).toEqual([
      '/cars-for-sale/all/ford/f150/xlt',
      true,
    ]);
    expect(normal('/cars-for-sale/all-cars?startYear=2019&endYear=2020')).toEqual([
      '/cars-for-sale/all-cars?endYear=2020&startYear=2019',
      true,
    ]);
    expect(normal('/cars-for-sale/all-cars?endYear=2020')).toEqual([
      '/cars-for-sale/all-cars?endYear=2020',
      false,
    ]);
    expect(normal('/cars-for-sale/all-cars?city=San+Jose&state=CA')).toEqual([
      '/cars-for-sale/all/san-jose-ca',
      true,
    ]);
    expect(normal('/cars-for-sale/all-cars?state=CA')).toEqual(['/cars-for-sale/all-cars?state=CA', false]);
  });

  it.each([
    'vehicle',
    'svc',
    'api',
    'searchoptions',
    'kbbresearch',
    'consumer-device',
    'still-interested',
    'build-your-price',
    'compare',
  ])('leaves /cars-for-sale/%s to another page', (segment) => {
    expect(filtersOf(`/cars-for-sale/${segment}`)).toBe('reserved');
  });

  it.each([
    ['all/2020/2021', 'unknownSegment'],
    ['all/12020', 'unknownSegment'],
    ['all/20201', 'unknownSegment'],
    ['all/truck/sedan', 'unknownSegment'],
    ['all/electric/diesel', 'unknownSegment'],
    ['all/ford/bmw', 'unknownSegment'],
    ['all/ford/f150/f150', 'unknownSegment'],
    ['all/9-atlanta-ga', 'unknownSegment'],
    ['all/atlanta-gax', 'unknownSegment'],
    ['all/atlanta-zz', 'unknownSegment'],
    ['all/atlanta-ga/ford', 'unknownSegment'],
    ['all-cars/ford', 'unknownPath'],
    ['used%00', 'malformed'],
    ['used%2Fford', 'malformed'],
  ])('refuses %s', (path, reason) => {
    expect(filtersOf(`/cars-for-sale/${path}`)).toBe(reason);
  });

  it.each([
    ['ford', '/cars-for-sale/all/ford'],
    ['ford/f150/xlt', '/cars-for-sale/all/ford/f150/xlt'],
    ['2020/truck/ford', '/cars-for-sale/all/2020/truck/ford'],
    ['electric', '/cars-for-sale/all/electric'],
    ['Atlanta-GA', '/cars-for-sale/all/atlanta-ga'],
  ])('leads from /cars-for-sale/%s, without a condition, to the address with all of them', (path, target) => {
    expect(normal(`/cars-for-sale/${path}`)).toEqual([target, true]);
    expect(normal(`/cars-for-sale/${path}?maxPrice=9000`)).toEqual([`${target}?maxPrice=9000`, true]);
    expect(normal(target)).toEqual([target, false]);
  });

  it('ignores white space around a segment', () => {
    expect(filtersOf('/cars-for-sale/%20used%20')).toEqual({ listingType: ['USED'] });
  });

  it('reads condition, year, trim and city together', () => {
    expect(filtersOf('/cars-for-sale/used/2019/ford/f150/xlt/new-york-ny')).toEqual({
      listingType: ['USED'],
      startYear: ['2019'],
      endYear: ['2019'],
      makeCode: ['FORD'],
      modelCode: ['F150'],
      trimCode: ['F150|XLT'],
      city: ['New York'],
      state: ['NY'],
    });
  });

  it('reads a model named like a year, a style or a city as the model of its make', () => {
    expect(filtersOf('/cars-for-sale/all/ram/2019')).toEqual({ makeCode: ['RAM'], modelCode: ['RM2019'] });
    expect(filtersOf('/cars-for-sale/all/ford/van')).toEqual({ makeCode: ['FORD'], modelCode: ['TRANVAN'] });
    expect(filtersOf('/cars-for-sale/all/ram/santa-fe-ca')).toEqual({
      makeCode: ['RAM'],
      modelCode: ['RMCA'],
    });
  });

  it('lets the path win over the query', () => {
    expect(filtersOf('/cars-for-sale/used/ford', 'makeCode=BMW&listingType=NEW&modelCode=F150')).toEqual({
      listingType: ['USED'],
      makeCode: ['FORD'],
      modelCode: ['F150'],
    });
  });

  it('refuses reserved, unknown and malformed paths', () => {
    expect(filtersOf('/cars-for-sale/vehicle/123')).toBe('reserved');
    expect(filtersOf('/cars-for-sale/svc')).toBe('reserved');
    expect(filtersOf('/cars-for-sale/boats')).toBe('unknownPath');
    expect(filtersOf('/cars-for-sale/ford/boats')).toBe('unknownSegment');
    expect(filtersOf('/cars-for-sale/all/unicorn')).toBe('unknownSegment');
    expect(filtersOf('/cars-for-sale/all/ford/f150/xlt/nope')).toBe('unknownSegment');
    expect(filtersOf('/cars-for-sale/all/atlanta-ga/ford')).toBe('unknownSegment');
    expect(filtersOf('/cars-for-sale/all/%E0%A4')).toBe('malformed');
    expect(filtersOf('/cars-for-sale/all/ford%2Ff150')).toBe('malformed');
    expect(filtersOf('/boats')).toBe('notSearch');
    expect(filtersOf('/cars-for-sale/constructor')).toBe('unknownPath');
    expect(filtersOf('/cars-for-sale/all/constructor')).toBe('unknownSegment');
  });

  it("reports that a make can't be resolved when no makes are known", () => {
    const result = decodeUrl('/cars-for-sale/all/ford', '', EMPTY_SLUG_REFERENCE);
    expect(result).toEqual({ kind: 'notFound', reason: 'referenceMissing' });
  });
});

it('resolves nothing with the empty reference or one without makes', () => {
  const emptyReference = createSlugReference({ makes: [] });
  expect(Object.keys(EMPTY_SLUG_REFERENCE).sort()).toEqual(Object.keys(emptyReference).sort());
  for (const [name, value] of Object.entries(EMPTY_SLUG_REFERENCE)) {
    const other = emptyReference[name as keyof typeof emptyReference];
    const args = name.endsWith('Label') ? ['F150', ['FORD']] : ['FORD', 'F150', 'x'];
    const resultOf = (member: unknown) =>
      typeof member === 'function' ? (member as (...args: unknown[]) => unknown)(...args) : member;
    expect([name, resultOf(value)]).toEqual([name, resultOf(other)]);
  }
});

describe('the normal form', () => {
  // rows: B2-ROUTE-02, B2-ROUTE-07
  it('keeps the bare route and all-cars without a redirect', () => {
    expect(RESULTS_PATH).toBe('/cars-for-sale');
    expect(DEFAULT_PATH).toBe('/cars-for-sale/all-cars');
    expect(normal('/cars-for-sale')).toEqual(['/cars-for-sale', false]);
    expect(normal('/cars-for-sale/all-cars')).toEqual(['/cars-for-sale/all-cars', false]);
    expect(normal('/cars-for-sale?zip=30303')).toEqual(['/cars-for-sale?zip=30303', false]);
    expect(normal('/cars-for-sale/all')).toEqual(['/cars-for-sale/all-cars', true]);
  });

  it('redirects a submitted form once, to a path', () => {
    expect(normal('/cars-for-sale/all-cars?zip=&makeCode=FORD&modelCode=F150&maxPrice=')).toEqual([
      '/cars-for-sale/all/ford/f150',
      true,
    ]);
  });

  // rows: B7-URL-02
  it("keeps filters that a path can't express in the query, with ascending names", () => {
    const url = '/cars-for-sale/all/ford/f150?searchRadius=50&zip=60601';
    expect(normal(url)).toEqual([url, false]);
    expect(normal('/cars-for-sale/all/ford/f150?zip=60601&searchRadius=50')).toEqual([url, true]);
  });

  it('keeps the order of makes and models, sorts other lists, and puts unknown names last', () => {
    expect(
      normal('/cars-for-sale/all-cars?utm_z=1&makeCodeList=RAM,BMW&listingType=USED,CERTIFIED&a=b'),
    ).toEqual(['/cars-for-sale/all-cars?listingType=CERTIFIED,USED&makeCodeList=RAM,BMW&utm_z=1&a=b', true]);
  });

  // rows: B5-URL-02
  it('merges legacy makes and models in a single redirect', () => {
    expect(normal('/cars-for-sale/all-cars?makeCode1=FORD&makeCode2=BMW&modelCode1=F150')).toEqual([
      '/cars-for-sale/all-cars?makeCodeList=FORD,BMW&modelCode=F150',
      true,
    ]);
    const makes = 'makeCode1=FORD&makeCode2=BMW&makeCode3=RAM';
    const models = 'modelCodeList=ESCAPE&modelCode1=F150&modelCode2=BMW3&modelCode3=RM2019';
    expect(normal(`/cars-for-sale/all-cars?${makes}&${models}`)).toEqual([
      '/cars-for-sale/all-cars?makeCodeList=FORD,BMW,RAM&modelCodeList=ESCAPE,F150,BMW3,RM2019',
      true,
    ]);
  });

  // rows: B5-URL-03
  it('drops lastExec and mmt', () => {
    expect(normal('/cars-for-sale?lastExec=1&mmt=x&zip=30303')).toEqual(['/cars-for-sale?zip=30303', true]);
  });

  it('does not redirect for another percent-encoding, but for capitals and slashes', () => {
    expect(normal('/cars-for-sale/all/f%6Frd?makeCode=&listingType=CERTIFIED%2CUSED')).toEqual([
      '/cars-for-sale/all/ford?listingType=CERTIFIED,USED',
      true,
    ]);
    expect(normal('/cars-for-sale/all/f%6Frd?listingType=CERTIFIED%2CUSED')).toEqual([
      '/cars-for-sale/all/ford?listingType=CERTIFIED,USED',
      false,
    ]);
    expect(normal('/cars-for-sale/all/Ford')).toEqual(['/cars-for-sale/all/ford', true]);
    expect(normal('/cars-for-sale/all/ford/')).toEqual(['/cars-for-sale/all/ford', true]);
    expect(normal('//cars-for-sale//all/ford')).toEqual(['/cars-for-sale/all/ford', true]);
  });

  it('keeps a city that its slug would change in the query', () => {
    expect(normal('/cars-for-sale/all-cars?city=St.+Louis&state=MO')).toEqual([
      '/cars-for-sale/all-cars?city=St.%20Louis&state=MO',
      false,
    ]);
    expect(normal('/cars-for-sale/all-cars?city=New+York&state=NY')).toEqual([
      '/cars-for-sale/all/new-york-ny',
      true,
    ]);
  });

  it('keeps a model whose slug another model owns in the query', () => {
    expect(normal('/cars-for-sale/all/ram?modelCode=RMCB')).toEqual([
      '/cars-for-sale/all/ram?modelCode=RMCB',
      false,
    ]);
  });

  it('omits defaults from the URL', () => {
    expect(normal('/cars-for-sale?sortBy=relevance&firstRecord=0&numRecords=30')).toEqual([
      '/cars-for-sale',
      true,
    ]);
    expect(normal('/cars-for-sale?sortBy=derivedpriceDESC')).toEqual([
      '/cars-for-sale?sortBy=derivedpriceDESC',
      false,
    ]);
  });
});

describe('redirects', () => {
  it('returns the criteria, and redirects when a value, a name or a pair differs', () => {
    const result = normalizeUrl('/cars-for-sale/all-cars?zip=30303&utm=1', testReference);
    expect(result).toMatchObject({ needsRedirect: false, criteria: { filters: { zip: ['30303'] } } });
    expect(normal('/cars-for-sale/all-cars?zip=30303-1')).toEqual([
      '/cars-for-sale/all-cars?zip=30303',
      true,
    ]);
    expect(normal('/cars-for-sale/all-cars?makeCodes=X&zip=30303')).toEqual([
      '/cars-for-sale/all-cars?zip=30303&makeCodes=X',
      true,
    ]);
    expect(normal('/cars-for-sale/all-cars?zip=30303&zip=30304')).toEqual([
      '/cars-for-sale/all-cars?zip=30303',
      true,
    ]);
    expect(normal('/cars-for-sale?makeCode=FORD')).toEqual(['/cars-for-sale/all/ford', true]);
    expect(normal('/cars-for-sale/vehicle')).toBe('reserved');
    expect(normal('/cars-for-sale/all-cars#results')).toEqual(['/cars-for-sale/all-cars', false]);
  });

  it('replaces a plural name', () => {
    expect(normal('/cars-for-sale/all-cars?mpgRanges=30-MPG')).toEqual([
      '/cars-for-sale/all-cars?mpgRange=30-MPG',
      true,
    ]);
  });
});
