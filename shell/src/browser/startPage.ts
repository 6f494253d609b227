import { createEventBus, type EventBus } from '@forecourt/shared-contracts/events';
import type { SlotModule } from '@forecourt/shared-contracts/slots';
import { createStore, stateChangeOf, type AppStore } from '@forecourt/shared-contracts/store';
import { Subject } from 'rxjs';
import type { BootData, BootSlot } from '../page/bootData.ts';
import hero from '../slots/hero.tsx';
import related from '../slots/related.tsx';
import { createAssets } from './assets.ts';
import { followBottomEdge } from './bottomEdge.ts';
import { followSignedIn } from './followSignedIn.ts';
import { createRemoteLoader, type FederationHost } from './federation.ts';
import { createLiveRegion } from './liveRegion.ts';
import { createPageEvents, recordFacts } from './pageEvents.ts';
import { createPageHistory } from './pageHistory.ts';
import { trackPageViews } from './pageViews.ts';
import { PermanentError, persistently } from './persistently.ts';
import { rememberZip } from './rememberZip.ts';
import { startSearchFlow } from './searchFlow.ts';
import { listenToSearchLinks } from './searchLinks.ts';
import { mountSlots } from './slotMounts.ts';
import { recordWebVitals } from './webVitals.ts';
import { rememberVisitor } from './visitorMemory.ts';
import { whenIdle } from './whenToMount.ts';

/** The slots whose modules live in the shell itself. */
const SHELL_SLOTS: Readonly<Record<string, SlotModule>> = { hero, related };

/** What the devtools look at. */
export interface StartedPage {
  readonly store: AppStore;
  readonly bus: EventBus;
}

/**
 * Makes the server's page interactive. `nonce` is that of the page's Content
 * Security Policy. Slots in `ownSlots` need no remote.
 */
export function startPage(
  boot: BootData,
  host: FederationHost,
  nonce: string,
  ownSlots: Readonly<Record<string, SlotModule>> = SHELL_SLOTS,
): StartedPage {
  const store = createStore(boot.state);
  const pageEvents = createPageEvents({
    brand: boot.state.session.brand,
    requestId: boot.requestId,
    url: () => window.location.pathname + window.location.search,
  });
  const bus = createEventBus(pageEvents.recordRefusal);
  recordFacts(bus, pageEvents);
  trackPageViews(bus);
  bus.all.subscribe((event) => {
    const change = stateChangeOf(event);
    if (change) store.dispatch(change);
  });
  rememberVisitor(store);
  rememberZip(store, bus);
  followBottomEdge(bus);
  followSignedIn(store);

  const announce = createLiveRegion();
  bus.on('page.announced').subscribe(({ message }) => announce(message));

  const links = new Subject<string>();
  const history = createPageHistory(boot.state.search.criteria);
  if (boot.page === 'detail') {
    // Its buttons find the bus when the chunk is there; links and forms have worked before.
    void persistently(
      () => import(/* webpackChunkName: "pages" */ '../pages/browser/enhance.ts'),
      (error, failures) => {
        if (failures === 1)
          bus.emit('slot.failed', { slot: 'page', phase: 'load', message: String(error) }, 'shell');
      },
    ).then(({ enhancePage }) => enhancePage({ store, bus }));
  } else {
    startSearchFlow({
      store,
      bus,
      links,
      history,
      requestId: boot.requestId,
      announce,
      leave: (url) => window.location.assign(url),
    });
    listenToSearchLinks((url) => links.next(url));
  }

  const integrity = Object.fromEntries(boot.remotes.flatMap((remote) => Object.entries(remote.integrity)));
  const assets = createAssets(integrity, nonce);
  const loadRemoteSlot = createRemoteLoader(host, boot.remotes, assets);
  const loadModule = async (slot: BootSlot) => {
    const own = ownSlots[slot.slot];
    if (own) return own;
    if (slot.remote === null) throw new PermanentError(`the shell has no slot ${slot.slot}`);
    return loadRemoteSlot(slot);
  };
  mountSlots({ boot, store, bus, loadModule, loadStyle: assets.style, holdBack: history.holdBack });

  // Measurements are lost rather than retried.
  whenIdle(() => void recordWebVitals(pageEvents).catch(() => {}));
  return { store, bus };
}
