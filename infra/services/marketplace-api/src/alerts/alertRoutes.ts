import { CALLS } from '@forecourt/shared-contracts/calls';
import { SIGNED_OUT_SAVED_SEARCHES } from '@forecourt/shared-contracts/rules';
import { createSlugReference } from '@forecourt/shared-contracts/criteria';
import { Router } from 'express';
import type { MailContext } from '../messages/contactMails.ts';
import { ApiError } from '../http/errors.ts';
import { formBody, readBody, noStore } from '../http/requests.ts';
import type { Catalog } from '../domain/catalog.ts';
import type { ListingIndex } from '../index/listingIndex.ts';
import type { Callers } from '../people/caller.ts';
import type { People } from '../people/people.ts';
import { slugData } from '../reference/slugs.ts';
import type { ListingSearch } from '../search/listingSearch.ts';
import type { PlaceFinder } from '../places/places.ts';
import { readSearchRequest } from '../search/request.ts';
import { welcomeMail, normalizeSearch } from './alertMails.ts';
import type { NewListings } from '../store/listingStore.ts';
import escapeHtml from 'escape-html';

export interface AlertRouteDeps {
  readonly people: People;
  readonly callers: Callers;
  readonly index: ListingIndex;
  readonly catalog: Catalog;
  readonly search: ListingSearch;
  readonly places: PlaceFinder;
  readonly newListings: NewListings;
  readonly mailContext: MailContext;
}

/** Email alerts (A7-OTHER-06, AMB-183) and the links that end mails. */
export function alertRoutes(deps: AlertRouteDeps): Router {
  const { people, callers, index, catalog, search, places, newListings, mailContext } = deps;
  const { alerts, captures } = people;
  const router = Router();

  /** 'Used Ford F150 near Chicago, IL'. */
  function titleOf(query: string): string {
    const request = readSearchRequest(new URLSearchParams(`${query}&hideFilters=true&numRecords=1`), places);
    return search.search(request).pageData.saveSearchData?.saveSearchString ?? 'Vehicles for sale';
  }

  router.post('/account-api/email-alerts', noStore, formBody, async (request, response) => {
    const { emailAddress, brand, search: given } = readBody(CALLS.subscribeAlert.body, request);
    const normalised = normalizeSearch(given, () => createSlugReference(slugData(index.vehicles(), catalog)));
    if (!normalised) throw new ApiError(400, 'INVALID_SEARCH', 'This address is no search');
    const caller = await callers.visitor(request);
    const subscribed = alerts.subscribe(
      {
        caller,
        emailAddress,
        brand,
        search: normalised.search,
        title: titleOf(normalised.search),
        seenRow: newListings.newestRow(),
      },
      (alert) =>
        people.mails.add('alert-welcome', welcomeMail(alert, mailContext), `welcome:${alert.alertId}`),
    );
    if (subscribed === 'LIMIT')
      throw new ApiError(409, 'LIMIT', `You have a maximum of ${SIGNED_OUT_SAVED_SEARCHES} searches saved.`);
    const { alert, isNew } = subscribed;
    response.status(201).json({ subscribed: true, alertId: alert.alertId, isNew });
  });
  router.get('/account-api/email-alerts', noStore, async (request, response) => {
    const { account } = await callers.account(request);
    const own = alerts.ofAccount(account);
    response.json({ alerts: own.map(({ unsubscribeToken: _, seenRow: __, ...alert }) => alert) });
  });
  router.delete('/account-api/email-alerts/:alertId', noStore, async (request, response) => {
    const { account } = await callers.account(request);
    alerts.end(account, request.params.alertId);
    response.status(204).end();
  });

  const PATH = '/cars-for-sale/svc/unsubscribe/:token';
  const about = (token: string): string | undefined => {
    const alert = alerts.byToken(token);
    if (alert) return `New matches: ${alert.title}`;
    return captures.byToken(token) && `News of ${mailContext.siteName}`;
  };
  router.get(PATH, noStore, (request, response) => {
    const what = about(request.params.token);
    const page = unsubscribePage(what === undefined ? 'unknown' : 'ask', what ?? '', mailContext.siteUrl);
    response
      .status(what === undefined ? 404 : 200)
      .set('Content-Security-Policy', PAGE_CSP)
      .type('html')
      .send(page);
  });
  // A form of this page, a mail program's one click (RFC 8058), or a call that wants JSON.
  router.post(PATH, noStore, (request, response) => {
    const { token } = request.params;
    const what = about(token);
    alerts.endByToken(token);
    captures.endByToken(token);
    if (request.accepts(['json', 'html']) === 'json') {
      response.json({ unsubscribed: what !== undefined, ...(what !== undefined && { search: what }) });
      return;
    }
    const page = unsubscribePage(what === undefined ? 'unknown' : 'ended', what ?? '', mailContext.siteUrl);
    response
      .status(what === undefined ? 404 : 200)
      .set('Content-Security-Policy', PAGE_CSP)
      .type('html')
      .send(page);
  });
  return router;
}

/** May stand in a page without scripts and with no style but its own. */
export const PAGE_CSP =
  "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

/**
 * What the link of a mail opens. Ending a subscription takes a click, since
 * mail scanners open every link; the form works without scripts.
 */
export function unsubscribePage(state: 'ask' | 'ended' | 'unknown', what: string, siteUrl: string): string {
  const titles = {
    ask: 'End these mails?',
    ended: 'You get no more of these mails',
    unknown: 'This link is not known',
  };
  const body = {
    ask: `<p>${escapeHtml(what)}</p><form method="post"><button type="submit">End these mails</button></form>`,
    ended: `<p>${escapeHtml(what)}</p>`,
    unknown: '<p>The subscription may have been ended long ago.</p>',
  };
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${titles[state]}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">
<style>:root{color-scheme:light dark}body{font:1rem/1.5 system-ui,sans-serif;max-inline-size:36rem;margin:3rem auto;padding-inline:1rem}
button{font:inherit;min-block-size:44px;padding-inline:1.25rem}</style></head>
<body><main><h1>${titles[state]}</h1>${body[state]}<p><a href="${escapeHtml(siteUrl)}/cars-for-sale/all-cars">Look at vehicles</a></p></main></body></html>`;
}
