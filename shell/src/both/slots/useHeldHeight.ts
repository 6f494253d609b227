import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react';
import { selectIsLoading, usePageState } from '@forecourt/shared-contracts/store';

/**
 * Keeps an element as high as it was when an answer makes its text shorter, for
 * the answer may come when nobody expects anything to move. The next search,
 * begun by the shopper, sets it free, and so does another width.
 */
export function useHeldHeight<T extends HTMLElement>(): RefObject<T | null> {
  const element = useRef<T>(null);
  const isLoading = usePageState(selectIsLoading);
  const wasLoading = useRef(false);
  /** px, as painted last: measured without making the browser lay out early. */
  const painted = useRef({ width: 0, height: 0 });
  useEffect(() => {
    const { current } = element;
    if (!current) return;
    const observer = new ResizeObserver(([entry]) => {
      if (!entry) return;
      const { width, height } = entry.contentRect;
      if (width !== painted.current.width) current.style.minBlockSize = '';
      painted.current = { width, height };
    });
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  useLayoutEffect(() => {
    const { current } = element;
    if (!current) return;
    if (isLoading) current.style.minBlockSize = '';
    else if (wasLoading.current) current.style.minBlockSize = `${painted.current.height}px`;
    wasLoading.current = isLoading;
  }, [isLoading]);
  return element;
}
