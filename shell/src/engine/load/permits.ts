/** No permit: the queue is full, or the request has waited too long. */
export class OverloadedError extends Error {
  constructor() {
    super('too many requests are in flight');
    this.name = 'OverloadedError';
  }
}

export interface Permit {
  readonly waitedMs: number;
  /** Idempotent. */
  readonly release: () => void;
}

export interface PermitOptions {
  readonly limit: number;
  readonly maxQueued: number;
  readonly maxWaitMs: number;
  /** ms since any epoch. */
  readonly now: () => number;
}

export interface Permits {
  /** Rejects with OverloadedError, or with the reason of `signal`. */
  readonly take: (signal: AbortSignal) => Promise<Permit>;
  readonly isFree: () => boolean;
  readonly inUse: () => number;
  readonly queueLength: () => number;
  /** How long the first in the queue has waited; 0 if it is empty. */
  readonly oldestWaitMs: () => number;
}

interface Waiter {
  readonly since: number;
  readonly grant: () => void;
}

/**
 * A concurrency limit with a bounded first-in-first-out queue. cockatiel's
 * bulkhead keeps aborted requests in its queue, and a new request may take the
 * permit that was meant for a waiting one.
 */
export function createPermits({ limit, maxQueued, maxWaitMs, now }: PermitOptions): Permits {
  /** In order of arrival. */
  const queue = new Set<Waiter>();
  let inUse = 0;

  function passOn(): void {
    const [next] = queue;
    if (next) next.grant();
    else inUse -= 1;
  }

  function permit(waitedMs: number): Permit {
    let isHeld = true;
    return {
      waitedMs,
      release() {
        if (isHeld) passOn();
        isHeld = false;
      },
    };
  }

  const wait = (signal: AbortSignal) =>
    new Promise<Permit>((resolve, reject) => {
      const since = now();
      const leave = () => {
        queue.delete(waiter);
        clearTimeout(timer);
        signal.removeEventListener('abort', abort);
      };
      const abort = () => {
        leave();
        reject(signal.reason as Error);
      };
      const timer = setTimeout(() => {
        leave();
        reject(new OverloadedError());
      }, maxWaitMs);
      const waiter: Waiter = {
        since,
        grant() {
          leave();
          resolve(permit(now() - since));
        },
      };
      signal.addEventListener('abort', abort, { once: true });
      queue.add(waiter);
    });

  return {
    async take(signal) {
      signal.throwIfAborted();
      if (inUse < limit) {
        inUse += 1;
        return permit(0);
      }
      if (queue.size >= maxQueued) throw new OverloadedError();
      return wait(signal);
    },
    isFree: () => inUse < limit,
    inUse: () => inUse,
    queueLength: () => queue.size,
    oldestWaitMs() {
      const [oldest] = queue;
      return oldest ? now() - oldest.since : 0;
    },
  };
}
