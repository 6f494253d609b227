import { type FilterParam, type SearchCriteria, isFilterParam, PAGE_SIZE } from '../criteria/criteria.ts';
import { queryNameOf, type StateName } from '../criteria/names.ts';
import { buildPath } from '../criteria/path.ts';
import { searchReference, type SlugReference } from '../criteria/slugs.ts';

export type Pairs = readonly (readonly [name: string, value: string])[];

/** Most names and values: nothing in them is percent-encoded. */
const PLAIN = /^[\w.,~-]*$/;

/** Percent-encodes a name or value; commas stay readable. */
const encodeText = (text: string) =>
  PLAIN.test(text) ? text : encodeURIComponent(text.toWellFormed()).replaceAll('%2C', ',');

/** 'a=1&b=2', without the question mark. */
export const writeQuery = (pairs: Pairs): string =>
  pairs.map(([name, value]) => `${encodeText(name)}=${encodeText(value)}`).join('&');

/** Each name occurs once. */
const byName = ([left]: readonly [string, string], [right]: readonly [string, string]) =>
  left < right ? -1 : 1;

/** Filter parameters as pairs, one per parameter, ascending by name, without those in `except`. */
export function filterPairs(filters: SearchCriteria['filters'], except?: ReadonlySet<FilterParam>): Pairs {
  const pairs: (readonly [string, string])[] = [];
  // A page has a hundred URLs, and a search few of the parameters.
  for (const [param, values] of Object.entries(filters)) {
    if (isFilterParam(param) && values?.length && !except?.has(param))
      pairs.push([queryNameOf(param, values.length), values.join(',')]);
  }
  return pairs.sort(byName);
}

/** Parameters of a search that are written as they are. */
const TEXTS = [
  'experience',
  'categorySearch',
  'showcaseOwnerId',
  'psid',
  'siomid',
  'searchBookmarkId',
  'bookmarkId',
  'defaultScreen',
  'refUrl',
  'openSection',
  'view',
] as const satisfies readonly StateName[];

/** Path and decoded pairs of a search in normal order: known names ascending, then unknown ones (AMB-048). */
export function encodeParts(
  criteria: SearchCriteria,
  reference: SlugReference,
): { path: string; pairs: Pairs } {
  const { filters, slugs } = criteria;
  const lookups = reference.isEmpty && slugs ? searchReference(slugs) : reference;
  const { path, params } = buildPath(filters, lookups);
  const knownPairs = [...filterPairs(filters, params), ...writeState(criteria)].sort(byName);
  return { path, pairs: [...knownPairs, ...criteria.unknown] };
}

/**
 * The canonical URL of a search, path and query. Filters that the path grammar supports (condition, year,
 * style, fuel, make, model, trim, city, when single-valued) are in the path, the others in the query
 * (AMB-046, AMB-048). Without a reference, the criteria's own slugs are used.
 */
export function encodeUrl(criteria: SearchCriteria, reference: SlugReference): string {
  const { path, pairs } = encodeParts(criteria, reference);
  return pairs.length === 0 ? path : `${path}?${writeQuery(pairs)}`;
}

/** The non-filter parameters, without defaults (AMB-001, AMB-029, AMB-050). */
function writeState(criteria: SearchCriteria): (readonly [StateName, string])[] {
  const pairs: (readonly [StateName, string])[] = [];
  const add = (name: StateName, value: string | undefined) => value && pairs.push([name, value]);
  if (criteria.sortBy !== 'relevance') add('sortBy', criteria.sortBy);
  if (criteria.firstRecord > 0) add('firstRecord', String(criteria.firstRecord));
  if (criteria.numRecords !== PAGE_SIZE) add('numRecords', String(criteria.numRecords));
  if (criteria.isSponsorship) add('isSponsorship', 'true');
  if (criteria.expiredListing) add('expiredListing', '1');
  for (const name of TEXTS) add(name, criteria[name]);
  return pairs;
}
