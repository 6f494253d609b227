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
  /** Every name that slots may list in `reads`, e.g. 'session', 'search.listings'. */
  readonly parts: readonly string[];
  /** The store of a page; on the server, one per request and slot. Missing parts have their initial state. */
  readonly createStore: (slice?: StateSlice<State>) => SlotStore<State>;
  /** Keys whose fields are parts of their own. */
  readonly divided: readonly (keyof State & string)[];
  /** State of an empty page. */
  readonly initial: State;
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
 * read-only plain data that only the shell's flows change. Redux DevTools show it in development builds.
 */
export function defineState<State extends object>(definition: StateDefinition<State>): SiteState<State> {
  const reducer = combineReducers(definition.reducers) as unknown as Reducer<State>;
  const divided = new Set<string>(definition.divided);
  const initial = reducer(undefined, { type: '@@init' });
  const fieldsOf = (key: string): Fields => initial[key as keyof State] as Fields;
  const parts = Object.keys(initial).flatMap((key) =>
    divided.has(key) ? Object.keys(fieldsOf(key)).map((field) => `${key}.${field}`) : [key],
  );

  return {
    parts,
    divided: definition.divided,
    initial,
    createStore: (slice) =>
      configureStore({
        reducer,
        preloadedState: slice as State | undefined,
        middleware: (defaults) => defaults({ immutableCheck: false, serializableCheck: false, thunk: false }),
        devTools: process.env.NODE_ENV === 'development',
      }),
    changeOf: ({ type, payload }) => definition.changes[type]?.(payload),
  };
}
