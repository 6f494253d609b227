import { useEffect, useState, type RefObject } from 'react';
import { LAZY_LOAD_MARGIN } from '../constants.ts';

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
