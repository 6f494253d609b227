import { useEffect, useState } from 'react';

/** An answer within 100 ms dims nothing. */
const DIMS_AFTER_MS = 100;

/**
 * Are stale results to be dimmed? A timer instead of a delayed transition: the
 * browser would make a layer of the whole grid at once, within the very click
 * that began the search.
 */
export function useDimming(isStale: boolean): boolean {
  const [isLate, setIsLate] = useState(false);
  useEffect(() => {
    if (!isStale) return undefined;
    const timer = setTimeout(() => setIsLate(true), DIMS_AFTER_MS);
    return () => {
      clearTimeout(timer);
      setIsLate(false);
    };
  }, [isStale]);
  return isStale && isLate;
}
