/** One value in the browser's storage; no other code may use its key. */
export interface StoredValue<Value> {
  readonly key: string;
  readonly area: 'local' | 'session';
  /** The stored value; the empty value if it is missing or invalid. */
  readonly read: () => Value;
  /** Stores what `read` would return, so a list at its maximum length; `undefined` removes it. A no-op when storage is blocked or full. */
  readonly write: (value: Value) => void;
  /** Parses the text of another tab's storage event. */
  readonly parse: (text: string | null) => Value;
}

const storageOf = (area: 'local' | 'session'): Storage =>
  area === 'local' ? window.localStorage : window.sessionStorage;

/** A stored value with a unique key. `check` converts any stored data, or `undefined`, to a valid value. */
export function storedValue<Value>(
  area: 'local' | 'session',
  key: string,
  check: (raw: unknown) => Value,
): StoredValue<Value> {
  const parse = (text: string | null): Value => {
    try {
      return check(text === null ? undefined : JSON.parse(text));
    } catch {
      return check(undefined);
    }
  };
  return {
    key,
    area,
    parse,
    read() {
      try {
        return parse(storageOf(area).getItem(key));
      } catch {
        return check(undefined);
      }
    },
    write(value) {
      try {
        if (value === undefined) storageOf(area).removeItem(key);
        else storageOf(area).setItem(key, JSON.stringify(check(value)));
      } catch {
        // Storage is blocked or full: the page works without it.
      }
    },
  };
}

const isTrue = (raw: unknown): boolean => raw === true;

/** A stored list of at most `max` valid entries, in order. */
export const storedList = <Entry>(
  area: 'local' | 'session',
  key: string,
  isEntry: (raw: unknown) => raw is Entry,
  max: number,
): StoredValue<readonly Entry[]> =>
  storedValue<readonly Entry[]>(area, key, (raw) =>
    Array.isArray(raw) ? raw.filter(isEntry).slice(0, max) : [],
  );

const isId = (raw: unknown): raw is string => typeof raw === 'string' && raw !== '' && raw.length <= 64;
/** A stored list of at most `max` ids. */
export const storedIds = (
  area: 'local' | 'session',
  key: string,
  max: number,
): StoredValue<readonly string[]> => storedList(area, key, isId, max);

/** A stored boolean; false by default. */
export const storedFlag = (area: 'local' | 'session', key: string): StoredValue<boolean> =>
  storedValue(area, key, isTrue);
