import {
  combineReducers,
  configureStore,
  type Reducer,
  type Store,
  type UnknownAction,
} from '@reduxjs/toolkit';
import type { EventPayload, EventType, SlotState } from '../register.ts';

/** The store of a page, as slots and the shell use it. */
export type SlotStore<State = SlotState> = Store<State, UnknownAction>;

/** State with only the parts that a slot declared, as the server passes it to the slot. */
export type StateSlice<State = SlotState> = { readonly [Key in keyof State]?: Partial<State[Key]> };

/** An event and its payload. */
interface PageEvent<T extends EventType = EventType> {
  readonly type: T;
  readonly payload: EventPayload<T>;
}

/** How a shell and tests work with the state of a site. */
export interface SiteState<State = SlotState> {
  /** Every name that slots may list in `needs`, e.g. 'session', 'search.listings'. */
  readonly parts: readonly string[];
  /** The store of a page; on the server, one per request and slot. Missing parts have their initial state. */
  readonly createStore: (slice?: StateSlice<State>) => SlotStore<State>;
  /** Selects the parts named by `needs`; unknown names are ignored. */
  readonly sliceState: (state: State, needs: readonly string[]) => StateSlice<State>;
  /**
   * The store as a slot may read it: reading a part of the state that is not in `needs` throws and names the part. Servers
   * pass only those parts, so that the slot would get nothing there. For tests and the release gate; pages don't pay for it.
   */
  readonly guardReads: (store: SlotStore<State>, needs: readonly string[], slot: string) => SlotStore<State>;
  /** The action for an event on the bus; undefined for most events. */
  readonly changeOf: <T extends EventType>(event: PageEvent<T>) => UnknownAction | undefined;
}

/** What a site says about its state. */
interface StateDefinition<State extends object> {
  /** Reducer of each top-level key; its initial state is that of an empty page. */
  readonly reducers: { readonly [Key in keyof State]: Reducer<State[Key]> };
  /** Keys whose fields are parts of their own: 'search.listings' instead of 'search'. */
  readonly divided: readonly (keyof State & string)[];
  /** Event to the action that applies it to the state. */
  readonly changes: { readonly [T in EventType]?: (payload: EventPayload<T>) => UnknownAction };
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Defines the state of a site. The checks that walk the whole state on every action are off, because the state is
 * read-only plain data that only the shell's flows change.
 */
export function defineState<State extends object>(definition: StateDefinition<State>): SiteState<State> {
  const reducer = combineReducers(definition.reducers) as unknown as Reducer<State>;
  const divided = new Set<string>(definition.divided);
  const initial = reducer(undefined, { type: '@@init' });
  const fieldsOf = (key: string): Fields => initial[key as keyof State] as Fields;
  const parts = Object.keys(initial).flatMap((key) =>
    divided.has(key) ? Object.keys(fieldsOf(key)).map((field) => `${key}.${field}`) : [key],
  );

  function sliceState(state: State, needs: readonly string[]): StateSlice<State> {
    const slice: Record<string, unknown> = {};
    for (const key of Object.keys(initial)) {
      const value = state[key as keyof State];
      if (!divided.has(key)) {
        if (needs.includes(key)) slice[key] = value;
        continue;
      }
      const prefix = `${key}.`;
      const fields = needs.filter((need) => need.startsWith(prefix)).map((need) => need.slice(prefix.length));
      slice[key] = Object.fromEntries(
        fields
          .filter((field) => Object.hasOwn(value as Fields, field))
          .map((field) => [field, (value as Fields)[field]]),
      );
    }
    return slice as StateSlice<State>;
  }

  function guardState(state: State, needs: readonly string[], slot: string): State {
    const check = (part: string) => {
      if (!needs.includes(part)) throw new Error(`slot ${slot} reads ${part}, which its needs do not list`);
    };
    const guardFields = (key: string): object =>
      new Proxy(state[key as keyof State] as object, {
        get(target, field, receiver) {
          if (typeof field === 'string' && Object.hasOwn(fieldsOf(key), field)) check(`${key}.${field}`);
          return Reflect.get(target, field, receiver) as unknown;
        },
      });
    const guarded = new Map([...divided].map((key) => [key, guardFields(key)]));
    return new Proxy(state, {
      get(target, key, receiver) {
        if (typeof key === 'string' && Object.hasOwn(initial, key)) {
          const fields = guarded.get(key);
          if (fields) return fields;
          check(key);
        }
        return Reflect.get(target, key, receiver) as unknown;
      },
    });
  }

  return {
    parts,
    sliceState,
    createStore: (slice) =>
      configureStore({
        reducer,
        preloadedState: slice as State | undefined,
        middleware: (defaults) => defaults({ immutableCheck: false, serializableCheck: false, thunk: false }),
        devTools: false,
      }),
    guardReads(store, needs, slot) {
      // Selectors compare states by identity.
      const guarded = new WeakMap<State, State>();
      const getState = () => {
        const state = store.getState();
        const known = guarded.get(state) ?? guardState(state, needs, slot);
        guarded.set(state, known);
        return known;
      };
      return { ...store, getState };
    },
    changeOf: ({ type, payload }) => definition.changes[type]?.(payload),
  };
}
