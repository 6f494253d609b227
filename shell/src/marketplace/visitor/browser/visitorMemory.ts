import {
  type AppStore,
  type SessionState,
  browserStorage,
  sessionChanged,
} from '@forecourt/shared-contracts/store';
import type { EventBus } from '@forecourt/shared-contracts/events';
import { type FilterParam, type SearchCriteria, normalizeZip } from '@forecourt/shared-contracts/criteria';
import { PLACE_PARAMS } from '../../results/universal/placeParams.ts';
import { ZIP_COOKIE } from '../universal/zipCookie.ts';

type StoredSession = Pick<
  SessionState,
  'savedListingIds' | 'wallet' | 'showsPayments' | 'contactedListingIds'
>;

/** Where each part of the session is stored. */
const STORAGE = {
  savedListingIds: browserStorage.savedListings,
  wallet: browserStorage.wallet,
  showsPayments: browserStorage.showsPayments,
  contactedListingIds: browserStorage.contactedListings,
} as const;
const NAMES = Object.keys(STORAGE) as (keyof StoredSession)[];

/** Whether this browser stores the field: an account's saved listings come with the page. */
const isStoredHere = (name: keyof StoredSession, session: SessionState): boolean =>
  name !== 'savedListingIds' || !session.signedIn;

/**
 * Syncs session state with browser storage and other tabs. Shared pages do not
 * contain it. The returned function stops the sync.
 */
export function rememberVisitor(store: AppStore): () => void {
  let isLoading = false;
  const load = (names: readonly (keyof StoredSession)[], valueOf: (name: keyof StoredSession) => unknown) => {
    const { session } = store.getState();
    const changes = names
      .filter((name) => isStoredHere(name, session))
      .map((name) => [name, valueOf(name)] as const)
      .filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(session[name]));
    if (changes.length === 0) return;
    // Not written back: another tab may have stored a newer value since.
    isLoading = true;
    store.dispatch(sessionChanged(Object.fromEntries(changes) as Partial<StoredSession>));
    isLoading = false;
  };
  load(NAMES, (name) => STORAGE[name].read());

  let last = store.getState().session;
  const unsubscribe = store.subscribe(() => {
    const before = last;
    last = store.getState().session;
    if (isLoading || last === before) return;
    for (const name of NAMES)
      if (last[name] !== before[name] && isStoredHere(name, last) && isStoredHere(name, before))
        STORAGE[name].write(last[name] as never);
  });

  const onStorage = ({ key, newValue, storageArea }: StorageEvent) => {
    if (storageArea !== window.localStorage) return;
    // No key: the other tab cleared the storage.
    const names = NAMES.filter(
      (name) => STORAGE[name].area === 'local' && (key ?? STORAGE[name].key) === STORAGE[name].key,
    );
    load(names, (name) => STORAGE[name].parse(newValue));
  };
  // A page restored from the back/forward cache missed changes.
  const onPageShow = ({ persisted }: PageTransitionEvent) => {
    if (persisted) load(NAMES, (name) => STORAGE[name].read());
  };
  window.addEventListener('storage', onStorage);
  window.addEventListener('pageshow', onPageShow);
  return () => {
    unsubscribe();
    window.removeEventListener('pageshow', onPageShow);
    window.removeEventListener('storage', onStorage);
  };
}

/** s; one year. */
const ZIP_COOKIE_SECONDS = 365 * 24 * 3600;

function writeZipCookie(zip: string | null): void {
  const secure = window.location.protocol === 'https:' ? '; Secure' : '';
  document.cookie = `${ZIP_COOKIE}=${zip ?? ''}; Path=/; Max-Age=${zip ? ZIP_COOKIE_SECONDS : 0}; SameSite=Lax${secure}`;
}

const paramsOf = ({ filters }: SearchCriteria) => Object.keys(filters) as FilterParam[];

/** Clear Filters keeps the radius, also from a dialog that applies several changes at once. */
const isCleared = (before: SearchCriteria, after: SearchCriteria, cause: string): boolean =>
  cause === 'clearFilters' ||
  (paramsOf(after).join() === 'searchRadius' &&
    paramsOf(before).some((param) => !PLACE_PARAMS.includes(param)));

/** The stored ZIP after a change of the search; null removes it. */
function zipAfter(
  before: SearchCriteria,
  after: SearchCriteria,
  { cause, stored }: { readonly cause: string; readonly stored: string | null },
): string | null {
  const [oldZip, newZip] = [before, after].map(({ filters }) => normalizeZip(filters.zip?.[0]));
  if (newZip) return newZip === oldZip ? stored : newZip;
  if (!oldZip || after.filters.city || after.filters.state) return stored;
  // A remaining radius keeps the cleared ZIP as its center; emptying the ZIP field removes it.
  return isCleared(before, after, cause) && after.filters.searchRadius ? (stored ?? oldZip) : null;
}

/**
 * Stores the ZIP that a visitor chooses in a cookie, which the server uses as the
 * center of searches without a place (AMB-031). The ZIP of a followed link is
 * not stored. Must subscribe before the search flow, whose request sends the cookie.
 */
export function rememberZip(store: AppStore, bus: EventBus): void {
  bus.on('search.changeRequested').subscribe(({ criteria, cause }) => {
    const { search, session } = store.getState();
    const visitorZip = zipAfter(search.criteria, criteria, { cause, stored: session.visitorZip });
    if (visitorZip === session.visitorZip) return;
    writeZipCookie(visitorZip);
    store.dispatch(sessionChanged({ visitorZip }));
  });
}
