import { useSyncExternalStore } from 'react';
import { screenOf, type Screen } from './adSizes.ts';

const followWidth = (changed: () => void) => {
  window.addEventListener('resize', changed);
  return () => window.removeEventListener('resize', changed);
};

/** The class of the viewport as it is now: a window is resized, a phone is turned (AMB-141). Browser only. */
export const useScreen = (): Screen => useSyncExternalStore(followWidth, () => screenOf(window.innerWidth));
