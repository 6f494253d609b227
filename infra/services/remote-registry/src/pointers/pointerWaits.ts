/** Requests held at one time; more are answered at once, so that holding can never exhaust the service. */
const MAX_WAITS = 1000;

export interface PointerWait {
  /** Resolves, never rejects: on a change, when time is up, when the caller has gone, or at shutdown. */
  readonly over: Promise<void>;
  /** Gives the place back; safe to call twice. */
  end(): void;
}

/** Those who wait for the pointers to change. Holds one timer a wait and nothing after its end. */
export class PointerWaits {
  readonly #waiting = new Set<() => void>();
  #isClosed = false;

  get count(): number {
    return this.#waiting.size;
  }

  begin(seconds: number, signal: AbortSignal): PointerWait {
    if (this.#isClosed || signal.aborted || this.#waiting.size >= MAX_WAITS) {
      return { over: Promise.resolve(), end: () => undefined };
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
    return { over: promise, end };
  }

  /** The pointers have changed. */
  wake(): void {
    for (const end of [...this.#waiting]) end();
  }

  /** Shutdown: lets everybody go and holds nobody from now on. */
  close(): void {
    this.#isClosed = true;
    this.wake();
  }
}
