import { Router, type Request, type RequestHandler, type Response } from 'express';
import { rateLimit } from 'express-rate-limit';
import type { SessionState } from '@forecourt/search/state';
import { signInLink } from '@forecourt/search/url';
import type { MessagePage } from '../../engine/http/messagePage.ts';
import { leaveForm } from '../frame/leaveForm.ts';
import { sendMessagePage } from '../frame/messagePages.ts';
import type { RateLimits } from '@forecourt/service-kit/rateLimits';
import { perMinute } from '../../engine/http/clientLimits.ts';
import { contextOf, originOf } from '../../engine/http/requestContext.ts';
import { isSameOrigin } from '../../engine/http/responses.ts';
import {
  type AccountScreen,
  IssuerError,
  type Issuer,
  type IssuerErrorCode,
  type SignInRequest,
} from './issuer.ts';
import { type PendingSignIns, type SealedSessions } from './sealedCookies.ts';
import { HOME, safeReturnUrl } from './returnUrl.ts';
import type { VisitorAccounts } from './visitorAccounts.ts';
import { escapeHtml } from '../../engine/compose/html.ts';

const action = (href: string, label: string, className = 'fc-action') =>
  `<a class="${className}" href="${escapeHtml(href)}">${label}</a>`;
const message = (title: string, text: string, actions: string): MessagePage => ({
  title,
  body: `<div class="fc-message"><h1>${title}</h1><p>${text}</p><p class="fc-message-actions">${actions}</p></div>`,
});
/** Where to go without an account: pages of an account, but for the saved vehicles, would only ask for it again. */
const withoutAccount = (returnTo: string): string =>
  /^\/account(?!\/saved-vehicles(?:[?#]|$))(?:[/?#]|$)/.test(returnTo) ? HOME : returnTo;
const continueLink = (returnTo: string) =>
  action(withoutAccount(returnTo), 'Continue without signing in', 'fc-action-quiet');

/** The issuer is unavailable. */
const unavailablePage = (again: string, returnTo: string): MessagePage =>
  message(
    'You cannot sign in right now',
    'Accounts aren’t available right now. You can still search and contact sellers. Please try again in a few minutes.',
    action(again, 'Try again') + continueLink(returnTo),
  );

/** A callback without a pending sign-in: too late, in another browser, or repeated. */
const expiredPage = (again: string, returnTo: string): MessagePage =>
  message(
    'This sign-in is no longer valid',
    'It took longer than an hour or was started in another browser. Please sign in again.',
    action(again, 'Sign in again') + continueLink(returnTo),
  );

/** A callback without any cookie: trying again leads here again until the browser accepts them. */
const withoutCookiesPage = (again: string, returnTo: string): MessagePage =>
  message(
    'Signing in needs cookies',
    'Your browser sent no cookie back. Allow cookies for this site, or finish signing in in the browser in which you started. You can search and contact sellers without signing in.',
    action(again, 'Try again') + continueLink(returnTo),
  );

/** Too many requests from one network; the `Retry-After` header has the seconds. */
const tooManyPage = (again: string, returnTo: string): MessagePage =>
  message(
    'Too many tries',
    'Please wait a minute, then try again. You can still search and contact sellers.',
    action(again, 'Try again') + continueLink(returnTo),
  );

const refusedPage = (again: string, returnTo: string): MessagePage =>
  message(
    'Signing in did not work',
    'We couldn’t verify your account. Please try again.',
    action(again, 'Try again') + continueLink(returnTo),
  );

const signedOutPage = (again: string, returnTo: string): MessagePage =>
  message(
    'You are signed out',
    'Your saved vehicles and searches stay in your account.',
    action(returnTo, 'See cars for sale') + action(again, 'Sign in again', 'fc-action-quiet'),
  );

const foreignFormPage: MessagePage = message(
  'You are still signed in',
  'That request did not come from a page of this site, so nothing was changed.',
  action('/', 'See cars for sale'),
);

/** The account's overview: saved items, password, data, sign-out. */
const accountPage = (
  { firstName, email }: NonNullable<SessionState['account']>,
  changesPassword: boolean,
): MessagePage => ({
  title: 'Your account',
  body:
    `<div class="fc-account-page"><h1>Hello, ${escapeHtml(firstName)}</h1>` +
    (email ? `<p class="fc-quiet">Signed in as ${escapeHtml(email)}</p>` : '') +
    '<ul class="fc-account-links">' +
    '<li><a href="/account/saved-vehicles"><strong>Saved vehicles</strong><span>Price changes and availability</span></a></li>' +
    '<li><a href="/account/saved-searches"><strong>Saved searches</strong><span>Open, rename, and manage alerts</span></a></li>' +
    (changesPassword
      ? '<li><a href="/account/password"><strong>Password</strong><span>Change it, and sign out everywhere else</span></a></li>'
      : '') +
    '<li><a href="/account/data" download><strong>Your data</strong><span>Download what your account holds</span></a></li>' +
    '</ul><form method="post" action="/account/sign-out"><button type="submit" class="fc-action-quiet">Sign out</button></form>' +
    '<details><summary>Delete your account</summary><p>We’ll delete your saved vehicles, searches, alerts and contact details right away. Messages stay with their sellers. ' +
    'Then enter your password to delete the account itself.</p>' +
    '<form method="post" action="/account/data"><button type="submit" class="fc-action-quiet">Delete everything</button></form></details></div>',
});

const CALLBACK_PATH = '/account/callback';
const SIGNED_OUT_PATH = '/account/signed-out';
const PASSWORD_PATH = '/account/password';
const DELETE_PATH = '/account/delete';

export interface AccountDeps {
  readonly issuer: Issuer;
  readonly sealed: SealedSessions;
  readonly pending: PendingSignIns;
  readonly accounts: VisitorAccounts;
  readonly limits: RateLimits;
  readonly countSignIn: (outcome: IssuerErrorCode | 'OK' | 'EXPIRED') => void;
  readonly css: string;
  readonly now: () => number;
  readonly log: (event: { event: string; code: string; message: string; requestId: string }) => void;
}

export interface AccountOptions {
  readonly SIGN_IN_PATH: string;
  /** Overrides the rate limit, for tests. */
  readonly perMinute?: number;
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** Handlers of sign-in, sign-out and the account page. */
class AccountHandlers {
  readonly #deps: AccountDeps;
  readonly #signInPath: string;

  constructor(deps: AccountDeps, signInPath: string) {
    this.#deps = deps;
    this.#signInPath = signInPath;
  }

  /** URL that signs in and returns to a page. */
  #signInUrl(returnTo: string): string {
    return signInLink(this.#signInPath, returnTo);
  }

  #send(response: Response, status: number, page: MessagePage): void {
    sendMessagePage(response, page, { css: this.#deps.css, status });
  }

  #logIssuerError(request: Request, event: string, { code, message }: IssuerError): void {
    this.#deps.log({ event, code, message, requestId: contextOf(request).requestId });
  }

  /** Sends a message page; details are only logged. */
  #sendFailure(request: Request, response: Response, error: unknown, returnTo: string): void {
    if (!(error instanceof IssuerError)) throw error;
    this.#deps.countSignIn(error.code);
    if (error.code === 'CANCELLED') return response.redirect(303, withoutAccount(returnTo));
    this.#logIssuerError(request, 'sign-in-failed', error);
    const again = this.#signInUrl(returnTo);
    if (error.code !== 'UNAVAILABLE') return this.#send(response, 400, refusedPage(again, returnTo));
    response.set('Retry-After', '60');
    return this.#send(response, 503, unavailablePage(again, returnTo));
  }

  /** Redirects to a page of the issuer. @throws IssuerError */
  async #redirectToIssuer(
    request: Request,
    response: Response,
    screen: SignInRequest['screen'],
    returnTo: string,
  ): Promise<void> {
    const { url, pending } = await this.#deps.issuer.begin({
      redirectUri: new URL(CALLBACK_PATH, originOf(request)),
      screen,
      brand: contextOf(request).visitor.session.brand,
    });
    await this.#deps.pending.write(request, response, { ...pending, returnTo });
    return response.redirect(303, url.href);
  }

  readonly signIn: RequestHandler = async (request, response) => {
    const { refUrl, defaultScreen } = request.query;
    const returnTo = safeReturnUrl(textOf(refUrl), originOf(request));
    const screen = defaultScreen === 'signup' ? 'sign-up' : 'sign-in';
    try {
      // Already signed in, e.g. in another tab.
      if (await this.#deps.accounts.idToken(request, response)) return response.redirect(303, returnTo);
      return await this.#redirectToIssuer(request, response, screen, returnTo);
    } catch (error) {
      return this.#sendFailure(request, response, error, returnTo);
    }
  };

  readonly callback: RequestHandler = async (request, response) => {
    const { issuer, sealed, pending, accounts, countSignIn, now } = this.#deps;
    const signIn = await pending.take(request, response, textOf(request.query['state']) ?? '');
    if (!signIn) {
      // Back led to a callback that was already used.
      if (await accounts.session(request, response)) return response.redirect(303, HOME);
      countSignIn('EXPIRED');
      const page = request.headers.cookie === undefined ? withoutCookiesPage : expiredPage;
      return this.#send(response, 400, page(this.#signInUrl(HOME), HOME));
    }
    try {
      const session = await issuer.finish(new URL(request.originalUrl, originOf(request)), signIn);
      await sealed.write(request, response, { ...session, signedInAt: now(), usedAt: now() });
      countSignIn('OK');
      return response.redirect(303, signIn.returnTo);
    } catch (error) {
      return this.#sendFailure(request, response, error, signIn.returnTo);
    }
  };

  readonly signOut: RequestHandler = async (request, response) => {
    const { issuer, sealed, accounts } = this.#deps;
    if (!isSameOrigin(request)) return this.#send(response, 403, foreignFormPage);
    const session = await accounts.session(request, response);
    await sealed.clear(request, response);
    // On a shared device the next person finds neither pages nor drafts. Cookies stay: they hold no account.
    response.set('Clear-Site-Data', '"cache", "storage"');
    if (!session) return response.redirect(303, SIGNED_OUT_PATH);
    accounts.end(session);
    try {
      if (session.refreshToken) await issuer.revoke(session.refreshToken);
      const next = await issuer.signOutUrl(session.idToken, new URL(SIGNED_OUT_PATH, originOf(request)));
      if (!next) return response.redirect(303, SIGNED_OUT_PATH);
      return leaveForm(response, next.href, this.#deps);
    } catch (error) {
      if (!(error instanceof IssuerError)) throw error;
      this.#logIssuerError(request, 'sign-out-incomplete', error);
      // Signed out of this site; the issuer's own session expires later.
      return response.redirect(303, SIGNED_OUT_PATH);
    }
  };

  readonly signedOut: RequestHandler = (_request, response) =>
    this.#send(response, 200, signedOutPage(this.#signInUrl(HOME), HOME));

  readonly overview: RequestHandler = async (request, response) => {
    const account = await this.#deps.accounts.account(request, response);
    if (!account) return response.redirect(303, this.#signInUrl('/account'));
    // The password page is the issuer's, which may be unavailable.
    const changesPassword = await this.#deps.issuer.hasScreen('change-password').catch(() => false);
    return this.#send(response, 200, accountPage(account, changesPassword));
  };

  /** Redirects to the issuer's page, if it has one. */
  readonly openAtIssuer =
    (screen: AccountScreen, path: string): RequestHandler =>
    async (request, response) => {
      const { accounts, issuer } = this.#deps;
      if (!(await accounts.idToken(request, response))) return response.redirect(303, this.#signInUrl(path));
      try {
        if (!(await issuer.hasScreen(screen))) return response.redirect(303, '/account');
        return await this.#redirectToIssuer(request, response, screen, '/account');
      } catch (error) {
        return this.#sendFailure(request, response, error, '/account');
      }
    };

  readonly tooManyRequests: RequestHandler = (_request, response) => {
    this.#send(response, 429, tooManyPage(this.#signInUrl(HOME), HOME));
  };
}

/** Sign-in and sign-out by OpenID Connect, and the account page. Works without JavaScript. */
export function accountRoutes(deps: AccountDeps, options: AccountOptions): Router {
  const { SIGN_IN_PATH, perMinute: limit } = options;
  const handlers = new AccountHandlers(deps, SIGN_IN_PATH);
  const limited = rateLimit({
    ...perMinute(deps.limits, 'accounts', limit),
    handler: (request, response, next) => handlers.tooManyRequests(request, response, next),
  });
  const uncached: RequestHandler = (_request, response, next) => {
    response.set('Cache-Control', 'no-store');
    next();
  };
  const router = Router();
  router.get(SIGN_IN_PATH, uncached, limited, handlers.signIn);
  router.get(CALLBACK_PATH, uncached, limited, handlers.callback);
  router.post('/account/sign-out', uncached, limited, handlers.signOut);
  router.get(SIGNED_OUT_PATH, uncached, handlers.signedOut);
  router.get(PASSWORD_PATH, uncached, limited, handlers.openAtIssuer('change-password', PASSWORD_PATH));
  router.get(DELETE_PATH, uncached, limited, handlers.openAtIssuer('delete-account', DELETE_PATH));
  router.get('/account', uncached, handlers.overview);
  return router;
}
