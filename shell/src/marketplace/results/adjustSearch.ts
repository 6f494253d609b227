import {
  changeFilters,
  FILTER_PARAMS,
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
/** Several words may be a sentence. */
const IS_SENTENCE = /\S\s+\S/;
const quote = (text: string): string => `\u201c${text}\u201d`;

/**
 * Starts a search. One that the visitor most likely meant in another way is replaced, and the page says so: a sentence
 * by its filters, an empty keyword search by the best suggestion, an empty sponsor's page by its stock without the
 * filters that it can't meet.
 */
export async function startAdjustedSearch(
  loader: SearchLoader,
  request: SearchRequest,
): Promise<StartedSearch> {
  const started = await startSearch(loader, request);
  const { criteria, totalResultCount } = started.first.search;
  const [keyword] = criteria.filters.keyword ?? [];
  const isSponsor = criteria.isSponsorship && criteria.showcaseOwnerId !== undefined;
  const isEmpty = totalResultCount === 0;
  const isTyped = keyword !== undefined && !IS_LITERAL.test(keyword);
  if (!(isEmpty ? isSponsor || isTyped : !isSponsor && isTyped && IS_SENTENCE.test(keyword))) return started;
  const { search: page, account, completeness } = await started.complete;
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

/** A search that replaces another one. */
type Adjusted = Pick<LoadedSearch, 'completeness'> & { readonly search: SearchLoaded };

/** The search with all parts but those that are too late. */
const loadWhole = async (loader: SearchLoader, request: SearchRequest): Promise<LoadedSearch> =>
  (await startSearch(loader, request)).complete;

/** The same with all parts but those that are too late. */
export async function loadAdjustedSearch(
  loader: SearchLoader,
  request: SearchRequest,
): Promise<SearchLoaded> {
  const { complete } = await startAdjustedSearch(loader, request);
  return (await complete).search;
}

type Suggestion = Extract<
  CallResponses['suggestedKeywords']['suggestions'][number],
  { readonly kind: 'filters' }
>;

/** What the page shows, and why. */
const adjustmentText = (
  { label, isInterpretation, unreadWords }: Suggestion,
  keyword: string,
  isEmpty: boolean,
): string =>
  [
    isEmpty && !isInterpretation && `No results for ${quote(keyword)}.`,
    unreadWords && `No vehicle matches ${quote(unreadWords)}.`,
    `Showing results for ${label}.`,
  ]
    .filter(Boolean)
    .join(' ');

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
  const best = suggestions.find((suggestion) => suggestion.kind === 'filters');
  // Results for the words as typed are replaced only when all words are understood.
  if (!best || (!isEmpty && (!best.isInterpretation || best.filters['keyword'] || best.unreadWords)))
    return undefined;
  const { search: corrected, completeness } = await loadWhole(loader, {
    ...request,
    criteria: { ...criteria, filters: filtersInPlace(criteria.filters, best.filters), firstRecord: 0 },
  });
  // Without results, the filters of a sentence can still be corrected one by one.
  if (corrected.totalResultCount === 0 && !best.isInterpretation) return undefined;
  const literal = withValues(criteria.filters, 'keyword', [`"${keyword}"`]);
  const adjustment = {
    text: adjustmentText(best, keyword, isEmpty),
    undo: {
      label: `Search for ${quote(keyword)} instead`,
      href: encodeUrl({ ...criteria, filters: literal }, loader.reference.current()),
    },
  };
  return { search: { ...corrected, adjustment }, completeness };
}

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
