import { createAction, type UnknownAction } from '@reduxjs/toolkit';
import type { SearchCriteria } from '../criteria/criteria.ts';
import type { RootState, SearchState, Spotlights } from './state.ts';

/** A loaded page: the search state without the browser's own fields. */
export type SearchLoaded = Omit<SearchState, 'status' | 'requestId'>;

interface MoreLoaded {
  readonly listings: SearchState['listings'];
  readonly owners: SearchState['owners'];
  readonly spotlights: Spotlights;
  readonly firstRecord: number;
  readonly url: string;
}

export const emptySearch: SearchState = {
  requestId: '',
  criteria: { filters: {}, sortBy: 'relevance', firstRecord: 0, numRecords: 30, unknown: [] },
  url: '/cars-for-sale/all-cars',
  status: 'ready',
  listings: [],
  spotlights: [],
  pageSizes: [],
  owners: {},
  totalResultCount: 0,
  firstLoadedRecord: 0,
  filters: [],
  filterGroups: [],
  stats: {},
  chips: [],
  breadcrumbs: [],
  crawlPaths: [],
  texts: { heading: '', title: '', description: '', canonicalUrl: '' },
  suggestions: { filters: [], strongAttributes: [], nearMisses: [], models: [] },
  vehicleHighlight: null,
  boost: [],
  alpha: null,
  pageData: { suggestedModels: [] },
  editorial: null,
  notice: null,
  adjustment: null,
  requestParams: {},
};

/**
 * The shopper changed the criteria: controls repaint at once, results stay until the response. `texts`: the response's texts, if already known.
 */
export const searchStarted = createAction<{
  requestId: string;
  criteria: SearchCriteria;
  url: string;
  texts?: SearchState['texts'];
}>('search/searchStarted');
export const searchLoaded = createAction<{ requestId: string; page: SearchLoaded }>('search/searchLoaded');
export const searchFailed = createAction<{ requestId: string; status: 'failed' | 'invalid' }>(
  'search/searchFailed',
);
/** Prevents a concurrent fetch of the next page (B4-PAGING). */
export const moreStarted = createAction<{ requestId: string }>('search/moreStarted');
export const moreLoaded = createAction<{ requestId: string; page: MoreLoaded }>('search/moreLoaded');
/** A failed next page is only logged; the loaded pages stay (B8). */
export const moreFailed = createAction<{ requestId: string }>('search/moreFailed');
/** The current search was saved, in the account or as an email alert. */
export const searchSaved = createAction<{ via: 'account' | 'email'; title?: string }>('search/searchSaved');

function withMore(state: SearchState, page: MoreLoaded): SearchState {
  const knownIds = new Set(state.listings.map(({ id }) => id));
  const newListings = page.listings.filter(({ id }) => !knownIds.has(id));
  return {
    ...state,
    status: 'ready',
    listings: [...state.listings, ...newListings],
    pageSizes: [...state.pageSizes, newListings.length],
    spotlights: [...state.spotlights, page.spotlights],
    owners: { ...state.owners, ...page.owners },
    criteria: { ...state.criteria, firstRecord: page.firstRecord },
    url: page.url,
  };
}

/** The save button depends on the title and the subscription. */
function withSaved(state: SearchState, { title }: { title?: string }): SearchState {
  const before = state.pageData.saveSearchData ?? { saveSearchString: '', subscribed: false };
  const saveSearchData = { ...before, subscribed: true, ...(title !== undefined && { title }) };
  return { ...state, pageData: { ...state.pageData, saveSearchData } };
}

/**
 * The search's reducer; drops responses of older requests. A plain function, because drafting
 * and freezing a response with all its listings would take longer than the whole repaint after a click.
 */
export function searchReducer(state: SearchState = emptySearch, action: UnknownAction): SearchState {
  if (searchStarted.match(action))
    return { ...state, ...action.payload, status: 'loading', spotlights: [], crawlPaths: [] };
  if (moreStarted.match(action)) return { ...state, ...action.payload, status: 'loadingMore' };
  if (searchSaved.match(action)) return withSaved(state, action.payload);
  const isCurrent = ({ payload }: { payload: { requestId: string } }) =>
    payload.requestId === state.requestId;
  if (searchLoaded.match(action) && isCurrent(action))
    return { ...state, ...action.payload.page, status: 'ready' };
  if (searchFailed.match(action) && isCurrent(action)) return { ...state, status: action.payload.status };
  if (moreLoaded.match(action) && isCurrent(action)) return withMore(state, action.payload.page);
  if (moreFailed.match(action) && isCurrent(action)) return { ...state, status: 'ready' };
  return state;
}

export const selectCriteria = (state: RootState): SearchCriteria => state.search.criteria;
export const selectIsLoading = (state: RootState): boolean => state.search.status === 'loading';
