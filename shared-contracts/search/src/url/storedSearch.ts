import { type Pairs, filterPairs, writeQuery } from './encode.ts';
import { RELEVANCE_SORT, isFilterName, resolveSort } from '../criteria/names.ts';
import { DEFAULT_PATH } from '../criteria/path.ts';
import type { SearchCriteria } from '../criteria/criteria.ts';

/**
 * Encodes a search for a bookmark: filters, sort and page mode by parameter name as JSON, encoded for a URL. The sort is always included, because a bookmark without one is an old one
 * (AMB-001).
 */
export function encodeStoredSearch({ filters, sortBy, experience }: SearchCriteria): string {
  const pairs: Pairs = [
    ...filterPairs(filters),
    ...(experience ? [['experience', experience] as const] : []),
    ['sortBy', sortBy],
  ];
  return encodeURIComponent(JSON.stringify(Object.fromEntries(pairs)).toWellFormed());
}

function parseText(text: string): unknown {
  try {
    return JSON.parse(decodeURIComponent(text));
  } catch {
    return undefined;
  }
}

/** Other parameters of the text (an id, a campaign, a return path) are not part of the stored search. */
const isSearchParam = (name: string): boolean => isFilterName(name) || name === 'experience';

/**
 * Path and query of a stored search, with all filters as parameters, which the URL codec validates like typed
 * ones. Never contains another bookmark (AMB-053). Undefined for invalid text.
 */
export function storedSearchUrl(stored: string): string | undefined {
  const search = parseText(stored);
  if (typeof search !== 'object' || search === null || Array.isArray(search)) return undefined;
  const searchPairs = Object.entries(search).flatMap(([name, value]): Pairs => {
    const text: unknown = Array.isArray(value) ? value.join(',') : value;
    return isSearchParam(name) && typeof text === 'string' && text !== '' ? [[name, text]] : [];
  });
  const { sortBy } = search as { sortBy?: unknown };
  const sort = resolveSort(typeof sortBy === 'string' ? sortBy : undefined, { serverLoaded: false });
  const pairs: Pairs = sort === RELEVANCE_SORT ? searchPairs : [...searchPairs, ['sortBy', sort]];
  return pairs.length === 0 ? DEFAULT_PATH : `${DEFAULT_PATH}?${writeQuery(pairs)}`;
}
