import { useEffect, useState } from 'react';
import { isPastScroll, throttled } from './rules.ts';
import { SCROLL_THROTTLE_MS } from '../constants.ts';

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
