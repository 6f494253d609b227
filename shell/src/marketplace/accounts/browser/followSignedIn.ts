import { type RootState, sessionChanged } from '@forecourt/search/state';
import { signInLink } from '@forecourt/search/url';
import type { SlotStore } from '@forecourt/slots/state';

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
export function followSignedIn(store: SlotStore): void {
  const update = () => {
    const signedIn = hasSignedInCookie();
    if (document.visibilityState === 'hidden' || signedIn === store.getState().session.signedIn) return;
    store.dispatch(sessionChanged({ signedIn, account: null }));
    repaintMenu(store.getState() as RootState);
  };
  document.addEventListener('visibilitychange', update);
  window.addEventListener('pageshow', ({ persisted }) => persisted && update());
}
