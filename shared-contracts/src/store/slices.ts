import { createAction, type UnknownAction } from '@reduxjs/toolkit';
import type { SearchCriteria } from '../criteria/criteria.ts';
import type { RootState, SearchState, Spotlights, SessionState } from './state.ts';
import { BRANDS } from '../brands/brands.ts';

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
 * The shopper changed the criteria: controls repaint at once, results stay until the response
 * (B4-PANEL-03..06). `texts`: the response's texts, if already known.
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

/** The save button depends on the title and the subscription (A3-SAVED-01, A3-SAVED-02, A4-SAVE-12). */
function withSaved(state: SearchState, { title }: { title?: string }): SearchState {
  const before = state.pageData.saveSearchData ?? { saveSearchString: '', subscribed: false };
  const saveSearchData = { ...before, subscribed: true, ...(title !== undefined && { title }) };
  return { ...state, pageData: { ...state.pageData, saveSearchData } };
}

/**
 * The search's reducer; drops responses of older requests (A4-FLOW-01). A plain function, because drafting
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

export const anonymousSession: SessionState = {
  brand: 'atc',
  flags: {},
  signedIn: false,
  isBot: false,
  visitorZip: null,
  today: '2026-01-01',
  signInPath: '/account/sign-in',
  account: null,
  savedListingIds: [],
  savedSearchCount: 0,
  contactedListingIds: [],
  wallet: null,
  showsPayments: false,
};

export const sessionChanged = createAction<Partial<SessionState>>('session/sessionChanged');
/** A listing was saved or removed; newest first. */
export const listingSaved = createAction<{ listingId: string; saved: boolean }>('session/listingSaved');
/** A seller was contacted (A4-EMAIL-03). */
export const listingContacted = createAction<string>('session/listingContacted');

/**
 * Visitor, brand and flags. A plain function like the search's reducer, so that no page loads Immer.
 */
export function sessionReducer(state: SessionState = anonymousSession, action: UnknownAction): SessionState {
  if (sessionChanged.match(action)) return { ...state, ...action.payload };
  if (listingSaved.match(action)) {
    const { listingId, saved } = action.payload;
    const others = state.savedListingIds.filter((id) => id !== listingId);
    return { ...state, savedListingIds: saved ? [listingId, ...others] : others };
  }
  if (listingContacted.match(action) && !state.contactedListingIds.includes(action.payload))
    return { ...state, contactedListingIds: [...state.contactedListingIds, action.payload] };
  // Only the automaker's program counts saves in the browser (A6-BRAND-04).
  if (
    searchSaved.match(action) &&
    action.payload.via === 'account' &&
    BRANDS[state.brand].hasCertifiedProgram
  )
    return { ...state, savedSearchCount: state.savedSearchCount + 1 };
  return state;
}

export const selectSession = (state: RootState): SessionState => state.session;
export const selectFlag =
  (name: string) =>
  ({ session }: RootState): boolean =>
    session.flags[name] ?? false;
/** UTC year of the request. */
export const selectCurrentYear = ({ session }: RootState): number => Number(session.today.slice(0, 4));
