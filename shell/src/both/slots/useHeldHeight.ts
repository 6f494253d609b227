import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react';
import { selectIsLoading, usePageState } from '@forecourt/shared-contracts/store';

/**
 * Keeps an element's height when a response shortens its text, to avoid layout
 * shifts. The next search or a resize releases it.
 */
export function useHeldHeight<T extends HTMLElement>(): RefObject<T | null> {
  const element = useRef<T>(null);
  const isLoading = usePageState(selectIsLoading);
  const wasLoading = useRef(false);
  /** Size of the last paint in px; reading it avoids a forced layout. */
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
