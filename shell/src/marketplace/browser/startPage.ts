import { type EventBus, createEventBus } from '@forecourt/shared-contracts/events';
import type { SlotModule } from '@forecourt/shared-contracts/slots';
import {
  type AppStore,
  type RootState,
  createStore,
  sessionChanged,
  stateChangeOf,
} from '@forecourt/shared-contracts/store';
import { Subject } from 'rxjs';
import type { BootData, BootSlot } from '../../engine/universal/bootData.ts';
import hero from '../results/slots/hero.tsx';
import related from '../results/slots/related.tsx';
import { whenLate } from '../../engine/browser/mountTiming.ts';
import { PageHistory } from '../results/browser/pageHistory.ts';
import { PermanentError } from '../../engine/browser/call.ts';
import { type FederationHost, createAssets, createRemoteLoader } from '../../engine/browser/remoteLoader.ts';
import { listenToSearchLinks } from '../results/browser/searchLinks.ts';
import { rememberVisitor, rememberZip } from '../visitor/browser/visitorMemory.ts';
import { startSearchFlow } from '../results/browser/searchFlow.ts';
import { mountSlots, releaseOf } from '../../engine/browser/slotMounts.ts';
import {
  type PageEvents,
  createPageEvents,
  recordFacts,
  recordOpening,
  trackPageViews,
} from '../../engine/browser/telemetry.ts';
import { signInLink } from '@forecourt/shared-contracts/url';

/** Slots whose modules are part of the shell. */
const SHELL_SLOTS: Readonly<Record<string, SlotModule>> = { hero, related };

/** What page extensions observe. */
export interface StartedPage {
  readonly store: AppStore;
  readonly bus: EventBus;
}

/** Creates the event bus; its events are recorded as telemetry and applied to the store. */
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

/** Runs searches within results pages; other pages load documents. */
function startSearches(
  { requestId }: BootData,
  page: StartedPage & { readonly history: PageHistory; readonly announce: (message: string) => void },
): void {
  const links = new Subject<string>();
  const pressedLinks = new Subject<string>();
  startSearchFlow({ ...page, links, pressedLinks, requestId, leave: (url) => window.location.assign(url) });
  listenToSearchLinks(
    (url) => links.next(url),
    (url) => pressedLinks.next(url),
  );
}

function createModuleLoader(
  { remotes }: BootData,
  host: FederationHost,
  ownSlots: Readonly<Record<string, SlotModule>>,
) {
  const integrity = Object.fromEntries(remotes.flatMap((remote) => Object.entries(remote.integrity)));
  const assets = createAssets(integrity);
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
 * Makes a server-rendered page of any kind interactive. Slots in `ownSlots` need no remote.
 */
export function startPage(
  boot: BootData,
  host: FederationHost,
  ownSlots: Readonly<Record<string, SlotModule>> = SHELL_SLOTS,
): StartedPage {
  const { state, requestId, failureClaim } = boot;
  // Slots hydrate against the state that they were rendered with, and then repaint with the visitor's own.
  const store = createStore(withPersonal(boot));
  const url = () => window.location.pathname + window.location.search;
  const pageEvents = createPageEvents({ brand: state.session.brand, requestId, claim: failureClaim, url });
  recordOpening(pageEvents);
  const bus = createBus(store, pageEvents);
  rememberVisitor(store);
  rememberZip(store, bus);
  followBottomEdge(bus);
  followSignedIn(store);
  const announce = createLiveRegion();
  bus.on('page.announced').subscribe(({ message }) => announce(message));

  const history = new PageHistory(state.search.criteria);
  if (state.page.kind === 'results') startSearches(boot, { store, bus, history, announce });
  const loader = createModuleLoader(boot, host, ownSlots);
  const firstView = mountSlots({ boot, store, bus, ...loader, interceptBack: history.interceptBack });

  // Optional: a failure to load the measuring code is not retried.
  const releaseOfSlot = (name: string) =>
    releaseOf(
      boot,
      boot.slots.find(({ slot }) => slot === name),
    );
  whenLate(() => {
    linkManifest();
    void import('../../engine/browser/measurements.ts').then(({ recordSpans, recordWebVitals }) => {
      recordWebVitals(pageEvents, releaseOfSlot);
      recordSpans();
    }, noMeasurements);
  }, firstView);
  return { store, bus };
}

const noMeasurements = () => {};

/** Only browsers that offer to install the page read it, so its request must not compete with the first view. */
function linkManifest(): void {
  document.head.append(
    Object.assign(document.createElement('link'), { rel: 'manifest', href: '/manifest.webmanifest' }),
  );
}

const withPersonal = ({ state, personal }: BootData): RootState =>
  personal
    ? {
        ...state,
        session: { ...state.session, ...personal.session },
        search: personal.pageData ? { ...state.search, pageData: personal.pageData } : state.search,
      }
    : state;

const hasSignedInCookie = () => /(?:^|;\s*)signedIn=true(?:;|$)/.test(document.cookie);

/** Updates the account link: to sign in, or to the account. */
function repaintMenu({ session }: RootState): void {
  const current = document.getElementById('fc-account');
  if (!current) return;
  const link = document.createElement('a');
  link.id = current.id;
  link.className = current.className;
  link.dataset['account'] = session.signedIn ? 'in' : 'out';
  link.href = session.signedIn
    ? '/account'
    : signInLink(session.signInPath, window.location.pathname + window.location.search);
  // Keeps the icon; the text changes.
  link.append(...current.childNodes);
  const name = link.querySelector('.fc-account-name');
  if (name) name.textContent = session.signedIn ? 'Account' : 'Sign in';
  link.querySelector('.fc-unseen')?.remove();
  document.getElementById('fc-account-menu')?.remove();
  current.replaceWith(link);
}

/**
 * Follows sign-ins in other tabs: a page that becomes visible again, or returns
 * from the back/forward cache, updates whether its visitor is signed in.
 */
export function followSignedIn(store: AppStore): void {
  const update = () => {
    const signedIn = hasSignedInCookie();
    if (document.visibilityState === 'hidden' || signedIn === store.getState().session.signedIn) return;
    store.dispatch(sessionChanged({ signedIn, account: null }));
    repaintMenu(store.getState() as RootState);
  };
  document.addEventListener('visibilitychange', update);
  window.addEventListener('pageshow', ({ persisted }) => persisted && update());
}

/** Debounces announcements. */
const ANNOUNCE_AFTER_MS = 500;
/** The polite live region in the page's frame. */
const REGION_ID = 'fc-announcer';

/** Announces messages to screen readers in the page's polite live region. */
export function createLiveRegion(): (message: string) => void {
  const region = document.getElementById(REGION_ID);
  let timer: ReturnType<typeof setTimeout> | undefined;
  return (message) => {
    if (!region) return;
    clearTimeout(timer);
    // Emptied first, or a repeated message would not be announced.
    region.textContent = '';
    timer = setTimeout(() => (region.textContent = message), ANNOUNCE_AFTER_MS);
  };
}

/** Share of the viewport above which a covered bottom edge leaves no room for floating buttons on a small screen. */
const CROWDED_SHARE = 0.12;

/**
 * Exposes to CSS how much of the viewport's bottom edge is covered, so that toasts
 * and floating controls stay above it, and give way to it on small screens.
 */
export function followBottomEdge(bus: EventBus): void {
  const heights = new Map<string, number>();
  bus.on('page.bottomCovered').subscribe(({ by, height }) => {
    heights.set(by, height);
    const tallest = Math.max(...heights.values());
    const { style } = document.documentElement;
    style.setProperty('--fc-bottom-covered', `${tallest}px`);
    const isCrowded = tallest > window.innerHeight * CROWDED_SHARE;
    style.setProperty('--fc-floating', isCrowded ? 'hidden' : 'visible');
  });
}
