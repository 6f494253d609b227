import {
  FIXED_AD_REFRESH_LIMIT_FALLBACK,
  FIXED_AD_SCROLL_PERCENT,
  SCROLL_THROTTLE_MS,
} from '../constants.ts';
import { useEffect, useState } from 'react';

/** Scroll position in px. */
export interface ScrollPosition {
  readonly scrollY: number;
  readonly scrollHeight: number;
  readonly innerHeight: number;
}

/** Whether the page is scrolled past the percentage (B4-FIXED-01, AMB-140). */
export function isPastScroll({ scrollY, scrollHeight, innerHeight }: ScrollPosition): boolean {
  const scrollable = scrollHeight - innerHeight;
  return scrollable > 0 && (scrollY / scrollable) * 100 > FIXED_AD_SCROLL_PERCENT;
}

/** The configured number of refreshes; the fallback unless it is a positive integer (AMB-139). */
export const refreshLimit = (configured: unknown): number =>
  typeof configured === 'number' && Number.isInteger(configured) && configured > 0
    ? configured
    : FIXED_AD_REFRESH_LIMIT_FALLBACK;

/** Throttles `run`: runs immediately, then at most every `ms`, and once after the last call. */
function throttled(run: () => void, ms: number): { call: () => void; cancel: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isWaiting = false;
  const open = () => {
    timer = undefined;
    if (!isWaiting) return;
    isWaiting = false;
    call();
  };
  function call() {
    if (timer !== undefined) {
      isWaiting = true;
      return;
    }
    timer = setTimeout(open, ms);
    run();
  }
  return { call, cancel: () => clearTimeout(timer) };
}

/** Whether the shopper has scrolled past the fixed ad's percentage; checked every 100 ms at most (B9-FIXED-07). */
export function useScrolledFar(): boolean {
  const [isFar, setFar] = useState(false);
  useEffect(() => {
    if (isFar) return undefined;
    const check = throttled(() => {
      const { scrollY, innerHeight } = window;
      const { scrollHeight } = document.documentElement;
      if (isPastScroll({ scrollY, innerHeight, scrollHeight })) setFar(true);
    }, SCROLL_THROTTLE_MS);
    check.call();
    window.addEventListener('scroll', check.call, { passive: true });
    return () => {
      window.removeEventListener('scroll', check.call);
      check.cancel();
    };
  }, [isFar]);
  return isFar;
}
