import type { SlotState } from '../register.ts';
import type { SiteState, SlotStore, StateSlice } from './siteState.ts';

// Apart from the store, because browsers need neither.

type Fields = Readonly<Record<string, unknown>>;
type Division<State> = Pick<SiteState<State>, 'initial' | 'divided'>;

/** Selects the parts named by `reads`; unknown names are ignored. */
export function sliceState<State extends object = SlotState>(
  { initial, divided }: Division<State>,
  state: State,
  reads: readonly string[],
): StateSlice<State> {
  const slice: Record<string, unknown> = {};
  for (const key of Object.keys(initial)) {
    const value = state[key as keyof State];
    if (!(divided as readonly string[]).includes(key)) {
      if (reads.includes(key)) slice[key] = value;
      continue;
    }
    const prefix = `${key}.`;
    const fields = reads.filter((part) => part.startsWith(prefix)).map((part) => part.slice(prefix.length));
    slice[key] = Object.fromEntries(
      fields
        .filter((field) => Object.hasOwn(value as Fields, field))
        .map((field) => [field, (value as Fields)[field]]),
    );
  }
  return slice as StateSlice<State>;
}

function guardState<State extends object>(
  { initial, divided }: Division<State>,
  state: State,
  reads: readonly string[],
  slot: string,
): State {
  const check = (part: string) => {
    if (!reads.includes(part))
      throw new Error(`slot ${slot} reads ${part}, which it doesn't declare in reads`);
  };
  const guardFields = (key: string): object =>
    new Proxy(state[key as keyof State] as object, {
      get(target, field, receiver) {
        if (typeof field === 'string' && Object.hasOwn(initial[key as keyof State] as Fields, field))
          check(`${key}.${field}`);
        return Reflect.get(target, field, receiver) as unknown;
      },
    });
  const guarded = new Map<string, object>(divided.map((key) => [key, guardFields(key)]));
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

/**
 * The store as a slot may read it: reading a part of the state that is not in `reads` throws and names the part. Servers
 * pass only those parts, so that the slot would get nothing there. For tests and the release gate; pages don't pay for it.
 */
export function guardReads<State extends object = SlotState>(
  site: Division<State>,
  store: SlotStore<State>,
  reads: readonly string[],
  slot: string,
): SlotStore<State> {
  // Selectors compare states by identity.
  const guarded = new WeakMap<State, State>();
  const getState = () => {
    const state = store.getState();
    const known = guarded.get(state) ?? guardState(site, state, reads, slot);
    guarded.set(state, known);
    return known;
  };
  return { ...store, getState };
}
