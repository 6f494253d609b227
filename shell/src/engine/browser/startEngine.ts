import type { SlotModule } from '@forecourt/slots';
import { createEventBus, type EventBus } from '@forecourt/slots/events';
import type { SlotStore } from '@forecourt/slots/state';
import type { BootData, BootSlot } from '../universal/bootData.ts';
import { sitePaths } from '../universal/paths.ts';
import { createAssets } from './assets.ts';
import type { BrowserSite } from './browserSite.ts';
import { PermanentError } from './call.ts';
import { createLiveRegion } from './liveRegion.ts';
import { afterFirstView } from './mountTiming.ts';
import { holdScriptPolicies } from './scriptPolicies.ts';
import { createRemoteLoader, type FederationHost } from './remoteLoader.ts';
import { createSlotBudgets, type SlotBudgets } from './slotBudgets.ts';
import { mountSlots, type SlotFailure } from './slotMounts.ts';
import { type PageEvents, createPageEvents, recordFailures, recordOpening } from './telemetry.ts';

/** A running page, as extensions see it. */
export interface StartedPage {
  readonly store: SlotStore;
  readonly bus: EventBus;
  /** What its slots have done so far. */
  readonly counts: SlotBudgets['counts'];
}

/** Port of optional code around a page, e.g. the tester tools: it starts the page with its own boot data, once. */
export type StartExtended = (
  boot: BootData,
  start: (boot: BootData, onFailure?: (failure: SlotFailure) => void) => StartedPage,
) => Promise<void>;

/** Creates the event bus; its events are recorded as telemetry and applied to the store. Redux DevTools show the slot that sent them. */
function createBus({ events, state }: BrowserSite, store: SlotStore, pageEvents: PageEvents): EventBus {
  const bus = createEventBus(events, pageEvents.recordRefusal);
  recordFailures(bus, pageEvents);
  bus.all.subscribe((event) => {
    const change = state.changeOf(event);
    if (change) store.dispatch({ ...change, meta: { sender: event.sender } });
  });
  return bus;
}

function createModuleLoader(
  { remotes, extension }: BootData,
  host: FederationHost,
  ownSlots: BrowserSite['ownSlots'],
) {
  const integrity = Object.fromEntries(remotes.flatMap((remote) => Object.entries(remote.integrity)));
  const assets = createAssets(integrity);
  // The tester tools load builds of other origins.
  if (!extension) holdScriptPolicies(remotes);
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

/** Makes a server-rendered page interactive. */
export function startEngine(
  site: BrowserSite,
  boot: BootData,
  host: FederationHost,
  onFailure?: (failure: SlotFailure) => void,
): StartedPage {
  const { state, personal, requestId, failureClaim } = boot;
  // Slots hydrate against the state that they were rendered with, and then repaint with the visitor's own.
  const store = site.state.createStore(personal ? site.withPersonal(state, personal) : state);
  const paths = sitePaths(site.root);
  const pageEvents = createPageEvents({
    endpoint: paths.pageEvent,
    facts: site.telemetryOf(state),
    requestId,
    claim: failureClaim,
    url: () => window.location.pathname + window.location.search,
  });
  recordOpening(pageEvents);
  const bus = createBus(site, store, pageEvents);
  const announce = createLiveRegion();
  bus.on('page.announced').subscribe(({ message }) => announce(message));

  const started = site.start({ boot, store, bus, pageEvents, announce });
  const loader = createModuleLoader(boot, host, site.ownSlots);
  const budgets = createSlotBudgets(site.recordedEvents);
  const firstView = mountSlots({ site, boot, store, bus, budgets, onFailure, ...loader, ...started });

  afterFirstView(() => {
    site.startLate(store);
    void import(/* webpackChunkName: "late" */ './startLate.ts').then(
      ({ startLate }) => startLate({ boot, bus, paths, pageEvents, counts: budgets.counts }),
      noMeasurements,
    );
  }, firstView);
  return { store, bus, counts: budgets.counts };
}

/** Optional: a failure to load the measuring code is not retried. */
const noMeasurements = () => {};
