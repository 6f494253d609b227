import {
  FIXED_AD_REFRESH_LIMIT_FALLBACK,
  FIXED_AD_SCROLL_PERCENT,
  SCROLL_THROTTLE_MS,
} from '../constants.ts';
import { useEffect, useState } from 'react';

/** Where a page is scrolled to, px. */
export interface ScrollPosition {
  readonly scrollY: number;
  readonly scrollHeight: number;
  readonly innerHeight: number;
}

/** Is more than the percentage of the page's way scrolled (B4-FIXED-01, AMB-140)? */
export function isPastScroll({ scrollY, scrollHeight, innerHeight }: ScrollPosition): boolean {
  const way = scrollHeight - innerHeight;
  return way > 0 && (scrollY / way) * 100 > FIXED_AD_SCROLL_PERCENT;
}

/** The configured number of refreshes; the fallback for anything that is no positive integer (AMB-139). */
export const refreshLimit = (configured: unknown): number =>
  typeof configured === 'number' && Number.isInteger(configured) && configured > 0
    ? configured
    : FIXED_AD_REFRESH_LIMIT_FALLBACK;

/** Runs at once, then at most every `ms`, the last time after the last call. */
export function throttled(run: () => void, ms: number): { call: () => void; cancel: () => void } {
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

/** Has the shopper scrolled past the fixed ad's percentage once? It looks every 100 ms at most (B9-FIXED-07). */
export function useScrolledFar(): boolean {
  const [isFar, setFar] = useState(false);
  useEffect(() => {
    if (isFar) return undefined;
    const look = throttled(() => {
      const { scrollY, innerHeight } = window;
      const { scrollHeight } = document.documentElement;
      if (isPastScroll({ scrollY, innerHeight, scrollHeight })) setFar(true);
    }, SCROLL_THROTTLE_MS);
    look.call();
    window.addEventListener('scroll', look.call, { passive: true });
    return () => {
      window.removeEventListener('scroll', look.call);
      look.cancel();
    };
  }, [isFar]);
  return isFar;
}
