import { createHook } from 'node:async_hooks';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * Promises and messages are not running work; a release's output goes through a
 * message port. Everything else is: timers (unref'ed ones too), sockets, files.
 */
const PASSING = /^(?:PROMISE|Microtask|TickObject|MESSAGEPORT|WORKER|RANDOMBYTESREQUEST)$/i;
/** Time for short-lived resources to end: a timer of 0 ms does not count. */
const SETTLE_MS = 100;
const POLL_MS = 10;

/** Watches which resources this thread creates. Call right before a release is loaded. */
export function watchResources(): {
  /** Kinds of resources that are still running, e.g. 'Timeout'. Stops watching. */
  readonly leftRunning: () => Promise<string[]>;
} {
  const running = new Map<number, string>();
  /** Resources that the release created, and those that they created in turn. */
  const started = new Set<number>();
  let isLoading = true;
  let isOwn = false;
  const hook = createHook({
    init(id, kind, trigger) {
      if (isOwn || !(isLoading || started.has(trigger))) return;
      started.add(id);
      if (!PASSING.test(kind)) running.set(id, kind);
    },
    destroy: (id) => void running.delete(id),
  }).enable();
  const ownPause = () => {
    isOwn = true;
    const over = pause(POLL_MS);
    isOwn = false;
    return over;
  };
  return {
    async leftRunning() {
      isLoading = false;
      for (let waited = 0; running.size > 0 && waited < SETTLE_MS; waited += POLL_MS) await ownPause();
      hook.disable();
      return [...new Set(running.values())].sort();
    },
  };
}
