import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { MAX_SEARCH_RADIUS, type FilterParam } from '../criteria/criteria.ts';
import { decodeUrl } from '../criteria/decode.ts';
import { isKnownName } from '../criteria/names.ts';
import { normalizeUrl } from './normalizeUrl.ts';
import { testReference } from '../testing/builders.ts';

const RUNS = { numRuns: 1_000 };

type Pair = readonly [name: string, value: string];

const urlOf = (pairs: readonly Pair[], path = '/cars-for-sale/all-cars') => {
  const query = new URLSearchParams(pairs.map((pair) => [...pair])).toString();
  return query ? `${path}?${query}` : path;
};
function normal(url: string) {
  const result = normalizeUrl(url, testReference);
  if (result.kind !== 'search') throw new Error(result.reason);
  return result;
}
const filtersOf = (pairs: readonly Pair[]) => normal(urlOf(pairs)).criteria.filters;

/** Values of one parameter, with all of its names. */
interface Form {
  readonly param: FilterParam;
  readonly values: readonly string[];
  readonly names: readonly string[];
}
const some = (...values: string[]) => fc.uniqueArray(fc.constantFrom(...values), { minLength: 1 });
const formOf = (param: FilterParam, names: readonly string[], values: fc.Arbitrary<string[]>) =>
  values.map((formValues): Form => ({ param, names, values: formValues }));

const anyForm: fc.Arbitrary<Form> = fc.oneof(
  formOf('makeCode', ['makeCode', 'makeCodeList'], some('FORD', 'BMW', 'RAM', 'XYZ')),
  formOf('modelCode', ['modelCode', 'modelCodeList'], some('F150', 'ESCAPE', 'BMW3')),
  formOf('vehicleStyleCode', ['vehicleStyleCode', 'vehicleStyleCodes'], some('SEDAN', 'COUPE', 'TRUCKS')),
  formOf('listingType', ['listingType', 'listingTypes'], some('NEW', 'USED', 'CERTIFIED', '3P_CERT')),
  formOf('sellerType', ['sellerType', 'sellerTypes'], some('p', 'd')),
  formOf('mpgRange', ['mpgRange', 'mpgRanges'], some('20-MPG', '30-MPG', '40-MPG')),
);

/** The same values as one comma list, as repeated keys, and split between both names. */
const spellings = ({ values, names }: Form): readonly (readonly Pair[])[] => {
  const [singular = '', plural = ''] = names;
  return [
    [[singular, values.join(',')]],
    [[plural, values.join(',')]],
    values.map((value): Pair => [singular, value]),
    values.map((value): Pair => [plural, value]),
    [...values, ...values].map((value, index): Pair => [index < values.length ? singular : plural, value]),
  ];
};

describe('forms of a parameter', () => {
  // rows: A2-QP-09, A2-QP-15, A2-QP-18, A2-QP-20, A2-QP-26
  it('decodes all forms of a parameter to one URL with at most one redirect', () => {
    fc.assert(
      fc.property(anyForm, (form) => {
        const results = spellings(form).map((pairs) => normal(urlOf(pairs)));
        const [first] = results;
        for (const result of results) {
          expect(result.criteria.filters).toEqual(first?.criteria.filters);
          expect(result.canonicalUrl).toBe(first?.canonicalUrl);
          expect(normal(result.canonicalUrl).needsRedirect).toBe(false);
        }
        expect([...(first?.criteria.filters[form.param] ?? [])].sort()).toEqual([...form.values].sort());
      }),
      RUNS,
    );
  });

  // rows: B5-URL-02, B5-URL-03
  it('merges legacy names with lists, in order and without duplicates', () => {
    const makes = fc.uniqueArray(fc.constantFrom('FORD', 'BMW', 'RAM', 'ODD'), { maxLength: 3 });
    fc.assert(
      fc.property(makes, makes, fc.boolean(), (listedMakes, numberedMakes, isDropped) => {
        const pairs: Pair[] = [
          ...(listedMakes.length > 0 ? [['makeCodeList', listedMakes.join(',')] as const] : []),
          ...numberedMakes.map((make, index): Pair => [`makeCode${index + 1}`, make]),
          ...(isDropped
            ? ([
                ['lastExec', '1'],
                ['mmt', 'x'],
              ] as const)
            : []),
        ];
        const { criteria, canonicalUrl } = normal(urlOf(pairs));
        const mergedMakes = [...new Set([...listedMakes, ...numberedMakes])];
        expect(criteria.filters.makeCode ?? []).toEqual(mergedMakes);
        expect(canonicalUrl).not.toMatch(/makeCode\d|lastExec|mmt/);
        expect(normal(canonicalUrl)).toMatchObject({ needsRedirect: false, criteria });
      }),
      RUNS,
    );
  });
});

describe('query order', () => {
  const knownPair = fc.constantFrom<Pair>(
    ['zip', '30303'],
    ['searchRadius', '50'],
    ['maxPrice', '20000'],
    ['extColorSimple', 'RED,BLUE'],
    ['sortBy', 'yearASC'],
    ['firstRecord', '30'],
    ['makeCode', 'FORD'],
    ['sellerType', 'p'],
    ['psid', 'X'],
  );
  const shuffled = fc
    .uniqueArray(knownPair, { selector: ([name]) => name })
    .chain((pairs) => fc.tuple(fc.constant(pairs), fc.shuffledSubarray(pairs, { minLength: pairs.length })));

  // rows: B7-URL-02
  it('leads to one URL for any order of the query', () => {
    fc.assert(
      fc.property(shuffled, ([pairs, shuffledPairs]) => {
        expect(normal(urlOf(shuffledPairs)).canonicalUrl).toBe(normal(urlOf(pairs)).canonicalUrl);
      }),
      RUNS,
    );
  });

  it('puts unknown parameters last, all of them, in their original order', () => {
    const unknown = fc.array(
      fc.tuple(
        fc.constantFrom('utm_source', 'utm_medium', 'gclid', 'a b', '__proto__', 'é'),
        fc.constantFrom('x', 'a&b=c', '100%', ',', '/', '✓'),
      ),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(shuffled, unknown, ([pairs], unknownPairs) => {
        const mixedPairs = unknownPairs.flatMap((pair, index): Pair[] =>
          pairs[index] ? [pair, pairs[index]] : [pair],
        );
        const url = urlOf([...mixedPairs, ...pairs.slice(unknownPairs.length)]);
        const { canonicalUrl, criteria } = normal(url);
        expect(criteria.unknown).toEqual(unknownPairs);
        const writtenPairs = [...new URL(canonicalUrl, 'https://example.com').searchParams];
        expect(writtenPairs.slice(writtenPairs.length - unknownPairs.length)).toEqual(unknownPairs);
        expect(
          writtenPairs
            .slice(0, writtenPairs.length - unknownPairs.length)
            .every(([name]) => isKnownName(name)),
        ).toBe(true);
      }),
      RUNS,
    );
  });
});

describe('validated values', () => {
  // rows: A4-FLOW-04, A4-FLOW-05
  it('reduces a ZIP to its first five digits, or drops it', () => {
    const anyZip = fc.oneof(fc.string(), fc.stringMatching(/^\d{3,9}$/), fc.stringMatching(/^\d{5}-\d{4}$/));
    fc.assert(
      fc.property(anyZip, (zip) => {
        const decodedZip = filtersOf([['zip', zip]]).zip;
        const expected = /^\d{5}/.exec(zip.trim())?.[0];
        expect(decodedZip).toEqual(expected === undefined ? undefined : [expected]);
      }),
      RUNS,
    );
  });

  // rows: A9-LIMIT-05
  it('keeps a whole radius from 0 to the maximum, or none', () => {
    const anyRadius = fc.oneof(
      fc.integer().map(String),
      fc.nat(300).map(String),
      fc.double().map(String),
      fc.string(),
    );
    fc.assert(
      fc.property(anyRadius, (radius) => {
        const [decodedRadius] = filtersOf([['searchRadius', radius]]).searchRadius ?? [];
        if (decodedRadius === undefined) expect(radius.trim()).not.toMatch(/^\d{1,9}$/);
        else expect(decodedRadius).toBe(String(Math.min(MAX_SEARCH_RADIUS, Number(radius))));
      }),
      RUNS,
    );
  });

  // rows: B5-TRIM-01
  it('keeps only trims of the selected make and model that the reference knows', () => {
    const trims = fc.array(
      fc.constantFrom('F150|XL', 'F150|XLT', 'F150|ZZZ', 'ESCAPE|SE', 'XL', '|', 'F150|'),
      {
        minLength: 1,
        maxLength: 6,
      },
    );
    fc.assert(
      fc.property(trims, (trimCodes) => {
        const pairs: Pair[] = [
          ['makeCode', 'FORD'],
          ['modelCode', 'F150'],
          ['trimCodeList', trimCodes.join(',')],
        ];
        const modelTrims = ['F150|XL', 'F150|XLT'];
        const expected = [...new Set(trimCodes)].filter((trim) => modelTrims.includes(trim));
        expect(filtersOf(pairs).trimCode ?? []).toEqual(expected);
      }),
      RUNS,
    );
  });
});

describe('path', () => {
  const slug = fc.stringMatching(/^[a-z][a-z0-9-]{0,12}[a-z0-9]$/);
  const isKnown = (make: string, model?: string) => {
    const code = testReference.makeBySlug(make);
    return (
      code !== undefined && (model === undefined || testReference.modelBySlug(code, model) !== undefined)
    );
  };
  const isFound = (path: string) => decodeUrl(path, '', testReference).kind === 'search';
  /** Words with a meaning other than make or model. */
  const OTHER =
    /^((19|20)\d{2}|truck|suv|van|sedan|coupe|hatchback|convertible|suv-crossover|van-minivan|electric|gasoline|diesel|hybrid|plug-in-hybrid|alternative|hydrogen|.*-[a-z]{2})$/;

  // rows: A2-ROUTE-02
  it('does not find a path with an unknown make or model', () => {
    fc.assert(
      fc.property(slug, slug, (make, model) => {
        fc.pre(!OTHER.test(make) && !OTHER.test(model));
        expect(isFound(`/cars-for-sale/all/${make}`)).toBe(isKnown(make));
        expect(isFound(`/cars-for-sale/all/${make}/${model}`)).toBe(isKnown(make, model));
        expect(isFound(`/cars-for-sale/all/ford/${model}`)).toBe(isKnown('ford', model));
      }),
      RUNS,
    );
  });
});
