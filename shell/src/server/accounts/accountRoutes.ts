import { Router, type Request, type RequestHandler, type Response } from 'express';
import { rateLimit } from 'express-rate-limit';
import { signInLink } from '@forecourt/shared-contracts/url';
import { messagePage, type MessagePage } from '../compose/errorPage.ts';
import { contextOf, originOf } from '../http/requestContext.ts';
import { isSameOrigin } from '../http/responses.ts';
import {
  accountPage,
  expiredPage,
  foreignFormPage,
  refusedPage,
  signedOutPage,
  unavailablePage,
} from './accountPages.ts';
import { IssuerError, type Issuer, type SignInRequest } from './issuer.ts';
import type { AccountMetrics } from './metrics.ts';
import type { PendingSignIns } from './pendingSignIns.ts';
import { HOME, safeReturnUrl } from './returnUrl.ts';
import type { SealedSessions } from './sealedSession.ts';
import type { VisitorAccounts } from './visitorAccounts.ts';

/** Ways in and out of one client a minute: far above what a person clicks. */
const PER_MINUTE = 60;

export const CALLBACK_PATH = '/account/callback';
export const SIGNED_OUT_PATH = '/account/signed-out';
export const PASSWORD_PATH = '/account/password';

export interface AccountDeps {
  readonly issuer: Issuer;
  readonly sealed: SealedSessions;
  readonly pending: PendingSignIns;
  readonly accounts: VisitorAccounts;
  readonly metrics: AccountMetrics;
  readonly css: string;
  readonly log: (event: { event: string; code: string; message: string; requestId: string }) => void;
}

export interface AccountOptions {
  readonly SIGN_IN_PATH: string;
  /** Requests of one client a minute. */
  readonly perMinute?: number;
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** Signing in and out by OpenID Connect, and the account's own page. All of it works without JavaScript. */
export function accountRoutes(deps: AccountDeps, options: AccountOptions): Router {
  const { issuer, sealed, pending, accounts, metrics } = deps;
  const { SIGN_IN_PATH, perMinute = PER_MINUTE } = options;

  const send = (request: Request, response: Response, status: number, page: MessagePage) => {
    const { visitor, nonce } = contextOf(request);
    response
      .status(status)
      .type('html')
      .send(messagePage(page, visitor.session, deps.css, nonce));
  };
  const again = (returnTo: string) => signInLink(SIGN_IN_PATH, returnTo);

  /** An issuer that failed is told of kindly; what was wrong stands in the log. */
  function sendFailure(request: Request, response: Response, error: unknown, returnTo: string): void {
    if (!(error instanceof IssuerError)) throw error;
    const { code, message } = error;
    metrics.count(code);
    if (code === 'CANCELLED') return response.redirect(303, returnTo);
    deps.log({ event: 'sign-in-failed', code, message, requestId: contextOf(request).requestId });
    if (code !== 'UNAVAILABLE') return send(request, response, 400, refusedPage(again(returnTo), returnTo));
    response.set('Retry-After', '60');
    return send(request, response, 503, unavailablePage(again(returnTo), returnTo));
  }

  /** Sends a visitor to a page of the issuer. @throws IssuerError */
  async function leave(
    request: Request,
    response: Response,
    screen: SignInRequest['screen'],
    returnTo: string,
  ): Promise<void> {
    const begun = await issuer.begin({
      redirectUri: new URL(CALLBACK_PATH, originOf(request)),
      screen,
      brand: contextOf(request).visitor.session.brand,
    });
    await pending.write(request, response, { ...begun.pending, returnTo });
    return response.redirect(303, begun.url.href);
  }

  const signIn: RequestHandler = async (request, response) => {
    const { refUrl, defaultScreen } = request.query;
    const returnTo = safeReturnUrl(textOf(refUrl), originOf(request));
    try {
      // In another tab, perhaps: nobody is asked twice.
      if (await accounts.idToken(request, response)) return response.redirect(303, returnTo);
      return await leave(request, response, defaultScreen === 'signup' ? 'sign-up' : 'sign-in', returnTo);
    } catch (error) {
      return sendFailure(request, response, error, returnTo);
    }
  };

  const callback: RequestHandler = async (request, response) => {
    const begun = await pending.take(request, response, textOf(request.query['state']) ?? '');
    if (!begun) {
      // Back to the way back, after it was used.
      if (await accounts.session(request, response)) return response.redirect(303, HOME);
      metrics.count('EXPIRED');
      return send(request, response, 400, expiredPage(again(HOME), HOME));
    }
    try {
      const session = await issuer.finish(new URL(request.originalUrl, originOf(request)), begun);
      await sealed.write(request, response, session);
      metrics.count('OK');
      return response.redirect(303, begun.returnTo);
    } catch (error) {
      return sendFailure(request, response, error, begun.returnTo);
    }
  };

  const signOut: RequestHandler = async (request, response) => {
    if (!isSameOrigin(request)) return send(request, response, 403, foreignFormPage);
    const session = await accounts.session(request, response);
    await sealed.clear(request, response);
    if (!session) return response.redirect(303, SIGNED_OUT_PATH);
    try {
      if (session.refreshToken) await issuer.revoke(session.refreshToken);
      const next = await issuer.signOutUrl(session.idToken, new URL(SIGNED_OUT_PATH, originOf(request)));
      return response.redirect(303, next?.href ?? SIGNED_OUT_PATH);
    } catch (error) {
      if (!(error instanceof IssuerError)) throw error;
      const { code, message } = error;
      deps.log({ event: 'sign-out-incomplete', code, message, requestId: contextOf(request).requestId });
      // Signed out here all the same; the issuer's own session ends by its age.
      return response.redirect(303, SIGNED_OUT_PATH);
    }
  };

  const overview: RequestHandler = async (request, response) => {
    const account = await accounts.account(request, response);
    if (!account) return response.redirect(303, again('/account'));
    // An issuer that says nothing now has no such page now.
    const changesPassword = await issuer.changesPasswords().catch(() => false);
    return send(request, response, 200, accountPage(account, changesPassword));
  };

  const changePassword: RequestHandler = async (request, response) => {
    if (!(await accounts.idToken(request, response))) return response.redirect(303, again(PASSWORD_PATH));
    try {
      if (!(await issuer.changesPasswords())) return response.redirect(303, '/account');
      return await leave(request, response, 'change-password', '/account');
    } catch (error) {
      return sendFailure(request, response, error, '/account');
    }
  };

  const router = Router();
  const limited = rateLimit({
    windowMs: 60_000,
    limit: perMinute,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    validate: { xForwardedForHeader: false },
    handler: (request, response) => {
      const page = unavailablePage(again(HOME), HOME);
      send(request, response, 429, { ...page, title: 'Too many tries' });
    },
  });
  const personal: RequestHandler = (_request, response, next) => {
    response.set('Cache-Control', 'no-store');
    next();
  };
  router.get(SIGN_IN_PATH, personal, limited, signIn);
  router.get(CALLBACK_PATH, personal, limited, callback);
  router.post('/account/sign-out', personal, limited, signOut);
  router.get(SIGNED_OUT_PATH, personal, (request, response) =>
    send(request, response, 200, signedOutPage(again(HOME), HOME)),
  );
  router.get(PASSWORD_PATH, personal, limited, changePassword);
  router.get('/account', personal, overview);
  return router;
}
