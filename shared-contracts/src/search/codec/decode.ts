import type { FilterParam, FilterValues, SearchCriteria } from '../criteria.ts';
import { FILTER_PARAMS } from '../criteria.ts';
import { categoryFilter, holdsCategory } from '../filterValues.ts';
import { limitGroups } from './groups.ts';
import { isKnownName, namesOf } from './names.ts';
import type { NotFoundReason } from './path.ts';
import { DEFAULT_PATH, parsePath } from './path.ts';
import type { SlugReference } from './slugs.ts';
import { EMPTY_SLUG_REFERENCE } from './slugs.ts';
import type { StateOptions } from './state.ts';
import { readState } from './state.ts';
import { MAX_CODE_LENGTH, cleanText } from './text.ts';
import { readValues } from './values.ts';

export type DecodeOptions = StateOptions;

export type DecodeResult =
  | { readonly kind: 'search'; readonly criteria: SearchCriteria }
  | { readonly kind: 'notFound'; readonly reason: NotFoundReason };

/** Pairs of a query that are read; the rest of a longer one is ignored. */
const MAX_PAIRS = 300;
const MAX_UNKNOWN = 30;
const MAX_UNKNOWN_LENGTH = 512;

/**
 * Reads a path and a query into the search they mean. Never throws, whatever
 * the input: what cannot be read is dropped or, for a path, not found. A value
 * in the path wins over the same parameter in the query (AMB-046).
 */
export function decodeUrl(
  pathname: string,
  query: string | URLSearchParams,
  reference: SlugReference,
  options: DecodeOptions = {},
): DecodeResult {
  const path = parsePath(pathname, reference);
  if ('reason' in path) return { kind: 'notFound', reason: path.reason };
  const pairs = [...(typeof query === 'string' ? new URLSearchParams(query) : query)].slice(0, MAX_PAIRS);
  const valuesByName = new Map<string, string[]>();
  for (const [name, value] of pairs) {
    const values = valuesByName.get(name);
    if (values) values.push(value);
    else valuesByName.set(name, [value]);
  }
  const values = (name: string): readonly string[] => valuesByName.get(name) ?? [];

  const filters: Partial<Record<FilterParam, readonly string[]>> = {};
  for (const param of FILTER_PARAMS) {
    const fromPath = path.filters[param];
    const given = fromPath ?? namesOf(param).flatMap(values);
    const read = given.length > 0 ? readValues(param, given) : [];
    if (read.length > 0) filters[param] = read;
  }
  const state = readState(values, options);
  const { categorySearch, ...others } = state;
  const grouped = limitGroups(filters, reference, options.brand);
  const categorised = applyCategory(grouped, categorySearch);
  return {
    kind: 'search',
    criteria: {
      ...others,
      ...(categorised.categorySearch && { categorySearch: categorised.categorySearch }),
      filters: categorised.filters,
      unknown: readUnknown(pairs),
    },
  };
}

/** Reads a query alone, as the services do. */
export function decodeQuery(query: string | URLSearchParams, options: DecodeOptions = {}): SearchCriteria {
  const result = decodeUrl(DEFAULT_PATH, query, EMPTY_SLUG_REFERENCE, options);
  if (result.kind === 'notFound') throw new Error(`The default path was refused: ${result.reason}`);
  return result.criteria;
}

/**
 * A category and its filter values stand together: missing values are filled
 * in; other values of the same filter mean that the category is left (AMB-085).
 */
function applyCategory(
  filters: FilterValues,
  category: SearchCriteria['categorySearch'],
): Pick<SearchCriteria, 'filters' | 'categorySearch'> {
  const wanted = categoryFilter(category);
  if (!category || !wanted) return { filters };
  const filled = filters[wanted.param] ? filters : { ...filters, [wanted.param]: wanted.values };
  return { filters: filled, ...(holdsCategory(filled, category) && { categorySearch: category }) };
}

/** Unknown parameters, kept for those who added them (utm_…), in their order (AMB-048). */
function readUnknown(pairs: readonly (readonly [string, string])[]): SearchCriteria['unknown'] {
  return pairs
    .map(([name, value]) => [cleanText(name, MAX_CODE_LENGTH), cleanText(value, MAX_UNKNOWN_LENGTH)] as const)
    .filter(([name, value]) => name && value && !isKnownName(name))
    .slice(0, MAX_UNKNOWN);
}
