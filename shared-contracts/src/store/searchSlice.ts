import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import type { SearchCriteria } from '../search/criteria.ts';
import type { RootState, SearchState, Spotlights } from './state.ts';

/** A loaded page: everything of the search but what the browser itself keeps. */
export type SearchLoaded = Omit<SearchState, 'status' | 'requestId'>;

export interface MoreLoaded {
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
  texts: { heading: '', title: '', description: '', canonicalUrl: '' },
  suggestions: { filters: [], strongAttributes: [], nearMisses: [], models: [] },
  vehicleHighlight: null,
  boost: [],
  alpha: null,
  pageData: { suggestedModels: [] },
  editorial: null,
  notice: null,
};

/** State, reducers and selectors of the search; answers of an older request are dropped (A4-FLOW-01). */
export const searchSlice = createSlice({
  name: 'search',
  initialState: emptySearch,
  reducers: {
    /** The shopper changed the criteria: controls repaint at once, results stay until the answer (B4-PANEL-03..06). */
    searchStarted: (
      state,
      action: PayloadAction<{ requestId: string; criteria: SearchCriteria; url: string }>,
    ) => ({
      ...state,
      ...action.payload,
      status: 'loading' as const,
      spotlights: [],
    }),
    searchLoaded: (state, action: PayloadAction<{ requestId: string; page: SearchLoaded }>) =>
      action.payload.requestId === state.requestId
        ? { ...state, ...action.payload.page, status: 'ready' as const }
        : state,
    searchFailed: (state, action: PayloadAction<{ requestId: string; status: 'failed' | 'invalid' }>) =>
      action.payload.requestId === state.requestId ? { ...state, status: action.payload.status } : state,
    /** Blocks a concurrent fetch of the next page (B4-PAGING). */
    moreStarted: (state, action: PayloadAction<{ requestId: string }>) => ({
      ...state,
      ...action.payload,
      status: 'loadingMore' as const,
    }),
    moreLoaded: (state, action: PayloadAction<{ requestId: string; page: MoreLoaded }>) => {
      const { requestId, page } = action.payload;
      if (requestId !== state.requestId) return state;
      const known = new Set(state.listings.map(({ id }) => id));
      const fresh = page.listings.filter(({ id }) => !known.has(id));
      return {
        ...state,
        status: 'ready' as const,
        listings: [...state.listings, ...fresh],
        pageSizes: [...state.pageSizes, fresh.length],
        spotlights: [...state.spotlights, page.spotlights],
        owners: { ...state.owners, ...page.owners },
        criteria: { ...state.criteria, firstRecord: page.firstRecord },
        url: page.url,
      };
    },
    /** A failed next page is logged only; the loaded ones stay (B8). */
    moreFailed: (state, action: PayloadAction<{ requestId: string }>) =>
      action.payload.requestId === state.requestId ? { ...state, status: 'ready' as const } : state,
    noticeDismissed: (state) => ({ ...state, notice: null }),
  },
});

export const {
  searchStarted,
  searchLoaded,
  searchFailed,
  moreStarted,
  moreLoaded,
  moreFailed,
  noticeDismissed,
} = searchSlice.actions;

export const selectSearch = (state: RootState): SearchState => state.search;
export const selectCriteria = (state: RootState): SearchCriteria => state.search.criteria;
export const selectIsLoading = (state: RootState): boolean => state.search.status === 'loading';
/** Are there organic listings after those which are loaded? */
export const selectHasMore = ({ search }: RootState): boolean =>
  search.firstLoadedRecord + search.pageSizes.reduce((sum, size) => sum + size, 0) < search.totalResultCount;
export const selectFilter =
  (name: string) =>
  ({ search }: RootState) =>
    search.filters.find((filter) => filter.name === name);
