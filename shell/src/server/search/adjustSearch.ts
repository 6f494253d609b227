import {
  FILTER_PARAMS,
  leaveSponsorship,
  normalizeFilters,
  withoutParams,
  withValues,
  type FilterParam,
  type FilterValues,
} from '@forecourt/shared-contracts/criteria';
import { toApiQuery } from '@forecourt/shared-contracts/query';
import { encodeUrl } from '@forecourt/shared-contracts/url';
import type { SearchLoaded } from '@forecourt/shared-contracts/store';
import { loadSearch, startSearch, type StartedSearch } from './loadSearch.ts';
import { requestContext, type SearchLoader, type SearchRequest } from './searchRequest.ts';

const PLACE: readonly FilterParam[] = ['zip', 'searchRadius', 'city', 'state'];
/** A keyword in quotation marks is searched as typed. */
const IS_LITERAL = /^".+"$/;
const quote = (text: string): string => `\u201c${text}\u201d`;

/**
 * Starts a search. An empty one is replaced by what the visitor most likely meant, and the page says so: the best
 * suggestion for a keyword, a sponsor's stock without the filters that it can't meet.
 */
export async function startAdjustedSearch(
  loader: SearchLoader,
  request: SearchRequest,
): Promise<StartedSearch> {
  const started = await startSearch(loader, request);
  if (started.first.search.totalResultCount > 0) return started;
  const { filters, isSponsorship, showcaseOwnerId } = started.first.search.criteria;
  const [keyword] = filters.keyword ?? [];
  const isSponsor = isSponsorship && showcaseOwnerId !== undefined;
  if (!isSponsor && (!keyword || IS_LITERAL.test(keyword))) return started;
  const { search: page, account } = await started.complete;
  const adjusted = isSponsor
    ? await widenSponsor(loader, request, page)
    : await correctKeyword(loader, request, { page, keyword: keyword! });
  if (!adjusted || adjusted.totalResultCount === 0) return started;
  const loaded = { search: adjusted, account };
  return { first: loaded, complete: Promise.resolve(loaded) };
}

/** The same with all parts but those that are too late. */
export async function loadAdjustedSearch(
  loader: SearchLoader,
  request: SearchRequest,
): Promise<SearchLoaded> {
  const { complete } = await startAdjustedSearch(loader, request);
  return (await complete).search;
}

/** Searches for the best suggestion. */
async function correctKeyword(
  loader: SearchLoader,
  request: SearchRequest,
  { page, keyword }: { readonly page: SearchLoaded; readonly keyword: string },
): Promise<SearchLoaded | undefined> {
  const { criteria } = page;
  const place = withoutParams(
    criteria.filters,
    FILTER_PARAMS.filter((param) => !PLACE.includes(param)),
  );
  const params = Object.fromEntries(Object.entries(place).map(([name, values]) => [name, values.join(',')]));
  const { suggestions } = await loader.gateway.call(
    'suggestedKeywords',
    { ...params, term: keyword },
    request.context,
  );
  const best = suggestions.find((suggestion) => suggestion.kind === 'filters');
  if (!best) return undefined;
  const filters = normalizeFilters({ ...place, ...best.filters });
  const corrected = await loadSearch(loader, {
    ...request,
    criteria: { ...criteria, filters, firstRecord: 0 },
  });
  const literal = withValues(criteria.filters, 'keyword', [`"${keyword}"`]);
  return {
    ...corrected,
    adjustment: {
      text: `No results for ${quote(keyword)}. Showing results for ${best.label}.`,
      undo: {
        label: `Search for ${quote(keyword)} instead`,
        href: encodeUrl({ ...criteria, filters: literal }, loader.reference.current()),
      },
    },
  };
}

/** Filters to drop for a sponsor, in this order: the radius, then from the end of the panel to make and model (AMB-038). */
function droppable(filters: FilterValues): readonly FilterParam[] {
  const LAST: readonly FilterParam[] = ['trimCode', 'modelCode', 'makeCode'];
  const others = FILTER_PARAMS.filter((param) => !PLACE.includes(param) && !LAST.includes(param)).reverse();
  return [...others, ...LAST].filter((param) => filters[param]);
}

const dropParam = (filters: FilterValues, param: FilterParam): FilterValues =>
  param === 'searchRadius' ? withValues(filters, param, ['0']) : withoutParams(filters, [param]);

/** Drops filters one after the other until the sponsor has matching vehicles; undefined if it has none at all. */
async function widenSponsor(
  loader: SearchLoader,
  request: SearchRequest,
  page: SearchLoaded,
): Promise<SearchLoaded | undefined> {
  const { gateway } = loader;
  const { criteria } = page;
  const dropped: FilterParam[] = [];
  let { filters } = criteria;
  const hasRadius = filters.zip !== undefined && filters.searchRadius?.[0] !== '0';
  for (const param of [...(hasRadius ? (['searchRadius'] as const) : []), ...droppable(filters)]) {
    filters = dropParam(filters, param);
    dropped.push(param);
    const query = toApiQuery(
      { ...criteria, filters, firstRecord: 0, numRecords: 1 },
      requestContext(request),
    );
    query.set('collapseFilters', 'true');
    const { totalResultCount } = await gateway.call('search', query, request.context);
    if (totalResultCount === 0) continue;
    const widened = await loadSearch(loader, {
      ...request,
      criteria: { ...criteria, filters, firstRecord: 0 },
    });
    const labels = page.chips
      .filter(({ params }) => params.some((name) => dropped.includes(name)))
      .map(({ label }) => quote(label));
    const owner = widened.owners[criteria.showcaseOwnerId ?? '']?.name ?? 'This dealer';
    return {
      ...widened,
      adjustment: {
        text: `${owner} has no match for all of your filters. Showing its vehicles without ${labels.join(', ')}.`,
        undo: {
          label: 'Show all dealers with your filters',
          href: encodeUrl(leaveSponsorship(criteria), loader.reference.current()),
        },
      },
    };
  }
  return undefined;
}
