import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  type FilterParam,
  type SearchCriteria,
  EXPERIENCES,
  FILTER_PARAMS,
  SORT_VALUES,
} from '../criteria/criteria.ts';
import { normalizeFilters } from '../criteria/filterValues.ts';
import { decodeUrl } from '../criteria/decode.ts';
import { encodeUrl } from './encode.ts';
import { normalizeUrl } from './normalizeUrl.ts';
import { STATE_NAMES, namesOf } from '../criteria/names.ts';
import { PAYMENT_FIELDS } from '../criteria/paymentFilter.ts';
import { EMPTY_SLUG_REFERENCE, slugsOf } from '../criteria/slugs.ts';
import { testReference } from '../testing/builders.ts';

const RUNS = { numRuns: 10_000 };

const words = fc.constantFrom(
  ...[
    'FORD',
    'BMW',
    'RAM',
    'MERC',
    'ODD',
    'XYZ',
    'F150',
    'BMW3',
    'RM2019',
    'RMCA',
    'RMCB',
    'ESCAPE',
    'TRANVAN',
  ],
  ...['F150|XLT', 'F150|ZZZ', 'ESCAPE|SE', 'XLT', 'TRUCKS', 'VANMV', 'SEDAN', 'ELE', 'GSL', 'new', 'USED'],
  ...['3p_cert', 'p', 'd', 'include', 'off', '2019', '2022', '1066', '30303', '30303-1234', '303', '0', '50'],
  ...[
    '500',
    '30-MPG',
    '30',
    'greatprice',
    'xyz',
    'Atlanta',
    'St. Louis',
    'New York',
    'GA',
    'ny',
    'commercial',
  ],
  ...[
    '400-3000-60-5.9',
    '400--72',
    '29.9~-98.1~30.6~-97.3',
    '-10~-200.004~80~0.005',
    '30.6~-98.1~29.9~-97.3',
    'map',
    '60',
    'best-deals',
    'by-owner',
    'certified',
    'true',
    'relevance',
    'yearDESC',
    '/cars-for-sale?a=1',
    '//evil.test',
  ],
);
const anyText = fc.oneof(
  { weight: 6, arbitrary: words },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 200 }) },
  { weight: 1, arbitrary: fc.string({ maxLength: 10 }) },
  { weight: 1, arbitrary: fc.array(words, { maxLength: 8 }).map((list) => list.join(',')) },
);
const names = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.constantFrom(
      ...FILTER_PARAMS.flatMap(namesOf),
      ...STATE_NAMES,
      ...PAYMENT_FIELDS,
      'lastExec',
      'mmt',
      'utm_source',
    ),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 80 }) },
  { weight: 1, arbitrary: fc.constantFrom('__proto__', 'constructor', 'toString') },
);
const segment = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.constantFrom(
      ...['ford', 'Ford', 'f150', 'van', 'bmw', 'ram', '2019', '2022', 'truck', 'suv', 'electric', 'hybrid'],
      ...['xlt', 'escape', 'santa-fe-ca', 'new-york-ny'],
    ),
  },
  { weight: 1, arbitrary: fc.constantFrom('nope', '', '%00', '%', 'all-cars') },
);
const orderedPath = fc
  .tuple(
    ...[['2019'], ['truck', 'suv'], ['electric', 'hybrid'], ['ford', 'ram', 'electric']].map((slugs) =>
      fc.constantFrom('', ...slugs),
    ),
    fc.constantFrom('', 'f150', 'van', '2019', 'escape'),
    fc.constantFrom('', 'xlt', 'santa-fe-ca', 'new-york-ny'),
  )
  .map((slugs) => slugs.filter(Boolean));
const segments = fc
  .tuple(
    fc.constantFrom('all', 'used', 'new', 'certified', 'all', ''),
    fc.oneof(fc.constant([]), orderedPath, fc.array(segment, { maxLength: 4 })),
  )
  .map(([condition, rest]) => (condition ? [condition, ...rest] : []));
const anyUrl = fc
  .tuple(segments, fc.array(fc.tuple(names, anyText), { maxLength: 8 }))
  .map(([path, pairs]) => {
    const query = new URLSearchParams(pairs).toString();
    return `/cars-for-sale${path.map((segment) => `/${segment}`).join('')}${query && `?${query}`}`;
  });

const splitUrl = (url: string): [string, string] => {
  const mark = url.indexOf('?');
  return mark === -1 ? [url, ''] : [url.slice(0, mark), url.slice(mark + 1)];
};

/** Any search in normal form. */
const anyCriteria: fc.Arbitrary<SearchCriteria> = fc
  .record({
    values: fc.dictionary(
      fc.constantFrom<FilterParam>(...FILTER_PARAMS),
      fc.array(anyText, { minLength: 1, maxLength: 4 }),
    ),
    sortBy: fc.constantFrom(...SORT_VALUES),
    page: fc.nat({ max: 40 }),
    numRecords: fc.integer({ min: 1, max: 100 }),
    experience: fc.option(fc.constantFrom(...EXPERIENCES), { nil: undefined }),
    isSponsorship: fc.option(fc.constant(true), { nil: undefined }),
    showcaseOwnerId: fc.option(fc.constantFrom('5', 'o-77'), { nil: undefined }),
    unknown: fc.array(
      fc.tuple(fc.constantFrom('utm_source', 'a b', 'é'), fc.constantFrom('x', 'a&b=c', '100%')),
      {
        maxLength: 3,
      },
    ),
  })
  .map(({ values, page, experience, isSponsorship, showcaseOwnerId, ...rest }) => {
    const filters = normalizeFilters(values);
    // With make and model, only trims that the reference knows.
    const { trimCode: _, ...known } = filters;
    return {
      ...rest,
      filters: filters.makeCode && filters.modelCode ? known : filters,
      firstRecord: page * rest.numRecords,
      ...(experience && { experience }),
      ...(isSponsorship && { isSponsorship }),
      ...(showcaseOwnerId && { showcaseOwnerId }),
    };
  });

describe('URL codec', () => {
  // rows: B2-ROUTE-08
  it('decodes every search from its own URL', () => {
    fc.assert(
      fc.property(anyCriteria, (criteria) => {
        const decoded = decodeUrl(...splitUrl(encodeUrl(criteria, testReference)), testReference);
        expect(decoded).toEqual({ kind: 'search', criteria });
      }),
      RUNS,
    );
  });

  it('writes a URL without a reference that means the same with one', () => {
    fc.assert(
      fc.property(anyCriteria, (criteria) => {
        const decoded = decodeUrl(...splitUrl(encodeUrl(criteria, EMPTY_SLUG_REFERENCE)), testReference);
        expect(decoded).toEqual({ kind: 'search', criteria });
      }),
      { numRuns: 2000 },
    );
  });

  it('writes the canonical URL with the slugs of the search instead of a reference', () => {
    const anyVehicle = fc.record({
      makeCode: fc.constantFrom('FORD', 'BMW'),
      modelCode: fc.constantFrom(undefined, 'F150', 'BMW3'),
      trimCode: fc.constantFrom(undefined, 'F150|XLT'),
      startYear: fc.constantFrom(undefined, '2019'),
      listingType: fc.constantFrom(undefined, 'USED'),
      maxPrice: fc.constantFrom(undefined, '20000'),
    });
    fc.assert(
      fc.property(anyVehicle, anyCriteria, (vehicle, criteria) => {
        const values = Object.entries(vehicle).flatMap(([name, value]) => (value ? [[name, [value]]] : []));
        const filters = normalizeFilters(Object.fromEntries(values));
        const search = { ...criteria, filters };
        const slugs = slugsOf(filters, testReference);
        expect(encodeUrl({ ...search, slugs }, EMPTY_SLUG_REFERENCE)).toBe(encodeUrl(search, testReference));
      }),
      { numRuns: 2000 },
    );
  });

  it('encodes and decodes a decoded search without changes', () => {
    fc.assert(
      fc.property(anyUrl, (url) => {
        const first = decodeUrl(...splitUrl(url), testReference);
        if (first.kind === 'notFound') return;
        const written = encodeUrl(first.criteria, testReference);
        const second = decodeUrl(...splitUrl(written), testReference);
        expect(second).toEqual(first);
        expect(second.kind === 'search' && encodeUrl(second.criteria, testReference)).toBe(written);
      }),
      RUNS,
    );
  });

  // rows: B7-URL-02
  it('redirects at most once, to a path on this page, for any brand', () => {
    const brands = fc.constantFrom('atc' as const, 'oem' as const);
    fc.assert(
      fc.property(anyUrl, brands, (url, brand) => {
        const first = normalizeUrl(url, testReference, { brand });
        if (first.kind === 'notFound') return;
        expect(first.canonicalUrl).toMatch(/^\/cars-for-sale(\/|\?|$)/);
        const second = normalizeUrl(first.canonicalUrl, testReference, { brand });
        expect(second).toEqual({ ...first, needsRedirect: false });
        if (!first.needsRedirect) expect(second.kind).toBe('search');
      }),
      RUNS,
    );
  });

  it('never throws for any URL', () => {
    const anyInput = fc.string({ unit: 'binary', maxLength: 300 });
    fc.assert(
      fc.property(anyInput, anyInput, (path, query) => {
        decodeUrl(path, query, testReference);
        decodeUrl(`/cars-for-sale/all/${path}`, query, testReference);
        normalizeUrl(`/cars-for-sale${path}`, testReference);
      }),
      RUNS,
    );
  });

  it('removes all control characters', () => {
    const texts = (value: unknown): string[] =>
      typeof value === 'object' && value !== null
        ? Object.entries(value).flatMap(([key, inner]) => [key, ...texts(inner)])
        : [String(value)];
    fc.assert(
      fc.property(anyUrl, (url) => {
        const result = decodeUrl(...splitUrl(url), testReference);
        for (const text of texts(result)) expect(text).not.toMatch(/\p{Cc}/u);
      }),
      { numRuns: 2000 },
    );
  });

  it('generates mostly URLs of searches', () => {
    const results = fc.sample(anyUrl, 1000).map((url) => decodeUrl(...splitUrl(url), testReference).kind);
    expect(results.filter((kind) => kind === 'search').length).toBeGreaterThan(400);
  });
});
