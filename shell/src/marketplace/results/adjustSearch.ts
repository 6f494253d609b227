import {
  changeFilters,
  FILTER_PARAMS,
  isSortValue,
  RELEVANCE_SORT,
  type SearchCriteria,
  filtersInPlace,
  leaveSponsorship,
  PLACE_PARAMS,
  withoutParams,
  withValues,
  type FilterParam,
  type FilterValues,
} from '@forecourt/search/criteria';
import { toApiQuery } from '@forecourt/search/query';
import type { SearchLoaded } from '@forecourt/search/state';
import { encodeUrl } from '@forecourt/search/url';
import type { CallResponses } from '@forecourt/upstream/calls';
import { type LoadedSearch, startSearch, type StartedSearch } from './loadSearch.ts';
import { worstOf } from '../../engine/compose/completeness.ts';
import { upstreamParams, type SearchLoader, type SearchRequest } from './searchRequest.ts';

/** A keyword in quotation marks is searched as typed. */
const IS_LITERAL = /^".+"$/;
const quote = (text: string): string => `\u201c${text}\u201d`;

/** Letters and digits of a VIN or stock number. */
const numberKey = (text: string): string => text.toUpperCase().replace(/[^A-Z0-9]/g, '');

/** A shorter number may be the name of a model. */
const LEAST_NUMBER_LENGTH = 5;

export interface AdjustedSearch extends StartedSearch {
  /** Path of the one vehicle whose VIN or stock number the visitor typed: its page opens instead (AMB-198). */
  readonly vehiclePath?: string;
}

/**
 * Starts a search. One that the visitor most likely meant in another way is replaced, and the page says so: words by
 * what they mean as filters, an empty keyword search by the best suggestion, an empty sponsor's page by its stock
 * without the filters that it can't meet.
 */
export async function startAdjustedSearch(
  loader: SearchLoader,
  request: SearchRequest,
): Promise<AdjustedSearch> {
  const started = await startSearch(loader, request);
  const { criteria, totalResultCount } = started.first.search;
  const [keyword] = criteria.filters.keyword ?? [];
  const isSponsor = criteria.isSponsorship && criteria.showcaseOwnerId !== undefined;
  const isTyped = keyword !== undefined && !IS_LITERAL.test(keyword);
  if (!(isSponsor ? totalResultCount === 0 : isTyped)) return started;
  const { search: page, account, completeness } = await started.complete;
  const vehiclePath = keyword && isTyped ? vehicleOfNumber(page, keyword) : undefined;
  if (vehiclePath) return { ...started, vehiclePath };
  const adjusted = isSponsor
    ? await widenSponsor(loader, request, page)
    : await readKeyword(loader, request, { page, keyword: keyword! });
  if (!adjusted) return started;
  const loaded = {
    search: adjusted.search,
    account,
    completeness: worstOf(completeness, adjusted.completeness),
  };
  return { first: loaded, complete: Promise.resolve(loaded) };
}

function vehicleOfNumber({ listings, totalResultCount }: SearchLoaded, keyword: string): string | undefined {
  const [listing] = listings;
  if (!listing || totalResultCount !== 1) return undefined;
  const { id, vin, stockNumber } = listing;
  const typed = numberKey(keyword.replace(/\b(?:stock|stk|number|no|nr|vin)\b/gi, ''));
  const isNumber = [vin, stockNumber].some((number) => number && numberKey(number) === typed);
  return isNumber && typed.length >= LEAST_NUMBER_LENGTH
    ? `/cars-for-sale/vehicle/${encodeURIComponent(id)}`
    : undefined;
}

/** A search that replaces another one. */
type Adjusted = Pick<LoadedSearch, 'completeness'> & { readonly search: SearchLoaded };

/** The search with all parts but those that are too late. */
const loadWhole = async (loader: SearchLoader, request: SearchRequest): Promise<LoadedSearch> =>
  (await startSearch(loader, request)).complete;

/** The same with all parts but those that are too late; the path of the vehicle that opens instead. */
export async function loadAdjustedSearch(
  loader: SearchLoader,
  request: SearchRequest,
): Promise<SearchLoaded | string> {
  const { complete, vehiclePath } = await startAdjustedSearch(loader, request);
  return vehiclePath ?? (await complete).search;
}

type Suggestion = Extract<
  CallResponses['suggestedKeywords']['suggestions'][number],
  { readonly kind: 'filters' }
>;

/** '“red” and “leather”' */
const quoteAll = (texts: readonly string[], last: 'and' | 'or'): string => {
  const quoted = texts.map(quote);
  return quoted.length < 2 ? quoted.join('') : `${quoted.slice(0, -1).join(', ')} ${last} ${quoted.at(-1)}`;
};

/** What the page shows, and why: what was understood, what no filter covers, what nothing matches. */
function adjustmentText(suggestion: Suggestion, keyword: string, radius: string | undefined): string {
  const { label, sentence, isInterpretation, leftOut, dropped, isWidened } = suggestion;
  if (!isInterpretation) return `No results for ${quote(keyword)}. Showing results for ${label}.`;
  return [
    `${sentence ?? label}.`,
    leftOut && `We can’t filter by ${quoteAll(leftOut, 'or')}.`,
    dropped &&
      `Nothing matches ${quoteAll(dropped, 'and')} as well, so we left ${dropped.length > 1 ? 'those' : 'that'} out.`,
    isWidened &&
      `Nothing matches ${radius === undefined ? 'nearby' : `within ${radius} miles`}, so we searched the whole country.`,
  ]
    .filter(Boolean)
    .join(' ');
}

/** Searches for what the words mean as filters; an empty search otherwise for the best suggestion. */
async function readKeyword(
  loader: SearchLoader,
  request: SearchRequest,
  { page, keyword }: { readonly page: SearchLoaded; readonly keyword: string },
): Promise<Adjusted | undefined> {
  const { criteria } = page;
  const isEmpty = page.totalResultCount === 0;
  const params = Object.fromEntries(
    PLACE_PARAMS.flatMap((name) =>
      criteria.filters[name] ? [[name, criteria.filters[name].join(',')]] : [],
    ),
  );
  const { suggestions } = await loader.gateway.call(
    'suggestedKeywords',
    { ...params, term: keyword },
    request.context,
  );
  const found = suggestions.filter((suggestion) => suggestion.kind === 'filters');
  const best = found.find(({ isInterpretation }) => isInterpretation) ?? found[0];
  // Results for the words as typed are replaced only when all words are understood.
  if (!best || (!isEmpty && (!best.isInterpretation || best.leftOut || best.dropped || best.isWidened)))
    return undefined;
  const { search: corrected, completeness } = await loadWhole(loader, {
    ...request,
    criteria: {
      ...criteria,
      filters: filtersInPlace(criteria.filters, best.filters),
      sortBy: orderOf(criteria, best),
      firstRecord: 0,
    },
  });
  // Without results, the filters of a sentence can still be corrected one by one.
  if (corrected.totalResultCount === 0 && !best.isInterpretation) return undefined;
  const literal = withValues(criteria.filters, 'keyword', [`"${keyword}"`]);
  const adjustment = {
    text: adjustmentText(best, keyword, criteria.filters.searchRadius?.[0]),
    ...(!isEmpty && {
      undo: {
        label: `Search for ${quote(keyword)} instead`,
        href: encodeUrl({ ...criteria, filters: literal }, loader.reference.current()),
      },
    }),
  };
  return { search: { ...corrected, adjustment }, completeness };
}

/** The order that the words ask for, unless the visitor has chosen one (AMB-001). */
const orderOf = ({ sortBy }: SearchCriteria, suggestion: Suggestion): SearchCriteria['sortBy'] =>
  sortBy === RELEVANCE_SORT && isSortValue(suggestion.sortBy) ? suggestion.sortBy : sortBy;

/** Filters to drop for a sponsor, in this order: the radius, then from the end of the panel to make and model (AMB-038). */
function droppable(filters: FilterValues): readonly FilterParam[] {
  const LAST: readonly FilterParam[] = ['trimCode', 'modelCode', 'makeCode'];
  const others = FILTER_PARAMS.filter(
    (param) => !PLACE_PARAMS.includes(param) && !LAST.includes(param),
  ).reverse();
  return [...others, ...LAST].filter((param) => filters[param]);
}

const dropParam = (filters: FilterValues, param: FilterParam): FilterValues =>
  param === 'searchRadius' ? withValues(filters, param, ['0']) : withoutParams(filters, [param]);

/** Drops filters one after the other until the sponsor has matching vehicles; undefined if it has none at all. */
async function widenSponsor(
  loader: SearchLoader,
  request: SearchRequest,
  page: SearchLoaded,
): Promise<Adjusted | undefined> {
  const { gateway } = loader;
  const { criteria } = page;
  const { openSection } = criteria;
  const dropped: FilterParam[] = [];
  let { filters } = criteria;
  const hasRadius = filters.zip !== undefined && filters.searchRadius?.[0] !== '0';
  for (const param of [...(hasRadius ? (['searchRadius'] as const) : []), ...droppable(filters)]) {
    filters = dropParam(filters, param);
    dropped.push(param);
    const query = toApiQuery(
      { ...criteria, filters, firstRecord: 0, numRecords: 1 },
      upstreamParams(loader, request),
    );
    query.set('collapseFilters', 'true');
    const { totalResultCount } = await gateway.call('search', query, request.context);
    if (totalResultCount === 0) continue;
    const { search: widened, completeness } = await loadWhole(loader, {
      ...request,
      // Without a category whose filters were dropped.
      criteria: { ...changeFilters(criteria, filters), ...(openSection && { openSection }) },
    });
    const labels = page.chips
      .filter(({ params }) => params.some((name) => dropped.includes(name)))
      .map(({ label }) => quote(label));
    const owner = widened.owners[criteria.showcaseOwnerId ?? '']?.name ?? 'This dealer';
    const adjustment = {
      text: `${owner} has no match for all of your filters. Showing its vehicles without ${labels.join(', ')}.`,
      undo: {
        label: 'Show all dealers with your filters',
        href: encodeUrl(leaveSponsorship(criteria), loader.reference.current()),
      },
    };
    return { search: { ...widened, adjustment }, completeness };
  }
  return undefined;
}
