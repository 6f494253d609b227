import { createElement, useEffect, useState, type ComponentType, type ReactNode } from 'react';
import { useEmit } from '@forecourt/shared-contracts/slots';

/**
 * A component that is not part of the first view: loaded once it is wanted,
 * nothing until it is there. What cannot be loaded is tried again when it is
 * wanted anew. `load` must be the same function in every render.
 */
export function Loaded<Props extends object>(given: {
  load: () => Promise<ComponentType<Props>>;
  isWanted: boolean;
  props: Props;
}): ReactNode {
  const { load, isWanted, props } = given;
  const emit = useEmit();
  const [loaded, setLoaded] = useState<{ readonly component: ComponentType<Props> }>();
  const isMissing = isWanted && !loaded;
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
