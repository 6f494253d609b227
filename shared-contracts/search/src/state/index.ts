export { createStore, marketplaceState, resultsPage } from './marketplaceState.ts';
export {
  emptySearch,
  moreFailed,
  moreLoaded,
  moreStarted,
  searchFailed,
  searchLoaded,
  searchStarted,
  selectCriteria,
  selectIsLoading,
  type SearchLoaded,
} from './searchSlice.ts';
export {
  anonymousSession,
  selectCurrentYear,
  selectFlag,
  selectSession,
  sessionChanged,
} from './sessionSlice.ts';
export type { PageKind, RootState, SearchState, SessionState } from './state.ts';
