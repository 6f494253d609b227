import { type Pairs, filterPairs, writeQuery } from './encode.ts';
import { RELEVANCE_SORT, isFilterName, resolveSort } from '../criteria/names.ts';
import { DEFAULT_PATH } from '../criteria/path.ts';
import type { SearchCriteria } from '../criteria/criteria.ts';

/**
 * What a bookmark keeps of a search: its filters, sort and page mode by
 * parameter name as JSON, encoded for a URL (A3-BOOKMARK-01, AMB-099). The
 * sort always stands there: without one it is an old bookmark (AMB-001).
 */
export function encodeStoredSearch({ filters, sortBy, experience }: SearchCriteria): string {
  const pairs: Pairs = [
    ...filterPairs(filters),
    ...(experience ? [['experience', experience] as const] : []),
    ['sortBy', sortBy],
  ];
  return encodeURIComponent(JSON.stringify(Object.fromEntries(pairs)).toWellFormed());
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(decodeURIComponent(text));
  } catch {
    return undefined;
  }
}

/** What else such a text names (an id, a campaign, a way back) is no part of the search that was kept. */
const isKept = (name: string): boolean => isFilterName(name) || name === 'experience';

/**
 * Path and query of a stored search, all of it as parameters: the codec reads
 * them as it reads what a visitor typed. Whoever wrote the text, it names no
 * bookmark again (AMB-053). Undefined for what is no such text.
 */
export function storedSearchUrl(stored: string): string | undefined {
  const search = parsed(stored);
  if (typeof search !== 'object' || search === null || Array.isArray(search)) return undefined;
  const kept = Object.entries(search).flatMap(([name, value]): Pairs => {
    const text: unknown = Array.isArray(value) ? value.join(',') : value;
    return isKept(name) && typeof text === 'string' && text !== '' ? [[name, text]] : [];
  });
  const { sortBy } = search as { sortBy?: unknown };
  const sort = resolveSort(typeof sortBy === 'string' ? sortBy : undefined, { serverLoaded: false });
  const pairs: Pairs = sort === RELEVANCE_SORT ? kept : [...kept, ['sortBy', sort]];
  return pairs.length === 0 ? DEFAULT_PATH : `${DEFAULT_PATH}?${writeQuery(pairs)}`;
}
