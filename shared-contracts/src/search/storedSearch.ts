import { filterPairs, writeQuery, type Pairs } from './codec/encode.ts';
import { DEFAULT_PATH } from './codec/path.ts';
import type { SearchCriteria } from './criteria.ts';
import { RELEVANCE_SORT } from './sorts.ts';

/**
 * What a bookmark keeps of a search: its filters, sort and page mode by
 * parameter name as JSON, encoded for a URL (A3-BOOKMARK-01, AMB-099).
 */
export function encodeStoredSearch({ filters, sortBy, experience }: SearchCriteria): string {
  const pairs: Pairs = [
    ...filterPairs(filters),
    ...(experience ? [['experience', experience] as const] : []),
    ...(sortBy === RELEVANCE_SORT ? [] : [['sortBy', sortBy] as const]),
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

/**
 * Path and query of a stored search, all of it as parameters: the codec reads
 * them as it reads what a visitor typed. Undefined for what is no such text.
 */
export function storedSearchUrl(stored: string): string | undefined {
  const search = parsed(stored);
  if (typeof search !== 'object' || search === null || Array.isArray(search)) return undefined;
  const pairs = Object.entries(search).flatMap(([name, value]): Pairs => {
    const text: unknown = Array.isArray(value) ? value.join(',') : value;
    return typeof text === 'string' && text !== '' ? [[name, text]] : [];
  });
  return pairs.length === 0 ? DEFAULT_PATH : `${DEFAULT_PATH}?${writeQuery(pairs)}`;
}
