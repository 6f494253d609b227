import type { AppStore } from './createStore.ts';
import { emptySearch } from './searchSlice.ts';
import type { RootState } from './state.ts';

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
