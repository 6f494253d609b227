import { type SessionState, sessionChanged } from '@forecourt/search/state';
import {
  savedListingsStorage,
  walletStorage,
  showsPaymentsStorage,
  contactedListingsStorage,
  oneClickStorage,
} from '@forecourt/search/storage';
import type { SlotStore } from '@forecourt/slots/state';

type StoredSession = Pick<
  SessionState,
  'savedListingIds' | 'wallet' | 'showsPayments' | 'contactedListingIds' | 'emailsInOneClick'
>;

/** Where each part of the session is stored. */
const STORAGE = {
  savedListingIds: savedListingsStorage,
  wallet: walletStorage,
  showsPayments: showsPaymentsStorage,
  contactedListingIds: contactedListingsStorage,
  emailsInOneClick: oneClickStorage,
} as const;
const NAMES = Object.keys(STORAGE) as (keyof StoredSession)[];

/** Whether this browser stores the field: an account's saved listings come with the page. */
const isStoredHere = (name: keyof StoredSession, session: SessionState): boolean =>
  name !== 'savedListingIds' || !session.signedIn;

/**
 * Syncs session state with browser storage and other tabs. Shared pages do not
 * contain it. The returned function stops the sync.
 */
export function rememberVisitor(store: SlotStore): () => void {
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
