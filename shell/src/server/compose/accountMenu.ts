import { signInLink } from '@forecourt/shared-contracts/url';
import type { SessionState } from '@forecourt/shared-contracts/store';
import { escapeHtml } from './html.ts';

const person =
  '<svg class="fc-account-icon" viewBox="0 0 24 24" width="20" height="20" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round"><circle cx="12" cy="8" r="4"></circle><path d="M4 20c1.5-4 4.5-6 8-6s6.5 2 8 6"></path></svg>';

/**
 * The way into the account, at the end of the site's bar. Links, a native
 * popover and a form: all of it works without JavaScript. `current` is path and
 * query of the page at hand, to come back to it.
 */
export function accountMenu(
  { signedIn, account, signInPath }: Pick<SessionState, 'signedIn' | 'account' | 'signInPath'>,
  current: string,
): string {
  if (!signedIn)
    return `<a class="fc-account" id="fc-account" data-account="out" href="${escapeHtml(signInLink(signInPath, current))}">${person}<span class="fc-account-name">Sign in</span></a>`;
  const name = escapeHtml(account?.firstName ?? 'Account');
  return (
    `<button class="fc-account" id="fc-account" data-account="in" type="button" popovertarget="fc-account-menu">${person}` +
    `<span class="fc-account-name">${name}</span><span class="fc-unseen">, account menu</span></button>` +
    '<div class="fc-account-menu" id="fc-account-menu" popover><ul>' +
    '<li><a href="/account/saved-vehicles">Saved vehicles</a></li>' +
    '<li><a href="/account/saved-searches">Saved searches</a></li>' +
    '<li><a href="/account">Your account</a></li></ul>' +
    '<form method="post" action="/account/sign-out"><button type="submit">Sign out</button></form></div>'
  );
}
