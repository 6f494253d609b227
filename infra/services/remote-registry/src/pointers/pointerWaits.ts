import type { PointerStore } from '../ports.ts';

/** Maximum number of held requests; further ones get a response at once, so that waiting cannot exhaust the service. */
const MAX_WAITS = 1000;

export interface PointerWait {
  /** Resolves (never rejects) on a change, on timeout, when the client disconnects, or at shutdown. */
  readonly done: Promise<void>;
  /** Ends the wait; idempotent. */
  end(): void;
}

/** The requests that wait for the pointers to change, one timer each. */
export class PointerWaits {
  readonly #waiting = new Set<() => void>();
  #isClosed = false;

  get count(): number {
    return this.#waiting.size;
  }

  begin(seconds: number, signal: AbortSignal): PointerWait {
    if (this.#isClosed || signal.aborted || this.#waiting.size >= MAX_WAITS) {
      return { done: Promise.resolve(), end: () => undefined };
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      this.#waiting.delete(end);
      resolve();
    };
    const timer = setTimeout(end, seconds * 1000);
    signal.addEventListener('abort', end, { once: true });
    this.#waiting.add(end);
    return { done: promise, end };
  }

  /** The pointers have changed. */
  wake(): void {
    for (const end of [...this.#waiting]) end();
  }

  /** Shutdown: ends all waits and accepts no new ones. */
  close(): void {
    this.#isClosed = true;
    this.wake();
  }
}

/** Shells must see any change within two seconds, whichever registry made it. */
const EVERY_MS = 500;

/**
 * Polls shared storage for pointer changes of other processes and wakes the
 * waiting requests. Polls only while requests wait; a failed poll is reported and
 * repeated.
 */
export function followPointers(
  pointers: PointerStore,
  waits: PointerWaits,
  options: { onError: (error: unknown) => void; everyMs?: number },
): { stop(): void } {
  let lastRevision: number | undefined;
  let isPolling = false;
  const poll = async (): Promise<void> => {
    if (isPolling || waits.count === 0) return;
    isPolling = true;
    try {
      const { revision } = await pointers.readPointers();
      // Also on the first poll, because a waiting request may hold an older revision. A spurious wake-up is harmless.
      if (revision !== lastRevision) waits.wake();
      lastRevision = revision;
    } catch (error) {
      options.onError(error);
    } finally {
      isPolling = false;
    }
  };
  const timer = setInterval(() => void poll(), options.everyMs ?? EVERY_MS);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}
