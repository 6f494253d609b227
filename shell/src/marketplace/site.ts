import { BRANDS } from '@forecourt/search/brands';
import { EVENT_SCHEMAS } from '@forecourt/search/events';
import { emptySearch } from '@forecourt/search/state';
import type { SlotModule } from '@forecourt/slots';
import { CALLS, type CallDefinition } from '@forecourt/upstream/calls';
import type { RateLimits } from '@forecourt/service-kit/rateLimits';
import searchPackage from '@forecourt/search/package.json' with { type: 'json' };
import { PAGE_SLOTS, SIZE_BUDGETS } from '@forecourt/search/releasePolicy';
import upstreamPackage from '@forecourt/upstream/package.json' with { type: 'json' };
import type { Gateway } from '../engine/gateway/gateway.ts';
import { RELEASE_SITE } from './releaseSite.ts';
import type { Site } from '../engine/index.ts';
import { listingEvents, type ListingViews } from './beacons/beacons.ts';
import { limitMails } from './calls/limitMails.ts';
import type { Config } from './config.ts';
import { frame } from './frame/frame.ts';
import { messages } from './frame/messagePages.ts';
import { PAGE_LAYOUTS } from './layouts.ts';
import { FIREBASE_ORIGINS } from './notifications/firebaseOrigins.ts';
import { LOGOUT_PATH } from './accounts/backChannelLogout.ts';
import { PERMISSIONS } from './permissions.ts';
import { recordedPages } from './recorded/pages.ts';
import { plainHero, plainResults } from './results/plainResults.ts';
import { FIRST_SEARCH } from './results/resultsPage.ts';
import type { SearchLoader } from './results/searchRequest.ts';
import { personalPart, withoutPersonal } from './visitor/universal/personalState.ts';
import type { FlagSource } from './visitor/flags.ts';
import { createVisitors, type Visitor, type VisitorSessions, visitorOf } from './visitor/visitor.ts';

/** Path of all results. */
const HOME_PATH = '/cars-for-sale/all-cars';

/** Calls that search listings have a `channel` parameter. */
const LISTING_PATH = /^\/rest\/lsc\/(listing|newcarboost)/;

/**
 * Vehicle pages are fetched while the pointer rests on their link. Fetched, not rendered: nothing of a page runs before the
 * visitor opens it, so it reports no impressions. Searches are no documents for pages with scripts, which request them when
 * their links are pressed. Browsers that save data fetch nothing ahead.
 */
const SPECULATION_RULES = {
  prefetch: [
    { source: 'document', where: { href_matches: '/cars-for-sale/vehicle/*' }, eagerness: 'moderate' },
  ],
};

/** What the engine needs to know before it is created: the parts of the site without a running upstream. */
export const SITE_PLAN = {
  ...RELEASE_SITE,
  contracts: {
    [searchPackage.name]: searchPackage.version,
    [upstreamPackage.name]: upstreamPackage.version,
  },
  releasePolicy: { pageSlots: PAGE_SLOTS, budgets: SIZE_BUDGETS },
  root: '/cars-for-sale',
  homePath: HOME_PATH,
  events: Object.keys(EVENT_SCHEMAS),
  layouts: PAGE_LAYOUTS,
  permissions: PERMISSIONS,
  calls: CALLS as Readonly<Record<string, CallDefinition>>,
  recordedPages,
  dictionaryKinds: ['vehicle', 'results'],
  frame,
  messages,
  speculationRules: SPECULATION_RULES,
  personal: { without: withoutPersonal, part: personalPart },
  programPaths: [LOGOUT_PATH],
} satisfies Partial<Site>;

/** The marketplace, as the engine composes it. */
export function marketplaceSite(
  {
    gateway,
    reference,
    limits,
    ownSlots,
    views,
    ...people
  }: {
    readonly gateway: Pick<Gateway, 'call'>;
    readonly reference: SearchLoader['reference'];
    readonly limits: RateLimits;
    readonly ownSlots: Readonly<Record<string, SlotModule>>;
    readonly views: ListingViews;
    readonly sessions?: VisitorSessions | undefined;
    readonly flags?: FlagSource | undefined;
  },
  options: Config,
): Site {
  return {
    ...SITE_PLAN,
    ownSlots,
    visitors: createVisitors(people, options),
    policy: {
      formTargets: [new URL(options.OIDC_ISSUER).origin],
      connectTargets: options.FIREBASE_WEB_APP ? FIREBASE_ORIGINS : [],
    },
    plainSlot(slot, state) {
      if (slot === 'hero') return plainHero(state);
      return slot === 'results' ? plainResults(state) : undefined;
    },
    emptyState: (page, { session }: Visitor, currentUrl) => ({
      page,
      search: { ...emptySearch, url: currentUrl, requestId: FIRST_SEARCH, status: 'ready' },
      session,
    }),
    titleOf: (title, { brand }) => `${title} | ${BRANDS[brand].name}`,
    browserCalls: {
      signInPath: options.SIGN_IN_PATH,
      // The campaign's channel is known to the server only.
      addParams({ path }, request): Readonly<Record<string, string>> {
        if (!LISTING_PATH.test(path)) return {};
        const { channel, session } = visitorOf(request);
        return { channel: channel ?? BRANDS[session.brand].channel };
      },
      limit: limitMails(limits, options),
    },
    pageEvents: listingEvents(gateway, views),
    // Paths with a make can't be parsed before the makes are loaded.
    isReady: () => !reference.current().isEmpty,
  };
}
