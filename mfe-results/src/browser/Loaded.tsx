import { createElement, useEffect, useState, type ComponentType, type ReactNode } from 'react';
import { useEmit } from '@forecourt/shared-contracts/slots';

/**
 * Renders a component that is loaded on demand, and nothing until it is loaded. A failed load is retried the
 * next time the component is requested. `load` must be the same function in every render.
 */
export function Loaded<Props extends object>(options: {
  load: () => Promise<ComponentType<Props>>;
  isLoadRequested: boolean;
  props: Props;
}): ReactNode {
  const { load, isLoadRequested, props } = options;
  const emit = useEmit();
  const [loaded, setLoaded] = useState<{ readonly component: ComponentType<Props> }>();
  const isMissing = isLoadRequested && !loaded;
  useEffect(() => {
    if (!isMissing) return undefined;
    let isCurrent = true;
    load().then(
      (component) => isCurrent && setLoaded({ component }),
      (error: unknown) => emit('problem.reported', { code: 'CHUNK_NOT_LOADED', message: String(error) }),
    );
    return () => {
      isCurrent = false;
    };
  }, [isMissing, load, emit]);
  return loaded ? createElement(loaded.component, props) : null;
}
