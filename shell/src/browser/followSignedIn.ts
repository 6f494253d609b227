import { signInLink } from '@forecourt/shared-contracts/url';
import { sessionChanged, type AppStore, type RootState } from '@forecourt/shared-contracts/store';

const isMarked = () => /(?:^|;\s*)signedIn=true(?:;|$)/.test(document.cookie);

/** Makes the way into the account say what is true now: a link to sign in, or one to the account. */
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
  // The icon stays; the words are the name's place.
  link.append(...current.childNodes);
  const name = link.querySelector('.fc-account-name');
  if (name) name.textContent = session.signedIn ? 'Account' : 'Sign in';
  link.querySelector('.fc-unseen')?.remove();
  document.getElementById('fc-account-menu')?.remove();
  current.replaceWith(link);
}

/**
 * Follows what happens in other tabs: a page that comes to the front again, or
 * out of the back/forward cache, looks whether its visitor is still signed in
 * (or signed in by now) and says so.
 */
export function followSignedIn(store: AppStore): void {
  const look = () => {
    const signedIn = isMarked();
    if (document.visibilityState === 'hidden' || signedIn === store.getState().session.signedIn) return;
    store.dispatch(sessionChanged({ signedIn, account: null }));
    repaintMenu(store.getState() as RootState);
  };
  document.addEventListener('visibilitychange', look);
  window.addEventListener('pageshow', ({ persisted }) => persisted && look());
}
