import { createLruCache } from '@forecourt/service-kit/lruCache';
import type { PageBody } from '../compose/pageBody.ts';

interface Rendering<R> {
  readonly result: R;
  /** The page, if the result has one; other results are shared while pending but not stored. */
  readonly body: PageBody | undefined;
}

export interface RenderingContext {
  /** Aborted when the last waiting client has disconnected. */
  readonly signal: AbortSignal;
}

export type Render<R> = (context: RenderingContext) => Promise<Rendering<R>>;

/**
 * - `miss`: rendered for this request
 * - `join`: shares a rendering in progress
 * - `hit`: cached and fresh
 * - `stale`: cached, and revalidated in the background
 */
export type CacheOutcome = 'miss' | 'join' | 'hit' | 'stale';

export interface PageCacheOptions {
  /** Age up to which a page is served without revalidation; ms. */
  readonly freshMs: number;
  /** Further time in which it is served while a new one is rendered; ms. */
  readonly staleMs: number;
  /** Age up to which it is served to those who accept an old page, without revalidation; ms. */
  readonly oldMs: number;
  readonly maxBytes: number;
  /** ms since any epoch. */
  readonly now: () => number;
  /** A revalidation or compression in the background failed. */
  readonly onError: (error: unknown) => void;
}

interface CachedPage<R> {
  readonly result: R;
  readonly outcome: CacheOutcome;
}

interface StoredPage<R> {
  readonly result: R;
  readonly body: PageBody;
  readonly storedAt: number;
  /** It lacks optional slots: stored for times of overload only. */
  readonly isShed: boolean;
}

export type PageCache<R> = ReturnType<typeof createPageCache<R>>;
type PendingPage<R> = ReturnType<typeof startRendering<R>>;

/**
 * Starts a render. If `isAwaited`, it is aborted when its last client disconnects,
 * and `onAbandoned` is called. Otherwise it always finishes.
 */
function startRendering<R>(
  render: Render<R>,
  { isAwaited, onAbandoned }: { readonly isAwaited: boolean; readonly onAbandoned: () => void },
) {
  const controller = new AbortController();
  let clients = 0;
  const leave = () => {
    clients -= 1;
    if (clients > 0 || !isAwaited) return;
    controller.abort();
    onAbandoned();
  };
  return {
    rendering: render({ signal: controller.signal }),
    isAborted: () => controller.signal.aborted,
    /** Adds a client; an awaited render is aborted when its last client disconnects. */
    join(client: AbortSignal): void {
      clients += 1;
      if (client.aborted) leave();
      else client.addEventListener('abort', leave, { once: true });
    },
  };
}

/**
 * Compresses pages well in the background, one at a time. While another one is compressed, a later request of the page
 * tries again.
 */
function createBackgroundCompression(onError: (error: unknown) => void): (body: PageBody) => void {
  let isBusy = false;
  return (body) => {
    if (isBusy || body.isWellCompressed) return;
    isBusy = true;
    body
      .compressWell()
      .catch(onError)
      .finally(() => {
        isBusy = false;
      });
  };
}

export interface PageQuery {
  /** Of the client. */
  readonly signal: AbortSignal;
  /** Skips the cache. */
  readonly isRenewed?: boolean;
  /** Under load, a page without its optional slots will do. */
  readonly acceptsShed?: boolean;
  /** An old page will do, for which nothing is rendered: a crawler is in no hurry. */
  readonly acceptsOld?: boolean;
}

/**
 * Cache of pages that are the same for every anonymous visitor: served stale while
 * revalidating, and rendered once for concurrent requests. Cookies and headers are
 * per response. Pages that are requested again are compressed well, one at a time.
 */
export function createPageCache<R>(options: PageCacheOptions) {
  const { freshMs, staleMs, oldMs, maxBytes, now, onError } = options;
  const pages = createLruCache<StoredPage<R>>({ maxBytes });
  const pending = new Map<string, PendingPage<R>>();
  const compress = createBackgroundCompression(onError);

  const isFresh = ({ storedAt }: { readonly storedAt: number }) => now() - storedAt <= freshMs;

  /** Older pages stay until they are replaced or evicted: `stored` serves them under load. */
  function find(key: string, { acceptsShed = false, acceptsOld = false }: Partial<PageQuery> = {}) {
    const page = pages.get(key);
    if (!page || (page.isShed && !acceptsShed)) return undefined;
    const maxAgeMs = acceptsOld ? Math.max(oldMs, freshMs + staleMs) : freshMs + staleMs;
    return now() - page.storedAt <= maxAgeMs ? page : undefined;
  }

  function start(key: string, render: Render<R>, isAwaited: boolean): PendingPage<R> {
    const forget = () => {
      if (pending.get(key) === page) pending.delete(key);
    };
    const page = startRendering(render, { isAwaited, onAbandoned: forget });
    pending.set(key, page);
    const store = async () => {
      const { result, body } = await page.rendering;
      if (!body) return;
      const completeness = await body.done;
      if (page.isAborted() || completeness === 'late' || completeness === 'stale') return;
      const older = pages.get(key)?.body;
      const stored = { result, body, storedAt: now(), isShed: completeness === 'shed' };
      pages.set(key, stored, body.size);
      body.onResize = () => pages.resize(key, stored, body.size);
      // Revalidation mostly finds nothing new.
      body.keepCompressed(older).catch(onError);
    };
    store()
      .catch((error: unknown) => {
        if (!isAwaited) onError(error);
      })
      .finally(forget);
    return page;
  }

  const cached = ({ result, body, isShed, storedAt }: StoredPage<R>): CachedPage<R> => {
    if (!isShed) compress(body);
    return { result, outcome: isFresh({ storedAt }) ? 'hit' : 'stale' };
  };

  return {
    size: pages.size,
    /** The page for `key` if it need not be rendered. */
    current(key: string): CachedPage<R> | undefined {
      const page = find(key);
      return page && cached(page);
    },
    /** The page for `key` at any age, not revalidated: for times when there is no capacity for rendering. */
    stored(key: string): CachedPage<R> | undefined {
      const page = pages.get(key);
      return page && cached(page);
    },
    /** The page for `key`, which must contain everything that the page depends on. */
    async get(key: string, render: Render<R>, query: PageQuery): Promise<CachedPage<R>> {
      const { signal, isRenewed = false, acceptsOld = false } = query;
      const page = isRenewed ? undefined : find(key, query);
      if (page) {
        if (!isFresh(page) && !acceptsOld && !pending.has(key)) start(key, render, false);
        return cached(page);
      }
      const joined = isRenewed ? undefined : pending.get(key);
      const rendering = joined ?? start(key, render, true);
      rendering.join(signal);
      const { result } = await rendering.rendering;
      return { result, outcome: joined ? 'join' : 'miss' };
    },
  };
}
