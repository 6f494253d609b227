import type { BootSlot } from '../page/bootData.ts';

const IDLE_WITHIN_MS = 2_000;
/** What is about to scroll into view is loaded before it does. */
const VISIBLE_MARGIN = '300px';

/** Runs when the browser has nothing better to do, at the latest after two seconds. */
export function whenIdle(run: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(run, { timeout: IDLE_WITHIN_MS });
  else setTimeout(run, 200);
}

/** After the load event the first view has settled when nothing happened for so long, ms. */
const SETTLED_MS = 1_000;

/** Runs when the loaded page has nothing better to do: nothing of it may compete with the first view. */
export function whenLate(run: () => void): void {
  const settle = () => void setTimeout(() => whenIdle(run), SETTLED_MS);
  if (document.readyState === 'complete') settle();
  else window.addEventListener('load', settle, { once: true });
}

/** Runs once when the element comes near the screen; the answer gives up waiting. */
export function whenVisible(element: Element, run: () => void): () => void {
  const observer = new IntersectionObserver(
    (entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      run();
    },
    { rootMargin: VISIBLE_MARGIN },
  );
  observer.observe(element);
  return () => observer.disconnect();
}

/** Runs at the slot's hydration time. `need` is not a time: such slots wait for an event or an outlet. */
export function atHydrationTime(
  hydrate: Exclude<BootSlot['hydrate'], 'need'>,
  element: Element,
  run: () => void,
) {
  if (hydrate === 'load') run();
  else if (hydrate === 'idle') whenIdle(run);
  else if (hydrate === 'late') whenLate(run);
  else whenVisible(element, run);
}
