import type { SessionState } from '@forecourt/shared-contracts/store';
import type { MessagePage } from '../compose/errorPage.ts';
import { escapeHtml } from '../compose/html.ts';

const action = (href: string, label: string, look = 'fc-action') =>
  `<a class="${look}" href="${escapeHtml(href)}">${label}</a>`;
const message = (title: string, text: string, actions: string): MessagePage => ({
  title,
  body: `<div class="fc-message"><h1>${title}</h1><p>${text}</p><p class="fc-message-actions">${actions}</p></div>`,
});
const goOn = (returnTo: string) => action(returnTo, 'Go on without signing in', 'fc-action-quiet');

/** The issuer gives no answer: everything but the account works. */
export const unavailablePage = (again: string, returnTo: string): MessagePage =>
  message(
    'You cannot sign in right now',
    'Accounts are not available at the moment. Everything else works: search, contact sellers, and try again in a few minutes.',
    action(again, 'Try again') + goOn(returnTo),
  );

/** The way back came without its beginning: too late, in another browser, or a second time. */
export const expiredPage = (again: string, returnTo: string): MessagePage =>
  message(
    'This sign-in is no longer valid',
    'It took longer than an hour, or it was begun in another browser. Nothing is lost: sign in once more.',
    action(again, 'Sign in again') + goOn(returnTo),
  );

export const refusedPage = (again: string, returnTo: string): MessagePage =>
  message(
    'Signing in did not work',
    'We could not make sure that it was you. Please try again.',
    action(again, 'Try again') + goOn(returnTo),
  );

export const signedOutPage = (again: string, returnTo: string): MessagePage =>
  message(
    'You are signed out',
    'See you soon. What you saved stays in your account.',
    action(returnTo, 'See cars for sale') + action(again, 'Sign in again', 'fc-action-quiet'),
  );

export const foreignFormPage: MessagePage = message(
  'You are still signed in',
  'That request did not come from a page of this site, so nothing was changed.',
  action('/', 'See cars for sale'),
);

/** The account's own page: what is kept, and the way out. */
export const accountPage = (
  { firstName, email }: NonNullable<SessionState['account']>,
  changesPassword: boolean,
): MessagePage => ({
  title: 'Your account',
  body:
    `<div class="fc-account-page"><h1>Hello, ${escapeHtml(firstName)}</h1>` +
    (email ? `<p class="fc-quiet">Signed in as ${escapeHtml(email)}</p>` : '') +
    '<ul class="fc-account-links">' +
    '<li><a href="/account/saved-vehicles"><strong>Saved vehicles</strong><span>Prices and whether they are still for sale</span></a></li>' +
    '<li><a href="/account/saved-searches"><strong>Saved searches</strong><span>Open, rename, or end email alerts</span></a></li>' +
    (changesPassword
      ? '<li><a href="/account/password"><strong>Password</strong><span>Change it, and sign out everywhere else</span></a></li>'
      : '') +
    '</ul><form method="post" action="/account/sign-out"><button type="submit" class="fc-action-quiet">Sign out</button></form></div>',
});
