import { createEventBus, type EventBus } from '@forecourt/shared-contracts/events';
import type { SlotModule } from '@forecourt/shared-contracts/slots';
import { createStore, stateChangeOf, type AppStore } from '@forecourt/shared-contracts/store';
import { Subject } from 'rxjs';
import type { BootData, BootSlot } from '../both/bootData.ts';
import hero from '../both/slots/hero.tsx';
import related from '../both/slots/related.tsx';
import { followSignedIn } from './followSignedIn.ts';
import { whenIdle } from './mountTiming.ts';
import { createLiveRegion, followBottomEdge } from './pageFrame.ts';
import { createPageHistory, type PageHistory } from './pageHistory.ts';
import { PermanentError } from './persistently.ts';
import { createAssets, createRemoteLoader, type FederationHost } from './remoteLoader.ts';
import { rememberZip } from './rememberZip.ts';
import { startSearchFlow } from './searchFlow.ts';
import { listenToSearchLinks } from './searchLinks.ts';
import { mountSlots } from './slotMounts.ts';
import {
  createPageEvents,
  recordFacts,
  recordWebVitals,
  trackPageViews,
  type PageEvents,
} from './telemetry.ts';
import { rememberVisitor } from './visitorMemory.ts';

/** Slots whose modules are part of the shell. */
const SHELL_SLOTS: Readonly<Record<string, SlotModule>> = { hero, related };

/** What page extensions observe. */
export interface StartedPage {
  readonly store: AppStore;
  readonly bus: EventBus;
}

/** The event bus, its telemetry, and the store that follows its facts. */
function createBus(store: AppStore, pageEvents: PageEvents): EventBus {
  const bus = createEventBus(pageEvents.recordRefusal);
  recordFacts(bus, pageEvents);
  trackPageViews(bus);
  bus.all.subscribe((event) => {
    const change = stateChangeOf(event);
    if (change) store.dispatch(change);
  });
  return bus;
}

/** On results pages searches run within the page; other pages load documents. */
function startSearches(
  { requestId }: BootData,
  page: StartedPage & { readonly history: PageHistory; readonly announce: (message: string) => void },
): void {
  const links = new Subject<string>();
  startSearchFlow({ ...page, links, requestId, leave: (url) => window.location.assign(url) });
  listenToSearchLinks((url) => links.next(url));
}

function createModuleLoader(
  { remotes }: BootData,
  host: FederationHost,
  { nonce, ownSlots }: { readonly nonce: string; readonly ownSlots: Readonly<Record<string, SlotModule>> },
) {
  const integrity = Object.fromEntries(remotes.flatMap((remote) => Object.entries(remote.integrity)));
  const assets = createAssets(integrity, nonce);
  const loadRemoteSlot = createRemoteLoader(host, remotes, assets);
  return {
    loadStyle: assets.style,
    async loadModule(slot: BootSlot): Promise<SlotModule> {
      const own = ownSlots[slot.slot];
      if (own) return own;
      if (slot.remote === null) throw new PermanentError(`the shell has no slot ${slot.slot}`);
      return loadRemoteSlot(slot);
    },
  };
}

/**
 * Makes the server's page interactive, whatever its kind. `nonce` is the one of
 * the page's Content Security Policy. Slots in `ownSlots` need no remote.
 */
export function startPage(
  boot: BootData,
  host: FederationHost,
  nonce: string,
  ownSlots: Readonly<Record<string, SlotModule>> = SHELL_SLOTS,
): StartedPage {
  const { state, requestId } = boot;
  const store = createStore(state);
  const url = () => window.location.pathname + window.location.search;
  const pageEvents = createPageEvents({ brand: state.session.brand, requestId, url });
  const bus = createBus(store, pageEvents);
  rememberVisitor(store);
  rememberZip(store, bus);
  followBottomEdge(bus);
  followSignedIn(store);
  const announce = createLiveRegion();
  bus.on('page.announced').subscribe(({ message }) => announce(message));

  const history = createPageHistory(state.search.criteria);
  if (state.page.kind === 'results') startSearches(boot, { store, bus, history, announce });
  const loader = createModuleLoader(boot, host, { nonce, ownSlots });
  mountSlots({ boot, store, bus, ...loader, interceptBack: history.interceptBack });

  // Optional: a failure to load the measuring code is not retried.
  whenIdle(() => void recordWebVitals(pageEvents).catch(() => {}));
  return { store, bus };
}
