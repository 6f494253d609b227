import { createLruCache } from '../bounds/lruCache.ts';

/** A response that its headers allow to cache. */
interface CachedResponse {
  readonly data: unknown;
  /** For `If-None-Match`. */
  readonly etag: string | undefined;
  readonly freshUntil: number;
  readonly bytes: number;
}

interface CacheHeaders {
  readonly etag?: unknown;
  readonly 'cache-control'?: unknown;
  readonly 'content-length'?: unknown;
}

/** Size of the JSON; parsed objects take about four times as much memory. */
const MAX_BYTES = 4 * 1024 * 1024;

/** Freshness lifetime in ms; undefined if the response must not be stored (RFC 9111). */
function freshnessOf(headers: CacheHeaders): number | undefined {
  const control = typeof headers['cache-control'] === 'string' ? headers['cache-control'] : '';
  if (/\b(no-store|private)\b/.test(control)) return undefined;
  if (/\bno-cache\b/.test(control)) return 0;
  return Number(/\bmax-age=(\d+)/.exec(control)?.[1] ?? 0) * 1000;
}

/** Responses to reads without user credentials, by call and URL. */
export function createResponseCache(now: () => number, maxBytes = MAX_BYTES) {
  const entries = createLruCache<CachedResponse>({ maxBytes });
  return {
    /** A response that is not `isFresh` must be revalidated. */
    find(key: string) {
      const entry = entries.get(key);
      return entry && { data: entry.data, etag: entry.etag, isFresh: now() < entry.freshUntil };
    },
    /** Stores a response if its headers allow, and drops an older one. */
    store(key: string, data: unknown, headers: CacheHeaders): void {
      const previous = entries.get(key);
      entries.delete(key);
      const fresh = freshnessOf(headers);
      const etag = typeof headers.etag === 'string' ? headers.etag : undefined;
      if (fresh === undefined || (fresh === 0 && etag === undefined)) return;
      // A 304 has no body: its data has the previous size.
      const bytes = Number(headers['content-length'] ?? previous?.bytes ?? Number.POSITIVE_INFINITY);
      if (bytes > maxBytes / 4) return;
      entries.set(key, { data, etag, freshUntil: now() + fresh, bytes }, bytes);
    },
  };
}
