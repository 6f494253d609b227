import { renderToString } from 'react-dom/server';
import type { PageOutcome, SlotModule } from './defineSlot.ts';
import type { Call, SlotEnvironment } from './environment.tsx';
import { SlotRoot } from './SlotRoot.tsx';
import { guardReads } from './state/slices.ts';
import type { SiteState, StateSlice } from './state/siteState.ts';

interface ServerRender {
  readonly html: string;
  /** Result of the slot's `load`; JSON for the boot data. */
  readonly data: unknown;
  /** `isComplete` returned false: the browser loads the data again. */
  readonly isPartial?: true;
  /** The slot's JSON-LD, if any. */
  readonly structuredData?: object | undefined;
  /** The page's head or redirect, from a main slot. */
  readonly page?: PageOutcome | undefined;
}

const idle = () => () => {};

/**
 * Loads and renders one slot of a site to HTML. `onPaint` is called right before the view's synchronous rendering, so
 * that a watchdog can attribute a blocked thread to the slot. Rejects with the errors of `load` and the view;
 * the caller handles deadline and fallback.
 */
export async function renderSlot(
  site: SiteState,
  module: SlotModule,
  input: {
    slot: string;
    state: StateSlice;
    call: Call;
    signal: AbortSignal;
    onPaint?: () => void;
    /** Rejects when the slot reads a part of the state that is not in its `reads`. */
    checksReads?: boolean | undefined;
    /** What `load` returned on the server, as browsers have it: it is not called again. */
    loaded?: { readonly data: unknown } | undefined;
  },
): Promise<ServerRender> {
  const ownStore = site.createStore(input.state);
  const store = input.checksReads ? guardReads(site, ownStore, module.reads, input.slot) : ownStore;
  const state = store.getState();
  const data = input.loaded
    ? input.loaded.data
    : await module.load?.({ state, call: input.call, signal: input.signal });
  input.signal.throwIfAborted();
  const environment: SlotEnvironment = {
    slot: input.slot,
    emit: () => {},
    listen: idle,
    call: input.call,
    attachOutlet: idle,
  };
  input.onPaint?.();
  const html = renderToString(
    <SlotRoot module={module} store={store} environment={environment} data={data} />,
    {
      identifierPrefix: slotIdPrefix(input.slot),
    },
  );
  return {
    html,
    data,
    ...(module.isComplete?.(data) === false && { isPartial: true }),
    structuredData: module.structuredData?.({ state, data }),
    page: module.page?.({ state, data }),
  };
}

/** Prefix that keeps the ids of several roots unique; identical on server and in the browser. */
const slotIdPrefix = (slot: string): string => `${slot}-`;
