// Evaluated before React, which takes hold of the page's timers when it is loaded.

/** React's pending timers: it shows late parts of a view after a while. */
export const reactTimers = new Set<number>();

const start = window.setTimeout.bind(window);
const stop = window.clearTimeout.bind(window);

Object.assign(window, {
  setTimeout(handler: () => void, ms?: number) {
    const id = start(() => {
      reactTimers.delete(id);
      handler();
    }, ms);
    reactTimers.add(id);
    return id;
  },
  clearTimeout(id: number) {
    reactTimers.delete(id);
    stop(id);
  },
});

/** Gives the page its own timers back, once React is loaded. */
export function restoreTimers(): void {
  Object.assign(window, { setTimeout: start, clearTimeout: stop });
}
