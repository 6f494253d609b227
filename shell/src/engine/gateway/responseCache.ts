import { createLruCache } from '@forecourt/service-kit/lruCache';

/** A response that its headers allow to cache. */
interface CachedResponse {
  readonly data: unknown;
  /** For `If-None-Match`. */
  readonly etag: string | undefined;
  /** ms. */
  readonly lifetime: number;
  readonly storedAt: number;
  /** Version of the stock that the response is made of, if the upstream says so. */
  readonly stockVersion: string | undefined;
  readonly bytes: number;
}

interface CacheHeaders {
  readonly etag?: unknown;
  readonly 'cache-control'?: unknown;
  readonly 'content-length'?: unknown;
  readonly 'stock-version'?: unknown;
}

/** Sizes of the JSON; parsed objects take about four times as much memory. */
const MAX_BYTES = { reused: 2 * 1024 * 1024, revalidated: 4 * 1024 * 1024 };

/** Age up to which a response replaces one that the failing upstream does not give (RFC 5861); ms. */
const MAX_STALE_MS = 600_000;

/** Freshness lifetime in ms; undefined if the response must not be stored (RFC 9111). */
function freshnessOf(headers: CacheHeaders): number | undefined {
  const control = typeof headers['cache-control'] === 'string' ? headers['cache-control'] : '';
  if (/\b(no-store|private)\b/.test(control)) return undefined;
  if (/\bno-cache\b/.test(control)) return 0;
  return Number(/\bmax-age=(\d+)/.exec(control)?.[1] ?? 0) * 1000;
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/**
 * Responses to reads without user credentials, by call and URL. A response that depends on the stock is fresh
 * while the upstream, within the response's lifetime, has named no other version of it: a change invalidates it
 * at once, and an unchanged stock keeps it fresh. Responses that are always revalidated, which are large and rarely
 * requested again (searches), have a limit of their own: they must not evict those that save requests.
 */
export function createResponseCache(now: () => number, maxBytes = MAX_BYTES) {
  const reused = createLruCache<CachedResponse>({ maxBytes: maxBytes.reused });
  const revalidated = createLruCache<CachedResponse>({ maxBytes: maxBytes.revalidated });
  const get = (key: string) => reused.get(key) ?? revalidated.get(key);
  let stock = { version: '', namedAt: 0 };
  const isFresh = ({ stockVersion, lifetime, storedAt }: CachedResponse): boolean => {
    if (lifetime === 0) return false;
    if (stockVersion === undefined) return now() < storedAt + lifetime;
    return stockVersion === stock.version && now() < stock.namedAt + lifetime;
  };
  return {
    /** A response that is not `isFresh` must be revalidated. */
    find(key: string) {
      const entry = get(key);
      return entry && { data: entry.data, etag: entry.etag, isFresh: isFresh(entry) };
    },
    /** A response that can be used although it was not revalidated. */
    findStale(key: string): CachedResponse | undefined {
      const entry = get(key);
      return entry && now() - entry.storedAt <= MAX_STALE_MS ? entry : undefined;
    },
    /** Learns the current version of the stock from any response. */
    observe(headers: CacheHeaders): void {
      const version = textOf(headers['stock-version']);
      if (version !== undefined) stock = { version, namedAt: now() };
    },
    /** Stores a response if its headers allow, and drops an older one. */
    store(key: string, data: unknown, headers: CacheHeaders): void {
      const previous = get(key);
      reused.delete(key);
      revalidated.delete(key);
      const lifetime = freshnessOf(headers);
      const etag = textOf(headers.etag);
      if (lifetime === undefined || (lifetime === 0 && etag === undefined)) return;
      // A 304 has no body: its data has the previous size.
      const bytes = Number(headers['content-length'] ?? previous?.bytes ?? Number.POSITIVE_INFINITY);
      const kind = lifetime > 0 ? 'reused' : 'revalidated';
      if (bytes > maxBytes[kind] / 4) return;
      const stockVersion = textOf(headers['stock-version']);
      const entries = kind === 'reused' ? reused : revalidated;
      entries.set(key, { data, etag, lifetime, storedAt: now(), stockVersion, bytes }, bytes);
    },
  };
}
