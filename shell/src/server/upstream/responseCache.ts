import { createLruCache } from '../bounds/lruCache.ts';

/** A response that the upstream allows to be reused. */
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

/** Of JSON; the parsed objects take about four times as much. */
const MAX_BYTES = 4 * 1024 * 1024;

/** ms of freshness; undefined when the response must not be stored (RFC 9111). */
function freshFor(headers: CacheHeaders): number | undefined {
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
      const older = entries.get(key);
      entries.delete(key);
      const fresh = freshFor(headers);
      const etag = typeof headers.etag === 'string' ? headers.etag : undefined;
      if (fresh === undefined || (fresh === 0 && etag === undefined)) return;
      // A 304 has no body: its data is as large as before.
      const bytes = Number(headers['content-length'] ?? older?.bytes ?? Number.POSITIVE_INFINITY);
      if (bytes > maxBytes / 4) return;
      entries.set(key, { data, etag, freshUntil: now() + fresh, bytes }, bytes);
    },
  };
}
