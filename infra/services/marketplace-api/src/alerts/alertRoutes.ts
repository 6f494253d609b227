import { CALLS } from '@forecourt/shared-contracts/calls';
import { SIGNED_OUT_SAVED_SEARCHES } from '@forecourt/shared-contracts/rules';
import { createSlugReference } from '@forecourt/shared-contracts/criteria';
import { Router, type Response } from 'express';
import type { MailContext } from '../messages/contactRoutes.ts';
import { ApiError } from '../http/middleware.ts';
import { formBody, readBody, noStore } from '../http/requests.ts';
import type { Catalog } from '../domain/catalog.ts';
import type { ListingIndex } from '../index/listingIndex.ts';
import type { Callers } from '../people/caller.ts';
import type { People } from '../people/people.ts';
import { slugData } from '../reference/models.ts';
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

/** Email alerts (A7-OTHER-06, AMB-183) and unsubscribe links. */
export function alertRoutes(deps: AlertRouteDeps): Router {
  const { people, callers, index, catalog, search, places, newListings, mailContext } = deps;
  const { alerts } = people;
  const router = Router();

  /** 'Used Ford F150 near Chicago, IL'. */
  function titleOf(query: string): string {
    const request = readSearchRequest(new URLSearchParams(`${query}&hideFilters=true&numRecords=1`), places);
    return search.search(request).pageData.saveSearchData?.saveSearchString ?? 'Vehicles for sale';
  }

  router.post('/account-api/email-alerts', noStore, formBody, async (request, response) => {
    const { emailAddress, brand, search: query } = readBody(CALLS.subscribeAlert.body, request);
    const normalized = normalizeSearch(query, () => createSlugReference(slugData(index.vehicles(), catalog)));
    if (!normalized)
      throw new ApiError(400, 'INVALID_SEARCH', 'search must be the path or query of a results page');
    const caller = await callers.visitor(request);
    const subscribed = alerts.subscribe(
      {
        caller,
        emailAddress,
        brand,
        search: normalized.search,
        title: titleOf(normalized.search),
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
    const accountAlerts = alerts.ofAccount(account);
    response.json({ alerts: accountAlerts.map(({ unsubscribeToken: _, seenRow: __, ...alert }) => alert) });
  });
  router.delete('/account-api/email-alerts/:alertId', noStore, async (request, response) => {
    const { account } = await callers.account(request);
    alerts.end(account, request.params.alertId);
    response.status(204).end();
  });

  router.use(unsubscribeRoutes(deps));
  return router;
}

/** The pages behind unsubscribe links of alerts and email captures. */
function unsubscribeRoutes({ people: { alerts, captures }, mailContext }: AlertRouteDeps): Router {
  const router = Router();
  const describe = (token: string): string | undefined => {
    const alert = alerts.byToken(token);
    if (alert) return `New matches: ${alert.title}`;
    return captures.byToken(token) && `News from ${mailContext.siteName}`;
  };
  const sendPage = (response: Response, subscription: string | undefined, state: 'ask' | 'ended') => {
    const isKnown = subscription !== undefined;
    response
      .status(isKnown ? 200 : 404)
      .set('Content-Security-Policy', PAGE_CSP)
      .type('html')
      .send(unsubscribePage(isKnown ? state : 'unknown', subscription ?? '', mailContext.siteUrl));
  };

  const PATH = '/cars-for-sale/svc/unsubscribe/:token';
  router.get(PATH, noStore, (request, response) => {
    sendPage(response, describe(request.params.token), 'ask');
  });
  // Posted by the page's form, by a mail program's one-click unsubscribe (RFC 8058), or by a call that wants JSON.
  router.post(PATH, noStore, (request, response) => {
    const { token } = request.params;
    const subscription = describe(token);
    alerts.endByToken(token);
    captures.endByToken(token);
    if (request.accepts(['json', 'html']) !== 'json') sendPage(response, subscription, 'ended');
    else if (subscription === undefined) response.json({ unsubscribed: false });
    else response.json({ unsubscribed: true, search: subscription });
  });
  return router;
}

/** No scripts, inline styles only. */
const PAGE_CSP =
  "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

/**
 * The page behind an unsubscribe link. Unsubscribing takes a click, because
 * mail scanners open every link; the form works without scripts.
 */
function unsubscribePage(state: 'ask' | 'ended' | 'unknown', what: string, siteUrl: string): string {
  const titles = {
    ask: 'Unsubscribe from these emails?',
    ended: 'You’re unsubscribed',
    unknown: 'We don’t recognize this link',
  };
  const body = {
    ask: `<p>${escapeHtml(what)}</p><form method="post"><button type="submit">Unsubscribe</button></form>`,
    ended: `<p>${escapeHtml(what)}</p>`,
    unknown: '<p>The subscription may have ended a while ago.</p>',
  };
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${titles[state]}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">
<style>:root{color-scheme:light dark}body{font:1rem/1.5 system-ui,sans-serif;max-inline-size:36rem;margin:3rem auto;padding-inline:1rem}
button{font:inherit;min-block-size:44px;padding-inline:1.25rem}</style></head>
<body><main><h1>${titles[state]}</h1>${body[state]}<p><a href="${escapeHtml(siteUrl)}/cars-for-sale/all-cars">Browse vehicles</a></p></main></body></html>`;
}
