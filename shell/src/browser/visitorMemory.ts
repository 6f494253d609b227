import {
  browserStorage,
  sessionChanged,
  type AppStore,
  type SessionState,
} from '@forecourt/shared-contracts/store';

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
