import { createHook } from 'node:async_hooks';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * Passing on a promise or a message is no work that goes on; what a release
 * prints goes through a message port. Everything else is: timers (also those
 * that hold no process up), immediates, sockets, files.
 */
const PASSING = /^(?:PROMISE|Microtask|TickObject|MESSAGEPORT|WORKER|RANDOMBYTESREQUEST)$/i;
/** Longest time for what a module starts to come to its end: a timer of 0 ms is none that goes on. */
const SETTLE_MS = 100;
const LOOK_EVERY_MS = 10;

/** Watches, from now on, what this thread starts. To be created right before a release is loaded. */
export function watchResources(): {
  /** Kinds of what was started before this call and has not ended, e.g. 'Timeout'. Ends the watch. */
  readonly leftRunning: () => Promise<string[]>;
} {
  const running = new Map<number, string>();
  /** What the release started, and what that started: a timer that sets the next one goes on, too. */
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
    const over = pause(LOOK_EVERY_MS);
    isOwn = false;
    return over;
  };
  return {
    async leftRunning() {
      isLoading = false;
      for (let waited = 0; running.size > 0 && waited < SETTLE_MS; waited += LOOK_EVERY_MS) await ownPause();
      hook.disable();
      return [...new Set(running.values())].sort();
    },
  };
}
