/** A cache that evicts the least recently used entries beyond a number of entries or a total size. */
export function createLruCache<V>({
  maxEntries = Infinity,
  maxBytes = Infinity,
}: {
  readonly maxEntries?: number;
  readonly maxBytes?: number;
}) {
  /** In order of use, the oldest first. */
  const entries = new Map<string, { readonly value: V; readonly bytes: number }>();
  let total = 0;
  const remove = (key: string) => {
    total -= entries.get(key)?.bytes ?? 0;
    entries.delete(key);
  };
  const evict = () => {
    for (const oldest of entries.keys()) {
      if (entries.size <= maxEntries && total <= maxBytes) break;
      remove(oldest);
    }
  };
  return {
    /** The entry, which becomes the most recently used one. */
    get(key: string): V | undefined {
      const entry = entries.get(key);
      if (!entry) return undefined;
      entries.delete(key);
      entries.set(key, entry);
      return entry.value;
    },
    /** Adds or replaces an entry of `bytes`, then evicts the least recently used ones beyond the limits. */
    set(key: string, value: V, bytes = 0): void {
      remove(key);
      entries.set(key, { value, bytes });
      total += bytes;
      evict();
    },
    /** Changes the size of an entry that is still in the cache, without using it. */
    resize(key: string, value: V, bytes: number): void {
      const entry = entries.get(key);
      if (entry?.value !== value) return;
      entries.set(key, { value, bytes });
      total += bytes - entry.bytes;
      evict();
    },
    delete: remove,
    size: () => ({ entries: entries.size, bytes: total }),
  };
}
