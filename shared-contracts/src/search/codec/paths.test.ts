import { describe, expect, it } from '@jest/globals';
import { decodeUrl } from '../../criteria/decode.ts';
import { normalizeUrl } from '../../url/normalize.ts';
import { DEFAULT_PATH, RESULTS_PATH } from '../../criteria/path.ts';
import { createSlugReference, EMPTY_SLUG_REFERENCE } from '../../criteria/slugs.ts';
import { testReference } from '../../testing/builders.ts';

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
