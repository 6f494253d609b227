import { useEffect, useState, type RefObject } from 'react';
import { LAZY_LOAD_MARGIN } from '@forecourt/shared-contracts/rules';

/** Calls `arrive` once, when the element comes within 300 px of the viewport (A9-LIMIT-13, AMB-143); the answer gives up waiting. */
export function whenNear(element: Element, arrive: () => void): () => void {
  const observer = new IntersectionObserver(
    (entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      arrive();
    },
    { rootMargin: `${LAZY_LOAD_MARGIN}px` },
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
