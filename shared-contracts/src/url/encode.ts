import { type FilterParam, type SearchCriteria, FILTER_PARAMS, PAGE_SIZE } from '../criteria/criteria.ts';
import { queryNameOf, type StateName } from '../criteria/names.ts';
import { buildPath, type NotFoundReason, DEFAULT_PATH, RESULTS_PATH } from '../criteria/path.ts';
import { searchReference, type SlugReference } from '../criteria/slugs.ts';
import { type DecodeOptions, decodeUrl } from '../criteria/decode.ts';

export type Pairs = readonly (readonly [name: string, value: string])[];

/** Percent-encodes a name or value; commas stay readable. */
const encodeText = (text: string) => encodeURIComponent(text.toWellFormed()).replaceAll('%2C', ',');

/** 'a=1&b=2', without the question mark. */
export const writeQuery = (pairs: Pairs): string =>
  pairs.map(([name, value]) => `${encodeText(name)}=${encodeText(value)}`).join('&');

const byName = ([left]: readonly [string, string], [right]: readonly [string, string]) =>
  left < right ? -1 : left > right ? 1 : 0;

/** Filter parameters as pairs, one per parameter, ascending by name, without those in `except`. */
export function filterPairs(filters: SearchCriteria['filters'], except?: ReadonlySet<FilterParam>): Pairs {
  return FILTER_PARAMS.flatMap((param) => {
    const values = filters[param];
    if (!values?.length || except?.has(param)) return [];
    return [[queryNameOf(param, values.length), values.join(',')] as const];
  }).sort(byName);
}

/** Path and decoded pairs of a search in normal order: known names ascending, then unknown ones (AMB-048). */
function encodeParts(criteria: SearchCriteria, reference: SlugReference): { path: string; pairs: Pairs } {
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
  const text: Record<StateName, string | undefined> = {
    sortBy: criteria.sortBy === 'relevance' ? undefined : criteria.sortBy,
    firstRecord: criteria.firstRecord > 0 ? String(criteria.firstRecord) : undefined,
    numRecords: criteria.numRecords === PAGE_SIZE ? undefined : String(criteria.numRecords),
    experience: criteria.experience,
    categorySearch: criteria.categorySearch,
    isSponsorship: criteria.isSponsorship ? 'true' : undefined,
    showcaseOwnerId: criteria.showcaseOwnerId,
    psid: criteria.psid,
    siomid: criteria.siomid,
    searchBookmarkId: criteria.searchBookmarkId,
    bookmarkId: criteria.bookmarkId,
    defaultScreen: criteria.defaultScreen,
    refUrl: criteria.refUrl,
    expiredListing: criteria.expiredListing ? '1' : undefined,
    openSection: criteria.openSection,
  };
  return (Object.entries(text) as [StateName, string | undefined][]).filter(
    (pair): pair is [StateName, string] => !!pair[1],
  );
}

type NormalizeResult =
  | {
      readonly kind: 'search';
      readonly criteria: SearchCriteria;
      /** The normalized URL on this origin; it redirects no further. */
      readonly canonicalUrl: string;
      readonly needsRedirect: boolean;
    }
  | { readonly kind: 'notFound'; readonly reason: NotFoundReason };

function decodedPath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

const isSamePairs = (left: Pairs, right: Pairs) =>
  left.length === right.length &&
  left.every(([name, value], index) => name === right[index]?.[0] && value === right[index][1]);

/**
 * Decodes a request and returns its normalized URL (B7-URL-02, AMB-048). Compares decoded pairs, so that
 * another percent-encoding doesn't redirect; one redirect fixes order, legacy names, plural and duplicate
 * forms. `requestUrl` is path and query as received. The page answers 301 for GET and HEAD only.
 */
export function normalizeUrl(
  requestUrl: string,
  reference: SlugReference,
  options: DecodeOptions = {},
): NormalizeResult {
  const [withoutHash = ''] = requestUrl.split('#');
  const mark = withoutHash.indexOf('?');
  const pathname = mark === -1 ? withoutHash : withoutHash.slice(0, mark);
  const query = new URLSearchParams(mark === -1 ? '' : withoutHash.slice(mark + 1));
  const result = decodeUrl(pathname, query, reference, options);
  if (result.kind === 'notFound') return result;
  const { path, pairs } = encodeParts(result.criteria, reference);
  // The bare route is accepted unchanged (AMB-045).
  const requestPath = decodedPath(pathname);
  const written = path === DEFAULT_PATH && requestPath === RESULTS_PATH ? RESULTS_PATH : path;
  return {
    kind: 'search',
    criteria: result.criteria,
    canonicalUrl: pairs.length === 0 ? written : `${written}?${writeQuery(pairs)}`,
    needsRedirect: requestPath !== written || !isSamePairs([...query], pairs),
  };
}
