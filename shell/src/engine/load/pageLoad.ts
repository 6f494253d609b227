import { createPermits, OverloadedError, type Permit, type Permits } from './permits.ts';

/** What is shed, in this order; each level includes those before it. */
export const LOAD_LEVELS = ['normal', 'slots', 'stale', 'refuse'] as const;
export type LoadLevel = (typeof LOAD_LEVELS)[number];

export interface LoadState {
  readonly level: LoadLevel;
  /** Time without overload since the last change; ms. */
  readonly calmMs: number;
}

export interface LoadWindow {
  readonly elapsedMs: number;
  /** The shortest delay in the window: what remains is a standing queue, not a burst (CoDel, RFC 8289). */
  readonly delayMs: number;
  /** Some request got no permit. */
  readonly hasRefused: boolean;
}

interface LoadLimits {
  /** Acceptable delay; ms. */
  readonly targetMs: number;
  /** Time without overload after which a level ends; ms. */
  readonly calmMs: number;
}

export const NO_LOAD: LoadState = { level: 'normal', calmMs: 0 };

const levelAt = (index: number): LoadLevel =>
  LOAD_LEVELS[Math.min(Math.max(index, 0), LOAD_LEVELS.length - 1)] as LoadLevel;

/**
 * The state after a window: one level up if its delay exceeds the target, one
 * down for each calm period. A window with more than half the target or with a
 * refusal is neither, so that levels do not flap.
 */
export function nextLoad(
  { level, calmMs }: LoadState,
  { elapsedMs, delayMs, hasRefused }: LoadWindow,
  limits: LoadLimits,
): LoadState {
  const index = LOAD_LEVELS.indexOf(level);
  if (delayMs > limits.targetMs) return { level: levelAt(index + 1), calmMs: 0 };
  if (hasRefused || delayMs > limits.targetMs / 2) return { level, calmMs: 0 };
  const calm = calmMs + elapsedMs;
  const steps = Math.floor(calm / limits.calmMs);
  const lower = levelAt(index - steps);
  return { level: lower, calmMs: lower === 'normal' ? 0 : calm - steps * limits.calmMs };
}

/** What was shed: an optional slot, a page's freshness, or a page. */
export type Shed = 'slot' | 'stale' | 'page';

export interface PageLoadOptions {
  /** Pages rendered at the same time. */
  readonly maxConcurrent: number;
  /** Acceptable delay of a page before it is rendered; ms. */
  readonly targetMs: number;
  /** The event loop's delay since the last call; ms. */
  readonly loopDelayMs: () => number;
  /** ms since any epoch. */
  readonly now: () => number;
  readonly onLevel: (level: LoadLevel, previous: LoadLevel) => void;
  readonly onShed: (what: Shed) => void;
}

/** Queued requests per permit. */
const QUEUED_PER_PERMIT = 4;
/** An interval is as many targets long; CoDel's are 20. */
const TARGETS_PER_INTERVAL = 10;
/** Long enough for a standing queue to reach the last level first. */
const MAX_WAIT_INTERVALS = LOAD_LEVELS.length + 1;
const CALM_INTERVALS = 10;

/** Limits how many pages are rendered at a time, and says what to shed. Needs no timer: requests move its clock. */
export class PageLoad {
  readonly #options: PageLoadOptions;
  readonly #permits: Permits;
  readonly #intervalMs: number;
  #state: LoadState = NO_LOAD;
  #windowStart: number;
  /** Of the permits granted in this window; undefined if there were none. */
  #shortestWaitMs: number | undefined;
  #hasRefused = false;
  /** The queue was full, or a request waited in it for the maximum. */
  #hasOverflowed = false;

  constructor(options: PageLoadOptions) {
    const { maxConcurrent, targetMs, now } = options;
    this.#options = options;
    this.#intervalMs = targetMs * TARGETS_PER_INTERVAL;
    this.#windowStart = now();
    this.#permits = createPermits({
      limit: maxConcurrent,
      maxQueued: maxConcurrent * QUEUED_PER_PERMIT,
      maxWaitMs: this.#intervalMs * MAX_WAIT_INTERVALS,
      now,
    });
  }

  get level(): LoadLevel {
    this.#closeWindow();
    return this.#state.level;
  }

  get leavesOutSlots(): boolean {
    return this.level !== 'normal';
  }

  get prefersStale(): boolean {
    return LOAD_LEVELS.indexOf(this.level) >= LOAD_LEVELS.indexOf('stale');
  }

  /** So many pages are being written that the time of the processor decides how soon they end. */
  get isBusy(): boolean {
    return this.#permits.inUse() > this.#options.maxConcurrent / 4;
  }

  queueLength(): number {
    return this.#permits.queueLength();
  }

  count(what: Shed): void {
    this.#options.onShed(what);
  }

  /**
   * Runs `work` with a permit, which is returned when the promise of `endOf` its
   * result settles, or at once. `onEnd` gets the time for which it was in use; ms.
   * Rejects with OverloadedError if there is none.
   */
  async run<R>(
    signal: AbortSignal,
    work: () => Promise<R>,
    {
      endOf = () => undefined,
      onEnd,
    }: {
      readonly endOf?: (result: R) => Promise<unknown> | undefined;
      readonly onEnd?: (ms: number) => void;
    } = {},
  ): Promise<R> {
    const permit = await this.#permit(signal);
    const startedAt = performance.now();
    const release = () => {
      permit.release();
      onEnd?.(performance.now() - startedAt);
    };
    try {
      const result = await work();
      const end = endOf(result);
      if (end) end.then(release, release);
      else release();
      return result;
    } catch (error) {
      release();
      throw error;
    }
  }

  async #permit(signal: AbortSignal): Promise<Permit> {
    // At the last level nothing waits, but the permits remain in use.
    if (this.level === 'refuse' && !this.#permits.isFree()) {
      this.#hasRefused = true;
      throw new OverloadedError();
    }
    try {
      const permit = await this.#permits.take(signal);
      this.#closeWindow();
      this.#shortestWaitMs = Math.min(this.#shortestWaitMs ?? Infinity, permit.waitedMs);
      return permit;
    } catch (error) {
      this.#closeWindow();
      if (error instanceof OverloadedError) this.#hasOverflowed = this.#hasRefused = true;
      throw error;
    }
  }

  /** Of the current window: the shortest wait for a permit, or where none was granted, the one that still lasts. */
  #waitMs(): number {
    // No queue is left, however long the last in it have waited.
    if (this.#permits.isFree()) return 0;
    if (this.#shortestWaitMs !== undefined) return this.#shortestWaitMs;
    return this.#hasOverflowed ? Infinity : this.#permits.oldestWaitMs();
  }

  /** With few pages in flight, something else delays the event loop, and shedding would not help. */
  #loopDelayMs(): number {
    const { loopDelayMs, maxConcurrent } = this.#options;
    const delayMs = loopDelayMs();
    return this.#permits.inUse() < maxConcurrent / 2 ? 0 : delayMs;
  }

  /** Applies the window if it is over. Whatever was observed falls into its first interval; the rest was idle. */
  #closeWindow(): void {
    const { now } = this.#options;
    const elapsedMs = now() - this.#windowStart;
    // The system's clock may be set back.
    if (elapsedMs < 0) this.#windowStart = now();
    if (elapsedMs < this.#intervalMs) return;
    this.#apply(this.#intervalMs, Math.max(this.#waitMs(), this.#loopDelayMs()), this.#hasRefused);
    const idleMs = elapsedMs - this.#intervalMs;
    if (this.#permits.queueLength() === 0) this.#apply(idleMs, 0, false);
    this.#windowStart = now();
    this.#shortestWaitMs = undefined;
    this.#hasRefused = false;
    this.#hasOverflowed = false;
  }

  #apply(elapsedMs: number, delayMs: number, hasRefused: boolean): void {
    const { targetMs, onLevel } = this.#options;
    const { level: previous } = this.#state;
    const limits = { targetMs, calmMs: this.#intervalMs * CALM_INTERVALS };
    this.#state = nextLoad(this.#state, { elapsedMs, delayMs, hasRefused }, limits);
    if (this.#state.level !== previous) onLevel(this.#state.level, previous);
  }
}
