import { type ComponentType, useCallback, useRef, useState } from 'react';

/**
 * A component whose code is loaded when it is requested; a request after a failure tries again. `load` must be the same
 * function in every render.
 */
export function useLoaded<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  const [Loaded, setLoaded] = useState<ComponentType<Props>>();
  const isRequested = useRef(false);
  const request = useCallback(() => {
    if (isRequested.current) return;
    isRequested.current = true;
    load().then(
      (component) => setLoaded(() => component),
      () => (isRequested.current = false),
    );
  }, [load]);
  return { Loaded, request };
}
