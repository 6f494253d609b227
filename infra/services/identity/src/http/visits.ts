import type { Request, RequestHandler, Response } from 'express';
import type { Provider } from 'oidc-provider';
import { signInUrl, type Place } from '../accounts/accountMails.ts';
import { isLostVisit } from '../oidc/provider.ts';
import type { PageAssets } from '../pages/assets.ts';
import type { CredentialForm } from '../pages/credentialForm.ts';
import { brandOf, messagePage, renderPage, type Look, type Page } from '../pages/layout.ts';
import { csrfToken, isCsrfToken, isOwnOrigin } from './csrf.ts';

export interface Site {
  /** Origin of the shop where no visit says which. */
  readonly shop: string;
  readonly assets: PageAssets;
}

/** Somebody whom the shop has sent here, in the browser that began it. */
export interface Visit {
  readonly uid: string;
  /** What the shop asks for: 'login', 'create' or 'password'. */
  readonly prompt: string;
  /** Who is signed in, and in which session. */
  readonly session: { readonly accountId: string; readonly uid: string } | undefined;
  readonly place: Place;
}

export interface Visits {
  /** The visit of the path, if this browser began it. */
  readonly find: (request: Request, response: Response) => Promise<Visit | undefined>;
  /** Lets nobody but that browser through; `of` answers the visit then. */
  readonly begun: RequestHandler;
  readonly of: (response: Response) => Visit;
  /** Lets forms of our own pages through only; `subject` is what their token is bound to. */
  readonly genuine: (subject: (request: Request) => string) => RequestHandler;
  readonly formOf: (base: string, subject: string) => CredentialForm;
  readonly send: (response: Response, status: number, page: Page, place?: Place) => void;
  readonly sendLost: (response: Response, place?: Place) => void;
}

export const visitPath = (uid: string): string => `/interaction/${encodeURIComponent(uid)}`;

/** What the pages of a visit, and those that a mailed link opens, have in common. */
export function createVisits(deps: {
  readonly provider: Provider;
  readonly site: Site;
  readonly csrfKey: string;
}): Visits {
  const { provider, site, csrfKey } = deps;
  const lookOf = (place: Place | undefined): Look => ({
    brand: brandOf(place?.brand),
    shop: place?.shop ?? site.shop,
    assets: site.assets,
  });
  const send: Visits['send'] = (response, status, page, place) =>
    void response
      .status(status)
      .type('html')
      .send(renderPage(page, lookOf(place)));
  const sendLost: Visits['sendLost'] = (response, place) =>
    send(
      response,
      410,
      messagePage('This page is no longer valid', 'It was used already, or it is more than an hour old.', {
        href: signInUrl(place ?? site),
        label: 'Start again',
      }),
      place,
    );

  async function find(request: Request, response: Response): Promise<Visit | undefined> {
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
          // Registered: the protocol has let no other through.
          shop: redirectUri === undefined ? site.shop : new URL(redirectUri).origin,
          brand: brandOf(brand).code,
          visit: uid,
        },
      };
    } catch (error) {
      if (isLostVisit(error)) return undefined;
      throw error;
    }
  }

  return {
    find,
    async begun(request, response, next) {
      const visit = await find(request, response);
      if (!visit) return sendLost(response);
      response.locals['visit'] = visit;
      return next();
    },
    of: (response) => response.locals['visit'] as Visit,
    genuine: (subject) => (request, response, next) => {
      const { csrf } = (request.body ?? {}) as { csrf?: unknown };
      if (isOwnOrigin(request, provider.issuer) && isCsrfToken(csrfKey, subject(request), csrf))
        return next();
      const visit = response.locals['visit'] as Visit | undefined;
      return send(
        response,
        403,
        messagePage('This form could not be accepted', 'It did not come from our own page.', {
          href: visit ? visitPath(visit.uid) : request.originalUrl,
          label: 'Open the page again',
        }),
        visit?.place,
      );
    },
    formOf: (base, subject) => ({ base, csrf: csrfToken(csrfKey, subject) }),
    send,
    sendLost,
  };
}
