import {
  type AppStore,
  type SessionState,
  browserStorage,
  sessionChanged,
} from '@forecourt/shared-contracts/store';
import type { EventBus } from '@forecourt/shared-contracts/events';
import { type FilterParam, type SearchCriteria, normalizeZip } from '@forecourt/shared-contracts/criteria';
import { ZIP_COOKIE } from '../both/zipCookie.ts';

type Part = Pick<SessionState, 'savedListingIds' | 'wallet' | 'showsPayments' | 'contactedListingIds'>;

/** Where each part of the session is stored. */
const PARTS = {
  savedListingIds: browserStorage.savedListings,
  wallet: browserStorage.wallet,
  showsPayments: browserStorage.showsPayments,
  contactedListingIds: browserStorage.contactedListings,
} as const;
const NAMES = Object.keys(PARTS) as (keyof Part)[];

/** An account's saved listings come with the page, not from the browser. */
const isKeptHere = (name: keyof Part, session: SessionState): boolean =>
  name !== 'savedListingIds' || !session.signedIn;

/**
 * Gives the store what this browser keeps of the visitor, keeps what changes,
 * and follows the other tabs. The page itself may come from a cache for
 * everybody, so it knows none of this. The answer ends it.
 */
export function rememberVisitor(store: AppStore): () => void {
  let isTaking = false;
  const take = (names: readonly (keyof Part)[], valueOf: (name: keyof Part) => unknown) => {
    const { session } = store.getState();
    const changes = names
      .filter((name) => isKeptHere(name, session))
      .map((name) => [name, valueOf(name)] as const)
      .filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(session[name]));
    if (changes.length === 0) return;
    // Writing back what another tab wrote could bring its older value back.
    isTaking = true;
    store.dispatch(sessionChanged(Object.fromEntries(changes) as Partial<Part>));
    isTaking = false;
  };
  take(NAMES, (name) => PARTS[name].read());

  let last = store.getState().session;
  const unsubscribe = store.subscribe(() => {
    const before = last;
    last = store.getState().session;
    if (isTaking || last === before) return;
    for (const name of NAMES)
      if (last[name] !== before[name] && isKeptHere(name, last) && isKeptHere(name, before))
        PARTS[name].write(last[name] as never);
  });

  const follow = ({ key, newValue, storageArea }: StorageEvent) => {
    if (storageArea !== window.localStorage) return;
    // Without a key the other tab has cleared everything.
    const names = NAMES.filter(
      (name) => PARTS[name].area === 'local' && (key ?? PARTS[name].key) === PARTS[name].key,
    );
    take(names, (name) => PARTS[name].parse(newValue));
  };
  // A page restored from the back/forward cache missed changes.
  const catchUp = ({ persisted }: PageTransitionEvent) => {
    if (persisted) take(NAMES, (name) => PARTS[name].read());
  };
  window.addEventListener('storage', follow);
  window.addEventListener('pageshow', catchUp);
  return () => {
    unsubscribe();
    window.removeEventListener('pageshow', catchUp);
    window.removeEventListener('storage', follow);
  };
}

/** s; a year, as the browser's id. */
const KEPT_SECONDS = 365 * 24 * 3600;

function write(zip: string | null): void {
  const secure = window.location.protocol === 'https:' ? '; Secure' : '';
  document.cookie = `${ZIP_COOKIE}=${zip ?? ''}; Path=/; Max-Age=${zip ? KEPT_SECONDS : 0}; SameSite=Lax${secure}`;
}

const PLACE: readonly FilterParam[] = ['zip', 'searchRadius', 'city', 'state'];
const paramsOf = ({ filters }: SearchCriteria) => Object.keys(filters) as FilterParam[];

/** Clear Filters leaves the radius alone, also from a dialog where it was one of several changes. */
const isCleared = (before: SearchCriteria, after: SearchCriteria, cause: string): boolean =>
  cause === 'clearFilters' ||
  (paramsOf(after).join() === 'searchRadius' && paramsOf(before).some((param) => !PLACE.includes(param)));

/** The ZIP to keep after a change of the search; null forgets it. */
function zipAfter(
  before: SearchCriteria,
  after: SearchCriteria,
  { cause, kept }: { readonly cause: string; readonly kept: string | null },
): string | null {
  const [had, has] = [before, after].map(({ filters }) => normalizeZip(filters.zip?.[0]));
  if (has) return has === had ? kept : has;
  if (!had || after.filters.city || after.filters.state) return kept;
  // A remaining radius keeps the cleared ZIP as its center; emptying the ZIP field removes it.
  return isCleared(before, after, cause) && after.filters.searchRadius ? (kept ?? had) : null;
}

/**
 * Keeps the ZIP that a visitor chooses, in the cookie of which the server makes
 * the centre of a search without a place (AMB-031). The ZIP of a link that was
 * followed is not the visitor's. Comes before the search itself, which is sent
 * with the cookie.
 */
export function rememberZip(store: AppStore, bus: EventBus): void {
  bus.on('search.changeRequested').subscribe(({ criteria, cause }) => {
    const { search, session } = store.getState();
    const visitorZip = zipAfter(search.criteria, criteria, { cause, kept: session.visitorZip });
    if (visitorZip === session.visitorZip) return;
    write(visitorZip);
    store.dispatch(sessionChanged({ visitorZip }));
  });
}
