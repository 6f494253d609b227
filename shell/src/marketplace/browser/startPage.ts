import { EVENT_SCHEMAS } from '@forecourt/search/events';
import { marketplaceState } from '@forecourt/search/state';
import { Subject } from 'rxjs';
import type { BrowserSite, StartingPage } from '../../engine/browser/browserSite.ts';
import type { FederationHost } from '../../engine/browser/remoteLoader.ts';
import { startEngine, type StartedPage } from '../../engine/browser/startEngine.ts';
import type { BootData } from '../../engine/universal/bootData.ts';
import { recordUsage } from '../beacons/browser/recordUsage.ts';
import { trackPageViews } from '../beacons/browser/trackPageViews.ts';
import { followBottomEdge } from '../frame/browser/followBottomEdge.ts';
import { PageHistory } from '../results/browser/pageHistory.ts';
import { loadShownSearch } from '../results/browser/searchCalls.ts';
import { startSearchFlow } from '../results/browser/searchFlow.ts';
import { listenToSearchLinks } from '../results/browser/searchLinks.ts';
import hero from '../results/slots/hero.tsx';
import related from '../results/slots/related.tsx';
import { rememberVisitor } from '../visitor/browser/rememberVisitor.ts';
import { rememberZip } from '../visitor/browser/rememberZip.ts';
import { withPersonal } from '../visitor/browser/withPersonal.ts';

/** Runs searches within results pages; other pages load documents. */
function startSearches(page: StartingPage, history: PageHistory): void {
  const links = new Subject<string>();
  const pressedLinks = new Subject<string>();
  startSearchFlow({
    ...page,
    history,
    links,
    pressedLinks,
    requestId: page.boot.requestId,
    leave: (url) => window.location.assign(url),
  });
  listenToSearchLinks(
    (url) => links.next(url),
    (url) => pressedLinks.next(url),
  );
}

/** The marketplace in the browser. */
export const browserSite: BrowserSite = {
  root: '/cars-for-sale',
  events: EVENT_SCHEMAS,
  recordedEvents: ['page.tracked'],
  ownSlots: { hero, related },
  state: marketplaceState,
  withPersonal,
  loadFrames: () => import(/* webpackChunkName: "framed-slot" */ './mountFrame.ts'),
  loadContent: async () => ({ search: await loadShownSearch() }),
  earlyNavigation: () => window.fcEarlySearch,
  focusFallback: '#results-heading',
  telemetryOf: ({ session }) => ({ brand: session.brand }),
  start(page) {
    const { boot, store, bus, pageEvents } = page;
    recordUsage(bus, pageEvents);
    trackPageViews(bus);
    rememberVisitor(store);
    // Before the search flow, whose request sends the cookie.
    rememberZip(store, bus);
    followBottomEdge(bus);
    const history = new PageHistory(boot.state.search.criteria);
    if (boot.state.page.kind === 'results') startSearches(page, history);
    return { interceptBack: history.interceptBack };
  },
  startLate(store) {
    // Set by the server.
    delete document.documentElement.dataset['firstView'];
    // Optional: a failure to load it is not retried.
    void import(/* webpackChunkName: "late" */ './startLate.ts').then(
      ({ startLate }) => startLate(store),
      () => {},
    );
  },
};

/** Makes a server-rendered page of any kind interactive. Slots in `ownSlots` need no remote. */
export const startPage = (
  boot: BootData,
  host: FederationHost,
  ownSlots = browserSite.ownSlots,
): StartedPage => startEngine({ ...browserSite, ownSlots }, boot, host);
