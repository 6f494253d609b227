export interface LruCache<V> {
  /** The entry, which becomes the most recently used one. */
  readonly get: (key: string) => V | undefined;
  /** Adds or replaces an entry of `bytes`, then evicts the least recently used ones beyond the limits. */
  readonly set: (key: string, value: V, bytes?: number) => void;
  readonly delete: (key: string) => void;
  readonly size: () => { readonly entries: number; readonly bytes: number };
}

/** A cache with limits by number of entries and by size. */
export function createLruCache<V>({
  maxEntries = Infinity,
  maxBytes = Infinity,
}: {
  readonly maxEntries?: number;
  readonly maxBytes?: number;
}): LruCache<V> {
  /** In order of use, the oldest first. */
  const entries = new Map<string, { readonly value: V; readonly bytes: number }>();
  let total = 0;
  const remove = (key: string) => {
    total -= entries.get(key)?.bytes ?? 0;
    entries.delete(key);
  };
  return {
    get(key) {
      const entry = entries.get(key);
      if (!entry) return undefined;
      entries.delete(key);
      entries.set(key, entry);
      return entry.value;
    },
    set(key, value, bytes = 0) {
      remove(key);
      entries.set(key, { value, bytes });
      total += bytes;
      for (const oldest of entries.keys()) {
        if (entries.size <= maxEntries && total <= maxBytes) break;
        remove(oldest);
      }
    },
    delete: remove,
    size: () => ({ entries: entries.size, bytes: total }),
  };
}
