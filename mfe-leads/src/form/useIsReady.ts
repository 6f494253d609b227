import { useSyncExternalStore } from 'react';

const never = () => () => {};

/** Is the code of the form there? Not in the server's HTML, nor before its hydration. */
export const useIsReady = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
