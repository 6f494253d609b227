/** The part of the Web Storage that is used. */
export type KeyValueStore = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** The browser's storage, or none where a visitor has closed it (reading the property throws then). */
export function browserStorage(kind: 'local' | 'session' = 'local'): KeyValueStore | undefined {
  try {
    return kind === 'local' ? window.localStorage : window.sessionStorage;
  } catch {
    return undefined;
  }
}

/**
 * The stored JSON value of a key as `parse` reads it; undefined when there is
 * none, when it is broken, or when `parse` does not know it. Never throws.
 */
export function readStored<T>(
  key: string,
  parse: (value: unknown) => T | undefined,
  storage = browserStorage(),
): T | undefined {
  try {
    const text = storage?.getItem(key);
    return text == null ? undefined : parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Stores a value as JSON; false when the storage is closed or full. */
export function writeStored(key: string, value: unknown, storage = browserStorage()): boolean {
  try {
    if (!storage) return false;
    storage.setItem(key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

export function forgetStored(key: string, storage = browserStorage()): void {
  try {
    storage?.removeItem(key);
  } catch {
    // A closed storage holds nothing to forget.
  }
}

/** Is it a JSON object? Then its fields may be looked at. */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The entries of a stored list which `parse` knows. */
export const listOf =
  <T>(parse: (entry: unknown) => T | undefined) =>
  (value: unknown): T[] =>
    Array.isArray(value) ? value.map(parse).filter((entry): entry is T => entry !== undefined) : [];
