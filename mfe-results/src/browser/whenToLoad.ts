import { useEffect, useState, type RefObject } from 'react';
import { LAZY_LOAD_MARGIN } from '../constants.ts';
/** ms; on a busy page it is time after so long. */
const AT_THE_LATEST = 3_000;
/** ms; for browsers which do not say when they are idle. */
const WITHOUT_CALLBACK = 500;

/** False on the server and while the first view comes to life, then true. */
export function useIdle(): boolean {
  const [isIdle, setIdle] = useState(false);
  useEffect(() => {
    const done = () => setIdle(true);
    if ('requestIdleCallback' in window) {
      const handle = requestIdleCallback(done, { timeout: AT_THE_LATEST });
      return () => cancelIdleCallback(handle);
    }
    const timer = setTimeout(done, WITHOUT_CALLBACK);
    return () => clearTimeout(timer);
  }, []);
  return isIdle;
}

/**
 * Calls `arrive` once, when the element comes near the viewport; the answer gives up waiting.
 *
 * @param rootMargin what counts as near: 300 px unless told (A9-LIMIT-13, AMB-143)
 */
export function whenNear(
  element: Element,
  arrive: () => void,
  rootMargin = `${LAZY_LOAD_MARGIN}px`,
): () => void {
  const observer = new IntersectionObserver(
    (entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      arrive();
    },
    { rootMargin },
  );
  observer.observe(element);
  return () => observer.disconnect();
}

/** Has the element come near the viewport? Once it has, it stays so. */
export function useNear(element: RefObject<Element | null>): boolean {
  const [isNear, setNear] = useState(false);
  useEffect(
    () => (element.current && !isNear ? whenNear(element.current, () => setNear(true)) : undefined),
    [element, isNear],
  );
  return isNear;
}
