import { useSyncExternalStore, type ReactNode } from 'react';
import type { SlotModule } from '@forecourt/shared-contracts/slots';

export interface SwappableSlot {
  /** False if only a reload of the page can show the new module. */
  readonly canSwap: (next: SlotModule) => boolean;
  /** Makes `next` current; `paint` renders it. */
  readonly swap: (next: SlotModule) => void;
  readonly paint: () => void;
}

/**
 * Changes a slot module in place, so that it always runs the newest build of the slot. The page's core holds one module
 * per slot for its lifetime.
 */
export function makeSwappable(module: SlotModule): SwappableSlot {
  let current = { ...module };
  let builds = 0;
  const views = new Set<() => void>();
  const subscribe = (view: () => void) => {
    views.add(view);
    return () => views.delete(view);
  };
  const read = () => current;

  function View({ data }: { data: unknown }): ReactNode {
    const { view: CurrentView } = useSyncExternalStore(subscribe, read, read);
    return <CurrentView data={data} />;
  }

  const { load } = module;
  Object.assign(module, {
    view: View,
    ...(load && {
      load: (context) => (current.load ?? load)(context),
      // Data is loaded again by each build.
      loadKey: (state) => `${builds} ${current.loadKey?.(state) ?? ''}`,
      isComplete: (data) => current.isComplete?.(data) ?? true,
    }),
  } satisfies Partial<SlotModule>);

  return {
    canSwap: (next) => (next.load === undefined) === (load === undefined),
    swap(next) {
      current = next;
      builds += 1;
    },
    paint() {
      for (const view of views) view();
    },
  };
}
