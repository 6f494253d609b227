import { createHash } from 'node:crypto';
import { createLruCache } from './lruCache.ts';

/** What one process has counted of a client in a window. */
export interface Share {
  /** Hash of limit and client, and the window: clients are addresses. */
  readonly key: string;
  readonly hits: number;
  /** End of the window; ms since 1970. */
  readonly until: number;
}

/** Port: the counts of all processes that share limits. */
export interface RateLedger {
  /**
   * Replaces this process's hits by those of `shares`, then resolves to the hits of all other processes by key; no entry
   * means none. Idempotent. Rejects while the ledger is unavailable.
   */
  readonly exchange: (shares: readonly Share[]) => Promise<ReadonlyMap<string, number>>;
  readonly close: () => Promise<void>;
}

/** An exchange with the ledger: how long it took, or why it failed. */
export type Exchange = { readonly ms: number } | { readonly error: unknown };

interface LimitOptions {
  /** Counts of different names don't mix. */
  readonly name: string;
  readonly windowMs: number;
  /** Hits, or what they cost, per client and window. */
  readonly limit: number;
}

/** `ClientRateLimitInfo` of express-rate-limit. */
interface ClientCount {
  readonly totalHits: number;
  readonly resetTime: Date | undefined;
}

/** Counts of one limit by client; a `Store` of express-rate-limit. */
interface LimitStore {
  readonly localKeys: true;
  /** @param cost a whole number; of a hit: 1 */
  readonly increment: (client: string, cost?: number) => ClientCount | Promise<ClientCount>;
  /** Corrects the cost of earlier hits, which may be known afterwards only. The sum never falls below 0. */
  readonly adjust: (client: string, cost: number) => void;
  readonly decrement: (client: string) => void;
  readonly resetKey: (client: string) => void;
}

export interface RateLimits {
  readonly store: (options: LimitOptions) => LimitStore;
  /** Exchanges the counts now; otherwise it happens every `EXCHANGE_MS`. Never rejects. */
  readonly exchange: () => Promise<void>;
  /** Exchanges the last counts and closes the ledger. */
  readonly close: () => Promise<void>;
}

/** Clients per limit; the counts of those that have been idle longest are dropped. */
const MAX_CLIENTS = 50_000;
/** ms between two exchanges. */
const EXCHANGE_MS = 500;
/** ms after a failed exchange. */
const RETRY_MS = 2_000;
/** ms that a request waits for an exchange. */
const WAIT_MS = 250;
/** Counts per statement of the ledger. */
const MAX_SHARES = 1_000;
/**
 * Part of a limit that a process grants between two exchanges; a request beyond it waits for the next one. `n` processes
 * therefore grant at most `limit + (n - 1) * allowance` while the ledger is available.
 */
const ALLOWED_PART = 0.05;

export const allowanceOf = (limit: number): number => Math.ceil(limit * ALLOWED_PART);

interface Count {
  readonly key: string;
  readonly until: number;
  /** Hits of this process, and how many of them the ledger has. */
  own: number;
  exchanged: number;
  /** Hits of the other processes at the last exchange. */
  others: number;
}

interface Timing {
  readonly now: () => number;
  readonly everyMs: number;
  readonly waitMs: number;
}

/** Exchanges counts with the ledger, one exchange at a time. While that fails, each process counts by itself. */
class Exchanger {
  /** Counts that have changed. */
  readonly #changed = new Set<Count>();
  readonly #ledger: RateLedger;
  readonly #observe: (exchange: Exchange) => void;
  readonly #timing: Timing;
  readonly #timer: NodeJS.Timeout;
  /** Whether requests may wait: the last exchange succeeded in time. */
  #isPrompt = true;
  #retryAt = 0;
  #running: Promise<void> | undefined;
  #following: Promise<void> | undefined;

  constructor(ledger: RateLedger, timing: Timing, observe: (exchange: Exchange) => void) {
    this.#ledger = ledger;
    this.#timing = timing;
    this.#observe = observe;
    this.#timer = setInterval(() => {
      if (this.#changed.size > 0 && !this.#running && timing.now() >= this.#retryAt) void this.next();
    }, timing.everyMs);
    this.#timer.unref();
  }

  add(count: Count): void {
    if (this.#changed.size < MAX_CLIENTS) this.#changed.add(count);
  }

  /** An exchange that begins after this call. */
  next(): Promise<void> {
    if (this.#following) return this.#following;
    if (!this.#running) return this.#run();
    this.#following = this.#running.then(() => {
      this.#following = undefined;
      return this.#run();
    });
    return this.#following;
  }

  /** Like `next`, for at most `waitMs`; undefined if waiting would be in vain. */
  wait(): Promise<void> | undefined {
    if (!this.#isPrompt) return undefined;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(() => {
      this.#isPrompt = false;
      resolve();
    }, this.#timing.waitMs);
    void this.next().then(() => {
      clearTimeout(timer);
      resolve();
    });
    return promise;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.next();
    await this.#ledger.close();
  }

  #run(): Promise<void> {
    this.#running = this.#exchange().finally(() => (this.#running = undefined));
    return this.#running;
  }

  async #exchange(): Promise<void> {
    const counts = [...this.#changed].filter(({ until }) => until > this.#timing.now());
    this.#changed.clear();
    // Responses from a cache are refunded: most counts are back to where they were.
    const changed = counts.filter(({ own, exchanged }) => own !== exchanged);
    const startedAt = performance.now();
    for (let at = 0; at < changed.length; at += MAX_SHARES) {
      try {
        await this.#exchangeSome(changed.slice(at, at + MAX_SHARES));
      } catch (error) {
        for (const count of changed.slice(at)) this.add(count);
        this.#isPrompt = false;
        this.#retryAt = this.#timing.now() + RETRY_MS;
        return this.#observe({ error });
      }
    }
    if (changed.length === 0) return;
    const ms = performance.now() - startedAt;
    this.#isPrompt = ms < this.#timing.waitMs;
    this.#observe({ ms });
  }

  async #exchangeSome(counts: readonly Count[]): Promise<void> {
    // Refunds count from here on: the ledger has them before this process knows.
    for (const count of counts) count.exchanged = Math.min(count.exchanged, count.own);
    const shares = counts.map(({ key, own, until }) => ({ key, hits: own, until }));
    const others = await this.#ledger.exchange(shares);
    counts.forEach((count, at) => {
      count.exchanged = shares[at]!.hits;
      count.others = others.get(count.key) ?? 0;
    });
  }
}

/** All replicas must agree on the windows of a client; those of different clients end at different times. */
function openShared({ name, windowMs }: LimitOptions, client: string, at: number): Count {
  const hash = createHash('sha256').update(`${name} ${client}`).digest();
  const until = at - ((at + hash.readUInt32BE(0)) % windowMs) + windowMs;
  return { key: `${hash.toString('base64url')}.${until}`, until, own: 0, exchanged: 0, others: 0 };
}

/**
 * Counts of clients. Without a ledger they are this process's own, and a window begins with its first hit. With one, each
 * process counts by itself and exchanges its counts in the background. Clocks of replicas must differ by much less than a window.
 */
export function createRateLimits(
  parts: {
    readonly ledger?: RateLedger | undefined;
    readonly observe?: (exchange: Exchange) => void;
  } & Partial<Timing> = {},
): RateLimits {
  const { ledger, observe = () => {}, now = Date.now, everyMs = EXCHANGE_MS, waitMs = WAIT_MS } = parts;
  const exchanger = ledger && new Exchanger(ledger, { now, everyMs, waitMs }, observe);

  function store(options: LimitOptions): LimitStore {
    const { windowMs, limit } = options;
    const allowance = allowanceOf(limit);
    const counts = createLruCache<Count>({ maxEntries: MAX_CLIENTS });
    const countOf = (client: string): Count => {
      const at = now();
      const current = counts.get(client);
      if (current && current.until > at) return current;
      const next = exchanger
        ? openShared(options, client, at)
        : { key: '', until: at + windowMs, own: 0, exchanged: 0, others: 0 };
      counts.set(client, next);
      return next;
    };
    function adjust(client: string, cost: number): void {
      const count = countOf(client);
      count.own = Math.max(0, count.own + cost);
      exchanger?.add(count);
    }
    return {
      localKeys: true,
      adjust,
      increment(client, cost = 1) {
        const count = countOf(client);
        count.own += cost;
        const ordinal = count.own;
        exchanger?.add(count);
        const info = () => ({ totalHits: ordinal + count.others, resetTime: new Date(count.until) });
        // What is refused anyway need not wait.
        const isWithin = ordinal + count.others <= limit;
        const exchanged = isWithin && ordinal - count.exchanged > allowance ? exchanger?.wait() : undefined;
        return exchanged ? exchanged.then(info) : info();
      },
      decrement: (client) => adjust(client, -1),
      resetKey: (client) => counts.delete(client),
    };
  }

  return {
    store,
    exchange: () => exchanger?.next() ?? Promise.resolve(),
    close: () => exchanger?.close() ?? Promise.resolve(),
  };
}
