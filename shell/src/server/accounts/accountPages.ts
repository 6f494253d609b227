import type { SessionState } from '@forecourt/shared-contracts/store';
import type { MessagePage } from '../compose/errorPage.ts';
import { escapeHtml } from '../compose/html.ts';

const action = (href: string, label: string, className = 'fc-action') =>
  `<a class="${className}" href="${escapeHtml(href)}">${label}</a>`;
const message = (title: string, text: string, actions: string): MessagePage => ({
  title,
  body: `<div class="fc-message"><h1>${title}</h1><p>${text}</p><p class="fc-message-actions">${actions}</p></div>`,
});
const continueLink = (returnTo: string) => action(returnTo, 'Go on without signing in', 'fc-action-quiet');

/** The issuer is unavailable. */
export const unavailablePage = (again: string, returnTo: string): MessagePage =>
  message(
    'You cannot sign in right now',
    'Accounts aren’t available right now. You can still search and contact sellers. Please try again in a few minutes.',
    action(again, 'Try again') + continueLink(returnTo),
  );

/** A callback without a pending sign-in: too late, in another browser, or repeated. */
export const expiredPage = (again: string, returnTo: string): MessagePage =>
  message(
    'This sign-in is no longer valid',
    'It took longer than an hour or was started in another browser. Please sign in again.',
    action(again, 'Sign in again') + continueLink(returnTo),
  );

export const refusedPage = (again: string, returnTo: string): MessagePage =>
  message(
    'Signing in did not work',
    'We couldn’t verify your account. Please try again.',
    action(again, 'Try again') + continueLink(returnTo),
  );

export const signedOutPage = (again: string, returnTo: string): MessagePage =>
  message(
    'You are signed out',
    'Your saved vehicles and searches stay in your account.',
    action(returnTo, 'See cars for sale') + action(again, 'Sign in again', 'fc-action-quiet'),
  );

export const foreignFormPage: MessagePage = message(
  'You are still signed in',
  'That request did not come from a page of this site, so nothing was changed.',
  action('/', 'See cars for sale'),
);

/** The account's overview: saved items, password, sign-out. */
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
