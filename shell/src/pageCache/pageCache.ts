import type { PageLog } from './pageLog.ts';

/** What a page's request is answered with, before the answer's own headers. */
export interface Rendering<A> {
  readonly answer: A;
  /** The page, where the answer is one; anything else is shared but not kept. */
  readonly log: PageLog | undefined;
}

/** How one rendering may end early, and how it says that it is not worth keeping. */
export interface RenderingContext {
  /** Aborted when nobody waits for the page any more. */
  readonly signal: AbortSignal;
  /** Something is missing from the page that the next one may have: it is not kept. */
  readonly degrade: () => void;
}

export type Render<A> = (context: RenderingContext) => Promise<Rendering<A>>;

/**
 * - `miss`: rendered for this request
 * - `join`: being rendered for another one
 * - `hit`: kept, and young
 * - `stale`: kept, and being rendered anew
 */
export type CacheOutcome = 'miss' | 'join' | 'hit' | 'stale';

export interface PageCacheOptions {
  /** A kept page is used without a second thought for so long; ms. */
  readonly freshMs: number;
  /** And for so long after that while a new one is rendered; ms. */
  readonly staleMs: number;
  readonly maxBytes: number;
  /** ms since any epoch. */
  readonly now: () => number;
  /** A rendering that nobody waits for has failed. */
  readonly onError: (error: unknown) => void;
}

export interface PageCache<A> {
  /**
   * The page for `key`, which must name everything that it depends on.
   * `signal` is the visitor's: the last one to leave ends a rendering.
   * `isRenewed` skips what is kept.
   */
  readonly get: (
    key: string,
    render: Render<A>,
    options: { readonly signal: AbortSignal; readonly isRenewed?: boolean },
  ) => Promise<{ readonly answer: A; readonly outcome: CacheOutcome }>;
  readonly size: () => { readonly pages: number; readonly bytes: number };
}

interface Kept<A> {
  readonly answer: A;
  readonly bytes: number;
  readonly keptAt: number;
}

interface UnderWay<A> {
  readonly rendering: Promise<Rendering<A>>;
  readonly wait: (signal: AbortSignal) => void;
}

/**
 * Pages that are the same for every anonymous visitor: kept for a short while,
 * served stale while a new one is rendered, and rendered once for all who ask
 * at the same time. It holds pages only; cookies, headers and the places in a
 * page that differ belong to each answer.
 */
export function createPageCache<A>(options: PageCacheOptions): PageCache<A> {
  const { freshMs, staleMs, maxBytes, now, onError } = options;
  /** Least recently used first. */
  const kept = new Map<string, Kept<A>>();
  const underWay = new Map<string, UnderWay<A>>();
  let bytes = 0;

  function forget(key: string): void {
    bytes -= kept.get(key)?.bytes ?? 0;
    kept.delete(key);
  }

  function keep(key: string, answer: A, size: number): void {
    forget(key);
    kept.set(key, { answer, bytes: size, keptAt: now() });
    bytes += size;
    for (const oldest of kept.keys()) {
      if (bytes <= maxBytes) break;
      forget(oldest);
    }
  }

  function find(key: string): Kept<A> | undefined {
    const page = kept.get(key);
    if (!page) return undefined;
    kept.delete(key);
    if (now() - page.keptAt > freshMs + staleMs) {
      bytes -= page.bytes;
      return undefined;
    }
    kept.set(key, page);
    return page;
  }

  /** `isAwaited`: it ends when the last visitor has left; else it goes on for those to come. */
  function start(key: string, render: Render<A>, isAwaited: boolean): UnderWay<A> {
    const controller = new AbortController();
    let readers = 0;
    let isDegraded = false;
    const rendering = render({ signal: controller.signal, degrade: () => (isDegraded = true) });
    const entry: UnderWay<A> = {
      rendering,
      wait(signal) {
        readers += 1;
        const leave = () => {
          readers -= 1;
          if (readers > 0 || !isAwaited) return;
          controller.abort();
          // Whoever comes now must not wait for what has been given up.
          if (underWay.get(key) === entry) underWay.delete(key);
        };
        if (signal.aborted) leave();
        else signal.addEventListener('abort', leave, { once: true });
      },
    };
    underWay.set(key, entry);
    const finish = async () => {
      const { answer, log } = await rendering;
      await log?.done;
      if (!log || isDegraded || controller.signal.aborted) return;
      log.compact();
      keep(key, answer, log.size());
    };
    finish()
      .catch((error: unknown) => {
        if (!isAwaited) onError(error);
      })
      .finally(() => {
        if (underWay.get(key) === entry) underWay.delete(key);
      });
    return entry;
  }

  return {
    size: () => ({ pages: kept.size, bytes }),
    async get(key, render, { signal, isRenewed = false }) {
      const page = isRenewed ? undefined : find(key);
      if (page) {
        const isFresh = now() - page.keptAt <= freshMs;
        if (!isFresh && !underWay.has(key)) start(key, render, false);
        return { answer: page.answer, outcome: isFresh ? 'hit' : 'stale' };
      }
      const joined = isRenewed ? undefined : underWay.get(key);
      const entry = joined ?? start(key, render, true);
      entry.wait(signal);
      const { answer } = await entry.rendering;
      return { answer, outcome: joined ? 'join' : 'miss' };
    },
  };
}
