export { browserStorage, storedFlag, storedIds, storedValue } from './browserStorage.ts';
export { createStore, resultsPage, sliceState, usePageState, type AppStore } from './createStore.ts';
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
} from './slices.ts';
export { anonymousSession, selectCurrentYear, selectFlag, selectSession, sessionChanged } from './slices.ts';
export type { PageKind, RootState, SearchState, SessionState } from './state.ts';
export { stateChangeOf } from './createStore.ts';
