import type { Request, RequestHandler, Response } from 'express';
import type { Provider } from 'oidc-provider';
import { signInUrl, type Place, brandOf } from '../accounts/accounts.ts';
import { isExpiredVisit } from '../oidc/provider.ts';
import { messagePage, renderPage, type PageTheme, type Page, type Site } from '../pages/layout.ts';
import type { CredentialForm } from '../pages/credentialPages.ts';
import { createHmac, timingSafeEqual } from 'node:crypto';

/** An OIDC interaction that the shop started, in the browser that started it. */
export interface Visit {
  readonly uid: string;
  /** Requested prompt: 'login', 'create' or 'password'. */
  readonly prompt: string;
  /** The signed-in account and its session. */
  readonly session: { readonly accountId: string; readonly uid: string } | undefined;
  readonly place: Place;
}

export interface Visits {
  /** The visit of the path; undefined in any other browser. */
  readonly find: (request: Request, response: Response) => Promise<Visit | undefined>;
  /** Requires the browser that started the visit; `visitOf` returns the visit afterwards. */
  readonly requireVisit: RequestHandler;
  readonly visitOf: (response: Response) => Visit;
  /** CSRF check; `subject` is what the form's token is bound to. */
  readonly verifyForm: (subject: (request: Request) => string) => RequestHandler;
  readonly formOf: (base: string, subject: string) => CredentialForm;
  readonly send: (response: Response, status: number, page: Page, place?: Place) => void;
  readonly sendExpired: (response: Response, place?: Place) => void;
}

export const visitPath = (uid: string): string => `/interaction/${encodeURIComponent(uid)}`;

/** Returns the page of a visit that ended, with a link to start again. */
const expiredPage = (place: Place | Site): Page =>
  messagePage('This page is no longer valid', 'It was already used, or it expired.', {
    href: signInUrl(place),
    label: 'Start again',
  });

/** A visit that is not over, but whose browser sent no cookie: starting again leads here until it accepts them. */
const withoutCookiesPage = (place: Place | Site): Page =>
  messagePage(
    'Signing in needs cookies',
    'Your browser sent no cookie back. Allow cookies for this site, or go on in the browser in which you started.',
    { href: signInUrl(place), label: 'Start again' },
  );

const refusedFormPage = (href: string): Page =>
  messagePage('We couldn’t accept this form', 'It was not sent from our own page.', {
    href,
    label: 'Reload the page',
  });

/** Finds the visit of a request's path through the provider's cookies. */
const createFind =
  (provider: Provider, site: Site): Visits['find'] =>
  async (request, response) => {
    try {
      const { uid, prompt, params, session } = await provider.interactionDetails(request, response);
      if (uid !== request.params['uid']) return undefined;
      const { redirect_uri: redirectUri, brand } = params as { redirect_uri?: string; brand?: unknown };
      return {
        uid,
        prompt: prompt.name,
        session: session && { accountId: session.accountId, uid: session.uid },
        place: {
          issuer: provider.issuer,
          // oidc-provider accepts registered redirect URIs only.
          shop: redirectUri === undefined ? site.shop : new URL(redirectUri).origin,
          brand: brandOf(brand).code,
          visit: uid,
        },
      };
    } catch (error) {
      if (isExpiredVisit(error)) return undefined;
      throw error;
    }
  };

/** Helpers shared by the pages of a visit and those behind mailed links. */
export function createVisits(deps: {
  readonly provider: Provider;
  readonly site: Site;
  readonly csrfKey: string;
}): Visits {
  const { provider, site, csrfKey } = deps;
  const themeOf = (place: Place | undefined): PageTheme => ({
    brand: brandOf(place?.brand),
    shop: place?.shop ?? site.shop,
    assets: site.assets,
  });
  const send: Visits['send'] = (response, status, page, place) =>
    void response
      .status(status)
      .type('html')
      .send(renderPage(page, themeOf(place)));
  const sendExpired: Visits['sendExpired'] = (response, place) =>
    send(response, 410, expiredPage(place ?? site), place);
  const find = createFind(provider, site);
  const isPending = async (uid: unknown): Promise<boolean> =>
    typeof uid === 'string' && (await provider.Interaction.find(uid)) !== undefined;

  return {
    find,
    async requireVisit(request, response, next) {
      const visit = await find(request, response);
      if (!visit && request.headers.cookie === undefined && (await isPending(request.params['uid'])))
        return send(response, 410, withoutCookiesPage(site));
      if (!visit) return sendExpired(response);
      response.locals['visit'] = visit;
      return next();
    },
    visitOf: (response) => response.locals['visit'] as Visit,
    verifyForm: (subject) => (request, response, next) => {
      const { csrf } = (request.body ?? {}) as { csrf?: unknown };
      if (isOwnOrigin(request, provider.issuer) && isCsrfToken(csrfKey, subject(request), csrf))
        return next();
      const visit = response.locals['visit'] as Visit | undefined;
      const href = visit ? visitPath(visit.uid) : request.originalUrl;
      return send(response, 403, refusedFormPage(href), visit?.place);
    },
    formOf: (base, subject) => ({ base, csrf: csrfToken(csrfKey, subject) }),
    send,
    sendExpired,
  };
}

/** CSRF token of the forms of one subject. */
const csrfToken = (key: string, uid: string): string =>
  createHmac('sha256', key).update(`form:${uid}`).digest('base64url');

/** Compares in constant time. */
function isCsrfToken(key: string, uid: string, token: unknown): boolean {
  const expected = Buffer.from(csrfToken(key, uid));
  const actual = Buffer.from(typeof token === 'string' ? token : '');
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}

/** Browsers send the origin with every form post, or at least `Sec-Fetch-Site`. */
function isOwnOrigin(request: Request, issuer: string): boolean {
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (site !== undefined && site !== 'same-origin') return false;
  if (origin === undefined) return site === 'same-origin';
  return origin === issuer || origin === `${request.protocol}://${request.headers.host}`;
}
