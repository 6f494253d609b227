import { combineReducers, configureStore, type UnknownAction } from '@reduxjs/toolkit';
import {
  searchReducer,
  searchSaved,
  emptySearch,
  sessionReducer,
  listingContacted,
  listingSaved,
  sessionChanged,
} from './slices.ts';
import type { PageState, RootState, SearchState, SessionState } from './state.ts';
import { useSelector, type TypedUseSelectorHook } from 'react-redux';
import type { EventPayload, EventType } from '../events/eventSchemas.ts';

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

type Changes = { readonly [T in EventType]?: (payload: EventPayload<T>) => UnknownAction };

/** State without account data. */
function sessionOf(payload: EventPayload<'session.changed'>): Partial<SessionState> {
  const { signedIn, account, savedListingIds, savedSearchCount } = payload;
  if (!signedIn)
    return { signedIn, account: null, savedListingIds: savedListingIds ?? [], savedSearchCount: 0 };
  return {
    signedIn,
    account,
    ...(savedListingIds && { savedListingIds }),
    ...(savedSearchCount !== undefined && { savedSearchCount }),
  };
}

const CHANGES: Changes = {
  'search.saved': (payload) => searchSaved(payload),
  'listing.savedChanged': (payload) => listingSaved(payload),
  'lead.sent': ({ listingId }) => listingContacted(listingId),
  'session.changed': (payload) => sessionChanged(sessionOf(payload)),
  'wallet.changed': ({ wallet }) => sessionChanged({ wallet }),
  'payments.showRequested': ({ show }) => sessionChanged({ showsPayments: show }),
};

/**
 * The action for an event on the bus; undefined for most events. Shell and test shell both dispatch it, so
 * that all slots see the same state.
 */
export function stateChangeOf<T extends EventType>(event: {
  readonly type: T;
  readonly payload: EventPayload<T>;
}): UnknownAction | undefined {
  return CHANGES[event.type]?.(event.payload);
}

/**
 * The store as a slot may read it: reading a part of the state that is not in `needs` throws and names the part. Servers
 * pass only those parts, so that the slot would get nothing there. For tests and the release gate; pages don't pay for it.
 */
export function guardReads(store: AppStore, needs: readonly string[], slot: string): AppStore {
  const check = (part: string) => {
    if (!needs.includes(part)) throw new Error(`slot ${slot} reads ${part}, which its needs do not list`);
  };
  const guard = (state: RootState): RootState => {
    const search = new Proxy(state.search, {
      get(target, key, receiver) {
        if (typeof key === 'string' && Object.hasOwn(emptySearch, key)) check(`search.${key}`);
        return Reflect.get(target, key, receiver) as unknown;
      },
    });
    return new Proxy(state, {
      get(target, key, receiver) {
        if (key === 'search') return search;
        if (key === 'page' || key === 'session') check(key);
        return Reflect.get(target, key, receiver) as unknown;
      },
    });
  };
  // Selectors compare states by identity.
  const guarded = new WeakMap<RootState, RootState>();
  const getState = () => {
    const state = store.getState() as RootState;
    const known = guarded.get(state) ?? guard(state);
    guarded.set(state, known);
    return known;
  };
  return { ...store, getState };
}
