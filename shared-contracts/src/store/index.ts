export { browserStorage, storedFlag, storedIds, storedValue, type StoredValue } from './browserStorage.ts';
export {
  createStore,
  resultsPage,
  sliceState,
  usePageState,
  type AppStore,
  type StateSlice,
} from './createStore.ts';
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
  selectSearch,
  type MoreLoaded,
  type SearchLoaded,
} from './searchSlice.ts';
export {
  anonymousSession,
  listingSaved,
  selectCurrentYear,
  selectFlag,
  selectSession,
  sessionChanged,
} from './sessionSlice.ts';
export type {
  FirebaseWebApp,
  PageState,
  RootState,
  SearchState,
  SearchStatus,
  SessionState,
  Spotlights,
} from './state.ts';
export { stateChangeOf } from './stateChanges.ts';
