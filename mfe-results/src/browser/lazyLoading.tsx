import {
  useEffect,
  useState,
  type RefObject,
  createElement,
  type ComponentType,
  type ReactNode,
} from 'react';
import { LAZY_LOAD_MARGIN } from '../constants.ts';
import { useEmit } from '@forecourt/slots';

/** ms; upper bound on a busy page. */
const IDLE_TIMEOUT_MS = 3_000;
/** ms; delay in browsers without requestIdleCallback. */
const IDLE_FALLBACK_MS = 500;

/** False on the server and during the first view, then true. */
export function useIdle(): boolean {
  const [isIdle, setIdle] = useState(false);
  useEffect(() => {
    const onIdle = () => setIdle(true);
    if ('requestIdleCallback' in window) {
      const handle = requestIdleCallback(onIdle, { timeout: IDLE_TIMEOUT_MS });
      return () => cancelIdleCallback(handle);
    }
    const timer = setTimeout(onIdle, IDLE_FALLBACK_MS);
    return () => clearTimeout(timer);
  }, []);
  return isIdle;
}

/**
 * Calls `onNear` once when the element comes near the viewport; returns a function that stops waiting.
 *
 * @param rootMargin what counts as near; default 300 px
 */
export function whenNear(
  element: Element,
  onNear: () => void,
  rootMargin = `${LAZY_LOAD_MARGIN}px`,
): () => void {
  const observer = new IntersectionObserver(
    (entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      onNear();
    },
    { rootMargin },
  );
  observer.observe(element);
  return () => observer.disconnect();
}

/** Whether the element has come near the viewport; never turns false again. */
export function useNear(element: RefObject<Element | null>): boolean {
  const [isNear, setNear] = useState(false);
  useEffect(
    () => (element.current && !isNear ? whenNear(element.current, () => setNear(true)) : undefined),
    [element, isNear],
  );
  return isNear;
}

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
