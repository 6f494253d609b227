import { Component, type ErrorInfo, startTransition, useEffect, useState, type ReactNode } from 'react';
import { createRoot, hydrateRoot, type Root } from 'react-dom/client';
import type { SlotModule } from './defineSlot.ts';
import type { SlotEnvironment } from './environment.tsx';
import type { SlotState } from './register.ts';
import { SlotRoot } from './SlotRoot.tsx';
import type { SlotStore } from './state/siteState.ts';

interface MountOptions {
  readonly module: SlotModule;
  readonly element: HTMLElement;
  readonly store: SlotStore;
  readonly environment: SlotEnvironment;
  /** Present if the server rendered the slot with this state and data. The element contains its HTML, or nothing. */
  readonly server?: { readonly state: SlotState; readonly data: unknown };
  readonly onReady: () => void;
  readonly onError: (phase: 'load' | 'hydrate' | 'render', error: unknown, info?: ErrorInfo) => void;
}

/** Puts the nodes that were there before back when the view throws, so that their links keep working. */
class KeepServerHtml extends Component<
  { nodes: readonly Node[]; onError: (error: unknown, info: ErrorInfo) => void; children: ReactNode },
  { failed: boolean }
> {
  override state = { failed: false };
  static getDerivedStateFromError() {
    return { failed: true };
  }
  override componentDidCatch(error: unknown, info: ErrorInfo) {
    this.props.onError(error, info);
  }
  private readonly restore = (element: HTMLElement | null) => element?.replaceChildren(...this.props.nodes);
  override render() {
    return this.state.failed ? <div ref={this.restore} /> : this.props.children;
  }
}

/**
 * Runs the slot's `load` when its key changes or when the server's data is incomplete; keeps the previous
 * data while loading and on failure.
 */
function LoadedSlot(props: MountOptions & { initial: unknown }): ReactNode {
  const { module, store, environment, onError, server, onReady, initial } = props;
  const [data, setData] = useState(initial);
  useEffect(() => {
    const { load, loadKey, isComplete } = module;
    if (!load) return undefined;
    const isLoaded = server && initial !== undefined && (isComplete?.(initial) ?? true);
    let loadedKey = isLoaded ? loadKey?.(server.state) : null;
    let controller = new AbortController();
    const reload = () => {
      const state = store.getState();
      const key = loadKey?.(state);
      if (key === loadedKey) return;
      loadedKey = key;
      controller.abort();
      controller = new AbortController();
      const { signal } = controller;
      load({ state, call: environment.call, signal }).then(
        (newData) => !signal.aborted && setData(newData),
        (error: unknown) => !signal.aborted && onError('load', error),
      );
    };
    reload();
    const unsubscribe = store.subscribe(reload);
    return () => {
      unsubscribe();
      controller.abort();
    };
  }, [module, store, environment, onError, server, initial]);
  return (
    <SlotRoot
      module={module}
      store={store}
      serverState={server?.state}
      environment={environment}
      data={data}
      onReady={onReady}
    />
  );
}

/**
 * Mounts a slot in the browser: hydrates the server's HTML, or renders from scratch into an empty element. Never throws;
 * `onError` receives the slot's errors.
 */
export function mountSlot(options: MountOptions): { unmount: () => void } {
  const { element, environment, server } = options;
  const nodes = server ? [...element.childNodes] : [];
  const tree = (
    <KeepServerHtml
      nodes={nodes}
      onError={(error, info) => options.onError(server ? 'hydrate' : 'render', error, info)}
    >
      <LoadedSlot {...options} initial={server?.data} />
    </KeepServerHtml>
  );
  const reported = {
    identifierPrefix: `${environment.slot}-`,
    onRecoverableError: (error: unknown, info: ErrorInfo) => options.onError('hydrate', error, info),
    // The boundary above has reported it already; React's own report would be a duplicate.
    onCaughtError: () => {},
    onUncaughtError: (error: unknown, info: ErrorInfo) => options.onError('render', error, info),
  };
  let root: Root | undefined;
  // As a transition, React works in slices of 5 ms; otherwise it would hydrate a slot in one task.
  startTransition(() => {
    if (server && element.hasChildNodes()) root = hydrateRoot(element, tree, reported);
    else {
      root = createRoot(element, reported);
      root.render(tree);
    }
  });
  return { unmount: () => root?.unmount() };
}
