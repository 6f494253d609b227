import { combineReducers, configureStore } from '@reduxjs/toolkit';
import { searchReducer } from './searchSlice.ts';
import { sessionReducer } from './sessionSlice.ts';
import type { PageState, RootState, SearchState } from './state.ts';
import { useSelector, type TypedUseSelectorHook } from 'react-redux';

export const resultsPage: PageState = { kind: 'results', url: '/cars-for-sale', referrer: null };

/** A page never changes its kind: navigation between pages loads a document. */
const pageReducer = (state: PageState = resultsPage): PageState => state;

/**
 * The store of a page; on the server, one per request and slot. The checks that walk the whole state on every
 * action are off, because the state is read-only plain data that only the shell's flows change.
 */
export function createStore(preloadedState?: StateSlice) {
  return configureStore({
    reducer: combineReducers({ page: pageReducer, search: searchReducer, session: sessionReducer }),
    preloadedState: preloadedState as RootState | undefined,
    middleware: (defaults) => defaults({ immutableCheck: false, serializableCheck: false, thunk: false }),
    devTools: false,
  });
}
export type AppStore = ReturnType<typeof createStore>;

/** State with only the parts that a slot declared, as the server passes it to the slot. */
export interface StateSlice {
  readonly page?: PageState;
  readonly search?: Partial<SearchState>;
  readonly session?: RootState['session'];
}

/** Selects the parts named by `needs`; unknown names are ignored. */
export function sliceState(state: RootState, needs: readonly string[]): StateSlice {
  const search: Record<string, unknown> = {};
  for (const need of needs) {
    const key = need.startsWith('search.') ? need.slice('search.'.length) : undefined;
    if (key !== undefined && Object.hasOwn(state.search, key))
      search[key] = state.search[key as keyof SearchState];
  }
  return {
    search: search as Partial<SearchState>,
    ...(needs.includes('page') && { page: state.page }),
    ...(needs.includes('session') && { session: state.session }),
  };
}

/** `useSelector` over the page's state. */
export const usePageState: TypedUseSelectorHook<RootState> = useSelector;
