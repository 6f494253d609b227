/** The part of the Web Storage that is used. */
export type KeyValueStore = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** Undefined when the visitor blocks storage: reading the property throws then. */
export function webStorage(kind: 'local' | 'session' = 'local'): KeyValueStore | undefined {
  try {
    return kind === 'local' ? window.localStorage : window.sessionStorage;
  } catch {
    return undefined;
  }
}

/** The stored JSON value of a key; undefined when it is missing, malformed or rejected by `parse`. Never throws. */
export function readStored<T>(
  key: string,
  parse: (value: unknown) => T | undefined,
  storage = webStorage(),
): T | undefined {
  try {
    const text = storage?.getItem(key);
    return text == null ? undefined : parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Stores a value as JSON; false when storage is blocked or full. */
export function writeStored(key: string, value: unknown, storage = webStorage()): boolean {
  try {
    if (!storage) return false;
    storage.setItem(key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

export function removeStored(key: string, storage = webStorage()): void {
  try {
    storage?.removeItem(key);
  } catch {
    // Blocked storage has nothing to remove.
  }
}

/** Whether nothing can be stored here. */
export function isStorageBlocked(): boolean {
  const key = 'storageProbe';
  const canWrite = writeStored(key, 1);
  removeStored(key);
  return !canWrite;
}

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Parses a stored list and drops the entries that `parse` rejects. */
export const parseList =
  <T>(parse: (entry: unknown) => T | undefined) =>
  (value: unknown): T[] =>
    Array.isArray(value) ? value.map(parse).filter((entry): entry is T => entry !== undefined) : [];

/** Storage keys that only this remote uses; shared keys are in `shared-contracts/store`. */
export const STORAGE_KEYS = {
  /** Leads that still have to be delivered. */
  leadOutbox: 'leadOutbox',
  /** Per tab: form drafts. */
  leadDrafts: 'leadDrafts',
  /** Per tab: the listing to save once the visitor has signed in. */
  saveAfterSignIn: 'saveAfterSignIn',
  /** Ids of saved deals, by listing. */
  savedDeals: 'savedDeals',
  /** Push token of this browser. */
  notificationToken: 'notificationToken',
  /** The visitor turned notifications off in this browser. */
  notificationsOff: 'notificationsOff',
} as const;
