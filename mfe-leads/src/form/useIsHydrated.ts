import { useSyncExternalStore } from 'react';

const subscribeToNothing = () => () => {};

/** False on the server and until hydration. */
export const useIsHydrated = (): boolean =>
  useSyncExternalStore(
    subscribeToNothing,
    () => true,
    () => false,
  );
