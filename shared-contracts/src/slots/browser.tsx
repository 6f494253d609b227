import { Component, useEffect, useState, type ReactNode } from 'react';
import { createRoot, hydrateRoot, type Root } from 'react-dom/client';
import type { AppStore } from '../store/createStore.ts';
import type { RootState } from '../store/state.ts';
import type { SlotModule } from './defineSlot.ts';
import type { SlotEnvironment } from './environment.tsx';
import { SlotRoot } from './SlotRoot.tsx';

interface MountOptions {
  readonly module: SlotModule;
  readonly element: HTMLElement;
  readonly store: AppStore;
  readonly environment: SlotEnvironment;
  /** Present when the element holds the server's HTML of this state and data; absent mounts anew. */
  readonly server?: { readonly state: RootState; readonly data: unknown };
  readonly onReady: () => void;
  readonly onError: (phase: 'load' | 'hydrate' | 'render', error: unknown) => void;
}

/** Puts the server's nodes back when the view throws: their links go on working. */
class KeepServerHtml extends Component<
  { nodes: readonly Node[]; onError: (error: unknown) => void; children: ReactNode },
  { failed: boolean }
> {
  override state = { failed: false };
  static getDerivedStateFromError() {
    return { failed: true };
  }
  override componentDidCatch(error: unknown) {
    this.props.onError(error);
  }
  private readonly restore = (element: HTMLElement | null) => element?.replaceChildren(...this.props.nodes);
  override render() {
    return this.state.failed ? <div ref={this.restore} /> : this.props.children;
  }
}

/** Runs the slot's `load` when its key changes, or when the server's data lack parts; keeps the older data while it runs or when it fails. */
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
      const state = store.getState() as RootState;
      const key = loadKey?.(state);
      if (key === loadedKey) return;
      loadedKey = key;
      controller.abort();
      controller = new AbortController();
      const { signal } = controller;
      load({ state, call: environment.call, signal }).then(
        (fresh) => !signal.aborted && setData(fresh),
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
 * Mounts a slot in the browser: hydrates the server's HTML, or renders anew
 * where there is none. Never throws for what the slot does; `onError` hears it.
 */
export function mountSlot(options: MountOptions): { unmount: () => void } {
  const { element, environment, server } = options;
  // Nodes, not a string: under Trusted Types a page may not turn text into HTML.
  const nodes = server ? [...(element.cloneNode(true) as HTMLElement).childNodes] : [];
  const tree = (
    <KeepServerHtml nodes={nodes} onError={(error) => options.onError(server ? 'hydrate' : 'render', error)}>
      <LoadedSlot {...options} initial={server?.data} />
    </KeepServerHtml>
  );
  const reported = {
    identifierPrefix: `${environment.slot}-`,
    onRecoverableError: (error: unknown) => options.onError('hydrate', error),
    // The boundary above has reported it already; React's own report would be a second one.
    onCaughtError: () => {},
    onUncaughtError: (error: unknown) => options.onError('render', error),
  };
  let root: Root;
  if (server) root = hydrateRoot(element, tree, reported);
  else {
    root = createRoot(element, reported);
    root.render(tree);
  }
  return { unmount: () => root.unmount() };
}
