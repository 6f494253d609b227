import type { Listing } from '../entities/listing.ts';
import { type Pairs, filterPairs, writeQuery } from './encode.ts';
import { RELEVANCE_SORT, isFilterName, resolveSort } from '../criteria/names.ts';
import { DEFAULT_PATH } from '../criteria/path.ts';
import type { SearchCriteria } from '../criteria/criteria.ts';

/**
 * Encodes a search for a bookmark: filters, sort and page mode by parameter name as JSON, encoded for a URL
 * (A3-BOOKMARK-01, AMB-099). The sort is always included, because a bookmark without one is an old one
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

/** Part of a search that a breadcrumb names (A2-CRUMB-01). */
type CrumbKey =
  | 'home'
  | 'page'
  | 'location'
  | 'owner'
  | 'condition'
  | 'style'
  | 'make'
  | 'model'
  | 'trim'
  | 'year'
  | 'price'
  | 'fuelType'
  | 'mpg'
  | 'electricRange';

/** One link of the breadcrumb trail (B3-CRUMB-01). */
export interface Crumb {
  readonly key: CrumbKey;
  readonly label: string;
  readonly href: string;
}

/** A crawlable link to a narrower search. */
export interface CrawlPath {
  readonly label: string;
  /** Normalized path and query. */
  readonly href: string;
}

/** Where on the page the shopper opened a vehicle (AMB-055). */
type ClickType =
  | 'listing'
  | 'spotlight'
  | 'alpha'
  | 'boost'
  | 'highlight'
  | 'similar'
  | 'supplemental'
  | 'nearby'
  | 'compare'
  | 'alert';

/**
 * Link to a vehicle's page: its vdpBaseUrl (by default, the common path) with the click type (B2-ROUTE-03,
 * B2-ROUTE-04, AMB-055).
 */
export function detailUrl(listing: Pick<Listing, 'id' | 'vdpBaseUrl'>, clickType: ClickType): string {
  const url = listing.vdpBaseUrl ?? `/cars-for-sale/vehicle/${encodeURIComponent(listing.id)}`;
  const [base = '', ...hash] = url.split('#');
  const query = `${base.includes('?') ? '&' : '?'}clickType=${clickType}`;
  return [base + query, ...hash].join('#');
}

/**
 * Link to sign in and return to `current`, the path and query of this page; `screen` opens the sign-up form
 * (A4-SAVE-08, A4-SAVE-09, AMB-054). The path is configured: `session.signInPath` (A2-ROUTE-07).
 */
export function signInLink(signInPath: string, current: string, screen?: 'signup'): string {
  const query = new URLSearchParams({ ...(screen ? { defaultScreen: screen } : {}), refUrl: current });
  return `${signInPath}?${query.toString()}`;
}
