import { loadLaterStyles } from './laterStyles.ts';

// Part of the inline script of every page, so it imports little.

declare global {
  interface Window {
    /** Loads and runs the scripts of the page, once. */
    fcStart?: () => void;
  }
}

/** A first view that loads for longer doesn't hold back the scripts; ms. */
const START_WITHIN_MS = 4_000;

/**
 * Starts the scripts of the page when its first view has loaded, with which they would compete. `settled` resolves when no
 * navigation is in flight, which comes before them, too.
 */
export function startScriptsAfterLoad(settled: () => Promise<void> = () => Promise.resolve()): void {
  const start = () =>
    void settled().then(() => {
      loadLaterStyles();
      window.fcStart?.();
    });
  window.addEventListener('load', start, { once: true });
  setTimeout(start, START_WITHIN_MS);
}
